"""Parts of test sets and judgements by document, domain and original language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data import TestSet
from dragoman.data.filtering import parse_conditions, segments_where, select_judgements, select_segments
from dragoman.data.judgements.base import Judgements
from dragoman.data.judgements.ranking import ranking_schema
from dragoman.errors import DataError

WHOLE = TestSet(
    srcs=["a", "b", "c", "d"],
    refs={"A": ["1", None, "3", "4"]},
    systems={"s": ["w", "x", "y", "z"]},
    docs=["one", "one", "two", "two"],
    origlangs=["de", "en", "de", None],
)


def test_a_part_has_the_segments_that_meet_all_conditions() -> None:
    part = select_segments(WHOLE, parse_conditions(["origlang=de", "doc=one", "doc=two"]))
    assert part.srcs == ("a", "c")
    assert part.refs["A"] == ("1", "3")
    assert part.systems["s"] == ("w", "y")
    assert part.docs == ("one", "two")
    assert select_segments(WHOLE, {}) is WHOLE
    assert segments_where(WHOLE, parse_conditions(["origlang=en", "origlang=de"])) == [0, 1, 2]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["origlang"], "'origlang' is no condition; write field=value, as origlang=de."),
        (["tenor=x"], "Segments have no field 'tenor'. Known: doc, domain, origlang."),
        (["domain=news"], "The domain of the segments is not known."),
        (["origlang=fr"], "No segment has origlang=fr. Known: de, en."),
        (["origlang=en", "doc=two"], "No segment has origlang=en and doc=two."),
    ],
)
def test_what_cannot_be_met_is_named(texts: list[str], message: str) -> None:
    with pytest.raises(DataError) as caught:
        select_segments(WHOLE, parse_conditions(texts))
    assert message in str(caught.value)


def judgement(segment: int) -> dict[str, object]:
    return {"annotator": "x", "item": str(segment), "source_lang": "de", "target_lang": "en", "segment": segment}


def test_judgements_are_chosen_by_their_segments() -> None:
    judgements = Judgements.of(ranking_schema(2), [judgement(n) for n in (1, 2, 3, 3)])
    part = select_judgements(judgements, WHOLE, parse_conditions(["origlang=de"]))
    assert part["segment"] == (1, 3, 3)
    with pytest.raises(DataError, match="judgements of segment 5; the labels are of 4 segments"):
        select_judgements(Judgements.of(ranking_schema(2), [judgement(5)]), WHOLE, parse_conditions(["origlang=de"]))


def run(*words: object) -> Result:
    return CliRunner().invoke(group, [str(word) for word in words])


def test_both_halves_of_a_test_set_are_scored_apart(tmp_path: Path) -> None:
    lines = {"out": ["a b c d e", "x"], "ref": ["a b c d e", "y"]}
    for name, text in lines.items():
        (tmp_path / name).write_text("\n".join(text) + "\n")
    (tmp_path / "documents.tsv").write_text("segment\tdoc\toriglang\n1\tA\tde\n2\tB\ten\n")
    call = ["score", tmp_path / "out", "-r", tmp_path / "ref", "-m", "chrf", "--json"]
    labels = ["--docs", tmp_path / "documents.tsv"]
    scores = {}
    for lang in ("de", "en"):
        (row,) = json.loads(run(*call, *labels, "--origlang", lang).stdout)["rows"]
        scores[lang] = row["score"]
    assert scores == {"de": 100.0, "en": 0.0}
    assert "The origlang of the segments is not known" in str(run(*call, "--origlang", "de").exception)
    assert "leave --where and --origlang" in run(*call, *labels, "--origlang", "de", "--resegment").stderr
