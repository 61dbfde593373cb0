"""System selection and documents: predicted components of BLEU, choices among outputs, and their measures."""

from dragoman.qe.selection.choice_measures import choice_divergence, choice_shares, delta_set, rank_accuracy
from dragoman.qe.selection.components import Components, document_bleu, gold_components, sentence_bleu
from dragoman.qe.selection.result import Selection, SelectionEvaluation, evaluate_selection
from dragoman.qe.selection.selector import METHODS, Selector, SelectorRecipe

__all__ = [
    "METHODS",
    "Components",
    "Selection",
    "SelectionEvaluation",
    "Selector",
    "SelectorRecipe",
    "choice_divergence",
    "choice_shares",
    "delta_set",
    "document_bleu",
    "evaluate_selection",
    "gold_components",
    "rank_accuracy",
    "sentence_bleu",
]
