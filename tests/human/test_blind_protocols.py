"""Blind editing and its review as campaigns: from outputs to understandability."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dragoman.data.judgements import Judgements
from dragoman.data.judgements.blind_edits import BLIND_EDITS, review_status
from dragoman.data.judgements.own import JudgementTable
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.analysing import analyse
from dragoman.human.blind_editing.edits import read_edits
from dragoman.human.planning import plan
from dragoman.human.protocol import Assignment, Item, Task
from dragoman.human.protocols.blind_editing import BlindEditing, BlindReview
from dragoman.human.simulated import simulate_judges
from tests.human.protocol_examples import example

TEST_SET = TestSet(
    srcs=("eins", "zwei", "drei", "vier"),
    refs={"A": ("one", "two", "three", "four")},
    systems={"a": ("1a", "2a", "3a", "4a"), "b": ("1b", "2b", "3b", "4b"), "c": ("1c", "2c", "3c", "4c")},
    docs=("x", "x", "x", "y"),
)


def test_neighbours_are_of_other_systems_and_every_output_is_edited_once() -> None:
    tasks = BlindEditing(snippets=1).tasks(TEST_SET, seed=1)
    assert len(tasks) == 6  # two snippets, one of them a document's rest, in three rounds
    items = [item for task in tasks for item in task.items]
    assert sorted(item.content for item in items) == sorted((s, n) for s in "abc" for n in range(1, 5))
    for task in tasks:
        assert len({item.system for item in task.items}) == len(task.items)
        for item in task.items:
            others = [other.shown["text"] for other in task.items if other is not item]
            assert [*item.shown["before"], *item.shown["after"]] == others
            assert set(item.shown) == {"text", "before", "after"}
    assert len([i for t in BlindEditing(rounds=1).tasks(TEST_SET, seed=1) for i in t.items]) == 4
    with pytest.raises(DataError, match="Snippets of 4 in 0 rounds need so many systems at least; there are 3"):
        BlindEditing(size=4).tasks(TEST_SET, seed=1)
    with pytest.raises(DataError, match="snippets is 0; expected at least 1"):
        BlindEditing(snippets=0)


def edited(editor: str, system: str, segment: int, edit: str | None) -> dict[str, Any]:
    item = f"{editor}-{system}-{segment}"
    return {"annotator": editor, "item": item, "segment": segment, "system": system, "output": "x", "edit": edit}


def test_who_had_met_a_sentence_before_is_known() -> None:
    rows = [edited("e", "a", 1, "one"), edited("f", "b", 1, None), edited("e", "b", 1, "One"), edited("e", "a", 2, "2")]
    assert [(each.editor, each.edit, each.seen) for each in read_edits(rows)] == [
        ("e", "one", False),
        ("f", "", False),
        ("e", "One", True),
        ("e", "2", False),
    ]
    table = Judgements.of(BLIND_EDITS, rows)
    assert analyse(table).tables()[0].records()[1] == {
        "system": "b",
        "outputs": 2,
        "given_up": 50.0,
        "unchanged": 0.0,
        "seconds": None,
    }


def reviewed(edit: str, answer: dict[str, Any]) -> dict[str, Any]:
    shown = {"source": "eins", "reference": "one", "text": "1a", "edit": edit}
    item = Item("i", "TGT", "a", 1, None, shown, notes={"editor": "e", "seen": False})
    (row,) = BlindReview().record(Assignment("ada", Task("t", (item,))), item, answer)
    return dict(row)


@pytest.mark.parametrize(
    ("edit", "answer", "status"),
    [
        ("One", {"verdict": "good"}, "good"),
        ("One", {"verdict": "almost", "review": "One."}, "almost"),
        ("One", {"verdict": "bad", "review": "Two"}, "bad"),
        ("", {"verdict": "bad", "review": "One"}, "empty"),
    ],
)
def test_a_review_is_told_as_the_tables_of_2013_tell_it(edit: str, answer: dict[str, Any], status: str) -> None:
    row = reviewed(edit, answer)
    assert review_status(row["edit"], row["review"]) == status
    assert (row["editor"], row["reviewer"]) == ("e", "ada")


@pytest.mark.parametrize(
    ("edit", "answer", "message"),
    [
        ("", {"verdict": "good"}, "calls an edit good that is not there"),
        ("", {"verdict": "almost", "review": "x"}, "calls an edit almost good that is not there"),
        ("One", {"verdict": "good", "review": "Two"}, "changes an edit that it calls good"),
        ("One", {"verdict": "bad", "review": " One "}, "leaves an edit as it is that it calls bad"),
        ("One", {"verdict": "bad", "review": "OK: Two"}, "begins with OK:, which the verdict says"),
        ("One", {"verdict": "fine"}, "has the verdict 'fine'; expected good, almost, bad"),
        ("One", {"verdict": "bad"}, "has no review; expected text"),
    ],
)
def test_reviews_that_contradict_themselves_are_refused(edit: str, answer: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        reviewed(edit, answer)


def test_nobody_reviews_their_own_edits() -> None:
    manifest = example("blind-review")
    for people in (("erna", "ada", "ben"), ("erna", "frank", "greta", "ada")):
        planned = plan(replace(manifest, annotators=people))
        for assignment in planned.assignments:
            assert assignment.annotator not in {item.notes["editor"] for item in assignment.task.items}
    with pytest.raises(DataError, match="Edits by erna need 2 other people as reviewers; there are 1"):
        plan(replace(manifest, annotators=("erna", "ada")))
    with pytest.raises(DataError, match="edits is not given"):
        BlindReview().tasks(TEST_SET, seed=1)
    with pytest.raises(DataError, match="an edit of segment 9 of a, which is not there"):
        BlindReview(edits=[edited("e", "a", 9, "x")]).tasks(TEST_SET, seed=1)


def test_from_edits_to_understandability(tmp_path: Path) -> None:
    editing = example("blind-editing")
    edits = simulate_judges(editing.protocol, plan(editing).assignments)
    JudgementTable().write(edits, tmp_path / "edits.tsv")
    review = example("blind-review")
    protocol: Any = review.protocol
    review = replace(review, protocol=replace(protocol, edits=str(tmp_path / "edits.tsv")))
    table = simulate_judges(review.protocol, plan(review).assignments)
    tables: Any = analyse(table).tables()
    assert [table.title for table in tables] == ["Understandability", "What reviews said", "Agreement of reviewers"]
    shares: dict[Any, Any] = {row["system"]: row["share"] for row in tables[0].records()}
    assert shares["atlas"] > shares["ember"]
    assert {row["who"] for row in tables[2].records()} == {"inter"}
