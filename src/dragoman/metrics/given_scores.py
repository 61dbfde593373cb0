"""Segment scores that were made elsewhere: by a neural metric, by people, by anything that gives a segment a number.

They enter comparisons as the mean of segment scores, whose statistics are `[score, 1]`: tests, intervals, buckets and
the segment browser work on them as on a metric of ours.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import fspath
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.data.assemble import system_name
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.files import StrPath, plain_name, read_text
from dragoman.metrics.base import VERSION, Metric, Rows, mean_rows, ratio
from dragoman.metrics.references import ScoredText
from dragoman.metrics.scoring import Statistics

__all__ = ["GivenScores", "read_given_scores"]


@dataclass(frozen=True)
class GivenScores:
    """The scores of segments by one metric: `GivenScores("comet", {"mine": [0.81, …], "theirs": [0.79, …]})`."""

    name: str
    scores: Mapping[str, Sequence[float | None]]  # of each system, one for each segment in their order
    higher_is_better: bool = True
    origin: str = "given"  # where they are from: a file, in signatures
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)  # of each system, if the file has them

    @classmethod
    def of_frame(
        cls, frame: Any, column: str, *, system: str = "system", segment: str | None = None, **rest: Any
    ) -> GivenScores:
        """A column of a data frame (pandas, polars), beside one with the systems' names.

        The rows of a system are its segments in their order, or in that of the numbers in the column `segment`.
        """
        wanted = [system, column, *([] if segment is None else [segment])]
        missing = [name for name in wanted if name not in list(frame.columns)]
        if missing:
            raise UnknownName(f"The frame has no column {', '.join(missing)}. Known: {', '.join(frame.columns)}.")
        names, values = list(frame[system]), list(frame[column])
        order = range(len(names)) if segment is None else np.argsort(list(frame[segment]), kind="stable").tolist()
        scores: dict[str, list[float | None]] = {}
        for row in order:
            scores.setdefault(str(names[row]), []).append(values[row])
        return cls(column, scores, **{"origin": "frame", **rest})

    def statistics(
        self, systems: Sequence[str], n_segments: int, *, outputs: Mapping[str, Sequence[str]] | None = None
    ) -> Statistics:
        """The statistics of some systems; a system that is missing, a wrong number of scores, a hole are named.

        Scores that came with the texts that they are of are held to `outputs`: those of another system are refused.
        """
        missing = [name for name in systems if name not in self.scores]
        if missing:
            raise UnknownName(
                f"{self._who} has no scores of {', '.join(missing)}. It has: {', '.join(self.scores)}. "
                "Call the systems so with NAME=PATH."
            )
        for name in systems:
            if outputs is not None and name in self.texts:
                self._check_text(name, outputs)
        rows = np.stack([self._of(name, n_segments) for name in systems])
        kind = _GivenMetric if self.higher_is_better else _GivenErrors
        return Statistics(kind(self.name, self.origin), tuple(systems), mean_rows(rows), None)

    def _of(self, system: str, n_segments: int) -> NDArray[np.float64]:
        scores = self.scores[system]
        if len(scores) != n_segments:
            raise DataError(f"{self._who} has {len(scores)} scores of {system} for {n_segments} segments.")
        for number, score in enumerate(scores, start=1):
            if score is None or isinstance(score, str) or not math.isfinite(score):
                raise DataError(
                    f"{self._who}: the score of segment {number} of {system} is {score!r}; each needs a number."
                )
        return np.array(scores, dtype=np.float64)

    def _check_text(self, system: str, outputs: Mapping[str, Sequence[str]]) -> None:
        scored = [" ".join(line.split()) for line in self.texts[system]]
        for number, (line, own) in enumerate(zip(scored, outputs[system], strict=False), start=1):
            if line != " ".join(own.split()):
                same = [
                    other
                    for other, lines in outputs.items()
                    if len(lines) == len(scored) and [" ".join(each.split()) for each in lines] == scored
                ]
                whose = f"They are of the output of {', '.join(same)}: name the systems so." if same else ""
                raise DataError(
                    f"{self._who}: the scores of {system} are of another text. Segment {number} there: "
                    f"{line[:60]!r}; here: {own[:60]!r}. {whose}".rstrip()
                )

    @property
    def _who(self) -> str:
        return self.name if self.origin in ("given", "frame") else f"{self.name} ({self.origin})"


@dataclass(frozen=True)
class _GivenMetric(Metric):
    """The mean of given segment scores."""

    name: ClassVar[str] = "given"
    label_pattern: ClassVar[str] = ".*"
    level: ClassVar[Literal["corpus", "segment"]] = "segment"
    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)

    title: str = ""
    origin: str = ""

    @property
    def label(self) -> str:
        """As whoever gave the scores calls them."""
        return self.title

    def spec(self) -> str:
        """As in the tables."""
        return self.title

    def signature(self, nrefs: int | None = 1, **run: Any) -> str:  # noqa: ARG002 - how many there were is not known
        """Where the scores are from."""
        return "|".join(f"{key}:{value}" for key, value in {"scores": self.origin, **run, "version": VERSION}.items())

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:  # noqa: ARG002 - the contract
        """Refused: the scores are of the texts that they were given for."""
        raise DataError(f"{self.title} was given as scores of segments; other texts cannot be scored with it.")

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Means of segment scores."""
        return ratio(totals[..., 0], totals[..., 1])


