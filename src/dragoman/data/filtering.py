"""Parts of test sets and judgements by what is known of segments: document, domain, the language first written in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dragoman.data.testset import TestSet
from dragoman.errors import DataError

if TYPE_CHECKING:
    from dragoman.data.judgements.base import Judgements

__all__ = ["Conditions", "parse_conditions", "segments_where", "select_judgements", "select_segments"]

Conditions = Mapping[str, frozenset[str]]  # field → values, one of which a segment must have

_STREAMS = {"doc": "docs", "domain": "domains", "origlang": "origlangs"}


def parse_conditions(texts: Sequence[str]) -> dict[str, frozenset[str]]:
    """Conditions written `field=value`; of several values of one field any will do, and all fields must fit."""
    conditions: dict[str, frozenset[str]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value:
            raise DataError(f"{text!r} is no condition; write field=value, as origlang=de.")
        if name not in _STREAMS:
            raise DataError(f"Segments have no field {name!r}. Known: {', '.join(_STREAMS)}.")
        conditions[name] = conditions.get(name, frozenset()) | {value}
    return conditions


def segments_where(labels: TestSet, conditions: Conditions) -> list[int]:
    """The segments, from 0, that meet all conditions; a field that is not known, or none that is left, is an error."""
    places = list(range(len(labels)))
    for name, values in conditions.items():
        stream = getattr(labels, _STREAMS[name])
        if stream is None:
            raise DataError(f"The {name} of the segments is not known. Name a documents.tsv that has it, with --docs.")
        missing = sorted(values - set(stream))
        if missing:
            known = sorted({each for each in stream if each is not None})
            shown = ", ".join(known[:20]) + (" …" if len(known) > 20 else "")
            raise DataError(f"No segment has {name}={missing[0]}. Known: {shown}.")
        places = [place for place in places if stream[place] in values]
    if not places:
        asked = " and ".join(f"{name}={'|'.join(sorted(values))}" for name, values in conditions.items())
        raise DataError(f"No segment has {asked}.")
    return places


def select_segments(test_set: TestSet, conditions: Conditions) -> TestSet:
    """The part of a test set that meets the conditions; without any, the whole."""
    if not conditions:
        return test_set
    places = segments_where(test_set, conditions)

    def part(stream: Sequence[str | None] | None) -> Any:
        return None if stream is None else [stream[place] for place in places]

    return replace(
        test_set,
        refs={name: part(lines) for name, lines in test_set.refs.items()},
        systems={name: part(lines) for name, lines in test_set.systems.items()},
        **{name: part(getattr(test_set, name)) for name in ("srcs", *_STREAMS.values())},
    )


def select_judgements(judgements: Judgements, labels: TestSet, conditions: Conditions) -> Judgements:
    """The judgements of segments that meet the conditions; `labels` are those of the test set, counted from 1."""
    if not conditions:
        return judgements
    segments = {place + 1 for place in segments_where(labels, conditions)}
    numbers = judgements["segment"]
    beyond = next((each for each in numbers if not isinstance(each, int) or not 1 <= each <= len(labels)), 1)
    if beyond != 1:
        raise DataError(f"There are judgements of segment {beyond}; the labels are of {len(labels)} segments, from 1.")
    return judgements.take([row for row, each in enumerate(numbers) if each in segments])
