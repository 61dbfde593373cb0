"""Models of one language: n-grams, classes, nets, heads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from dragoman.lm import (
    ClassKneserNey,
    ClassModel,
    HeadsKneserNey,
    HeadsModel,
    KneserNey,
    LanguageModel,
    NetModel,
    NetRecipe,
    cluster_words,
    train_lm_net,
)
from dragoman.smt.language_models import BilingualModel
from dragoman.smt.nets import TupleNet, TupleNetRecipe, train_tuple_net
from dragoman.smt.tuple_model import TupleModel, TupleRecipe
from dragoman.text.vocabulary import Vocabulary
from tests.fuzz.models.base import LINES, SOURCE, TARGET, Seed, seed_of
from tests.smt.test_tuple_model import SOURCES, TARGETS
from tests.syntax.toy import toy_treebank

__all__ = ["seeds"]

NET = NetRecipe(order=3, projection=16, hidden=16, min_count=1, epochs=1)


def seeds() -> Iterator[Seed]:
    """One of each structure and kind."""
    for structure, bits in (("hash", 0), ("trie", 0), ("trie", 4)):
        recipe = KneserNey(order=3, structure=structure, p_bits=bits, backoff_bits=bits)
        yield seed_of(f"lm-{structure}-{bits}", lambda recipe=recipe: recipe.train(SOURCE), _score)  # type: ignore[misc]
    yield seed_of(
        "class-model",
        lambda: ClassKneserNey(order=3).fit(SOURCE, cluster_words(SOURCE, 5)),
        lambda path: ClassModel.load(path).score(LINES),
    )
    yield Seed("net", _train_net, lambda path: NetModel.load(path).score(LINES))
    yield Seed("tuple-net", _train_tuple_net, lambda path: TupleNet.load(path).score(SOURCE[:4], TARGET[:4]))
    yield seed_of(
        "heads",
        lambda: HeadsKneserNey(order=3).train(toy_treebank(10)),
        lambda path: HeadsModel.load(path).score([*toy_treebank(3, seed=2), None]),
    )
    yield seed_of("bilingual", lambda: BilingualModel(KneserNey(order=2).train(["a|x b|y", "b|y|x a|x"])), _view)
    yield seed_of("tuple-model", lambda: TupleRecipe(order=2, method="ibm1:rounds=5").train(SOURCES, TARGETS), _tuples)


def _score(path: Path) -> object:
    model = LanguageModel.load(path)
    with TemporaryDirectory() as folder:
        model.write_arpa(Path(folder) / "out.arpa")
    return model.score(LINES)


def _train_net(folder: Path) -> object:
    with TemporaryDirectory() as work:
        net, _ = train_lm_net(SOURCE, NET, dev=SOURCE[:3], model=Path(work) / "net", work=Path(work) / "work")
        return net.save(folder)


def _train_tuple_net(folder: Path) -> object:
    recipe = TupleNetRecipe.from_dict({**NET.to_dict(), "factors": ("translation",), "method": "ibm1"})
    with TemporaryDirectory() as work:
        places = {"model": Path(work) / "net", "work": Path(work) / "work"}
        net, _ = train_tuple_net((SOURCE, TARGET), recipe, dev=(SOURCE[:3], TARGET[:3]), **places)
        return net.save(folder)


def _view(path: Path) -> object:
    model = BilingualModel.load(path)
    return model.view(Vocabulary(["x", "y"]), Vocabulary(["a", "b"])), model.model.score(["a|x b|y", "z"])


def _tuples(path: Path) -> object:
    model = TupleModel.load(path)
    return model.units(SOURCES[:2], TARGETS[:2]), model.score(SOURCES[:2], TARGETS[:2])
