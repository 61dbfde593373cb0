"""Tasks of mt-metrics-eval: a folder, a language pair and a level, as in `wmt22/en-de/sys`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.data.formats.mtme import language_pairs
from dragoman.data.formats.mtme_scores import Scores, find_scores, read_scores
from dragoman.errors import DataError, UnknownName
from dragoman.metrics.meta.inputs import Entry, MetaLevel
from dragoman.text.languages import pair_among

__all__ = ["HOME", "Task", "read_task"]

HOME = Path("~/.mt-metrics-eval/mt-metrics-eval-v2")  # where mt-metrics-eval puts what it fetches

_FIRST_CHOICE = "mqm"  # the official human scores wherever they were collected


@dataclass(frozen=True)
class Task:
    """The scores of people and metrics for one task, at both levels where the folder has them."""

    folder: str
    pair: str
    level: MetaLevel
    metrics: dict[MetaLevel, dict[str, dict[str, Entry]]]
    human: dict[MetaLevel, dict[str, Entry]]
    provenance: dict[str, Any]


def read_task(task: str, *, human: str | None = None, with_references: bool = False) -> Task:
    """The task called `FOLDER/PAIR/LEVEL`, LEVEL `sys` or `seg`; the folder is a path, or lies where the tool puts it.

    `human` names the human scores; without it MQM is taken, or the only ones there are. Reference translations that
    were scored as if they were systems are left out unless `with_references`.
    """
    folder, pair, level = _place(task)
    paths = find_scores(folder, pair)
    read = [read_scores(path) for path in paths]
    people = {(scores.scorer, scores.level): scores for scores in read if scores.is_human}
    name = _choose({scorer for scorer, at in people if at == level}, human, f"{folder}, {pair}, {level}")
    prefix, suffix = f"{pair}.", ".txt"
    references = sorted(
        file.name[len(prefix) : -len(suffix)] for file in (Path(folder) / "references").glob(f"{prefix}*{suffix}")
    )
    left_out = () if with_references else tuple(references)
    levels: tuple[MetaLevel, ...] = ("sys", "seg")
    sides: dict[MetaLevel, dict[str, Entry]] = {
        at: _entries(people[name, at], left_out) for at in levels if (name, at) in people
    }
    metrics: dict[MetaLevel, dict[str, dict[str, Entry]]] = {}
    for at in levels:
        own = [scores for scores in read if not scores.is_human and scores.level == at]
        called = [scores.scorer for scores in own]
        metrics[at] = {
            scores.scorer if called.count(scores.scorer) == 1 else f"{scores.scorer}-{scores.refs}": _entries(
                scores, left_out
            )
            for scores in own
        }
    judged = {system for scores in people.values() for system in scores.by_system}
    provenance = {
        "task": task,
        "human": f"{folder}/human-scores/{pair}.{name}.{level}.score",
        "pair": pair,
        "left_out": [system for system in left_out if system in judged],
    }
    return Task(str(folder), pair, level, metrics, sides, provenance)


def _place(task: str) -> tuple[Path, str, MetaLevel]:
    parts = task.rstrip("/").rsplit("/", 2)
    if len(parts) != 3 or not all(parts):
        raise DataError(f"A task is FOLDER/PAIR/LEVEL, such as wmt22/en-de/sys; got {task!r}.")
    name, pair, level = parts
    if level not in ("sys", "seg"):
        raise DataError(f"The level of a task is sys or seg, got {level!r} in {task!r}.")
    places = [Path(name), HOME.expanduser() / name]
    folder = next((place for place in places if place.is_dir()), None)
    if folder is None:
        raise DataError(f"There is no folder {places[0]}, nor {places[1]}; name the folder of the test set.")
    pairs = language_pairs(folder)
    there = pair_among(pair, pairs)
    if there is None:
        raise DataError(f"{folder} has no language pair {pair!r}. Known: {', '.join(pairs)}.")
    return folder, there, "sys" if level == "sys" else "seg"


def _choose(scorers: set[str], wanted: str | None, where: str) -> str:
    names = ", ".join(sorted(scorers)) or "none"
    if wanted is not None:
        if wanted not in scorers:
            raise UnknownName(f"{where}: there are no human scores called {wanted!r}. Known: {names}.")
        return wanted
    if _FIRST_CHOICE in scorers:
        return _FIRST_CHOICE
    if len(scorers) != 1:
        raise DataError(f"{where}: name the human scores to use. Known: {names}.")
    return next(iter(scorers))


def _entries(scores: Scores, left_out: tuple[str, ...]) -> dict[str, Entry]:
    return {
        system: values[0] if scores.level == "sys" else list(values)
        for system, values in scores.by_system.items()
        if system not in left_out
    }
