"""Error spans: what may be marked, what becomes of it, what it costs."""

from __future__ import annotations

from typing import Any

import pytest

from dragoman.data import TestSet
from dragoman.data.judgements import Judgements
from dragoman.data.judgements.spans import ERROR_SPANS
from dragoman.errors import DataError
from dragoman.human.analysing import analyse
from dragoman.human.error_spans import analyse_spans, penalty
from dragoman.human.protocol import Assignment, Item, Task
from dragoman.human.protocols.spans import Esa, Mqm

SET = TestSet(
    srcs=["Der Hund bellt laut .", "Ja ."],
    refs={"A": ["The dog barks loudly .", "Yes ."]},
    systems={"one": ["The dog barks .", "Yes ."], "two": ["The hound screams .", "Ja ."]},
    source_lang="de",
    target_lang="en",
)


def item_of_one(protocol: Esa | Mqm) -> Item:
    tasks = protocol.tasks(SET, seed=1)
    return next(item for task in tasks for item in task.items if item.content == ("one", 1) and item.type == "TGT")


PLAIN: dict[str, Any] = {"repeats": 0, "degraded": 0}
MARKED = {"start": 4, "end": 7, "source_start": 4, "source_end": 8, "severity": "minor"}
LEFT_OUT = {"is_omission": True, "source_start": 15, "source_end": 19, "severity": "major"}


def test_linked_spans_and_omissions_become_rows() -> None:
    protocol = Esa(**PLAIN)
    item = item_of_one(protocol)
    assert item.shown == {"source": "Der Hund bellt laut .", "text": "The dog barks ."}
    answer = {"spans": [MARKED, LEFT_OUT], "score": 70, "seconds": 30}
    first, second = protocol.record(Assignment("ada", Task("t", (item,))), item, answer)
    assert (first["item"], second["item"]) == (f"{item.id}.1", f"{item.id}.2")
    assert str(first["target"])[4:7] == "dog"
    assert str(first["source"])[4:8] == "Hund"
    assert (second["is_omission"], second["start"], second["severity"]) == (True, None, "major")
    assert str(second["source"])[15:19] == "laut"
    assert first["score"] == second["score"] == 70.0
    [none] = protocol.record(Assignment("ada", Task("t", (item,))), item, {"spans": [], "score": 100})
    assert (none["item"], none["severity"]) == (item.id, None)


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ({"start": 4, "end": 99}, "has the end 99; expected a whole number from 0 to 15 (spans, number 1)."),
        ({"start": 4, "end": 4}, "has start 4, not before end, 4 (spans, number 1)."),
        ({"start": 4}, "has start 4 and end None; a span has both (spans, number 1)."),
        ({}, "marks no place of the output or the source, and no omission (spans, number 1)."),
        ({"start": 0, "end": 1, "is_omission": True}, "marks an omission at a place of the output; what is left out"),
        ({"start": 0, "end": 1, "is_omission": 1}, "has the is_omission 1; expected true or false (spans, number 1)."),
        ({"start": 0, "end": 1, "severity": "grave"}, "has the severity 'grave'; expected minor, major (spans"),
        ({"start": 0, "end": 1, "category": "style"}, "has a category, but none is asked for (spans, number 1)."),
        ({"start": 0, "end": 1, "note": "x"}, "has note; expected start, end, source_start"),
    ],
)
def test_wrong_spans_are_named(span: dict[str, Any], message: str) -> None:
    protocol = Esa(**PLAIN)
    item = item_of_one(protocol)
    with pytest.raises(DataError) as found:
        protocol.check(item, {"spans": [{"severity": "minor"} | span], "score": 1})
    assert str(found.value).startswith(f"The answer to item {item.id} {message}")


@pytest.mark.parametrize(
    ("options", "span", "message"),
    [
        ({"source_spans": False}, MARKED, "marks the source, which is not asked for"),
        ({"omissions": False}, LEFT_OUT, "marks an omission, which is not asked for"),
        ({"categories": {"style": []}}, MARKED, "has no category; expected style"),
    ],
)
def test_what_is_not_asked_for_is_refused(options: dict[str, Any], span: dict[str, Any], message: str) -> None:
    protocol = Mqm(**({"categories": {}} | PLAIN | options))
    with pytest.raises(DataError, match=message):
        protocol.check(item_of_one(protocol), {"spans": [span]})


