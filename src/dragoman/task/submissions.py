"""The box that submissions fall into: files under names that say nothing, and a log of what came, when and from whom.

Nothing is ever taken out: a later submission of a system stands in the place of an earlier one, a late or refused one
is kept and named. Several processes may put things in at once.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from shutil import copyfile
from typing import Any

from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.notation import parse_json
from dragoman.report import Sentence
from dragoman.task.checking import MOST_BYTES, Check, check_names, check_submission, kind_of
from dragoman.task.forms import LINES
from dragoman.task.manifest import SharedTask, Team

__all__ = ["MOST_REFUSED", "MOST_SUBMISSIONS", "Submission", "SubmissionBox"]

MOST_SUBMISSIONS = 100  # of a team to one track that were accepted
MOST_REFUSED = 20  # of a team to one track in a day
_DAY = timedelta(days=1)

_FOLDER = "submissions"
_LOG = "log.jsonl"
_TEXT = ".txt"  # of the lines of an output that came in another form


@dataclass(frozen=True)
class Submission:
    """One file of one team, and what became of it."""

    id: str
    team: str
    track: str
    kind: str  # translation, metrics, quality
    system: str
    file: str  # as the team called it
    by: str
    begun: datetime  # when the file began to come
    received: datetime  # when it was there whole
    is_late: bool
    n_lines: int | None
    fingerprint: str
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    form: str = LINES
    path: str = field(default="", compare=False)

    @property
    def text(self) -> str:
        """The file with a line a segment: what came, or what was made of it."""
        return self.path if self.form == LINES else f"{self.path}{_TEXT}"

    @property
    def is_accepted(self) -> bool:
        """Whether nothing is wrong with it; it may be late nevertheless."""
        return not self.problems

    @property
    def name(self) -> str:
        """What the system is called in every table."""
        return f"{self.team}.{self.system}"

    @property
    def state(self) -> str:
        """Refused, late or accepted."""
        return "refused" if self.problems else "late" if self.is_late else "accepted"


class SubmissionBox:
    """The submissions of a task."""

    def __init__(self, task: SharedTask) -> None:
        self.task = task
        self.folder = task.folder / _FOLDER
        self._log = self.folder / _LOG

    def all(self) -> list[Submission]:
        """All that ever came, in the order in which it came."""
        if not self._log.is_file():
            return []
        with self._locked():  # nobody is in the middle of a line
            return list(self._read())

    def of_team(self, team: str) -> list[Submission]:
        """What one team sees."""
        return [each for each in self.all() if each.team == team]

    def find(self, key: str, teams: Iterable[str] | None = None) -> Submission:
        """A submission by its id, among those of some teams; whether others have it is not told."""
        for each in self.all():
            if each.id == key and (teams is None or each.team in teams):
                return each
        raise UnknownName(Sentence("There is no submission {id}.", id=repr(key[:40])))

    def counted(self, track: str, kind: str) -> list[Submission]:
        """Of each system of a track the last that was accepted, and in time unless late ones are accepted."""
        last: dict[str, Submission] = {}
        for each in self.all():
            counts = each.is_accepted and (not each.is_late or self.task.late == "accept")
            if counts and (each.track, each.kind) == (track, kind):
                last.pop(each.name, None)
                last[each.name] = each
        return list(last.values())

    def receive(
        self,
        content: StrPath,
        *,
        team: str,
        track: str,
        system: str,
        file: str,
        by: str,
        kind: str | None = None,
        begun: datetime | None = None,
        now: datetime | None = None,
    ) -> Submission:
        """Look at a file and keep it, whatever is wrong with it.

        A name that is none, a team or track that is not there, too long a file raise, and nothing is kept. Late is what
        was not there whole at the deadline, whenever it began to come.
        """
        whose, where = self.task.team(team), self.task.track(track)
        chosen = kind_of(where, kind)
        check_names(system)
        path, shown = Path(content), _base_name(file)
        if path.stat().st_size > MOST_BYTES:
            raise DataError(Sentence("{name} is longer than {most} MiB.", name=shown, most=MOST_BYTES >> 20))
        received = now or datetime.now(UTC)
        _check_room([each for each in self.all() if (each.team, each.track) == (team, track)], received)
        check = check_submission(path, where, chosen, whose, shown=shown)
        with self._locked() as log:
            received = now or datetime.now(UTC)
            mine = [each for each in self._read() if (each.team, each.track) == (team, track)]
            _check_room(mine, received)
            submission = self._entry(check, whose, track, chosen, system, shown, by, begun or received, received, mine)
            copyfile(path, self.folder / submission.id)
            if check.output is not None and submission.is_accepted:
                write_lines(submission.text, check.output)
            log.write(json.dumps(_record(submission), ensure_ascii=False) + "\n")
            log.flush()
            os.fsync(log.fileno())
        return submission

    def _entry(
        self, check: Check, team: Team, track: str, kind: str, system: str, shown: str, by: str, begun: datetime,
        received: datetime, mine: list[Submission],
    ) -> Submission:  # fmt: skip
        deadline = self.task.deadline
        is_late = deadline is not None and received > deadline
        problems, notes = list(check.problems), list(check.notes)
        twin = next((each for each in mine if each.fingerprint == check.fingerprint and each.is_accepted), None)
        if not problems and twin is not None:
            problems.append(
                Sentence("This is what {system} has already, submission {id}.", system=twin.system, id=twin.id)
            )
        if deadline is not None and is_late:
            until = deadline.strftime("%Y-%m-%d %H:%M %Z")
            notes.append(
                Sentence("The deadline, {until}, passed while the file came.", until=until)
                if begun <= deadline
                else Sentence("It came after the deadline, {until}.", until=until)
            )
        key = token_hex(8)
        return Submission(
            key, team.name, track, kind, system, shown, by, begun, received, is_late, check.n_lines, check.fingerprint,
            tuple(problems), tuple(notes), check.form, str(self.folder / key),
        )  # fmt: skip

    @contextmanager
    def _locked(self) -> Iterator[Any]:
        self.folder.mkdir(mode=0o700, exist_ok=True)  # what teams send is theirs: no other user of the machine reads it
        with self._log.open("a", encoding="utf-8") as log:
            fcntl.flock(log, fcntl.LOCK_EX)
            self._mend()
            yield log

    def _mend(self) -> None:
        """Put the rest of a crash aside: what lacks its line end is no entry, for we hold the lock."""
        content = self._log.read_bytes()
        whole, line_end, rest = content.rpartition(b"\n")
        if rest:
            with self._log.with_suffix(".rest").open("ab") as aside:
                aside.write(rest + b"\n")
            os.truncate(self._log, len(whole) + len(line_end))

    def _read(self) -> Iterator[Submission]:
        for number, line in enumerate(iter_lines(self._log), start=1):
            try:
                values = parse_json(line)
                yield Submission(
                    **{key: values[key] for key in _PLAIN},
                    begun=datetime.fromisoformat(values["begun"]),
                    received=datetime.fromisoformat(values["received"]),
                    problems=tuple(map(_sentence, values["problems"])),
                    notes=tuple(map(_sentence, values["notes"])),
                    form=values.get("form", LINES),  # logs of older versions have lines alone
                    path=str(self.folder / values["id"]),
                )
            except (DataError, KeyError, TypeError, ValueError) as error:
                raise FormatError(f"this is no entry of the log ({error}).", path=self._log, line=number) from None


_PLAIN = ("id", "team", "track", "kind", "system", "file", "by", "is_late", "n_lines", "fingerprint")


def _record(submission: Submission) -> dict[str, Any]:
    plain = {key: getattr(submission, key) for key in _PLAIN}
    times = {key: getattr(submission, key).isoformat() for key in ("begun", "received")}
    plain["form"] = submission.form
    return {**plain, **times, **{key: list(map(_parts, getattr(submission, key))) for key in ("problems", "notes")}}


def _parts(sentence: str) -> Mapping[str, Any]:
    """A sentence as its pattern and values, so that a page can say it in its language later."""
    if isinstance(sentence, Sentence):
        return {"pattern": sentence.pattern, "values": sentence.values}
    return {"pattern": "{text}", "values": {"text": sentence}}


def _sentence(parts: Mapping[str, Any]) -> str:
    return Sentence(parts["pattern"], **parts["values"])


def _base_name(file: str) -> str:
    """What a browser or a person called the file, without folders; it is shown and never opened."""
    name = file.replace("\\", "/").rpartition("/")[2]
    return "".join(character if character.isprintable() else "�" for character in name)[:120] or "file"


def _check_room(mine: list[Submission], moment: datetime) -> None:
    """Raise if a team has sent to a track what it may: looked at before the work, and again when its turn has come."""
    accepted = [each for each in mine if each.is_accepted]
    if len(accepted) >= MOST_SUBMISSIONS:
        raise DataError(Sentence("{team} has submitted {n} files to {track} already; no more are taken.",
                                 team=mine[0].team, n=len(accepted), track=mine[0].track))  # fmt: skip
    refused = [each for each in mine if not each.is_accepted and each.received > moment - _DAY]
    if len(refused) >= MOST_REFUSED:
        raise DataError(Sentence("{n} files of {team} to {track} were refused within a day; try again tomorrow.",
                                 team=mine[0].team, n=len(refused), track=mine[0].track))  # fmt: skip
