"""An engine adapted by corrections of its output: phrases of the corrections, in a table of their own, join its own.

Formiga et al. (TALP-UPC, WMT 2012): links come from the corrections (see `CorrectionLinks`), phrases are extracted as
the engine's own were, and each score becomes α of the engine's and 1 − α of the new one; α is the best on a tuning set.
Orientations of phrases that the engine knows stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp
from typing import Any, ClassVar

import numpy as np

from dragoman.data.parallel import check_parallel
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics import score
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.corrections import CorrectionLinks, Lexicon, Links
from dragoman.smt.engine import Engine
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.pairs import encode
from dragoman.smt.phrase_table import EXTRACTED, UNKNOWN, PhraseTable, TableCombination
from dragoman.smt.pooling import pair_scores
from dragoman.smt.stream_models import dictionary
from dragoman.text.vocabulary import Vocabulary

__all__ = ["AdaptationRecipe", "EngineAdaptation", "adapt_engine"]

_GRID = tuple(round(0.5 + 0.05 * step, 2) for step in range(10))  # the paper's values of α
_USUAL = 0.6  # the paper's best


@dataclass(frozen=True)
class AdaptationRecipe(Recipe):
    """How phrases of corrections become part of the engine."""

    mode: str = option(
        "interpolated",
        choices=("interpolated", "fill-up"),
        text="scores become a mixture, or the engine's table is filled up with new pairs",
    )
    alpha: float | None = option(None, text="what the engine's own scores count; none: the best on the tuning set")


@dataclass(frozen=True)
class EngineAdaptation(Result):
    """What was learnt of corrections, and how each α does on the tuning set; `engine` is the adapted one."""

    kind: ClassVar[str] = "adaptation"

    engine: Engine
    n_lines: int
    n_links: int
    n_pairs: int  # phrase pairs of the corrections
    n_new: int  # of these, unknown to the engine
    alpha: float | None
    tried: tuple[tuple[float | None, float], ...]  # α (none: the engine as it was) and BLEU on the tuning set

    def tables(self) -> list[Table]:
        """Counts, and the tuning set's BLEU by α."""
        rows = [
            ("corrected lines", self.n_lines),
            ("links of source and correction", self.n_links),
            ("phrase pairs of the corrections", self.n_pairs),
            ("of these, new to the engine", self.n_new),
        ]
        tables = [Table.of("Adaptation", ["what", "n"], rows)]
        if self.tried:
            shown = [
                ("as it was" if alpha is None else f"{alpha:.2f}", bleu, "kept" if alpha == self.alpha else None)
                for alpha, bleu in self.tried
            ]
            columns = [Column("alpha"), Column("bleu", digits=2), Column("choice")]
            tables.append(Table.of("Tuning set", columns, shown))
        return tables

    def meta(self) -> dict[str, Any]:
        """The choice and what it was made of."""
        tried = [{"alpha": alpha, "bleu": bleu} for alpha, bleu in self.tried]
        return {"alpha": self.alpha, "tried": tried, "n_pairs": self.n_pairs, "n_new": self.n_new}


def adapt_engine(
    engine: Engine,
    sources: Sequence[str],
    corrections: Sequence[str],
    outputs: Sequence[str] | None = None,
    recipe: AdaptationRecipe | None = None,
    *,
    links: CorrectionLinks | None = None,
    dev: TestSet | None = None,
    n_threads: int = 1,
) -> EngineAdaptation:
    """Adapt an engine by corrections of its outputs; without outputs it translates the sources first.

    The words of outputs that another engine made are linked by an aligner, which knows the words of this one's table.
    """
    recipe = (recipe or AdaptationRecipe()).check()
    table = _table(engine)
    given = {} if outputs is None else {"outputs": outputs}
    check_parallel({"sources": sources, "corrections": corrections, **given})
    if not sources:
        raise DataError("There are no corrections to adapt to: the text is empty.")
    if recipe.alpha is not None and not 0 <= recipe.alpha <= 1:
        raise DataError(f"Alpha is a share from 0 to 1, got {recipe.alpha}.")
    cased = engine.source.cased(sources, n_threads=n_threads), engine.target.cased(corrections, n_threads=n_threads)
    texts, output_links = _outputs(engine, cased[0], outputs, n_threads)
    method = (links or CorrectionLinks()).check()
    linked = method.link(cased[0], texts, cased[1], output_links, _lexicon(table), n_threads=n_threads)
    revised = _revised(engine, cased, linked, n_threads)
    known = int(np.isfinite(pair_scores(table, revised)[:, 0]).sum())
    tried, alpha = _tried(engine, table, revised, recipe, dev, n_threads)
    return EngineAdaptation(
        _joined(engine, table, revised, recipe, alpha),
        len(sources),
        sum(map(len, linked)),
        len(revised),
        len(revised) - known,
        alpha if recipe.mode == "interpolated" else None,
        tuple(tried),
    )


