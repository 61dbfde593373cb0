"""The peer itself, where it is installed: `pip install kenlm`, which needs a compiler."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dragoman.files import read_lines
from dragoman.lm import KneserNey, LanguageModel

kenlm: Any = pytest.importorskip("kenlm", reason="the package kenlm is not installed")


@pytest.mark.realdata
@pytest.mark.parametrize("structure", ["hash", "trie"])
def test_every_token_is_scored_as_kenlm_scores_it(data_folder: Path, tmp_path: Path, structure: str) -> None:
    text = read_lines(data_folder / "multi30k" / "val.en.gz")
    path = tmp_path / "model.arpa"
    ours = KneserNey(order=5, structure=structure).train(text[:800], arpa=path)
    for model in (ours, LanguageModel.from_arpa(path)):
        peer = kenlm.Model(str(path))
        scored = model.score_tokens(text)
        theirs = [each for line in text for each in peer.full_scores(line)]
        np.testing.assert_allclose(scored.log_p, [log_p for log_p, _, _ in theirs], atol=1e-6)
        assert scored.n_matched.tolist() == [n for _, n, _ in theirs]
        assert scored.unknown.tolist() == [unknown for _, _, unknown in theirs]
        np.testing.assert_allclose(model.score(text), [peer.score(line) for line in text], atol=1e-4)
