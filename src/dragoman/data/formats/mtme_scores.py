"""The score files of mt-metrics-eval: what people and metrics gave to systems, at four levels.

`human-scores/PAIR.SCORER.LEVEL.score` and `metric-scores/PAIR/SCORER-REFS.LEVEL.score`, a line per score: the system
and the score, before them the domain where the level is `domain`. `None` is a score that a person did not give.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

from dragoman.data.records import Records, Value
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, write_lines

__all__ = ["Level", "Scores", "find_scores", "read_scores", "write_scores"]

Level = Literal["sys", "domain", "doc", "seg"]

_LEVELS: tuple[Level, ...] = get_args(Level)
_HUMAN, _METRIC = "human-scores", "metric-scores"
_UNITS = {"domain": "domain", "doc": "doc", "seg": "segment"}


@dataclass(frozen=True)
class Scores:
    """Scores of systems by one scorer at one level.

    `by_system` has one entry per unit: one for `sys`, else in the order of domains, documents or segments. Only people
    leave entries out (`None`). `refs` is how a metric was fed: reference names with dots between them, `all`, or `src`
    for none; it is `None` for human scores. `domains` names the units of the level `domain`.
    """

    scorer: str  # "mqm", "BLEU"
    level: Level
    by_system: Mapping[str, Sequence[float | None]]
    refs: str | None = None
    domains: Sequence[str] | None = None

    def __post_init__(self) -> None:
        frozen = {
            system: tuple(None if score is None else float(score) for score in scores)
            for system, scores in self.by_system.items()
        }
        object.__setattr__(self, "by_system", MappingProxyType(frozen))
        object.__setattr__(self, "domains", None if self.domains is None else tuple(self.domains))
        if self.level not in _LEVELS:
            raise DataError(f"{self.level!r} is no level of scores. Known: {', '.join(_LEVELS)}.")
        if (self.level == "domain") != (self.domains is not None):
            raise DataError("Scores name their domains if, and only if, their level is 'domain'.")
        words = [self.scorer, *frozen, *(self.domains or ()), *([] if self.refs is None else [self.refs])]
        for word in words:
            if word.split() != [word] or "/" in word:
                raise DataError(f"{word!r} cannot stand in a score file; a name has no spaces and no slash.")
        if self.refs is not None and "-" in self.refs:
            raise DataError(f"{self.refs!r} cannot name references in a score file: it has a dash.")
        expected = 1 if self.level == "sys" else len(self.domains) if self.domains is not None else None
        for system, scores in frozen.items():
            expected = len(scores) if expected is None else expected
            if len(scores) != expected:
                raise DataError(f"{self.scorer}: system {system!r} has {len(scores)} scores, {expected} were expected.")
            for unit, score in enumerate(scores, start=1):
                if score is None and self.refs is not None:
                    raise DataError(f"{self.scorer}: a metric must score all; entry {unit} of {system!r} is missing.")
                if score is not None and not math.isfinite(score):
                    raise DataError(f"{self.scorer}: entry {unit} of {system!r} is {score}, which is no score.")

    @property
    def is_human(self) -> bool:
        """Whether people gave them."""
        return self.refs is None

    def check(self, test_set: TestSet) -> None:
        """Raise unless the scores fit the test set: systems, number of entries; a metric must have scored all."""
        unknown = [system for system in self.by_system if system not in test_set.systems]
        if unknown:
            raise DataError(f"{self.scorer} scores {', '.join(unknown)}, which the test set {test_set.name!r} lacks.")
        units = {"seg": len(test_set), "doc": len(test_set.documents())}.get(self.level)
        for system, scores in self.by_system.items():
            if units is not None and len(scores) != units:
                kind = _UNITS[self.level]
                raise DataError(f"{self.scorer} has {len(scores)} scores of {system!r} for {units} {kind}s.")
        used = set(test_set.refs if self.refs == "all" else (self.refs or "").split("."))
        missing = [system for system in test_set.systems if system not in self.by_system and system not in used]
        if missing and not self.is_human:
            raise DataError(f"{self.scorer} has no scores of {', '.join(missing)}; a metric must score every system.")

    def to_records(self, test_set: TestSet | None = None) -> Records:
        """The scores as a table: system, then domain, doc or segment (from 1), then score.

        Documents are known by name if the test set is given, else counted from 1.
        """
        names: Sequence[Value] | None = self.domains
        if self.level == "doc" and test_set is not None:
            self.check(test_set)
            names = list(test_set.documents())
        rows: list[tuple[Value, ...]] = []
        for system, scores in self.by_system.items():
            for number, score in enumerate(scores):
                unit: Value = number + 1 if names is None else names[number]
                rows.append((system, score) if self.level == "sys" else (system, unit, score))
        columns = ["system", "score"] if self.level == "sys" else ["system", _UNITS[self.level], "score"]
        return Records(columns, rows)


def find_scores(folder: StrPath, pair: str) -> list[Path]:
    """The score files of a language pair, human ones first, each sort in the order of names."""
    human = sorted((Path(folder) / _HUMAN).glob(f"{pair}.*.score"))
    return human + sorted((Path(folder) / _METRIC / pair).glob("*.score"))


def read_scores(path: StrPath, *, human: bool | None = None) -> Scores:
    """Read a score file. Whether people or a metric gave the scores is told by its folder, or by `human`."""
    file = Path(path)
    if human is None:
        human = file.parent.name == _HUMAN
        if not human and file.parent.parent.name != _METRIC:
            raise DataError(f"{file} lies neither in {_HUMAN}/ nor in {_METRIC}/PAIR/; say whether it is human.")
    scorer, refs, level = _parse_name(file, human=human)
    width = 3 if level == "domain" else 2
    scores: dict[str, list[float | None]] = {}
    domains: dict[str, list[str]] = {}
    for number, line in enumerate(iter_lines(file), start=1):
        words = line.split()
        if len(words) != width:
            wanted = "domain, system and score" if width == 3 else "system and score"
            raise FormatError(f"expected {wanted}, got {len(words)} words.", path=file, line=number)
        system = words[-2]
        if level == "sys" and system in scores:
            raise FormatError(f"system {system!r} has a second score.", path=file, line=number)
        if level == "domain" and words[0] in domains.setdefault(system, []):
            raise FormatError(f"system {system!r} has a second score for {words[0]!r}.", path=file, line=number)
        scores.setdefault(system, []).append(_number(words[-1], file, number))
        if level == "domain":
            domains[system].append(words[0])
    if not scores:
        raise FormatError("the file is empty; expected scores.", path=file)
    order = next(iter(domains.values()), None)
    for system, names in domains.items():
        if sorted(names) != sorted(order or ()):
            raise FormatError(f"system {system!r} has scores for other domains than the first.", path=file)
        scores[system] = [scores[system][names.index(name)] for name in order or ()]
    try:
        return Scores(scorer, level, scores, refs=refs, domains=order)
    except DataError as error:
        raise FormatError(str(error), path=file) from None


def write_scores(scores: Scores, folder: StrPath, pair: str) -> Path:
    """Write scores into the folder of a test set, under the name that the layout asks for; returns the path."""
    if scores.refs is None:
        path = Path(folder) / _HUMAN / f"{pair}.{scores.scorer}.{scores.level}.score"
    else:
        path = Path(folder) / _METRIC / pair / f"{scores.scorer}-{scores.refs}.{scores.level}.score"
    path.parent.mkdir(parents=True, exist_ok=True)
    prefixes = [f"{name}\t" for name in scores.domains] if scores.domains is not None else None
    write_lines(
        path,
        (
            f"{prefixes[number] if prefixes else ''}{system}\t{score!r}"
            for system, row in scores.by_system.items()
            for number, score in enumerate(row)
        ),
    )
    return path


def _parse_name(file: Path, *, human: bool) -> tuple[str, str | None, Level]:
    stem, _, suffix = file.name.rpartition(".")
    stem, _, level = stem.rpartition(".")
    middle = stem.partition(".")[2] if human else stem
    scorer, _, refs = (middle, "", "") if human else _split_refs(middle)
    if suffix != "score" or level not in _LEVELS or not scorer or (not human and not refs):
        form = "SRC-TGT.SCORER.LEVEL.score" if human else "SCORER-REFS.LEVEL.score"
        raise FormatError(f"the name must have the form {form}, LEVEL one of {', '.join(_LEVELS)}.", path=file)
    return scorer, None if human else refs, level


def _split_refs(name: str) -> tuple[str, str, str]:
    # Reference names have no dash, so the last one ends the scorer's name; a dot may stand in either.
    return name.rpartition("-")


def _number(word: str, path: Path, line: int) -> float | None:
    if word == "None":
        return None
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(f"the score is {word!r}; expected a number, or None for a missing one.", path=path, line=line)
    return value
