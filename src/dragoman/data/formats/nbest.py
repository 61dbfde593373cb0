"""Moses' n-best lists: `0 ||| das ist gut ||| LM0= -12.3 TM0= -1 -2 ||| -4.5`, a candidate a line."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar
from warnings import warn

from dragoman.data.formats.base import Format
from dragoman.data.nbest import Candidate, NBest, NBestLists
from dragoman.errors import DataError, FormatError, MendedInput
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.notation import whole_number

__all__ = ["NBestFormat", "parse_features"]

_BAR = "|||"


@dataclass(frozen=True)
class NBestFormat(Format):
    """Fields between `|||`: segment (from 0), text, features, score, and perhaps the word alignment.

    Features are read as Moses writes them now (`LM0= -12.3`, `TM0= -1 -2`), as it used to (`lm: -12.3`), and as other
    decoders do (`LM=-12.3`); they are written as Moses does now. Numbers without a name belong to the name before them.
    """

    name: ClassVar[str] = "nbest"
    holds: ClassVar[type] = NBestLists
    suffixes: ClassVar[tuple[str, ...]] = (".nbest",)

    def read(self, path: StrPath) -> NBestLists:
        """The lists; the file is opened when they are iterated."""
        return NBestLists(_NBestFile(os.fspath(path)))

    def write(self, value: NBestLists, path: StrPath) -> None:
        """Write one candidate a line."""
        write_lines(path, (_line(nbest.segment, each) for nbest in value for each in nbest.candidates))


@dataclass(frozen=True)
class _NBestFile:
    path: str

    def __iter__(self) -> Iterator[NBest]:
        last = -1
        for segment, group in groupby(self._candidates(), key=lambda item: item[1]):
            candidates = []
            for number, _, candidate in group:
                if segment <= last:
                    raise FormatError(
                        f"segment {segment} comes after segment {last}; the candidates of a segment stand together and "
                        "segments go upwards. Sort the file with: sort -s -n -k1,1",
                        path=self.path,
                        line=number,
                    )
                candidates.append(candidate)
            last = segment
            yield NBest(segment, tuple(candidates))

    def _candidates(self) -> Iterator[tuple[int, int, Candidate]]:
        """Line number, segment and candidate of each line; blank ones are passed over."""
        blank = []
        for number, line in enumerate(iter_lines(self.path), start=1):
            if not line.strip():
                blank.append(number)
                continue
            try:
                yield number, *_parse(line)
            except DataError as error:
                raise FormatError(str(error), path=self.path, line=number) from None
        if blank:
            warn(MendedInput.of_lines("the line is blank; it is passed over.", blank, path=self.path), stacklevel=2)


def _parse(line: str) -> tuple[int, Candidate]:
    fields = [part.strip(" ") for part in line.split(_BAR)]
    if not 4 <= len(fields) <= 5:
        raise DataError(
            f"the line has {len(fields)} field{'s' * (len(fields) != 1)} between '|||'; "
            "expected segment, text, features, score and perhaps the alignment."
        )
    segment = whole_number(fields[0])
    if segment is None:
        raise DataError(f"the segment is {fields[0][:40]!r}; expected a whole number from 0 on.")
    candidate = Candidate(
        text=fields[1],
        features=parse_features(fields[2]),
        score=_number(fields[3], "the score"),
        alignment=fields[4] if len(fields) == 5 else None,
    )
    return segment, candidate


def parse_features(text: str) -> dict[str, tuple[float, ...]]:
    """Features as decoders write them: names with `=` or `:`, numbers behind them."""
    features: dict[str, list[float]] = {}
    name = ""
    for word in text.split():
        if word[-1] in "=:":
            name, value = word[:-1], ""
        elif "=" in word:
            # The value behind the last sign: sparse features have names such as "wt_a=b".
            name, _, value = word.rpartition("=")
        else:
            features.setdefault(name, []).append(
                _number(word, f"feature {name!r}" if name else "a feature without name")
            )
            continue
        if name in features:
            raise DataError(f"the feature {name!r} comes twice.")
        features[name] = [_number(value, f"feature {name!r}")] if value else []
    return {name: tuple(values) for name, values in features.items()}


def _number(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise DataError(f"{what} is {text!r}; expected a number.")
    return value


def _line(segment: int, candidate: Candidate) -> str:
    if candidate.score is None:
        raise DataError(
            f"A candidate of segment {segment} has no score, which this format demands: {candidate.text[:60]!r}."
        )
    if _BAR in candidate.text:
        raise DataError(f"A candidate of segment {segment} has '|||' inside its text: {candidate.text[:60]!r}.")
    features = " ".join(
        " ".join([*([f"{name}="] if name else []), *map(_show, values)]) for name, values in candidate.features.items()
    )
    fields = [str(segment), candidate.text, features, _show(candidate.score)]
    if candidate.alignment is not None:
        fields.append(candidate.alignment)
    return f" {_BAR} ".join(fields)


def _show(value: float) -> str:
    return repr(value).removesuffix(".0")
