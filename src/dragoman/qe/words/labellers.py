"""What learns labels of tokens from their vectors: chains and recurrent nets, behind one recipe."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.arrays import read_array
from dragoman.errors import ModelError
from dragoman.learn.blstm import Blstm
from dragoman.learn.chain import Chain, TokenVectors, fit_crf, fit_perceptron
from dragoman.options import option
from dragoman.qe.recipes import TextRecipe
from dragoman.stats.arrays import Floats

__all__ = ["Labeller", "LabellerRecipe", "gains", "read_labeller", "write_labeller"]

Labeller = Chain | Blstm
_KINDS: dict[str, type[Labeller]] = {"blstm": Blstm, "crf": Chain, "perceptron": Chain}


@dataclass(frozen=True)
class LabellerRecipe(TextRecipe):
    """How to learn labels from vectors of tokens."""

    learner: str = option(
        "perceptron",
        choices=tuple(sorted(_KINDS)),
        text="averaged perceptron, conditional random field, or recurrent nets that read both ways (these need JAX)",
    )
    epochs: int = option(10, low=1, high=500, text="passes over the data")
    rate: float = option(0.02, low=1e-6, text="crf: size of the steps; small ones stop early, which guards best")
    penalty: float = option(1e-3, low=0.0, text="crf: of half the squared weights, per sentence")
    n_nets: int = option(5, low=1, high=50, text="blstm: nets that are averaged")
    units: int = option(16, low=1, high=1024, text="blstm: units of each direction, and width of a word's vector")
    net_rate: float = option(0.01, low=1e-6, high=1.0, text="blstm: size of the first steps; the last one's is 0")
    dropout: float = option(0.5, low=0.0, high=0.95, text="blstm: share of features and states left out in a step")

    def ready(self) -> None:
        """Raise `NotAvailable` if a package is missing; asked before any work."""
        if self.learner == "blstm":
            from dragoman.learn.blstm_training import need_jax

            need_jax()

    def fit(self, vectors: TokenVectors, gold: NDArray[np.int32], n_labels: int, seed: int) -> Labeller:
        """Learn from tokens and the numbers of their labels."""
        if self.learner == "blstm":
            from dragoman.learn.blstm_training import fit_blstm

            return fit_blstm(
                vectors,
                gold,
                n_labels,
                n_nets=self.n_nets,
                units=self.units,
                epochs=self.epochs,
                rate=self.net_rate,
                dropout=self.dropout,
                seed=seed,
            )
        if self.learner == "perceptron":
            return fit_perceptron(vectors, gold, n_labels, epochs=self.epochs, seed=seed)
        return fit_crf(vectors, gold, n_labels, epochs=self.epochs, rate=self.rate, penalty=self.penalty, seed=seed)

    def probabilities(self, labeller: Labeller, vectors: TokenVectors, n_threads: int) -> Floats:
        """P(label) of each token."""
        if not (isinstance(labeller, Chain) and self.learner == "perceptron"):
            return labeller.probabilities(vectors, n_threads=n_threads)
        margins = labeller.margins(vectors, n_threads=n_threads)
        # A perceptron's scores are no probabilities; exponentials of their differences order words as well.
        raised = np.exp(np.maximum(margins - margins.max(axis=1, keepdims=True), -50)) if len(margins) else margins
        return np.asarray(raised / raised.sum(axis=1, keepdims=True)) if len(margins) else margins


def gains(labeller: Labeller) -> Floats:
    """How much each feature speaks for each label: (features, labels)."""
    if isinstance(labeller, Blstm):
        return labeller.gains()
    weights = labeller.emissions
    n_labels = weights.shape[1]
    against = [np.delete(weights, number, axis=1).max(axis=1) for number in range(n_labels)]
    return np.asarray(weights - np.column_stack(against))


def write_labeller(labeller: Labeller, folder: Path) -> None:
    """An array a file. Nets are kept in the single precision that they were trained in."""
    for field in fields(labeller):
        array = getattr(labeller, field.name)
        single = array.astype(np.float32) if isinstance(labeller, Blstm) else array
        np.save(folder / f"{field.name}.npy", single, allow_pickle=False)


def read_labeller(folder: Path, learner: str, n_features: int, n_labels: int) -> Labeller:
    """What `write_labeller` wrote, for so many features and labels."""
    kind = _KINDS[learner]
    if kind is Chain:
        rows = {"emissions": n_features, "transitions": n_labels + 1}
        return Chain(**{name: read_array(folder / f"{name}.npy", np.float64, n, n_labels) for name, n in rows.items()})
    arrays = [np.load(folder / f"{field.name}.npy", allow_pickle=False) for field in fields(kind)]
    if any(array.dtype != np.float32 for array in arrays):
        raise ModelError(f"{folder} holds nets in another precision than they are kept in. Train the model again.")
    nets = Blstm(*(np.asarray(array, dtype=np.float64) for array in arrays))
    if not nets.fits() or (nets.n_features, nets.n_labels) != (n_features, n_labels):
        raise ModelError(
            f"{folder} holds nets that do not fit {n_features} features, {n_labels} labels. Train it again."
        )
    return nets
