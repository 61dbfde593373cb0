"""What the workbench keeps in a process: who listens, and the engines that projects translate with and teach."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from anyio import CapacityLimiter

from dragoman.cat.checking import glossary_of, memories_of, terms_in
from dragoman.cat.checks import Check
from dragoman.cat.checks.grammar import grammar_checks
from dragoman.cat.memory import Hit, MemoryShelf, Query, fragments
from dragoman.cat.pretranslation import Pretranslator, Step
from dragoman.cat.project_effort import ProjectEfforts
from dragoman.cat.project_engines import MANIFEST, copy_folder, is_old_copy
from dragoman.cat.projection import spoken
from dragoman.cat.projects import codes_of
from dragoman.cat.saving import is_confirmed
from dragoman.cat.segments import Alternative
from dragoman.cat.settings import DEFAULTS
from dragoman.cat.suggestions import Suggestion, file_proposal, machine_translations, memory_match, rank
from dragoman.cat.translating import writable
from dragoman.engines import Learns, Role, Translates, capabilities, need
from dragoman.engines.journal import JOURNAL
from dragoman.errors import DataError, DragomanError
from dragoman.store.database import Store
from dragoman.store.people.accounts import User
from dragoman.store.translating import segments
from dragoman.store.translating.jobs import Access
from dragoman.store.translating.projects import Project, count_learnt
from dragoman.store.translating.saving import Outcome
from dragoman.text.languages import base_language
from dragoman.web.cat.hub import Hub
from dragoman.web.cat.problems import engine_problem
from dragoman.web.logs import LOGGER
from dragoman.web.models.engines import Engines, why_not_learning

__all__ = ["ProjectEngines", "Workbench"]

_MOST_LOADED = 8  # engines of projects in one process; one of 29,000 pairs takes about 60 MB


class ProjectEngines(Engines):
    """Engines that learn, one for each project: the files of the server's engine, with a journal of its own.

    Workers share the journal, so what one has learnt the others take in when they are asked next. The `most` that were
    asked last stay loaded; another is read from its folder again when somebody comes back to its project.
    """

    def __init__(self, engines: Engines, folder: str, *, most: int = _MOST_LOADED) -> None:
        super().__init__()
        self._most = most
        self._engines = engines
        self._folder = Path(folder) if folder else None
        self._making = threading.Lock()
        self._remarks: dict[str, str | None] = {}  # why the server's engines cannot learn
        self._stamps: dict[str, tuple[int, int]] = {}  # of the manifests of engines that are loaded

    @contextmanager
    def of(self, project: Project) -> Iterator[tuple[Role, bool]]:
        """The engine of a project for oneself, and whether it is the project's own, so that it may be taught."""
        own = self._own(project)
        if own:
            self._let_go_of_old(own)
        with (self if own else self._engines).turn(own or project.engine) as (_, engine):
            if own:
                need(engine, Learns).refresh()
                self._loaded[own] = self._loaded.pop(own)  # the last in the order of going
            yield engine, own is not None
        self._unload()

    def _let_go_of_old(self, name: str) -> None:
        """Read an engine again whose folder was replaced, by this worker or by another."""
        found = (Path(self.folders[name]) / MANIFEST).stat()
        stamp = (found.st_ino, found.st_mtime_ns)
        if self._stamps.setdefault(name, stamp) != stamp:
            with self._locks[name]:
                self._loaded.pop(name, None)
                self._stamps[name] = stamp

    def _unload(self) -> None:
        """Let go of the engines that were not asked for longest; one that somebody waits for or uses stays."""
        with self._making:
            for name in [*self._loaded][: -self._most]:
                if self._locks[name].acquire(blocking=False):
                    self._loaded.pop(name, None)
                    self._locks[name].release()

    def state(self, project: Project) -> dict[str, Any]:
        """Whether a project's engine learns, why not where it could be expected to, and whether it is an old copy."""
        told = {"engine_learns": False, "engine_remark": None, "engine_is_old": False}
        if not project.engine or self._folder is None or not project.settings.get("learns", True):
            return told
        if project.engine not in self._engines.folders:
            return told | {"engine_remark": f"This server has no engine called {project.engine!r}."}
        if project.engine not in self._remarks:
            with self._engines.turn(project.engine) as (_, engine):
                self._remarks[project.engine] = why_not_learning(engine)
        origin = Path(self._engines.folders[project.engine])
        remark = self._remarks[project.engine]
        if not (remark or (origin / MANIFEST).is_file()):
            remark = "It is no folder of an engine, of which a project could have a copy."
        is_old = is_old_copy(origin, copy_folder(self._folder, project))
        return {"engine_learns": remark is None, "engine_remark": remark, "engine_is_old": is_old}

    def renew(self, project: Project, pairs: Sequence[tuple[str, str]]) -> None:
        """Copy the server's engine for a project once more, and teach the copy what the old one was taught."""
        name = self._own(project)
        if name is None or self._folder is None:
            raise DataError("The project has no engine of its own, so there is nothing to renew.")
        folder = self._folder / name
        with self.turn(name), tempfile.TemporaryDirectory(dir=self._folder) as temporary:
            fresh = Path(temporary) / "engine"
            shutil.copytree(self._engines.folders[project.engine or ""], fresh, copy_function=_link)
            fresh.chmod(0o700)
            if pairs:
                need(self.load(str(fresh)), Learns).learn(*map(list, zip(*pairs, strict=True)))
            folder.rename(Path(temporary) / "old")
            fresh.rename(folder)
            self._loaded.pop(name, None)
            self._stamps.pop(name, None)

    def learns(self, project: Project) -> bool:
        """Whether a project has an engine of its own, which may be taught."""
        return self._own(project) is not None

    def forget(self, project: int) -> None:
        """Delete what engines have learnt in a project that is deleted."""
        with self._making:
            for name in [each for each in self.folders if each.startswith(f"{project}.")]:
                del self.folders[name]
                self._loaded.pop(name, None)
            for folder in self._folder.glob(f"{project}.*") if self._folder else ():
                shutil.rmtree(folder, ignore_errors=True)

    def _own(self, project: Project) -> str | None:
        """The name under which the project's own engine stands here; it is made if need be. None: it has none."""
        name = f"{project.id}.{project.engine}"
        if name in self.folders:
            return name
        origin = Path(self._engines.folders.get(project.engine or "", ""))
        if self._folder is None or not project.settings.get("learns", True) or not (origin / MANIFEST).is_file():
            return None
        with self._engines.turn(project.engine) as (_, engine):
            if "learns" not in capabilities(engine):
                return None
        with self._making:
            if name not in self.folders:  # somebody else was quicker, and holds its lock perhaps
                _copy(origin, self._folder / name)
                self._locks[name] = threading.Lock()
                self.folders[name] = str(self._folder / name)
        return name


