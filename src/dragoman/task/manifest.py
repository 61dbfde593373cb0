"""`task.toml`: what a shared task asks, of whom, until when. Data, never code."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from glob import glob, has_magic
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from dragoman.data.filtering import parse_conditions
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.files import StrPath, read_text
from dragoman.metrics.specs import make_metric
from dragoman.notation import parse_toml
from dragoman.qe.tasks import TASKS
from dragoman.ranking.duels import STYLES
from dragoman.stats.concordance import TAU_VARIANTS
from dragoman.text.languages import parse_pair

__all__ = ["MANIFEST", "QualityTrack", "SharedTask", "Team", "Track", "TranslationTrack", "missing_files", "read_task"]

MANIFEST = "task.toml"

Late = Literal["leave out", "accept"]

# A name becomes a part of file names and of a system's name, TEAM.SYSTEM: no dots, no slashes.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True)
class Team:
    """Who takes part."""

    name: str
    institution: str = ""
    members: tuple[str, ...] = ()  # accounts of the server that submit for the team
    is_anonymous: bool = False  # its systems stand in the findings without its name
    printed: str = ""  # as the findings print it, UEDIN; its only system has this name, of several each UEDIN-SYSTEM


@dataclass(frozen=True)
class TranslationTrack:
    """A test set of one language pair: systems are submitted, scored, judged and ranked; so are metrics of them."""

    name: str
    pair: str
    source: str
    references: tuple[str, ...]
    documents: str | None = None  # documents.tsv, for views and for what is known of segments
    systems: tuple[str, ...] = ()  # outputs that the organiser lays in: PATH or NAME=PATH
    metrics: tuple[str, ...] = ("bleu", "chrf", "ter")
    scores: tuple[str, ...] = ()  # of systems by metrics of others, for the meta-evaluation
    judgements: tuple[str, ...] = ()
    ranking: str | None = None  # method; the kind of judgement tells it if not given
    style: str = "wmt13"  # of the head-to-head matrix and of the numbers of clusters
    variant: str = "wmt14"  # of segment-level τ
    printed: Mapping[str, str] = field(default_factory=dict)  # system → its name as the findings print it
    views: tuple[str, ...] = ()  # parts that are scored by themselves: domain=medical, origlang=fr
    is_medical: bool = False  # with the views of the medical task: as it is, punctuation made alike, without case
    submitted: frozenset[str] = frozenset({"translation", "metrics"})


@dataclass(frozen=True)
class QualityTrack:
    """A subtask of quality estimation, scored by its official measures."""

    name: str
    subtask: str
    gold: str
    train: str | None = None  # gold standard of the training data: what the mean says
    groups: str | None = None  # of a ranking of translations: a line a translation, the name of its source
    estimates: tuple[str, ...] = ()  # that the organiser lays in
    baseline: str | None = None  # one of the estimates
    submitted: frozenset[str] = frozenset({"quality"})


Track = TranslationTrack | QualityTrack


@dataclass(frozen=True)
class SharedTask:
    """A shared task as it was declared."""

    folder: Path
    name: str
    title: str
    teams: tuple[Team, ...]
    tracks: tuple[Track, ...]
    deadline: datetime | None = None
    late: Late = "leave out"
    seed: int = 1
    source: Mapping[str, Any] = field(default_factory=dict, repr=False)  # the table that was read

    def team(self, name: str) -> Team:
        """The team of that name."""
        return _named("team", self.teams, name)

    def track(self, name: str) -> Track:
        """The track of that name."""
        return _named("track", self.tracks, name)

    def translation_tracks(self) -> list[TranslationTrack]:
        """The test sets."""
        return [track for track in self.tracks if isinstance(track, TranslationTrack)]

    def quality_tracks(self) -> list[QualityTrack]:
        """The subtasks of quality estimation."""
        return [track for track in self.tracks if isinstance(track, QualityTrack)]

    def teams_of(self, member: str) -> tuple[Team, ...]:
        """The teams that an account submits for."""
        return tuple(team for team in self.teams if member in team.members)


def missing_files(task: SharedTask, tracks: Sequence[Track] | None = None) -> tuple[str, ...]:
    """The files that a task, or some of its tracks, names and that are not there."""
    paths: list[str | None] = []
    for track in task.tracks if tracks is None else tracks:
        if isinstance(track, QualityTrack):
            paths += [track.gold, track.train, track.groups, *track.estimates]
        else:
            named = (*track.references, *track.systems, *track.scores, *track.judgements)
            paths += [track.source, *map(_path_of, named), track.documents]
    return tuple(dict.fromkeys(path for path in paths if path and not Path(path).is_file()))


def _path_of(argument: str) -> str:
    """The path of PATH or NAME=PATH."""
    name, equals, path = argument.partition("=")
    return path if equals and "/" not in name else argument


class _Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=_Named)


def read_task(path: StrPath) -> SharedTask:
    """The task that a `task.toml`, or the folder that holds one, declares; what is wrong is named with its place.

    Paths are meant from its folder, `$NAME` in them is a variable of the environment, and `*` stands for any part of
    a file name.
    """
    file = Path(path) / MANIFEST if Path(path).is_dir() else Path(path)
    if not file.is_file():
        raise DataError(f"There is no {file}. Begin a task with: dragoman task new FOLDER")
    return _Reader(file).task()


def _named(kind: str, among: Sequence[T], name: str) -> T:
    for each in among:
        if each.name == name:
            return each
    raise UnknownName(f"The task has no {kind} {name!r}. Known: {', '.join(each.name for each in among) or 'none'}.")


_TASK = ("name", "title", "deadline", "late", "seed", "team", "translation", "quality")
_TEAM = ("name", "institution", "members", "anonymous", "printed")
_TRANSLATION = (
    "name", "pair", "source", "references", "documents", "systems", "metrics", "scores", "judgements", "ranking",
    "style", "variant", "printed", "views", "medical",
)  # fmt: skip
_QUALITY = ("name", "subtask", "gold", "train", "groups", "estimates", "baseline")


class _Reader:
    """The tables of a `task.toml`, looked at one by one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.values = parse_toml(read_text(path), path=path)

    def task(self) -> SharedTask:
        top = _Entries(self, "the task", self.values, _TASK)
        teams = tuple(map(self._team, top.tables("team")))
        tracks: tuple[Track, ...] = (
            *map(self._translation, top.tables("translation")),
            *map(self._quality, top.tables("quality")),
        )
        if not tracks:
            raise self.wrong("there is no [[translation]] and no [[quality]]: a task asks for something")
        self._refuse_doubled("teams", [team.name for team in teams])
        self._refuse_doubled("printed teams", [team.printed or team.name for team in teams])
        self._refuse_doubled("tracks", [track.name for track in tracks])
        name = top.name(self.path.resolve().parent.name)
        return SharedTask(
            folder=self.path.parent,
            name=name,
            title=top.text("title", name),
            teams=teams,
            tracks=tracks,
            deadline=self._deadline(top.values.get("deadline")),
            late=top.choice("late", ("leave out", "accept"), "leave out"),  # type: ignore[arg-type]
            seed=top.whole("seed", 1),
            source=self.values,
        )

    def wrong(self, message: str) -> FormatError:
        return FormatError(f"{message}.", path=self.path)

    def _team(self, values: Mapping[str, Any]) -> Team:
        table = _Entries(self, "a [[team]]", values, _TEAM)
        team = Team(
            table.name(),
            table.text("institution", ""),
            table.texts("members"),
            table.truth("anonymous"),
            table.text("printed", ""),
        )
        if team.is_anonymous and team.printed:
            raise self.wrong(f"{team.name!r} is anonymous and has a printed name; leave one of them out")
        return team

    def _translation(self, values: Mapping[str, Any]) -> TranslationTrack:
        table = _Entries(self, "a [[translation]]", values, _TRANSLATION)
        name, pair = table.name(), table.text("pair")
        table.check("pair", parse_pair, pair)
        track = TranslationTrack(
            name=name,
            pair=pair,
            source=self._file(table.text("source")),
            references=self._files(table.texts("references", needed=True)),
            documents=self._file(table.text("documents", "")) or None,
            systems=self._files(table.texts("systems")),
            metrics=table.texts("metrics") or TranslationTrack.metrics,
            scores=self._files(table.texts("scores")),
            judgements=self._files(table.texts("judgements")),
            ranking=table.text("ranking", "") or None,
            style=table.choice("style", tuple(STYLES), "wmt13"),
            variant=table.choice("variant", tuple(TAU_VARIANTS), "wmt14"),
            printed=table.names("printed"),
            views=table.texts("views"),
            is_medical=table.truth("medical"),
        )
        for metric in track.metrics:
            table.check("metrics", make_metric, metric)
        table.check("views", parse_conditions, track.views)
        if track.views and track.documents is None:
            raise self.wrong(f"the views of {name!r} need documents: a documents.tsv that tells them apart")
        return track

    def _quality(self, values: Mapping[str, Any]) -> QualityTrack:
        table = _Entries(self, "a [[quality]]", values, _QUALITY)
        track = QualityTrack(
            name=table.name(),
            subtask=table.choice("subtask", TASKS, "hter"),
            gold=self._file(table.text("gold")),
            train=self._file(table.text("train", "")) or None,
            groups=self._file(table.text("groups", "")) or None,
            estimates=self._files(table.texts("estimates")),
            baseline=self._file(table.text("baseline", "")) or None,
        )
        if (track.subtask == "ranking") != (track.groups is not None):
            raise self.wrong(
                f"{track.name!r} asks for {track.subtask}; groups, a line a translation with the name of its source, "
                'belong to subtask = "ranking", which needs them'
            )
        if track.subtask == "ranking" and track.train is not None:
            raise self.wrong(f"{track.name!r} asks for a ranking, in which a mean says nothing; leave train out")
        if track.baseline is not None and track.baseline not in track.estimates:
            raise self.wrong(f"the baseline of {track.name!r} is none of its estimates; name it there, too")
        return track

    def _deadline(self, value: Any) -> datetime | None:
        if value is None:
            return None
        if not isinstance(value, datetime):
            raise self.wrong(f"deadline is {value}; expected a day and an hour, as 2026-05-17T12:00:00Z")
        return value if value.tzinfo else value.replace(tzinfo=UTC)

    def _file(self, text: str) -> str:
        """A path from the folder of the manifest, the variables of the environment put in."""
        if not text:
            return ""
        whole = os.path.expandvars(text)
        unknown = re.search(r"\$\{?(\w+)", whole)
        if unknown:
            raise self.wrong(f"{text} needs the variable {unknown[1]} of the environment, which is not set")
        path = str(self.path.parent / whole)
        plain = os.path.normpath(path)
        # Without its detours, unless a link on the way makes them matter.
        return plain if os.path.realpath(plain) == os.path.realpath(path) else path

    def _files(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Paths, or NAME=PATH; a pattern stands for the files that it fits, sorted."""
        paths: list[str] = []
        for text in texts:
            name, equals, rest = text.partition("=")
            if equals and "/" not in name:
                paths.append(f"{name}={self._file(rest)}")
            elif has_magic(text):
                fitting = sorted(glob(self._file(text)))  # noqa: PTH207 - the pattern may be of any folder
                if not fitting:
                    raise self.wrong(f"no file fits {text}")
                paths += fitting
            else:
                paths.append(self._file(text))
        return tuple(paths)

    def _refuse_doubled(self, kind: str, names: Sequence[str]) -> None:
        seen: dict[str, str] = {}
        for name in names:
            folded = unicodedata.normalize("NFKC", name).casefold()
            if folded in seen:
                pair = f"{seen[folded]!r}" if seen[folded] == name else f"{seen[folded]!r} and {name!r}"
                raise self.wrong(f"two {kind} have one name, {pair}; name them apart")
            seen[folded] = name


class _Entries:
    """One table of the manifest: its entries by type."""

    def __init__(self, reader: _Reader, title: str, values: Mapping[str, Any], known: Sequence[str]) -> None:
        self.reader, self.title, self.values = reader, title, values
        strange = [key for key in values if key not in known]
        if strange:
            raise reader.wrong(f"{title} has no entry {strange[0]!r}. Known: {', '.join(known)}")

    def _get(self, key: str, kind: type, default: Any, noun: str) -> Any:
        value = self.values.get(key, default)
        if value is None:
            raise self.reader.wrong(f"{self.title} needs {key}, {noun}")
        if type(value) is not kind:
            raise self.reader.wrong(f"{key} of {self.title} is {value!r}; expected {noun}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        return str(self._get(key, str, default, "text"))

    def truth(self, key: str) -> bool:
        return bool(self._get(key, bool, False, "true or false"))

    def whole(self, key: str, default: int) -> int:
        value = int(self._get(key, int, default, "a whole number"))
        if value < 0:
            raise self.reader.wrong(f"{key} of {self.title} is {value}; expected a whole number from 0 on")
        return value

    def texts(self, key: str, *, needed: bool = False) -> tuple[str, ...]:
        values = self._get(key, list, None if needed else [], "a list of texts")
        if not all(isinstance(each, str) for each in values) or (needed and not values):
            raise self.reader.wrong(f"{key} of {self.title} is {values!r}; expected a list of texts")
        return tuple(values)

    def names(self, key: str) -> dict[str, str]:
        values = self._get(key, dict, {}, "a table of names")
        if not all(isinstance(each, str) and each.strip() for each in values.values()):
            raise self.reader.wrong(f"{key} of {self.title} is {values!r}; expected a name for each system")
        return dict(values)

    def tables(self, key: str) -> list[Mapping[str, Any]]:
        values = self._get(key, list, [], f"tables, [[{key}]]")
        if not all(isinstance(each, dict) for each in values):
            raise self.reader.wrong(f"{key} is {values!r}; expected tables, [[{key}]]")
        return list(values)

    def choice(self, key: str, among: Sequence[str], default: str) -> str:
        value = self.text(key, default)
        if value not in among:
            raise self.reader.wrong(f"{key} of {self.title} is {value!r}; expected one of {', '.join(among)}")
        return value

    def name(self, default: str | None = None) -> str:
        value = self.text("name", default)
        if not NAME.fullmatch(value):
            raise self.reader.wrong(
                f"{value!r} cannot name {self.title}; use letters, digits, '-' and '_', 64 of them at most"
            )
        return value

    def check(self, key: str, rule: Callable[[Any], object], value: Any) -> None:
        """Have somebody who knows look at a value; what is wrong is told with its place."""
        try:
            rule(value)
        except (DataError, UnknownName) as error:
            raise self.reader.wrong(f"{key} of {self.title}: {str(error).rstrip('.')}") from None
