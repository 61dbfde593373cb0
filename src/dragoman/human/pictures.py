"""Texts as pictures: what is sent is an image, so that no text can be copied into a translation engine.

Whoever does not see the picture cannot read it either, and no screen reader can: so it is a manager's choice, never a
default (Post et al., WMT 2012, showed their sources so).
"""

from __future__ import annotations

import io
from base64 import b64encode
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dragoman.errors import DataError, NotAvailable
from dragoman.text.languages import text_direction

__all__ = ["Painter"]

_WIDTH = 1280  # twice what a screen shows, so that it stays sharp
_SIZE = 36
_LEADING = 1.5
_INSTALLED = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial.ttf")  # looked for where a system keeps its fonts
_NOTHING = "\U0010ffff"  # has a glyph in no font: looks as what a font has for letters that it lacks


@dataclass(frozen=True)
class Painter:
    """Draws texts of a language with a font: a file; else the first common one that is installed; else Pillow's own."""

    font: str = ""
    lang: str | None = None

    @cached_property
    def _pen(self) -> Any:
        try:
            from PIL import ImageFont
        except ModuleNotFoundError:
            raise NotAvailable.package("Sources as pictures", package="pillow", extra="pictures") from None
        for name in (self.font,) if self.font else _INSTALLED:
            try:
                return ImageFont.truetype(name, _SIZE)
            except OSError:
                continue
        if self.font:
            raise DataError(f"{self.font} is no font that can be read; name a TrueType or OpenType file.")
        return ImageFont.load_default(_SIZE)

    def picture(self, text: str) -> dict[str, Any]:
        """A PNG as a data address, with its size on a screen. The same text gives the same bytes."""
        from PIL import Image, ImageDraw

        self._check(text)
        lines = self._lines(text)
        step = round(_SIZE * _LEADING)
        image = Image.new("L", (_WIDTH, step * len(lines)), 255)
        draw = ImageDraw.Draw(image)
        rightward = text_direction(self.lang) != "rtl" if self.lang else True
        for number, line in enumerate(lines):
            place = (0, step * number) if rightward else (_WIDTH, step * number)
            draw.text(place, line, font=self._pen, fill=0, anchor="la" if rightward else "ra", **self._shaping())
        stream = io.BytesIO()
        image.quantize(8).save(stream, "PNG", optimize=True)
        data = b64encode(stream.getvalue()).decode("ascii")
        return {"picture": f"data:image/png;base64,{data}", "width": _WIDTH // 2, "height": image.height // 2}

    def _shaping(self) -> dict[str, Any]:
        """Letters that join and change places are shaped by Raqm, where Pillow has it."""
        from PIL import features

        if not features.check("raqm"):
            return {}
        return {
            "direction": "rtl" if self.lang and text_direction(self.lang) == "rtl" else "ltr",
            "language": self.lang,
        }

    def _check(self, text: str) -> None:
        blank = self._mask(_NOTHING)
        for letter in sorted(set(text)):
            if letter.isspace() or not letter.isprintable():
                continue
            if self._mask(letter) == blank:
                raise DataError(
                    f'The font {self._pen.getname()[0]} has no {letter!r}; name one that has, font = "FILE".'
                )

    def _mask(self, letter: str) -> tuple[Any, bytes]:
        mask = self._pen.getmask(letter, mode="L")
        return mask.size, bytes(mask)

    def _lines(self, text: str) -> list[str]:
        """Lines that fit, broken at blanks, or inside a word that is wider than the picture."""
        lines: list[str] = []
        for paragraph in text.splitlines() or [""]:
            line = ""
            for word in paragraph.split() or [""]:
                longer = f"{line} {word}".strip()
                if line and self._width(longer) > _WIDTH:
                    lines.append(line)
                    longer = word
                while self._width(longer) > _WIDTH:
                    fit = next(n for n in range(len(longer) - 1, 0, -1) if n == 1 or self._width(longer[:n]) <= _WIDTH)
                    lines.append(longer[:fit])
                    longer = longer[fit:]
                line = longer
            lines.append(line)
        return lines

    def _width(self, text: str) -> float:
        return float(self._pen.getlength(text, **self._shaping()))
