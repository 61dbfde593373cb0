"""Repair: rules of grammar over what an engine said, beside the parsed source; grammars are data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.repair.ablation import RuleAblation, ablate_rules
    from dragoman.repair.grammar import Grammar, grammar_names, load_grammar
    from dragoman.repair.injection import InjectedErrors, inject_errors, mend_injected
    from dragoman.repair.lexicon import Lexicon, learn_lexicon
    from dragoman.repair.recipe import RepairRecipe
    from dragoman.repair.repairer import Repairer, train_repairer
    from dragoman.repair.result import Repair, Repaired
    from dragoman.repair.rules import RULES, Fix, Rule
    from dragoman.repair.worsening import FormErrors, WorsenedTreebank, count_form_errors, worsen_treebank
else:
    offer(__name__)

__all__ = [
    "RULES",
    "Fix",
    "FormErrors",
    "Grammar",
    "InjectedErrors",
    "Lexicon",
    "Repair",
    "RepairRecipe",
    "Repaired",
    "Repairer",
    "Rule",
    "RuleAblation",
    "WorsenedTreebank",
    "ablate_rules",
    "count_form_errors",
    "grammar_names",
    "inject_errors",
    "learn_lexicon",
    "load_grammar",
    "mend_injected",
    "train_repairer",
    "worsen_treebank",
]
