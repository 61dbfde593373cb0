"""Small dictionaries, and libhunspell to compare with where it is installed."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest


def write_dictionary(folder: Path, affixes: str, words: str, *, encoding: str = "UTF-8", name: str = "toy") -> Path:
    """Write both files; the encoding's name and the number of words come by themselves."""
    base = folder / name
    lines = words.splitlines()
    base.with_suffix(".aff").write_bytes(f"SET {encoding}\n{affixes}".encode(encoding))
    base.with_suffix(".dic").write_bytes("\n".join([str(len(lines)), *lines, ""]).encode(encoding))
    return base


@lru_cache(maxsize=1)
def _library() -> Any:
    try:
        library = ctypes.CDLL("libhunspell-1.7.so.0")
    except OSError:
        return None
    library.Hunspell_create.restype = ctypes.c_void_p
    library.Hunspell_create.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
    library.Hunspell_destroy.argtypes = [ctypes.c_void_p]
    library.Hunspell_spell.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.Hunspell_get_dic_encoding.argtypes = [ctypes.c_void_p]
    library.Hunspell_get_dic_encoding.restype = ctypes.c_char_p
    return library


def hunspell_there() -> bool:
    """Whether libhunspell can be asked."""
    return _library() is not None


def hunspell_knows(base: Path, words: Sequence[str]) -> list[bool]:
    """What libhunspell says; without it the test is skipped."""
    library = _library()
    if library is None:
        pytest.skip("libhunspell 1.7 is not installed (Debian's libhunspell-1.7-0)")
    handle = library.Hunspell_create(str(base.with_suffix(".aff")).encode(), str(base.with_suffix(".dic")).encode())
    encoding = library.Hunspell_get_dic_encoding(handle).decode()
    try:
        return [
            _encodable(word, encoding) and bool(library.Hunspell_spell(handle, word.encode(encoding))) for word in words
        ]
    finally:
        library.Hunspell_destroy(handle)


def _encodable(word: str, encoding: str) -> bool:
    try:
        word.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
