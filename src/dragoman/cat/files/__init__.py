"""Files for translation: what of them is text, and how they are written with its translation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.cat.files.base import FILE_FORMATS, FileFormat, Langs, check_languages, format_of
    from dragoman.cat.files.inline import misfit
else:
    offer(__name__)

__all__ = ["FILE_FORMATS", "FileFormat", "Langs", "check_languages", "format_of", "misfit"]
