"""The samples as objects."""

from __future__ import annotations

from pathlib import Path

from dragoman.errors import UnknownName
from dragoman.files import read_lines

__all__ = ["PHRASEBOOK_LANGS", "phrasebook", "sample_path"]

_FOLDER = Path(__file__).parent

PHRASEBOOK_LANGS = ("en", "de", "es", "fr")


def sample_path(name: str) -> Path:
    """Where a sample file lies: `sample_path("testset/source.de")`."""
    path = _FOLDER / name
    if not path.is_file() or path.suffix == ".py":
        names = ", ".join(sorted(p.relative_to(_FOLDER).as_posix() for p in _FOLDER.rglob("*.*") if _is_sample(p)))
        raise UnknownName(f"There is no sample {name!r}. Known: {names}.")
    return path


def phrasebook() -> dict[str, list[str]]:
    """The phrasebook by column: `id`, `domain`, and the 600 sentences in each of `PHRASEBOOK_LANGS`."""
    header, *rows = (line.split("\t") for line in read_lines(sample_path("phrasebook.tsv")))
    return {name: list(column) for name, column in zip(header, zip(*rows, strict=True), strict=True)}


def _is_sample(path: Path) -> bool:
    return path.suffix not in {".py", ".pyc"}
