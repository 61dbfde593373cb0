"""Factored engines: words with tags or lemmas, by the notation of `factor_setup`, and a language model of each factor.

A direct setup (`tF-FaT`, `tFaT-FaT`) extracts phrases of words that carry their factors (`muž￨NMS1-A`); each language
model reads its own factor of them, and the forms are the translation. In `tF-F+gF-T` phrases are of forms, each with
the tag that it has most often. Other setups of one search are assembled from the tables of their steps
(`factor_paths`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.smt.factor_setup import FactoredSetup, FactorStep
from dragoman.text.annotate.base import ANNOTATORS, Annotator, check_needs
from dragoman.text.positional_tags import TAG_FORMS, lemma_or_form
from dragoman.text.vocabulary import Vocabulary

__all__ = ["FORM", "PLAIN", "FactorReader", "FactorSection", "FactorWords", "compose", "model_name"]

SEPARATOR = "￨"  # U+FFE8 between the factors of a word
FORM = "F"
_PLAIN = str.maketrans("<>", "()")  # so that none is <unk>, <s> or </s>
_TAGS = ("T", "MOT")  # the factors that `tags` makes simpler
_JOIN = "+"  # between the parts of a factor of several, LOF.MOT
_MADE_OF = {"LOF": ("L", "T"), "MOT": ("T",)}  # what is made of others, where nobody makes it


def model_name(factor: str) -> str:
    """The name of a factor's language model: of its feature and weight."""
    return f"lm-{factor.replace('.', '-')}"


