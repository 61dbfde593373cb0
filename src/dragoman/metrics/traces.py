"""TER spelt out: which blocks move where, and which words are then substituted, inserted or deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

from dragoman.metrics.base import check_threads
from dragoman.metrics.references import References, RefsInput, ScoredText, native
from dragoman.metrics.ter import Ter
from dragoman.report import Column, Result, Table

__all__ = ["EditCounts", "EditTraces", "Operation", "Shift", "Step", "Trace", "ter_trace", "trace_edits"]

Operation = Literal["match", "substitute", "insert", "delete"]

_OPERATIONS: tuple[Operation, ...] = ("match", "substitute", "insert", "delete")  # the kernel's numbers


class Shift(NamedTuple):
    """A block of words moved: `length` words from `start` now begin at `to`, counted after the move."""

    start: int
    length: int
    to: int


class Step(NamedTuple):
    """One operation on the shifted hypothesis. Positions count from 0; `hyp` is the word's place before any shift."""

    operation: Operation
    hyp: int | None  # None: the word is inserted
    ref: int | None  # None: the word is deleted


@dataclass(frozen=True)
class EditCounts:
    """How often each kind of edit is made."""

    matches: int
    substitutions: int
    insertions: int
    deletions: int
    shifts: int
    shifted_words: int  # words in shifted blocks, a word that moves twice counted twice

    @property
    def edits(self) -> int:
        """The number of edits: a shift is one, however many words it moves."""
        return self.substitutions + self.insertions + self.deletions + self.shifts


