"""Selecting in parts: the scores of the whole, whoever works."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.corpus.select import SELECTION_SCORES, Texts, score_pool
from dragoman.lm import KneserNey
from dragoman.parts import Workshop
from dragoman.samples import phrasebook


@pytest.fixture(scope="module")
def texts() -> tuple[Texts, Texts]:
    """A pool with blank lines, and a text that it shall be like."""
    book = phrasebook()
    sources, targets = book["en"][:150], book["de"][:150]
    sources[20], targets[140] = "", " "
    return Texts.from_lines(sources, targets), Texts.from_lines(book["en"][150:230], book["de"][150:230])


@pytest.mark.parametrize("name", SELECTION_SCORES.names())
def test_parts_give_the_scores_of_the_whole(texts: tuple[Texts, Texts], tmp_path: Path, name: str) -> None:
    pool, like = texts
    methods = [SELECTION_SCORES.make(name)]
    whole = score_pool(pool, methods, like=like, seed=3).joint
    shop = Workshop(tmp_path / "shop")
    for part in (1000, 47):
        np.testing.assert_array_equal(
            score_pool(pool, methods, like=like, seed=3, shop=shop, part=part).joint, whole, strict=True
        )
    assert np.isneginf(whole[[20, 140]]).all()
    n_done = {"retrieve": 0, "infrequent": 0}.get(name, 1 + 1 + 1 + 4)  # learnt for each cut, scored in 1 and 4 parts
    assert shop.n_done == n_done


def test_one_text_several_scores_and_given_models(
    texts: tuple[Texts, Texts], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = list(texts[0].lines(0)), list(texts[1].lines(0))
    words = sorted({word for side in lines for line in side for word in line.lower().split()})
    for name, side in zip(("out", "in"), lines, strict=True):
        KneserNey(order=2).train(filter(None, map(str.lower, side)), vocabulary=words).save(name)
    pool, like = map(Texts.from_lines, lines)
    methods = [SELECTION_SCORES.make(each) for each in ("moore-lewis:inside=in,outside=out", "retrieve", "perplexity")]
    whole = score_pool(pool, methods, like=like)
    parts = score_pool(pool, methods, like=like, shop=Workshop("shop"), part=40)
    for column, other in zip(whole.columns, parts.columns, strict=True):
        np.testing.assert_array_equal(column, other)
    assert [each.name for each in methods if each.in_parts] == ["moore-lewis", "perplexity"]
    assert MooreLewisPaths.of(methods[0].anywhere().signature()) == {str(tmp_path / name) for name in ("in", "out")}


class MooreLewisPaths:
    """The files that a signature names."""

    @staticmethod
    def of(signature: str) -> set[str]:
        return {option.partition("=")[2] for option in signature.partition(":")[2].split(",")}


def test_the_command_takes_workers(texts: tuple[Texts, Texts], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in zip(("pool", "like"), texts, strict=True):
        Path(name).write_text("".join(f"{line}\n" for line in text.lines(0)), encoding="utf-8")
    command = ["select", "moore-lewis", "pool", "--like", "like", "--most", "9", "--json"]
    answers = []
    for more in ([], ["--workers", "1", "--part", "60"]):
        result = CliRunner(catch_exceptions=False).invoke(group, [*command, *more, "--to", f"taken{len(more)}"])
        answers.append(json.loads(result.stdout))
    assert answers[0] == answers[1]
    assert Path("taken0").read_bytes() == Path("taken4").read_bytes()
    assert not Path("dragoman.work").exists()
