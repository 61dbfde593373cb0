"""Score sheets: their shapes, their rows, and what they refuse."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from dragoman import __version__
from dragoman.cache import ContentCache
from dragoman.errors import DataError, DoubtfulInput, UnknownName
from dragoman.metrics import (
    Metric,
    References,
    as_test_set,
    best_reference,
    by_reference,
    collect,
    matrix,
    metric_of_signature,
    score,
)
from dragoman.metrics.references import content_digest
from dragoman.text import TextLines

SYSTEMS = {"one": ["the cat", "a dog"], "two": ["cat the", "the dog"]}
REFS = [["the cat", "the dog"]]


def test_a_sheet_has_one_row_per_system_and_metric() -> None:
    sheet = score(SYSTEMS, REFS, metrics=["chrf", "chrf++"])
    rows = sheet.to_dict()["rows"]
    assert [(row["system"], row["metric"]) for row in rows] == [
        ("one", "chrf"),
        ("two", "chrf"),
        ("one", "chrf++"),
        ("two", "chrf++"),
    ]
    assert list(rows[0]) == ["system", "metric", "score", "signature", "low", "high"]
    assert rows[0]["low"] is None
    assert rows[0]["signature"].startswith("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:")
    json.loads(sheet.render("json"))


def test_segments_are_counted_from_one() -> None:
    rows = score(SYSTEMS, REFS, metrics=["chrf"], level="segment").to_dict()["rows"]
    assert [(row["system"], row["segment"]) for row in rows] == [("one", 1), ("one", 2), ("two", 1), ("two", 2)]
    assert rows[0]["score"] == 100.0
    assert list(rows[0]) == ["system", "metric", "segment", "score"]


def test_a_score_is_found_by_name() -> None:
    sheet = score(SYSTEMS, REFS, metrics=["chrf"])
    assert sheet.score("two", "chrf").value == sheet.values[1, 0, 0]
    with pytest.raises(UnknownName, match=r"no system 'three'. Known: one, two"):
        sheet.score("three", "chrf")
    documents = score(SYSTEMS, REFS, metrics=["chrf"], level="document", docs=["x", "y"])
    assert documents.score("one", "chrf", "x").value == 100.0
    with pytest.raises(UnknownName, match=r"no document 'z'. Known: x, y"):
        documents.score("one", "chrf", "z")


def test_what_cannot_be_scored_is_named() -> None:
    with pytest.raises(DataError, match="There are no systems to score"):
        score({}, REFS, metrics=["chrf"])
    with pytest.raises(DataError, match="systems maps names to lines"):
        score([["a"]], REFS, metrics=["chrf"])  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no metrics to score with"):
        score(SYSTEMS, REFS, metrics=[])
    with pytest.raises(DataError, match="The metric chrf is asked for twice"):
        score(SYSTEMS, REFS, metrics=["chrf", "chrf:beta=2"])
    with pytest.raises(DataError, match=r"got refs\[Reference 1\]=2, systems\[one\]=2, systems\[two\]=1"):
        score({**SYSTEMS, "two": ["x"]}, REFS, metrics=["chrf"])
    with pytest.raises(DataError, match="There are no segments to score"):
        score({"one": []}, [[]], metrics=["chrf"])
    with pytest.raises(DataError, match="Scores by document need docs"):
        score(SYSTEMS, REFS, metrics=["chrf"], level="document")
    with pytest.raises(DataError, match=r"The 'level' option of ScoreRecipe must be one of 'corpus', .* Got 'word'"):
        score(SYSTEMS, REFS, metrics=["chrf"], level="word")  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"systems.one.=2, .*docs=1"):
        score(SYSTEMS, REFS, metrics=["chrf"], level="document", docs=["x"])


def test_two_forms_of_a_metric_stand_side_by_side() -> None:
    sheet = score({"one": ["The cat"]}, [["the cat"]], metrics=["chrf", "chrf:lowercase=yes"])
    assert sheet.metrics == ("chrf", "chrf:lowercase=yes")
    assert sheet.score("one", "chrf:lowercase=yes").value == 100.0 > sheet.score("one", "chrf").value


@pytest.mark.parametrize("metric", ["bleu", "bleu:lowercase=yes", "chrf", "nist", "wer", "rouge-l"])
def test_lines_of_files_score_as_strings_do(metric) -> None:
    hyps, ref = ["The cät sat. ", "", "It was 3.5 “warm”"], ["The cat sat.", "x", "It was “warm”"]
    native = {"x": TextLines("\n".join(hyps).encode())}
    expected = score({"x": hyps}, [ref], metrics=[metric]).values
    for n_threads in (1, 2):
        found = score(native, [TextLines("\n".join(ref).encode())], metrics=[metric], n_threads=n_threads)
        np.testing.assert_array_equal(found.values, expected)
    with pytest.raises(DataError, match=r"got refs\[Reference 1\]=1, systems\[x\]=3"):
        score(native, [TextLines(b"one line")], metrics=[metric])
    shares = best_reference(as_test_set(native, [TextLines("\n".join(ref).encode()), ref]), metric).shares
    assert shares.tolist() == [[1.0, 1.0]]


def test_references_by_segment_become_streams() -> None:
    assert by_reference([["a"], ["b", "c"], []]) == [["a", "b", None], [None, "c", None]]
    assert by_reference([]) == []


def test_references_know_how_many_they_are() -> None:
    assert References.of([["a", "b"]]).nrefs == 1
    assert References.of([["a", None], ["b", "c"]]).nrefs is None
    assert References.of([["a", None], [None, "c"]]).nrefs == 1
    assert References.of({"A": ["a"], "B": ["b"]}).names == ("A", "B")
    with pytest.raises(DataError, match=r"Segment 1 of refs\[0\] is int, not text or None"):
        References.of([[1]])  # type: ignore[list-item]
    with pytest.raises(DataError, match="refs is one string"):
        References.of("abc")


def test_a_reference_without_any_line_has_no_score() -> None:
    report = best_reference(as_test_set(SYSTEMS, [["the cat", "the dog"], [None, None]]), "chrf")
    assert np.isnan(report.alone[:, 1]).all()
    assert report.to_dict()["rows"][1]["score"] is None
    assert report.shares[0, 0] == 1.0


def test_bad_signatures_are_refused() -> None:
    with pytest.raises(DataError, match="is no signature"):
        metric_of_signature("chrf")
    with pytest.raises(DataError, match="No metric is labelled 'XYZ'"):
        metric_of_signature("XYZ|nrefs:1|version:1")
    with pytest.raises(DataError, match="lacks or garbles an option: 'nc'"):
        metric_of_signature("chrF2|nrefs:1|case:lc|version:1")


def test_a_digest_tells_contents_apart() -> None:
    contents = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["abc", None], [None, "abc"], ["", "abc"], []]
    contents += [TextLines(b"ab\nc"), TextLines(b"abc"), TextLines(b"")]
    assert len({content_digest(lines) for lines in contents}) == len(contents)


def test_the_cache_is_bounded_and_keeps_what_was_used_last() -> None:
    cache: ContentCache[str] = ContentCache(10, len)
    made = []

    def make(text: str):
        return lambda: made.append(text) or text

    for text in ["aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb"]:
        assert cache.get(text, make(text)) == text
    assert made == ["aaaa", "bbbb", "cccc", "bbbb"]
    assert cache.get("long", make("x" * 11)) == "x" * 11
    assert len(cache) == 2
    assert cache.n_bytes == 8
    cache.clear()
    assert cache.n_bytes == len(cache) == 0


@dataclass(frozen=True)
class Longest(Metric):
    """The longest of the hypotheses, in characters: no function of sums. For tests of the contract's other half."""

    name: ClassVar[str] = "longest"
    label_pattern: ClassVar[str] = "longest"
    additive: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"srcs"})

    def batch_rows(self, text, n_threads):
        return np.array([[[float(len(hyp))] for hyp in hyps] for hyps in text.systems])

    def values(self, totals):
        return np.asarray(totals)[..., 0]

    def corpus_value(self, hyps, refs, srcs=None, *, n_threads=1):
        return float(max(map(len, hyps)))


