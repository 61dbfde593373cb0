"""Learnt filters: planted pairs that do not translate each other are found, and wrong calls are named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.corpus import PAIR_SCORERS, clean, score_pairs
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError, ModelError
from dragoman.samples import phrasebook


def planted(n: int = 100) -> list[tuple[str, str]]:
    """The phrasebook, and n of its sources once more with the target of another pair."""
    book = phrasebook()
    srcs, tgts = book["de"], book["en"]
    return [*zip(srcs, tgts, strict=True), *zip(srcs[:n], tgts[300 : 300 + n], strict=True)]


def test_planted_pairs_score_lower() -> None:
    pairs = planted()
    scores = score_pairs(Bitext.from_pairs(pairs), PAIR_SCORERS.make("model1").train(Bitext.from_pairs(pairs))).scores
    good, bad = scores[:600], scores[600:]
    assert (good[:, np.newaxis] > bad).mean() > 0.95  # the chance that a good pair scores above a planted one


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in zip(("train.de", "train.en"), zip(*planted(), strict=True), strict=True):
        Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def run(*words: str) -> dict:
        done = CliRunner().invoke(group, [*words, "--json"], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return json.loads(done.output)

    trained = run("corpus", "filter", "train", "train.de", "train.en", "-m", "scorer")
    assert len(trained["rows"]) == trained["meta"]["pairs"] == 700
    assert run("corpus", "filter", "score", "train.de", "train.en", "-m", "scorer") == trained
    cleaned = run("corpus", "clean", "train.de", "train.en", "-f", "learnt:model=scorer", "--to", "clean")
    below = sum(row["score"] < trained["meta"]["bar"] for row in trained["rows"])
    assert cleaned["meta"]["pairs"] - cleaned["meta"]["left"] == below
    kinder = run("corpus", "clean", "train.de", "train.en", "-f", "learnt:model=scorer,deviations=2")
    assert kinder["meta"]["left"] > cleaned["meta"]["left"]


def test_wrong_calls_are_named(tmp_path: Path) -> None:
    bitext = Bitext.from_pairs([("a", "b")])
    with pytest.raises(DataError, match="The filter learnt needs a scorer: learnt:model=FOLDER"):
        clean(bitext, ["learnt"])
    with pytest.raises(ModelError, match="There is no model folder nowhere"):
        clean(bitext, ["learnt:model=nowhere"])
    folder = PAIR_SCORERS.make("model1").train(Bitext.from_pairs(planted(0)[:20])).save(tmp_path / "scorer")
    about = folder / "scorer.json"
    text = about.read_text(encoding="utf-8")
    about.write_text(text.replace('"mean"', '"sum"'), encoding="utf-8")
    with pytest.raises(ModelError):
        clean(bitext, [f"learnt:model={folder}"])
