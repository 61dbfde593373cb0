from __future__ import annotations

import pytest

from dragoman.errors import DataError
from dragoman.human import ControlPair, control_agreement, control_pairs
from tests.human.made import rankings, screen

# Findings 2013, §3.2, sentence 504: row preferred to column by so many researchers.
NAMES = "ABCDE"
MATRIX = [[0, 0, 0, 0, 3], [5, 0, 0, 1, 5], [6, 6, 0, 0, 6], [6, 8, 5, 0, 6], [0, 0, 0, 0, 0]]


def test_the_worked_example_of_findings_2013() -> None:
    rows = [
        screen(f"r{vote}", 504, {NAMES[i]: 1, NAMES[j]: 2})
        for i in range(5)
        for j in range(5)
        for vote in range(MATRIX[i][j])
    ]
    found = control_pairs(rankings(rows))
    assert {(each.better, each.worse) for each in found} == {
        ("C", "A"),
        ("D", "A"),
        ("C", "B"),
        ("D", "B"),
        ("C", "E"),
        ("D", "E"),
    }
    assert {each.segment for each in found} == {504}
    assert {each.margin for each in found} == {6, 7}


CONTROLS = [ControlPair("fr-en", n, "B", "A", 6) for n in range(12)]


def test_who_fails_more_than_half_of_ten_is_rejected() -> None:
    rows = []
    for n in range(12):
        rows.append(screen("sound", n, {"A": 2, "B": 1, "C": 3}))
        rows.append(screen("wrong", n, {"A": 1, "B": 2, "C": 3}))
        rows.append(screen("ties", n, {"A": 1, "B": 1, "C": 3}))
        rows.append(screen("half", n, {"A": 1 + n % 2, "B": 2 - n % 2}))
    rows.append(screen("few", 1, {"A": 1, "B": 2}))
    rows.append(screen("none", 99, {"A": 1, "B": 2}))
    result = control_agreement(rankings(rows), CONTROLS)
    found = {each.annotator: each for each in result.annotators}
    assert result.rejected == ("ties", "wrong")
    assert (found["sound"].met, found["sound"].passed, found["half"].share) == (12, 12, 0.5)
    assert (found["few"].met, found["few"].is_rejected) == (1, False)
    assert (found["none"].share, found["none"].p_chance) == (None, None)
    assert found["sound"].p_chance == pytest.approx(0.5**12)
    assert found["half"].p_chance == pytest.approx(0.6128, abs=1e-4)  # six or more heads of twelve
    assert "met at least 10 of the 12 controls" in result.render()
    assert result.to_dict()["meta"]["rejected"] == ["ties", "wrong"]


def test_errors() -> None:
    with pytest.raises(DataError, match="There are no controls; a smaller margin"):
        control_agreement(rankings([screen("a", 1, {"A": 1, "B": 2})]), [])
    with pytest.raises(DataError, match="number of votes from 0 on, got -1"):
        control_pairs(rankings([screen("a", 1, {"A": 1, "B": 2})]), margin=-1)
