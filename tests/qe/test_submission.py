"""Submissions of WMT 2012 and the audit of marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import DataError, FormatError
from dragoman.qe.audit import audit_characters
from dragoman.qe.submission import Submission, read_estimates, read_submission, write_submission


def test_a_submission_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = Submission.of("TEAM_svr", [3.5, 4.25, 3.5])
    assert made.ranks == (2, 1, 3)
    assert Submission.of("TEAM_svr", [0.5, 0.2], task="hter").ranks == (2, 1)
    write_submission(made, tmp_path / "s")
    assert (tmp_path / "s").read_text() == (
        "TEAM_svr\t1\t3.500000\t2\nTEAM_svr\t2\t4.250000\t1\nTEAM_svr\t3\t3.500000\t3\n"
    )
    assert read_submission(tmp_path / "s") == made
    assert read_estimates(tmp_path / "s") == [3.5, 4.25, 3.5]


def test_a_column_of_zeros_was_not_submitted(tmp_path: Path) -> None:
    ranks = Submission("T_ranks", None, (2, 1))
    write_submission(ranks, tmp_path / "r")
    assert read_submission(tmp_path / "r") == ranks
    assert read_estimates(tmp_path / "r") == [-2, -1]
    scores = Submission("T_scores", (1.0, 2.0), None)
    write_submission(scores, tmp_path / "s")
    assert read_submission(tmp_path / "s") == scores
    (tmp_path / "plain").write_text("1\n2.5\n")
    assert read_estimates(tmp_path / "plain") == [1, 2.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("T\t1\t2\n", "expected METHOD, SEGMENT, SCORE, RANK between tabs"),
        ("T\t1\t2\t1\nU\t2\t1\t2\n", "the method is 'U', and 'T' before"),
        ("T\t1\tbad\t1\n", "expected the numbers of segment, score and rank"),
        ("T\t1\tnan\t1\n", "expected the numbers"),
        ("T\t1\t2\t1\nT\t1\t2\t2\n", "segment 1 is there twice"),
        ("T\t1\t2\t1\nT\t3\t2\t2\n", "there are 2 segments, and none has the number 2"),
        ("T\t1\t2\t1\nT\t2\t2\t1\n", "Ranks are the numbers 1 to 2, each once"),
        ("T\t1\t0\t0\n", "scores, ranks or both"),
        ("", "scores, ranks or both|without tabs"),
    ],
)
def test_what_is_no_submission_is_named(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "s").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_submission(tmp_path / "s")


def test_a_method_has_a_name() -> None:
    with pytest.raises(DataError, match="a name without tabs"):
        Submission.of("a\tb", [1.0])


def test_marks_that_differ_are_named() -> None:
    found = audit_characters({"train": ['say "yes" -'] * 5, "test": ["say “yes” ."] * 5, "few": ["“"]})
    assert (found.count('"', "train"), found.count("“", "test"), found.count("”", "train")) == (10, 5, 0)
    assert found.count("q", "train") == 0
    assert len(found.warnings) == 3
    assert '" is 100% of the quote marks of train and 0% of those of test' in found.warnings[0]
    assert "left double quotation mark" in found.render()
    assert audit_characters({"a": ['"'] * 9, "b": ['"'] * 9}).warnings == ()
    with pytest.raises(DataError, match="no text to look at"):
        audit_characters({})
