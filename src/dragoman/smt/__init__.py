"""Statistical translation engines: extract phrases, decode, tune, train as a pipeline."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.smt.constraints import Constraints, Lattice, Term, read_markup
    from dragoman.smt.decoded import Decoded
    from dragoman.smt.engine import Engine, default_weights
    from dragoman.smt.extraction import AlignedText, PhraseExtraction
    from dragoman.smt.hypergraph import Completion, GraphPath, SearchGraph
    from dragoman.smt.oracle import Oracles, best_of_graphs, best_of_lists, measure_oracles
    from dragoman.smt.phrase_table import PhrasePair, PhraseTable
    from dragoman.smt.preparation import Preparation, TextSide
    from dragoman.smt.recipe import Cleaning, EngineRecipe
    from dragoman.smt.risk import minimum_risk
    from dragoman.smt.search import SearchLimits
    from dragoman.smt.word_alignment import WordAlignment

_HOME = {
    "AlignedText": "extraction",
    "Cleaning": "recipe",
    "Completion": "hypergraph",
    "Constraints": "constraints",
    "Decoded": "decoded",
    "Engine": "engine",
    "EngineRecipe": "recipe",
    "GraphPath": "hypergraph",
    "Lattice": "constraints",
    "Oracles": "oracle",
    "PhraseExtraction": "extraction",
    "PhrasePair": "phrase_table",
    "PhraseTable": "phrase_table",
    "Preparation": "preparation",
    "SearchGraph": "hypergraph",
    "SearchLimits": "search",
    "Term": "constraints",
    "TextSide": "preparation",
    "WordAlignment": "word_alignment",
    "best_of_graphs": "oracle",
    "best_of_lists": "oracle",
    "default_weights": "engine",
    "measure_oracles": "oracle",
    "minimum_risk": "risk",
    "read_markup": "constraints",
}

__all__ = [
    "AlignedText",
    "Cleaning",
    "Completion",
    "Constraints",
    "Decoded",
    "Engine",
    "EngineRecipe",
    "GraphPath",
    "Lattice",
    "Oracles",
    "PhraseExtraction",
    "PhrasePair",
    "PhraseTable",
    "Preparation",
    "SearchGraph",
    "SearchLimits",
    "Term",
    "TextSide",
    "WordAlignment",
    "best_of_graphs",
    "best_of_lists",
    "default_weights",
    "measure_oracles",
    "minimum_risk",
    "read_markup",
]


if not TYPE_CHECKING:  # a type checker would take the function for leave to ask for any name

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"dragoman.smt.{_HOME[name]}"), name)
        raise AttributeError(f"module 'dragoman.smt' has no attribute {name!r}")
