"""Meta-evaluation of score files: what `dragoman meta` does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from os import fspath
from typing import Any

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError, UnknownName
from dragoman.files import StrPath
from dragoman.metrics.meta.agreement import MetaEvaluation
from dragoman.metrics.meta.average import MetaEvaluations, average_evaluations
from dragoman.metrics.meta.evaluate import meta_evaluate
from dragoman.metrics.meta.inputs import Entry, HumanInput, HumanRankings, MetaLevel, system_means
from dragoman.metrics.meta.reading import REFERENCES, assessments_of, rankings_of, read_judged, read_score_file
from dragoman.metrics.meta.recipe import MetaRecipe
from dragoman.metrics.meta.task import read_task
from dragoman.text.languages import pair_among

__all__ = ["meta_evaluate_files", "read_people"]

_OPEN = ""  # the pair of a file that names none


@dataclass
class _Board:
    """All that is known of one language pair."""

    metrics: dict[MetaLevel, dict[str, dict[str, Entry]]] = field(default_factory=lambda: {"sys": {}, "seg": {}})
    human: dict[MetaLevel, dict[str, Entry]] = field(default_factory=dict)
    rankings: HumanRankings | None = None
    provenance: dict[str, Any] = field(default_factory=dict)
    files: dict[tuple[MetaLevel, str], str] = field(default_factory=dict)  # where a metric's scores are from

    def add(self, level: MetaLevel, metric: str, scores: dict[str, Entry], path: str) -> None:
        if metric in self.metrics[level]:
            before = self.files.get((level, metric), "the task")
            raise DataError(f"Two metrics are called {metric!r}: in {before} and in {path}. Name one with NAME=PATH.")
        self.metrics[level][metric] = scores
        self.files[level, metric] = path

    @property
    def is_judged(self) -> bool:
        return bool(self.human) or self.rankings is not None


def meta_evaluate_files(
    scores: Sequence[StrPath] = (),
    human: Sequence[StrPath] = (),
    recipe: MetaRecipe | None = None,
    *,
    own: Sequence[StrPath] = (),
    task: str | None = None,
    pair: str | None = None,
    leave_out: Sequence[str] = REFERENCES,
    n_threads: int = 1,
) -> MetaEvaluation | MetaEvaluations:
    """Evaluate the metrics in score files against the people in others.

    `own` are files of metrics whose rows are marked. With a `task` (`wmt22/en-de/sys`) scores and people come from a
    folder of mt-metrics-eval, `human` may then name the human scores there. Files with several language pairs give
    an evaluation of each, and averages. The level is `seg` where no metric has scores of whole systems.
    """
    boards: dict[str, _Board] = {}
    recipe = (recipe or MetaRecipe()).check()
    if task is not None:
        pair, level = _from_task(boards, task, human, pair, recipe.level)
        recipe = replace(recipe, level=level)
    marked = set()
    for path in (*scores, *own):
        file = read_score_file(path)
        for spoken, metrics in file.scores.items():
            board = _board(boards, spoken)
            for metric, entries in metrics.items():
                board.add(file.level, metric, dict(entries), file.path)
                marked |= {metric} if path in own else set()
    if task is None:
        if not scores and not own:
            raise DataError("There are no scores of metrics; name files, or a task.")
        for path in human:
            _add_human(boards, path, pair, tuple(leave_out))
    chosen = _chosen(boards, pair)
    _check_names(chosen, recipe)
    evaluations = {name: _evaluate(board, name, recipe, marked, n_threads) for name, board in chosen.items()}
    return next(iter(evaluations.values())) if len(evaluations) == 1 else average_evaluations(evaluations)


def _check_names(boards: dict[str, _Board], recipe: MetaRecipe) -> None:
    """Refuse names of metrics that no language pair has."""
    metrics = dict.fromkeys(name for board in boards.values() for own in board.metrics.values() for name in own)
    for way in ("lower_is_better", "higher_is_better"):
        strange = [name for name in getattr(recipe, way) if name not in metrics]
        if strange:
            raise UnknownName(f"{way} names {', '.join(strange)}, but the metrics are {', '.join(metrics)}.")


def read_people(path: StrPath, *, pair: str | None = None, leave_out: Sequence[str] = REFERENCES) -> HumanInput:
    """The rankings or scores by people in one file, of one language pair."""
    boards: dict[str, _Board] = {}
    _add_human(boards, path, pair, tuple(leave_out))
    if pair is not None:
        boards = {pair: boards[_OPEN]} if _OPEN in boards else boards
        pair = pair_among(pair, boards) or pair
    pairs = [name for name in boards if pair in (None, name)]
    if len(pairs) != 1:
        raise DataError(f"{fspath(path)} has judgements of {', '.join(sorted(boards))}; name one language pair.")
    board = boards[pairs[0]]
    return board.rankings if board.rankings is not None else board.human["seg" if "seg" in board.human else "sys"]


def _from_task(
    boards: dict[str, _Board], task: str, human: Sequence[StrPath], pair: str | None, level: MetaLevel | None
) -> tuple[str, MetaLevel]:
    if len(human) > 1:
        raise DataError("A task has one set of human scores; name one.")
    contents = read_task(task, human=fspath(human[0]) if human else None)
    if (pair is not None and not pair_among(pair, [contents.pair])) or level not in (None, contents.level):
        raise DataError(f"The task {task} says pair and level already.")
    boards[contents.pair] = _Board(
        {at: {name: dict(own) for name, own in metrics.items()} for at, metrics in contents.metrics.items()},
        dict(contents.human),
        provenance=contents.provenance,
    )
    return contents.pair, contents.level


def _add_human(boards: dict[str, _Board], path: StrPath, pair: str | None, leave_out: tuple[str, ...]) -> None:
    name = fspath(path)
    judgements = read_judged(path)
    if judgements is not None:
        _add_judgements(boards, judgements, name, pair, leave_out)
        return
    file = read_score_file(path)
    for spoken, scorers in file.scores.items():
        board = _board(boards, spoken)
        if len(scorers) > 1:
            raise DataError(f"{name} has scores by {', '.join(scorers)}; people are one column, or one metric.")
        if file.level in board.human or board.rankings is not None:
            raise DataError(f"{name}: there are judgements of {spoken or 'the systems'} in another file already.")
        (entries,) = scorers.values()
        board.human[file.level] = dict(entries)
        board.provenance |= {"human" if file.level == "sys" else "human_segments": name}


def _board(boards: dict[str, _Board], pair: str) -> _Board:
    """The board of a language pair, which another file may have called by other codes."""
    return boards.setdefault(pair_among(pair, boards) or pair, _Board())


def _add_judgements(
    boards: dict[str, _Board], judgements: Judgements, path: str, pair: str | None, leave_out: tuple[str, ...]
) -> None:
    if judgements.kind == "relative-ranking":
        for spoken, rankings in rankings_of(judgements, path, pair=pair, leave_out=leave_out).items():
            board = _board(boards, spoken)
            if board.is_judged:
                raise DataError(f"{path}: there are judgements of {spoken} in another file already; give one.")
            board.rankings = rankings
            board.provenance |= {"human": path}
    elif judgements.kind == "direct-assessment":
        for spoken, (entries, origin) in assessments_of(judgements, path).items():
            board = _board(boards, spoken)
            if "seg" in board.human or board.rankings is not None:
                raise DataError(f"{path}: there are judgements of the segments in another file already; give one.")
            board.human["seg"] = entries
            board.provenance |= {"human_segments": path, **origin}
    else:
        raise DataError(
            f"{path} has {judgements.kind} judgements; metrics are held against relative rankings, direct assessments "
            "or tables of scores. Turn them into scores of systems or segments first."
        )


def _chosen(boards: dict[str, _Board], pair: str | None) -> dict[str, _Board]:
    """The boards with metrics and people; a file without a pair goes with the only pair there is."""
    named = [name for name in boards if name != _OPEN]
    pair = pair if pair is None else pair_among(pair, named) or pair
    if _OPEN in boards and (pair is not None or len(named) == 1):
        name = pair or named[0]
        boards[name] = _joined(boards.pop(_OPEN), boards.get(name))
    elif _OPEN in boards and len(named) > 1:
        raise DataError(f"A file names no language pair, others have {', '.join(sorted(named))}; name one with pair.")
    if pair is not None and pair not in boards:
        raise DataError(f"No scores are of the language pair {pair!r}. Known: {', '.join(sorted(boards))}.")
    wanted = {name: board for name, board in boards.items() if pair in (None, name)}
    complete = {name: board for name, board in wanted.items() if board.is_judged and any(board.metrics.values())}
    if not complete:
        raise DataError(
            "Metrics and people have no language pair in common. "
            f"Metrics: {', '.join(n for n, b in wanted.items() if any(b.metrics.values())) or 'none'}; "
            f"people: {', '.join(n for n, b in wanted.items() if b.is_judged) or 'none'}."
        )
    return complete


def _joined(open_board: _Board, named: _Board | None) -> _Board:
    if named is None:
        return open_board
    for level, metrics in open_board.metrics.items():
        for metric, entries in metrics.items():
            named.add(level, metric, entries, open_board.files.get((level, metric), ""))
    if open_board.is_judged and named.is_judged:
        raise DataError("There are judgements with a language pair and without one; give one file.")
    if open_board.is_judged:
        named.human, named.rankings = open_board.human, open_board.rankings
    named.provenance |= open_board.provenance
    return named


def _evaluate(board: _Board, pair: str, recipe: MetaRecipe, marked: set[str], n_threads: int) -> MetaEvaluation:
    level: MetaLevel = recipe.level or ("sys" if board.metrics["sys"] else "seg")
    segments: dict[str, Any] = {}
    origin = {"pair": pair or None, "metrics": sorted(set(board.files.values())), **board.provenance}
    people: HumanInput
    if level == "seg":
        metrics = board.metrics["seg"]
        if not metrics:
            raise DataError("No metric has scores by segment; give files with a column 'segment', or level sys.")
        if board.rankings is not None:
            people = board.rankings
        elif "seg" in board.human:
            metrics, people = _padded(metrics, board.human["seg"])
        else:
            raise DataError("People scored whole systems only; the segment level needs judgements of segments.")
    else:
        metrics = dict(board.metrics["sys"])
        means = [metric for metric in board.metrics["seg"] if metric not in metrics]
        for metric in means:
            metrics[metric] = dict(system_means(board.metrics["seg"][metric]))
        if means:
            origin["means_of_segments"] = means
        if "sys" in board.human:
            people = board.human["sys"]
        elif board.rankings is not None:
            people = board.rankings
        else:
            people = system_means(board.human["seg"])
            origin["human_score"] = "mean of segments"
        if "seg" in board.human and board.metrics["seg"]:
            by_segment, judged = _padded(board.metrics["seg"], board.human["seg"])
            segments = {"segment_scores": by_segment, "segment_human": judged}
    own = [metric for metric in metrics if metric in marked]
    lower, higher = (
        tuple(metric for metric in names if metric in metrics)
        for names in (recipe.lower_is_better, recipe.higher_is_better)
    )
    recipe = replace(recipe, level=level, lower_is_better=lower, higher_is_better=higher)
    return meta_evaluate(metrics, people, recipe, own=own, provenance=origin, n_threads=n_threads, **segments)


def _padded(
    metrics: dict[str, dict[str, Entry]], human: dict[str, Entry]
) -> tuple[dict[str, dict[str, Entry]], dict[str, Entry]]:
    """All lists as long as the longest: a file ends with the last segment that it has a score of."""
    sides = [*metrics.values(), human]
    longest = max(len(entry) for own in sides for entry in own.values() if isinstance(entry, list))

    def pad(own: dict[str, Entry]) -> dict[str, Entry]:
        return {
            system: [*entry, *[math.nan] * (longest - len(entry))] if isinstance(entry, list) else entry
            for system, entry in own.items()
        }

    return {metric: pad(own) for metric, own in metrics.items()}, pad(human)
