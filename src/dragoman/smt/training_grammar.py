"""The grammar of a training: rules of all texts together, by the parses that its kind asks for."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.artifact import MANIFEST
from dragoman.errors import DataError
from dragoman.files import read_lines, read_text
from dragoman.lm import cluster_words
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.grammar.extraction import ExtractedRules
from dragoman.smt.grammar.forced import prune_rules
from dragoman.smt.grammar.kinds import extract_grammar
from dragoman.smt.grammar.parses import InputParser, ParsedText, is_parser, parse_text, read_parser
from dragoman.smt.grammar.rule_lines import n_scores_of
from dragoman.smt.grammar.table import RuleTable
from dragoman.smt.grammar.word_classes import class_labels
from dragoman.smt.pairs import Linked, TokenisedPairs, clean_places
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.training_tables import TrainingText
from dragoman.smt.work import PlannedStep, fingerprint

__all__ = ["GrammarStep", "grammar_step", "input_parser", "parses_key", "parses_of"]

_NAME, _RULES, _FACTS = "grammar", "rules", "rules.json"


def grammar_step(recipe: EngineRecipe, align: str, weights: str = "") -> PlannedStep:
    """The step to the engine's grammar; `align` is the key of the links' step, `weights` that of what pairs count."""
    side = recipe.grammar.parsed_side
    parses = [parses_key(recipe.parse.of(side))] if side else []
    settings = {name: value for name, value in recipe.grammar.to_dict().items() if name != "span"}
    if recipe.prune.method != "none":
        settings |= {"span": recipe.grammar.span, "prune": recipe.prune.to_dict()}
    return PlannedStep(_NAME, "extract and score rules", settings, (align, *parses, *filter(None, [weights])), 15)


def parses_key(path: str) -> str:
    """What parses are made of: the model's manifest, or the lines of the files."""
    folder = Path(path)
    if is_parser(folder):
        return fingerprint([read_text(folder / MANIFEST)])
    if not folder.exists():
        raise DataError(f"There are no parses {folder}. Name a file, a folder of files, or a parser's model.")
    files = sorted(each for each in folder.iterdir() if each.is_file()) if folder.is_dir() else [folder]
    return fingerprint(fingerprint(read_lines(file)) for file in files)


def input_parser(recipe: EngineRecipe) -> InputParser | None:
    """What parses text that is to be translated, if the grammar's source symbols have names of their own."""
    if recipe.grammar.parsed_side != "source" or recipe.grammar.kind == "dependency":
        return None
    return read_parser(recipe.parse.input or recipe.parse.of("source"))


@dataclass(frozen=True, eq=False)
class _Extracted:
    table: RuleTable
    facts: Mapping[str, Any]  # what the extraction counted

    def save(self, folder: Path) -> None:
        self.table.save(folder / _RULES)
        (folder / _FACTS).write_text(json.dumps(self.facts, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> _Extracted:
        return cls(RuleTable.load(folder / _RULES, verify=True), json.loads((folder / _FACTS).read_text("utf-8")))

    def outcome(self) -> str:
        unparsed = self.facts.get("n_unparsed")
        missing = f", {unparsed} lines without a parse" if unparsed else ""
        left = f", {self.facts['n_left']} left by their use" if "n_left" in self.facts else ""
        return f"{self.facts['n_written']} rules, {self.facts['n_lexical']} of them without gaps{missing}{left}"


class GrammarStep:
    """Makes the engine's rule table."""

    def __init__(self, recipe: EngineRecipe, step: Callable[..., Any], n_threads: int) -> None:
        self.recipe = recipe
        self.step = step
        self.n_threads = n_threads

    def make(self, linked: Linked, cased: TokenisedPairs, text: TrainingText) -> RuleTable:
        """The rules of the pairs that cleaning left; parses stand beside all pairs."""
        extracted: _Extracted = self.step(
            _NAME,
            make=lambda: self._extract(linked, cased, text),
            save=_Extracted.save,
            load=_Extracted.load,
            outcome=_Extracted.outcome,
        )
        return extracted.table

    def _extract(self, linked: Linked, cased: TokenisedPairs, text: TrainingText) -> _Extracted:
        grammar, places = self.recipe.grammar, clean_places(cased, self.recipe)
        copies = len(linked.text) // len(places)  # each aligner has one
        weights = None if text.weights is None else np.tile(text.weights[places], copies)
        whole = replace(linked.text, weights=weights)
        with tempfile.TemporaryDirectory(prefix="dragoman") as folder:
            path = Path(folder) / _RULES
            if grammar.by_classes:
                rules = self._by_classes(whole, linked, [cased.target[place] for place in places], path)
            else:
                rules = extract_grammar(
                    whole,
                    linked.source,
                    linked.target,
                    path,
                    kind=grammar,
                    rules=grammar,
                    trees=grammar.trees(),
                    parses=self._parses(cased, places.tolist(), copies),
                    n_threads=self.n_threads,
                )
            numbers = np.bincount(linked.text.source.ids, minlength=len(linked.source)) // copies
            counts = dict(zip(linked.source.words(), numbers.tolist(), strict=True))
            facts = _facts(rules)
            if self.recipe.prune.method == "none":
                table = RuleTable.read_rules(
                    path,
                    quantised=grammar.quantised,
                    features=grammar.score_names(n_scores_of(path)),
                    counts=counts,
                    n_threads=self.n_threads,
                )
            else:
                table = self._pruned(path, whole, linked, counts)
                facts["n_left"] = len(table)
        return _Extracted(table, facts)

    def _pruned(self, path: Path, text: AlignedText, linked: Linked, counts: Mapping[str, int]) -> RuleTable:
        """What the text needs of its rules, by the weights of an untuned engine."""
        grammar = self.recipe.grammar
        table, _ = prune_rules(
            self.recipe.prune,
            path,
            text,
            linked.source,
            linked.target,
            rules=grammar,
            span=grammar.span,
            quantised=grammar.quantised,
            counts=counts,
            n_threads=self.n_threads,
        )
        return table

    def _by_classes(self, text: AlignedText, linked: Linked, target: Sequence[str], path: Path) -> ExtractedRules:
        """Rules called by the classes of target words."""
        grammar = self.recipe.grammar
        classes = cluster_words(target, grammar.classes, n_threads=self.n_threads).classes
        labels = class_labels(text.target, linked.target, classes, longest=grammar.longest)
        return grammar.extract(text, linked.source, linked.target, path, target_labels=labels, n_threads=self.n_threads)

    def _parses(self, cased: TokenisedPairs, places: Sequence[int], copies: int) -> dict[str, ParsedText]:
        """Those of the parsed side, for every copy of the text."""
        side = self.recipe.grammar.parsed_side
        if side is None:
            return {}
        parsed = parses_of(self.recipe.parse.of(side), getattr(cased, side), places, n_threads=self.n_threads)
        return {side: ParsedText(parsed.lines * copies)}


def parses_of(path: str, lines: Sequence[str], places: Sequence[int], *, n_threads: int = 1) -> ParsedText:
    """The parses of the lines at these places; those in files stand beside all lines."""
    if is_parser(path):
        return parse_text(path, [lines[place].split() for place in places], n_threads=n_threads)
    return parse_text(path, [line.split() for line in lines]).take(places)


def _facts(rules: ExtractedRules) -> dict[str, Any]:
    return {name: value for name, value in vars(rules).items() if name.startswith("n_")}
