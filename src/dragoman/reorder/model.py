"""The reorderer: rules of one or several methods, with the parser they need, as an artifact."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, ModelError
from dragoman.files import read_lines, write_lines
from dragoman.notation import parse_json
from dragoman.options import Recipe, option
from dragoman.reorder.annotation import Annotated, annotate
from dragoman.reorder.base import METHODS, Move, OrderMethod, OrderRules, arranged, trimmed
from dragoman.reorder.lattice import OrderLattice
from dragoman.reorder.long_rules import GapRule
from dragoman.reorder.orders import Order, is_order
from dragoman.syntax import Parser

__all__ = ["ReorderRecipe", "Reorderer"]

_EVEN = 0.5  # how probable the best order is where no rule offers it whole
_PARSER, _RULES = "parser", "rules.{}.jsonl"


@dataclass(frozen=True)
class ReorderRecipe(Recipe):
    """How to learn the order of a target language."""

    method: str = option("tree", text="a method, perhaps with options; several, joined by +: short+long")
    tags: str = option(
        "upos", choices=("upos", "xpos"), text="which tags rules see: universal ones, the treebank's own"
    )
    links: str = option(
        "intersection",
        choices=("intersection", "grow-diag", "grow-diag-final-and"),
        text="which links are learnt from, where none are given: those of both directions, or more",
    )
    arcs: int = option(3, low=2, high=50, text="of a lattice for each word, at most: the least probable moves go first")
    longest: int = option(200, low=2, high=1000, text="sentences with more words keep their order")

    def methods(self) -> list[OrderMethod]:
        """The methods that are named."""
        names = [name.strip() for name in self.method.split("+")]
        made = [METHODS.make(name).check() for name in names]
        kinds = [each.name for each in made]
        if len(set(kinds)) < len(kinds):
            raise DataError(f"Each reordering method can be named once, got {self.method}.")
        return made

    def check(self) -> Self:
        """Return the recipe if it keeps its rules and all its methods are known."""
        super().check()
        self.methods()
        return self

    @property
    def needs_trees(self) -> bool:
        """True if some method looks at trees, not at tags alone."""
        return any(method.needs_trees for method in self.methods())


class Reorderer(Artifact):
    """Puts source words into the order of the target language: `Reorderer.load("order").orders([["he", "sleeps"]])`."""

    kind: ClassVar[str] = "reorderer"
    format: ClassVar[int] = 1

    recipe: ReorderRecipe

    def __init__(
        self,
        recipe: ReorderRecipe,
        rules: Mapping[str, OrderRules],
        parser: Parser | None = None,
        *,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe = recipe
        self.rules = dict(rules)
        self.parser = parser
        self.data = dict(data or {})

    def annotate(self, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1) -> list[Annotated]:
        """The lines as its parser sees them."""
        if self.parser is None:
            raise DataError(
                "This reorderer has no parser: it was learnt from annotated text. Give it annotated text (--parses), "
                "or learn it again with a parser."
            )
        return annotate(
            self.parser,
            token_lines,
            trees=self.recipe.needs_trees,
            xpos=self.recipe.tags == "xpos",
            n_threads=n_threads,
        )

    def orders(self, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1) -> list[Order]:
        """The best order of each line's words."""
        return [self.order(sentence) for sentence in self.annotate(token_lines, n_threads=n_threads)]

    def order(self, sentence: Annotated) -> Order:
        """The best order of a sentence's words: by one method as it says, by several as their moves fit together."""
        if not 1 < len(sentence) <= self.recipe.longest:
            return tuple(range(len(sentence)))
        if len(self.rules) == 1:
            return next(iter(self.rules.values())).best(sentence)
        return arranged(len(sentence), self.moves(sentence))

    def moves(self, sentence: Annotated) -> list[Move]:
        """What the rules of all methods offer."""
        if not 1 < len(sentence) <= self.recipe.longest:
            return []
        offered = (move for rules in self.rules.values() for move in rules.moves(sentence))
        return [move for each in offered if (move := trimmed(*each))]

    def _offers(self, sentence: Annotated) -> tuple[list[Move], Order]:
        """The moves, and the best order."""
        if len(self.rules) != 1 or not 1 < len(sentence) <= self.recipe.longest:
            return self.moves(sentence), self.order(sentence)
        moves, order = next(iter(self.rules.values())).offers(sentence)
        return [move for each in moves if (move := trimmed(*each))], order

    def lattice(self, sentence: Annotated) -> OrderLattice:
        """The best order, others that the rules offer, the most probable ones first, and the one the sentence has."""
        offered, order = self._offers(sentence)
        moves = {(move.begin, move.order): move for move in sorted(offered, key=lambda move: move.p)}
        kept = []
        best = trimmed(0, order, _EVEN)
        if best is not None:
            kept.append(moves.pop((best.begin, best.order), best))
        room = (self.recipe.arcs - 1) * len(sentence) - sum(len(move.order) for move in kept)
        for move in sorted(moves.values(), key=lambda move: (-move.p, move.begin, move.order)):
            if len(move.order) <= room:
                room -= len(move.order)
                kept.append(move)
        return OrderLattice.of_moves(len(sentence), kept)

    def _write(self, folder: Path) -> None:
        for name, rules in self.rules.items():
            write_lines(
                folder / _RULES.format(name), (json.dumps(list(row), ensure_ascii=False) for row in rules.rows())
            )
        if self.parser is not None:
            self.parser.save(folder / _PARSER)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        recipe = ReorderRecipe.from_dict(manifest.recipe)
        rules: dict[str, OrderRules] = {}
        for method in recipe.methods():
            path = folder / _RULES.format(method.name)
            try:
                rules[method.name] = method.of_rows(parse_json(line) for line in read_lines(path))
            except (ValueError, TypeError, DataError) as error:
                raise ModelError(
                    f"{path} has no rules of the method {method.name} ({error}). Learn it again."
                ) from error
        _check_rules(folder, rules)
        parser = Parser.read_part(folder / _PARSER) if (folder / _PARSER).is_dir() else None
        return cls(recipe, rules, parser, data=manifest.data)


def _check_rules(folder: Path, rules: Mapping[str, OrderRules]) -> None:
    """Rules of tags must be orders of their tags: a damaged file would lose words."""
    for row in rules["short"].rows() if "short" in rules else ():
        if not is_order(row[1], len(row[0])):
            raise ModelError(f"{folder} has a rule whose order is none: {row!r}. Learn it again.")
    for kind, left, right, *_ in rules["long"].rows() if "long" in rules else ():
        if not GapRule(kind, left, right).is_whole():
            raise ModelError(f"{folder} has a rule that moves what it has not: {kind} {left} {right}. Learn it again.")
