"""What a model's n-grams are kept in: the options that all recipes for one share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dragoman.errors import DataError
from dragoman.lm.levels import LEVELS
from dragoman.options import Recipe, option

__all__ = ["ArpaImport", "Storage"]


@dataclass(frozen=True)
class Storage(Recipe):
    """What a model's tokens are, and what it keeps its n-grams in. Base of every recipe for one."""

    structure: str = option(
        "hash", choices=("hash", "trie"), text="hash: quickest; trie: half the size, quantised a quarter"
    )
    p_bits: int = option(0, low=0, high=16, text="bits of a probability in a trie; 0: not quantised")
    backoff_bits: int = option(0, low=0, high=16, text="bits of a back-off weight in a trie; 0: not quantised")
    level: str = option("word", choices=LEVELS, text="what is counted: words, characters, or tags of word|tag")
    entropy: float = option(0.0, low=0.0, text="n-grams that change perplexity by a smaller share are left out")

    def check_storage(self) -> None:
        """Raise if the structure cannot be had with these bits."""
        self.check()
        if self.structure == "hash" and (self.p_bits or self.backoff_bits):
            raise DataError("Only a trie can be quantised. Choose the structure trie, or leave the bits at 0.")
        if 1 in (self.p_bits, self.backoff_bits):
            raise DataError("A quantised number takes 2 to 16 bits, got 1.")

    def storage(self) -> dict[str, Any]:
        """The three choices as the core takes them."""
        return {"trie": self.structure == "trie", "p_bits": self.p_bits, "backoff_bits": self.backoff_bits}


@dataclass(frozen=True)
class ArpaImport(Storage):
    """A model that another tool estimated and wrote as ARPA."""

    file: str = option("", text="name of the ARPA file")
