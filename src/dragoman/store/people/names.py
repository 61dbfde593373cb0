"""Names of accounts: which may be had, which are one and the same, which are kept for crowd workers."""

from __future__ import annotations

import re
import unicodedata

from dragoman.errors import DataError
from dragoman.store.people.crowd import PLATFORMS

__all__ = ["NAME", "check_name", "check_own_name", "name_key"]

NAME = r"[^\W_](?:[\w.@+-]{0,78}\w)?"
_NAME = re.compile(NAME)
_LONGEST_KEY = 240  # characters: what PostgreSQL can index, and three times a name


def name_key(name: str) -> str:
    """What names that count as the same have in common: two accounts never share it.

    Databases disagree on capitals (SQLite's `lower` knows ASCII alone), so it is made here and kept in a column.
    Compatibility forms fold, too (NFKC, not NFC): `ａｄａ` and `ada`, `ﬁnn` and `finn` look alike to whoever reads a
    list, and nobody should be taken for somebody else. Twice, since folding can undo a normal form (Unicode, D146).
    """
    once = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", name).casefold())
    return unicodedata.normalize("NFKC", once.casefold())[:_LONGEST_KEY]


def check_name(name: str) -> str:
    """The name, if an account may have it."""
    # `.json` at the end of an address asks for its twin: such a name would lead to somebody else's page.
    if not _NAME.fullmatch(name) or name.lower().endswith(".json"):
        raise DataError(
            f"{name!r} cannot name an account; use up to 80 letters, digits and . @ + - _, with a letter or digit at "
            "both ends, not .json."
        )
    return name


def check_own_name(name: str) -> str:
    """The name, if somebody with a password may have it: organisers take names like `prolific-…` for workers'."""
    platform = name_key(name).partition("-")[0]
    if platform in PLATFORMS and "-" in name_key(name):
        raise DataError(f"Names that begin with {platform}- are kept for people from crowd platforms; choose another.")
    return check_name(name)
