"""The manifest of a campaign: one TOML file that says what is judged, how, by whom. Data, never code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from dragoman.data.assemble import assemble
from dragoman.data.convert import read_test_set
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.files import StrPath, read_text
from dragoman.human.batches import read_batches
from dragoman.human.protocol import PROTOCOLS, Protocol, Task
from dragoman.notation import parse_toml

__all__ = ["Manifest", "read_manifest"]

_OWN = ("name", "protocol", "seed", "annotators", "test_set", "title", "instructions", "batches")
_TEST_SET = ("path", "srcs", "refs", "systems", "docs", "source_lang", "target_lang")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_TABLE = re.compile(r"\s*\[\s*([A-Za-z0-9_.\"'-]+)\s*\]")
_KEY = re.compile(r"\s*[\"']?([A-Za-z0-9_-]+)[\"']?\s*(?:\.[^=]*)?=")


@dataclass(frozen=True)
class Manifest:
    """A campaign as it was declared."""

    name: str
    protocol: Protocol
    test_set: TestSet
    annotators: tuple[str, ...]
    seed: int
    path: str
    title: str = ""  # for people; empty: the name
    instructions: str = ""  # shown to annotators before they begin
    tasks: tuple[Task, ...] = ()  # as another tool made them; empty: the protocol makes them


def read_manifest(path: StrPath) -> Manifest:
    """The campaign that a TOML file declares; what is wrong raises with the line it stands on.

    `name`, `protocol`, `seed` (1 if absent), `annotators` (their names, or how many), `title` and `instructions` for
    people, the table `test_set` (`path` of a test set, or line files `srcs`, `refs`, `systems`, `docs`, with
    `source_lang` and `target_lang`), and any option of the protocol. Paths are meant from the folder of the manifest.
    `batches` in place of `test_set` is a file of tasks that Appraise takes: they are judged as they stand there.
    """
    return _Reader(path).manifest()


class _Reader:
    """The values of a manifest and where each stands."""

    def __init__(self, path: StrPath) -> None:
        self.path = path
        self.text = read_text(path)
        self.values = parse_toml(self.text, path=path)

    def manifest(self) -> Manifest:
        protocol = self._protocol()
        name = self._get("name", str, Path(self.path).stem.removesuffix(".toml"))
        if not _NAME.fullmatch(name):
            raise self._wrong("name", f"{name!r} cannot name a campaign; use letters, digits, '.', '-' and '_'")
        seed = self._get("seed", int, 1)
        if seed < 0:
            raise self._wrong("seed", f"seed is {seed}; expected a whole number from 0 on")
        texts = {key: self._get(key, str, "") for key in ("title", "instructions")}
        batches = self._get("batches", str, "")
        if not batches:
            test_set = self._test_set(needs_systems=protocol.needs_systems)
            return Manifest(name, protocol, test_set, self._annotators(), seed, str(self.path), **texts)
        if "test_set" in self.values:
            raise self._wrong("test_set", "test_set and batches cannot both be given: the batches hold their texts")
        given = read_batches(Path(self.path).parent / batches, protocol, name=name, seed=seed)
        return Manifest(
            name, protocol, given.test_set, self._annotators(), seed, str(self.path), **texts, tasks=given.tasks
        )

    def _protocol(self) -> Protocol:
        name = self._get("protocol", str)
        try:
            cls = PROTOCOLS.get(name)
        except UnknownName as error:
            raise self._wrong("protocol", str(error)) from None
        options = {key: value for key, value in self.values.items() if key not in _OWN}
        declared = {option.name: option for option in fields(cls)}
        for key, value in list(options.items()):
            if key not in declared:
                names = ", ".join((*_OWN, *declared))
                raise self._wrong(key, f"the protocol {name!r} has no option {key!r}. Known: {names}")
            option = declared[key]
            expected = option.default if option.default_factory is MISSING else option.default_factory()
            kind = dict if isinstance(expected, Mapping) else type(expected)
            if kind is float and type(value) is int:
                options[key] = value = float(value)
            if kind in _NOUNS and key != "controls" and type(value) is not kind:
                raise self._wrong(key, f"{key} is {value!r}; expected {_NOUNS[kind]}")
            if key in cls.paths and value:
                options[key] = str(Path(self.path).parent / value)
        self._check_shares(options.get("controls"))
        try:
            return cls(**options)
        except (DataError, UnknownName) as error:
            # The protocol knows its options, not their lines: the message names the one that is wrong.
            guilty = next((key for key in options if re.search(rf"\b{key}\b", str(error))), None)
            if guilty is None and "control" in str(error):
                guilty = "controls"
            raise self._wrong(guilty or "protocol", str(error)) from None

    def _check_shares(self, controls: Any) -> None:
        if controls is None:
            return
        if not isinstance(controls, Mapping):
            raise self._wrong("controls", f"controls is {controls!r}; expected a table of shares")
        for key, value in controls.items():
            if type(value) not in (int, float):
                raise self._wrong(
                    "controls", f"the share of {key} is {value!r}; expected a number from 0 to 1", inner=key
                )

    def _test_set(self, *, needs_systems: bool) -> TestSet:
        table = self._get("test_set", dict)
        for key, value in table.items():
            if key not in _TEST_SET:
                raise self._wrong("test_set", f"a test set has no {key!r}. Known: {', '.join(_TEST_SET)}", inner=key)
            lists = key in ("refs", "systems")
            if not isinstance(value, str) and not (lists and _names(value)):
                expected = "paths, as a list or as a table name = path" if lists else "text"
                raise self._wrong("test_set", f"{key} is {value!r}; expected {expected}", inner=key)
        folder = Path(self.path).parent
        langs = {key: table.get(key) for key in ("source_lang", "target_lang")}
        if "path" in table:
            further = [key for key in ("srcs", "refs", "systems", "docs") if key in table]
            if further:
                raise self._wrong("test_set", f"path and {further[0]} cannot both be given", inner=further[0])
            return read_test_set(folder / table["path"])
        if "systems" not in table and needs_systems:
            raise self._wrong("test_set", "the test set needs systems, or the path of one that has them")
        return assemble(
            srcs=folder / table["srcs"] if "srcs" in table else None,
            refs=_paths(folder, table.get("refs", [])),
            systems=_paths(folder, table.get("systems", [])),
            docs=folder / table["docs"] if "docs" in table else None,
            name=str(self.values.get("name", "")),
            **langs,
        )

    def _annotators(self) -> tuple[str, ...]:
        value = self.values.get("annotators")
        if value is None:
            raise FormatError("annotators is missing; give their names, or how many there will be.", path=self.path)
        if type(value) is int and value > 0:
            return tuple(f"annotator-{number:0{len(str(value))}}" for number in range(1, value + 1))
        if isinstance(value, list) and value and all(isinstance(each, str) and each.strip() for each in value):
            return tuple(value)
        raise self._wrong("annotators", f"annotators is {value!r}; expected names, or how many there will be")

    def _get(self, key: str, kind: type, default: Any = None) -> Any:
        value = self.values.get(key, default)
        if value is None:
            raise FormatError(f"{key} is missing.", path=self.path)
        if type(value) is not kind:
            raise self._wrong(key, f"{key} is {value!r}; expected {_NOUNS[kind]}")
        return value

    def _wrong(self, key: str, message: str, *, inner: str | None = None) -> FormatError:
        return FormatError(message.rstrip(".") + ".", path=self.path, line=self._line(key, inner))

    def _line(self, key: str, inner: str | None) -> int | None:
        """The line on which a key stands: `key = …`, `[key]`, or `inner = …` below `[key]`."""
        table, place = "", None
        for number, line in enumerate(self.text.splitlines(), start=1):
            if matched := _TABLE.match(line):
                table = matched.group(1).strip("\"'")
                if table == key or table.startswith(f"{key}."):
                    place = place or number
                    if inner is not None and table == f"{key}.{inner}":
                        return number
            elif matched := _KEY.match(line):
                if not table and matched.group(1) == key:
                    place = number
                elif inner is not None and table == key and matched.group(1) == inner:
                    return number
        return place


_NOUNS = {str: "text", int: "a whole number", float: "a number", dict: "a table", bool: "true or false"}


def _names(value: Any) -> bool:
    """Whether this is a list of paths, or a table from names to paths."""
    paths: Sequence[Any] = list(value.values()) if isinstance(value, dict) else value
    return isinstance(paths, list) and bool(paths) and all(isinstance(path, str) and path for path in paths)


def _paths(folder: Path, value: str | list[str] | dict[str, str]) -> list[str]:
    if isinstance(value, dict):
        return [f"{name}={folder / path}" for name, path in value.items()]
    return [str(folder / path) for path in ([value] if isinstance(value, str) else value)]
