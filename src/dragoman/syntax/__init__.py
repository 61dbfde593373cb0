"""Syntax: parts of speech, morphology and trees for tokens as written, learnt from treebanks."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragoman.syntax.evaluation import ParserAccuracy, compare_parses, evaluate_parser
    from dragoman.syntax.merging import merge_multiword_tokens
    from dragoman.syntax.parser import Parser, ParserRecipe
    from dragoman.syntax.parses import Parses

_HOME = {
    "Parser": "parser",
    "ParserAccuracy": "evaluation",
    "ParserRecipe": "parser",
    "Parses": "parses",
    "compare_parses": "evaluation",
    "evaluate_parser": "evaluation",
    "merge_multiword_tokens": "merging",
}

__all__ = [
    "Parser",
    "ParserAccuracy",
    "ParserRecipe",
    "Parses",
    "compare_parses",
    "evaluate_parser",
    "merge_multiword_tokens",
]


if not TYPE_CHECKING:  # a type checker would take the function for leave to ask for any name

    def __getattr__(name: str) -> Any:
        if name in _HOME:
            return getattr(import_module(f"dragoman.syntax.{_HOME[name]}"), name)
        raise AttributeError(f"module 'dragoman.syntax' has no attribute {name!r}")
