"""Features of the parts of speech that links join (Soricut et al. 2012, de Souza et al. 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.options import option
from dragoman.qe.features.alignment import OfLinks, link_places
from dragoman.qe.features.batch import Batch, means, once, shares, sums
from dragoman.qe.features.sides import SIDES
from dragoman.qe.resources.parses import COARSE, Flags
from dragoman.stats.arrays import Floats

__all__ = ["LinkTags"]


@dataclass(frozen=True)
class LinkTags(OfLinks):
    """How links agree in parts of speech, of which there are twelve; joined by intersection, they are one to one.

    `count`: links that join words of one tag (LF14), per word of a side if asked (LF16, LF17); `links`: their share of
    all links (LF15); `same`: share of a side's words that are linked to a word of their tag; `aligned`: linked words
    per word. With a `tag` only words of that tag are counted: `links` are then those that join two of them, of all
    links, `same` is a share of the words of that tag.
    """

    name: ClassVar[str] = "link-tags"
    paper: ClassVar[str] = "Soricut et al., WMT 2012, LF14 to LF17; de Souza et al., WMT 2013, §2.1 (POS)"
    needs: ClassVar[tuple[str, ...]] = ("aligner", "source_parser", "target_parser")

    value: str = option("links", choices=("count", "links", "same", "aligned"), text="what of the links")
    on: str = option("source", choices=SIDES, text="same, aligned: of which side's words")
    tag: str = option("", choices=("", *COARSE), text="of words of this tag alone")
    per: str = option("", choices=("", *SIDES), text="count: divided by the length of a side")

    def values(self, batch: Batch) -> Floats:
        """The value of each pair."""
        pair, places = link_places(batch, self.join, "")
        masks = {side: _coarse(batch, side) for side in SIDES}
        wanted = 1 << list(COARSE).index(self.tag) if self.tag else (1 << len(COARSE)) - 1
        equal = (masks["source"][places["source"]] & masks["target"][places["target"]] & wanted) != 0
        if self.value in ("count", "links"):
            joined = sums(equal, pair, len(batch))
            if self.value == "links":
                return means(equal, pair, len(batch))
            return shares(joined, batch.tokens(self.per).lengths) if self.per else joined
        parsed = batch.parses(self.on)
        own: Flags = (masks[self.on] & wanted) != 0 if self.tag else np.ones(len(parsed.heads), dtype=bool)
        linked = np.zeros(len(own), dtype=bool)
        linked[places[self.on][equal] if self.value == "same" else places[self.on]] = True
        whole = parsed.count(own) if self.value == "same" else np.diff(parsed.offsets)
        return shares(parsed.count(own & linked), whole)


@once
def _coarse(batch: Batch, side: str) -> NDArray[np.int64]:
    """The twelve tags as bits."""
    parsed = batch.parses(side)
    bits = np.zeros(len(parsed.heads), dtype=np.int64)
    for place, tags in enumerate(COARSE.values()):
        bits |= parsed.tagged(tags).astype(np.int64) << place
    return bits
