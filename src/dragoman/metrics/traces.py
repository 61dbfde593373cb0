"""TER spelt out: which blocks move where, and which words are then substituted, inserted or deleted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from dragoman.metrics.base import checked_inputs
from dragoman.metrics.references import RefsInput, native
from dragoman.metrics.ter import Ter

__all__ = ["EditCounts", "Operation", "Shift", "Step", "Trace", "ter_trace"]

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
        order = list(range(len(self.hyp)))
        for start, length, to in self.shifts:
            block = order[start : start + length]
            del order[start : start + length]
            order[to:to] = block
        return tuple(order)

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
    references = checked_inputs([hyps], refs, None, n_threads)
    found = metric.digested(references).trace(native(hyps), with_shifts=shifts, n_threads=n_threads)
    return [
        Trace(
            hyp=tuple(hyp),
            ref=tuple(ref),
            reference=reference,
            shifts=tuple(Shift(*move) for move in moves),
            operations=tuple(map(_OPERATIONS.__getitem__, operations)),
        )
        for reference, _, moves, operations, hyp, ref in found
    ]
