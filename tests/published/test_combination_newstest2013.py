"""Combination of eight systems of WMT 2013, tuned on every other segment of newstest2013 and measured on the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.combine import (
    ChoiceRecipe,
    CombineRecipe,
    evaluate_outputs,
    interleaved,
    train_chooser,
    train_combiner,
)
from dragoman.data import TestSet
from dragoman.files import read_lines

# Those with the highest BLEU on the tuning half.
SYSTEMS = (
    "uedin-heafield-unconstrained",
    "online-B",
    "uedin-wmt13",
    "LIMSI-Ncode-SOUL-primary",
    "KIT_primary",
    "online-A",
    "MES-SimplifiedFrench-primary",
    "DCU__primary",
)


@pytest.mark.realdata
@pytest.mark.slow
def test_combination_and_choice_beat_the_best_single_system_of_fr_en(data_folder: Path) -> None:
    folder = data_folder / "newstest2013"
    outputs = {
        name: list(read_lines(next((folder / "fr-en").glob(f"newstest2013.fr-en.{name}.*gz")))) for name in SYSTEMS
    }
    srcs, refs = (list(read_lines(folder / f"references/newstest2013.{lang}.gz")) for lang in ("fr", "en"))
    tuning, test = interleaved(TestSet(srcs=srcs, refs={"en": refs}, systems=outputs))
    texts = {
        "combined": train_combiner(tuning, CombineRecipe(lang="en")).combine(test).texts,
        "chosen": train_chooser(tuning, ChoiceRecipe(lang="en")).choose(test).texts,
    }
    measured = evaluate_outputs(texts, test)
    single = measured.scores[measured.best]
    assert f"{single:.2f}" == "32.36"
    assert measured.scores["combined"] >= single + 1.4
    assert measured.scores["chosen"] >= single + 0.3
    assert max(measured.p.values()) < 0.05
