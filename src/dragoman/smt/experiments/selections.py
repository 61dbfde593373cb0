"""What a selection is worth to an engine: BLEU of small engines along a ranking, for `corpus.select`'s curves."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from dragoman.corpus.select import Measure, Texts
from dragoman.errors import DataError
from dragoman.metrics.specs import make_metric
from dragoman.smt.recipe import EngineRecipe, changed
from dragoman.smt.training import train_engine

__all__ = ["SMALL_ENGINE", "bleu_of"]

# Settings of an engine that is there to compare texts: no tuning, so that no chance of it hides their difference.
SMALL_ENGINE = ("tune.method=none", "lm.order=3")


def bleu_of(dev: Texts, recipe: EngineRecipe | None = None, *, n_threads: int = 1) -> Measure:
    """The BLEU that an engine trained on what was selected reaches on held-out pairs."""
    if dev.n_sides != 2:
        raise DataError(f"{dev.label} is one text; an engine is measured by sources and their translations: name both.")
    pairs = [pair for pair in dev.bitext if all(map(str.strip, pair))]
    if not pairs:
        raise DataError(f"{dev.label}: the held-out text is empty; there is nothing to measure by.")
    srcs, refs = [src for src, _ in pairs], [tgt for _, tgt in pairs]
    metric = make_metric("bleu")

    def measure(chosen: Texts) -> float:
        if chosen.n_sides != 2:
            raise DataError("An engine is trained on pairs; the pool is one text. Measure by perplexity.")
        langs = [
            f"{side}_lang={lang}"
            for side, lang in (("source", chosen.bitext.source_lang), ("target", chosen.bitext.target_lang))
            if lang
        ]
        settings = recipe or changed(EngineRecipe(), [*SMALL_ENGINE, *langs])
        with TemporaryDirectory(prefix="dragoman-select-") as folder:
            work = Path(folder) / "work"
            trained = train_engine(chosen.bitext, settings, work=work, report=False, n_threads=n_threads)
            hyps = trained.engine.translate(srcs, n_threads=n_threads)
        return float(metric.value(metric.stats(hyps, [refs], n_threads=n_threads).sum(axis=0)))

    return measure
