"""TerrorCat: features by hand, the worked comparisons, reasons that add up, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.metrics import make_metric, score
from dragoman.metrics.classer import CLASSES
from dragoman.metrics.references import ScoredText
from dragoman.metrics.terrorcat import TAGS, TerrorCat

STEMS = "snowball+lang=en"  # by its first four letters a champignon is an inflected champion
REF = "We are the champions !"
HYPS = ["Us champions !", "The champions we are .", "We are the champignons !"]  # Figure 1 of the paper


def rates(metric: TerrorCat, hyp: str, ref: str = REF) -> dict[str, float]:
    text = ScoredText.of_streams([[hyp]], [[ref]], None)
    (found,) = metric.reference_features(metric.prepare(text, 1), 0, 1)[:, 0]
    return {name: value for name, value in zip(CLASSES, found.tolist(), strict=True) if value}


def test_errors_are_counted_by_the_length_of_their_side() -> None:
    assert rates(TerrorCat(base=STEMS), HYPS[2]) == {"lexical": 1 / 5}
    assert rates(TerrorCat(), "We are champions !") == {"missing": 1 / 5}
    assert rates(TerrorCat(), "We are truly the champions !") == {"extra": 1 / 6}
    assert rates(TerrorCat(), REF) == {}


def test_the_comparisons_of_figure_1_give_its_scores() -> None:
    # With weights under which hypothesis 2 beats 3 and both beat 1, wins by the number of rivals are 0, 1 and 0.5.
    metric = TerrorCat(weights=(-1.0, 0.1, -2.0, -1.0, -1.0), lowercase=True, base=STEMS)
    scores = metric.segments(HYPS, [[REF] * 3])
    wins = (scores[:, np.newaxis] > scores).sum(axis=1) / (len(HYPS) - 1)
    assert wins.tolist() == [0.0, 1.0, 0.5]


def test_decisions_do_not_depend_on_the_order_of_the_pair() -> None:
    metric = TerrorCat(weights=(-0.3, 0.2, -0.9, -0.1, -0.5))
    for a in HYPS:
        for b in HYPS:
            there, back = (metric.reasons([x], [y], [REF]).points for x, y in ((a, b), (b, a)))
            assert there == pytest.approx(-back)


def test_reasons_add_up_to_the_difference_of_the_scores() -> None:
    for metric in (TerrorCat(), TerrorCat(pos="hanta+lang=en"), TerrorCat(weights=(-0.3, 0.2, -0.9, -0.1, -0.5))):
        found = metric.reasons(HYPS, [REF] * 3, [REF] * 3, names=("ours", "perfect"))
        difference = metric.segments(HYPS, [[REF] * 3]).mean() - metric.segments([REF], [[REF]])[0]
        assert sum(row[-1] for row in found.rows) == pytest.approx(found.points) == pytest.approx(difference)
        assert "ours is" in str(found.tables()[0].note)


def test_parts_of_speech_are_told_apart() -> None:
    metric = TerrorCat(pos="hanta+lang=en", base=STEMS)
    assert metric.n_features == len(CLASSES) * len(TAGS)
    (row,) = metric.reasons([HYPS[2]], [REF], [REF]).rows
    assert row[:2] == ("lexical", "NOUN")


def test_the_command(tmp_path: Path) -> None:
    for name, lines in (("a.en", HYPS), ("b.en", [REF] * 3), ("ref.en", [REF] * 3)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    words = ["metric", "why", *(str(tmp_path / name) for name in ("a.en", "b.en")), "-r", str(tmp_path / "ref.en")]
    done = CliRunner().invoke(group, words, catch_exceptions=False)
    assert done.exit_code == 0
    assert "points behind b; the rows add up to it" in " ".join(done.output.split())
    wrong = CliRunner().invoke(group, [*words, "-m", "bleu"])
    assert "The metric bleu does not tell errors apart" in str(wrong.exception)


def test_what_it_refuses() -> None:
    with pytest.raises(DataError, match="TerrorCat has 5 weights, not all of them 0; got 2"):
        TerrorCat(weights=(1.0, 2.0))
    with pytest.raises(DataError, match=r"terrorcat asks for the layer pos, which nobody makes"):
        score({"a": ["x"]}, [["x"]], metrics=["terrorcat:pos=pos"])
    assert make_metric("terrorcat").spec() == "terrorcat"
