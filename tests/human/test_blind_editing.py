from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.judgements import Field, Judgements, Row, Schema
from dragoman.data.judgements.blind_edits import REVIEWS, review_status
from dragoman.errors import DataError
from dragoman.human import new_references, plan_blind_editing, understandability


@pytest.mark.parametrize(
    ("edit", "review", "status"),
    [
        ("a b", "a b", "good"),
        ("a b ", " a b", "good"),
        ("a b", "OK: a c", "almost"),
        ("a b", "a c", "bad"),
        ("", "a", "empty"),
        (None, "OK: a", "empty"),
        ("OK: a", "OK: a", "good"),
        ("a", "", "bad"),
    ],
)
def test_status(edit: str | None, review: str, status: str) -> None:
    assert review_status(edit, review) == status


def row(system: str, edit: str | None, review: str, **changed: object) -> Row:
    return {"editor": "e", "reviewer": "r", "system": system, "segment": "1", "edit": edit, "review": review} | changed


def table(*rows: Row) -> Judgements:
    return Judgements.of(REVIEWS, rows)


def test_shares_leave_out_what_the_editor_had_seen() -> None:
    result = understandability(
        table(
            row("a", "x", "x"),
            row("a", "x", "OK: y"),
            row("a", None, "z"),
            row("a", "x", "x", seen=True),
            row("b", "x", "y"),
            row("b", "x", "y", seen=False),
        )
    )
    assert [(each.system, each.n, round(each.share, 1)) for each in result.systems] == [
        (None, 5, 40.0),
        ("a", 3, 66.7),
        ("b", 2, 0.0),
    ]
    assert dict(result.statuses["first"]) == {"good": 1, "almost": 1, "bad": 2, "empty": 1}
    assert (result.n_repeated, result.n_references) == (1, 3)
    assert understandability(table(row("a", "x", "x")), seed=3).systems[1].rank_high == 1


def test_reviewers_are_compared_on_the_same_string() -> None:
    rows = [
        row("a", "x", "x"),
        row("b", "x ", "OK: y", reviewer="s"),
        row("a", "x", "x"),  # one string; r twice
        row("a", "other", "bad"),
        row("a", "x", "x", segment="2"),
    ]
    found = {(a.who, a.almost): (a.n_pairs, a.agreement) for a in understandability(table(*rows)).agreement}
    assert found["inter", "separate"] == (2, 0)
    assert found["inter", "as good"] == (2, 100)
    assert found["intra", "separate"] == (1, 100)
    assert understandability(table(rows[0])).agreement == ()


def test_the_same_seed_gives_the_same_answer() -> None:
    rows = [row(s, "x", "x" if k % n else "y", segment=str(k)) for n, s in ((2, "a"), (3, "b")) for k in range(20)]
    assert understandability(table(*rows), seed=5) == understandability(table(*rows), seed=5)


def test_new_references_are_what_reviewers_left() -> None:
    reviews = table(row("a", "x", "x"), row("b", "y", "OK: x"), row("b", None, "z", segment="2"))
    assert new_references(reviews) == {"1": ("x",), "2": ("z",)}


def test_what_cannot_be_scored() -> None:
    with pytest.raises(DataError, match="no review of an edit whose editor was new to the sentence"):
        understandability(table(row("a", "x", "x", seen=True)))
    with pytest.raises(DataError, match="of kind 'other'; expected 'blind-edit-review'"):
        understandability(Judgements.of(Schema("other", (Field("a"),), key=("a",))))


@given(st.lists(st.integers(1, 20), min_size=1, max_size=6), st.integers(3, 6), st.integers(0, 3))
def test_a_plan_shows_systems_equally_often(documents: list[int], n_systems: int, seed: int) -> None:
    systems = [f"s{n}" for n in range(n_systems)]
    plan = plan_blind_editing(documents, systems, seed=seed)
    counts = Counter(each.system for each in plan.items)
    assert max((counts[s] for s in systems), default=0) - min((counts[s] for s in systems), default=0) <= 1
    assert len({each.segment for each in plan.items}) == len(plan.items) == sum(documents) - plan.n_left
    borders = [sum(documents[:k]) for k in range(len(documents) + 1)]
    snippets: dict[tuple[int, int], list] = {}
    for each in plan.items:
        snippets.setdefault((each.task, each.snippet), []).append(each)
    for group in snippets.values():
        assert len({each.system for each in group}) == 3
        first = group[0].segment
        assert [each.segment for each in group] == [first, first + 1, first + 2]
        assert sum(border < first for border in borders) == sum(border < first + 2 for border in borders)
    assert max((len({s for t, s in snippets if t == task}) for task, _ in snippets), default=0) <= 8
    assert plan == plan_blind_editing(documents, systems, seed=seed)


def test_plans_that_cannot_be() -> None:
    with pytest.raises(DataError, match="Snippets of 3 need at least so many systems, each named once; got a, b"):
        plan_blind_editing([9], ["a", "b"])
    with pytest.raises(DataError, match="A plan needs documents, snippets and tasks of at least one each"):
        plan_blind_editing([], ["a", "b", "c"])