@dataclass(frozen=True)
class FactorSection(Recipe):
    """Which factors an engine translates, and who makes them."""

    setup: str = option("tF-F", text="what is translated into what, as in tF-FaT: forms into forms with tags")
    source: tuple[str, ...] = option((), text="who makes factors of the source: T=parser:FOLDER,give=xpos")
    target: tuple[str, ...] = option((), text="who makes factors of the target, likewise")
    modelled: str = option("all", text="target factors with a language model beside the forms: all, none, or LaT")
    order: int = option(4, low=1, high=9, text="length of the longest n-grams of these models")
    tags: str = option(
        "whole", choices=tuple(TAG_FORMS), text="positional tags as they are, or simpler: mot1, mot2 (15 characters)"
    )
    search: int = option(0, low=0, high=9, text="of searches in series, the one that an engine does; 0: all")
    passed: int = option(20, low=1, text="translations that a search hands to the next one, as a lattice")

    def __bool__(self) -> bool:
        return self.setup != "tF-F"

    @cached_property
    def parsed(self) -> FactoredSetup:
        """The setup, taken apart."""
        return FactoredSetup.parse(self.setup)

    @property
    def is_series(self) -> bool:
        """True if there are several searches, one behind the other, and all are meant."""
        return len(self.parsed.searches) > 1 and not self.search

    @property
    def searches(self) -> tuple[FactorSection, ...]:
        """A section for each search of a series."""
        return tuple(replace(self, search=number) for number in range(1, len(self.parsed.searches) + 1))

    @property
    def _place(self) -> int:
        """The place of the search, counted from 0."""
        return max(self.search, 1) - 1

    @property
    def paths(self) -> tuple[tuple[FactorStep, ...], ...]:
        """The alternative paths of the search, each giving all factors."""
        return self.parsed.paths(self._place)

    @property
    def is_assembled(self) -> bool:
        """True if phrases are put together from the tables of several steps or paths; else one table has them."""
        (first, *others), *alternatives = self.paths
        by_forms = all(step.generates and step.reads == (FORM,) for step in others)
        one_table = by_forms and (not others or FORM in first.gives) and set(first.reads) == set(self.read)
        return bool(alternatives) or not one_table

    def check(self) -> Self:
        """Return the section if an engine can search its setup and all factors have a maker."""
        super().check()
        setup = self.parsed
        if self.search > len(setup.searches):
            raise DataError(f"{setup} has {len(setup.searches)} searches, not {self.search}.")
        for side, factors, makers in (
            ("source", setup.source_factors, self.source),
            ("target", setup.all_given, self.target),
        ):
            named, needed = _makers(makers), set[str]()
            for factor in factors:
                needed |= self._needed(factor, named, side)
            for factor in named:
                if factor not in needed:
                    raise DataError(
                        f"The setup {setup} has no factor {factor} of the {side}; known: {', '.join(factors)}."
                    )
        self.models  # noqa: B018 - names that no factor has are refused
        return self

    def _needed(self, factor: str, named: Mapping[str, Annotator[Any]], side: str) -> set[str]:
        """The factors that must have a maker for this one; those that have none are refused."""
        if factor == FORM:
            return set()
        if factor in named:
            return {factor}
        parts = factor.split(".") if "." in factor else _MADE_OF.get(factor, ())
        if not parts:
            raise DataError(f'The factor {factor} of the {side} has no maker: {side} = ["{factor}=parser:FOLDER"].')
        return set[str]().union(*(self._needed(part, named, side) for part in parts))

    @property
    def main(self) -> str:
        """The factor that the language model `lm` reads: forms, if the search gives them."""
        return self.given[0]

    @property
    def given(self) -> tuple[str, ...]:
        """The target factors of the search, forms first."""
        return self.parsed.given(self._place)

    @property
    def models(self) -> tuple[str, ...]:
        """The target factors that have a language model beside that of forms."""
        known = self.parsed.all_given if self.is_series else self.given
        factors = [factor for factor in known if factor != FORM]
        if self.modelled not in ("all", "none"):
            chosen = self.modelled.split("a")
            unknown = [factor for factor in chosen if factor not in self.parsed.all_given or factor == FORM]
            if unknown:
                raise DataError(
                    f"The target has no factor {unknown[0]} to model; known: {', '.join(factors) or 'none'} (or all, "
                    "none)."
                )
            factors = [factor for factor in chosen if factor in factors]
        elif self.modelled == "none":
            factors = []
        # What is read in the place of forms has its model whatever is asked for.
        mains = {each.main for each in self.searches} if self.is_series else {self.main}
        return tuple(dict.fromkeys([*(each for each in known if each in mains and each != FORM), *factors]))

    @property
    def carried(self) -> tuple[str, ...]:
        """The target factors that phrases carry, forms first; forms alone where the others are those of the form."""
        gives = self.given if self.is_assembled else self.paths[0][0].gives
        return tuple(sorted(gives, key=lambda factor: factor != FORM))

    @property
    def read(self) -> tuple[str, ...]:
        """The source factors that words carry, forms first; of a later search, what the one before gave."""
        if self.search > 1:
            return self.parsed.given(self._place - 1)
        reads = self.parsed.source_factors
        return (FORM, *(factor for factor in reads if factor != FORM))

    def values(self, side: str, token_lines: Sequence[str], factors: Sequence[str]) -> list[list[list[str]]]:
        """By factor and line, what each token of tokenised lines has; of forms nothing is asked."""
        columns = _Columns(self, _makers(self.source if side == "source" else self.target), token_lines)
        return [columns.values(factor) for factor in factors if factor != FORM]

    def composed(self, token_lines: Sequence[str]) -> list[str]:
        """Source lines whose words carry what the search reads; those of a search before do so already."""
        if self.search > 1:
            return list(token_lines)
        return compose(token_lines, self.values("source", token_lines, self.read))

    def fingerprints(self) -> list[str]:
        """What the makers of all factors depend on."""
        makers = [*_makers(self.source).values(), *_makers(self.target).values()]
        check_needs(makers)
        return [each.fingerprint() or each.signature() for each in makers]


class _Columns:
    """The factors of some tokenised lines, each made once."""

    def __init__(
        self, section: FactorSection, makers: Mapping[str, Annotator[Any]], token_lines: Sequence[str]
    ) -> None:
        self._tags = section.tags
        self._makers = makers
        self._lines = [line.split() for line in token_lines]
        self._annotated: dict[str, list[list[str]]] = {}

    def values(self, factor: str) -> list[list[str]]:
        """What each token has, as it can be joined to a word."""
        columns = self._lines if factor == FORM else self._made(factor)
        words = {word for line in columns for word in line}
        plain = {word: "_".join(word.replace(SEPARATOR, " ").translate(_PLAIN).split()) or "_" for word in words}
        return [[plain[word] for word in line] for line in columns]

    def _made(self, factor: str) -> list[list[str]]:
        if factor in self._makers:
            return self._simpler(self._raw(factor), self._tags) if factor in _TAGS else self._raw(factor)
        if factor == "MOT":
            return self._simpler(self._raw("T"), "mot2" if self._tags == "whole" else self._tags)
        if factor == "LOF":
            tags = [[tag.partition("+")[0] for tag in line] for line in self._raw("T")]
            return self._joined(lemma_or_form, self._lines, self._raw("L"), tags)
        return self._joined(lambda *parts: _JOIN.join(parts), *(self.values(part) for part in factor.split(".")))

    def _raw(self, factor: str) -> list[list[str]]:
        if factor not in self._annotated:
            annotation = self._makers[factor].annotate(self._lines)
            self._annotated[factor] = [[str(value) for value in line] for line in annotation]
        return self._annotated[factor]

    @staticmethod
    def _simpler(lines: list[list[str]], tags: str) -> list[list[str]]:
        simple = {  # a token of two words has two tags: aby
            tag: "+".join(map(TAG_FORMS[tags], tag.split("+"))) for tag in {tag for line in lines for tag in line}
        }
        return [[simple[tag] for tag in line] for line in lines]

    @staticmethod
    def _joined(join: Callable[..., str], *columns: list[list[str]]) -> list[list[str]]:
        return [[join(*values) for values in zip(*lines, strict=True)] for lines in zip(*columns, strict=True)]


