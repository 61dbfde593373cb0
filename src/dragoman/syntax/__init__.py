"""Syntax: parts of speech, morphology and trees for tokens as written, learnt from treebanks."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.syntax.bracketed import clean_tree, read_treebank
    from dragoman.syntax.brackets import BracketScore, bracket_score, evaluate_grammar
    from dragoman.syntax.constituents import ConstituentParse, Grammar, GrammarRecipe
    from dragoman.syntax.evaluation import ParserAccuracy, compare_parses, evaluate_parser
    from dragoman.syntax.merging import merge_multiword_tokens
    from dragoman.syntax.parser import Parser, ParserRecipe
    from dragoman.syntax.parses import Parses
    from dragoman.syntax.phrases import phrase_tree, phrase_trees
    from dragoman.syntax.shape import SentenceParses, label_counts, tree_depth, tree_width

_HOME = {
    "BracketScore": "brackets",
    "ConstituentParse": "constituents",
    "Grammar": "constituents",
    "GrammarRecipe": "constituents",
    "Parser": "parser",
    "ParserAccuracy": "evaluation",
    "ParserRecipe": "parser",
    "Parses": "parses",
    "SentenceParses": "shape",
    "bracket_score": "brackets",
    "clean_tree": "bracketed",
    "compare_parses": "evaluation",
    "evaluate_grammar": "brackets",
    "evaluate_parser": "evaluation",
    "label_counts": "shape",
    "merge_multiword_tokens": "merging",
    "phrase_tree": "phrases",
    "phrase_trees": "phrases",
    "read_treebank": "bracketed",
    "tree_depth": "shape",
    "tree_width": "shape",
}

__all__ = [
    "BracketScore",
    "ConstituentParse",
    "Grammar",
    "GrammarRecipe",
    "Parser",
    "ParserAccuracy",
    "ParserRecipe",
    "Parses",
    "SentenceParses",
    "bracket_score",
    "clean_tree",
    "compare_parses",
    "evaluate_grammar",
    "evaluate_parser",
    "label_counts",
    "merge_multiword_tokens",
    "phrase_tree",
    "phrase_trees",
    "read_treebank",
    "tree_depth",
    "tree_width",
]


if not TYPE_CHECKING:  # a type checker would take the function for leave to ask for any name

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"dragoman.syntax.{_HOME[name]}"), name)
        raise AttributeError(f"module 'dragoman.syntax' has no attribute {name!r}")
