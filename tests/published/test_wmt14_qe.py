"""The word-level quality-estimation task of WMT 2014 (Findings, §4): trivial predictors, Tables 17 and 18."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.qe import evaluate
from dragoman.qe.files import read_labels

# level → trivial predictor → measures in per cent, as printed
PRINTED = {
    "binary": {
        "always OK": {"f1-weighted": "50.43", "f1-errors": "0.00", "mcc": "0.00", "accuracy": "64.38"},
        "always BAD": {"f1-weighted": "18.71", "f1-errors": "52.53", "mcc": "0.00", "accuracy": "35.62"},
    },
    "level-1": {"always Fluency": {"f1-weighted": "14.39", "f1-errors": "40.41", "mcc": "0.00", "accuracy": "30.67"}},
}


@pytest.mark.realdata
@pytest.mark.parametrize("level", PRINTED)
def test_trivial_predictors_en_es(data_folder: Path, level: str) -> None:
    gold = list(read_labels(data_folder / "wmt14-word-qe" / "EN_ES.tgt_ann.test.gz", level).values())
    found = evaluate(gold, gold, task="words", trials=2)
    for predictor, measures in PRINTED[level].items():
        for measure, printed in measures.items():
            assert f"{100 * found.value(measure, predictor):.2f}" == printed
