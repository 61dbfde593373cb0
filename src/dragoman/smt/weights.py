"""Weights of features by name: those that an engine starts with, and files of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from pathlib import Path

from dragoman.errors import FormatError, ModelError
from dragoman.files import read_lines, write_lines

__all__ = ["Weights", "default_weights", "mean_weights", "read_weights", "write_weights"]

Weights = Mapping[str, float]

_HEADING = "feature\tweight"

# Moses' weights before tuning. Features are to be made large, so that a penalty, a negative count, with a weight below
# zero rewards what it counts. Moses has no model of classes: its weight was chosen among 0, 0.05, … 0.2 by the BLEU of
# untuned engines on development sets. 0.2 is best for de-en (+1.5 over none) and costs 1.7 for en-ja; 0.1 has +1.1 and
# costs 0.9 there.
_DEFAULTS = {
    "word-penalty": -1.0,
    "phrase-penalty": -0.2,
    "distortion": 0.3,
    "unknown": 100.0,
    "glue": 0.0,
    "lm": 0.5,
    "class-lm": 0.1,
    "before": 0.3,
    "behind": 0.3,
    "label-before": 0.1,  # beside the orientations of pairs
    "label-behind": 0.1,
    "domain": 0.0,  # which texts a phrase is of says nothing before tuning
    "layer": 0.0,  # nor does which layer of a lattice it is of
    "named-gap": 1.0,  # so dear that an untuned engine hardly has any: tuning begins with the rules without labels
    "reorder-penalty": 1.0,
}
_OTHER = 0.2


def default_weights(names: Sequence[str]) -> dict[str, float]:
    """A weight for each feature, as Moses sets them before tuning."""
    return {name: _DEFAULTS.get(name.partition(".")[0], _OTHER) for name in names}


def mean_weights(runs: Sequence[Weights]) -> dict[str, float]:
    """The mean of the weights of several tunings, each scaled to the same length first; a sparse one may be absent.

    Only the proportions of a tuning's weights say anything: unscaled, the run with the largest numbers would decide.
    """
    names = list(dict.fromkeys(name for run in runs for name in run))
    lengths = [sqrt(sum(weight * weight for name, weight in run.items() if name != "unknown")) or 1.0 for run in runs]
    pairs = list(zip(runs, lengths, strict=True))
    means = {name: sum(run.get(name, 0.0) / length for run, length in pairs) / len(runs) for name in names}
    # The penalty of unknown words is not tuned and large: as it was.
    return {name: runs[0][name] if name == "unknown" and name in runs[0] else mean for name, mean in means.items()}


def write_weights(path: Path, weights: Weights) -> None:
    """Write weights as lines `feature⇥weight` below a heading, as `read_weights` reads them."""
    write_lines(path, (_HEADING, *(f"{name}\t{weight!r}" for name, weight in weights.items())))


def read_weights(path: Path) -> dict[str, float]:
    """Weights by feature from a file of lines `feature⇥weight` below a heading."""
    weights: dict[str, float] = {}
    if not path.is_file():
        raise ModelError(f"There is no file of weights {path}.")
    for number, line in enumerate(read_lines(path), start=1):
        name, tab, value = line.partition("\t")
        if number == 1 and line == _HEADING:
            continue
        try:
            weights[name] = float(value)
        except ValueError:
            tab = ""
        if not tab:
            raise FormatError(f"expected a feature, a tab and a weight; found {line[:60]!r}.", path=path, line=number)
    return weights
