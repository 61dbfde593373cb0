"""Translation memories: an index that is asked by likeness, kept in the store, exchanged as TMX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.cat.memory.edits import WordEdit, word_edits
    from dragoman.cat.memory.exchange import (
        TmxImport,
        add_tmx,
        check_origin,
        export_tmx,
        import_tmx,
        read_tmx,
        write_tmx,
    )
    from dragoman.cat.memory.fragments import Fragment, fragments
    from dragoman.cat.memory.index import Hit, Match, MemoryIndex, MemoryUnit, Query
    from dragoman.cat.memory.repair import Repair, repair
    from dragoman.cat.memory.shelf import MemoryShelf, Penalised
    from dragoman.cat.memory.tokens import Token, tokens
else:
    offer(__name__)

__all__ = [
    "Fragment",
    "Hit",
    "Match",
    "MemoryIndex",
    "MemoryShelf",
    "MemoryUnit",
    "Penalised",
    "Query",
    "Repair",
    "TmxImport",
    "Token",
    "WordEdit",
    "add_tmx",
    "check_origin",
    "export_tmx",
    "fragments",
    "import_tmx",
    "read_tmx",
    "repair",
    "tokens",
    "word_edits",
    "write_tmx",
]
