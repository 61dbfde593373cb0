"""The rules, in the order in which they are applied (DEPFIX 2012, Table 2)."""

from __future__ import annotations

from dragoman.repair.rules.base import RULES, Fix, Rule, rules_in_order

__all__ = ["RULES", "Fix", "Rule", "rules_in_order"]
