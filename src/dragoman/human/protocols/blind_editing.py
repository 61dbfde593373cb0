"""Blind editing and its review as protocols (Bojar et al., Findings of WMT 2013, §4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from dragoman.data.judgements import Schema, Value
from dragoman.data.judgements.blind_edits import BLIND_EDITS, POLISHED, REVIEWS
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.answers import opened
from dragoman.human.blind_editing.edits import BlindEdit, read_edits
from dragoman.human.draws import Draws
from dragoman.human.material import Material, check_neighbours
from dragoman.human.placing import even
from dragoman.human.protocol import Assignment, Item, Protocol, Task
from dragoman.human.simulated import deserved, is_careful, seconds_of
from dragoman.options import option

__all__ = ["BlindEditing", "BlindReview"]

_VERDICTS = ("good", "almost", "bad")


@dataclass(frozen=True)
class BlindEditing(Protocol):
    """Blind editing: outputs are corrected without the source, as far as they can be understood, or given up.

    Neighbouring segments stand around an output, each from another system, so that no system helps itself; a task has
    eight such snippets of three. All systems are shown on every segment, in `rounds` that never share a task.
    """

    name: ClassVar[str] = "blind-editing"
    screen: ClassVar[str] = "blind-edit"
    schema: ClassVar[Schema] = BLIND_EDITS

    size: int = option(3, text="neighbouring segments in a snippet, each from another system")
    snippets: int = option(8, text="snippets in a task")
    rounds: int = option(0, text="systems that are shown of each segment; 0: all")
    context: int = option(2, text="outputs of a snippet shown on either side")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, least in (("size", 1), ("snippets", 1), ("rounds", 0), ("context", 0)):
            if getattr(self, name) < least:
                raise DataError(f"{name} is {getattr(self, name)}; expected at least {least}.")

    def tasks(self, test_set: TestSet, *, seed: int) -> list[Task]:
        """Rounds of all snippets, each round in random order; in each the systems of a snippet move on by one."""
        systems = list(test_set.systems)
        if len(systems) < self.size or self.rounds > len(systems):
            raise DataError(
                f"Snippets of {self.size} in {self.rounds} rounds need so many systems at least; there are "
                f"{len(systems)}."
            )
        spans = list(test_set.documents().values()) or [range(len(test_set))]
        runs = [span[start : start + self.size] for span in spans for start in range(0, len(span), self.size)]
        draws = Draws(seed, "snippets")
        orders = [draws.shuffled(systems) for _ in runs]
        batches: list[list[tuple[range, list[str]]]] = []
        for turn in range(self.rounds or len(systems)):
            shown = [
                (run, [order[(turn + place) % len(order)] for place in range(len(run))])
                for run, order in zip(runs, orders, strict=True)
            ]
            shown, start = draws.shuffled(shown), 0
            for count in even(len(shown), self.snippets):
                batches.append(shown[start : start + count])
                start += count
        width = len(str(len(batches)))
        return [
            Task(f"task-{number:0{width}}", tuple(self._items(test_set, batch, Draws(seed, f"task/{number}"))))
            for number, batch in enumerate(batches, start=1)
        ]

    def _items(self, test_set: TestSet, batch: Sequence[tuple[range, list[str]]], draws: Draws) -> list[Item]:
        material = Material(test_set, "nothing")
        items = []
        for run, systems in batch:
            texts = [material.output(system, n + 1) for n, system in zip(run, systems, strict=True)]
            for place, (n, system) in enumerate(zip(run, systems, strict=True)):
                shown = {
                    "text": texts[place],
                    "before": texts[max(0, place - self.context) : place],
                    "after": texts[place + 1 : place + 1 + self.context],
                }
                doc = material.doc(n + 1)
                items.append(Item(draws.name(), "TGT", system, n + 1, doc, shown, langs=material.langs))
        return items

    def ask(self) -> dict[str, Any]:
        """A question, if the manifest has one."""
        return {"question": self.question}

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """An `edit`, or `gave_up`; perhaps keystrokes."""
        opening = opened(item, answer, "edit", "gave_up", "keystrokes")
        opening.number("keystrokes", 0, None, whole=True, required=False)
        if opening.truth("gave_up"):
            if answer.get("edit") is not None:
                raise opening.wrong("has an edit, though it gives the output up")
        else:
            opening.text("edit")

    def record(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """One edit."""
        self.check(item, answer)
        row: dict[str, Value] = {
            "annotator": assignment.annotator,
            "item": item.id,
            "segment": item.segment,
            "system": item.system,
            "doc": item.doc,
            "output": item.shown["text"] or None,
            "edit": None if answer.get("gave_up") else answer["edit"],
            "keystrokes": answer.get("keystrokes"),
            "seconds": answer.get("seconds"),
            "task": assignment.task.name,
        }
        return [self.schema.check(row)]

    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """The output with a word marked now and then; what is worth little is given up."""
        careful = is_careful(draws, care)
        quality = deserved(item.system, item.segment, item.type) if careful else 100 * draws.share()
        seconds = seconds_of(draws, careful, typical=40)
        if quality < 30 or not item.shown["text"].strip():
            return {"gave_up": True, "seconds": seconds}
        words = [word if 100 * draws.share() < quality else f"{word}*" for word in item.shown["text"].split()]
        return {"edit": " ".join(words), "keystrokes": 3 * len(words), "seconds": seconds}


def _system(test_set: TestSet, edit: BlindEdit) -> str:
    """The system whose output was edited; it may have another name in the campaign, but gave the same output."""
    if 1 <= edit.segment <= len(test_set):
        if edit.system in test_set.systems:
            return edit.system
        for name, texts in test_set.systems.items():
            if texts[edit.segment - 1] == (edit.output or ""):
                return name
    raise DataError(f"There is an edit of segment {edit.segment} of {edit.system}, which is not there.")


@dataclass(frozen=True)
class BlindReview(Protocol):
    """Review of blind edits: somebody who sees source and reference says whether an edit is right, then mends it.

    Yes or no comes first, and only then the edit may be changed: in 2013 reviewers forgot to mark what they had merely
    polished. Nobody reviews edits of their own.
    """

    name: ClassVar[str] = "blind-review"
    screen: ClassVar[str] = "review"
    schema: ClassVar[Schema] = REVIEWS
    paths: ClassVar[tuple[str, ...]] = ("edits",)

    edits: str | Sequence[Mapping[str, Any]] = option(
        "", text="file with the judgements of a campaign of blind editing"
    )
    task_size: int = option(20, text="edits in a task")
    context: int = option(0, text="neighbouring segments shown on either side")
    neighbours: str = option("beside", text="whose neighbours: of what stands beside, outputs of the system, or both")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.task_size < 1 or self.context < 0:
            raise DataError(f"task_size is {self.task_size} and context {self.context}; expected at least 1 and 0.")
        check_neighbours(self.neighbours, self.context)

    def plan(self, test_set: TestSet, annotators: Sequence[str], *, seed: int) -> list[Assignment]:
        """Every edit, or a share `overlap` of the tasks, to `redundancy` people other than its editor, the rest to one.

        Loads are as even as that allows.
        """
        if self.redundancy > len(annotators):
            raise DataError(
                f"Each task goes to {self.redundancy} different annotators, but there are {len(annotators)}. "
                "Invite more or lower the redundancy."
            )
        load = dict.fromkeys(annotators, 0)
        draws = Draws(seed, "deal")
        dealt = []
        tasks = self.tasks(test_set, seed=seed)
        numbers = range(len(tasks))
        shared = numbers if self.overlap == 1 else draws.sample(numbers, round(self.overlap * len(tasks)))
        for number, task in enumerate(tasks):
            reviewers = self.redundancy if number in shared else 1
            editors = {item.notes["editor"] for item in task.items}
            free = [name for name in annotators if name not in editors]
            if len(free) < reviewers:
                raise DataError(
                    f"Edits by {', '.join(sorted(editors))} need {reviewers} other people as reviewers; there "
                    f"are {len(free)}. Invite more."
                )
            turn = {name: draws.bits() for name in free}
            for name in sorted(free, key=lambda name: (load[name], turn[name]))[:reviewers]:
                load[name] += 1
                dealt.append(Assignment(name, task))
        return dealt

    def tasks(self, test_set: TestSet, *, seed: int) -> list[Task]:
        """The edits in random order; a task has those of one editor."""
        if not self.edits:
            raise DataError("edits is not given: name the judgements of a campaign of blind editing.")
        material = Material(test_set, "both", self.context, neighbours=self.neighbours)
        by_editor: dict[str, list[BlindEdit]] = {}
        for edit in read_edits(self.edits):
            by_editor.setdefault(edit.editor, []).append(replace(edit, system=_system(test_set, edit)))
        batches: list[list[BlindEdit]] = []
        draws = Draws(seed, "edits")
        for edits in by_editor.values():
            shuffled, start = draws.shuffled(edits), 0
            for count in even(len(shuffled), self.task_size):
                batches.append(shuffled[start : start + count])
                start += count
        width = len(str(len(batches)))
        return [
            Task(
                f"task-{number:0{width}}",
                tuple(self._item(material, edit, Draws(seed, f"item/{number}/{n}")) for n, edit in enumerate(batch)),
            )
            for number, batch in enumerate(batches, start=1)
        ]

    def _item(self, material: Material, edit: BlindEdit, draws: Draws) -> Item:
        shown = {
            **material.around(edit.segment),
            "text": material.output(edit.system, edit.segment),
            "edit": edit.edit,
            **material.beside_output(edit.system, edit.segment),
        }
        notes = {"editor": edit.editor, "seen": edit.seen}
        doc = material.doc(edit.segment)
        return Item(draws.name(), "TGT", edit.system, edit.segment, doc, shown, langs=material.langs, notes=notes)

    def ask(self) -> dict[str, Any]:
        """A question, if the manifest has one."""
        return {"question": self.question}

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """A `verdict` (good, almost, bad), and the `review` of what is not good as it is."""
        opening = opened(item, answer, "verdict", "review")
        verdict = opening.one_of("verdict", _VERDICTS)
        edit = item.shown["edit"].strip()
        if verdict == "good":
            if not edit:
                raise opening.wrong("calls an edit good that is not there")
            if answer.get("review") not in (None, item.shown["edit"]):
                raise opening.wrong("changes an edit that it calls good")
            return
        review = opening.text("review") or ""
        if review.strip() == edit:
            raise opening.wrong(f"leaves an edit as it is that it calls {verdict}")
        if review.strip().startswith(POLISHED):
            raise opening.wrong(f"begins with {POLISHED}, which the verdict says")
        if verdict == "almost" and not edit:
            raise opening.wrong("calls an edit almost good that is not there")

    def record(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """One review, as the tables of 2013 have it: the edit as it was left, `OK:` before what was polished."""
        self.check(item, answer)
        texts = {
            "good": item.shown["edit"],
            "almost": f"{POLISHED} {answer.get('review')}",
            "bad": answer.get("review"),
        }
        row: dict[str, Value] = {
            "editor": item.notes["editor"],
            "reviewer": assignment.annotator,
            "system": item.system,
            "segment": str(item.segment),
            "edit": item.shown["edit"] or None,
            "review": texts[answer["verdict"]],
            "seen": bool(item.notes["seen"]),
            "annotator": assignment.annotator,
            "item": item.id,
            "seconds": answer.get("seconds"),
        }
        return [self.schema.check(row)]

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:  # noqa: ARG002 - the contract
        """2 for good, 1 for almost, 0 for bad."""
        return {"text": float(2 - _VERDICTS.index(answer["verdict"]))}

    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """What is worth much is good; the rest gets a word more."""
        careful = is_careful(draws, care)
        quality = (
            deserved(item.system, item.segment, item.type) + 8 * draws.normal() if careful else 100 * draws.share()
        )
        seconds = {"seconds": seconds_of(draws, careful, typical=30)}
        if not item.shown["edit"].strip() or quality < 45:
            return {"verdict": "bad", "review": f"{item.shown['edit']} mended".strip(), **seconds}
        if quality < 60:
            return {"verdict": "almost", "review": f"{item.shown['edit']} polished", **seconds}
        return {"verdict": "good", **seconds}
