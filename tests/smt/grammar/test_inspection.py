"""What a rule table has, by kind and label, and the rules of a source side."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import FormatError
from dragoman.smt.grammar import inspect_rules
from dragoman.smt.grammar.inspection import RuleInspection, TableInspection

TABLE = """\
[X][X] a [X][X] [X] ||| [X][X] x [X][X] [X] ||| .5 1 .25 1 ||| 0-0 1-1 2-2 ||| 2 4 1
[X][X] a [X][X] [X] ||| [X][X] x [X][X] [X] ||| .5 1 .75 1 ||| 0-2 1-1 2-0 ||| 2 4 3
a [X] ||| x [NP] ||| 1 1 1 1 ||| 0-0 ||| 1 1 1
a [X][X] [X] ||| x [X][X] [X] ||| 1 1 1 1 ||| 0-0 1-1 ||| 1 1 1
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "rules"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_rules_are_counted_by_kind_and_label(table: Path) -> None:
    found = inspect_rules(table)
    assert isinstance(found, TableInspection)
    assert (found.n_rules, found.n_sources, found.n_scores, found.n_bytes) == (4, 3, 4, len(TABLE))
    assert found.kinds == {"1 gap": 1, "2 gaps, monotone": 1, "2 gaps, reordered": 1, "lexical": 1}
    assert found.labels == {"X": 3, "X NP": 1}


def test_the_most_probable_rules_of_a_source_side_come_first(table: Path) -> None:
    found = inspect_rules(table, ["[X] a [X]", "b"], most=1)
    assert isinstance(found, RuleInspection)
    [rule] = found.rules
    assert rule.scores[2] == 0.75
    assert found.missing == ("b",)
    [shown] = found.tables()
    assert shown.rows[0][:3] == ("[X,1] a [X,2]", "[X,2] x [X,1]", "X")
    assert "No rule: b." in shown.note


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rules"
    path.write_text(TABLE + "a [X]\n", encoding="utf-8")
    with pytest.raises(FormatError, match="rules:5: the line has 1 fields"):
        inspect_rules(path)
