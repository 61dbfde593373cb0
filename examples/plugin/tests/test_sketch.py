"""The entries keep the contracts of their kinds, and do what is their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from dragoman_sketch.common_start import CommonStart
from dragoman_sketch.stanzas import BitextStanzas

from dragoman.data import Bitext
from dragoman.errors import DataError, FormatError
from dragoman.testing import check_format, check_learner, check_metric

PAIRS = [("Guten Tag!", "Good day!"), ("", " "), ("a\tb", '"')]


def test_the_metric_keeps_its_contract() -> None:
    check_metric("common-start")
    check_metric("common-start:lowercase=yes")


def test_the_format_keeps_its_contract() -> None:
    check_format("bitext-stanzas", [Bitext.from_pairs(PAIRS), Bitext.from_pairs([])])


def test_the_learner_keeps_its_contract() -> None:
    check_learner("least-squares")


def test_a_difference_ends_the_common_start() -> None:
    hyps = ["the cat sat", "The cat"]
    refs = [["the cat lay down", "the cat"]]
    assert CommonStart().segments(hyps, refs).tolist() == [50.0, 0.0]
    assert CommonStart(lowercase=True).corpus_value(hyps, refs) == 75.0


def test_what_is_no_stanza_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "some.stanzas"
    path.write_text("a\nb\nc\n")
    with pytest.raises(FormatError, match=r"some.stanzas:3: expected the empty line between two pairs, got 'c'"):
        BitextStanzas().read(path)
    path.write_text("a\nb\n\nc\n")
    with pytest.raises(FormatError, match=r"some.stanzas:4: the last pair is cut off"):
        BitextStanzas().read(path)
    with pytest.raises(DataError, match="line break"):
        BitextStanzas().write(Bitext.from_pairs([("a\nb", "c")]), path)
