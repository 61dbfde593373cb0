"""Scales from 1 to 5: means, order, and what cannot be analysed."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.data.judgements import Field, Judgements, Schema
from dragoman.errors import DataError
from dragoman.human.analysing import analyse
from dragoman.human.scales import analyse_scales

SCHEMA = Schema(
    "adequacy-fluency",
    (
        Field("annotator"),
        Field("item"),
        Field("segment", "whole"),
        Field("system"),
        Field("adequacy", "whole", required=False, low=1, high=5),
        Field("fluency", "whole", required=False, low=1, high=5),
    ),
)


def told(*rows: tuple[str, str, int, int | None, int | None]) -> Judgements:
    return Judgements.of(
        SCHEMA,
        [
            {
                "annotator": who,
                "item": str(n),
                "segment": segment,
                "system": system,
                "adequacy": adequacy,
                "fluency": fluency,
            }
            for n, (who, system, segment, adequacy, fluency) in enumerate(rows)
        ],
    )


@pytest.fixture(scope="module")
def judged() -> Judgements:
    rows = []
    for segment in range(1, 21):
        for who, shift in (("v", 0), ("w", 1)):
            rows.append((who, "good", segment, min(5, 3 + shift + segment % 2), 4))
            rows.append((who, "poor", segment, 1 + shift, None if segment == 1 else 2 + segment % 2))
    return told(*rows)


def test_means_by_scale(judged: Judgements) -> None:
    result = analyse(judged, test=None)
    rows = result.to_dict()["rows"]
    assert [(row["scale"], row["system"], row["cluster"]) for row in rows] == [
        ("adequacy", "good", 1),
        ("adequacy", "poor", 2),
        ("fluency", "good", 1),
        ("fluency", "poor", 2),
    ]
    adequacy = [row["adequacy"] for row in judged.rows() if row["system"] == "good"]
    assert rows[0]["mean"] == pytest.approx(np.mean(adequacy))  # type: ignore[arg-type]
    assert rows[0]["low"] <= rows[0]["mean"] <= rows[0]["high"]
    assert rows[3]["n"] == 38  # blanks are absent
    assert rows[0]["z"] > 0 > rows[1]["z"]
    assert result.meta()["scales"] == ["adequacy", "fluency"]
    assert "<h1>Analysis of adequacy-fluency</h1>" in result.html()


def test_one_scale_has_segments(judged: Judgements) -> None:
    result = analyse_scales(judged, attribute="adequacy")
    scores = result.segment_scores().scores
    assert len(scores) == 40
    assert {each.n for each in scores} == {2}
    with pytest.raises(DataError, match=r"^These judgements have several scales, adequacy, fluency; scores of single"):
        analyse_scales(judged).segment_scores()


def test_equal_scores_have_a_defined_result() -> None:
    result = analyse_scales(told(("v", "a", 1, 3, None), ("v", "b", 1, 3, None)))
    rows = result.to_dict()["rows"]
    assert [(row["mean"], row["z"], row["low"], row["cluster"]) for row in rows] == [(3, None, None, 1)] * 2
    assert "–" in result.render()
    assert result.figures() == []


def test_bad_calls_are_named(judged: Judgements) -> None:
    with pytest.raises(DataError, match=r"^These judgements have no scale 'beauty'\. Known: adequacy, fluency\.$"):
        analyse_scales(judged, attribute="beauty")
    with pytest.raises(DataError, match=r"^The analysis of adequacy-fluency has no option 'test'\. Known: pair, attr"):
        analyse(judged, test="t")
    with pytest.raises(DataError, match=r"^There is no judgement on a scale to analyse\.$"):
        analyse_scales(told(("v", "a", 1, None, None)))
