"""Statistical translation engines: extract phrases, decode, tune, train as a pipeline."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.smt.decoded import Decoded
    from dragoman.smt.engine import Engine, default_weights
    from dragoman.smt.extraction import AlignedText, PhraseExtraction
    from dragoman.smt.phrase_table import PhrasePair, PhraseTable
    from dragoman.smt.preparation import Preparation, TextSide
    from dragoman.smt.recipe import Cleaning, EngineRecipe
    from dragoman.smt.search import SearchLimits
    from dragoman.smt.word_alignment import WordAlignment

_HOME = {
    "AlignedText": "extraction",
    "Cleaning": "recipe",
    "Decoded": "decoded",
    "Engine": "engine",
    "EngineRecipe": "recipe",
    "PhraseExtraction": "extraction",
    "PhrasePair": "phrase_table",
    "PhraseTable": "phrase_table",
    "Preparation": "preparation",
    "SearchLimits": "search",
    "TextSide": "preparation",
    "WordAlignment": "word_alignment",
    "default_weights": "engine",
}

__all__ = [
    "AlignedText",
    "Cleaning",
    "Decoded",
    "Engine",
    "EngineRecipe",
    "PhraseExtraction",
    "PhrasePair",
    "PhraseTable",
    "Preparation",
    "SearchLimits",
    "TextSide",
    "WordAlignment",
    "default_weights",
]


if not TYPE_CHECKING:  # a type checker would take the function for leave to ask for any name

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"dragoman.smt.{_HOME[name]}"), name)
        raise AttributeError(f"module 'dragoman.smt' has no attribute {name!r}")
