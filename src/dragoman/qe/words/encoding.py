"""From columns of symbols and numbers to sparse vectors: which symbols are known, where numbers are cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError, ModelError
from dragoman.learn.chain import TokenVectors
from dragoman.qe.notes import listed
from dragoman.qe.words.features import Symbols
from dragoman.stats.arrays import Floats

__all__ = ["Columns", "Encoder", "at_gaps"]

_EDGE = "</s>"


@dataclass(frozen=True, eq=False)
class Columns:
    """What is known of the tokens of sentences, by name."""

    values: Mapping[str, Symbols | Floats]
    offsets: NDArray[np.int64]  # of the sentences

    @property
    def n_tokens(self) -> int:
        """All tokens."""
        return int(self.offsets[-1])


def at_gaps(columns: Columns) -> Columns:
    """The columns of gaps: before each word and behind the last, what is known of the words on both sides."""
    lengths = np.diff(columns.offsets)
    offsets = np.zeros(len(columns.offsets), dtype=np.int64)
    np.cumsum(lengths + 1, out=offsets[1:])
    # Gap g of sentence s stands between its words g − 1 and g.
    sentence = np.repeat(np.arange(len(lengths)), lengths + 1)
    right = np.arange(int(offsets[-1])) - sentence
    left = right - 1
    no_left, no_right = right == columns.offsets[sentence], right == columns.offsets[sentence + 1]
    of_gaps: dict[str, Symbols | Floats] = {}
    for name, column in columns.values.items():
        for where, places, missing in (("left", left, no_left), ("right", right, no_right)):
            if isinstance(column, np.ndarray):
                padded = np.append(column, np.nan)
                of_gaps[f"{where} {name}"] = np.where(missing, np.nan, padded[np.where(missing, -1, places)])
            else:
                pairs = zip(places.tolist(), missing.tolist(), strict=True)
                of_gaps[f"{where} {name}"] = [_EDGE if edge else column[place] for place, edge in pairs]
    return Columns(of_gaps, offsets)


class Encoder:
    """The features of a model: one for each known symbol of a column, one for each range of its numbers, a constant."""

    def __init__(self, symbols: Mapping[str, Sequence[str]], cuts: Mapping[str, Sequence[float]]) -> None:
        self.symbols = {name: list(names) for name, names in symbols.items()}
        self.cuts = {name: np.asarray(edges, dtype=np.float64) for name, edges in cuts.items()}
        self._first: dict[str, int] = {}
        self._numbers: dict[str, dict[str, int]] = {}
        total = 1  # 0 is the constant
        for name, names in self.symbols.items():
            self._first[name] = total
            self._numbers[name] = {symbol: total + place for place, symbol in enumerate(names)}
            total += len(names)
        for name, edges in self.cuts.items():
            self._first[name] = total
            total += len(edges) + 2  # the ranges between the cuts, and NaN
        self.n_features = total

    @classmethod
    def fit(cls, columns: Columns, *, least: int, n_ranges: int) -> Encoder:
        """Symbols that are there `least` times; cuts that leave about as many tokens in each range."""
        symbols: dict[str, list[str]] = {}
        cuts: dict[str, Floats] = {}
        for name, column in columns.values.items():
            if isinstance(column, np.ndarray):
                numbers = column[~np.isnan(column)]
                edges = np.quantile(numbers, np.arange(1, n_ranges) / n_ranges) if len(numbers) else np.zeros(0)
                cuts[name] = np.unique(edges)
            else:
                counts = Counter(column)
                symbols[name] = sorted(symbol for symbol, count in counts.items() if count >= least and symbol)
        return cls(symbols, cuts)  # type: ignore[arg-type]

    def vectors(self, columns: Columns) -> TokenVectors:
        """The tokens as vectors."""
        wanted = [*self.symbols, *self.cuts]
        missing = [name for name in wanted if name not in columns.values]
        strange = [name for name in columns.values if name not in self._first]
        if missing or strange:
            raise DataError(
                "The model was trained on other features: "
                + "; ".join(
                    f"{what} {listed(names)}" for what, names in (("missing", missing), ("unknown", strange)) if names
                )
                + ". Give the same resources, parses and traces as in training, and no others."
            )
        table = np.full((columns.n_tokens, len(wanted) + 1), -1, dtype=np.int32)
        table[:, 0] = 0
        for place, name in enumerate(wanted, start=1):
            column = columns.values[name]
            if name in self.symbols:
                if isinstance(column, np.ndarray):
                    raise DataError(f"The column {name} has numbers; the model knows it as symbols.")
                numbers = self._numbers[name]
                table[:, place] = [numbers.get(symbol, -1) for symbol in column]
            else:
                array = np.asarray(column, dtype=np.float64)
                ranges = np.searchsorted(self.cuts[name], array, side="right")
                ranges[np.isnan(array)] = len(self.cuts[name]) + 1
                table[:, place] = self._first[name] + ranges
        return TokenVectors.of_table(table, columns.offsets, self.n_features)

    def names(self) -> list[str]:
        """What each feature stands for."""
        names = ["constant"]
        names += [f"{name}={symbol}" for name, listed_symbols in self.symbols.items() for symbol in listed_symbols]
        for name, edges in self.cuts.items():
            bounds = [f"{edge:.4g}" for edge in edges.tolist()]
            names += [f"{name}<{bound}" for bound in bounds[:1]] or [f"{name} known"]
            names += [f"{low}≤{name}<{high}" for low, high in pairwise(bounds)]
            names += [f"{name}≥{bound}" for bound in bounds[-1:]]
            names.append(f"{name} unknown")
        return names

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"symbols": self.symbols, "cuts": {name: edges.tolist() for name, edges in self.cuts.items()}}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Encoder:
        """From what `to_dict` gave."""
        try:
            return cls(values["symbols"], values["cuts"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelError(f"The features of the word model are damaged: {error}.") from None
