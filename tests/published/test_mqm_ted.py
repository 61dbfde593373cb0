"""The averages that Google released with its MQM annotation of the TED test suite, Chinese–English."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from dragoman.data import read_judgements
from dragoman.errors import MendedInput
from dragoman.human.analysing import analyse
from tests.conftest import real_data

# The table of errors and that of averages call the references differently.
NAMES = {"ref": "ref-A", "refB": "ref-B"}


@pytest.mark.realdata
def test_mqm_ted_zhen_averages_of_the_released_file_avg_seg_scores_tsv() -> None:
    """Freitag et al. 2021: what the errors of an output cost, averaged over raters. The mended line is among them."""
    folder = real_data()
    assert folder is not None
    files = folder / "peers" / "mqm-ted-zhen"
    with pytest.warns(MendedInput):
        result: Any = analyse(read_judgements(files / "mqm_ted_zhen.tsv.gz"))
    rows = json.loads(result.segment_scores().render("json"))["rows"]
    ours = {(NAMES.get(row["system"], row["system"]), row["segment"]): row["raw"] for row in rows}
    with gzip.open(files / "mqm_ted_zhen.avg_seg_scores.tsv.gz", "rt") as stream:
        lines = [line.split() for line in stream.read().splitlines()[1:]]
    released = {(system, int(segment)): float(score) for system, score, segment in lines if score != "None"}
    assert ours == pytest.approx(released, abs=5e-7)