def test_a_metric_that_is_not_additive_scores_whole_groups() -> None:
    systems, refs, srcs = {"x": ["abc", "d", "ef"]}, [["", "", ""]], ["1", "2", "3"]
    options = {"metrics": [Longest()], "docs": ["p", "q", "q"]}
    assert score(systems, refs, srcs, **options).values.ravel().tolist() == [3]
    assert score(systems, refs, srcs, level="document", **options).values.ravel().tolist() == [3, 2]
    assert score(systems, refs, srcs, level="segment", **options).values.ravel().tolist() == [3, 1, 2]


def test_sources_that_a_metric_needs_are_asked_for() -> None:
    with pytest.raises(DataError, match="The metric longest needs the sources: name them with --src"):
        score({"x": ["a"]}, [["a"]], metrics=[Longest()])


def test_a_metric_of_another_package_gets_the_rest_for_nothing() -> None:
    # batch_rows and values are all that a metric has to say.
    class OfPairs(Longest):
        needs: ClassVar[frozenset[str]] = frozenset()

    sheet = matrix(["ab", "c"], ["x", "y"], OfPairs())
    assert sheet.values.tolist() == [[2, 2], [1, 1]]
    assert Longest().stats_many([["a"], ["bc"]], [["x"]]).tolist() == [[[1]], [[2]]]
    assert Longest().signature(seed=3) == f"nrefs:1|seed:3|version:dragoman-{__version__}"
    assert Longest().verbose(np.zeros(1)) == ""


def test_signatures_tell_what_belongs_to_the_run() -> None:
    sheet = score(SYSTEMS, REFS, metrics=["bleu"], run={"test": "wmt13", "lang": "fr-en"})
    assert sheet.signatures[0].startswith("BLEU|nrefs:1|test:wmt13|lang:fr-en|case:mixed|")
    (statistics,) = collect(as_test_set(SYSTEMS, REFS), ["bleu"], run={"test": "wmt13"})
    assert "|test:wmt13|bs:1000|seed:12345|case:" in statistics.signature(bs=1000, seed=12345)


def test_a_metric_that_looks_at_sources_has_no_matrix() -> None:
    with pytest.raises(DataError, match="longest looks at sources, of which a matrix has none"):
        matrix(["ab", "c"], ["x", "y"], Longest())


@pytest.mark.parametrize(("n", "metric", "warns"), [(100, "bleu", True), (99, "bleu", False), (100, "chrf", False)])
def test_output_that_looks_tokenised_is_told(n: int, metric: str, warns: bool) -> None:
    """Where sacreBLEU warns: BLEU, and a hundred lines of a system that end in ` .`."""
    systems = {"mine": ["It works ."] * (n - 1) + ["It works . ", "Well."], "theirs": ["It works."] * (n + 1)}
    as_file = {name: TextLines("\n".join(lines).encode()) for name, lines in systems.items()}
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for texts in (systems, as_file):
            score(texts, [["It works."] * (n + 1)], metrics=[metric])
    assert [each.category for each in told] == [DoubtfulInput] * (2 * warns)
    assert all("lines or more of mine end in a full stop by itself" in str(each.message) for each in told)
