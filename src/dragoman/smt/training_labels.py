"""The orientation of labels in a training: a step behind the phrase table, whose scores it adds to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from dragoman.errors import DataError
from dragoman.smt.grammar.labels import LABELLERS
from dragoman.smt.label_orientation import PhraseLabels, with_label_orientation
from dragoman.smt.pairs import Linked, TokenisedPairs, clean_places
from dragoman.smt.phrase_table import PhraseTable
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.training_grammar import parses_key, parses_of
from dragoman.smt.training_tables import CleanParts
from dragoman.smt.work import PlannedStep

__all__ = ["LabelStep", "label_steps"]

_NAME = "labels"


def label_steps(recipe: EngineRecipe, table: str) -> list[PlannedStep]:
    """The step that learns how labels are oriented, if the recipe names any; `table` is the key of the table's step."""
    section = recipe.reorder
    if not section.labels:
        return []
    settings = {name: getattr(section, name) for name in ("labels", "label_share", "label_words")}
    inputs = (table, parses_key(_parses(recipe)))
    return [PlannedStep(_NAME, "orient phrases by their labels", settings, inputs, 10)]


def _parses(recipe: EngineRecipe) -> str:
    """What parses the target side."""
    if not recipe.parse.target:
        raise DataError(
            "Labels are of parsed phrases. Name a file, a folder or a parser's model for the target side: "
            "--set parse.target=PATH."
        )
    return recipe.parse.target


class LabelStep:
    """Adds the orientation of labels to a phrase table."""

    def __init__(self, recipe: EngineRecipe, step: Callable[..., Any], n_threads: int) -> None:
        self.recipe = recipe
        self.step = step
        self.n_threads = n_threads

    def make(self, table: PhraseTable, linked: Linked, left: CleanParts, cased: TokenisedPairs) -> PhraseTable:
        """The table with the scores of labels; as it is if the recipe names none."""
        if not self.recipe.reorder.labels:
            return table
        labelled: PhraseTable = self.step(
            _NAME,
            make=lambda: self._labelled(table, linked, left, cased),
            save=lambda table, folder: table.save(folder / "phrases"),
            load=lambda folder: PhraseTable.load(folder / "phrases", verify=True),
            outcome=lambda table: f"{len(table)} pairs oriented by labels",
        )
        return labelled

    def _labelled(self, table: PhraseTable, linked: Linked, left: CleanParts, cased: TokenisedPairs) -> PhraseTable:
        recipe, section, text = self.recipe, self.recipe.reorder, linked.text
        places = clean_places(cased, recipe).tolist()
        parsed = parses_of(_parses(recipe), cased.target, places, n_threads=self.n_threads)
        lengths = text.target.lengths().tolist()[: len(places)]
        labels = PhraseLabels.of(
            LABELLERS.make(section.labels),
            parsed.lines,
            lengths,
            longest=recipe.phrases.longest,
            words_alone=section.label_words,
        )
        copies = len(text) // len(places)  # one for each aligner and for each order
        if left.weights is not None:
            text = replace(text, weights=np.tile(left.weights, copies))
        return with_label_orientation(
            table,
            text,
            labels.repeated(copies),
            share=section.label_share,
            smoothing=recipe.phrases.orientation_smoothing,
            n_threads=self.n_threads,
        )
