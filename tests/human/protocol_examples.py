"""The campaigns of `examples/`, which are the tests of their protocols."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dragoman.human.manifest import Manifest, read_manifest
from dragoman.human.protocol import PROTOCOLS

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = PROTOCOLS.names()


@cache
def example(name: str) -> Manifest:
    """The manifest of a protocol's example."""
    return read_manifest(EXAMPLES / name / "manifest.toml")
