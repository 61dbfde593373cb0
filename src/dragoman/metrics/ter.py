"""TER: the edits, shifts of blocks among them, that turn a hypothesis into the reference (Snover et al., AMTA 2006).

Edits, scores and signatures are those of sacreBLEU 2.6, which follows tercom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.cache import ContentCache
from dragoman.metrics.base import Metric, Rows
from dragoman.metrics.references import References, ScoredText, native
from dragoman.options import option

__all__ = ["Ter"]

_DIGESTED: ContentCache[_core.edit.TerReferences] = ContentCache(1 << 26, size=lambda refs: refs.n_bytes)


@dataclass(frozen=True)
class Ter(Metric):
    """TER. Statistics: edits against the reference that needs fewest, and the references' mean length in words."""

    name: ClassVar[str] = "ter"
    label_pattern: ClassVar[str] = "TER"
    higher_is_better: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))

    case_sensitive: bool = option(False, text="tell upper from lower case")
    normalised: bool = option(False, text="undo XML escapes and set off punctuation, as tercom does")
    no_punct: bool = option(False, text="drop punctuation")
    asian_support: bool = option(
        False, text="with 'normalised' set off Chinese and Japanese characters, with 'no_punct' drop their punctuation"
    )

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:
        """Edits and lengths, with the references digested once."""
        digested = self.digested(text.refs)
        counts = [digested.count(native(hyps), n_threads=n_threads) for hyps in text.systems]
        return np.stack([_rows(edits, digested.lengths()) for edits in counts])

    def pair_rows(self, hyps: Sequence[str], refs: Sequence[str], *, n_threads: int = 1) -> Rows:
        """Statistics of every hypothesis against every reference: array (hyps, refs, 2)."""
        digested = self.digested(References.of([refs]))
        edits = digested.count_pairs(native(hyps), n_threads=n_threads)
        lengths = np.broadcast_to(digested.lengths()[:, 0], edits.shape)
        return np.stack([edits, lengths], axis=-1).astype(np.float64)

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Edits per hundred words of the reference; 100 if there are edits but no words, as in sacreBLEU."""
        edits, length = (np.asarray(totals, dtype=np.float64)[..., k] for k in range(2))
        there = length > 0
        return 100 * np.where(there, edits / np.where(there, length, 1.0), np.where(edits > 0, 1.0, 0.0))

    def signature_options(self) -> dict[str, Any]:
        """Keys and values as sacreBLEU shows them."""
        return {
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": "tercom",
            "norm": self.normalised,
            "punct": not self.no_punct,
            "asian": self.asian_support,
        }

    @classmethod
    def options_of_signature(cls, label: str, parts: Mapping[str, str]) -> dict[str, Any]:  # noqa: ARG003
        """The options that a signature tells."""
        return {
            "case_sensitive": parts["case"] == "mixed",
            "normalised": parts["norm"] == "yes",
            "no_punct": parts["punct"] == "no",
            "asian_support": parts["asian"] == "yes",
        }

    def digested(self, refs: References) -> _core.edit.TerReferences:
        """The references as the kernel keeps them, made once for all systems."""
        key = (self, tuple(refs.digest(number) for number in range(len(refs.streams))))
        return _DIGESTED.get(key, lambda: self._digest(refs))

    def _digest(self, refs: References) -> _core.edit.TerReferences:
        return _core.edit.TerReferences(
            [native(refs.lines(number)) for number in range(len(refs.streams))],
            refs.present,
            lowercase=not self.case_sensitive,
            normalised=self.normalised,
            no_punct=self.no_punct,
            asian=self.asian_support,
        )


def _rows(edits: NDArray[np.int32], lengths: NDArray[np.int32]) -> Rows:
    """Fewest edits and mean length over the references that a segment has."""
    present = lengths >= 0
    fewest = np.where(present, edits, np.iinfo(np.int32).max).min(axis=1, initial=np.iinfo(np.int32).max)
    mean_length = np.where(present, lengths, 0).sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    return np.stack([fewest.astype(np.float64), mean_length], axis=1)
