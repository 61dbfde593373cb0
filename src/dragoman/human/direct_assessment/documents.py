"""Direct assessment of whole documents: segments in their order, then the document (WMT 2020, SR+DC)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.draws import Draws
from dragoman.human.material import Material
from dragoman.human.placing import even, n_controls, placed
from dragoman.human.protocol import Item, Task

__all__ = ["document_tasks"]


def document_tasks(material: Material, controls: Mapping[str, float], size: int, *, seed: int) -> list[Task]:
    """Documents in random order, systems evenly spread, in tasks of about `size` segments.

    Of each task's documents shares are shown again, with all segments degraded, and as the reference.
    """
    test_set = material.test_set
    spans = list(test_set.documents().values())
    if not spans:
        raise DataError("The test set does not say where documents begin; give it docs, or judge segments.")
    draws = Draws(seed, "order")
    rounds = [draws.shuffled(spans) for _ in test_set.systems]
    order: list[tuple[str, range]] = []
    for documents in zip(*rounds, strict=True):
        order += draws.shuffled(list(zip(test_set.systems, documents, strict=True)))
    per_task = max(1, round(size / (len(test_set) / len(spans))))
    sizes = even(len(order), per_task)
    tasks, start = [], 0
    for number, count in enumerate(sizes, start=1):
        own = Draws(seed, f"task/{number}")
        items = [_document(material, "TGT", system, span, own) for system, span in order[start : start + count]]
        start += count
        blocks = [[item] for item in items]
        for item in own.shuffled(items)[: n_controls(controls.get("reference", 0.0), len(items))]:
            place = own.below(len(blocks) + 1)
            blocks.insert(place, [_document(material, "REF", item.system, _span(item), own)])
        name = f"task-{number:0{len(str(len(sizes)))}}"
        tasks.append(Task(name, _placed(material, blocks, controls, own)))
    return tasks


def _placed(
    material: Material, blocks: Sequence[Sequence[Item]], controls: Mapping[str, float], draws: Draws
) -> tuple[Item, ...]:
    return placed(
        blocks,
        repeats=controls.get("repeat", 0.0),
        degraded=controls.get("bad", 0.0),
        again=lambda item: _document(material, "CHK", item.system, _span(item), draws),
        worse=lambda item: _worse(material, item, draws),
        draws=draws,
    )


def _span(item: Item) -> range:
    return range(item.segment - 1, item.segment - 1 + item.segments)


def _worse(material: Material, item: Item, draws: Draws) -> Item | None:
    """The document with every segment degraded that can be; nothing if that is less than half of them."""
    worse = [
        material.degraded(material.output(item.system, n + 1), n + 1, draws) or material.output(item.system, n + 1)
        for n in _span(item)
    ]
    texts = [segment["text"] for segment in item.shown["segments"]]
    if 2 * sum(a != b for a, b in zip(worse, texts, strict=True)) < len(texts):
        return None
    return _document(material, "BAD", item.system, _span(item), draws, texts=worse)


def _document(
    material: Material, kind: str, system: str, span: range, draws: Draws, *, texts: Sequence[str] | None = None
) -> Item:
    segments: list[dict[str, Any]] = []
    for place, n in enumerate(span):
        text = _reference(material.test_set, n + 1) if kind == "REF" else material.output(system, n + 1)
        segments.append({"text": texts[place] if texts is not None else text, **material.around(n + 1)})
    return Item(
        id=draws.name(),
        type=kind,
        system=system,
        segment=span.start + 1,
        doc=material.doc(span.start + 1),
        shown={"segments": segments},
        langs=material.langs,
        segments=len(span),
    )


def _reference(test_set: TestSet, segment: int) -> str:
    for lines in test_set.refs.values():
        line = lines[segment - 1]
        if line is not None:
            return line
        break
    raise DataError(f"Segment {segment} has no reference to show.")
