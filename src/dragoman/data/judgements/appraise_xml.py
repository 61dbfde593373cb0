"""Relative rankings as the XML that Appraise exported for WMT 2013 to 2016."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NoReturn

from dragoman.data import xml
from dragoman.data.judgements.base import Judgements, Value
from dragoman.data.judgements.files import JudgementFormat, language_of
from dragoman.data.judgements.ranking import NO_RANK, rank_parser, ranking_schema, screens
from dragoman.data.judgements.rows import RowCollector
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.files import StrPath, open_writer
from dragoman.options import option

__all__ = ["AppraiseRanking"]

_SEGMENT = ranking_schema(2).field("segment")


@dataclass(frozen=True)
class _Result:
    """One judge's answer to one ranking task, as the file has it."""

    line: int
    place: dict[str, Value]
    translations: list[tuple[str, str]]  # names and ranks as written


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
        for number, result in enumerate(_results(path), start=1):
            try:
                ranks = self._ranks(result)
            except DataError as error:
                collector.wrong(result.line, str(error))
                continue
            width = max(width, len(ranks))
            places = enumerate(ranks.items(), start=1)
            shown = {
                f"{name}{n}": value for n, pair in places for name, value in zip(("system", "rank"), pair, strict=True)
            }
            collector.add(result.line, {**result.place, "item": str(number), **shown})
        return collector.finish(ranking_schema(width))

    def _ranks(self, result: _Result) -> dict[str, Value]:
        parse = rank_parser("a translation")
        ranks: dict[str, Value] = {}
        for name, cell in result.translations:
            rank = parse(cell)
            for system in name.split(",") if self.split_merged else [name.replace(",", "+")]:
                if system.startswith("ref") and not self.references:
                    continue
                if system in ranks:
                    raise DataError(
                        f"the system {system!r} stands twice in one ranking task; a screen shows each system once. "
                        "Leave such tasks out with on_bad=drop."
                    )
                ranks[system] = rank
        return ranks

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


def _results(path: StrPath) -> Iterator[_Result]:
    """The results of a file, in order."""
    hit: dict[str, Value] = {}
    task = ""
    result: _Result | None = None

    def fail(message: str, line: int) -> NoReturn:
        raise FormatError(message, path=path, line=line)

    for event in xml.events(path):
        try:
            match event:
                case xml.Start("HIT", attributes, _):
                    hit = {f"{side}_lang": language_of(attributes[f"{side}-language"]) for side in ("source", "target")}
                case xml.Start("ranking-task", attributes, _):
                    task = attributes["id"]
                case xml.Start("ranking-result", attributes, line):
                    place = {"annotator": attributes["user"], "segment": _SEGMENT.parse(task), **hit}
                    result = _Result(line, place, [])
                case xml.Start("translation", attributes, _) if result is not None:
                    result.translations.append((attributes["system"], attributes["rank"]))
                case xml.End("ranking-result", _) if result is not None:
                    yield result
                    result = None
        except KeyError as error:
            tag = event.tag if isinstance(event, xml.Start) else ""
            fail(f"<{tag}> has no attribute {error}.", event.line)
        except (DataError, UnknownName) as error:
            fail(str(error), event.line)
