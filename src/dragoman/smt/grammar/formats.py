"""Rule tables as text: Moses' format and that of Thrax and Joshua, in and out without loss.

Moses (probabilities; gaps are linked by the alignment):

    der [X][X] bellt [X] ||| the [X][X] barks [X] ||| 0.5 0.4 0.25 0.3 ||| 0-0 1-1 2-2 ||| 2 4 1

Thrax (negative natural logarithms of what is called a probability; gaps are numbered):

    [X] ||| der [X,1] bellt ||| the [X,1] barks ||| p(f|e)=0.69 Lex(f|e)=0.92 … ||| 0-0 2-2

A label that differs between the sides is `[X^NP]` in Thrax' format. Names that Moses has no column for stand in its
field of sparse features, in pairs of name and value.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, open_writer
from dragoman.report import Result, Table
from dragoman.smt.grammar.rules import Gap, Labels, Rule, Side, escaped, unescaped

__all__ = ["RULE_FORMATS", "ConvertedRules", "MosesRules", "RuleFormat", "ThraxRules", "convert_rules"]

_FIELDS = re.compile(r"(?<!\S)\|\|\|(?!\S)")
_LEAST = 3  # fields of a rule in Moses' format, of which the last, the scores, may be empty
_DIGITS = 12  # of a probability that was a logarithm in between: more than a float has, fewer than rounding touches
_HIGHEST = 700.0  # of a logarithm, which is a number that a double holds


class RuleFormat(ABC):
    """A way to write a rule as a line of text."""

    name: ClassVar[str]

    @abstractmethod
    def rule(self, line: str) -> Rule:
        """The rule of a line; raises `DataError` that says what is wrong with it."""

    @abstractmethod
    def line(self, rule: Rule) -> str:
        """The line of a rule, without its end."""

    def read(self, path: StrPath) -> Iterator[Rule]:
        """The rules of a file, one after the other; a line that is none raises with file and line."""
        for number, line in enumerate(iter_lines(path), start=1):
            try:
                yield self.rule(line)
            except FormatError:
                raise
            except DataError as error:
                raise FormatError(str(error), path=path, line=number) from None

    def write(self, rules: Iterable[Rule], path: StrPath) -> int:
        """Write rules to a file; returns how many."""
        n = 0
        with open_writer(path) as stream:
            for n, rule in enumerate(rules, start=1):  # noqa: B007
                stream.write(self.line(rule) + "\n")
        return n


class MosesRules(RuleFormat):
    """The rule tables of Moses and of this house."""

    name: ClassVar[str] = "moses"
    _GAP: ClassVar[re.Pattern[str]] = re.compile(r"\[([^\[\]\s]+)\]\[([^\[\]\s]+)\]")
    _WHOLE: ClassVar[re.Pattern[str]] = re.compile(r"\[([^\[\]\s]+)\]")

    def rule(self, line: str) -> Rule:
        """The rule of a line of three to six fields."""
        fields = _fields(line, _LEAST, 6)
        sides = [field.split() for field in fields[:2]]
        labels = (self._whole(sides[0], "source"), self._whole(sides[1], "target"))
        links = _links(fields[3] if len(fields) > 3 else "", len(sides[0]), len(sides[1]))
        gaps = [{place: _labels(match) for place, match in self._gaps(side)} for side in sides]
        partners = self._partners(gaps, links)
        source, target = self._side(sides[0], gaps[0]), self._linked_side(sides[1], gaps[1], partners)
        return Rule(
            source,
            target,
            labels,
            tuple(_number(each, "score", low=0) for each in fields[2].split()),
            tuple(link for link in links if link[0] not in gaps[0]),
            tuple(_number(each, "count", low=0) for each in fields[4].split()) if len(fields) > 4 else (),
            _sparse(fields[5]) if len(fields) > 5 else (),
        )

    def line(self, rule: Rule) -> str:
        """The fields of a rule; the last ones are left out where they are empty."""
        links = " ".join(f"{s}-{t}" for s, t in sorted((*rule.links, *rule.gaps)))
        fields = [
            f"{self._text(rule.source)} [{rule.labels[0]}]",
            f"{self._text(rule.target)} [{rule.labels[1]}]",
            " ".join(map(_shown, rule.scores)),
            links,
            " ".join(map(_shown, rule.counts)),
            " ".join(f"{name} {_shown(value)}" for name, value in rule.named),
        ]
        while len(fields) > _LEAST and not fields[-1]:
            fields.pop()
        return " ||| ".join(fields).rstrip()

    @staticmethod
    def _text(side: Side) -> str:
        return " ".join(
            f"[{each.labels[0]}][{each.labels[1]}]" if isinstance(each, Gap) else escaped(each) for each in side
        )

    def _whole(self, symbols: list[str], side: str) -> str:
        """Take the label of the whole off a side."""
        match = self._WHOLE.fullmatch(symbols[-1]) if symbols else None
        if match is None or len(symbols) == 1:
            found = " ".join(symbols)
            raise DataError(f"the {side} side is {found!r}; expected words and gaps, and a label as [X] behind them.")
        symbols.pop()
        return match[1]

    def _gaps(self, side: Sequence[str]) -> Iterator[tuple[int, re.Match[str]]]:
        for place, symbol in enumerate(side):
            if symbol.startswith("[") and symbol.endswith("]") and len(symbol) > 1:
                match = self._GAP.fullmatch(symbol)
                if match is None:
                    raise DataError(f"{symbol!r} is no gap; one has the labels of both sides, as [X][X].")
                yield place, match

    @staticmethod
    def _partners(gaps: Sequence[dict[int, Labels]], links: Sequence[tuple[int, int]]) -> dict[int, int]:
        """The number of the source's gap by the place of the target's."""
        numbers = {place: number for number, place in enumerate(sorted(gaps[0]))}
        partners: dict[int, int] = {}
        for s, t in links:
            if (s in gaps[0]) != (t in gaps[1]):
                raise DataError(f"the link {s}-{t} joins a word and a gap.")
            if s in gaps[0]:
                if t in partners or numbers[s] in partners.values() or gaps[0][s] != gaps[1][t]:
                    raise DataError(f"the gaps of the link {s}-{t} have other labels, or one of them a second link.")
                partners[t] = numbers[s]
        if not len(partners) == len(gaps[0]) == len(gaps[1]):
            raise DataError(
                f"{len(gaps[0])} gaps in the source, {len(gaps[1])} in the target and {len(partners)} links between "
                "them; expected one link for each pair of gaps in the alignment."
            )
        return partners

    @staticmethod
    def _side(symbols: Sequence[str], gaps: dict[int, Labels]) -> Side:
        numbers = {place: number for number, place in enumerate(sorted(gaps))}
        return tuple(Gap(numbers[i], gaps[i]) if i in gaps else unescaped(each) for i, each in enumerate(symbols))

    @staticmethod
    def _linked_side(symbols: Sequence[str], gaps: dict[int, Labels], partners: dict[int, int]) -> Side:
        return tuple(Gap(partners[i], gaps[i]) if i in gaps else unescaped(each) for i, each in enumerate(symbols))


class ThraxRules(RuleFormat):
    """The grammars of Thrax and Joshua."""

    name: ClassVar[str] = "thrax"
    # In the order of Moses' columns: f is the source, e the target.
    SCORES: ClassVar[tuple[str, ...]] = ("p(f|e)", "Lex(f|e)", "p(e|f)", "Lex(e|f)")
    COUNTS: ClassVar[tuple[str, ...]] = ("Count(e)", "Count(f)", "Count(f,e)")
    _GAP: ClassVar[re.Pattern[str]] = re.compile(r"\[([^\[\]\s]+),([0-9]{1,3})\]")
    _WHOLE: ClassVar[re.Pattern[str]] = re.compile(r"\[([^\[\]\s]+)\]")
    _SCORE: ClassVar[re.Pattern[str]] = re.compile(r"Score([0-9]{1,3})")

    def rule(self, line: str) -> Rule:
        """The rule of a line of four or five fields: label, source, target, features, alignment."""
        fields = _fields(line, 4, 5)
        whole = self._WHOLE.fullmatch(fields[0])
        if whole is None:
            raise DataError(f"the label is {fields[0]!r}; expected one as [X].")
        numbers: dict[int, Gap] = {}
        source = self._side(fields[1], numbers, "source")
        target = self._side(fields[2], dict(numbers), "target")
        scores, counts, named = self._features(fields[3])
        links = _links(fields[4] if len(fields) > 4 else "", len(source), len(target))
        words = tuple(link for link in links if not isinstance(source[link[0]], Gap))
        return Rule(source, target, _both(whole[1]), scores, words, counts, named)

    def line(self, rule: Rule) -> str:
        """The fields of a rule; the alignment is left out if no words are linked."""
        names = [self.SCORES[i] if i < 4 else f"Score{i + 1}" for i in range(len(rule.scores))]
        features = [f"{name}={_shown(_cost(score))}" for name, score in zip(names, rule.scores, strict=True)]
        features += [f"{name}={_shown(count)}" for name, count in zip(self.COUNTS, rule.counts, strict=False)]
        features += [f"{name}={_shown(value)}" for name, value in rule.named]
        fields = [
            f"[{_one(rule.labels)}]",
            self._text(rule.source),
            self._text(rule.target),
            " ".join(features),
            " ".join(f"{s}-{t}" for s, t in rule.links),
        ]
        return " ||| ".join(fields if fields[-1] else fields[:-1])

    @staticmethod
    def _text(side: Side) -> str:
        return " ".join(
            f"[{_one(each.labels)},{each.number + 1}]" if isinstance(each, Gap) else escaped(each) for each in side
        )

    def _side(self, text: str, numbers: dict[int, Gap], side: str) -> Side:
        """The symbols of a side; new gaps of the source enter `numbers`, those of the target must be there."""
        symbols: list[str | Gap] = []
        for symbol in text.split():
            if not (symbol.startswith("[") and symbol.endswith("]") and len(symbol) > 1):
                symbols.append(unescaped(symbol))
                continue
            match = self._GAP.fullmatch(symbol)
            if match is None:
                raise DataError(f"{symbol!r} is no gap; one has a label and a number, as [X,1].")
            index, labels = int(match[2]), _both(match[1])
            if side == "source" and index not in numbers:
                numbers[index] = Gap(len(numbers), labels)
            elif side == "source" or index not in numbers or numbers[index].labels != labels:
                raise DataError(f"the gap {symbol} of the {side} side stands there twice, or has no like in the other.")
            gap = numbers[index] if side == "source" else numbers.pop(index)
            symbols.append(gap)
        if not symbols:
            raise DataError(f"the {side} side is empty.")
        if side == "target" and numbers:
            raise DataError(f"{len(numbers)} gaps of the source side are missing in the target side.")
        return tuple(symbols)

    def _features(self, text: str) -> tuple[tuple[float, ...], tuple[float, ...], tuple[tuple[str, float], ...]]:
        """Scores and counts in their columns, and the others by name; numbers without names are scores in order."""
        scores: dict[int, float] = {}
        counts: dict[int, float] = {}
        named = []
        for place, feature in enumerate(text.split()):
            name, equals, value = feature.rpartition("=")
            number = _number(value, f"feature {name or place + 1}")
            column = place if not equals else self._column(name)
            if column is not None:
                scores[column] = _probability(number)
            elif name in self.COUNTS:
                counts[self.COUNTS.index(name)] = number
            else:
                named.append((name, number))
        for columns, what in ((scores, "scores"), (counts, "counts")):
            if sorted(columns) != list(range(len(columns))):
                raise DataError(
                    f"some of the {what} are missing: {text!r}. Expected {', '.join(self.SCORES)}, or none."
                )
        return (
            tuple(scores[i] for i in range(len(scores))),
            tuple(counts[i] for i in range(len(counts))),
            tuple(named),
        )

    def _column(self, name: str) -> int | None:
        if name in self.SCORES:
            return self.SCORES.index(name)
        match = self._SCORE.fullmatch(name)
        return int(match[1]) - 1 if match else None


RULE_FORMATS: dict[str, type[RuleFormat]] = {each.name: each for each in (MosesRules, ThraxRules)}


@dataclass(frozen=True)
class ConvertedRules(Result):
    """A rule table in another format."""

    kind: ClassVar[str] = "converted rules"

    path: str
    format: str
    n_rules: int

    def tables(self) -> list[Table]:
        """One row."""
        return [Table.of("", ["table", "format", "rules"], [(self.path, self.format, self.n_rules)])]

    def meta(self) -> dict[str, Any]:
        """The file and its format."""
        return {"path": self.path, "format": self.format}


def convert_rules(path: StrPath, output: StrPath, *, source: str, target: str) -> ConvertedRules:
    """Write the rules of a file in one format to another file in another."""
    n_rules = RULE_FORMATS[target]().write(RULE_FORMATS[source]().read(path), output)
    return ConvertedRules(str(output), target, n_rules)


def _fields(line: str, low: int, high: int) -> list[str]:
    fields = [field.strip() for field in _FIELDS.split(line)]
    while len(fields) > low and not fields[-1]:
        fields.pop()
    if not low <= len(fields) <= high:
        raise DataError(f"the line has {len(fields)} fields between '|||'; a rule has {low} to {high}.")
    return fields


def _number(text: str, what: str, *, low: float = -math.inf) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value >= low:  # nor is NaN
        wanted = "a number" if math.isinf(low) else f"a number from {low:g} on"
        raise DataError(f"the {what} is {text[:40]!r}; expected {wanted}.")
    return value


def _links(text: str, n_source: int, n_target: int) -> list[tuple[int, int]]:
    links = set()
    for each in text.split():
        match = re.fullmatch(r"([0-9]{1,4})-([0-9]{1,4})", each)
        if match is None:
            raise DataError(f"{each!r} is no link; one is 0-1, source and target.")
        link = int(match[1]), int(match[2])
        if link[0] >= n_source or link[1] >= n_target:
            raise DataError(f"the link {each} lies outside of a rule with {n_source} and {n_target} symbols.")
        links.add(link)
    return sorted(links)


def _sparse(text: str) -> tuple[tuple[str, float], ...]:
    names, values = text.split()[::2], text.split()[1::2]
    if len(names) != len(values):
        raise DataError(f"sparse features come in pairs of name and value, got {text!r}.")
    return tuple((name, _number(value, f"feature {name}")) for name, value in zip(names, values, strict=True))


def _labels(match: re.Match[str]) -> Labels:
    return match[1], match[2]


def _both(label: str) -> Labels:
    """The labels of the two sides that one stands for."""
    source, mark, target = label.partition("^")
    return (source, target) if mark and source and target else (label, label)


def _one(labels: Labels) -> str:
    """One label for those of two sides."""
    if any("^" in label for label in labels) and labels[0] != labels[1]:
        raise DataError(f"the labels {labels[0]} and {labels[1]} cannot be made one: '^' would stand between them.")
    return labels[0] if labels[0] == labels[1] else f"{labels[0]}^{labels[1]}"


def _shown(number: float) -> str:
    """A number in as few digits as say which it is; whole ones without a point."""
    return str(int(number)) if math.isfinite(number) and number.is_integer() and abs(number) < 1e15 else repr(number)


def _cost(probability: float) -> float:
    return -math.log(probability) + 0.0 if probability > 0 else math.inf


def _probability(cost: float) -> float:
    if cost < -_HIGHEST:
        raise DataError(f"the score {cost:g} is no logarithm of a probability.")
    return float(f"{math.exp(-cost):.{_DIGITS}g}")
