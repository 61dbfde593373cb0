"""Labels of spans by categories that are made from dependencies (after Weese, Callison-Burch & Lopez 2012)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import ClassVar

from dragoman.options import option
from dragoman.smt.grammar.categories import categories_of_chart
from dragoman.smt.grammar.ccg import CategoryAnalysis, categories_of_dependencies
from dragoman.smt.grammar.labels import Labeller, Spans, dependencies, label_name
from dragoman.smt.grammar.parses import LineParse

__all__ = ["ChartCategories", "DerivationCategories", "best_categories"]


@dataclass(frozen=True)
class DerivationCategories(Labeller):
    """The category of the span in the derivation that the dependencies are converted to."""

    side: ClassVar[str] = "target"

    def spans(self, parse: LineParse, longest: int) -> Spans:
        """The stretches of the derivation."""
        analysis = _analysis(parse)
        found = analysis.derivation if analysis else {}
        return {span: label_name(category) for span, category in found.items() if span[1] - span[0] <= longest}


@dataclass(frozen=True)
class ChartCategories(Labeller):
    """The most probable category of the span, whether or not the derivation has it.

    A word has the category of its own sentence and those that it often has in the whole text.
    """

    side: ClassVar[str] = "target"

    least: float = option(0.1, low=0, high=1, text="share of a word's categories from which on one is tried everywhere")
    own: float = option(0.5, low=0, high=1, text="share of the category that a word has in its own sentence")
    beam: int = option(5, low=1, high=1000, text="categories of a span that are combined further")

    def learn(self, parses: Sequence[LineParse]) -> LearntCategories:
        """The same with the categories of all words."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for parse in parses:
            for form, category in _words(parse):
                counts[form][category] += 1
        return LearntCategories(self, {form: self._shares(found) for form, found in counts.items()})

    def _shares(self, counts: Counter[str]) -> dict[str, float]:
        total = counts.total()
        return {category: n / total for category, n in counts.items() if n >= self.least * total}

    def spans(self, parse: LineParse, longest: int) -> Spans:
        """Every span that is something, by the categories of its own sentence."""
        return LearntCategories(self, {}).spans(parse, longest)


@dataclass(frozen=True)
class LearntCategories(Labeller):
    """`ChartCategories` with the shares of the categories of words."""

    recipe: ChartCategories
    lexicon: Mapping[str, Mapping[str, float]]

    side: ClassVar[str] = "target"

    def spans(self, parse: LineParse, longest: int) -> Spans:
        """Every span that is something."""
        words = []
        for form, category in _words(parse):
            shares = {each: (1 - self.recipe.own) * share for each, share in self.lexicon.get(form, {}).items()}
            shares[category] = shares.get(category, 0.0) + self.recipe.own
            words.append({each: log(share) for each, share in shares.items() if share > 0})
        return best_categories(words, longest, self.recipe.beam)


def best_categories(words: Sequence[Mapping[str, float]], longest: int, beam: int = 0) -> Spans:
    """The best category of every span that has one, given those of the words with their log-probabilities."""
    chart = categories_of_chart(words, longest=longest, beam=beam)
    return {
        span: label_name(max(cell.items(), key=lambda entry: (entry[1], entry[0]))[0])
        for span, cell in chart.items()
        if cell
    }


def _analysis(parse: LineParse) -> CategoryAnalysis | None:
    return None if parse is None else categories_of_dependencies(dependencies(parse, "Categories"))


def _words(parse: LineParse) -> list[tuple[str, str]]:
    """Forms and categories of the words; none without a projective parse."""
    analysis = _analysis(parse)
    if parse is None or analysis is None:
        return []
    return list(zip((word.form for word in dependencies(parse, "Categories").words), analysis.words, strict=True))
