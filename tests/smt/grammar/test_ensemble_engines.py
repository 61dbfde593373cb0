"""Engines whose grammars are mixed in one search."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import write_lines
from dragoman.samples import phrasebook
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.ensemble import mix_engines, search_ensemble
from dragoman.smt.grammar.ensemble import MIXED, MIXTURES, Mixture
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine

BOOK = phrasebook()
PHRASES = changed(EngineRecipe(), ["tune.method=none", "classes.number=0"])
HIERO = changed(PHRASES, ["grammar.kind=hiero", "grammar.longest=5"])


def _model(made_once: Callable[..., Path], name: str, begin: int, end: int, recipe: EngineRecipe = HIERO) -> Path:
    def train(folder: Path) -> None:
        bitext = Bitext.from_lines(BOOK["en"][begin:end], BOOK["de"][begin:end], source_lang="en", target_lang="de")
        train_engine(bitext, recipe, work=folder / "work", output=folder / "engine")

    return made_once(f"ensemble-{name}", train) / "engine"


@pytest.fixture(scope="module")
def folders(made_once: Callable[..., Path]) -> list[Path]:
    return [_model(made_once, "first", 0, 270), _model(made_once, "second", 270, 540)]


@pytest.fixture(scope="module")
def engines(folders: list[Path]) -> list[Engine]:
    return [Engine.load(folder) for folder in folders]


@pytest.mark.parametrize("mix", MIXTURES)
def test_all_mixtures_translate_what_either_has_seen(engines: list[Engine], mix: str) -> None:
    both = mix_engines(engines, Mixture(mix)).engine
    lines = [BOOK["en"][3], BOOK["en"][300]]
    assert all(both.translate(lines))
    assert both.models.grammar is not None
    assert both.models.grammar.features == (MIXED,)


@pytest.mark.parametrize("mix", ["wsum", "wmax", "switch-max", "switch-sum"])
def test_a_whole_share_is_that_engine_with_its_models(engines: list[Engine], mix: str) -> None:
    lines = BOOK["en"][:20]
    alone = mix_engines(engines, Mixture(mix, shares=(1.0, 0.0))).engine
    assert alone.translate(lines) == engines[0].translate(lines)


def test_shares_are_searched_on_a_tuning_set_and_the_result_is_an_engine(folders: list[Path], tmp_path: Path) -> None:
    write_lines(tmp_path / "dev.en", BOOK["en"][540:560])
    write_lines(tmp_path / "dev.de", BOOK["de"][540:560])
    dev = ["--dev-src", str(tmp_path / "dev.en"), "--dev-ref", str(tmp_path / "dev.de")]
    command = ["smt", "ensemble", *map(str, folders), "-o", str(tmp_path / "both"), "--mix", "wsum", *dev]
    done = CliRunner().invoke(group, [*command, "--evaluations", "4", "--json"])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.output)
    assert sum(answer["meta"]["shares"]) == pytest.approx(1)
    assert answer["rows"]
    assert all(Engine.load(tmp_path / "both").translate(BOOK["en"][540:545]))


def test_a_search_is_the_same_with_any_number_of_threads(engines: list[Engine]) -> None:
    dev = TestSet(srcs=BOOK["en"][540:550], refs={"ref": BOOK["de"][540:550]})
    one, two = (search_ensemble(engines, dev, Mixture("wmax"), evaluations=3, n_threads=n) for n in (1, 2))
    assert one.tried == two.tried


def test_what_cannot_be_mixed_is_named(engines: list[Engine], made_once: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match="two engines or more, got 1"):
        mix_engines(engines[:1])
    phrases = Engine.load(_model(made_once, "phrases", 0, 100, PHRASES))
    with pytest.raises(DataError, match="Engine 2 has phrases, not a grammar"):
        mix_engines([engines[0], phrases])
    with pytest.raises(DataError, match="3 shares for 2 grammars"):
        mix_engines(engines, Mixture(shares=(1.0, 1.0, 1.0)))
