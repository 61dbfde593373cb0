"""Translation memories: an index that is asked by likeness, kept in the store, exchanged as TMX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.cat.memory.index import Hit, Match, MemoryIndex, MemoryUnit, Query
    from dragoman.cat.memory.shelf import MemoryShelf, Penalised
    from dragoman.cat.memory.tokens import Token, tokens
else:
    offer(__name__)

__all__ = ["Hit", "Match", "MemoryIndex", "MemoryShelf", "MemoryUnit", "Penalised", "Query", "Token", "tokens"]
