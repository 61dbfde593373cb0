"""Scores without references: IBM model 1 by hand, ranks, what is asked for and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.align.ibm import Ibm1
from dragoman.cli.main import group
from dragoman.errors import DataError, ModelError
from dragoman.metrics import make_metric, score
from dragoman.metrics.noref import NorefModels, NorefRecipe
from dragoman.metrics.units import UnitRecipe

NOUNS = {"Katze": "cat", "Hund": "dog", "Kuh": "cow", "Maus": "mouse", "Ente": "duck", "Ziege": "goat"}
VERBS = {"schläft": "sleeps", "frisst": "eats", "läuft": "runs", "singt": "sings", "springt": "jumps"}
SOURCES = [f"Die {noun} {verb} ." for noun in NOUNS for verb in VERBS]
TARGETS = [f"The {noun} {verb} ." for noun in NOUNS.values() for verb in VERBS.values()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(NorefRecipe(n_classes=4).train(SOURCES, TARGETS).save(tmp_path_factory.mktemp("noref") / "models"))


def test_ibm1_is_what_its_formula_gives(folder: str) -> None:
    """1 / (H + 1)^S · Π over the source of Σ over the output and the empty word of p(source | output)."""
    aligner = Ibm1().train(["die Katze", "die Maus"], ["the cat", "the mouse"])
    p = {
        (theirs, ours): chance
        for theirs in (None, "the", "cat")
        for ours, chance in aligner.lexicon("backward").translations(theirs)
    }
    expected = sum(
        np.log(sum(p.get((theirs, ours), 0.0) for theirs in (None, "the", "cat")) / 3) for ours in ("die", "Katze")
    )
    assert aligner.align(["die Katze"], ["the cat"]).log_p_backward[0] == pytest.approx(expected, abs=1e-5)
    models = NorefModels.load(folder)
    whole = models.scores("word", ["die katze schläft ."], ["the cat sleeps ."], per_unit=False)[0]
    links = models.models["word"].ibm1.align(["die katze schläft ."], ["the cat sleeps ."])
    assert whole[:2] == pytest.approx([links.log_p_backward[0], links.log_p_forward[0]])
    each = models.scores("word", ["die katze schläft ."], ["the cat sleeps ."])[0]
    assert each == pytest.approx(whole / [4, 4, 5])


def test_a_translation_ranks_above_another_sentence_and_above_disorder(folder: str) -> None:
    metric = make_metric(f"noref:{folder}")
    srcs = ["Die Katze schläft."] * 4
    good, other, disorder, empty = metric.segments(
        ["The cat sleeps.", "The dog runs.", "sleeps . cat The", ""], [["x"] * 4], srcs
    )
    assert good > max(other, disorder)
    assert (empty, metric.segments(["The cat sleeps."], [["y"]], srcs[:1])[0]) == (0.0, good), "references do not count"
    raw = make_metric(f"noref:{folder},combine=raw")
    assert raw.segments(["The cat sleeps."], [["x"]], srcs[:1]) > raw.segments(["The dog runs."], [["x"]], srcs[:1])
    per_sentence = make_metric(f"noref:{folder},combine=raw,per=sentence")
    short, long = per_sentence.segments(["The cat sleeps.", "The cat sleeps. The cat sleeps."], [["x"] * 2], srcs[:2])
    assert short > long, "of whole sentences, length decides"


def test_each_unit_and_score_can_be_had_alone(folder: str) -> None:
    srcs, hyps = SOURCES[:5], TARGETS[:5]
    parts = [
        make_metric(f"noref:{folder},units={unit},scores={each}").segments(hyps, [hyps], srcs)
        for unit in ("morpheme", "class")
        for each in ("ibm1-source", "ibm1-target", "lm")
    ]
    assert make_metric(f"noref:{folder}").segments(hyps, [hyps], srcs) == pytest.approx(np.mean(parts, axis=0))


def test_parts_of_speech_take_the_place_of_classes(tmp_path: Path) -> None:
    (tmp_path / "classes").write_text("N= cat dog\nV= sleeps runs\n", encoding="utf-8")
    recipe = UnitRecipe(unit="tag", order=2, source_pos="snowball+lang=en", target_pos="snowball+lang=en")
    with pytest.raises(DataError, match="gives stem, not xpos or pos"):
        recipe.train(["a"], ["a"])
    with pytest.raises(DataError, match="need an annotator of each side"):
        UnitRecipe(unit="tag").train(["a"], ["a"])


def test_the_commands(folder: str, tmp_path: Path) -> None:
    for name, lines in (("s", SOURCES), ("t", TARGETS), ("h", TARGETS[::-1])):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    s, t, h, to = (str(tmp_path / name) for name in ("s", "t", "h", "models"))
    done = CliRunner().invoke(group, ["metric", "noref", s, t, "--to", to, "--n-classes", "4"], catch_exceptions=False)
    assert "morpheme" in done.output
    run = CliRunner().invoke(group, ["score", t, h, "-r", t, "-s", s, "-m", f"noref:{to}"], catch_exceptions=False)
    assert f"models:{to}" in run.output
    wrong = CliRunner().invoke(group, ["score", t, "-r", t, "-m", f"noref:{to}"])
    assert "needs the sources: name them with --src" in str(wrong.exception)


def test_it_works_where_metrics_do(folder: str) -> None:
    spec = f"noref:{folder}"
    sheet = score({"good": TARGETS, "bad": TARGETS[::-1]}, [TARGETS], SOURCES, metrics=[spec])
    assert sheet.values[0, 0, 0] > sheet.values[1, 0, 0]


def test_what_it_refuses(folder: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="need models of both languages: make them from a bitext"):
        make_metric("noref")
    with pytest.raises(ModelError, match="nowhere"):
        make_metric(f"noref:{tmp_path / 'nowhere'}")
    with pytest.raises(DataError, match="with per=sentence say combine=raw"):
        make_metric(f"noref:{folder},per=sentence")
    with pytest.raises(ModelError, match="has no models of the unit tag, only of"):
        make_metric(f"noref:{folder},units=tag").segments(["a"], [["a"]], ["b"])
    with pytest.raises(DataError, match="too few to learn from; give at least 11"):
        NorefRecipe().train(["a"] * 9, ["b"] * 9)
