"""What a submission must be: text of the right length that can be read and does not say who wrote it.

A problem is a sentence, so that a page can say it in its language; it names the place in the file as the team knows it,
never where the server keeps it, nor anything of other teams.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from dragoman.errors import DataError, FormatError
from dragoman.files import open_binary, read_lines
from dragoman.metrics.meta.reading import read_score_file
from dragoman.qe.files import read_label_lines
from dragoman.qe.submission import read_estimates
from dragoman.report import Sentence
from dragoman.task.forms import LINES, form_of, read_output
from dragoman.task.manifest import NAME, QualityTrack, Team, Track, TranslationTrack

__all__ = ["MOST_BYTES", "Check", "check_names", "check_submission", "kind_of"]

MOST_BYTES = 64 << 20  # of a file as it comes, and of what is packed in it

_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.]+")
_LEAST_NAME = 3  # letters of a name that is looked for in the text; shorter ones are words of many languages


@dataclass(frozen=True)
class Check:
    """What is wrong with a file, what is worth knowing of it, and its fingerprint."""

    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    n_lines: int | None = None
    fingerprint: str = ""  # of the unpacked content; of an output in any form, that of its lines
    form: str = LINES
    output: tuple[str, ...] | None = None  # the lines of an output that came in another form

    @property
    def is_accepted(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def kind_of(track: Track, kind: str | None) -> str:
    """What is submitted to a track; `kind` is needed where it takes several: translation or metrics."""
    usual = "quality" if isinstance(track, QualityTrack) else "translation"
    chosen = kind or usual
    if chosen not in track.submitted:
        raise DataError(
            Sentence(
                "The track {track} takes no {kind}; it takes {known}.",
                track=track.name,
                kind=chosen,
                known=", ".join(sorted(track.submitted)),
            )
        )
    return chosen


def check_names(system: str) -> None:
    """Refuse what cannot name a system: it becomes a part of names, of files and of columns."""
    if not NAME.fullmatch(system):
        raise DataError(
            Sentence(
                "{name} cannot name a system; use letters, digits, '-' and '_', 64 of them at most.",
                name=repr(system[:80]),
            )
        )


def check_submission(path: Path, track: Track, kind: str, team: Team, *, shown: str) -> Check:
    """Look at a file that came; `shown` is what the team calls it."""
    try:
        content = _unpacked(path, shown)
    except DataError as error:
        return Check((_told(error, shown),))
    fingerprint = sha256(content).hexdigest()
    try:
        if isinstance(track, QualityTrack):
            lines, problems, notes = _check_estimates(path, track, shown)
        elif kind == "metrics":
            lines, problems, notes = _check_scores(path, shown)
        else:
            return _check_output(path, track, team, form_of(content), fingerprint)
    except DataError as error:
        return Check((_told(error, shown),), fingerprint=fingerprint)
    return Check(tuple(problems), tuple(notes), lines, fingerprint)


def _unpacked(path: Path, shown: str) -> bytes:
    """The content of a file, unpacked no further than it may be long."""
    with open_binary(path) as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise DataError(
            Sentence("{name} is longer than {most} MiB when it is unpacked.", name=shown, most=MOST_BYTES >> 20)
        )
    if not content.strip():
        raise DataError(Sentence("{name} is empty.", name=shown))
    return content


def _told(error: DataError, shown: str) -> str:
    """An error with the team's own name of the file, not the place where it is kept."""
    if isinstance(error.args[0], Sentence):
        return error.args[0]
    if not isinstance(error, FormatError):
        return Sentence("{name} cannot be read.", name=shown)
    place = shown if error.line is None else f"{shown}:{error.line}"
    return Sentence("{place}: {reason}", place=place, reason=error.message)


Found = tuple[int, list[str], list[str]]


def _check_output(path: Path, track: TranslationTrack, team: Team, form: str, fingerprint: str) -> Check:
    """A system's output: a line for each source segment."""
    output = read_output(path, form, track)
    lines, sources = output.lines, read_lines(track.source)
    problems = list(output.problems)
    if len(lines) != len(sources):
        counts = {"n": len(lines), "wanted": len(sources)}
        problems.append(
            Sentence("Lines: {n:,}. Segments of the test set: {wanted:,}.", **counts)
            if form == LINES
            else Sentence("Segments of the file: {n:,}, of the test set: {wanted:,}.", **counts)
        )
    strange = next((n for n, line in enumerate(lines, start=1) if _NO_TEXT.search(line)), None)
    if strange is not None:
        problems.append(Sentence("Line {line} has control characters, which are no text.", line=strange))
    if not problems:
        texts = [read_lines(each.rpartition("=")[2]) for each in track.references]
        problems += _named_authors(lines, [sources, *texts], team)
    empty = sum(not line.strip() for line in lines)
    notes: list[str] = [Sentence("Empty lines: {n:,}.", n=empty)] if empty else []
    same = sum(line == source for line, source in zip(lines, sources, strict=False) if line.strip())
    if 2 * same > len(lines):
        notes.append(Sentence("Lines that are the source itself: {n:,} of {all:,}.", n=same, all=len(lines)))
    if form == LINES:
        return Check(tuple(problems), tuple(notes), len(lines), fingerprint)
    same_text = sha256("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")).hexdigest()
    return Check(tuple(problems), tuple(notes), len(lines), same_text, form, lines)


def _named_authors(lines: Sequence[str], known: Sequence[Sequence[str]], team: Team) -> Iterator[str]:
    """Judges must not learn who wrote what: names of the team where neither source nor reference has them."""
    names = [name for name in (team.name, team.institution, *team.members) if len(name) >= _LEAST_NAME]
    wanted = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, names)) + r")(?!\w)", re.IGNORECASE) if names else None
    for number, (line, *others) in enumerate(zip(lines, *known, strict=True), start=1):
        for pattern in (wanted, _MAIL):
            match = pattern.search(line) if pattern else None
            if match and not any(match[0].casefold() in other.casefold() for other in others):
                yield Sentence(
                    "Line {line} names {name}, and the source does not: judges must not learn whose output it is.",
                    line=number,
                    name=match[0],
                )
                return


def _check_scores(path: Path, shown: str) -> Found:
    """A metric's scores of systems or segments."""
    file = read_score_file(f"metric={path}")
    metrics = {metric for scores in file.scores.values() for metric in scores}
    problems: list[str] = []
    if len(metrics) != 1:
        problems.append(
            Sentence("{name} has the scores of {n} metrics; submit each by itself.", name=shown, n=len(metrics))
        )
    return sum(1 for _ in read_lines(path)), problems, []


def _check_estimates(path: Path, track: QualityTrack, shown: str) -> Found:
    """A score or the labels of each sentence of the gold standard."""
    problems: list[str] = []
    if track.subtask == "words":
        gold, said = (read_label_lines(each) for each in (track.gold, path))
        lengths = [(len(one), len(other)) for one, other in zip(gold, said, strict=False)]
        wrong = next((n for n, (one, other) in enumerate(lengths, start=1) if one != other), None)
        if len(gold) == len(said) and wrong is not None:
            n, wanted = lengths[wrong - 1][::-1]
            problems.append(Sentence("Line {line} has {n} labels for {wanted} words.", line=wrong, n=n, wanted=wanted))
        counts = len(said), len(gold)
    else:
        counts = len(read_estimates(path, track.subtask)), len(read_estimates(track.gold))
    if counts[0] != counts[1]:
        problems.append(
            Sentence(
                "{name}: sentences: {n:,}, of the test set: {wanted:,}.", name=shown, n=counts[0], wanted=counts[1]
            )
        )
    return counts[0], problems, []
