"""Files of several languages by one name: `train` is `train.en`, `train.de` …; `nc.{pair}.{lang}` has pairs apart."""

from __future__ import annotations

from pathlib import Path

from dragoman.data.bitext import Bitext
from dragoman.data.bitext_files import read_bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError

__all__ = ["find_bitext", "read_bitext_of", "read_test_set"]

_ENDINGS = ("", ".gz")


def find_bitext(name: str, source: str, target: str) -> tuple[Path, Path] | None:
    """The two files of a direction, either order of the pair; None if they are not there."""
    template = name if "{lang}" in name else f"{name}.{{lang}}"
    for pair in (f"{source}-{target}", f"{target}-{source}"):
        found = [_file(template.replace("{pair}", pair).replace("{lang}", lang)) for lang in (source, target)]
        if found[0] and found[1]:
            return found[0], found[1]
    return None


def read_bitext_of(name: str, source: str, target: str) -> Bitext:
    """The bitext of a direction; files that are not there are named."""
    files = find_bitext(name, source, target)
    if files is None:
        template = name if "{lang}" in name else f"{name}.{{lang}}"
        wanted = " and ".join(template.replace("{lang}", lang) for lang in (source, target))
        raise DataError(
            f"There is no text {source}-{target}: looked for {wanted} (or the same with .gz). A name stands for files "
            "with the language behind it, NAME.de, or holds {lang} and perhaps {pair}."
        )
    return read_bitext([str(files[0]), str(files[1])])


def read_test_set(name: str, source: str, target: str) -> TestSet:
    """A tuning or test set of a direction."""
    pairs = list(read_bitext_of(name, source, target))
    return TestSet(srcs=[src for src, _ in pairs], refs={"ref": [tgt for _, tgt in pairs]})


def _file(name: str) -> Path | None:
    return next((Path(name + ending) for ending in _ENDINGS if Path(name + ending).is_file()), None)