def test_too_many_spans_and_missing_scores_are_refused() -> None:
    protocol = Esa(max_spans=1, **PLAIN)
    item = item_of_one(protocol)
    with pytest.raises(DataError, match=r"has 2 spans; expected at most 1\.$"):
        protocol.check(item, {"spans": [MARKED, LEFT_OUT], "score": 1})
    with pytest.raises(DataError, match=r"has no score; expected a number from 0 to 100\.$"):
        protocol.check(item, {"spans": []})


def test_the_typology_is_asked_for() -> None:
    asked = Mqm().ask()
    assert asked["categories"][0] == {
        "name": "accuracy",
        "subcategories": ["addition", "omission", "mistranslation", "untranslated text"],
    }
    assert asked["score"] is None
    protocol = Mqm(**PLAIN)
    item = item_of_one(protocol)
    said = {"spans": [MARKED | {"category": "accuracy/mistranslation"}, LEFT_OUT | {"category": "non-translation"}]}
    protocol.check(item, said)
    assert protocol.marks(item, said) == {"text": -26.0}
    assert Esa().ask()["score"]["high"] == 100
    assert Esa().ask()["categories"] == []


@pytest.mark.parametrize(
    ("severity", "category", "cost"),
    [
        (None, None, 0),
        ("neutral", None, 0),
        ("Minor", "style/awkward", 1),
        ("major", "accuracy/omission", 5),
        ("major", "Non-translation!", 25),
        ("minor", "fluency/punctuation", 0.1),
        ("major", "fluency/punctuation", 5),
    ],
)
def test_what_errors_cost(severity: str | None, category: str | None, cost: float) -> None:
    """Freitag et al. (2021): weights of MQM's severities."""
    assert penalty(severity, category) == cost


def test_unknown_severities_are_named() -> None:
    with pytest.raises(DataError, match=r"No cost is known for the severity 'grave'\. Known: neutral, minor, major\."):
        penalty("grave", None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"severities": {}}, "severities is {}; expected names with what an error costs."),
        ({"severities": {"bad": -1}}, "severities is {'bad': -1}; expected names with what an error costs."),
        ({"categories": {"style": "x"}}, "categories has 'style' without a list; write style = []"),
        ({"max_spans": -1}, "max_spans is -1; expected 0 or more."),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as found:
        Mqm(**options)
    assert str(found.value).startswith(message)


def row(annotator: str, system: str, segment: int, n: int, **more: Any) -> dict[str, Any]:
    item = f"{system}{segment}.{n}" if n else f"{system}{segment}"
    return {"annotator": annotator, "item": item, "system": system, "segment": segment, **more}


def test_systems_are_scored_by_the_means_of_their_outputs() -> None:
    rows = [
        row("ada", "one", 1, 0),
        row("ada", "one", 2, 1, start=0, end=4, severity="minor"),
        row("ben", "one", 1, 0),
        row("ben", "one", 2, 0),
        row("ada", "two", 1, 1, start=0, end=4, severity="major", category="accuracy"),
        row("ada", "two", 1, 2, is_omission=True, severity="minor", category="accuracy"),
        row("ben", "two", 1, 1, start=2, end=4, severity="major"),
        row("ada", "two", 2, 0),
        row("ben", "two", 2, 0, type="BAD"),  # a control
    ]
    judgements = Judgements.of(ERROR_SPANS, rows)
    found = analyse_spans(judgements)
    means = {each["system"]: each["mean"] for each in found.tables()[0].records()}
    assert means == {"one": pytest.approx(-0.25), "two": pytest.approx((-6 - 5 + 0) / 3)}
    assert found.errors == (
        ("one", "minor", "", 1),
        ("two", "major", "", 1),
        ("two", "major", "accuracy", 1),
        ("two", "minor", "accuracy", 1),
    )
    [alike] = found.alike
    assert (alike.first, alike.second, alike.outputs) == ("ada", "ben", 3)
    assert alike.f1 == pytest.approx(2 * 2 / (8 + 2))
    assert analyse(judgements).to_dict() == found.to_dict()
    assert found.segment_scores().tables()[0].records()
    assert found.to_dict()["meta"]["errors"] == 4


def test_what_cannot_be_analysed_is_named() -> None:
    from dragoman.data.judgements import DIRECT_ASSESSMENT

    with pytest.raises(DataError, match="There is no judgement of an output to analyse"):
        analyse_spans(Judgements.of(ERROR_SPANS))
    with pytest.raises(DataError, match="These are judgements of the kind direct-assessment, not error-spans"):
        analyse_spans(Judgements.of(DIRECT_ASSESSMENT))
