"""Weights to translate training text again with: those of a weak engine (Wuebker, Hwang & Quirk, WMT 2012, § 3.2).

Forced decoding has no language model, and the weights of an engine with a strong one lean on it: a bigram model of the
training text's target side and the wider jumps of forced decoding give weights that let phrases speak for themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dragoman.data.testset import TestSet
from dragoman.lm import KneserNey
from dragoman.smt.engine import Engine
from dragoman.smt.models import Models
from dragoman.smt.phrase_table import PhraseTable
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.splitting import WHOLE, Splitters
from dragoman.smt.tune.engine import tune_engine
from dragoman.text import Truecaser

__all__ = ["weak_weights"]

_ORDER = 2  # of the language model
_POP_LIMIT = 100  # hypotheses of a stack while tuning


def weak_weights(
    table: PhraseTable,
    target_lines: Sequence[str],
    recipe: EngineRecipe,
    dev: TestSet,
    *,
    casers: tuple[Truecaser | None, Truecaser | None] = (None, None),
    splitters: Splitters = WHOLE,
    n_threads: int = 1,
) -> dict[str, float]:
    """The dense weights of an engine of the table and a bigram model, tuned on `dev` by the recipe's `prune.tuner`."""
    search = replace(recipe.search, distortion_limit=max(recipe.search.distortion_limit, recipe.prune.distortion_limit))
    weak = replace(
        recipe, lm=KneserNey(order=_ORDER), classes=replace(recipe.classes, number=0), models=(), features=(), given=()
    )
    lm = weak.lm.train(filter(None, target_lines), n_threads=n_threads)
    engine = Engine(replace(weak, search=search), Models(lm, table, splitters=splitters), truecasers=casers)
    tuning = replace(recipe.tune, method=recipe.prune.tuner, pop_limit=min(_POP_LIMIT, recipe.tune.pop_limit))
    return dict(tune_engine(engine, dev, tuning, n_threads=n_threads).best.weights)
