"""Outputs with the same system's outputs around them, in every protocol that shows neighbours; nobody is told whose."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.protocol import PROTOCOLS, Item, Protocol
from tests.human.protocol_examples import NAMES, example

ABOUT_OUTPUTS = [name for name in NAMES if "neighbours" in {each.name for each in fields(PROTOCOLS.get(name))}]
WITHOUT = {"blind-editing", "comprehension", "crowd-translation"}  # its neighbours are others'; passages; no outputs


def plan(name: str, neighbours: str) -> tuple[Protocol, TestSet, list[Item]]:
    manifest = example(name)
    change: dict[str, Any] = {"neighbours": neighbours, "context": 1}
    protocol = replace(manifest.protocol, **change)
    assignments = protocol.plan(manifest.test_set, manifest.annotators, seed=3)
    return protocol, manifest.test_set, [item for each in assignments for item in each.task.items]


def shown_outputs(item: Item) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Place, system and what is shown of each output of an item."""
    for each in item.shown.get("outputs", ()):
        yield each["place"], item.places[each["place"]], each
    if "outputs" not in item.shown:
        yield "text", item.system, item.shown


def around(lines: Any, test_set: TestSet, segment: int) -> dict[str, list[str]]:
    """One line on either side, of the same document."""
    span = next((span for span in test_set.documents().values() if segment - 1 in span), range(len(test_set)))
    near = {"before": segment - 2, "after": segment}
    return {side: [lines[place] or ""] if place in span else [] for side, place in near.items()}


def test_every_protocol_that_shows_outputs_has_them() -> None:
    assert set(NAMES) - set(ABOUT_OUTPUTS) == WITHOUT


@pytest.mark.parametrize("name", ABOUT_OUTPUTS)
def test_an_output_stands_among_its_own_systems_outputs(name: str) -> None:
    _, test_set, items = plan(name, "outputs")
    reference = next(iter(test_set.refs.values()), None)
    n_shown = 0
    for item in items:
        assert "before" not in item.shown
        copies = {worse for _, worse in (item.expected or {}).get("order", ())} if item.type == "BAD" else set()
        for place, system, shown in shown_outputs(item):
            if place in copies:
                continue
            lines = reference if item.type == "REF" else test_set.systems[system]
            assert shown["neighbours"] == around(lines, test_set, item.segment)
            n_shown += 1
    assert n_shown


@pytest.mark.parametrize("name", ABOUT_OUTPUTS)
def test_both_kinds_of_neighbours_can_be_shown_and_by_default_only_those_beside(name: str) -> None:
    _, _, both = plan(name, "both")
    _, _, beside = plan(name, "beside")
    for item, plain in zip(both, beside, strict=True):
        assert (item.id, item.system, item.places) == (plain.id, plain.system, plain.places)
        assert "neighbours" not in json.dumps(dict(plain.shown))
        assert all("neighbours" in shown for _, _, shown in shown_outputs(item))
        assert {side: item.shown.get(side) for side in ("before", "after")} == {
            side: plain.shown.get(side) for side in ("before", "after")
        }


@pytest.mark.parametrize("name", ABOUT_OUTPUTS)
def test_no_name_of_a_system_is_shown(name: str) -> None:
    protocol, test_set, items = plan(name, "both")
    texts = " ".join(line for lines in test_set.systems.values() for line in lines)
    named = [re.compile(rf"\b{re.escape(system)}\b") for system in test_set.systems]
    assert not any(name.search(texts) for name in named)
    told = json.dumps([dict(item.shown) for item in items], ensure_ascii=False) + json.dumps(protocol.ask())
    assert not [name.pattern for name in named if name.search(told)]


@pytest.mark.parametrize("name", ["ranking", "pairwise", "contrastive-da", "crowd-voting"])
def test_a_degraded_copy_is_not_known_by_having_its_originals_neighbours(name: str) -> None:
    manifest = example(name)
    test_set = TestSet(
        source_lang="de",
        target_lang="en",
        srcs=[f"Satz {n} mit einigen Wörtern" for n in range(12)],
        refs={"A": [f"sentence {n} with a few words" for n in range(12)]},
        systems={
            system: [f"{letter} sentence {n} with several words of its own" for n in range(12)]
            for system, letter in (("one", "X"), ("two", "Y"), ("three", "Z"))
        },
    )
    change: dict[str, Any] = {"neighbours": "outputs", "context": 1, "repeats": 0, "degraded": 0.5}
    protocol = replace(manifest.protocol, **change)
    traps = [item for task in protocol.tasks(test_set, seed=1) for item in task.items if item.type == "BAD"]
    assert traps
    for item in traps:
        near = [json.dumps(shown["neighbours"]) for _, _, shown in shown_outputs(item)]
        assert len(set(near)) == len(near)


def test_neighbours_of_outputs_need_a_number_and_a_known_word() -> None:
    protocol = example("esa").protocol
    unnumbered: dict[str, Any] = {"neighbours": "outputs", "context": 0}
    unknown: dict[str, Any] = {"neighbours": "all", "context": 1}
    with pytest.raises(DataError, match="neighbours is 'outputs', but context is 0; say how many"):
        replace(protocol, **unnumbered)
    with pytest.raises(DataError, match="neighbours is 'all'; expected beside, outputs or both"):
        replace(protocol, **unknown)
