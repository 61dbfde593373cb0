"""Checks of grammar, by the rules of a repairer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from dragoman.artifact import read_manifest
from dragoman.cat.checks.base import Check, Finding, Pair
from dragoman.errors import ModelError
from dragoman.options import option
from dragoman.repair import Repairer, RepairRecipe, load_grammar
from dragoman.report import Sentence

__all__ = ["Grammar", "grammar_checks"]


@dataclass(frozen=True)
class Grammar(Check):
    """Words that a rule of grammar would change, such as an adjective in another case than its noun, with the cure."""

    name: ClassVar[str] = "grammar"

    model: str = option("", positional=True, text="a repairer's folder (dragoman repair train); none: nothing is found")

    def find(self, pair: Pair) -> Iterator[Finding]:
        """One finding for each change that the repairer would make."""
        yield from self.find_all([pair])[0]

    def find_all(self, pairs: Sequence[Pair]) -> list[list[Finding]]:
        """The changes of all pairs that have a target."""
        findings: list[list[Finding]] = [[] for _ in pairs]
        chosen = (
            [n for n, pair in enumerate(pairs) if pair.target.strip() and pair.source.strip()] if self.model else []
        )
        if not chosen:
            return findings
        result = _repairer(self.model).apply([pairs[n].target for n in chosen], [pairs[n].source for n in chosen])
        for repair in result.repairs:
            if repair.made:
                said = Sentence(
                    "A rule of grammar ({rule}) asks for “{new}” in the place of “{old}”.",
                    rule=repair.rule,
                    new=repair.new,
                    old=repair.old,
                )
                finding = self.finding(said, (), [repair.span])
                findings[chosen[repair.line - 1]].append(replace(finding, edits=repair.edits, why=repair.reason))
        return findings


def grammar_checks(folders: Sequence[str]) -> dict[tuple[str, str], Grammar]:
    """A check for each repairer, by its languages; the models are read when they are asked."""
    checks = {}
    for folder in folders:
        manifest = read_manifest(folder)
        if manifest.kind != Repairer.kind:
            raise ModelError(f"{folder} is a {manifest.kind}, not a repairer. Make one: dragoman repair train.")
        grammar = load_grammar(RepairRecipe.from_dict(manifest.recipe).grammar)
        checks[grammar.source, grammar.language] = Grammar(model=folder)
    return checks


@lru_cache(maxsize=2)
def _repairer(folder: str) -> Repairer:
    return Repairer.load(folder)
