"""What stands in a rule table: how many rules of which kind and label, and those of some source sides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from dragoman.errors import FormatError
from dragoman.files import StrPath, iter_lines
from dragoman.report import Column, Result, Table
from dragoman.smt.grammar.formats import MosesRules
from dragoman.smt.grammar.rules import Gap, Rule, escaped
from dragoman.smt.grammar.table import RuleTable

__all__ = ["RuleInspection", "TableInspection", "inspect_rules"]

_SHOWN = 20  # labels; the others are counted together
_BRACKETS = re.compile(r"\[.*\]")
_PLACE = "[]"  # what stands for any gap where source sides are compared


@dataclass(frozen=True)
class TableInspection(Result):
    """How many rules a table has, by kind and by label."""

    kind: ClassVar[str] = "rule table"

    path: str
    n_rules: int
    n_sources: int  # different source sides
    n_bytes: int  # of the file
    n_scores: int
    kinds: Mapping[str, int]  # rules by their number of gaps and the order of these
    labels: Mapping[str, int]  # rules by what they are called, source and target

    def tables(self) -> list[Table]:
        """Sizes, kinds, the most frequent labels."""
        labels = Counter(self.labels).most_common()
        shown = [(name, count) for name, count in labels[:_SHOWN]]
        rest = sum(count for _, count in labels[_SHOWN:])
        note = f"{len(labels) - _SHOWN} further labels have {rest} rules." if rest else ""
        return [
            Table.of(
                self.path,
                ["rules", "source sides", "scores", "bytes"],
                [(self.n_rules, self.n_sources, self.n_scores, self.n_bytes)],
            ),
            Table.of("Kinds", ["kind", "rules"], list(self.kinds.items())),
            Table.of("Labels", ["label", "rules"], shown, note=note),
        ]

    def meta(self) -> dict[str, Any]:
        """All of it."""
        return {
            "path": self.path,
            "n_rules": self.n_rules,
            "n_sources": self.n_sources,
            "n_scores": self.n_scores,
            "n_bytes": self.n_bytes,
            "kinds": dict(self.kinds),
            "labels": dict(self.labels),
        }


@dataclass(frozen=True)
class RuleInspection(Result):
    """The rules of some source sides, the most probable of each first."""

    kind: ClassVar[str] = "rules of a table"

    path: str
    rules: tuple[Rule, ...]
    missing: tuple[str, ...]  # source sides without a rule

    def tables(self) -> list[Table]:
        """A row for each rule."""
        names = ("p_source", "lex_source", "p_target", "lex_target")
        columns: list[str | Column] = [
            Column("source", is_text=True),
            Column("target", is_text=True),
            "label",
            *(Column(name, digits=4) for name in names),
            "count",
        ]
        rows = [
            (
                _numbered(each.source),
                _numbered(each.target),
                _joined(each.labels),
                *(*each.scores, *[None] * 4)[:4],
                each.counts[-1] if each.counts else None,
            )
            for each in self.rules
        ]
        note = f"No rule: {', '.join(self.missing)}." if self.missing else ""
        return [Table.of(f"Rules of {self.path}", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """The file, and the source sides it lacks."""
        return {"path": self.path, "missing": list(self.missing)}


def inspect_rules(path: StrPath, sources: Sequence[str] = (), *, most: int = 20) -> TableInspection | RuleInspection:
    """What a table has, packed or in Moses' format; with source sides, their rules (`der [X] bellt`, any label)."""
    if Path(path).is_dir():
        return _packed_rules(path, sources, most) if sources else _packed_table(path)
    return _rules_of(path, sources, most) if sources else _table(path)


