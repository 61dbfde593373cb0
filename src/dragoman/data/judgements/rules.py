"""What the fields of one judgement must not say together, kind by kind: fields are checked one by one elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dragoman.data.judgements.frame_json import parse_frames
from dragoman.errors import DataError

__all__ = ["QUESTION_TYPES", "RULES"]

QUESTION_TYPES = ("factual", "yes-no", "list")

Columns = Mapping[str, Sequence[Any]]
Problems = Iterator[tuple[int, str]]  # the place of a row, and what is wrong with it


def ranking_problems(columns: Columns) -> Problems:
    """A system stands on a screen once, and what is ranked is a system."""
    n_systems = sum(1 for name in columns if name.startswith("rank"))
    places = range(1, n_systems + 1)
    for row, shown in enumerate(zip(*(columns[f"system{n}"] for n in places), strict=True)):
        if len(set(shown)) < n_systems:
            twice = next((system for system in shown if system is not None and shown.count(system) > 1), None)
            if twice is not None:
                yield row, f"the system {twice!r} is ranked twice on one screen"
            for n, system in zip(places, shown, strict=True):
                if system is None and columns[f"rank{n}"][row] is not None:
                    yield row, f"rank{n} is {columns[f'rank{n}'][row]}, but there is no system{n}"
        elif None in shown:
            n = shown.index(None) + 1
            if columns[f"rank{n}"][row] is not None:
                yield row, f"rank{n} is {columns[f'rank{n}'][row]}, but there is no system{n}"


def by_row(rule: Callable[[Mapping[str, Any]], Iterator[str]]) -> Callable[[Columns], Problems]:
    """The rule over columns that looks at each row by itself."""

    def problems(columns: Columns) -> Problems:
        for place, row in enumerate(zip(*columns.values(), strict=True)):
            for problem in rule(dict(zip(columns, row, strict=True))):
                yield place, problem

    return problems


def span_problems(row: Mapping[str, Any]) -> Iterator[str]:
    """A span has a beginning and an end inside its text."""
    for prefix, text in (("source_", row["source"]), ("", row["target"])):
        start, end = row[f"{prefix}start"], row[f"{prefix}end"]
        if (start is None) != (end is None):
            yield f"{prefix}start is {start}, {prefix}end {end}; a span has both"
        elif start is not None and start > end:
            yield f"{prefix}start is {start}, behind {prefix}end, {end}"
        elif end is not None and text is not None and end > len(text):
            yield f"{prefix}end is {end}, but the text has {len(text)} characters"
    if row["is_omission"] and row["start"] is not None:
        yield "an omission is marked at no place of the output, but start is there"


def frame_problems(row: Mapping[str, Any]) -> Iterator[str]:
    """Frames can be read, and what they span is in the sentence."""
    try:
        frames = parse_frames(row["frames"])
    except DataError as error:
        yield str(error).rstrip(".")
        return
    if row["reference"] is None and any(frame.link or any(role.link for role in frame.roles) for frame in frames):
        yield "frames are linked, but no reference is named"
    if row["text"] is not None:
        n = len(row["text"].split(" "))
        ends = [frame.head + 1 for frame in frames] + [role.end for frame in frames for role in frame.roles]
        if max(ends, default=0) > n:
            yield f"a frame reaches to token {max(ends) - 1}, but the sentence has {n} tokens"


def vote_problems(row: Mapping[str, Any]) -> Iterator[str]:
    """No translation has more votes than were cast."""
    if row["votes"] is not None and row["n_votes"] is not None and row["votes"] > row["n_votes"]:
        yield f"votes is {row['votes']}, but only {row['n_votes']} were asked"


def comprehension_problems(row: Mapping[str, Any]) -> Iterator[str]:
    """An answer belongs to a question; the types of question are known."""
    if row["question"] is None and (row["answer"] is not None or row["is_correct"] is not None):
        yield "there is an answer, but no question"
    if row["type"] is not None and row["type"] not in QUESTION_TYPES:
        yield f"type is {row['type']!r}; expected {', '.join(QUESTION_TYPES)}"


RULES: dict[str, Callable[[Columns], Problems]] = {
    "comprehension": by_row(comprehension_problems),
    "crowd-votes": by_row(vote_problems),
    "error-spans": by_row(span_problems),
    "relative-ranking": ranking_problems,
    "semantic-frames": by_row(frame_problems),
}
