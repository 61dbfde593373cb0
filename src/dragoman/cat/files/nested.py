"""Slots inside the codes of other slots: an image's description in a paragraph, a text box in a line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from dragoman.cat.files.base import Slot
from dragoman.cat.files.document import Document, Edit, splice
from dragoman.cat.segments import Code, Target

__all__ = ["NestedSlot", "nested_changes"]


@dataclass(frozen=True)
class NestedSlot(Slot):
    """A slot that knows where in the document the mark-up of its codes stands."""

    spans: tuple[tuple[int, int] | None, ...] = ()


N = TypeVar("N", bound=NestedSlot)


def _edits(document: Document, slots: Sequence[N], markup: Callable[[N, Sequence[Code]], str]) -> list[Edit]:
    """The edits that give slots the mark-up that is made with their codes; what changes inside a code changes there."""
    done: list[Edit] = []  # by place
    for slot in sorted(slots, key=lambda each: each.end - each.begin):  # inner ones first
        codes = [
            code if span is None else _current(document, done, code, span)
            for code, span in zip(slot.unit.codes, slot.spans, strict=True)
        ]
        inside = slice(bisect_left(done, (slot.begin,)), bisect_left(done, (slot.end,)))
        done[inside] = [Edit(slot.begin, slot.end, markup(slot, codes))]
    return done


def nested_changes(
    document: Document,
    slots: Sequence[N],
    targets: Mapping[str, Target],
    markup: Callable[[N, Sequence[Code], Target], str],
) -> list[Edit]:
    """The edits of slots whose target is not their source."""
    changed = [slot for slot in slots if slot.unit.key in targets and targets[slot.unit.key].text != slot.unit.source]
    return _edits(document, changed, lambda slot, codes: markup(slot, codes, targets[slot.unit.key]))


def _current(document: Document, done: list[Edit], code: Code, span: tuple[int, int]) -> Code:
    begin, end = span
    inside = done[bisect_left(done, (begin,)) : bisect_left(done, (end,))]
    if not inside:
        return code
    old = document.text[begin:end]
    new = splice(old, [Edit(edit.begin - begin, edit.end - begin, edit.text) for edit in inside])
    return replace(code, text=code.text.replace(old, new, 1))
