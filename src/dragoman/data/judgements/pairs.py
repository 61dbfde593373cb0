"""Relative rankings as pairs: WMT's files from 2015 on, and the XML that Appraise exported.

From 2015 on identical outputs were shown once under a joint name. For a ranking each system of the joint name gets the
rank; for agreement the joint name stays (`split_merged=no`), or the same click would be counted several times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar, NoReturn

from dragoman.artifact import option
from dragoman.data import xml
from dragoman.data.judgements.base import Judgements
from dragoman.data.judgements.files import JudgementFormat, first_row, language_of, write_csv
from dragoman.data.judgements.ranking import NO_RANK, rank_parser, ranking_schema, screens
from dragoman.data.judgements.rows import RowCollector
from dragoman.data.judgements.table import TextTable
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.files import StrPath, open_writer

__all__ = ["AppraiseRanking", "PairwiseRanking"]

_HEADER = (
    "srclang", "trglang", "srcIndex", "segmentId", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank",
    "rankingID",
)  # fmt: skip
_SEGMENT = ranking_schema(2).field("segment")


@dataclass
class _Screen:
    """One ranking task while its systems are gathered."""

    line: int
    annotator: str
    source_lang: str
    target_lang: str
    segment: int
    item: str
    ranks: dict[str, int | None] = field(default_factory=dict)
    pairs: set[tuple[str, str]] = field(default_factory=set)  # as the file names the systems
    rows: list[tuple[int, dict[str, int | None]]] = field(default_factory=list)  # line, ranks of one pair

    def row(self, item: str, ranks: dict[str, int | None]) -> dict[str, str | int | None]:
        """The screen as a row with these systems."""
        places = {
            name: value
            for n, (system, rank) in enumerate(ranks.items(), start=1)
            for name, value in ((f"system{n}", system), (f"rank{n}", rank))
        }
        return {
            "annotator": self.annotator, "item": item, "source_lang": self.source_lang,
            "target_lang": self.target_lang, "segment": self.segment, **places,
        }  # fmt: skip


@dataclass(frozen=True)
class PairwiseRanking(JudgementFormat):
    """Relative rankings as WMT released them from 2015 on: a row a pair of systems, `rankingID` naming their screen.

    The pairs of a screen are put together again; where some are missing, each stands on a screen of its own. Joint
    names (`a+b`, identical outputs) are taken apart unless `split_merged` is off.
    """

    name: ClassVar[str] = "pairwise-ranking"
    kind: ClassVar[str] = "relative-ranking"
    suffixes: ClassVar[tuple[str, ...]] = (".pairwise.csv",)

    split_merged: bool = option(True, choices=(True, False), text="give every system of a joint name the rank")

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:
        """By the names of its columns."""
        names = {name.lower() for name in first_row(head, path)}
        return {"srclang", "trglang", "judgeid", "system1id", "system1rank", "rankingid"} <= names

    def read(self, path: StrPath) -> Judgements:
        """The screens, in the order in which they begin."""
        table = TextTable(path, tsv=False)
        collector = RowCollector(path, format=self.name, on_bad=self.on_bad)
        found = self._screens(table, collector)
        names = {screen.item for screen in found}
        width = 2
        for screen in found:
            # Numbers may begin anew with each pair of languages: then they name no screen by themselves.
            place = f"{screen.source_lang}-{screen.target_lang}:{screen.segment}"
            item = screen.item if len(names) == len(found) else f"{place}:{screen.item}"
            n = len({name for pair in screen.pairs for name in pair})
            if len(screen.pairs) == n * (n - 1) // 2:
                width = max(width, len(screen.ranks))
                collector.add(screen.line, screen.row(item, screen.ranks))
                continue
            for number, (line, ranks) in enumerate(screen.rows, start=1):
                width = max(width, len(ranks))
                collector.add(line, screen.row(f"{item}.{number}", ranks))
        return collector.finish(ranking_schema(width))

    def _screens(self, table: TextTable, collector: RowCollector) -> list[_Screen]:
        names = _pair_columns(table, self.on_bad)
        parse = _SEGMENT.parse
        columns = [
            table.column(names["srclang"], language_of).column(),
            table.column(names["trglang"], language_of).column(),
            table.column(names["srcIndex"], parse).column(),
            table.column(names["judgeID"], str).column(),
            table.column(names["rankingID"], str).column(),
        ]
        shown = [table.column(names[f"system{n}Id"], str).column() for n in (1, 2)]
        ranks = [table.column(names[f"system{n}rank"], rank_parser(f"system{n}")).column() for n in (1, 2)]
        problems = table.problems()
        for line, message in problems.items():
            collector.wrong(line, message)
        found: dict[tuple[object, ...], _Screen] = {}
        for line, key, pair, given in zip(
            table.lines.tolist(), zip(*columns, strict=True), zip(*shown, strict=True), zip(*ranks, strict=True),
            strict=True,
        ):  # fmt: skip
            if line in problems:
                continue
            source, target, segment, annotator, item = key
            screen = found.get(key)
            if screen is None:
                screen = _Screen(line, annotator, source, target, segment, item)
            problem = self._add(screen, line, pair, given)
            if problem:
                collector.wrong(line, problem)
            else:
                found[key] = screen
        return list(found.values())

    def _add(self, screen: _Screen, line: int, pair: tuple[str, str], ranks: tuple[int | None, int | None]) -> str:
        """Put a pair on its screen, or say why it does not belong there."""
        single: dict[str, int | None] = {}
        for name, rank in zip(pair, ranks, strict=True):
            for system in name.split("+") if self.split_merged else [name]:
                if system in single:
                    return f"the system {system!r} stands twice in one pair. Leave such pairs out with on_bad=drop."
                if screen.ranks.get(system, rank) != rank:
                    return (
                        f"the system {system!r} has rank {rank} here and {screen.ranks[system]} before in ranking "
                        f"{screen.item!r}. Leave such pairs out with on_bad=drop."
                    )
                single[system] = rank
        names = (min(pair), max(pair))
        if names in screen.pairs:
            return f"the pair {pair[0]!r}, {pair[1]!r} is there twice in ranking {screen.item!r}."
        screen.pairs.add(names)
        screen.ranks |= single
        screen.rows.append((line, single))
        return ""

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """Every pair of each screen."""
        write_csv(path, self._rows(value))

    def _rows(self, value: Judgements) -> Iterator[list[str]]:
        yield list(_HEADER)
        for row, ranked in zip(value.rows(), screens(value), strict=True):
            for system, _ in ranked:
                if self.split_merged and "+" in system:
                    raise DataError(
                        f"The system {system!r} has a + in its name, which joins names in a {self.name} file. Rename "
                        "it, or write with split_merged=no."
                    )
            place = [str(row["source_lang"]), str(row["target_lang"]), str(row["segment"]), str(row["segment"])]
            for (first, rank), (second, other) in combinations(ranked, 2):
                ranks = [NO_RANK if each is None else str(each) for each in (rank, other)]
                yield [*place, str(row["annotator"]), first, ranks[0], second, ranks[1], str(row["item"])]

    def loses(self, value: Judgements) -> list[str]:
        """Documents, and screens with fewer than two systems."""
        return _lost(value)


def _pair_columns(table: TextTable, on_bad: str) -> dict[str, str]:
    spelt = {name.lower(): name for name in table.header}
    names = {name: spelt[name.lower()] for name in _HEADER if name.lower() in spelt}
    if "srcIndex" not in names and "segmentId" in names:
        names["srcIndex"] = names["segmentId"]
    absent = [name for name in _HEADER if name not in names and name != "segmentId"]
    if absent:
        raise FormatError(f"this is no table of ranked pairs: it lacks {', '.join(absent)}.", path=table.path, line=1)
    strange = [name for name in table.header if name not in names.values()]
    if strange and on_bad == "error":
        raise FormatError(
            f"a table of ranked pairs has no column {', '.join(strange)}. Take it out, or drop what is wrong "
            "(on_bad=drop).",
            path=table.path,
            line=1,
        )
    return names


def _lost(value: Judgements) -> list[str]:
    lost = [name for name in ("doc", "doc_segment") if any(each is not None for each in value[name])]
    return lost + (["small screens"] if any(len(ranked) < 2 for ranked in screens(value)) else [])


@dataclass(frozen=True)
class AppraiseRanking(JudgementFormat):
    """Relative rankings as the XML that Appraise exported for WMT: HITs of ranking tasks with a result a judge.

    Joint names (`a,b`, identical outputs) are taken apart unless `split_merged` is off. Outputs whose name begins with
    `ref` are references; they are left out, as in WMT's own conversion, unless `references` is on. Times are not kept.
    """

    name: ClassVar[str] = "appraise-ranking"
    kind: ClassVar[str] = "relative-ranking"
    suffixes: ClassVar[tuple[str, ...]] = (".ranking.xml",)

    split_merged: bool = option(True, choices=(True, False), text="give every system of a joint name the rank")
    references: bool = option(False, choices=(True, False), text="keep ranked references")

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:  # noqa: ARG003 - the contract
        """By its first elements."""
        return bool(re.search(r"<HIT\s[^>]*source-language=", head)) and "<ranking-task" in head

    def read(self, path: StrPath) -> Judgements:
        """A row a result, numbered."""
        collector = RowCollector(path, format=self.name, on_bad=self.on_bad)
        width = 2
        for number, (line, screen, translations) in enumerate(_results(path), start=1):
            screen.item = str(number)
            problem = self._rank(screen, translations)
            if problem:
                collector.wrong(line, problem)
                continue
            width = max(width, len(screen.ranks))
            collector.add(line, screen.row(screen.item, screen.ranks))
        return collector.finish(ranking_schema(width))

    def _rank(self, screen: _Screen, translations: list[tuple[str, str]]) -> str:
        parse = rank_parser("a translation")
        for name, cell in translations:
            systems = name.split(",") if self.split_merged else [name.replace(",", "+")]
            try:
                rank = parse(cell)
            except DataError as error:
                return str(error)
            for system in systems:
                if system.startswith("ref") and not self.references:
                    continue
                if system in screen.ranks:
                    return (
                        f"the system {system!r} stands twice in one ranking task; a screen shows each system once. "
                        "Leave such tasks out with on_bad=drop."
                    )
                screen.ranks[system] = rank  # type: ignore[assignment]
        return ""

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """A HIT a screen."""
        with open_writer(path) as stream:
            stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<results>\n')
            for row, ranked in zip(value.rows(), screens(value), strict=True):
                source, target = (xml.attribute(str(row[f"{side}_lang"])) for side in ("source", "target"))
                stream.write(f'<HIT hit-id={xml.attribute(str(row["item"]))} block-id="-1"')
                stream.write(f" source-language={source} target-language={target}>\n")
                stream.write(f'  <ranking-task id="{row["segment"]}">\n')
                stream.write(f"    <ranking-result user={xml.attribute(str(row['annotator']))}>\n")
                for system, rank in ranked:
                    self._check_name(system)
                    shown = NO_RANK if rank is None else rank
                    stream.write(f'      <translation system={xml.attribute(system)} rank="{shown}"/>\n')
                stream.write("    </ranking-result>\n  </ranking-task>\n</HIT>\n")
            stream.write("</results>\n")

    def _check_name(self, system: str) -> None:
        if self.split_merged and "," in system:
            raise DataError(f"The system {system!r} has a comma in its name, which joins names in Appraise's files.")
        if system.startswith("ref") and not self.references:
            raise DataError(f"The system {system!r} would be read as a reference. Rename it, or write references=yes.")

    def loses(self, value: Judgements) -> list[str]:
        """Documents, and items that are not the number of their row."""
        lost = [name for name in ("doc", "doc_segment") if any(each is not None for each in value[name])]
        return lost + ([] if value["item"] == tuple(str(n) for n in range(1, len(value) + 1)) else ["item"])


def _results(path: StrPath) -> Iterator[tuple[int, _Screen, list[tuple[str, str]]]]:
    """The results of an Appraise file: the line, the screen without systems, and names with ranks as written."""
    hit: dict[str, str] = {}
    task = ""
    screen: _Screen | None = None
    translations: list[tuple[str, str]] = []
    parse = _SEGMENT.parse

    def fail(message: str, line: int) -> NoReturn:
        raise FormatError(message, path=path, line=line)

    for event in xml.events(path):
        try:
            match event:
                case xml.Start("HIT", attributes, _):
                    hit = {key: language_of(attributes[f"{key}-language"]) for key in ("source", "target")}
                case xml.Start("ranking-task", attributes, _):
                    task = attributes["id"]
                case xml.Start("ranking-result", attributes, line):
                    segment = parse(task)
                    screen = _Screen(line, attributes["user"], hit["source"], hit["target"], segment, "")  # type: ignore[arg-type]
                    translations = []
                case xml.Start("translation", attributes, _) if screen is not None:
                    translations.append((attributes["system"], attributes["rank"]))
                case xml.End("ranking-result", _) if screen is not None:
                    yield screen.line, screen, translations
                    screen = None
        except KeyError as error:
            tag = event.tag if isinstance(event, xml.Start) else ""
            fail(f"<{tag}> has no attribute {error}.", event.line)
        except (DataError, UnknownName) as error:
            fail(str(error), event.line)
