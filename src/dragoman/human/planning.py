"""A campaign planned: who judges what, how often everything is judged, and the files that carry it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from dragoman import __version__
from dragoman.data.judgement_log import JudgementLog
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, atomic_folder, read_lines, read_text, write_lines
from dragoman.human.manifest import Manifest
from dragoman.human.protocol import LESSON, PROTOCOLS, Assignment, Item, Protocol, Task
from dragoman.notation import parse_json
from dragoman.report import Sentence, Table, joined
from dragoman.report.result import Result

__all__ = ["CampaignPlan", "new_campaign", "plan", "plan_test_set", "read_plan", "read_protocol", "write_plan"]

_TYPES = ("TGT", "CHK", "BAD", "REF")
_KEY = ("task", "position", "item", "type", "system", "segment", "doc", "filler", "more")
_MORE = ("places", "langs", "segments", "media", "expected", "types", "joint", "notes")
_ASSIGNED = ("annotator", "task")


@dataclass(frozen=True)
class CampaignPlan(Result):
    """All assignments of a campaign, and how often each system's outputs will be judged."""

    kind: ClassVar[str] = "campaign-plan"

    name: str
    protocol: Protocol
    annotators: tuple[str, ...]
    assignments: tuple[Assignment, ...]
    n_outputs: int  # systems × segments
    seed: int
    folder: str = ""

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks, each once."""
        return tuple({assignment.task.name: assignment.task for assignment in self.assignments}.values())

    def coverage(self) -> Counter[tuple[str, int]]:
        """How often each output will be judged, fillers and controls not counted."""
        return Counter(
            content
            for assignment in self.assignments
            for item in assignment.task.items
            if item.type == "TGT" and not item.is_filler
            for content in item.contents
        )

    def tables(self) -> list[Table]:
        """Coverage by system, then the annotators with their loads."""
        covered = self.coverage()
        times: dict[str, list[int]] = {}
        for (system, _), count in covered.items():
            times.setdefault(system, []).append(count)
        shown = Counter(
            (system, "filler" if item.is_filler else item.type)
            for assignment in self.assignments
            for item in assignment.task.items
            for system, _ in item.contents
        )
        rows = [
            (
                system or "(source)",
                len(counts),
                min(counts),
                max(counts),
                *(shown[system, kind] for kind in (*_TYPES, "filler")),
            )
            for system, counts in sorted(times.items())
        ]
        n_left = self.n_outputs - len(covered)
        table = Table.of(
            f"Coverage of {self.name}",
            ["system", "outputs", "least", "most", "judgements", "repeats", "degraded", "references", "fillers"],
            rows,
            note=joined([self._hands(), Sentence("{n} outputs are left out.", n=n_left) if n_left else ""]),
        )
        load = Counter(assignment.annotator for assignment in self.assignments)
        items = Counter[str]()
        for assignment in self.assignments:
            items[assignment.annotator] += len(assignment.task.items)
        people = Table.of(
            "Annotators", ["annotator", "tasks", "items"], [(name, load[name], items[name]) for name in self.annotators]
        )
        return [table, people]

    @property
    def idle(self) -> tuple[str, ...]:
        """The annotators for whom there is no task: there are fewer tasks than people to share them."""
        busy = {each.annotator for each in self.assignments if each.task.name != LESSON}
        return tuple(name for name in self.annotators if name not in busy)

    def _hands(self) -> str:
        """How many tasks there are and who gets them; lessons and gold apart."""
        taken = Counter(each.task.name for each in self.assignments if each.task.name != LESSON)
        least, most = min(taken.values(), default=0), max(taken.values(), default=0)
        judged = str(least) if least == most else Sentence("{least} to {most}", least=least, most=most)
        dealt = Sentence(
            "{tasks} tasks, each judged by {judged} of {n} annotators",
            tasks=len(taken),
            judged=judged,
            n=len(self.annotators),
        )
        lessons = sum(len(task.items) for task in self.tasks if task.name == LESSON)
        gold = sum(item.type == "GOLD" for task in self.tasks for item in task.items)
        parts = [dealt]
        if gold or lessons:
            parts.append(Sentence("{gold} items of gold, {lessons} of a tutorial", gold=gold, lessons=lessons))
        if self.idle:
            idle = "nothing to judge for {names}: plan smaller tasks or a higher redundancy"
            parts.append(Sentence(idle, names=", ".join(self.idle)))
        parts.append(Sentence("seed {seed}", seed=self.seed))
        return Sentence("{said}.", said=joined(parts, "{first}; {rest}"))

    def meta(self) -> dict[str, Any]:
        """What is needed to plan again."""
        options = {key: dict(value) if hasattr(value, "items") else value for key, value in vars(self.protocol).items()}
        return {
            "campaign": self.name,
            "protocol": self.protocol.name,
            **options,
            "annotators": len(self.annotators),
            "idle": list(self.idle),
            "tasks": len(self.tasks),
            "assignments": len(self.assignments),
            "seed": self.seed,
            "folder": self.folder or None,
        }


def plan(manifest: Manifest) -> CampaignPlan:
    """Plan a campaign. Pure: the same manifest and test set give the same plan."""
    if manifest.tasks:
        dealt = manifest.protocol.deal(manifest.tasks, manifest.annotators, seed=manifest.seed)
        held = {
            content for task in manifest.tasks for item in task.items if item.type == "TGT" for content in item.contents
        }
        return CampaignPlan(
            manifest.name, manifest.protocol, manifest.annotators, tuple(dealt), len(held), manifest.seed
        )
    return plan_test_set(
        manifest.test_set, manifest.protocol, manifest.annotators, seed=manifest.seed, name=manifest.name
    )


def plan_test_set(
    test_set: TestSet, protocol: Protocol, annotators: tuple[str, ...], *, seed: int, name: str = "campaign"
) -> CampaignPlan:
    """Plan the judging of a test set."""
    assignments = protocol.plan(test_set, annotators, seed=seed)
    n_outputs = len(test_set) * (len(test_set.systems) if protocol.needs_systems else 1)
    return CampaignPlan(name, protocol, tuple(annotators), tuple(assignments), n_outputs, seed)


def write_plan(campaign: CampaignPlan, folder: StrPath) -> CampaignPlan:
    """Write the plan into a new folder.

    `tasks.jsonl` is what annotators may see, an item a line; `assignments.tsv` says who gets which task; `key.tsv`
    says what each item is and stays with the organiser; `plan.json` says how to plan again.
    """
    target = Path(folder)
    if target.is_dir() and any(target.iterdir()):
        raise DataError(f"{target} is there already and not empty; name a new folder for the plan.")
    with atomic_folder(target) as temporary:
        _write_files(campaign, temporary)
    return CampaignPlan(**{**vars(campaign), "folder": str(target)})


def read_plan(folder: StrPath) -> list[Assignment]:
    """The assignments that `write_plan` wrote."""
    source = Path(folder)
    shown: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(read_lines(source / "tasks.jsonl"), start=1):
        try:
            values = parse_json(line)
            shown[values["item"]] = {
                place: text for place, text in values.items() if place not in ("task", "position", "item")
            }
        except (ValueError, KeyError, TypeError, AttributeError):
            raise FormatError("this is no item of a plan.", path=source / "tasks.jsonl", line=number) from None
    items: dict[str, list[Item]] = {}
    for number, cells in _cells(source / "key.tsv", _KEY):
        task, _, name, kind, system, segment, doc, filler, more = cells
        if name not in shown:
            raise FormatError(f"the item {name} is not in tasks.jsonl.", path=source / "key.tsv", line=number)
        try:
            further = _further(parse_json(more)) if more else {}
            item = Item(name, kind, system, int(segment), doc or None, shown[name], filler == "yes", **further)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise FormatError("this is no item of a plan.", path=source / "key.tsv", line=number) from None
        items.setdefault(task, []).append(item)
    tasks = {name: Task(name, tuple(own)) for name, own in items.items()}
    assignments = []
    for number, (annotator, name) in _cells(source / "assignments.tsv", _ASSIGNED):
        if name not in tasks:
            raise FormatError(f"there is no task {name} in key.tsv.", path=source / "assignments.tsv", line=number)
        assignments.append(Assignment(annotator, tasks[name]))
    return assignments


def read_protocol(folder: StrPath) -> Protocol:
    """The protocol, with its options, of the plan that `write_plan` wrote."""
    source = Path(folder) / "plan.json"
    try:
        about = parse_json(read_text(source))
        cls = PROTOCOLS.get(about["protocol"])
        return cls(**{each.name: about[each.name] for each in fields(cls) if each.init and each.name in about})
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FormatError("this is no plan of a campaign.", path=source) from None


def _more(item: Item) -> str:
    """What an item is besides, as JSON; nothing where it is like most."""
    plain = Item(item.id, item.type, item.system, item.segment, item.doc, {})
    values = {name: getattr(item, name) for name in _MORE if getattr(item, name) != getattr(plain, name)}
    return json.dumps(values, ensure_ascii=False, default=dict) if values else ""


def _further(values: dict[str, Any]) -> dict[str, Any]:
    """The fields that `_more` wrote."""
    return {name: values[name] for name in values if name in _MORE}


def _cells(path: Path, header: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """The rows of a TSV file of a plan, with their line numbers."""
    for number, line in enumerate(read_lines(path), start=1):
        cells = line.split("\t")
        if len(cells) != len(header) or (number == 1 and tuple(cells) != header):
            raise FormatError(f"expected the columns {', '.join(header)}.", path=path, line=number)
        if number > 1:
            yield number, cells


def new_campaign(manifest: Manifest, folder: StrPath) -> CampaignPlan:
    """Plan a campaign and make its folder: the plan's files and the log that judgements are appended to."""
    target = Path(folder)
    written = write_plan(plan(manifest), target)
    JudgementLog(target / "judgements.jsonl", manifest.protocol.schema)
    return written


def _write_files(campaign: CampaignPlan, folder: Path) -> None:
    seen, key = [], ["\t".join(_KEY)]
    for task in campaign.tasks:
        for position, item in enumerate(task.items, start=1):
            shown = {"task": task.name, "position": position, "item": item.id, **item.shown}
            seen.append(json.dumps(shown, ensure_ascii=False))
            filler = "yes" if item.is_filler else "no"
            cells = (
                task.name,
                position,
                item.id,
                item.type,
                item.system,
                item.segment,
                item.doc or "",
                filler,
                _more(item),
            )
            key.append("\t".join(map(str, cells)))
    write_lines(folder / "tasks.jsonl", seen)
    write_lines(folder / "key.tsv", key)
    write_lines(
        folder / "assignments.tsv",
        ["\t".join(_ASSIGNED), *(f"{each.annotator}\t{each.task.name}" for each in campaign.assignments)],
    )
    about = {**campaign.meta(), "dragoman": __version__}
    about.pop("folder")
    write_lines(folder / "plan.json", json.dumps(about, ensure_ascii=False, indent=2).splitlines())
