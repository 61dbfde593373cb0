"""Whole engines: phrases, grammars, tuples, factors and orders, each with the files that its kind has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dragoman.data.bitext import Bitext
from dragoman.engines import Request, Translates, load_engine
from dragoman.reorder import learn_order
from dragoman.samples import phrasebook
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.recipe import changed, with_tables
from dragoman.smt.training import train_engine
from dragoman.smt.tuple_engine import TupleEngineRecipe
from dragoman.syntax import Parser, ParserRecipe
from tests.fuzz.models.base import Seed, seed_of
from tests.reorder.toy import toy_pairs
from tests.smt.test_tuple_model import SOURCES, TARGETS
from tests.syntax.toy import toy_treebank

__all__ = ["seeds"]

N = 40
PLAIN = ("tune.method=none", "align.method=diagonal", "lm.order=3", "classes.number=0", "text.truecase=no")
ASKED = Request(n_best=3, alignment=True, confidence=True, features=True)
SIMPLE = Request(n_best=3)


def seeds() -> Iterator[Seed]:
    """One of each kind of training."""
    yield _seed("phrases", "classes.number=5", "text.truecase=yes")
    yield Seed("engine-index", lambda folder: _train(folder, "index.use=only", "align.method=ibm1"), _learn)
    yield Seed("engine-models", lambda folder: _train(folder, models=True), _translate)
    yield _seed("rules", "grammar.kind=hiero")
    yield _seed("morphemes", "morphemes.side=target", "morphemes.words=200")
    yield _seed("factors", "factors.setup=tF-FaL", "factors.target=L=snowball:lang=de")
    tuples = TupleEngineRecipe(src_lang="es", tgt_lang="en", order=2, lm_order=2, method="ibm1:rounds=5", least=1)
    yield seed_of("engine-tuples", lambda: tuples.train(SOURCES, TARGETS), _translate_tuples)
    compounds = ("compounds.side=target", "compounds.evidence=corpus", "compounds.least=1", "compounds.shortest=3")
    yield _seed("compounds", *compounds, nightly=True)
    yield _seed("beside", "index.use=beside", nightly=True)
    yield _seed("quantised-rules", "grammar.kind=hiero", "grammar.quantised=yes", "grammar.shallow=1", nightly=True)
    yield _seed("classes-of-rules", "grammar.kind=hiero", "grammar.labels=classes", "grammar.classes=4", nightly=True)
    yield _seed("steps", "factors.setup=tF-F:tL-F", "factors.source=L=snowball:lang=en", nightly=True)
    yield Seed("engine-order", _train_order, _translate, nightly=True)
    yield Seed("engine-labels", _train_labels, _translate, nightly=True)


def _seed(name: str, *settings: str, nightly: bool = False) -> Seed:
    return Seed(f"engine-{name}", lambda folder: _train(folder, *settings), _translate, nightly)


def _train(folder: Path, *settings: str, models: bool = False) -> object:
    book = phrasebook()
    return _trained(folder, book["en"][:N], book["de"][:N], [*PLAIN, *settings], models=models)


def _trained(
    folder: Path, srcs: Sequence[str], tgts: Sequence[str], settings: list[str], *, models: bool = False
) -> object:
    recipe = changed(EngineRecipe(source_lang="en", target_lang="de"), settings)
    text = Bitext.from_lines(list(srcs), list(tgts), source_lang="en", target_lang="de")
    with TemporaryDirectory() as work:
        if models:
            recipe = with_tables(recipe, {"models": _models(Path(work))})
        return train_engine(text, recipe, work=Path(work) / "work", output=folder, report=False)


def _models(folder: Path) -> list[dict[str, Any]]:
    (folder / "tags.tsv").write_text(".\tP\n?\tP\nist\tV\n", encoding="utf-8")
    return [
        {"name": "short", "order": 2},
        {"name": "few", "kind": "classes", "order": 3, "number": 5},
        {"name": "tags", "kind": "tags", "order": 3, "table": str(folder / "tags.tsv")},
        {"name": "pairs", "kind": "bilingual", "order": 2},
    ]


@cache
def _parser() -> Parser:
    return ParserRecipe(epochs=2, tag_epochs=2, folds=2).train(toy_treebank(30))


def _train_order(folder: Path) -> object:
    srcs, tgts, _, links = toy_pairs(40)
    with TemporaryDirectory() as work:
        order = Path(work) / "order"
        learn_order(srcs, tgts, parser=_parser(), links=links, save=order)
        return _trained(folder, srcs, tgts, [*PLAIN, f"reorder.model={order}", "reorder.use=lattice"])


def _train_labels(folder: Path) -> object:
    srcs, tgts, _, _ = toy_pairs(40)
    with TemporaryDirectory() as work:
        parser = _parser().save(Path(work) / "parser")
        rules = ["grammar.kind=hiero", "grammar.labels=heads", "grammar.reorder=true", f"parse.source={parser}"]
        return _trained(folder, srcs, tgts, [*PLAIN, *rules])


def _translate(path: Path) -> object:
    engine = load_engine(str(path))
    assert isinstance(engine, Engine)
    lines = ["where is the station?", "the old dog sees a cat.", "zebra", ""]
    found = engine.translations(lines, ASKED)
    engine.completer(lines[0])
    return found, engine.explain(lines[0]), engine.align(lines[0], "wo ist")


def _learn(path: Path) -> object:
    found = _translate(path)
    engine = Engine.load(path)
    engine.learn("the zebra sleeps.", "das Zebra schläft.")
    return found, engine.translate(["the zebra"]), engine.rollback(N)


def _translate_tuples(path: Path) -> object:
    engine = load_engine(str(path))
    assert isinstance(engine, Translates)
    return engine.translations(["una casa verde", "la casa Zürich", ""], SIMPLE)
