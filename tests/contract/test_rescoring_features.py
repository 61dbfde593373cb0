"""Every rescoring feature of the registry keeps the contract of rescoring features."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.align.ibm import Ibm1
from dragoman.lm import HeadsKneserNey, KneserNey, NetRecipe, train_lm_net
from dragoman.rescoring import RESCORING_FEATURES
from dragoman.smt.tuple_model import TupleRecipe
from dragoman.syntax import ParserRecipe
from dragoman.testing.rescoring_features import RESCORING_FEATURE
from tests.syntax.toy import toy_treebank

SOURCES = ["wo ist der Bahnhof ?", "das ist gut .", "das ist der Bahnhof .", "danke ."]
ELSEWHERE = {"neural"}  # tests/neural: its engine is trained there
TARGETS = ["where is the station ?", "that is good .", "that is the station .", "thank you ."]


@pytest.fixture(scope="session")
def specs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A specification for each name, with the model that it asks."""
    folder: Path = tmp_path_factory.mktemp("rescoring")
    parser = ParserRecipe(epochs=2, tag_epochs=2, folds=2).train(toy_treebank(20)).save(folder / "parser")
    heads = HeadsKneserNey().train(toy_treebank(20)).save(folder / "heads")
    lm = KneserNey(order=2).train(TARGETS).save(folder / "lm")
    return {
        "fluency": f"fluency:{lm},cut=13a",
        "heads-lm": f"heads-lm:{parser},model={heads}",
        "ibm1": f"ibm1:{Ibm1().train(SOURCES, TARGETS).save(folder / 'ibm1')}",
        "length": "length",
        "net": f"net:{_tiny_net(folder)}",
        "tuple": f"tuple:{TupleRecipe(order=2).train(SOURCES, TARGETS).save(folder / 'tuples')}",
        "lm": f"lm:{lm},cut=13a",
    }


def _tiny_net(folder: Path) -> Path:
    recipe = NetRecipe(order=3, projection=16, hidden=16, min_count=1, epochs=1)
    train_lm_net(TARGETS, recipe, dev=TARGETS, model=folder / "net", work=folder / "net.work")
    return folder / "net"


@pytest.mark.parametrize("name", [name for name in RESCORING_FEATURES.names() if name not in ELSEWHERE])
def test_it_keeps_the_contract(name: str, specs: dict[str, str]) -> None:
    RESCORING_FEATURE.check(RESCORING_FEATURES.make(specs[name]), name)
