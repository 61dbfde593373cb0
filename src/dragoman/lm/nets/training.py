"""From n-grams to a net: initial weights, epochs with a look at held-out text, a rate that is halved, resuming."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.files import StrPath, atomic_path
from dragoman.lm.nets.examples import Examples, history
from dragoman.lm.nets.model import NetModel
from dragoman.lm.nets.outputs import OutputWords
from dragoman.lm.nets.recipe import NetRecipe
from dragoman.report import Column, Progress, Result, Table
from dragoman.rng import Stream

__all__ = ["Curve", "Epoch", "NetTraining", "Work", "initial_net", "train_lm_net", "trained_net"]

_LIMITS = ("epochs", "patience")  # that may differ when an interrupted training goes on


class Epoch(NamedTuple):
    """What one epoch did."""

    epoch: int
    rate: float
    train: float  # perplexity of what was learnt from, while it was
    dev: float  # perplexity of the held-out text afterwards
    seconds: float


@dataclass(frozen=True)
class Curve:
    """Epochs in their order."""

    epochs: tuple[Epoch, ...] = ()

    @property
    def best(self) -> float:
        """The lowest perplexity of the held-out text."""
        return min((each.dev for each in self.epochs), default=math.inf)

    def table(self, title: str) -> Table:
        """A row for each epoch."""
        columns: list[Column | str] = [
            "epoch",
            Column("rate", digits=4),
            Column("train", "train perplexity", 2),
            Column("dev", "dev perplexity", 2),
            Column("seconds", digits=0),
        ]
        return Table.of(title, columns, [tuple(each) for each in self.epochs])


@dataclass(frozen=True)
class NetTraining(Result):
    """What a training did, net by net."""

    kind: ClassVar[str] = "net training"

    model: str
    curves: Mapping[str, Curve]
    n_words: int
    n_examples: int
    recipe: Mapping[str, Any]
    seed: int

    def tables(self) -> list[Table]:
        """The epochs of each net."""
        return [curve.table(f"Training: {name}") for name, curve in self.curves.items()]

    def meta(self) -> dict[str, Any]:
        """Recipe, sizes and seed."""
        return {
            "model": self.model,
            "recipe": dict(self.recipe),
            "words": self.n_words,
            "examples": self.n_examples,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class Work:
    """Where a training keeps its state between epochs; a folder of another text, recipe or seed is refused."""

    folder: Path
    claim: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def claimed(cls, folder: StrPath, recipe: NetRecipe, seed: int, data: Mapping[str, str]) -> Work:
        """The folder, made if it is not there, for this training alone."""
        settings = {name: value for name, value in recipe.to_dict().items() if name not in _LIMITS}
        work = cls(Path(folder), {"recipe": settings, "seed": seed, "data": dict(data)})
        text, path = json.dumps(work.claim, sort_keys=True), work.folder / "training.json"
        if path.exists() and path.read_text(encoding="utf-8") != text:
            raise DataError(
                f"{folder} holds the work of another text, recipe or seed. Name another folder, or empty it."
            )
        work.folder.mkdir(parents=True, exist_ok=True)
        with atomic_path(path) as partial:
            partial.write_text(text, encoding="utf-8")
        return work

    def load(self, name: str) -> _State | None:
        """The state after the last epoch of a net, if there is one."""
        path = self.folder / f"{name}.npz"
        if not path.exists():
            return None
        with np.load(path) as arrays:
            epochs = tuple(Epoch(int(row[0]), *map(float, row[1:])) for row in arrays["curve"])
            return _State(arrays["weights"], arrays["squares"], arrays["best"], Curve(epochs), float(arrays["rate"]))

    def save(self, name: str, state: _State) -> None:
        """Keep a state, whole or not at all."""
        with atomic_path(self.folder / f"{name}.npz") as partial, partial.open("wb") as stream:
            np.savez(
                stream,
                weights=state.weights,
                squares=state.squares,
                best=state.best,
                curve=np.array(state.curve.epochs, dtype=np.float64),
                rate=state.rate,
            )


@dataclass
class _State:
    weights: NDArray[np.float32]
    squares: NDArray[np.float32]
    best: NDArray[np.float32]
    curve: Curve
    rate: float

    @property
    def n_idle(self) -> int:
        """Epochs that brought nothing."""
        best, idle = math.inf, 0
        for each in self.curve.epochs:
            idle += each.dev >= best
            best = min(best, each.dev)
        return idle


def trained_net(
    name: str,
    shape: _core.net.Shape,
    recipe: NetRecipe,
    train: Examples,
    dev: Examples,
    *,
    work: Work,
    seed: int,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> tuple[_core.net.Net, Curve]:
    """Train a net; of all epochs the one stays after which the held-out examples were most probable.

    An epoch that brings nothing is undone and the rate halved. State is kept in `work` after every epoch, so that an
    interrupted training goes on where it was; the result is the same as without the stop.
    """
    if not len(train) or not len(dev):
        raise DataError("A net needs text to learn from and held-out text; one of them has no sentence.")
    state = work.load(name) or _first_state(shape, train, recipe, seed)
    while len(state.curve.epochs) < recipe.epochs and state.n_idle < recipe.patience:
        _learn_epoch(name, shape, recipe, train, dev, state, seed, n_threads)
        work.save(name, state)
        if progress is not None:
            last = state.curve.epochs[-1]
            progress(last.epoch, recipe.epochs, f"{name}: dev perplexity {state.curve.best:.2f}")
    return _core.net.Net.make(shape, state.best), state.curve


def _first_state(shape: _core.net.Shape, train: Examples, recipe: NetRecipe, seed: int) -> _State:
    weights = initial_net(shape, train.outputs, seed)
    return _State(weights, np.zeros(0, dtype=np.float32), weights, Curve(), recipe.rate)


def _learn_epoch(
    name: str,
    shape: _core.net.Shape,
    recipe: NetRecipe,
    train: Examples,
    dev: Examples,
    state: _State,
    seed: int,
    n_threads: int,
) -> None:
    """One epoch: the state becomes the one after it, or the one before it with half the rate."""
    number, began = len(state.curve.epochs) + 1, time.monotonic()
    adaptive = recipe.update == "adagrad"
    net = _core.net.Net.make(shape, state.weights)
    trainer = _core.net.Trainer.make(net, adaptive=adaptive, squares=state.squares)
    order = Stream(seed, f"net {name} order {number}").permutation(len(train))
    log_p = trainer.epoch(
        train.contexts,
        train.outputs,
        order[: max(1, round(recipe.sample * len(order)))],
        rate=state.rate,
        decay=recipe.decay,
        dropout=recipe.dropout,
        batch=recipe.batch,
        key=Stream(seed, f"net {name} dropout {number}").key,
        n_threads=n_threads,
    )
    learnt = trainer.net()
    dev_log_p = float(learnt.log_p(dev.contexts, dev.outputs, n_threads=n_threads).mean())
    if not (math.isfinite(log_p) and math.isfinite(dev_log_p)):
        raise DataError(f"Training diverged in epoch {number}, at the rate {state.rate:g}. Choose a lower rate.")
    look = Epoch(number, state.rate, math.exp(-log_p), math.exp(-dev_log_p), time.monotonic() - began)
    if look.dev < state.curve.best:
        state.weights = state.best = learnt.weights()
        state.squares = trainer.squares()
    else:
        state.rate /= 2
    state.curve = Curve((*state.curve.epochs, look))


def initial_net(shape: _core.net.Shape, outputs: NDArray[np.int32], seed: int) -> NDArray[np.float32]:
    """Weights to begin with: small ones by chance, and biases that give every word its frequency, plus one."""
    weights = np.zeros(shape.n_weights, dtype=np.float32)
    offsets = shape.class_offsets.astype(np.int64)
    counts = np.bincount(outputs, minlength=shape.n_outputs) + 1.0
    classes = np.add.reduceat(counts, offsets[:-1])
    biases = {
        "class bias": np.log(classes / classes.sum()),
        "word bias": np.log(counts / np.repeat(classes, np.diff(offsets))),
    }
    spans: dict[str, Callable[[int, int], float]] = {
        "projection": lambda _rows, _columns: 0.1,
        "hidden": lambda rows, columns: math.sqrt(6 / (rows + columns)),  # Glorot & Bengio 2010
        "hidden2": lambda rows, columns: math.sqrt(6 / (rows + columns)),
        "classes": lambda _rows, _columns: 0.05,
        "words": lambda _rows, _columns: 0.05,
    }
    for name, first, rows, columns in shape.blocks():
        block = weights[first : first + rows * columns].reshape(rows, columns)
        if name in biases:
            block[0, : len(biases[name])] = biases[name]
        elif name in spans and rows:
            used = len(classes) if name == "classes" else columns  # what fills a row up stays 0
            draws = Stream(seed, f"net {name}").uniform(rows * used).reshape(rows, used)
            block[:, :used] = (2 * draws - 1) * spans[name](rows, used)
    return weights


def train_lm_net(
    lines: Sequence[str],
    recipe: NetRecipe,
    *,
    dev: Sequence[str],
    model: StrPath,
    work: StrPath,
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> tuple[NetModel, NetTraining]:
    """Train a language model on tokenised lines, and save it; an interrupted training, kept in `work`, goes on."""
    recipe.check()
    data = {"text": _digest(lines), "dev": _digest(dev)}
    claimed = Work.claimed(work, recipe, seed, data)
    words = OutputWords.of(lines, recipe, n_threads=n_threads)
    shape = NetModel.shape(recipe, words)
    examples = [history(words.encode(each, n_threads=n_threads), recipe.order - 1, len(words)) for each in (lines, dev)]
    net, curve = trained_net(
        "words",
        shape,
        recipe,
        *examples,
        work=claimed,
        seed=seed,
        n_threads=n_threads,
        progress=progress,
    )
    trained = NetModel(net, words, recipe, seed=seed, data=data)
    saved = trained.save(model)
    curves = {"words": curve}
    return trained, NetTraining(str(saved), curves, len(words), len(examples[0]), recipe.to_dict(), seed)


def _digest(lines: Sequence[str]) -> str:
    if isinstance(lines, str):
        raise DataError("Expected lines of text, got one str. Pass a sequence of lines.")
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
