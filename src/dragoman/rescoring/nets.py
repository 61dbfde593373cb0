"""Continuous-space models of candidates: as language, and as translations of their sources."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from dragoman.artifact import read_manifest
from dragoman.errors import ModelError
from dragoman.lm import NetModel
from dragoman.rescoring.cutting import ModelFeature, cut_sources, cut_texts
from dragoman.rescoring.lists import CandidateLists
from dragoman.smt.nets import TupleNet
from dragoman.stats.arrays import Floats

__all__ = ["Net"]


@dataclass(frozen=True)
class Net(ModelFeature):
    """The logarithm, base 10, of a candidate's probability by a net: of language, or one for each factor of tuples.

    What `dragoman lm net` and `dragoman smt net` train; which of them a folder is, it says itself.
    """

    name: ClassVar[str] = "net"

    @property
    def columns(self) -> tuple[str, ...]:
        """The net itself, or its factors."""
        model = _open(self.model)
        return ("net",) if isinstance(model, NetModel) else tuple(f"net.{name}" for name in model.nets)

    def scores(self, lists: CandidateLists, *, n_threads: int = 1) -> Floats:
        """Of whole sentences."""
        model = _open(self.model)
        texts = cut_texts(lists, self.cut, n_threads=n_threads)
        if isinstance(model, NetModel):
            return np.asarray(model.score(texts, n_threads=n_threads), dtype=np.float64).reshape(-1, 1)
        return model.score(cut_sources(lists, self.cut, n_threads=n_threads), texts, n_threads=n_threads)


@lru_cache(maxsize=4)
def _open(folder: str) -> NetModel | TupleNet:
    kinds: dict[str, type[NetModel] | type[TupleNet]] = {kind.kind: kind for kind in (NetModel, TupleNet)}
    found = read_manifest(folder).kind
    if found not in kinds:
        raise ModelError(f'{folder} is a {found}, not a net. Train one with "dragoman lm net" or "dragoman smt net".')
    return kinds[found].load(folder)
