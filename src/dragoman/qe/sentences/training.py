"""How a model was trained: what was tried, what was chosen, what cross-validation says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.qe.notes import listed
from dragoman.report import Column, Result, Table

__all__ = ["Training"]


@dataclass(frozen=True)
class Training(Result):
    """How a model was trained: the settings tried, those chosen, and what cross-validation says of them."""

    kind: ClassVar[str] = "qe training"

    learner: str
    task: str
    n_sentences: int
    chosen: Mapping[str, float]
    tried: tuple[tuple[Mapping[str, float], float], ...]  # settings, value of the criterion in cross-validation
    criterion: str
    measures: Mapping[str, tuple[float, float]]  # name → over all folds together, mean over the folds
    nested: Mapping[str, tuple[float, float]] | None  # the same, by models chosen without the sentence, too
    layout: str
    n_folds: int
    n_searched: int  # sentences that the search for settings saw
    dropped: tuple[str, ...]  # features that are the same everywhere
    left_out: tuple[str, ...]  # features that the selectors left out
    train_mean: float
    size: Mapping[str, int]  # what the model is made of

    def tables(self) -> list[Table]:
        """What cross-validation says of the chosen settings; then all settings tried."""
        settings = list(self.chosen)
        chosen = ", ".join([self.learner, *(f"{name} {value:g}" for name, value in self.chosen.items())])
        note = (
            f"{chosen}; {self.n_folds} folds, {self.layout}, {self.n_searched} of {self.n_sentences} sentences; "
            + ", ".join(f"{count} {what}" for what, count in self.size.items())
            + "."
        )
        if self.dropped:
            note += f" The same in all sentences and left out: {listed(self.dropped)}."
        if self.left_out:
            note += f" Not selected: {listed(self.left_out)}."
        columns = [Column("measure"), Column("pooled", digits=4), Column("fold_mean", "mean of folds", digits=4)]
        tables = [
            Table.of(
                "Cross-validation", columns, [(name, *values) for name, values in self.measures.items()], note=note
            )
        ]
        if self.nested is not None:
            rows = [(name, *values) for name, values in self.nested.items()]
            note = "Settings and features were chosen without the sentences that are measured here."
            tables.append(Table.of("Nested cross-validation", columns, rows, note=note))
        tables.append(
            Table.of(
                "Settings",
                [*(Column(name) for name in settings), Column(self.criterion.replace("-", "_"), self.criterion, 4)],
                [(*(tried.get(name) for name in settings), value) for tried, value in self.tried],
            )
        )
        return tables

    def meta(self) -> dict[str, Any]:
        """All but the measures."""
        return {
            "learner": self.learner,
            "task": self.task,
            "n_sentences": self.n_sentences,
            "n_searched": self.n_searched,
            "chosen": dict(self.chosen),
            "tried": [[dict(settings), value] for settings, value in self.tried],
            "criterion": self.criterion,
            "nested": None if self.nested is None else {name: list(values) for name, values in self.nested.items()},
            "layout": self.layout,
            "n_folds": self.n_folds,
            "dropped": list(self.dropped),
            "left_out": list(self.left_out),
            "train_mean": self.train_mean,
            "size": dict(self.size),
        }

    def to_json(self) -> dict[str, Any]:
        """Everything, for the model's folder."""
        return {**self.meta(), "measures": {name: list(values) for name, values in self.measures.items()}}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Training:
        """What `to_json` gave."""
        if not isinstance(values["task"], str):
            raise TypeError(f"a task is a text, not {values['task']!r}")
        nested = values["nested"]
        return cls(
            **{
                **values,
                "tried": tuple((settings, value) for settings, value in values["tried"]),
                "measures": {name: (pooled, mean) for name, (pooled, mean) in values["measures"].items()},
                "nested": None if nested is None else {name: (a, b) for name, (a, b) in nested.items()},
                "dropped": tuple(values["dropped"]),
                "left_out": tuple(values["left_out"]),
            }
        )
