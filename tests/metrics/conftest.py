"""Real systems and odd texts for the tests of metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.files import read_lines


@pytest.fixture(scope="session")
def newstest2013(data_folder: Path):
    """`newstest2013("fr-en")` gives the references' lines and every system's lines."""

    def load(pair: str) -> tuple[list[str], dict[str, list[str]]]:
        folder = data_folder / "newstest2013"
        ref = read_lines(folder / "references" / f"newstest2013.{pair[-2:]}.gz")
        prefix = f"newstest2013.{pair}."
        files = sorted((folder / pair).glob("*.gz"))
        return ref, {path.name.removeprefix(prefix).removesuffix(".gz"): read_lines(path) for path in files}

    return load
