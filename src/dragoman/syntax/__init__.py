"""Syntax: parts of speech, morphology, trees and names for tokens as written, learnt from annotated text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.syntax.bracketed import clean_tree, read_treebank
    from dragoman.syntax.brackets import BracketScore, bracket_score, evaluate_grammar
    from dragoman.syntax.constituents import ConstituentParse, Grammar, GrammarRecipe
    from dragoman.syntax.evaluation import ParserAccuracy, compare_parses, evaluate_parser
    from dragoman.syntax.function_evaluation import FunctionAccuracy, evaluate_functions
    from dragoman.syntax.functions import FunctionLabeller, FunctionRecipe
    from dragoman.syntax.name_evaluation import NameAccuracy, compare_names, evaluate_names
    from dragoman.syntax.named import Name, NamedSentence, read_named
    from dragoman.syntax.names import NameRecipe, NameTagger
    from dragoman.syntax.noun_frames import NounFrame, function_tag_frames, read_nombank
    from dragoman.syntax.noun_roles import NounRoleAccuracy, NounRoleLabeller, NounRoleRecipe, NounRoles
    from dragoman.syntax.parser import Parser, ParserRecipe
    from dragoman.syntax.parses import Parses
    from dragoman.syntax.phrases import phrase_tree, phrase_trees
    from dragoman.syntax.shape import SentenceParses, label_counts, tree_depth, tree_width
    from dragoman.text.merging import merge_multiword_tokens
else:
    offer(__name__)

__all__ = [
    "BracketScore",
    "ConstituentParse",
    "FunctionAccuracy",
    "FunctionLabeller",
    "FunctionRecipe",
    "Grammar",
    "GrammarRecipe",
    "Name",
    "NameAccuracy",
    "NameRecipe",
    "NameTagger",
    "NamedSentence",
    "NounFrame",
    "NounRoleAccuracy",
    "NounRoleLabeller",
    "NounRoleRecipe",
    "NounRoles",
    "Parser",
    "ParserAccuracy",
    "ParserRecipe",
    "Parses",
    "SentenceParses",
    "bracket_score",
    "clean_tree",
    "compare_names",
    "compare_parses",
    "evaluate_functions",
    "evaluate_grammar",
    "evaluate_names",
    "evaluate_parser",
    "function_tag_frames",
    "label_counts",
    "merge_multiword_tokens",
    "phrase_tree",
    "phrase_trees",
    "read_named",
    "read_nombank",
    "read_treebank",
    "tree_depth",
    "tree_width",
]
