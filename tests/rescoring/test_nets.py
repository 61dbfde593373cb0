"""Nets as features of candidates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError, ModelError
from dragoman.lm import KneserNey, NetRecipe, train_lm_net
from dragoman.rescoring import CandidateLists, add_features
from dragoman.samples import phrasebook
from dragoman.smt.nets import TupleNetRecipe, train_tuple_net

SOURCE, TARGET = (phrasebook()[lang][:80] for lang in ("de", "en"))
LISTS = CandidateLists(tuple(SOURCE[:2]), (TARGET[0], TARGET[1], TARGET[1]), np.array([0, 2, 3]))
SIZES = {"order": 3, "projection": 16, "hidden": 16, "min_count": 1, "epochs": 1}


def test_a_net_of_language_and_one_of_tuples_score_candidates(tmp_path: Path) -> None:
    where = {"dev": TARGET[:9], "model": tmp_path / "lm", "work": tmp_path / "lm.work"}
    language, _ = train_lm_net(TARGET, NetRecipe(**SIZES), **where)  # type: ignore[arg-type]
    recipe = TupleNetRecipe(**SIZES, factors=("translation", "reordering"), method="ibm1")  # type: ignore[arg-type]
    tuples, _ = train_tuple_net(
        (SOURCE, TARGET), recipe, dev=(SOURCE[:9], TARGET[:9]), model=tmp_path / "tm", work=tmp_path / "tm.work"
    )
    lists = add_features(LISTS, [f"net:{tmp_path / 'lm'}", f"net:{tmp_path / 'tm'}"])
    assert lists.names == ("net", "net.translation", "net.reordering")
    np.testing.assert_allclose(lists.features[:, 0], language.score(LISTS.texts))
    np.testing.assert_allclose(lists.features[:, 1:], tuples.score(*LISTS.pairs))


def test_what_is_no_net_is_refused(tmp_path: Path) -> None:
    folder = KneserNey(order=2).train(TARGET).save(tmp_path / "lm")
    with pytest.raises(ModelError, match=r'is a language model, not a net\. Train one with "dragoman lm net" or'):
        add_features(LISTS, [f"net:{folder}"])
    with pytest.raises(DataError, match="The rescoring feature 'net' needs a model: net:PATH"):
        add_features(LISTS, ["net"])