PLAIN = FactorSection()


def _makers(specs: Sequence[str]) -> dict[str, Annotator[Any]]:
    """Annotators by factor, from `T=parser:FOLDER,give=xpos`."""
    makers: dict[str, Annotator[Any]] = {}
    for spec in specs:
        factor, equals, maker = spec.partition("=")
        if not equals or not factor or not maker:
            raise DataError(
                f"{spec!r} names no maker of a factor; write FACTOR=ANNOTATOR, as in T=parser:FOLDER,give=xpos."
            )
        if factor in makers:
            raise DataError(f"The factor {factor} has two makers.")
        makers[factor] = ANNOTATORS.make(maker)
    return makers


def compose(token_lines: Sequence[str], columns: Sequence[Sequence[Sequence[str]]]) -> list[str]:
    """Tokenised lines whose tokens carry their values of each column."""
    if not columns:
        return list(token_lines)
    return [
        " ".join(map(SEPARATOR.join, zip(line.split(), *values, strict=True)))
        for line, *values in zip(token_lines, *columns, strict=True)
    ]


@dataclass(frozen=True)
class FactorWords:
    """Words that carry factors, taken apart."""

    factors: tuple[str, ...] = (FORM,)

    def form(self, word: str) -> str:
        """The word without its other factors; the whole word where none is a form."""
        return self.value(word, FORM) if FORM in self.factors else word

    def value(self, word: str, factor: str) -> str:
        """A factor of the word; a word that carries none is its form, and has nothing else."""
        parts = word.rsplit(SEPARATOR, len(self.factors) - 1) if len(self.factors) > 1 else [word]
        if len(parts) != len(self.factors):
            return word if factor == FORM else "<unk>"
        return parts[self.factors.index(factor)]

    def part(self, word: str, factors: Sequence[str]) -> str:
        """Some factors of the word, as another word that carries these."""
        return SEPARATOR.join([self.value(word, factor) for factor in factors])

    def numbers(self, vocabulary: Vocabulary) -> dict[str, int]:
        """The first number of a word with each form."""
        numbers: dict[str, int] = {}
        for number, word in enumerate(vocabulary.words()):
            numbers.setdefault(self.form(word), number)
        return numbers


class FactorReader:
    """Gives source words the factors that phrases ask for."""

    def __init__(self, section: FactorSection, known: Vocabulary, count: Callable[[str], int]) -> None:
        """`known` are the words with factors that were met, `count` says how often one was translated."""
        self._section = section
        self._known = known
        words = FactorWords(section.read)
        best: dict[str, tuple[int, str]] = {}
        for word in known.words():
            best[words.form(word)] = max(best.get(words.form(word), (-1, word)), (count(word), word))
        self._usual = {form: word for form, (_, word) in best.items()}

    def read(self, token_lines: Sequence[str]) -> list[str]:
        """Lines of words with factors: a word that was never met with these has those of its form; else none at all."""
        whole = self._section.composed(token_lines)
        return [
            " ".join(
                [
                    word if word in self._known else self._usual.get(form, form)
                    for form, word in zip(line.split(), factored.split(" "), strict=True)
                ]
            )
            if line
            else line
            for line, factored in zip(token_lines, whole, strict=True)
        ]


def usual_values(token_lines: Sequence[str], values: Sequence[Sequence[str]]) -> dict[str, str]:
    """The value that each word has most often: a generation table's best."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for line, tags in zip(token_lines, values, strict=True):
        for word, tag in zip(line.split(), tags, strict=True):
            counts[word][tag] += 1
    return {word: max(found, key=lambda tag: (found[tag], tag)) for word, found in counts.items()}
