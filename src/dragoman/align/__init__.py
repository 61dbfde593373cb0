"""Word alignment: which words of two sentences are translations of each other."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.align.aligner import Aligner, Lexicon
    from dragoman.align.base import ALIGNERS, AlignmentRecipe
    from dragoman.align.evaluation import AlignmentError, evaluate_alignments
    from dragoman.align.glossary import Glossary, Priors
    from dragoman.align.result import SYMMETRISATIONS, AlignmentResult
    from dragoman.align.run import align, align_ids

_HOME = {
    "ALIGNERS": "base",
    "Aligner": "aligner",
    "AlignmentError": "evaluation",
    "AlignmentRecipe": "base",
    "AlignmentResult": "result",
    "Glossary": "glossary",
    "Lexicon": "aligner",
    "Priors": "glossary",
    "SYMMETRISATIONS": "result",
    "align": "run",
    "align_ids": "run",
    "evaluate_alignments": "evaluation",
}

__all__ = [
    "ALIGNERS",
    "SYMMETRISATIONS",
    "Aligner",
    "AlignmentError",
    "AlignmentRecipe",
    "AlignmentResult",
    "Glossary",
    "Lexicon",
    "Priors",
    "align",
    "align_ids",
    "evaluate_alignments",
]


if not TYPE_CHECKING:  # a type checker would take the function for leave to ask for any name

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"dragoman.align.{_HOME[name]}"), name)
        raise AttributeError(f"module 'dragoman.align' has no attribute {name!r}")
