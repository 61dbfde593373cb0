"""Several phrase tables as one: from other texts, with features of their own or shared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.smt.phrase_table import PhraseTable

__all__ = ["COMBINATIONS", "TableCombination", "interpolation_weights"]

COMBINATIONS = ("both", "either", "back-off", "fill-up", "interpolated")

_ROUNDS = 1000  # of EM, at most
_SMALL = 1e-6  # change of every weight at which EM stops


@dataclass(frozen=True)
class TableCombination(Recipe):
    """How several phrase tables become one.

    `both` keeps the pairs that all have, with the features of all; `either` all pairs, once for each table that has
    them, the others' features neutral (KIT, WMT 2009; Moses' alternative decoding paths); `back-off` asks a later table
    for the source phrases that earlier ones lack; `fill-up` takes a pair from the first table that has it and says so
    in a feature of its own (Bisazza, Ruiz & Federico, IWSLT 2011); `interpolated` adds up weighted probabilities.
    """

    mode: str = option("fill-up", choices=COMBINATIONS, text="what becomes of the tables of several texts")
    weights: tuple[float, ...] = option(
        (), text="interpolated: one for each table; none: by EM on the tuning set's phrase pairs"
    )
    provenance: bool = option(
        False, choices=(False, True), text="either, back-off: features that tell which tables a pair is from"
    )
    backoff_longest: int = option(0, low=0, text="back-off: words of a phrase that later tables may have; 0: any")

    def combine(self, tables: Sequence[PhraseTable], *, pairs: PhraseTable | None = None) -> PhraseTable:
        """One table of several, the first being the nearest to what is to be translated.

        Interpolation without weights sets them on `pairs`, the phrase pairs extracted from a tuning set.
        """
        self.check()
        if not tables:
            raise DataError("There is no phrase table to combine.")
        if len(tables) == 1:
            return tables[0]
        kinds = sorted({table.orientation for table in tables})
        if len(kinds) > 1:
            raise DataError(
                f"The tables have orientations of different kinds ({', '.join(kinds)}). Extract them with the same."
            )
        source = tables[0].source.merge(*(table.source for table in tables[1:]))
        target = tables[0].target.merge(*(table.target for table in tables[1:]))
        parts = [
            (table.core, len(table.features), source_ids, target_ids)
            for table, source_ids, target_ids in zip(tables, source.maps, target.maps, strict=True)
        ]
        options = _core.phrase.CombineOptions()
        options.mode = _core.phrase.Combination[_core_name(self.mode)]
        options.orientation = tables[0].oriented
        options.counts = all(table.counted for table in tables)
        options.provenance = self.provenance
        options.backoff_longest = self.backoff_longest
        told = self
        if self.mode == "interpolated":
            weights = self._weights(tables, pairs)
            options.weights = weights.ravel().tolist()
            told = replace(self, weights=tuple(round(float(each), 6) for each in weights.ravel()))
        core = _core.phrase.combine(parts, options)
        return PhraseTable(
            core, source.vocabulary, target.vocabulary, told,
            features=self._features(tables), orientation=tables[0].orientation,
        )  # fmt: skip

    def _features(self, tables: Sequence[PhraseTable]) -> tuple[str, ...]:
        """The names of the combined features."""
        if self.mode == "interpolated":
            return tables[0].features
        if self.mode == "fill-up":
            return (*tables[0].features, *(f"fill-up.{i}" for i in range(2, len(tables) + 1)))
        names = [
            f"table{i}.{name.removeprefix('table.')}"
            for i, table in enumerate(tables, start=1)
            for name in table.features
        ]
        if self.provenance and self.mode != "both":
            names += [*(f"provenance.{i}" for i in range(1, len(tables) + 1)), "provenance.shared"]
        return tuple(names)

    def _weights(self, tables: Sequence[PhraseTable], pairs: PhraseTable | None) -> NDArray[np.float64]:
        """For each feature the weight of each table."""
        n_features = len(tables[0].features)
        if self.weights:
            whole = np.array(self.weights, dtype=float)
            if whole.size not in {len(tables), n_features * len(tables)} or not (whole >= 0).all() or not whole.any():
                raise DataError(
                    f"Interpolation needs a weight of 0 or more for each of {len(tables)} tables, got {self.weights}."
                )
            rows = np.broadcast_to(whole.reshape(-1, len(tables)), (n_features, len(tables)))
            return np.asarray(rows / rows.sum(axis=1, keepdims=True))
        if pairs is None or not len(pairs):
            raise DataError("Interpolation needs weights, or a tuning set whose phrase pairs set them.")
        return interpolation_weights(tables, pairs)


def interpolation_weights(tables: Sequence[PhraseTable], pairs: PhraseTable) -> NDArray[np.float64]:
    """The weights under which the tables give the phrase pairs of a held-out text the highest probability, by EM.

    Row by feature, one weight for each table (Foster & Kuhn, WMT 2007; Sennrich, EACL 2012, §2.3). Pairs that no table
    has say nothing.
    """
    counts = _core.phrase.all_scores(pairs.core)[:, -3].astype(float)
    p = np.exp(np.stack([_scores(table, pairs) for table in tables], axis=2).astype(float))  # pair, feature, table
    weights = np.full(p.shape[1:], 1 / len(tables))
    for feature in range(p.shape[1]):
        known = p[:, feature].any(axis=1)
        likely, times = p[known, feature], counts[known]
        if not len(likely):
            continue
        for _ in range(_ROUNDS):
            shares = weights[feature] * likely
            shares /= shares.sum(axis=1, keepdims=True)
            better = times @ shares / times.sum()
            done = np.abs(better - weights[feature]).max() < _SMALL
            weights[feature] = better
            if done:
                break
    return weights


def _scores(table: PhraseTable, pairs: PhraseTable) -> NDArray[np.float32]:
    maps = [pairs.source.merge(table.source).maps[1], pairs.target.merge(table.target).maps[1]]
    return _core.phrase.scores_of((table.core, len(table.features), maps[0], maps[1]), pairs.core)


def _core_name(mode: str) -> str:
    return {"back-off": "backoff", "fill-up": "fill_up"}.get(mode, mode)