def _copy(origin: Path, folder: Path) -> None:
    """An engine with the files of another, without room for a second copy where the disk can do so."""
    if folder.exists():
        return
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        made = Path(temporary) / "engine"
        shutil.copytree(origin, made, copy_function=_link)
        made.chmod(0o700)  # its journal has texts of the project
        with suppress(FileExistsError, OSError):  # another worker was quicker
            made.rename(folder)


def _link(source: str, target: str) -> None:
    if Path(source).name == JOURNAL:
        shutil.copy2(source, target)
        return
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _proposals(row: Mapping[str, Any], score: float) -> list[Suggestion]:
    """What the file of a segment proposes for it."""
    proposed = [Alternative(**each) for each in row["alternatives"]]
    return [file_proposal(row["source"], each, file=row["file"], score=score) for each in proposed]


class Workbench:
    """Suggestions for segments, and what follows when one is confirmed."""

    def __init__(
        self, store: Store, engines: Engines, folder: str = "", *, repairers: Sequence[str] = (), threads: int = 16
    ) -> None:
        self.store = store
        self.threads = threads
        self.hub = Hub(store)
        self.memories = MemoryShelf(store)
        self.engines = ProjectEngines(engines, folder)
        self.efforts = ProjectEfforts(store)
        self._grammar = grammar_checks(repairers)

    def checks_of(self, project: Project) -> list[Check]:
        """Checks of this house besides those that every project has: grammar, where a repairer knows the languages."""
        languages = base_language(project.source_lang), base_language(project.target_lang)
        return [check] if (check := self._grammar.get(languages)) else []

    @cached_property
    def predicting(self) -> CapacityLimiter:
        """Threads for predictions, besides those of requests: a key waits for no upload."""
        return CapacityLimiter(self.threads)

    def suggest(
        self, project: Project, row: Mapping[str, Any], *, use_engine: bool = True, looker: User | None = None
    ) -> dict[str, Any]:
        """The best suggestions for a segment, and the terms in its source; for a `looker` of the own memories."""
        settings = {**DEFAULTS, **project.settings}
        codes = codes_of(row["codes"])
        known = [*self._matches(project, row, settings, looker), *_proposals(row, settings["mt_score"])]
        problem, translations = "", list[Suggestion]()
        try:
            translations = self._translations(project, row, settings["mt_score"]) if use_engine else []
        except DragomanError as error:  # what the memories have is of use all the same
            problem = engine_problem(project.engine or "", error)
        found = rank(
            [
                *(replace(each, text=writable(row["source"], codes, each.text)) for each in known),
                *translations,
            ],
            n=settings["n_suggestions"],
            threshold=settings["threshold"],
        )
        return {
            "suggestions": [each.to_dict() for each in found],
            "terms": terms_in(project, row["source"]),
            "fragments": self._fragments(project, row["source"], looker),
            "problem": problem,
        }

    def _fragments(self, project: Project, source: str, looker: User | None) -> list[dict[str, Any]]:
        """Phrases of a source that the project's memories have in several units, with their likely translations."""
        with self.store.read() as connection:
            asked = memories_of(connection, project, looker)
        found = [each for memory in asked for each in fragments(self.memories.index(memory.memory), source)]
        return [asdict(each) for each in found]

    def _matches(
        self, project: Project, row: Mapping[str, Any], settings: Mapping[str, Any], looker: User | None
    ) -> list[Suggestion]:
        with self.store.read() as connection:
            asked = memories_of(connection, project, looker)
            before, behind = segments.neighbours_of(connection, project.id, row["place"])
        query = Query(row["source"], before, behind)
        most, threshold = settings["n_suggestions"], settings["threshold"]
        return [
            memory_match(row["source"], each)
            for each in self.memories.matches(asked, query, most=most, threshold=threshold)
        ]

    def concordance(
        self, project: Project, text: str, side: Literal["source", "target"], most: int, looker: User | None = None
    ) -> list[Hit]:
        """Where the project's memories have a text; for a `looker` the own memories."""
        with self.store.read() as connection:
            found = [each.memory for each in memories_of(connection, project, looker)]
        return self.memories.concordance(found, text, side=side, most=most)

    def _translations(self, project: Project, row: Mapping[str, Any], score: float) -> list[Suggestion]:
        if project.engine is None:
            return []
        with self.engines.of(project) as (engine, _):
            codes, glossary = codes_of(row["codes"]), glossary_of(project)
            translating = need(engine, Translates)
            segment = row["source"], codes
            translations = machine_translations(translating, project.engine, [segment], glossary, score=score)
        estimator = self.efforts.estimator(project.id)
        texts = [(spoken(row["source"], codes), spoken(each.text, codes)) for each in translations]
        efforts = [estimator.estimate(*text) for text in texts]
        return [
            replace(each, details={**each.details, "effort": effort})
            for each, effort in zip(translations, efforts, strict=True)
        ]

    def confirm(self, access: Access, outcomes: Sequence[Outcome]) -> None:
        """Let the project's engine learn from what was confirmed just now; a fault in it loses no translation."""
        confirmed = [each for each in outcomes if is_confirmed(each)]
        if not confirmed or access.project.engine is None:
            return
        try:
            self._learn(access.project, confirmed)
        except (DragomanError, OSError) as error:
            LOGGER.warning("learning: %s", error)

    def _learn(self, project: Project, confirmed: Sequence[Outcome]) -> None:
        with self.store.read() as connection:
            rows = [segments.find_segment(connection, project.id, each.segment) for each in confirmed]
        codes = [codes_of(row["codes"]) for row in rows]
        texts = zip(rows, codes, confirmed, strict=True)
        self.learn(project, [(spoken(row["source"], own), spoken(each.target or "", own)) for row, own, each in texts])

    def learn(self, project: Project, pairs: Sequence[tuple[str, str]]) -> int:
        """Teach the project's engine pairs of texts without codes; how many. 0 if it has none of its own."""
        pairs = [pair for pair in pairs if all(pair)]
        if project.engine is None or not pairs or not self.engines.learns(project):
            return 0
        with self.engines.of(project) as (engine, _):
            need(engine, Learns).learn([source for source, _ in pairs], [target for _, target in pairs])
        with self.store.write() as connection:
            count_learnt(connection, project.id, len(pairs))
        return len(pairs)

    def pretranslate(self, access: Access, *, after: int, least: float | None, use_engine: bool) -> Step:
        """Fill the next few empty segments of a project behind a place."""
        project = access.project

        @contextmanager
        def engine() -> Iterator[Translates]:
            with self.engines.of(project) as (found, _):
                yield need(found, Translates)

        lent = engine if use_engine and project.engine is not None else None
        name, who = project.engine or "", access.user.id
        return Pretranslator(self.store, project, self.memories, lent, name, least, who).step(after)

    @contextmanager
    def engine_of(self, project: Project) -> Iterator[Role]:
        """The engine that a project translates with, for oneself."""
        if project.engine is None:
            raise DataError("The project has no engine; whoever manages it can choose one.")
        with self.engines.of(project) as (engine, _):
            yield engine

    def renew_engine(self, project: Project) -> int:
        """Have a project's copy of an engine made anew, taught what is confirmed in the project; how many pairs."""
        with self.store.read() as connection:
            rows = segments.confirmed_segments(connection, project.id)
        texts = [[spoken(row[side], codes_of(row["codes"])) for side in ("source", "target")] for row in rows]
        pairs = [(source, target) for source, target in texts if source and target]
        self.engines.renew(project, pairs)
        with self.store.write() as connection:
            return count_learnt(connection, project.id, len(pairs) - project.n_learnt)

    def roll_back(self, project: Project, n_pairs: int) -> int:
        """Let the project's engine forget the last pairs it has learnt; how many it still knows of the project's."""
        if not 0 < n_pairs <= project.n_learnt:
            raise DataError(
                f"The engine has learnt {project.n_learnt} pairs in this project; it cannot forget {n_pairs}."
            )
        with self.engines.of(project) as (engine, is_own):
            if not is_own:
                raise DataError("The project has no engine of its own, so there is nothing to forget.")
            learning = need(engine, Learns)
            learning.rollback(learning.n_pairs - n_pairs)
        with self.store.write() as connection:
            return count_learnt(connection, project.id, -n_pairs)
