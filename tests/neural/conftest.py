"""A real net, trained in seconds: it learns to copy sentences of the phrasebook."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.samples import phrasebook

pytest.importorskip("jax", reason="training needs JAX")
pytest.importorskip("ctranslate2", reason="decoding needs CTranslate2")

from dragoman.neural import NeuralRecipe, NeuralTraining, train_neural

RECIPE = NeuralRecipe(
    src_lang="en", tgt_lang="en", pieces=400, width=64, inner=128, heads=4, encoder_layers=1, decoder_layers=1,
    dropout=0.0, sampling=0.0, smoothing=0.0, rate=3e-3, warmup=100, batch=512, epochs=60, every=30, averaged=1,
)  # fmt: skip


@pytest.fixture(autouse=True, scope="package")
def _compiled_steps_dropped() -> Iterator[None]:
    """Steps of training that were compiled for these tests are some hundred megabytes, and no other test takes them."""
    yield
    pytest.importorskip("jax").clear_caches()


def sentences() -> list[str]:
    return [line for line in phrasebook()["en"] if len(line.split()) <= 6][:150]


def text_of(lines: list[str]) -> Bitext:
    return Bitext.from_lines(lines, lines, source_lang="en", target_lang="en")


def dev_of(lines: list[str]) -> TestSet:
    return TestSet(srcs=lines, refs={"A": lines})


@pytest.fixture(scope="session")
def training(tmp_path_factory: pytest.TempPathFactory) -> NeuralTraining:
    folder: Path = tmp_path_factory.mktemp("neural")
    lines = sentences()
    return train_neural(text_of(lines), RECIPE, dev=dev_of(lines[:50]), work=folder / "work", model=folder / "engine")
