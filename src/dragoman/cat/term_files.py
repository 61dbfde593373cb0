"""Glossaries as files: TBX (versions 2 and 3, Basic and Core), TSV and CSV."""

from __future__ import annotations

from dragoman.cat.terms import Glossary
from dragoman.data.term_files import read_terms, write_terms
from dragoman.data.terms import TermList
from dragoman.files import StrPath

__all__ = ["read_glossary", "write_glossary"]


def read_glossary(path: StrPath, source_lang: str = "", target_lang: str = "") -> Glossary:
    """The terms of a file by its ending: .tbx, .tsv, .csv. TBX needs both languages, where it has more than two."""
    found = read_terms(path, source_lang, target_lang)
    return Glossary(found.terms, found.source_lang, found.target_lang)


def write_glossary(glossary: Glossary, path: StrPath, *, version: int = 3, raw: bool = False) -> None:
    """Write terms by the file's ending; TBX as version 3 (Core) or 2 (Basic). `raw` leaves formulas."""
    write_terms(TermList(glossary.terms, glossary.source_lang, glossary.target_lang), path, version=version, raw=raw)
