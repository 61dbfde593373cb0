"""What systems are called: by team and system; where a team is anonymous, by a letter and a number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dragoman.errors import DataError
from dragoman.task.manifest import SharedTask
from dragoman.task.submissions import Submission, SubmissionBox

__all__ = ["SystemNames", "anonymous_names", "printed_names", "system_names"]


@dataclass(frozen=True)
class SystemNames:
    """The names of submitted systems. Nothing of an anonymous team's own naming is in them.

    Systems of an anonymous team are numbered in the order in which they first came, which no later one changes.
    """

    letters: Mapping[str, str]  # anonymous team → its letter
    numbers: Mapping[tuple[str, str], int]  # anonymous team and its system → its number

    def of(self, submission: Submission) -> str:
        """TEAM.SYSTEM, or `anonymous-A.1`."""
        return self._named(submission.team, submission.system)

    def check(self, systems: Iterable[str], file: str) -> None:
        """Refuse names of a file that tell what an anonymous team calls itself or its system."""
        told = sorted(name for name in set(systems) if self.hidden(name) != name)
        if told:
            wanted = ", ".join(f"{name} as {self.hidden(name)}" for name in told)
            raise DataError(f"{file} names systems of an anonymous team as the team does. Write {wanted}.")

    def hidden(self, name: str) -> str:
        """A system's name, without what an anonymous team calls itself or the system."""
        return self._own.get(name, name)

    @cached_property
    def _own(self) -> dict[str, str]:
        names = {key: self._named(*key) for key in self.numbers}
        own = {f"{who}.{key[1]}": name for key, name in names.items() for who in (key[0], self.letters[key[0]])}
        return {name: hidden for name, hidden in own.items() if name not in names.values()}

    def _named(self, team: str, system: str) -> str:
        if team not in self.letters:
            return f"{team}.{system}"
        return f"{self.letters[team]}.{self.numbers[team, system]}"


def system_names(task: SharedTask) -> SystemNames:
    """The names of all systems that were ever submitted to a task."""
    letters = anonymous_names(task)
    numbers: dict[tuple[str, str], int] = {}
    counts: Counter[str] = Counter()
    for each in SubmissionBox(task).all() if letters else ():
        if each.team in letters and (each.team, each.system) not in numbers:
            counts[each.team] += 1
            numbers[each.team, each.system] = counts[each.team]
    return SystemNames(letters, numbers)


def anonymous_names(task: SharedTask) -> dict[str, str]:
    """`anonymous-A`, `anonymous-B`, … for teams that wish it, in the order of the manifest."""
    hidden = [team.name for team in task.teams if team.is_anonymous]
    return {name: f"anonymous-{_letters(number)}" for number, name in enumerate(hidden)}


def printed_names(
    task: SharedTask,
    systems: SystemNames,
    submissions: Sequence[Submission],
    given: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """How the findings print systems: as the manifest says, and teams with a printed name by that.

    A team's only system has the name of the team, as WMT prints it; of several each has its own name behind.
    """
    names = dict(given or {})
    for team in task.teams:
        own = [each for each in submissions if each.team == team.name]
        for each in own if team.printed else ():
            name = team.printed if len(own) == 1 else f"{team.printed}-{each.system.upper()}"
            names.setdefault(systems.of(each), name)
    doubled = [name for name, count in Counter(names.values()).items() if count > 1]
    if doubled:
        raise DataError(f"Two systems would be printed as {doubled[0]!r}; name them apart in task.toml (printed).")
    return names


def _letters(number: int) -> str:
    before, last = divmod(number, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)
