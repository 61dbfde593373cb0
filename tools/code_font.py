"""Write the font of inline codes: a blank, two letters wide, for every character that stands for a code.

    python tools/code_font.py src/dragoman/web/static/cat/codes.ttf

The editor draws a chip over the blank; field and chip have the same width whatever fonts the browser has.
"""

from __future__ import annotations

import sys

from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib.tables._g_l_y_f import Glyph

_EM, _WIDTH = 1000, 1500
_CODES = range(0xE000, 0xE400)  # the first of the private-use area: no segment has more


def main(path: str) -> None:
    """Write the font."""
    builder = FontBuilder(_EM, isTTF=True)
    builder.setupGlyphOrder([".notdef", "code"])
    builder.setupCharacterMap(dict.fromkeys(_CODES, "code"))
    builder.setupGlyf({".notdef": Glyph(), "code": Glyph()})
    builder.setupHorizontalMetrics({".notdef": (_WIDTH, 0), "code": (_WIDTH, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Dragoman Codes", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)


if __name__ == "__main__":
    main(sys.argv[1])
