"""The trouble with SMT consistency (Carpuat & Simard, WMT 2012): Tables 4 and 5 from their counts."""

from __future__ import annotations

import pytest

from dragoman.cat.corrections import Corrections, SheetRow

# Phrases, unedited, and marks of meaning, terminology and style; an edited phrase may have several.
UNLIKE = {"en-fr": (56, 20, 8, 4, 27), "fr-en": (56, 25, 10, 5, 20)}
ALIKE = {"en-fr": (100, 70, 3, 0, 27), "fr-en": (100, 79, 5, 0, 16)}
ALARMS = {"en-fr": (15, 8), "fr-en": (12, 24)}


def sheet(task: str) -> list[SheetRow]:
    """Rows with the published counts: marks are dealt to the edited phrases one after the other."""
    rows = []
    for alike, counts in ((False, UNLIKE[task]), (True, ALIKE[task])):
        n_phrases, n_unedited, *types = counts
        n_edited = n_phrases - n_unedited
        marks: list[set[str]] = [set() for _ in range(n_edited)]
        place = 0
        for name, n in zip(("meaning", "terminology", "style"), types, strict=True):
            for _ in range(n):
                marks[place % n_edited].add(name)
                place += 1
        rows += [SheetRow(alike, frozenset(each)) for each in marks] + [SheetRow(alike)] * n_unedited
    for name, n in zip(("lemma", "misaligned"), ALARMS[task], strict=True):
        rows += [SheetRow(False, frozenset({name}))] * n
    return rows


def shares(values: dict[str, float | None]) -> list[int]:
    return [int((value or 0) + 0.5) for name, value in values.items() if name.endswith("_share")]


def test_table_4_false_positives() -> None:
    both = Corrections(tuple(sheet("en-fr") + sheet("fr-en")))
    assert both.false_alarms() == {
        "sampled": 171,
        "lemma": 27,
        "lemma_share": pytest.approx(16, abs=0.5),
        "misaligned": 32,
        "misaligned_share": pytest.approx(19, abs=0.5),
        "real": 112,
    }
    for task, sampled, published in (("en-fr", 79, [19, 10]), ("fr-en", 92, [13, 26])):
        found = Corrections(tuple(sheet(task))).false_alarms()
        assert (found["sampled"], found["real"], shares(found)) == (sampled, 56, published)


@pytest.mark.parametrize(
    ("task", "alike", "published"),
    [
        ("en-fr", False, [36, 22, 11, 75]),
        ("fr-en", False, [45, 32, 16, 65]),
        ("en-fr", True, [70, 10, 0, 90]),
        ("fr-en", True, [79, 24, 0, 76]),
    ],
)
def test_table_5_correction_types(task: str, alike: bool, published: list[int]) -> None:
    assert shares(Corrections(tuple(sheet(task))).corrected(alike=alike)) == published


def test_table_5_totals() -> None:
    """Of meaning, the printed total is 16 (24 %), while its parts are 8 and 10: 18 of 67 are 27 %."""
    both = Corrections(tuple(sheet("en-fr") + sheet("fr-en")))
    assert shares(both.corrected(alike=False)) == [40, 27, 13, 70]
    assert both.corrected(alike=False)["meaning"] == 18
    assert shares(both.corrected(alike=True)) == [75, 16, 0, 84]
