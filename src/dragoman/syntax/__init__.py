"""Syntax: grammars learnt from treebanks, and what they find in sentences."""

from dragoman.syntax.bracketed import clean_tree, read_treebank
from dragoman.syntax.brackets import BracketScore, bracket_score, evaluate_grammar
from dragoman.syntax.constituents import ConstituentParse, Grammar, GrammarRecipe
from dragoman.syntax.phrases import phrase_tree, phrase_trees
from dragoman.syntax.shape import SentenceParses, label_counts, tree_depth, tree_width

__all__ = [
    "BracketScore",
    "ConstituentParse",
    "Grammar",
    "GrammarRecipe",
    "SentenceParses",
    "bracket_score",
    "clean_tree",
    "evaluate_grammar",
    "label_counts",
    "phrase_tree",
    "phrase_trees",
    "read_treebank",
    "tree_depth",
    "tree_width",
]