@dataclass(frozen=True)
class Trace:
    """How one hypothesis becomes its best reference: shifts in their order, then operations from left to right."""

    hyp: tuple[str, ...]  # the words compared: lower-cased and tokenised as the options say
    ref: tuple[str, ...]
    reference: int  # which reference it is, from 0
    shifts: tuple[Shift, ...]
    operations: tuple[Operation, ...]

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The shifted hypothesis as places in the given one: `order[k]` is where its k-th word stood."""
        return self._played[0]

    @cached_property
    def _played(self) -> tuple[tuple[int, ...], frozenset[int]]:
        """The shifts carried out: places of the words afterwards, and which of them were moved."""
        order, moved = list(range(len(self.hyp))), set[int]()
        for start, length, to in self.shifts:
            block = order[start : start + length]
            moved.update(block)
            del order[start : start + length]
            order[to:to] = block
        return tuple(order), frozenset(moved)

    @cached_property
    def shifted(self) -> tuple[str, ...]:
        """The words of the hypothesis after all shifts."""
        return tuple(self.hyp[k] for k in self.order)

    def steps(self) -> list[Step]:
        """The operations with the places of the words they deal with."""
        steps = []
        hyp = ref = 0
        for operation in self.operations:
            at_hyp = None if operation == "insert" else self.order[hyp]
            at_ref = None if operation == "delete" else ref
            steps.append(Step(operation, at_hyp, at_ref))
            hyp += at_hyp is not None
            ref += at_ref is not None
        return steps

    def counts(self) -> EditCounts:
        """How often each kind of edit is made."""
        return EditCounts(
            matches=self.operations.count("match"),
            substitutions=self.operations.count("substitute"),
            insertions=self.operations.count("insert"),
            deletions=self.operations.count("delete"),
            shifts=len(self.shifts),
            shifted_words=sum(shift.length for shift in self.shifts),
        )

    @property
    def edits(self) -> int:
        """The number of edits."""
        return len(self.operations) - self.operations.count("match") + len(self.shifts)

    def __str__(self) -> str:
        """The edits on one line: `the ⟨big⟩ old→ancient +stone −a house`, shifted words in brackets."""
        _, moved = self._played
        words = []
        for step in self.steps():
            hyp = "" if step.hyp is None else self.hyp[step.hyp]
            hyp = f"⟨{hyp}⟩" if step.hyp in moved else hyp
            ref = "" if step.ref is None else self.ref[step.ref]
            marks = {"match": hyp, "substitute": f"{hyp}→{ref}", "insert": f"+{ref}", "delete": f"−{hyp}"}
            words.append(marks[step.operation])
        return " ".join(words)


@dataclass(frozen=True)
class EditTraces(Result):
    """What TER does to each segment of a system."""

    kind: ClassVar[str] = "edit traces"

    system: str
    references: tuple[str, ...]
    traces: tuple[Trace, ...]
    signature: str

    def tables(self) -> list[Table]:
        """One row per segment, counted from 1; then one per operation."""
        return [self.by_segment(), self.by_step()]

    def by_segment(self) -> Table:
        """The edits of each segment, counted and shown."""
        rows = []
        for number, trace in enumerate(self.traces, start=1):
            counts = trace.counts()
            kinds = (counts.shifts, counts.substitutions, counts.insertions, counts.deletions, counts.matches)
            rows.append((number, self.references[trace.reference], trace.edits, *kinds, str(trace)))
        names = ["segment", "reference", "edits", "shifts", "substitutions", "insertions", "deletions", "matches"]
        note = "trace: old→new is substituted, +new inserted, −old deleted, ⟨moved⟩ shifted to where it stands."
        return Table.of(f"Edits of {self.system}", [*names, Column("trace", is_text=True)], rows, note=note)

    def by_step(self) -> Table:
        """Every operation with its words and their places, counted from 1 in the segment as it was given."""
        rows = [
            (
                number,
                at,
                step.operation,
                None if step.hyp is None else step.hyp + 1,
                None if step.hyp is None else trace.hyp[step.hyp],
                None if step.ref is None else step.ref + 1,
                None if step.ref is None else trace.ref[step.ref],
            )
            for number, trace in enumerate(self.traces, start=1)
            for at, step in enumerate(trace.steps(), start=1)
        ]
        columns: list[Column | str] = [
            "segment",
            "step",
            "operation",
            "hyp_place",
            Column("hyp", is_text=True),
            "ref_place",
            Column("ref", is_text=True),
        ]
        return Table.of("Operations", columns, rows)

    def meta(self) -> dict[str, Any]:
        """The system and the metric whose edits these are."""
        edits = sum(trace.edits for trace in self.traces)
        return {"system": self.system, "signature": self.signature, "n_segments": len(self.traces), "edits": edits}


def trace_edits(
    hyps: Sequence[str],
    refs: RefsInput,
    *,
    system: str = "system",
    metric: Ter | None = None,
    shifts: bool = True,
    n_threads: int = 1,
) -> EditTraces:
    """The edits that TER, with its options, makes in each segment; see `ter_trace` for the traces alone."""
    used = metric or Ter()
    references = References.of(refs)
    traces = ter_trace(hyps, references, **used.to_dict(), shifts=shifts, n_threads=n_threads)
    extra = {} if shifts else {"shifts": "no"}
    return EditTraces(
        system, references.names, tuple(traces), f"{used.label}|{used.signature(references.nrefs, **extra)}"
    )


def ter_trace(
    hyps: Sequence[str],
    refs: RefsInput,
    *,
    case_sensitive: bool = False,
    normalised: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    shifts: bool = True,
    n_threads: int = 1,
) -> list[Trace]:
    """The edits of each segment against its best reference, the first of equals.

    The options are those of the metric `ter`, whose edits these are. `shifts=False` leaves words where they are.
    """
    metric = Ter(case_sensitive=case_sensitive, normalised=normalised, no_punct=no_punct, asian_support=asian_support)
    check_threads(n_threads)
    references = ScoredText.of_streams([hyps], refs, None).refs
    segments = metric.digested(references).trace(native(hyps), with_shifts=shifts, n_threads=n_threads)
    return [
        Trace(
            hyp=tuple(hyp),
            ref=tuple(ref),
            reference=reference,
            shifts=tuple(Shift(*move) for move in moves),
            operations=tuple(map(_OPERATIONS.__getitem__, operations)),
        )
        for reference, _, moves, operations, hyp, ref in segments
    ]
