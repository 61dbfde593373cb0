"""Scales from 1 to 5: adequacy and fluency of an output, and the effort that correcting it would take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import fspath
from pathlib import Path
from typing import ClassVar

from dragoman.data.judgements.base import Field, Judgements, Schema, Value
from dragoman.data.judgements.files import JudgementFormat
from dragoman.data.judgements.rows import RowCollector
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, open_writer, plain_name, read_lines
from dragoman.options import option

__all__ = ["ADEQUACY_FLUENCY", "EFFORT", "EffortScores"]

_PLACE = (
    Field("annotator"),
    Field("item"),
    Field("segment", "whole"),
    Field("system"),
    Field("doc", required=False),
    Field("source_lang", required=False),
    Field("target_lang", required=False),
)

ADEQUACY_FLUENCY = Schema(
    "adequacy-fluency",
    (
        *_PLACE,
        Field("adequacy", "whole", required=False, low=1, high=5, meaning="5 all of the meaning, 1 none of it"),
        Field("fluency", "whole", required=False, low=1, high=5, meaning="5 flawless, 1 incomprehensible"),
        Field("seconds", "number", required=False, low=0),
    ),
)

EFFORT = Schema(
    "post-editing-effort",
    (
        *_PLACE,
        Field(
            "effort", "whole", required=False, low=1, high=5, meaning="5 needs no editing, 1 must be translated anew"
        ),
        Field("weight", "number", required=False, low=0, high=1, meaning="of this judge in the segment's mean"),
        Field("source", required=False, meaning="what was translated"),
        Field("output", required=False, meaning="what was judged or edited"),
        Field("post_edit", required=False, meaning="what became of it"),
        Field("keystrokes", "whole", required=False, low=0),
        Field("seconds", "number", required=False, low=0, meaning="active time of reading, editing and judging"),
    ),
)


@dataclass(frozen=True)
class EffortScores(JudgementFormat):
    """Post-editing effort as WMT 2012 released it: a line a segment, the scores 1–5 of several judges between tabs.

    Weights stand in a file beside it whose name has `weights` for `scores`; it is read, and written if there are any.
    Judges are numbered, the one system is given.
    """

    name: ClassVar[str] = "effort-scores"
    kind: ClassVar[str] = "post-editing-effort"
    suffixes: ClassVar[tuple[str, ...]] = (".effort3scores", ".effort-scores")

    system: str = option("mt", text="the name of the one system that was judged")

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """By its name: small numbers between tabs say little."""
        cells = head.partition("\n")[0].strip().split("\t")
        return cls.is_named_by(path) and all(cell in {"", "1", "2", "3", "4", "5"} for cell in cells)

    def read(self, path: StrPath) -> Judgements:
        """A row a judge and segment, segments counted from 1; an empty cell is no judgement."""
        collector = RowCollector(path, format=self.name, on_bad=self.on_bad)
        lines = read_lines(path)
        beside = _weights_path(path)
        weights = read_lines(beside) if beside is not None and beside.is_file() else None
        if weights is not None and len(weights) != len(lines):
            raise FormatError(f"{len(lines)} lines of scores, but {len(weights)} of weights in {beside}.", path=path)
        width = len(lines[0].split("\t")) if lines else 0
        for number, line in enumerate(lines, start=1):
            cells = line.split("\t")
            shares = weights[number - 1].split("\t") if weights is not None else [""] * len(cells)
            try:
                if not width == len(cells) == len(shares):
                    raise DataError(f"the line has {len(cells)} scores and {len(shares)} weights; expected {width}.")
                rows = [
                    self._row(number, judge, *each) for judge, each in enumerate(zip(cells, shares, strict=True), 1)
                ]
            except DataError as error:
                collector.wrong(number, str(error))
                continue
            for row in rows:
                collector.add(number, row)
        return collector.finish(EFFORT)

    def _row(self, segment: int, judge: int, score: str, weight: str) -> dict[str, Value]:
        return {
            "annotator": f"judge{judge}",
            "item": str(segment),
            "segment": segment,
            "system": self.system,
            "effort": EFFORT.field("effort").parse(score) if score else None,
            "weight": EFFORT.field("weight").parse(weight) if weight else None,
        }

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """Scores, and weights beside them; every segment needs a row of every judge."""
        judges, segments = value.coded("annotator")[1], value.coded("segment")[1]
        if list(judges) != [f"judge{n}" for n in range(1, len(judges) + 1)] or set(value["system"]) - {self.system}:
            raise DataError(f"The format {self.name} has judges judge1, judge2 … and one system, {self.system!r}.")
        in_order = value["annotator"] == judges * len(segments)
        if list(segments) != list(range(1, len(segments) + 1)) or not in_order:
            raise DataError(f"The format {self.name} needs segments from 1 on without gaps, each by all judges.")
        beside = _weights_path(path)
        has_weights = any(weight is not None for weight in value["weight"])
        if beside is not None and beside.is_file() and not has_weights:
            raise DataError(f"{beside} has weights of other scores; remove it first.")
        _write(path, value, "effort", len(judges))
        if has_weights and beside is not None:
            _write(beside, value, "weight", len(judges))

    def loses(self, value: Judgements) -> list[str]:
        """Documents, languages, what was edited, and how long it took."""
        names = ("doc", "source_lang", "target_lang", "output", "post_edit", "keystrokes", "seconds")
        return [name for name in names if any(each is not None for each in value[name])]


def _weights_path(path: StrPath) -> Path | None:
    """`x.effort3weights.gz` for `x.effort3scores.gz`."""
    name = Path(path).name
    if fspath(path) == "-" or not plain_name(path).lower().endswith("scores"):
        return None
    head, _, tail = name.rpartition("scores")
    return Path(path).with_name(f"{head}weights{tail}")


def _write(path: StrPath, value: Judgements, name: str, width: int) -> None:
    def cells() -> Iterator[str]:
        return ("" if each is None else str(each) for each in value[name])

    rows = zip(*[cells()] * width, strict=True)
    with open_writer(path) as stream:
        stream.writelines("\t".join(row) + "\n" for row in rows)
