"""Syntax: parts of speech, morphology, trees and names for tokens as written, learnt from annotated text."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.syntax.bracketed import clean_tree, read_treebank
    from dragoman.syntax.brackets import BracketScore, bracket_score, evaluate_grammar
    from dragoman.syntax.constituents import ConstituentParse, Grammar, GrammarRecipe
    from dragoman.syntax.evaluation import ParserAccuracy, compare_parses, evaluate_parser
    from dragoman.syntax.merging import merge_multiword_tokens
    from dragoman.syntax.name_evaluation import NameAccuracy, compare_names, evaluate_names
    from dragoman.syntax.named import Name, NamedSentence, read_named
    from dragoman.syntax.names import NameRecipe, NameTagger
    from dragoman.syntax.parser import Parser, ParserRecipe
    from dragoman.syntax.parses import Parses
    from dragoman.syntax.phrases import phrase_tree, phrase_trees
    from dragoman.syntax.shape import SentenceParses, label_counts, tree_depth, tree_width

_HOME = {
    "BracketScore": "brackets",
    "ConstituentParse": "constituents",
    "Grammar": "constituents",
    "GrammarRecipe": "constituents",
    "Name": "named",
    "NameAccuracy": "name_evaluation",
    "NameRecipe": "names",
    "NameTagger": "names",
    "NamedSentence": "named",
    "Parser": "parser",
    "ParserAccuracy": "evaluation",
    "ParserRecipe": "parser",
    "Parses": "parses",
    "SentenceParses": "shape",
    "bracket_score": "brackets",
    "clean_tree": "bracketed",
    "compare_parses": "evaluation",
    "compare_names": "name_evaluation",
    "evaluate_grammar": "brackets",
    "evaluate_names": "name_evaluation",
    "evaluate_parser": "evaluation",
    "label_counts": "shape",
    "merge_multiword_tokens": "merging",
    "phrase_tree": "phrases",
    "phrase_trees": "phrases",
    "read_named": "named",
    "read_treebank": "bracketed",
    "tree_depth": "shape",
    "tree_width": "shape",
}

__all__ = [
    "BracketScore",
    "ConstituentParse",
    "Grammar",
    "GrammarRecipe",
    "Name",
    "NameAccuracy",
    "NameRecipe",
    "NameTagger",
    "NamedSentence",
    "Parser",
    "ParserAccuracy",
    "ParserRecipe",
    "Parses",
    "SentenceParses",
    "bracket_score",
    "clean_tree",
    "compare_names",
    "compare_parses",
    "evaluate_grammar",
    "evaluate_names",
    "evaluate_parser",
    "label_counts",
    "merge_multiword_tokens",
    "phrase_tree",
    "phrase_trees",
    "read_named",
    "read_treebank",
    "tree_depth",
    "tree_width",
]


if not TYPE_CHECKING:  # a type checker would take the function for leave to ask for any name

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"dragoman.syntax.{_HOME[name]}"), name)
        raise AttributeError(f"module 'dragoman.syntax' has no attribute {name!r}")