def _rules_of(path: StrPath, sources: Sequence[str], most: int) -> RuleInspection:
    """The rules whose source sides have these words, and gaps at these places."""
    form = MosesRules()
    wanted: dict[str, list[Rule]] = {_pattern(each): [] for each in sources}
    for number, line in enumerate(iter_lines(path), start=1):
        side = line.partition(" ||| ")[0]
        pattern = " ".join(_PLACE if _is_gap(each) else each for each in side.split()[:-1])
        if pattern in wanted:
            try:
                wanted[pattern].append(form.rule(line))
            except ValueError as error:
                raise FormatError(str(error), path=path, line=number) from None
    rules = [sorted(each, key=_probability, reverse=True)[:most] for each in wanted.values()]
    missing = tuple(each for each in sources if not wanted[_pattern(each)])
    return RuleInspection(str(path), tuple(rule for each in rules for rule in each), missing)


def _table(path: StrPath) -> TableInspection:
    """Lines are looked at, not read whole: a table has millions."""
    kinds: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    n_rules = n_sources = n_scores = 0
    last = None
    for number, line in enumerate(iter_lines(path), start=1):
        fields = line.split(" ||| ")
        if len(fields) < 3:
            raise FormatError(
                f"the line has {len(fields)} fields between '|||'; a rule has 3 to 6.", path=path, line=number
            )
        source, target = fields[0], fields[1]
        if source != last:
            n_sources += 1
            last = source
        n_rules += 1
        n_scores = n_scores or len(fields[2].split())
        kinds[_kind(source, fields[3] if len(fields) > 3 else "")] += 1
        labels[_joined((source.rpartition(" ")[2][1:-1], target.rpartition(" ")[2][1:-1]))] += 1
    return TableInspection(
        str(path), n_rules, n_sources, Path(path).stat().st_size, n_scores, dict(sorted(kinds.items())), dict(labels)
    )


def _packed_rules(path: StrPath, sources: Sequence[str], most: int) -> RuleInspection:
    table = RuleTable.load(path)
    rules, missing = [], []
    for source in sources:
        found = table.matching([None if _BRACKETS.fullmatch(each) else each for each in source.split()])
        rules += sorted(found, key=_probability, reverse=True)[:most]
        if not found:
            missing.append(source)
    return RuleInspection(str(path), tuple(rules), tuple(missing))


def _packed_table(path: StrPath) -> TableInspection:
    table = RuleTable.load(path)
    kinds: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    for n_gaps, monotone, label, count in table.core.kinds():
        kinds[_kind_of(n_gaps, monotone=monotone)] += count
        labels[_joined(table.labels[label])] += count
    n_bytes = sum(file.stat().st_size for file in Path(path).iterdir())
    return TableInspection(
        str(path), len(table), table.n_sources, n_bytes, table.core.n_scores, dict(sorted(kinds.items())), dict(labels)
    )


def _kind_of(n_gaps: int, *, monotone: bool) -> str:
    if n_gaps < 2:
        return "1 gap" if n_gaps else "lexical"
    return f"{n_gaps} gaps, " + ("monotone" if monotone else "reordered")


def _kind(source: str, links: str) -> str:
    """How many gaps, and whether the target has them in the same order."""
    if "][" not in source:
        return "lexical"
    symbols = source.split()
    gaps = [place for place, each in enumerate(symbols) if _is_gap(each)]
    target = {int(s): int(t) for s, t in re.findall(r"(?<!\S)([0-9]{1,4})-([0-9]{1,4})(?!\S)", links)}
    order = [target.get(place, -1) for place in gaps]
    return _kind_of(len(gaps), monotone=order == sorted(order))


def _is_gap(symbol: str) -> bool:
    return symbol.startswith("[") and symbol.endswith("]") and "][" in symbol


def _pattern(source: str) -> str:
    """A source side that somebody asks for, each gap alike."""
    symbols = source.split()
    return " ".join(_PLACE if _BRACKETS.fullmatch(each) else escaped(each) for each in symbols)


def _probability(rule: Rule) -> float:
    return rule.scores[2] if len(rule.scores) > 2 else 0.0


def _joined(labels: tuple[str, str]) -> str:
    return labels[0] if labels[0] == labels[1] else f"{labels[0]} {labels[1]}"


def _numbered(side: Sequence[str | Gap]) -> str:
    """A side as people read it: gaps by number and label."""
    return " ".join(f"[{_joined(each.labels)},{each.number + 1}]" if isinstance(each, Gap) else each for each in side)
