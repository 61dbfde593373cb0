"""Rank ranges of 2006 (Findings of WMT 2012, §4.1): relative ranks by sentence, ranges by significant differences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.judgements import Judgements, read_judgements
from dragoman.data.judgements.scales import ADEQUACY_FLUENCY
from dragoman.errors import DataError
from dragoman.ranking import scale_ranges


def judged(screens: Sequence[Mapping[str, int]], scale: str = "adequacy", annotator: str = "ada") -> Judgements:
    """A screen after the other, each of its own segment, in the form of a file."""
    rows: list[dict[str, Any]] = []
    for segment, screen in enumerate(screens, start=1):
        for system, score in screen.items():
            own: dict[str, Any] = {field.name: None for field in ADEQUACY_FLUENCY.fields}
            own |= {"annotator": annotator, "item": f"{segment}-{system}", "segment": segment, "system": system}
            rows.append({**own, scale: score})
    return Judgements.of(ADEQUACY_FLUENCY, rows)


def ranges(judgements: Judgements, **options: float) -> dict[str, tuple[int, int]]:
    return {row.system: (row.rank_low, row.rank_high) for row in scale_ranges(judgements, **options).rows}


def test_four_at_the_top_that_cannot_be_told_apart_have_1_to_4() -> None:
    """The example of the text: neither significantly better nor worse than three others at the top."""
    top = [{"a": 5, "b": 4, "c": 5, "d": 4}, {"a": 4, "b": 5, "c": 4, "d": 5}]
    screens = [{**top[n % 2], "e": 2} for n in range(20)]
    assert ranges(judged(screens)) == {**dict.fromkeys("abcd", (1, 4)), "e": (5, 5)}


def test_relative_ranks_and_means_by_hand() -> None:
    found = scale_ranges(judged([{"a": 5, "b": 3, "c": 3}, {"a": 2, "b": 4}]))
    by_name = {row.system: row for row in found.rows}
    assert [row.system for row in found.rows] == ["b", "a", "c"]
    assert by_name["a"].relative == (1 + 0) / 2
    assert by_name["b"].relative == (0.25 + 1) / 2
    assert by_name["c"].relative == 0.25
    assert (by_name["a"].mean, by_name["a"].n) == (3.5, 2)
    assert {(row.rank_low, row.rank_high) for row in found.rows} == {(1, 3)}


def test_only_the_order_on_a_screen_counts() -> None:
    strict = [{"a": 2, "b": 1}] * 20
    lenient = [{"a": 5, "b": 3}] * 20
    assert ranges(judged(strict)) == ranges(judged(lenient)) == {"a": (1, 1), "b": (2, 2)}
    # A strict judge of one system and a lenient one of the other say nothing of the two.
    with pytest.raises(DataError, match="No annotator judged two outputs of one segment"):
        scale_ranges(judged([{"a": 1}, {"b": 5}]))


def test_six_wins_are_enough_and_five_are_not() -> None:
    """Two-sided sign test: 2/2⁵ = .0625, 2/2⁶ = .03125."""
    assert ranges(judged([{"a": 3, "b": 2}] * 5)) == {"a": (1, 2), "b": (1, 2)}
    assert ranges(judged([{"a": 3, "b": 2}] * 6)) == {"a": (1, 1), "b": (2, 2)}
    assert ranges(judged([{"a": 3, "b": 2}] * 5), alpha=0.1) == {"a": (1, 1), "b": (2, 2)}


def test_references_are_no_systems_and_other_kinds_are_refused(tmp_path: Path) -> None:
    assert set(ranges(judged([{"a": 3, "b": 2, "_ref": 5}]))) == {"a", "b"}
    path = tmp_path / "ranking.csv"
    path.write_text("srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system2Id,system1rank,system2rank\n"
                    "fr,en,1,1,ada,a,b,1,2\n")  # fmt: skip
    with pytest.raises(DataError, match="these are relative-ranking judgements"):
        scale_ranges(read_judgements(path))


def test_the_command(tmp_path: Path) -> None:
    rows = [f"ada,{n}-{s},{n},{s},{score},{6 - score}" for n in range(1, 8) for s, score in (("x", 4), ("y", 2))]
    path = tmp_path / "judged.csv"
    path.write_text("annotator,item,segment,system,adequacy,fluency\n" + "\n".join(rows) + "\n")
    done = CliRunner().invoke(group, ["rankings", "ranges", str(path), "--json"])
    assert done.exit_code == 0, done.output
    found = [(r["scale"], r["system"], r["rank_low"], r["rank_high"]) for r in json.loads(done.stdout)["rows"]]
    assert found == [("adequacy", "x", 1, 1), ("adequacy", "y", 2, 2), ("fluency", "y", 1, 1), ("fluency", "x", 2, 2)]
