"""What a selection chose, and what it was worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dragoman.data import TestSet, check_parallel
from dragoman.errors import DataError
from dragoman.metrics.bleu import Bleu
from dragoman.qe.selection.choice_measures import choice_divergence, choice_shares
from dragoman.qe.selection.components import gold_components, sentence_bleu
from dragoman.report import Column, Result, Table
from dragoman.stats import paired_test
from dragoman.text import TOKENISERS

__all__ = ["Selection", "SelectionEvaluation", "evaluate_selection"]


@dataclass(frozen=True)
class Selection(Result):
    """The system chosen for each sentence, and what spoke for each."""

    kind: ClassVar[str] = "qe selection"

    systems: tuple[str, ...]
    chosen: tuple[int, ...]  # numbers of systems
    scores: tuple[tuple[float, ...], ...]  # (sentences, systems)
    texts: tuple[str, ...]
    method: str

    def tables(self) -> list[Table]:
        """A row a sentence."""
        columns = [Column("segment"), Column("system"), *(Column(name, digits=2) for name in self.systems)]
        rows = [
            (place, self.systems[system], *scores)
            for place, (system, scores) in enumerate(zip(self.chosen, self.scores, strict=True), start=1)
        ]
        return [Table.of("Chosen outputs", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """Method and counts."""
        counts = {name: self.chosen.count(number) for number, name in enumerate(self.systems)}
        return {"method": self.method, "n_sentences": len(self.chosen), "chosen": counts}


@dataclass(frozen=True)
class SelectionEvaluation(Result):
    """Corpus BLEU of the single systems, of the selections and of the oracle."""

    kind: ClassVar[str] = "qe selection evaluation"

    systems: tuple[str, ...]
    bleu: Mapping[str, float]  # systems, selections, oracle
    best: str  # the best single system, by these references
    p: Mapping[str, float]  # of each selection against it
    shares: Mapping[str, tuple[float, ...]]
    divergence: Mapping[str, float]
    n_sentences: int
    seed: int
    trials: int

    def tables(self) -> list[Table]:
        """BLEU, then the choices."""
        note = f"gain over {self.best}, the best single system. p: paired bootstrap, two sides, {self.trials} samples."
        rows = [(name, bleu, bleu - self.bleu[self.best], self.p.get(name)) for name, bleu in self.bleu.items()]
        columns = [
            Column("output"),
            Column("bleu", "BLEU", digits=2),
            Column("gain", digits=2, figures=1),
            Column("p", alpha=0.05),
        ]
        shown = [Column(f"% {name}", digits=1) for name in self.systems]
        choices = [(name, self.divergence[name], *(100 * s for s in each)) for name, each in self.shares.items()]
        return [
            Table.of(f"Selection, {self.n_sentences} sentences", columns, rows, note=note),
            Table.of(
                "Choices",
                [Column("output"), Column("kl", "KL", digits=2), *shown],
                choices,
                note="KL: divergence from the oracle's choices, in hundredths of nats.",
            ),
        ]

    def meta(self) -> dict[str, Any]:
        """Choices, divergences, sampling."""
        return {
            "n_sentences": self.n_sentences,
            "best": self.best,
            "shares": {name: dict(zip(self.systems, each, strict=True)) for name, each in self.shares.items()},
            "kl": {name: value if np.isfinite(value) else None for name, value in self.divergence.items()},
            "seed": self.seed,
            "trials": self.trials,
        }


def single_reference(text: TestSet) -> list[str]:
    """The reference of a test set, which must have one, of every segment."""
    if len(text.refs) != 1:
        raise DataError(f"One reference is needed, got {len(text.refs)}.")
    (reference,) = text.refs.values()
    gaps = [number for number, line in enumerate(reference, start=1) if line is None]
    if gaps:
        raise DataError(f"The reference has no translation of segment {gaps[0]}; {len(gaps)} are missing.")
    return [line or "" for line in reference]


def evaluate_selection(
    selections: Mapping[str, Selection | Sequence[int]],
    text: TestSet,
    *,
    tokeniser: str = "13a",
    trials: int = 1000,
    seed: int = 12345,
    n_threads: int = 1,
) -> SelectionEvaluation:
    """Selections by name beside the single systems and the oracle, which takes the output of the highest sentence BLEU.

    BLEU is measured on text as it is, cut by `tokeniser`; each selection is tested against the best single system.
    """
    if not selections:
        raise DataError("There is no selection to evaluate.")
    systems, reference = tuple(text.systems), single_reference(text)
    taken = [name for name in selections if name in {*systems, "oracle"}]
    if taken:
        raise DataError(f"A selection cannot be called {taken[0]!r}; that name is taken. Name it otherwise.")
    numbers = {}
    for name, each in selections.items():
        if isinstance(each, Selection):
            if set(each.systems) != set(systems):
                raise DataError(f"{name} chose among {', '.join(each.systems)}, not {', '.join(systems)}.")
            numbers[name] = np.array([systems.index(each.systems[n]) for n in each.chosen], dtype=np.int64)
        else:
            numbers[name] = np.asarray(each, dtype=np.int64)
    check_parallel({"references": reference, **numbers})
    metric = Bleu(tokeniser=tokeniser)
    rows = metric.stats_many(list(text.systems.values()), [reference], n_threads=n_threads)
    cut = TOKENISERS.make(tokeniser)
    right = cut.tokenise(reference, n_threads=n_threads)
    quality = np.stack(
        [
            sentence_bleu(gold_components(cut.tokenise(list(lines), n_threads=n_threads), right, n_threads=n_threads))
            for lines in text.systems.values()
        ]
    )
    numbers["oracle"] = quality.argmax(axis=0)
    places = np.arange(len(reference))
    by_name = {name: rows[number] for number, name in enumerate(systems)}
    by_name |= {name: rows[chosen, places] for name, chosen in numbers.items()}
    bleu = {name: metric.value(each.sum(axis=0)) for name, each in by_name.items()}
    best = max(systems, key=lambda name: bleu[name])
    test = paired_test("bootstrap", trials=trials, seed=seed)
    p = {name: test.compare(by_name[name], by_name[best], metric.values, n_threads=n_threads).p for name in selections}
    shares = {name: choice_shares(chosen, len(systems)) for name, chosen in numbers.items()}
    return SelectionEvaluation(
        systems,
        bleu,
        best,
        p,
        {name: tuple(each.tolist()) for name, each in shares.items()},
        {name: choice_divergence(each, shares["oracle"]) for name, each in shares.items()},
        len(reference),
        seed,
        trials,
    )
