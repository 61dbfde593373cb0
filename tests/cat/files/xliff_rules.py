"""What the specifications of XLIFF demand of a document, as far as it shows in its elements.

That is their order, the attributes that they must have, ids that stand once, references that lead somewhere.

No schema lies here, so this is no validation by one: the rules are written from the text of XLIFF 1.2 (OASIS, 2008,
section 2) and 2.1 (OASIS, 2018, section 4), for the core alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree

__all__ = ["shortcomings"]

_V1, _V2 = "{urn:oasis:names:tc:xliff:document:1.2}", "{urn:oasis:names:tc:xliff:document:2.0}"
_REQUIRED_1 = {
    "xliff": ("version",),
    "file": ("original", "source-language", "datatype"),
    "trans-unit": ("id",),
    **dict.fromkeys(("g", "x", "bx", "ex", "bpt", "ept", "ph"), ("id",)),
    "it": ("id", "pos"),
    "mrk": ("mtype",),
}
_STATES_1 = re.compile(
    "final|needs-(adaptation|l10n|review-adaptation|review-l10n|review-translation|translation)|new|signed-off"
    "|translated|x-.*"
)
_ORDER_1 = {
    "file": ("header", "body"),
    "trans-unit": ("source", "seg-source", "target", "context-group count-group prop-group note alt-trans"),
    "alt-trans": ("source", "seg-source", "target", "context-group prop-group note"),
}
_REQUIRED_2 = {
    "xliff": ("version", "srcLang"),
    **dict.fromkeys(("file", "unit", "group", "ph", "pc", "sc", "mrk", "sm"), ("id",)),
    "em": ("startRef",),
    "cp": ("hex",),
    "data": ("id",),
}
_ORDER_2 = {
    "unit": ("notes", "originalData", "segment ignorable"),
    "segment": ("source", "target"),
    "ignorable": ("source", "target"),
}
_STATES_2 = ("initial", "translated", "reviewed", "final")


def shortcomings(content: bytes) -> list[str]:
    """What is wrong with a document; nothing with one that keeps the rules."""
    root = ElementTree.fromstring(content)
    if root.tag == f"{_V2}xliff":
        return list(_second(root))
    return list(_first(root))


def _name(element: ElementTree.Element, space: str) -> str:
    return element.tag.removeprefix(space)


def _common(
    root: ElementTree.Element, space: str, required: dict[str, tuple[str, ...]], orders: dict[str, tuple[str, ...]]
) -> Iterator[str]:
    for element in root.iter():
        name = _name(element, space)
        yield from (f"<{name}> lacks {each}" for each in required.get(name, ()) if each not in element.attrib)
        groups = [group.split() for group in orders.get(name, ())]
        places = [
            next((k for k, group in enumerate(groups) if _name(child, space) in group), None) for child in element
        ]
        known = [place for place in places if place is not None]
        if known != sorted(known):
            yield f"the children of <{name}> stand in a wrong order: {[_name(child, space) for child in element]}"
        single = [child for child in element if _name(child, space) in ("source", "target", "seg-source")]
        twice = [each for each, n in Counter(_name(child, space) for child in single).items() if n > 1]
        if name != "alt-trans":
            yield from (f"<{name}> has <{each}> twice" for each in twice)


def _first(root: ElementTree.Element) -> Iterator[str]:
    yield from _common(root, _V1, _REQUIRED_1, _ORDER_1)
    if root.tag != f"{_V1}xliff" or root.get("version") != "1.2":
        yield f"the root is {root.tag} of version {root.get('version')}"
    for target in root.iter(f"{_V1}target"):
        if not _STATES_1.fullmatch(target.get("state", "new")):
            yield f"a target has the state {target.get('state')}"
    for text in (each for tag in ("source", "target") for each in root.iter(f"{_V1}{tag}")):
        for opening, closing in (("bpt", "ept"), ("bx", "ex")):
            pairs = [
                Counter(each.get("rid", each.get("id")) for each in text.iter(f"{_V1}{tag}"))
                for tag in (opening, closing)
            ]
            if pairs[0] != pairs[1]:
                yield f"<{opening}> and <{closing}> do not pair: {pairs}"
    for unit in root.iter(f"{_V1}trans-unit"):
        marked, target = unit.find(f"{_V1}seg-source"), unit.find(f"{_V1}target")
        if marked is not None and target is not None and _mids(target) and _mids(target) != _mids(marked):
            yield f"the segments of a target are {_mids(target)}, those of its source {_mids(marked)}"


def _mids(element: ElementTree.Element) -> list[str | None]:
    return [each.get("mid") for each in element.iter(f"{_V1}mrk") if each.get("mtype") == "seg"]


def _second(root: ElementTree.Element) -> Iterator[str]:
    yield from _common(root, _V2, _REQUIRED_2, _ORDER_2)
    if "trgLang" not in root.attrib and next(root.iter(f"{_V2}target"), None) is not None:
        yield "there are targets, and the root tells no trgLang"
    yield from _twice("a file", (each.get("id") for each in root.iter(f"{_V2}file")))
    for file in root.iter(f"{_V2}file"):
        yield from _twice("a unit", (each.get("id") for each in file.iter(f"{_V2}unit")))
        for unit in file.iter(f"{_V2}unit"):
            yield from _unit(unit)


def _unit(unit: ElementTree.Element) -> Iterator[str]:
    segments = [each for each in unit if _name(each, _V2) in ("segment", "ignorable")]
    if not segments:
        yield "a unit has no segment"
    for segment in segments:
        if segment.get("state", "initial") not in _STATES_2:
            yield f"a segment has the state {segment.get('state')}"
        if segment.get("state", "initial") != "initial" and segment.find(f"{_V2}target") is None:
            yield "a segment is translated and has no target"
    for side in ("source", "target"):
        texts = [each for segment in segments for each in segment.findall(f"{_V2}{side}")]
        inline = [each for text in texts for each in text.iter() if each is not text]
        ids = [each.get("id") for each in inline if each.get("id")]
        yield from _twice(f"an inline element of a {side}", ids)
        for each in inline:
            if each.get("startRef") and each.get("startRef") not in ids:
                yield f"{_name(each, _V2)} refers to {each.get('startRef')}, which the {side} does not have"


def _twice(what: str, ids: Iterator[str | None] | list[str | None]) -> Iterator[str]:
    counts = Counter(each for each in ids if each is not None)
    yield from (f"the id {each!r} of {what} stands {n} times" for each, n in counts.items() if n > 1)
