"""Files with segment scores of others: tables, JSON, and what COMET's commands write."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import fspath
from pathlib import Path
from typing import Any

from dragoman.data.assemble import metric_name, system_name
from dragoman.errors import DoubtfulInput, FormatError
from dragoman.files import StrPath, plain_name, read_lines, read_text
from dragoman.metrics.base import METRICS
from dragoman.metrics.given_scores import GivenScores

__all__ = ["joined_scores", "read_given_scores"]

# Keys by which an entry says of what it is.
_SYSTEM = ("system", "system_id")
_SEGMENT = ("segment", "segment_id")


def read_given_scores(argument: StrPath, *, lower_is_better: Iterable[str] = ()) -> list[GivenScores]:
    """The scores of segments in `PATH` or `NAME=PATH`, one entry for each metric of the file.

    Tables as `dragoman meta` reads them (long, wide, WMT's, mt-metrics-eval's), what `comet-score` prints, or JSON:
    `{system: [score, …]}`, where a score may stand in an object, as `comet-score --to_json` writes it, or the layout of
    `comet-compare --to_json`, whose `translations` have `name`, `mt` and `scores`. JSON lines are one system's, which
    is called as the file, as MetricX writes them (`hypothesis`, `prediction`), unless each names its own (`system`,
    `system_id`); so may the entries of a list, and the rows that `dragoman score --segments --json` writes.
    """
    lower = set(lower_is_better)
    text = fspath(argument)
    name, equals, path = text.partition("=")
    if not equals or "/" in name:
        name, path = "", text
    texts: dict[str, Sequence[str]] = {}
    if plain_name(path).endswith((".json", ".jsonl")):
        is_lines = plain_name(path).endswith(".jsonl")
        whole = _json_lines(path) if is_lines else _parsed(path)
        rows = _rows(whole)
        if rows is not None:
            tables, texts = _tables_of_rows(rows, name, path)
        elif is_lines:
            scores, texts = _scores_and_texts({metric_name(path): whole}, name, path)
            tables = {name or _metric_of(whole, path): scores}
        else:
            scores, texts = _scores_of_systems(whole, name, path)
            tables = {name or metric_name(path): scores}
    elif printed := _printed(path):
        tables = {name or "COMET": printed}
    else:
        from dragoman.metrics.meta.reading import read_score_file  # a room of its own, which takes time to enter

        file = read_score_file(argument)
        if file.level != "seg":
            raise FormatError("there are scores of whole systems only; a column 'segment' is needed.", path=file.path)
        if len(file.scores) > 1:
            raise FormatError(f"there are scores of {', '.join(file.scores)}; give one language pair.", path=file.path)
        (metrics,) = file.scores.values()
        tables = {metric: _by_segment(own) for metric, own in metrics.items()}
        if name and len(tables) == 1:
            tables = {name: next(iter(tables.values()))}
    file_name = Path(path).name
    _warn_of_errors({metric: scores for metric, scores in tables.items() if metric not in lower})
    return [GivenScores(metric, scores, metric not in lower, file_name, texts) for metric, scores in tables.items()]


def joined_scores(given: Iterable[GivenScores]) -> list[GivenScores]:
    """One entry for each metric where files of one metric have different systems, a file for each."""
    joined: dict[str, GivenScores] = {}
    more = []
    for each in given:
        own = joined.setdefault(each.name, each)
        if own is not each and set(own.scores) & set(each.scores):
            more.append(each)  # two metrics of one name, which the comparison refuses
        elif own is not each:
            joined[each.name] = replace(
                own,
                scores={**own.scores, **each.scores},
                texts={**own.texts, **each.texts},
                origin=f"{own.origin}, {each.origin}",
            )
    return [*joined.values(), *more]


def _json_lines(path: str) -> list[Any]:
    entries = []
    for number, line in enumerate(read_lines(path), start=1):
        try:
            entries.append(json.loads(line))
        except ValueError:
            raise FormatError("this line is no JSON.", path=path, line=number) from None
    return entries


def _warn_of_errors(tables: Mapping[str, Mapping[str, Sequence[float | None]]]) -> None:
    """Warn of metrics by whose names less is better, unless their scores are turned round: none above zero."""
    counted = [
        metric
        for metric, systems in tables.items()
        if _counts_errors(metric) and any((score or 0) > 0 for scores in systems.values() for score in scores)
    ]
    if counted:
        names = ", ".join(counted)
        warnings.warn(
            f"Higher scores of {names} are taken to be better. By its name less is better: add "
            f"{' '.join(f'--lower-is-better {metric}' for metric in counted)} if so.",
            DoubtfulInput,
            stacklevel=3,
        )


def _counts_errors(metric: str) -> bool:
    """Return whether a metric is called as one that counts errors: MetricX, or an error rate of this package."""
    name = metric.lower()
    known = name in METRICS.names() and not METRICS.get(name).higher_is_better
    return known or re.match(r"metric-?x\b", name) is not None


def _by_segment(systems: Mapping[str, Any]) -> dict[str, Sequence[float | None]]:
    return {system: entry for system, entry in systems.items() if isinstance(entry, list)}


def _metric_of(entries: Sequence[Any], path: str) -> str:
    is_metricx = all(isinstance(each, dict) and "prediction" in each for each in entries)
    return "MetricX" if is_metricx else metric_name(path)


def _parsed(path: str) -> Any:
    """The JSON of a file, in which no key is there twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        if twice:
            raise FormatError(f"the key {twice[0]!r} is there twice.", path=path)
        return dict(pairs)

    try:
        return json.loads(read_text(path), object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise FormatError(f"this is no JSON: {error.msg}.", path=path, line=error.lineno) from None


def _rows(whole: Any) -> list[dict[str, Any]] | None:
    """Entries that name their systems: a list of them, or `rows` as `dragoman score --json` writes; None if none do."""
    rows = whole.get("rows") if isinstance(whole, dict) and "kind" in whole else whole
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return None
    return rows if any(key in row for row in rows for key in _SYSTEM) else None


def _tables_of_rows(
    rows: Sequence[dict[str, Any]], name: str, path: str
) -> tuple[dict[str, dict[str, Sequence[float | None]]], dict[str, Sequence[str]]]:
    """The scores of each metric and system in entries that name them, and what was scored where they have it."""
    entries: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for number, row in enumerate(rows, start=1):
        system, metric = next((row[key] for key in _SYSTEM if key in row), None), row.get("metric", "")
        if not (isinstance(system, str) and system and isinstance(metric, str)):
            raise FormatError(f"entry {number} names no system.", path=path)
        own = entries.setdefault(metric, {}).setdefault(system, [])
        if own and not _follows(row, own[-1]):
            raise FormatError(f"entry {number} is not of the segment behind the last one of {system}.", path=path)
        own.append(row)
    tables: dict[str, dict[str, Sequence[float | None]]] = {}
    texts: dict[str, Sequence[str]] = {}
    for metric, systems in entries.items():
        own_name = name if name and len(entries) == 1 else metric or _metric_of(rows, path)
        plain = {
            who: [{k: v for k, v in row.items() if k not in _SEGMENT} for row in own] for who, own in systems.items()
        }
        tables[own_name] = {who: [_score(row, name, path) for row in own] for who, own in plain.items()}
        texts |= _texts(plain)
    return tables, texts


def _follows(row: Mapping[str, Any], last: Mapping[str, Any]) -> bool:
    """Return whether an entry is of the next segment, as far as both say by a number of which they are."""
    told = [(row[key], last[key]) for key in _SEGMENT if key in row and key in last]
    return all(own == before + 1 for own, before in told if _is_number(own) and _is_number(before))


def _scores_of_systems(
    whole: Any, name: str, path: str
) -> tuple[dict[str, Sequence[float | None]], dict[str, Sequence[str]]]:
    """The scores of each system, and what was scored where each entry has it as `mt`."""
    by_system = _compared(whole, path) if _is_compared(whole) else whole
    if not isinstance(by_system, dict) or not all(isinstance(each, list) for each in by_system.values()):
        raise FormatError("expected an object with a list of scores for each system.", path=path)
    return _scores_and_texts(by_system, name, path)


def _scores_and_texts(
    by_system: Mapping[str, list[Any]], name: str, path: str
) -> tuple[dict[str, Sequence[float | None]], dict[str, Sequence[str]]]:
    named = dict(zip(_system_names(list(by_system)), by_system.values(), strict=True))
    return {system: [_score(each, name, path) for each in own] for system, own in named.items()}, _texts(named)


def _texts(by_system: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[str]]:
    """What was scored of the systems of which each entry has it, as `mt` or `hypothesis`."""
    texts: dict[str, Sequence[str]] = {}
    for system, entries in by_system.items():
        scored = [each.get("mt", each.get("hypothesis")) if isinstance(each, dict) else None for each in entries]
        if scored and all(isinstance(text, str) for text in scored):
            texts[system] = [str(text) for text in scored]
    return texts


def _is_compared(whole: Any) -> bool:
    """Return whether this is the layout of `comet-compare`: a list of `translations`, not a system of that name."""
    entries = whole.get("translations") if isinstance(whole, dict) else None
    return isinstance(entries, list) and any(isinstance(each, dict) and "scores" in each for each in entries)


def _compared(whole: dict[str, Any], path: str) -> dict[str, list[dict[str, Any]]]:
    """Return the layout of `comet-compare` in that of `comet-score`: entries with texts and scores by system file."""
    systems: dict[str, list[dict[str, Any]]] = {}
    for number, each in enumerate(whole["translations"], start=1):
        name, texts, scores = (each.get(key) if isinstance(each, dict) else None for key in ("name", "mt", "scores"))
        if not (isinstance(name, str) and isinstance(texts, list) and isinstance(scores, list)):
            raise FormatError(f"entry {number} of translations needs a name, and lists mt and scores.", path=path)
        if name in systems:
            raise FormatError(f"translations has two entries called {name!r}.", path=path)
        if len(texts) != len(scores):
            raise FormatError(f"{name} has {len(texts)} translations and {len(scores)} scores.", path=path)
        systems[name] = [{"mt": text, "score": score} for text, score in zip(texts, scores, strict=True)]
    return systems


_LINE = re.compile(r"(.+)\tSegment (\d+)\tscore: (\S+)(?:\tvariance: \S+)?")  # of a segment, counted from 0
_SUM = re.compile(r".+\tscore: \S+|Predictions saved in: .*")  # of a system, or where it wrote the JSON


def _printed(path: str) -> dict[str, Sequence[float | None]] | None:
    """Return the scores in what `comet-score` prints, lines of systems in turns; None if the file is something else."""
    lines = read_lines(path)
    if not lines or not (_LINE.fullmatch(lines[0]) or _SUM.fullmatch(lines[0])):
        return None
    found: dict[str, dict[int, float]] = {}
    for number, line in enumerate(lines, start=1):
        match = _LINE.fullmatch(line)
        if match is None:
            if line.strip() and not _SUM.fullmatch(line):
                raise FormatError(f"this is no line of comet-score: {line[:60]!r}.", path=path, line=number)
            continue
        system, segment = match[1], int(match[2])
        own = found.setdefault(system, {})
        if segment != len(own):
            raise FormatError(f"segment {segment} of {system} follows {len(own)} others.", path=path, line=number)
        own[segment] = _number(match[3], path, number)
    if not found:
        raise FormatError("there are scores of whole systems only; run comet-score without --quiet.", path=path)
    names = _system_names(list(found))
    return {name: list(own.values()) for name, own in zip(names, found.values(), strict=True)}


def _number(text: str, path: str, line: int) -> float:
    try:
        return float(text)
    except ValueError:
        raise FormatError(f"a score is {text!r}; expected a number.", path=path, line=line) from None


def _system_names(keys: Sequence[str]) -> list[str]:
    """What the systems are called whose files a tool names by their paths, as COMET does: each a name of its own.

    The name that the command line gives the file; where two would be called the same, what tells their paths apart
    (`run1/out.en` and `run2/out.en` are `run1` and `run2`).
    """
    files = [plain_name(key) for key in keys]
    parts = [Path(key).parts for key in keys]
    for names in (
        [system_name(file) for file in files],
        files,
        ["-".join(system_name(part) for part in own) for own in _differing(parts)],
    ):
        if len(set(names)) == len(keys) and all(names):
            return names
    return list(keys)


def _differing(paths: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Paths without the folders that all of them begin with, and without the parts that all of them end with."""
    shortest = min(map(len, paths), default=0)
    first = next((n for n in range(shortest) if len({path[n] for path in paths}) > 1), 0)
    last = next((n for n in range(shortest) if len({path[-1 - n] for path in paths}) > 1), 0)
    return [path[first : len(path) - last] for path in paths]


def _score(entry: Any, name: str, path: str) -> float | None:
    """A number, or the number of an object: that of the metric's name, of `score`, of COMET, or the only one it has."""
    if isinstance(entry, dict):
        numbers = {key.lower(): value for key, value in entry.items() if _is_number(value)}
        keys = [key for key in (name.lower(), "score", "comet", "prediction") if key in numbers]
        asked = [numbers[key] for key in keys] or list(numbers.values())
        if len(asked) != 1 and not keys:
            raise FormatError(
                f"an entry has {len(numbers)} numbers ({', '.join(numbers) or 'none'}); name one with NAME=PATH.",
                path=path,
            )
        entry = asked[0]
    if entry is None:
        return None
    if not _is_number(entry):
        raise FormatError(f"a score is {entry!r}; expected a number.", path=path)
    return float(entry)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
