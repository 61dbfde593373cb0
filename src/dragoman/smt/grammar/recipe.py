"""The sections `grammar` and `parse` of an engine's recipe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.smt.grammar.extraction import GrammarExtraction
from dragoman.smt.grammar.kinds import KINDS, GrammarKind
from dragoman.smt.grammar.tree_extraction import DEPENDENCY_RULES, TreeExtraction

__all__ = ["GrammarSection", "ParseSection"]

NONE, CLASSES = "none", "classes"


@dataclass(frozen=True)
class GrammarSection(GrammarKind, GrammarExtraction):
    """Which grammar an engine translates by, how its rules are extracted, and how far they reach."""

    kind: str = option(
        NONE,
        choices=(NONE, *KINDS),
        text="none: phrases; else gaps for any phrase, for dependency subtrees, or rules of trees",
    )
    labels: str = option(
        "", text="what spans are called: constituents, samt, ccg, ccg-best, heads, classes (of words); nothing: X"
    )
    span: int = option(10, low=0, text="source words under a rule with gaps while translating; 0: as many as there are")
    scope: int = option(3, low=0, text="of trees: gaps beside gaps or at an end of the source side; 0: no limit")
    depth: int = option(3, low=0, text="of trees: steps from the root of a composed rule to its deepest node; 0: any")
    nodes: int = option(15, low=0, text="of trees: nodes of a composed rule, words not counted; 0: no limit")
    size: int = option(3, low=0, text="of trees: inner nodes of a composed rule; 0: no limit")
    classes: int = option(20, low=1, text="with labels=classes, of so many clusters of target words")
    quantised: bool = option(False, choices=(False, True), text="scores in 8 bits each")

    def __bool__(self) -> bool:
        return self.kind != NONE

    def check(self) -> Self:
        """The section, if its choices fit each other."""
        if self.by_classes:
            if self.side == "source" or self.reorder or self.kind != "hiero" or self.shallow:
                raise DataError("labels=classes names target spans of hiero rules; leave out side, reorder, shallow.")
            replace(self, labels="").check()
        elif self:
            super().check()
        return self

    @property
    def by_classes(self) -> bool:
        """True if spans are called by the classes of their first and last words, for which no parser is needed."""
        return self.labels == CLASSES

    @property
    def parsed_side(self) -> str | None:
        """The side that needs parses; None if none does."""
        return super().parsed_side if self and not self.by_classes else None

    def trees(self) -> TreeExtraction:
        """Which rules are cut out of trees."""
        if self.kind == "dependency":
            return DEPENDENCY_RULES
        return TreeExtraction(scope=self.scope, depth=self.depth, nodes=self.nodes, size=self.size)


@dataclass(frozen=True)
class ParseSection(Recipe):
    """Where the parses of a grammar come from."""

    source: str = option("", text="parses of the training text's source: a file, a folder, or a parser's model")
    target: str = option("", text="the same of its target")
    input: str = option("", text="the parser of what is translated; nothing: that of the source")

    def of(self, side: str) -> str:
        """What parses a side; who needs it and has none is told how to name it."""
        path: str = getattr(self, side)
        if not path:
            raise DataError(
                f"The grammar needs parses of the {side}. Name a file, a folder or a parser's model for them: "
                f"--set parse.{side}=PATH."
            )
        return path
