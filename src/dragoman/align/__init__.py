"""Word alignment: which words of two sentences are translations of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.align.base import ALIGNERS, Aligner, AlignmentRecipe
    from dragoman.align.evaluation import AlignmentError, evaluate_alignments
    from dragoman.align.glossary import Glossary, Priors
    from dragoman.align.lexicon import Lexicon
    from dragoman.align.result import SYMMETRISATIONS, AlignmentResult
    from dragoman.align.run import align, align_ids
else:
    offer(__name__)

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
