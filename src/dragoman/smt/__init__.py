"""Statistical translation engines: extract phrases, decode, tune, train as a pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.engines.journal import LearntPair
    from dragoman.smt.aligned_text import AlignedText
    from dragoman.smt.bitext_index import BitextIndex, PhraseSampling
    from dragoman.smt.constraints import Constraints, Lattice, Term, read_markup
    from dragoman.smt.decoded import Decoded
    from dragoman.smt.engine import Engine
    from dragoman.smt.forced import ForcedDecoding, Pruning
    from dragoman.smt.hypergraph import Completion, GraphPath, SearchGraph
    from dragoman.smt.models import Models
    from dragoman.smt.oracle import Oracles, best_of_graphs, best_of_lists, measure_oracles
    from dragoman.smt.paraphrases import Paraphrase, ParaphraseRecipe, Paraphrases
    from dragoman.smt.phrase_table import (
        PhraseExtraction,
        PhrasePair,
        PhraseTable,
        TableCombination,
        interpolation_weights,
    )
    from dragoman.smt.preparation import Preparation, TextSide
    from dragoman.smt.recipe import Cleaning, EngineRecipe
    from dragoman.smt.risk import minimum_risk
    from dragoman.smt.search import SearchLimits
    from dragoman.smt.tracing import stream_traces
    from dragoman.smt.weights import default_weights
    from dragoman.smt.word_alignment import WordAlignment
else:
    offer(__name__)

__all__ = [
    "AlignedText",
    "BitextIndex",
    "Cleaning",
    "Completion",
    "Constraints",
    "Decoded",
    "Engine",
    "EngineRecipe",
    "ForcedDecoding",
    "GraphPath",
    "Lattice",
    "LearntPair",
    "Models",
    "Oracles",
    "Paraphrase",
    "ParaphraseRecipe",
    "Paraphrases",
    "PhraseExtraction",
    "PhrasePair",
    "PhraseSampling",
    "PhraseTable",
    "Preparation",
    "Pruning",
    "SearchGraph",
    "SearchLimits",
    "TableCombination",
    "Term",
    "TextSide",
    "WordAlignment",
    "best_of_graphs",
    "best_of_lists",
    "default_weights",
    "interpolation_weights",
    "measure_oracles",
    "minimum_risk",
    "read_markup",
    "stream_traces",
]
