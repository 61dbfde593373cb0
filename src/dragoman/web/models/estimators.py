"""The quality estimators of the server, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dragoman.errors import DataError
from dragoman.web.models.shelf import Shelf

if TYPE_CHECKING:
    from dragoman.qe import QEModel
    from dragoman.qe.sentences.decision import Decisions
    from dragoman.qe.sentences.explanation import Explanation
    from dragoman.qe.sentences.model import Predictions

__all__ = ["Estimate", "Estimators"]


@dataclass(frozen=True)
class Estimate:
    """What a quality model says of translations."""

    model: str
    predictions: Predictions
    decisions: Decisions | None  # None where the task has no usual bounds of good and bad, and none were given
    explanation: Explanation | None  # None where it would take long: the model is no weighted sum


class Estimators(Shelf["QEModel"]):
    """Models that say how good translations are, from source and output alone."""

    noun = "quality model"
    flag = "--quality"

    def load(self, folder: str) -> QEModel:
        """The model of a folder, which must know how to read text."""
        from dragoman.qe import QEModel

        model = QEModel.load(folder)
        if model.reading is None:
            raise DataError(
                f"The quality model {folder} was trained on a table of features; the server asks it of text. "
                "Train it with dragoman qe train --data."
            )
        return model

    def estimate(
        self,
        sources: Sequence[str],
        outputs: Sequence[str],
        *,
        model: str | None = None,
        level: float = 0.8,
        good: float | None = None,
        bad: float | None = None,
        risk: float = 0.1,
        top: int = 3,
    ) -> Estimate:
        """Scores with intervals, what to do with each translation, and which features moved its score."""
        from dragoman.qe.recipes import DecisionRecipe
        from dragoman.qe.sentences.decision import USUAL_BOUNDS

        with self.turn(model) as (name, found):
            table = found.features(sources, outputs)
            can_decide = found.task.name in USUAL_BOUNDS or (good is not None and bad is not None)
            return Estimate(
                name,
                found.predict(table, level=level),
                found.decide(table, recipe=DecisionRecipe(good, bad, risk)) if can_decide else None,
                found.explain(table, top=top) if found.is_weighted_sum else None,
            )
