"""Factored engines: words with tags or lemmas, by the notation of `factor_setup`, and a language model of each factor.

A direct setup (`tF-FaT`, `tFaT-FaT`) extracts phrases of words that carry their factors (`muž￨NMS1-A`); each language
model reads its own factor of them, and the forms are the translation. In `tF-F+gF-T` phrases are of forms, each with
the tag that it has most often. Other setups of one search are assembled from the tables of their steps
(`factor_paths`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Self

from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.smt.factor_setup import FactoredSetup, FactorStep
from dragoman.text.annotate.base import ANNOTATORS, Annotator, check_needs
from dragoman.text.positional_tags import TAG_FORMS
from dragoman.text.vocabulary import Vocabulary

__all__ = ["FORM", "PLAIN", "FactorReader", "FactorSection", "FactorWords", "compose", "model_name"]

SEPARATOR = "￨"  # U+FFE8 between the factors of a word
FORM = "F"
_PLAIN = str.maketrans("<>", "()")  # so that none is <unk>, <s> or </s>
_SEARCHED = "tF-FaT, tF-F+gF-T, tL-L+tT-T+gLaT-F or tF-F:tL-F"
_TAGS = ("T", "MOT")  # the factors that `tags` makes simpler


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

    def __bool__(self) -> bool:
        return self.setup != "tF-F"

    @cached_property
    def parsed(self) -> FactoredSetup:
        """The setup, taken apart."""
        return FactoredSetup.parse(self.setup)

    @property
    def paths(self) -> tuple[tuple[FactorStep, ...], ...]:
        """The alternative paths of the search, each giving all factors."""
        return self.parsed.paths(0)

    @property
    def is_assembled(self) -> bool:
        """True if phrases are put together from the tables of several steps or paths; else one table has them."""
        first, *others = self.paths[0]
        by_forms = all(step.generates and step.reads == (FORM,) for step in others)
        return len(self.paths) > 1 or FORM not in first.gives or not by_forms

    def check(self) -> Self:
        """Return the section if an engine can search its setup and all factors have a maker."""
        super().check()
        setup = self.parsed
        if len(setup.searches) > 1:
            raise DataError(f"{setup} is a {setup.kind} setup; engines do one search: {_SEARCHED}.")
        for side, factors, makers in (
            ("source", setup.source_factors, self.source),
            ("target", setup.target_factors, self.target),
        ):
            named = _makers(makers)
            for factor in factors:
                if factor != FORM and factor not in named:
                    raise DataError(
                        f'The factor {factor} of the {side} has no maker: {side} = ["{factor}=parser:FOLDER"].'
                    )
            for factor in named:
                if factor not in factors:
                    raise DataError(
                        f"The setup {setup} has no factor {factor} of the {side}; known: {', '.join(factors)}."
                    )
        self.models  # noqa: B018 - names that no factor has are refused
        return self

    @property
    def models(self) -> tuple[str, ...]:
        """The target factors that have a language model beside that of forms."""
        factors = [factor for factor in self.parsed.target_factors if factor != FORM]
        if self.modelled in ("all", "none"):
            return tuple(factors) if self.modelled == "all" else ()
        chosen = tuple(self.modelled.split("a"))
        unknown = [factor for factor in chosen if factor not in factors]
        if unknown:
            raise DataError(
                f"The target has no factor {unknown[0]} to model; known: {', '.join(factors) or 'none'} (or all, none)."
            )
        return chosen

    @property
    def carried(self) -> tuple[str, ...]:
        """The target factors that phrases carry, forms first; forms alone where the others are those of the form."""
        gives = self.parsed.target_factors if self.is_assembled else self.paths[0][0].gives
        return (FORM, *(factor for factor in gives if factor != FORM))

    @property
    def read(self) -> tuple[str, ...]:
        """The source factors that phrases carry, forms first."""
        reads = self.parsed.source_factors
        return (FORM, *(factor for factor in reads if factor != FORM))

    def values(self, side: str, token_lines: Sequence[str], factors: Sequence[str]) -> list[list[list[str]]]:
        """By factor and line, what each token of tokenised lines has; of forms nothing is asked."""
        makers = _makers(self.source if side == "source" else self.target)
        lines = [line.split() for line in token_lines]
        return [self._annotated(factor, makers[factor], lines) for factor in factors if factor != FORM]

    def fingerprints(self) -> list[str]:
        """What the makers of all factors depend on."""
        makers = [*_makers(self.source).values(), *_makers(self.target).values()]
        check_needs(makers)
        return [each.fingerprint() or each.signature() for each in makers]

    def _annotated(self, factor: str, maker: Annotator[Any], lines: Sequence[Sequence[str]]) -> list[list[str]]:
        simpler = TAG_FORMS[self.tags if factor in _TAGS else "whole"]
        simple: dict[str, str] = {}
        for value in set(map(str, chain.from_iterable(annotation := maker.annotate(lines)))):
            tag = "+".join(map(simpler, value.split("+")))  # a token of two words has two tags: aby
            simple[value] = "_".join(tag.replace(SEPARATOR, " ").translate(_PLAIN).split()) or "_"
        return [[simple[str(value)] for value in line] for line in annotation]


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
        """The word without its other factors."""
        return self.value(word, FORM)

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
        whole = compose(token_lines, self._section.values("source", token_lines, self._section.read))
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
