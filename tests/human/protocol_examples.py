"""The campaigns of `examples/`, which are the tests of their protocols."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from dragoman.data import TestSet
from dragoman.human.manifest import Manifest, read_manifest
from dragoman.human.protocol import PROTOCOLS, Protocol

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = PROTOCOLS.names()


@cache
def example(name: str) -> Manifest:
    """The manifest of a protocol's example."""
    return read_manifest(EXAMPLES / name / "manifest.toml")


def people(manifest: Manifest, redundancy: int) -> tuple[str, ...]:
    """Enough annotators: everybody hears a passage in one condition only."""
    n = redundancy * len(manifest.test_set.systems) if manifest.protocol.name == "comprehension" else max(3, redundancy)
    return tuple(f"person-{number}" for number in range(n))


def with_redundancy(name: str, redundancy: int) -> tuple[Protocol, TestSet, tuple[str, ...]]:
    """A protocol as its example sets it, with its test set and enough annotators."""
    manifest = example(name)
    protocol = replace(manifest.protocol, redundancy=redundancy, overlap=1.0)
    return protocol, manifest.test_set, people(manifest, redundancy)


def renamed(name: str) -> tuple[Protocol, TestSet, tuple[str, ...]]:
    """The same with systems whose names stand in no text."""
    protocol, test_set, annotators = with_redundancy(name, 1)
    names = {old: f"zqx-{number}" for number, old in enumerate(test_set.systems)}

    def entries(given: Any) -> list[dict[str, Any]]:
        return [{key: names.get(value, value) for key, value in each.items()} for each in given]

    systems = {names[old]: lines for old, lines in test_set.systems.items()}
    changed = replace(protocol, gold=entries(protocol.gold), tutorial=entries(protocol.tutorial))
    return changed, replace(test_set, systems=systems), annotators
