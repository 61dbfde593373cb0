"""Fixtures of earlier versions, unpacked once for all processes of a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.upgrade.asking import HERE, unpack
from tests.web.conftest import cluster

__all__ = ["cluster", "unpacked"]

Unpacked = Callable[[str, str], Path]


@pytest.fixture(scope="session")
def unpacked(made_once: Callable[[str, Callable[[Path], object]], Path]) -> Unpacked:
    """`unpacked("0.1.0", "models")` gives the folder with the files of an archive."""

    def folder_of(version: str, name: str) -> Path:
        archive = HERE / version / f"{name}.tar.xz"
        return made_once(f"upgrade-{version}-{name}", lambda folder: unpack(archive, folder))

    return folder_of
