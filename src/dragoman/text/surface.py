"""Tokenisers that look at characters alone: those of WMT's scorers, as sacreBLEU 2.6 applies them."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman import _core
from dragoman.text.base import NativeTokeniser

__all__ = ["CharTokeniser", "ChineseTokeniser", "InternationalTokeniser", "NoTokeniser", "Tokeniser13a"]


class _SurfaceTokeniser(NativeTokeniser):
    @property
    def core(self) -> _core.text.Tokeniser:
        return _core.text.surface_tokeniser(self.name)


class Tokeniser13a(_SurfaceTokeniser):
    """The tokenisation of NIST's `mteval-v13a`, WMT's standard for languages written with spaces.

    ASCII punctuation and symbols become tokens; full stop and comma stay between digits; a hyphen is split off behind a
    digit. SGML entities (`&quot; &amp; &lt; &gt;`), `<skipped>` and hyphens at line ends are resolved first.
    """

    name = "13a"


class InternationalTokeniser(_SurfaceTokeniser):
    """The tokenisation of `mteval-v14 --international-tokenization`: all of Unicode's punctuation and symbols.

    Punctuation stays between digits. A mark behind a number at the very end of the line stays too, a slip of the
    original that published scores contain.
    """

    name = "intl"


class ChineseTokeniser(_SurfaceTokeniser):
    """`13a` without its SGML part, with every Chinese character (and full-width form) a token of its own."""

    name = "zh"


class CharTokeniser(_SurfaceTokeniser):
    """Every character is a token. White space is written too, between spaces, and separates."""

    name = "char"


class NoTokeniser(_SurfaceTokeniser):
    """Lines as they are: tokens are what white space separates."""

    name = "none"
    idempotent = True

    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:  # noqa: ARG002 - nothing to share out
        """The lines themselves, checked."""
        _core.text.check_lines(lines)
        return list(lines)
