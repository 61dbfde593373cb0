from __future__ import annotations

import math
from pathlib import Path

import pytest

from dragoman.errors import DataError, FormatError
from dragoman.metrics import WordTags
from dragoman.qe import QEData, effort_gold, post_edit_gold, read_qe, write_qe
from dragoman.qe.files import read_label_lines, read_labels, read_scores, read_tags


def test_the_judge_who_deviates_most_weighs_most() -> None:
    # Standard deviations 0.5, 1.0, 1.5 around their own means: weights 1, 2, 3 of 6.
    table = [[3, 3, 2], [4, 5, 5], [3, 3, 2], [4, 5, 5]]
    found = effort_gold(table)
    assert found.weights == pytest.approx((1 / 6, 2 / 6, 3 / 6))
    assert found.deviations == pytest.approx((0.5, 1.0, 1.5))
    assert found.values == pytest.approx((2.5, 29 / 6, 2.5, 29 / 6))
    assert found.spreads == {1: 4}
    assert found.to_dict()["meta"]["n_kept"] == 4
    assert "Judges" in found.render()


def test_sentences_on_which_judges_differ_have_no_score() -> None:
    found = effort_gold([[1, 3, 2], [2, 3, 2], [5, 5, 5]])
    assert found.values[0] is None
    assert found.scored == (1, 2)
    assert effort_gold([[1, 3, 2], [2, 3, 2], [5, 5, 5]], max_spread=None).scored == (0, 1, 2)
    assert effort_gold([[1, 2]], weights=(1, 3)).values == (1.75,)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2], [3, 6]], "Sentence 2, judge 2: 6 is no effort score from 1 to 5"),
        ([[1, 2], [math.nan, 3]], "Sentence 2, judge 1: nan is no effort score"),
        ([1, 2], "two judges or more; got the shape"),
        ([[1], [2]], "two judges or more; got the shape"),
    ],
)
def test_bad_judges_are_named(table: list[object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        effort_gold(table)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="2 judges need as many weights"):
        effort_gold([[1, 2]], weights=(1, 2, 3))


def test_files_of_a_task_are_written_and_read_back(tmp_path: Path) -> None:
    data = post_edit_gold(QEData.of(["a b", "c"], ["x y", ""], ["x z y", ""]))
    assert data.scores == pytest.approx((1 / 3, 0))
    assert data.tags == (WordTags(("OK", "OK"), ("OK", "BAD", "OK")), WordTags((), ("OK",)))
    written = write_qe(data, tmp_path / "dev")
    assert [path.suffix for path in written] == [".src", ".mt", ".pe", ".hter", ".tags"]
    again = read_qe(tmp_path / "dev")
    assert (again.sources, again.outputs, again.post_edits, again.tags) == (
        data.sources,
        data.outputs,
        data.post_edits,
        data.tags,
    )
    assert again.scores == pytest.approx(data.scores, abs=1e-6)
    assert len(again.text) == 2
    (tmp_path / "dev.tags").unlink()
    assert read_qe(tmp_path / "dev").tags is None


def test_streams_of_different_length_and_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no file .*dev.src, .mt, .pe, .hter or .tags"):
        read_qe(tmp_path / "dev")
    (tmp_path / "dev.src").write_text("a\nb\n")
    (tmp_path / "dev.mt").write_text("x\n")
    with pytest.raises(DataError, match=r"dev: Streams must have one line per segment, got srcs=2, systems\[mt\]=1"):
        read_qe(tmp_path / "dev")
    with pytest.raises(DataError, match=r"srcs=1, refs\[pe\]=2, systems\[mt\]=2"):
        post_edit_gold(QEData.of(["a"], ["b", "c"], ["d", "e"]))
    with pytest.raises(DataError, match="Sentence 1 has 2 words and 1 word tags"):
        QEData.of(outputs=("a b",), tags=(WordTags(("OK",), ("OK", "OK")),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.5\n\n", "dev.hter:2: expected a score, found ''"),
        ("0.5\nnan\n", "dev.hter:2: expected a score, found 'nan'"),
    ],
)
def test_missing_scores_raise_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "dev.hter").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_scores(tmp_path / "dev.hter")


@pytest.mark.parametrize(
    ("text", "message"),
    [("OK FINE OK\n", "expected OK or BAD, found 'FINE'"), ("OK BAD\n", "2 tags; gaps and words in turn are an odd")],
)
def test_bad_tags_raise_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "dev.tags").write_text(text)
    with pytest.raises(FormatError, match=rf"dev.tags:1: {message}"):
        read_tags(tmp_path / "dev.tags")


def test_labels_of_words(tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    path.write_text("1.1\t0\tx\tOmission\tAccuracy\tBAD\n1.1\t1\ty\tOK\tOK\tOK\n1.2\t0\tz\tOK\tOK\tOK\n")
    assert read_labels(path) == {"1.1": ["BAD", "OK"], "1.2": ["OK"]}
    assert read_labels(path, "level-1")["1.1"] == ["Accuracy", "OK"]
    with pytest.raises(DataError, match="No level of labels is called 'x'"):
        read_labels(path, "x")
    path.write_text("1.1\t1\tx\tOK\tOK\tOK\n")
    with pytest.raises(FormatError, match=r"segment 1.1: expected word 0, found '1'"):
        read_labels(path)
    path.write_text("OK BAD\n")
    with pytest.raises(FormatError, match="expected 6 cells, found 1"):
        read_labels(path)
    assert read_label_lines(path) == [["OK", "BAD"]]
