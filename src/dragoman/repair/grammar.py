"""The grammar of a target language as data: paradigms, prepositions and their cases, words that rules ask for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from dragoman.errors import FormatError, UnknownName
from dragoman.notation import parse_toml

__all__ = ["Features", "Grammar", "Paradigm", "grammar_names", "load_grammar", "read_grammar"]

Features = Mapping[str, str]
_FOLDER = "grammars"


@dataclass(frozen=True)
class Paradigm:
    """A way to inflect: endings with their features. Of `only` these stems, if it names any."""

    name: str
    upos: str
    endings: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    only: tuple[str, ...] = ()

    @cached_property
    def plain(self) -> frozenset[str]:
        """The endings that leave the stem as it is: words are cut before them."""
        return frozenset(ending for ending, _ in self.endings if not ending.startswith("^"))


@dataclass(frozen=True)
class Grammar:
    """What rules know of a language."""

    language: str
    source: str
    paradigms: tuple[Paradigm, ...]
    changes: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]]
    prepositions: Mapping[str, tuple[str, ...]]  # with the cases that they take
    vocalised: Mapping[str, tuple[str, re.Pattern[str]]]  # other forms, and what they stand before
    words: Mapping[str, Any]
    translation: Mapping[str, Mapping[str, str]]
    agreement: Mapping[str, tuple[str, ...]]
    joined: tuple[str, ...] = ()
    has_attributes_behind: bool = False  # Spanish: adjectives may follow their noun

    def form(self, stem: str, ending: str) -> str:
        """A stem with an ending of a paradigm."""
        for pattern, other in self.changes.get(ending, ()):
            if pattern.search(stem):
                return pattern.sub(other, stem, count=1)
        return stem + ("" if ending == "0" else ending)

    @cached_property
    def base_prepositions(self) -> dict[str, str]:
        """Prepositions in all their forms: `ve` is `v`."""
        return {**{name: name for name in self.prepositions}, **{new: old for old, (new, _) in self.vocalised.items()}}

    def cases(self, preposition: str) -> tuple[str, ...]:
        """The cases that a preposition takes; none for a word that is no preposition."""
        return self.prepositions.get(self.base_prepositions.get(preposition.lower(), ""), ())

    def features(self, feats: Features) -> dict[str, str]:
        """Features of a treebank with values joined that count as one here."""
        values = dict(feats)
        if self.joined and self.joined[0] in values:
            rest = [values.pop(name) for name in self.joined[1:] if name in values]
            values[self.joined[0]] = "+".join([values[self.joined[0]], *rest])
        return values


def grammar_names() -> list[str]:
    """The languages that there are grammars of."""
    folder = files("dragoman.repair") / _FOLDER
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


@lru_cache(maxsize=8)
def load_grammar(name: str) -> Grammar:
    """The grammar of a language, or of a TOML file."""
    if name in grammar_names():
        return read_grammar(Path(str(files("dragoman.repair") / _FOLDER / f"{name}.toml")))
    if name.endswith(".toml"):
        return read_grammar(Path(name))
    raise UnknownName(
        f"There is no grammar of {name!r}. Known: {', '.join(grammar_names())}; or name a TOML file of your own."
    )


def read_grammar(path: Path) -> Grammar:
    """A grammar from its file; what does not fit is named."""
    from dragoman.files import read_bytes

    values = parse_toml(read_bytes(path).decode(), path=path)
    try:
        return _grammar(values)
    except (KeyError, TypeError, AttributeError, ValueError, re.error) as error:
        raise FormatError(f"the grammar does not fit: {error}.", path=path) from None


def _grammar(values: Mapping[str, Any]) -> Grammar:
    slots = {name: _slots(axes) for name, axes in values.get("slots", {}).items()}
    changes = {
        mark: tuple((re.compile(pattern), other) for pattern, other in pairs)
        for mark, pairs in values.get("changes", {}).items()
    }
    return Grammar(
        language=values["language"],
        source=values.get("source", "en"),
        paradigms=tuple(_paradigm(each, slots, changes) for each in values.get("paradigm", ())),
        changes=changes,
        prepositions={name: tuple(cases) for name, cases in values.get("prepositions", {}).items()},
        vocalised={old: (new, re.compile(before)) for old, (new, before) in values.get("vocalised", {}).items()},
        words=dict(values.get("words", {})),
        translation=dict(values.get("translation", {})),
        agreement={name: tuple(each) for name, each in values["agreement"].items()},
        joined=tuple(values.get("joined", ())),
        has_attributes_behind=bool(values.get("attributes_behind", False)),
    )


def _slots(axes: list[str]) -> list[tuple[tuple[str, str], ...]]:
    """The slots of a table in order: all values of the last feature for each of the one before, and so on."""
    lists = []
    for axis in axes:
        name, _, options = axis.partition("=")
        lists.append([(name, value) for value in options.split(",")])
    return [tuple(each) for each in product(*lists)]


def _paradigm(
    values: Mapping[str, Any], slots: Mapping[str, list[tuple[tuple[str, str], ...]]], changes: Mapping[str, Any]
) -> Paradigm:
    name = values["name"]
    fixed = tuple(tuple(pair.split("=", 1)) for pair in values.get("feats", "").split("|") if pair)
    endings: dict[tuple[str, tuple[tuple[str, str], ...]], None] = {}
    for table, text in values["tables"].items():
        if table not in slots:
            raise ValueError(f"the paradigm {name!r} has a table {table!r} without slots; known: {', '.join(slots)}")
        cells = text.replace("|", " ").split()
        if len(cells) != len(slots[table]):
            raise ValueError(f"the table {table!r} of {name!r} has {len(cells)} endings for {len(slots[table])} slots")
        for cell, slot in zip(cells, slots[table], strict=True):
            for ending in cell.split("/") if cell != "-" else ():
                if ending.startswith("^") and ending not in changes:
                    raise ValueError(f"the paradigm {name!r} has the ending {ending!r}, which [changes] lacks")
                endings[ending, (*fixed, *slot)] = None
    return Paradigm(name, values["upos"], tuple(endings), tuple(values.get("only", ())))
