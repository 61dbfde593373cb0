"""YAML files of strings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from dragoman.cat.files.base import Keys, Slot, TextFormat
from dragoman.cat.files.document import Document, Edit
from dragoman.cat.files.inline import written
from dragoman.cat.files.messages import message_unit
from dragoman.cat.segments import Target
from dragoman.errors import FormatError, NotAvailable
from dragoman.options import option

if TYPE_CHECKING:
    import yaml

__all__ = ["YamlStrings"]

_DEEPEST = 100
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # json.dumps has escaped the rest
_TEXT = "tag:yaml.org,2002:str"


@dataclass(frozen=True)
class _Scalar(Slot):
    style: str  # ' " | > or none
    indent: int  # of the lines of a block


@dataclass(frozen=True)
class YamlStrings(TextFormat[_Scalar]):
    """YAML: every text that is a value, known by its path (`/en/menu/open`), written in the style it has.

    Placeholders and tags are codes; comments, anchors, numbers, dates and keys are kept. `only` names the keys to take.
    """

    name: ClassVar[str] = "yaml"
    suffixes: ClassVar[tuple[str, ...]] = (".yaml", ".yml")
    only: tuple[str, ...] = option((), text="Only the values of these keys, wherever they stand; all if empty.")

    def slots(self, document: Document) -> Sequence[_Scalar]:
        """A slot for each text that is to be translated."""
        keys = Keys()
        slots = []
        for path, node in _values(document):
            names = [part for part in path if not part.isdigit()]
            if node.value.strip() and (not self.only or (names and names[-1] in self.only)):
                begin, end = _place(document, node)
                unit = message_unit(keys.unique("".join(f"/{part}" for part in path)), node.value)
                slots.append(_Scalar(unit, begin, end, node.style or "", _indent(document.text[begin:end])))
        return slots

    def edits(self, document: Document, slot: _Scalar, target: Target) -> Iterable[Edit]:
        """The text in the style of the one before, if that can hold it, else in double quotation marks."""
        if target.text == slot.unit.source:
            return []
        text = written(target.text, slot.unit.codes)
        return [Edit(slot.begin, slot.end, _styled(text, slot, document))]


def _yaml() -> Any:
    try:
        import yaml
    except ImportError:
        raise NotAvailable.package("Translating YAML", package="PyYAML", extra="cat") from None
    return yaml


def _values(document: Document) -> Iterator[tuple[list[str], yaml.ScalarNode]]:
    """The scalars that are texts, each once, however often it is referred to."""
    yaml = _yaml()
    seen: set[int] = set()

    def walk(node: Any, path: list[str]) -> Iterator[tuple[list[str], Any]]:
        if id(node) in seen:
            return
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            if node.tag == _TEXT:
                yield path, node
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                yield from walk(value, [*path, str(key.value)])
        else:
            for number, value in enumerate(node.value):
                yield from walk(value, [*path, str(number)])

    for number, root in enumerate(_roots(document)):
        if root is not None:
            yield from walk(root, [str(number)] if number else [])


def _roots(document: Document) -> list[Any]:
    yaml = _yaml()
    try:
        _check_depth(document)
        return list(yaml.compose_all(document.text[document.start :], Loader=yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = document.start + (mark.index if mark else 0)
        raise document.error(f"this is no YAML: {error.problem or error.context}.", place) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise FormatError(f"this is no YAML: {' '.join(str(error).split())}.", path=document.name) from None


def _check_depth(document: Document) -> None:
    """Refuse what nests deeper than anybody writes, before a parser that recurses sees it."""
    yaml, depth = _yaml(), 0
    for event in yaml.parse(document.text[document.start :], Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            place = document.start + event.start_mark.index
            raise document.error(f"lists and mappings stand more than {_DEEPEST} deep inside each other.", place)


def _place(document: Document, node: yaml.ScalarNode) -> tuple[int, int]:
    """Where a scalar stands, without the empty lines behind a block."""
    begin, end = document.start + node.start_mark.index, document.start + node.end_mark.index
    if node.style in {"|", ">"}:
        end = begin + len(document.text[begin:end].rstrip(" \t\r\n"))
    # An anchor or tag before the text belongs to the node.
    properties = re.match(r"(?:[&!][^\s]*\s+)*", document.text[begin:end])
    return begin + (properties.end() if properties else 0), end


def _indent(block: str) -> int:
    lines = re.split(r"\r\n|\r|\n", block)[1:]
    return min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)


def _styled(text: str, slot: _Scalar, document: Document) -> str:
    if slot.style == "'" and "\n" not in text:
        candidate = "'" + text.replace("'", "''") + "'"
    elif slot.style in {"|", ">"} and slot.indent:
        candidate = _block(text, slot.indent, document.newline)
    else:
        candidate = text
    return candidate if slot.style != '"' and _means(candidate, text, slot) else _quoted(text)


def _quoted(text: str) -> str:
    """A text in double quotation marks, with escapes of characters that YAML does not take as they are."""
    return _NOT_YAML.sub(lambda char: f"\\u{ord(char[0]):04X}", json.dumps(text, ensure_ascii=False))


def _block(text: str, indent: int, newline: str) -> str:
    body = text.rstrip("\n")
    chomping = {0: "-", 1: ""}.get(len(text) - len(body), "+")
    lines = [f"{' ' * indent}{line}" if line else "" for line in text.split("\n")]
    # What follows the block begins with the line end that is already there.
    return newline.join([f"|{chomping}", *lines[: len(body.split(chr(10)))]])


def _means(candidate: str, text: str, slot: _Scalar) -> bool:
    """Whether a scalar says this text where it stands: as a value, and between brackets."""
    yaml = _yaml()
    if slot.style in {"|", ">"}:
        samples = [f"{' ' * max(0, slot.indent - 1)}k: {candidate}\n"]
    else:
        samples = [f"k: {candidate}\n", f"{{k: {candidate}}}\n"]
    for sample in samples:
        try:
            root = yaml.compose(sample, Loader=yaml.SafeLoader)
        except yaml.YAMLError:
            return False
        value = root.value[0][1] if isinstance(root, yaml.MappingNode) and len(root.value) == 1 else None
        if not isinstance(value, yaml.ScalarNode) or (value.tag, value.value) != (_TEXT, text):
            return False
    return True
