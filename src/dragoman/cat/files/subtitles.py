"""Subtitles: SubRip and WebVTT."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.cat.files.base import PlainFormat, Slot
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import CodeTable, written
from dragoman.cat.files.messages import TAGS, message_text
from dragoman.cat.segments import Target, Unit

__all__ = ["SubRip", "WebVtt"]

_CUE = re.compile(
    r"^[^\S\r\n]*(?P<begin>[\d:.,]+)[^\S\r\n]*-->[^\S\r\n]*(?P<end>[\d:.,]+)[^\r\n]*(?:\r?\r\n|\n|\r)"
    r"(?P<text>(?:[^\S\r\n]*[^\s][^\r\n]*(?:\r?\r\n|\n|\r|\Z))+)",
    re.MULTILINE,
)
_STYLES = r"\{\\[^{}\n]*\}"  # {\an8}
_TIMES = r"<[\d:.]+>"  # inside a cue of WebVTT
_CLASSES = r"</?[a-z]+(?:\.[\w.-]+)?(?:\s[^<>\n]*)?>"
_REFERENCES = {"&lt;": "<", "&gt;": ">", "&nbsp;": "\u00a0", "&lrm;": "\u200e", "&rlm;": "\u200f", "&amp;": "&"}


@dataclass(frozen=True)
class _Subtitles(PlainFormat[Slot]):
    patterns: ClassVar[tuple[str, ...]]

    def slots(self, document: Document) -> Sequence[Slot]:
        """A slot for each cue that has text."""
        slots = []
        for number, cue in enumerate(_CUE.finditer(document.text, document.start), start=1):
            text = cue["text"].strip()
            begin = cue.start("text") + cue["text"].index(text)
            table = CodeTable()
            source = message_text(self.plain(re.sub(r"\r?\r\n|\r", "\n", text)), table, self.patterns)
            times = {"begin": cue["begin"], "end": cue["end"]}
            note = f"{cue['begin']} → {cue['end']}"
            unit = Unit(str(number), source, tuple(table.codes), note=note, cut=False, meta=times)
            slots.append(Slot(unit, begin, begin + len(text)))
        if not slots and "-->" in document.text:
            raise document.error("no cue has a time and text.", document.text.index("-->"))
        return slots

    def edits(self, document: Document, slot: Slot, target: Target) -> Iterable[Edit]:
        """The text of the cue; an empty line would end it, so that there is none."""
        if target.text == slot.unit.source:
            return []
        text = self.escape(written(target.text, slot.unit.codes))
        lines = [line.rstrip() for line in re.split(r"[\r\n]+", text) if line.strip()]
        return [Edit(slot.begin, slot.end, document.newline.join(lines).strip())]

    def plain(self, text: str) -> str:
        """The text of a cue, unescaped."""
        return text

    def escape(self, text: str) -> str:
        """A text for a cue."""
        return text.replace("-->", "→")


@dataclass(frozen=True)
class SubRip(_Subtitles):
    """SubRip subtitles: the text of each cue, its line breaks kept; tags and styles are codes, the rest stays."""

    name: ClassVar[str] = "srt"
    suffixes: ClassVar[tuple[str, ...]] = (".srt",)
    patterns: ClassVar[tuple[str, ...]] = (TAGS, _STYLES)


@dataclass(frozen=True)
class WebVtt(_Subtitles):
    """WebVTT subtitles: the text of each cue; tags, voices and times are codes, notes, styles and regions stay."""

    name: ClassVar[str] = "vtt"
    suffixes: ClassVar[tuple[str, ...]] = (".vtt",)
    patterns: ClassVar[tuple[str, ...]] = (_TIMES, _CLASSES)

    def document(self, content: bytes, name: str) -> Document:
        """The file, checked to begin as WebVTT does."""
        document = super().document(content, name)
        if not document.text.startswith("WEBVTT", document.start):
            raise document.error("this is no WebVTT file: its first line must begin with WEBVTT.", document.start)
        return document

    def plain(self, text: str) -> str:
        """The text without character references."""
        return re.sub("|".join(_REFERENCES), lambda match: _REFERENCES[match[0]], text)

    def escape(self, text: str) -> str:
        """The text with the three characters escaped that WebVTT needs, but for those of its tags."""
        pieces = re.split(f"({'|'.join(self.patterns)})", text)
        return "".join(
            piece if place % 2 else piece.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            for place, piece in enumerate(pieces)
        )
