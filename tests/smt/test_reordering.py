"""Hierarchical orientation on real text: the acceptance lines of Cherry, Moore & Quirk (WMT 2012)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from time import process_time

import numpy as np
import pytest

from dragoman import _core
from dragoman.data.bitext import Bitext
from dragoman.files import read_lines
from dragoman.metrics import METRICS
from dragoman.smt import Engine, EngineRecipe, SearchLimits
from dragoman.smt.decoded import Decoded
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.stats.resampling import Randomisation

pytestmark = pytest.mark.realdata

HIERARCHIES = ("approximate", "two-reducing", "star-reducing")


@pytest.fixture(scope="module")
def engines(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Engine]:
    """German to English, whose verbs travel far, with either model of orientation."""
    data = data_folder / "multi30k"
    sides = [read_lines(data / f"train.{lang}.gz")[:6000] for lang in ("de", "en")]
    text = Bitext.from_lines(*sides, source_lang="de", target_lang="en")
    work = tmp_path_factory.mktemp("work")
    return {
        kind: train_engine(
            text, changed(EngineRecipe(source_lang="de", target_lang="en"), [f"phrases.orientation={kind}"]), work=work
        ).engine
        for kind in ("word", "hierarchical")
    }


@pytest.fixture(scope="module")
def lines(data_folder: Path, engines: dict[str, Engine]) -> list[str]:
    return engines["word"].source.prepare(read_lines(data_folder / "multi30k" / "test_2016_flickr.de.gz")[:300])


def complexities(found: Decoded) -> list[int]:
    """Of each translation, how many blocks the largest join of a permutation parser takes."""
    ends = pairwise(found.phrase_offsets.tolist())
    blocks = [[(int(a), int(b)) for a, b, _ in found.phrases[first:last]] for first, last in ends]
    return [_core.phrase.permutation_complexity(each) for each in blocks if each]


def test_under_the_itg_constraint_no_join_takes_more_than_two(engines: dict[str, Engine], lines: list[str]) -> None:
    engine = engines["hierarchical"]
    free = complexities(engine.decode(lines, n_best=50, limits=SearchLimits(pop_limit=100, distortion_limit=10)))
    limits = SearchLimits(pop_limit=100, distortion_limit=10, itg=True)
    bound = complexities(engine.decode(lines, n_best=50, limits=limits))
    assert max(bound) <= 2
    assert max(free) > 2  # so that the constraint has something to forbid


def test_hierarchical_orientation_is_not_worse(engines: dict[str, Engine], lines: list[str], data_folder: Path) -> None:
    refs = engines["word"].target.prepare(read_lines(data_folder / "multi30k" / "test_2016_flickr.en.gz")[:300])
    bleu = METRICS.make("bleu:tokeniser=none")
    base = engines["word"].decode(lines, limits=SearchLimits(pop_limit=100)).best()
    test = Randomisation(sides=1, trials=500, seed=1)
    for hierarchy in HIERARCHIES:
        limits = SearchLimits(pop_limit=100, hierarchy=hierarchy)
        found = engines["hierarchical"].decode(lines, limits=limits).best()
        answer = test.compare(bleu.stats(base, [refs]), bleu.stats(found, [refs]), bleu.values)
        assert answer.delta <= 0 or answer.p > 0.05


@pytest.mark.slow  # it measures time
def test_the_parser_that_joins_many_is_hardly_slower(engines: dict[str, Engine], lines: list[str]) -> None:
    def seconds(hierarchy: str) -> float:
        began = process_time()
        engines["hierarchical"].decode(lines, limits=SearchLimits(pop_limit=200, hierarchy=hierarchy))
        return process_time() - began

    # By turns: what else the machine does for a while slows both.
    spent = [(seconds("star-reducing"), seconds("two-reducing")) for _ in range(5)]
    star, two = map(min, zip(*spent, strict=True))
    assert star <= 1.15 * two


def test_scores_add_up_for_every_parser(engines: dict[str, Engine], lines: list[str]) -> None:
    engine = engines["hierarchical"]
    weights = np.array(list(engine.dense_weights.values()))
    for hierarchy in HIERARCHIES:
        limits = SearchLimits(pop_limit=100, hierarchy=hierarchy)
        found = engine.decode(lines[:50], features=True, n_best=5, limits=limits)
        np.testing.assert_allclose(found.features @ weights, found.scores, atol=2e-3)