@dataclass(frozen=True)
class _GivenErrors(_GivenMetric):
    """The mean of given segment scores of which less is better."""

    higher_is_better: ClassVar[bool] = False


def read_given_scores(argument: StrPath, *, lower_is_better: Iterable[str] = ()) -> list[GivenScores]:
    """The scores of segments in `PATH` or `NAME=PATH`, one entry for each metric of the file.

    Tables as `dragoman meta` reads them (long, wide, WMT's, mt-metrics-eval's), or JSON: `{system: [score, …]}`, where
    a score may stand in an object, as in what `comet-score --to_json` writes.
    """
    lower = set(lower_is_better)
    text = fspath(argument)
    name, equals, path = text.partition("=")
    if not equals or "/" in name:
        name, path = "", text
    texts: dict[str, Sequence[str]] = {}
    if plain_name(path).endswith(".json"):
        scores, texts = _read_json(path, name)
        tables = {name or plain_name(path).partition(".")[0]: scores}
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
    return [GivenScores(metric, scores, metric not in lower, file_name, texts) for metric, scores in tables.items()]


def _by_segment(systems: Mapping[str, Any]) -> dict[str, Sequence[float | None]]:
    return {system: entry for system, entry in systems.items() if isinstance(entry, list)}


def _read_json(path: str, name: str) -> tuple[dict[str, Sequence[float | None]], dict[str, Sequence[str]]]:
    """The scores of each system, and what was scored where each entry has it as `mt`."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        keys = [key for key, _ in pairs]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        if twice:
            raise FormatError(f"the key {twice[0]!r} is there twice.", path=path)
        return dict(pairs)

    try:
        whole = json.loads(read_text(path), object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise FormatError(f"this is no JSON: {error.msg}.", path=path, line=error.lineno) from None
    if not isinstance(whole, dict) or not all(isinstance(each, list) for each in whole.values()):
        raise FormatError("expected an object with a list of scores for each system.", path=path)
    scores: dict[str, Sequence[float | None]] = {}
    texts: dict[str, Sequence[str]] = {}
    for system, entries in zip(_system_names(list(whole)), whole.values(), strict=True):
        scores[system] = [_score(each, name, path) for each in entries]
        scored = [each.get("mt") if isinstance(each, dict) else None for each in entries]
        if scored and all(isinstance(text, str) for text in scored):
            texts[system] = [str(text) for text in scored]
    return scores, texts


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
    """A number, or the number of an object: that of the metric's name, of `score`, or the only one there is."""
    if isinstance(entry, dict):
        numbers = {key.lower(): value for key, value in entry.items() if _is_number(value)}
        asked = [numbers[key] for key in (name.lower(), "score") if key in numbers] or list(numbers.values())
        if len(asked) != 1 and not {name.lower(), "score"} & set(numbers):
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
