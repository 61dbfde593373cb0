"""Test sets that sacreBLEU has downloaded: read from its folder, `$SACREBLEU` or `~/.sacrebleu`.

A set's folder holds one file for each language pair and field, `wmt21/wmt21.en-de.ref-A` for the field `ref:A` (layout
of sacreBLEU 2.3 and later). Nothing is downloaded.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import DataError, NotAvailable
from dragoman.files import StrPath
from dragoman.text.languages import pair_among
from dragoman.text.lines import TextLines, read_text_lines

__all__ = ["SacrebleuSet", "find_sacrebleu_set", "list_sacrebleu_sets", "sacrebleu_folder"]

_FIELD = re.compile(r"(?P<pair>(?=[^.]+-[^.])[^.]++)\.(?P<field>[^.].*)")

# Which of several references count, as the campaigns decided (sacreBLEU 2.6); of all other sets, every reference.
_REFERENCES: dict[str, tuple[str, ...]] = {
    "wmt21": ("ref:A",),
    "wmt21/systems": ("ref:A",),
    "wmt21/B": ("ref:B",),
    "wmt21/AB": ("ref:A", "ref:B"),
    "wmt21/C": ("ref:C",),
    "wmt21/AC": ("ref:A", "ref:C"),
    "wmt21/D": ("ref:D",),
    "wmt21/dev": ("ref:A", "ref"),
    "wmt22": ("ref:A",),
    "wmt22 cs-en": ("ref:B",),
    "wmt22 en-cs": ("ref:B",),
    "wmt22 liv-en": ("ref",),
    "wmt22 ru-sah": ("ref",),
    "wmt23": ("ref:refA",),
    "wmt23 en-he": ("ref:refB",),
    "wmt23 he-en": ("ref:refB",),
    "wmt24": ("ref:refA",),
}


def sacrebleu_folder() -> Path:
    """Where sacreBLEU keeps its test sets."""
    return Path(os.environ.get("SACREBLEU") or Path.home() / ".sacrebleu")


@dataclass(frozen=True)
class SacrebleuSet:
    """A test set and language pair in the folder; its files are read when they are asked for."""

    name: str
    pair: str
    files: dict[str, Path]  # by field: src, ref or ref:A …, docid, origlang, perhaps systems

    def read(self, field: str) -> TextLines:
        """The lines of a field; `ref` is the first reference where there are several."""
        if field == "ref" and field not in self.files and self.references:
            field = min(name for name in self.files if name.startswith("ref"))
        if field not in self.files:
            raise DataError(f"{self.name} {self.pair} has no field {field!r}. Known: {', '.join(self.files)}.")
        return read_text_lines(self.files[field])

    @property
    def references(self) -> tuple[str, ...]:
        """The fields that systems are scored against."""
        chosen = _REFERENCES.get(f"{self.name} {self.pair}", _REFERENCES.get(self.name))
        return tuple(name for name in self.files if (name.startswith("ref") if chosen is None else name in chosen))


def list_sacrebleu_sets(folder: StrPath | None = None) -> list[SacrebleuSet]:
    """All test sets and language pairs that are there, sorted."""
    top = sacrebleu_folder() if folder is None else Path(folder)
    streams: dict[tuple[str, str], dict[str, Path]] = {}
    for path in sorted(top.rglob("*")):
        name = path.parent.relative_to(top).as_posix()
        prefix = name.replace("/", "_") + "."
        match = _FIELD.fullmatch(path.name.removeprefix(prefix))
        if match and path.name.startswith(prefix) and path.is_file():
            field = re.sub("^ref-", "ref:", match["field"])
            streams.setdefault((name, match["pair"]), {})[field] = path
    return [SacrebleuSet(name, pair, _ordered(files)) for (name, pair), files in sorted(streams.items())]


def find_sacrebleu_set(name: str, pair: str, folder: StrPath | None = None) -> SacrebleuSet:
    """One test set; where it is not there, the error says how to get it."""
    top = sacrebleu_folder() if folder is None else Path(folder)
    there = list_sacrebleu_sets(top)
    for each in there:
        if each.name == name and pair_among(pair, [each.pair]) and each.references:
            return each
    names = ", ".join(f"{each.name} {each.pair}" for each in there[:20]) or "none"
    raise NotAvailable(
        f"There is no {name} {pair} in {top}. Nothing is downloaded here: run `sacrebleu -t {name} -l {pair} "
        "--echo ref` once where there is a network, copy the folder and name it in $SACREBLEU, or give the reference "
        f"as a file. There: {names}."
    )


def _ordered(files: dict[str, Path]) -> dict[str, Path]:
    """The source, then references, then the rest."""
    rank = {name: (name != "src", not name.startswith("ref"), name) for name in files}
    return {name: files[name] for name in sorted(files, key=rank.__getitem__)}
