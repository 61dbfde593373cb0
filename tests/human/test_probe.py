"""The probe study: segments, references and the agreement of metrics with people."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.judgements import Judgements
from dragoman.data.judgements.blind_edits import REVIEWS
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.blind_editing.probe import probe_references, probe_reviews
from dragoman.samples import sample_path

WORDS = ["the", "cat", "sat", "on", "a", "mat", "by", "the", "old", "door", "of", "our", "house", "today"]
TEXTS = [" ".join([*WORDS[n:], *WORDS[:n]]) for n in range(8)]


def worse(text: str, every: int) -> str:
    return " ".join("x" if n % every == 0 else word for n, word in enumerate(text.split()))


TEST_SET = TestSet(systems={"a": TEXTS, "b": [worse(t, 5) for t in TEXTS], "c": [worse(t, 2) for t in TEXTS]})
REFERENCES = {n: (text, text.upper()) for n, text in enumerate(TEXTS, start=1)}
HUMAN = {"a": 3.0, "b": 2.0, "c": 1.0}


def test_plain_differences_are_seen_with_any_number_of_references() -> None:
    probe = probe_references(
        TEST_SET, REFERENCES, HUMAN, sizes=(2, 8, 50), counts=(1, 2, 3), metrics=("bleu",), trials=5
    )
    assert [(cell.segments, cell.references) for cell in probe.cells] == [(2, 1), (2, 2), (8, 1), (8, 2)]
    assert probe.n_available == {1: 8, 2: 8, 3: 0}
    assert probe.cells[-1].mean == pytest.approx(1.0)
    assert probe.cells[-1].sd == 0.0
    assert probe == probe_references(
        TEST_SET, REFERENCES, HUMAN, sizes=(2, 8, 50), counts=(1, 2, 3), metrics=("bleu",), trials=5, n_threads=2
    )


def test_without_a_difference_there_is_no_correlation() -> None:
    same = TestSet(systems=dict.fromkeys("abc", TEXTS))
    cell = probe_references(same, REFERENCES, HUMAN, sizes=(3,), counts=(1,), metrics=("chrf",), trials=2).cells[0]
    assert (cell.n, cell.mean, cell.sd) == (0, None, None)


def test_what_cannot_be_probed_is_named() -> None:
    with pytest.raises(DataError, match=r"A correlation needs .*three systems"):
        probe_references(TEST_SET, REFERENCES, {"a": 1.0})
    with pytest.raises(DataError, match="references for segment 9; the test set has 8"):
        probe_references(TEST_SET, {9: ("x",)}, HUMAN)
    with pytest.raises(DataError, match="No segment has references enough"):
        probe_references(TEST_SET, REFERENCES, HUMAN, sizes=(99,))
    with pytest.raises(DataError, match="counted from 1"):
        probe_references(TEST_SET, REFERENCES, HUMAN, sizes=(0,))
    row = {"editor": "e", "reviewer": "r", "system": "a", "segment": "s1", "edit": "x", "review": "x"}
    with pytest.raises(DataError, match="A review is of segment 's1'"):
        probe_reviews(TEST_SET, Judgements.of(REVIEWS, [REVIEWS.check(row)]))


def test_reviews_give_references_and_human_scores() -> None:
    files = [str(sample_path("studies/understandability/reviews.tsv")), str(sample_path("testset/source.de").parent)]
    asked = [
        "study",
        "understandability",
        "probe",
        *files,
        "--size",
        "5",
        "--references",
        "2",
        "--trials",
        "3",
        "--json",
    ]
    done = json.loads(CliRunner().invoke(group, asked).stdout)
    assert [(row["metric"], row["n"]) for row in done["rows"]] == [("bleu", 3), ("nist", 3)]
    assert len(done["meta"]["systems"]) == 3
