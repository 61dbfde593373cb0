"""Translation by grammars: rules extracted from aligned and parsed text, and what they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.smt.grammar.ensemble import MergedRules, Mixture
    from dragoman.smt.grammar.extraction import ExtractedRules, GrammarExtraction, SpanLabels
    from dragoman.smt.grammar.formats import (
        RULE_FORMATS,
        ConvertedRules,
        MosesRules,
        RuleFormat,
        ThraxRules,
        convert_rules,
    )
    from dragoman.smt.grammar.inspection import RuleInspection, TableInspection, inspect_rules
    from dragoman.smt.grammar.kinds import GrammarKind, ParsedRules, extract_grammar, input_spans
    from dragoman.smt.grammar.labels import LABELLERS
    from dragoman.smt.grammar.parses import ParsedText, parse_text, read_parses
    from dragoman.smt.grammar.rules import Gap, Rule
    from dragoman.smt.grammar.table import RulePacking, RuleTable
    from dragoman.smt.grammar.tree_extraction import TreeExtraction
    from dragoman.smt.grammar.word_classes import class_labels
else:
    offer(__name__)

__all__ = [
    "LABELLERS",
    "RULE_FORMATS",
    "ConvertedRules",
    "ExtractedRules",
    "Gap",
    "GrammarExtraction",
    "GrammarKind",
    "MergedRules",
    "Mixture",
    "MosesRules",
    "ParsedRules",
    "ParsedText",
    "Rule",
    "RuleFormat",
    "RuleInspection",
    "RulePacking",
    "RuleTable",
    "SpanLabels",
    "TableInspection",
    "ThraxRules",
    "TreeExtraction",
    "class_labels",
    "convert_rules",
    "extract_grammar",
    "input_spans",
    "inspect_rules",
    "parse_text",
    "read_parses",
]
