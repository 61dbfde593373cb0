"""Word documents (Office Open XML, ECMA-376): paragraphs, with runs of other formatting as codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from dragoman.cat.files.archives import ArchiveFormat
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import CodeTable, InlineText
from dragoman.cat.files.markup import Element, escape, tree
from dragoman.cat.files.nested import NestedSlot, nested_changes
from dragoman.cat.files.zips import Archive
from dragoman.cat.segments import Code, Target, Unit, code_place

__all__ = ["Docx"]

_PART = re.compile(r"word/(?:document|header\d{0,6}|footer\d{0,6}|footnotes|endnotes)\.xml")
_ORDER = ("document", "header", "footer", "footnotes", "endnotes")
# Of a run's properties these say nothing about its looks: languages, spelling marks, revisions.
_UNSEEN = re.compile(r"<(?:\w+:)?(?:lang|noProof)\b[^>]*/>|\s(?:\w+:)?rsid\w*=\"[^\"]*\"")
_LOOK = "<!--look-->"  # in the code of a link: behind it stands the look of its text
_SIGNS = {"tab": "⇥", "br": "↵", "cr": "↵", "drawing": "image", "pict": "image"}
_SHOWN = ("b", "i", "u", "strike", "vertAlign", "color", "highlight", "sz", "rStyle", "rFonts")


@dataclass(frozen=True)
class _Paragraph(NestedSlot):
    base: str = ""  # the properties of most of its text
    prefix: str = ""  # of the names of elements


@dataclass(frozen=True)
class Docx(ArchiveFormat[_Paragraph]):
    """Word documents: each paragraph of the text, tables, text boxes, headers, footers, foot- and endnotes.

    Runs that look alike are one; formatting, links, fields, pictures, tabs and breaks are codes. All other parts of the
    file, and all of a paragraph's own properties, are kept. Files with macros are refused.
    """

    name: ClassVar[str] = "docx"
    suffixes: ClassVar[tuple[str, ...]] = (".docx",)
    main: ClassVar[str] = "word/document.xml"
    what: ClassVar[str] = "a Word document"
    macros: ClassVar[tuple[str, ...]] = ("vbaProject.bin", "vbaData.xml")

    def documents(self, archive: Archive) -> Sequence[tuple[Document, Sequence[_Paragraph]]]:
        """The text, headers, footers and notes."""
        parts = sorted((each for each in archive.names() if _PART.fullmatch(each)), key=_place)
        return [(document := self.part(archive, part), _slots(document, part)) for part in parts]

    def edits(self, document: Document, slots: Sequence[_Paragraph], targets: Mapping[str, Target]) -> Sequence[Edit]:
        """New runs for paragraphs, text boxes inside them included."""
        return nested_changes(document, slots, targets, _markup)


def _place(part: str) -> tuple[int, int]:
    kind, number = re.fullmatch(r"word/([a-z]+)(\d*)\.xml", part).groups()  # type: ignore[union-attr]
    return _ORDER.index(kind), int(number or 0)


def _slots(document: Document, part: str) -> list[_Paragraph]:
    root = tree(document)
    label = part.removeprefix("word/").removesuffix(".xml")
    slots = []
    for number, element in enumerate(root.within("p"), start=1):
        paragraph = _Reader(document, root.prefix).slot(element, f"{label}/{number}")
        if paragraph is not None:
            slots.append(paragraph)
    return slots


@dataclass(frozen=True)
class _Piece:
    """Of a paragraph: text with its look (the properties of its run), or mark-up."""

    text: str | None = None
    look: str = ""
    markups: list[str] = field(
        default_factory=list
    )  # of mark-up; neighbours that are one are joined when they are used
    kind: Literal["open", "close", "alone"] = "alone"
    tag: str = ""
    span: tuple[int, int] | None = None  # of mark-up that holds other paragraphs

    @property
    def markup(self) -> str:
        """The mark-up in one piece."""
        return "".join(self.markups)


class _Reader:
    """Reads one paragraph."""

    def __init__(self, document: Document, prefix: str) -> None:
        self._text = document.text
        self._prefix = prefix
        self._pieces: list[_Piece] = []
        self._look_pair = ""  # of the look that is open
        self._plains: dict[str, str] = {}
        self._texts: dict[int, bool] = {}  # by the place of an element, whether it has text

    def slot(self, element: Element, key: str) -> _Paragraph | None:
        """What stands between the first and the last child that has text; none without text."""
        inside = [child for child in element.children if self._has_text(child)]
        if not inside:
            return None
        begin, end = inside[0].begin, inside[-1].end
        self._read([child for child in element.children if begin <= child.begin < end])
        if not any(piece.text and piece.text.strip() for piece in self._pieces):
            return None
        base = self._base()
        self._table, self._spans = CodeTable(), list[tuple[int, int] | None]()
        text = self._inline(base)
        self._spans += [None] * (len(self._table.codes) - len(self._spans))
        return _Paragraph(Unit(key, text, tuple(self._table.codes)), begin, end, tuple(self._spans), base, self._prefix)

    def _read(self, children: Sequence[Element]) -> None:
        for child in children:
            if child.tag == "r":
                self._run(child)
            elif child.tag == "proofErr":
                continue
            elif self._has_text(child):
                self._around(child)
            else:
                self._alone(self._text[child.begin : child.end], child)

    def _around(self, element: Element) -> None:
        """A link, an insertion, a content control: runs inside an element of its own."""
        inside = [child for child in element.children if self._has_text(child)]
        first, last = inside[0], inside[-1]
        self._pieces.append(_Piece(markups=[self._text[element.begin : first.begin]], kind="open", tag=element.tag))
        self._read([child for child in element.children if first.begin <= child.begin < last.end])
        self._pieces.append(_Piece(markups=[self._text[last.end : element.end]], kind="close", tag=element.tag))

    def _run(self, run: Element) -> None:
        properties = run.first("rPr")
        look = self._text[properties.begin : properties.end] if properties else ""
        for child in run.children:
            if child.tag == "t":
                words = child.plain()
                is_kept = child.attributes.get("xml:space") == "preserve"
                self._pieces.append(_Piece(words if is_kept else words.strip(" \t\n"), look))
            elif child.tag not in {"rPr", "lastRenderedPageBreak"}:
                markup = self._text[child.begin : child.end]
                self._alone(f"<{self._prefix}r>{look}{markup}</{self._prefix}r>", child)

    def _alone(self, markup: str, element: Element) -> None:
        """Mark-up without text; neighbours are one, so that fields stay in one piece."""
        span = (element.begin, element.end) if any(element.within("p")) else None
        before = self._pieces[-1] if self._pieces else None
        if before and before.text is None and before.kind == "alone" and not (span or before.span):
            before.markups.append(markup)
        else:
            self._pieces.append(_Piece(markups=[markup], tag=element.tag, span=span))

    def _base(self) -> str:
        """The look of most of the text; of all that look alike, as it stands first."""
        sizes: Counter[str] = Counter()
        looks: dict[str, str] = {}
        for piece in self._pieces:
            if piece.text:
                sizes[self._plain(piece.look)] += len(piece.text)
                looks.setdefault(self._plain(piece.look), piece.look)
        return looks[sizes.most_common(1)[0][0]]

    def _inline(self, base: str) -> str:
        inline = InlineText(self._table)
        look, bases, pairs = base, [base], list[str]()
        inside_of = self._looks_inside()
        for number, piece in enumerate(self._pieces):
            if piece.text is not None:
                look = self._change(inline, look, piece.look, bases[-1], number)
                inline.add(piece.text)
            elif piece.kind == "alone":
                self._code(inline, Code(piece.markup, shown=_SIGNS.get(piece.tag, piece.tag)), piece.span)
            elif piece.kind == "open":
                look = self._change(inline, look, bases[-1], bases[-1], number)
                inside = inside_of.get(number)
                is_other = inside is not None and self._plain(inside) != self._plain(look)
                pairs.append(f"{piece.tag}.{number}")
                markup = f"{piece.markup}{_LOOK}{inside}" if is_other else piece.markup
                self._code(inline, Code(markup, "open", pairs[-1], piece.tag))
                look = inside if is_other and inside is not None else look
                bases.append(look)
            else:
                inner = bases.pop()
                self._change(inline, look, inner, inner, number)
                is_other = self._plain(inner) != self._plain(bases[-1])
                markup = f"{piece.markup}{_LOOK}" if is_other else piece.markup
                self._code(inline, Code(markup, "close", pairs.pop(), f"/{piece.tag}"))
                look = bases[-1]
        self._change(inline, look, base, base, len(self._pieces))
        return str(inline)

    def _looks_inside(self) -> dict[int, str]:
        """Of each link, by its number among the pieces, the look of all text inside it, where that is one."""
        found: dict[int, str] = {}
        waiting: list[tuple[int, list[str]]] = []  # links that are open, and up to two unlike looks of their text
        for number, piece in enumerate(self._pieces):
            if piece.text is None and piece.kind == "open":
                waiting.append((number, []))
            elif piece.text is None and piece.kind == "close":
                first, looks = waiting.pop()
                if len(looks) == 1:
                    found[first] = looks[0]
                for look in looks if waiting else ():
                    self._note(waiting[-1][1], look)
            elif piece.text and waiting:
                self._note(waiting[-1][1], piece.look)
        return found

    def _note(self, looks: list[str], look: str) -> None:
        if len(looks) < 2 and self._plain(look) not in map(self._plain, looks):
            looks.append(look)

    def _change(self, inline: InlineText, old: str, new: str, base: str, number: int) -> str:
        """The codes between two looks; what looks like the base has none around it."""
        if self._plain(old) == self._plain(new):
            return old
        if self._plain(old) != self._plain(base):
            self._code(inline, Code(f"</{self._prefix}rPr>", "close", self._look_pair, f"/{_shown(old)}"))
        if self._plain(new) != self._plain(base):
            self._look_pair = f"look{number}"
            self._code(inline, Code(new or f"<{self._prefix}rPr/>", "open", self._look_pair, _shown(new)))
        return new

    def _has_text(self, element: Element) -> bool:
        """Whether an element has runs with text, those of paragraphs inside it apart, and was not deleted."""
        known = self._texts.get(element.begin)
        if known is None:
            if element.tag == "r":
                known = any(child.tag == "t" for child in element.children)
            else:
                is_passed = element.tag in {"p", "pPr", "del", "moveFrom"}
                known = not is_passed and any(map(self._has_text, element.children))
            self._texts[element.begin] = known
        return known

    def _plain(self, look: str) -> str:
        """What of a look can be seen."""
        if look not in self._plains:
            self._plains[look] = _bare(look)
        return self._plains[look]

    def _code(self, inline: InlineText, code: Code, span: tuple[int, int] | None = None) -> None:
        inline.code(code, same=len(self._spans))
        self._spans += [None] * (len(self._table.codes) - len(self._spans) - 1) + [span]


def _bare(look: str) -> str:
    plain = _UNSEEN.sub("", look)
    return "" if re.fullmatch(r"<[^>]*?/?>\s*(?:</[^>]*>)?", plain) else plain


def _shown(look: str) -> str:
    names = re.findall(r"<(?:\w+:)?(\w+)", look)
    return "+".join(name for name in names if name in _SHOWN)[:20] or "plain"


def _markup(slot: _Paragraph, codes: Sequence[Code], target: Target) -> str:
    """The paragraph's runs: each text in the look that is open where it stands."""
    prefix, looks, parts = slot.prefix, [slot.base], list[str]()
    for piece in re.split("([\ue000-\uf8ff])", target.text):
        place = code_place(piece)
        if place is None:
            parts.append(_run(piece, looks[-1], prefix) if piece else "")
        elif codes[place].text.startswith(f"<{prefix}rPr"):
            looks.append("" if codes[place].text == f"<{prefix}rPr/>" else codes[place].text)
        elif codes[place].text == f"</{prefix}rPr>":
            looks.pop()
        elif code_place(codes[place].text) is not None:
            parts.append(_run(codes[place].text, looks[-1], prefix))
        else:
            markup, is_look, look = codes[place].text.partition(_LOOK)
            parts.append(markup)
            if is_look and codes[place].kind == "open":
                looks.append(look)
            elif is_look:
                looks.pop()
    return "".join(parts)


def _run(text: str, look: str, prefix: str) -> str:
    words = escape(text)
    for character, tag in (("\n", "br"), ("\t", "tab")):
        words = words.replace(character, f'</{prefix}t><{prefix}{tag}/><{prefix}t xml:space="preserve">')
    return f'<{prefix}r>{look}<{prefix}t xml:space="preserve">{words}</{prefix}t></{prefix}r>'