def _table(engine: Engine) -> PhraseTable:
    if engine.models.grammar is not None:
        raise DataError(
            "An engine with a grammar cannot be adapted by corrections: they become phrases, and it has rules. Add the "
            "corrections to its training text and train it anew, or adapt an engine with a phrase table "
            "(grammar.kind=none)."
        )
    if engine.models.table is None or engine.models.index is not None:
        raise DataError(
            "Only an engine with a phrase table alone can be adapted so; one that looks phrases up learns pairs: "
            "dragoman smt learn."
        )
    features = engine.models.table.features
    if len(features) != len(EXTRACTED):
        raise DataError(
            f"Corrections give phrases with the {len(EXTRACTED)} features of an extracted table, but the engine's "
            f"has {len(features)} ({', '.join(features)}). Adapt an engine of one text, or of several with "
            "tables.mode=interpolated or pooled, without tables.domains."
        )
    return engine.models.table


def _outputs(
    engine: Engine, sources: Sequence[str], outputs: Sequence[str] | None, n_threads: int
) -> tuple[list[str], list[Links]]:
    """Tokenised outputs with their links to the sources: the decoder's, or, where it says otherwise, an aligner's."""
    decoded = engine.decode(sources, n_threads=n_threads)
    best = decoded.best()
    links: list[Links] = [
        [(s, t) for s, t in decoded.links_of(decoded.paths(i)[0]).tolist()] if decoded.paths(i) else []
        for i in range(len(decoded))
    ]
    if outputs is None:
        return best, links
    texts = engine.target.cased(outputs, n_threads=n_threads)
    others = [i for i, (own, text) in enumerate(zip(best, texts, strict=True)) if own != text]
    if others:
        pairs = [sources[i] for i in others], [texts[i] for i in others]
        words = dictionary(_table(engine))
        aligner = engine.recipe.align.train([*words[0], *pairs[0]], [*words[1], *pairs[1]], n_threads=n_threads)
        alignment = aligner.align(*pairs, symmetrisation=engine.recipe.align.symmetrisation, n_threads=n_threads)
        for i, (a, b) in zip(others, pairwise(alignment.offsets.tolist()), strict=True):
            links[i] = [(s, t) for s, t in alignment.links[a:b].tolist()]
    return texts, links


def _lexicon(table: PhraseTable) -> Lexicon:
    """p(target word | source word) of the table's single words."""
    known: dict[str, dict[str, float]] = {}

    def probability(source: str, target: str) -> float:
        if source not in known:
            known[source] = {pair.target: exp(pair.scores[2]) for pair in table.translations(source)}
        return known[source].get(target, 0.0)

    return probability


def _revised(
    engine: Engine, cased: tuple[Sequence[str], Sequence[str]], linked: Sequence[Links], n_threads: int
) -> PhraseTable:
    source, target = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
    ids = encode(source, cased[0]), encode(target, cased[1])
    flat = np.array([link for each in linked for link in each], dtype=np.uint16).reshape(-1, 2)
    text = AlignedText(*ids, flat, np.cumsum([0, *map(len, linked)], dtype=np.int64))
    table = engine.recipe.phrases.extract(text, source, target, n_threads=n_threads)
    if not len(table):
        raise DataError("The corrections give no phrases: no source word could be linked to a word of a correction.")
    return table


def _tried(
    engine: Engine,
    table: PhraseTable,
    revised: PhraseTable,
    recipe: AdaptationRecipe,
    dev: TestSet | None,
    n_threads: int,
) -> tuple[list[tuple[float | None, float]], float | None]:
    """BLEU on the tuning set by α, the engine as it was first; and the α to take."""
    if recipe.mode != "interpolated" or dev is None:
        return [], recipe.alpha if recipe.alpha is not None else _USUAL
    sources, references = held_out_sides(dev)
    lines = [references.lines(0)]

    def bleu(adapted: Engine) -> float:
        outputs = {"engine": adapted.translate(sources, n_threads=n_threads)}
        return score(outputs, lines, metrics=["bleu"]).score("engine", "bleu").value

    alphas = _GRID if recipe.alpha is None else (recipe.alpha,)
    tried: list[tuple[float | None, float]] = [(None, bleu(engine))]
    tried += [(alpha, bleu(_joined(engine, table, revised, recipe, alpha))) for alpha in alphas]
    return tried, max(tried[1:], key=lambda each: each[1])[0]


def _joined(
    engine: Engine, table: PhraseTable, revised: PhraseTable, recipe: AdaptationRecipe, alpha: float | None
) -> Engine:
    """The engine with both tables as one; its weights stay, and new features have those they start with."""
    weights = (alpha, 1 - alpha) if alpha is not None and recipe.mode == "interpolated" else ()
    joined = TableCombination(mode=recipe.mode, weights=weights).combine([table, revised])
    casers = engine.source.truecaser, engine.target.truecaser
    models = replace(engine.models, table=joined)
    fresh = Engine(engine.recipe, models, truecasers=casers, data=engine.data)
    return fresh.with_weights({**fresh.weights, **engine.trained_weights}, report=engine.report)
