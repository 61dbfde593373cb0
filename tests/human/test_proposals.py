"""ESA with proposals: where they come from, what became of them, and what they did to people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.judgements import Judgements
from dragoman.data.judgements.own import JudgementTable
from dragoman.data.judgements.spans import ERROR_SPANS
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.analysing import analyse
from dragoman.human.draws import Draws
from dragoman.human.planning import plan
from dragoman.human.proposal_effects import proposal_effects
from dragoman.human.proposals import moved, proposals_from_labels, read_proposals
from dragoman.human.protocol import Assignment, Item, Task
from dragoman.human.protocols.proposals import EsaWithProposals
from tests.human.protocol_examples import example

TEST_SET = TestSet(srcs=("Hund", "Katze"), systems={"a": ("the big dog", "cat"), "b": ("a  dog", "")})
LABELS = {"a": ["OK BAD BAD", "OK"], "b": ["BAD minor", ""]}


def test_labels_side_by_side_are_one_span() -> None:
    result = proposals_from_labels(TEST_SET, LABELS)
    rows = list(result.judgements.rows())
    assert [(r["system"], r["segment"], r["start"], r["end"], r["severity"]) for r in rows] == [
        ("a", 1, 4, 11, "major"),
        ("a", 2, None, None, None),
        ("b", 1, 0, 1, "major"),
        ("b", 1, 3, 6, "minor"),
        ("b", 2, None, None, None),
    ]
    assert [record["faultless"] for record in result.tables()[0].records()] == [1, 1]
    with pytest.raises(DataError, match="Segment 1 of a has 3 words and 1 labels"):
        proposals_from_labels(TEST_SET, {"a": ["OK", "OK"]})
    with pytest.raises(DataError, match="There are 1 lines of labels for 2 outputs of a"):
        proposals_from_labels(TEST_SET, {"a": ["OK"]})


def written(path: Path, labels: dict[str, list[str]], test_set: TestSet = TEST_SET) -> Path:
    JudgementTable().write(proposals_from_labels(test_set, labels).judgements, path)
    return path


def test_proposals_are_read_for_every_output(tmp_path: Path) -> None:
    path = written(tmp_path / "p.csv", LABELS)
    found = read_proposals(path, TEST_SET, ("minor", "major"))
    assert {key: len(spans) for key, spans in found.items()} == {("a", 1): 1, ("a", 2): 0, ("b", 1): 2, ("b", 2): 0}
    renamed = TestSet(srcs=TEST_SET.srcs, systems={"x": TEST_SET.systems["a"]})
    assert read_proposals(path, renamed, ("minor", "major"))["x", 1] == found["a", 1]
    with pytest.raises(DataError, match="segment 1 of a has the severity 'major'; the campaign knows grave"):
        read_proposals(path, TEST_SET, ("grave",))
    with pytest.raises(DataError, match="The proposals say nothing of segment 1 of b"):
        read_proposals(written(tmp_path / "q.csv", {"a": LABELS["a"]}), TEST_SET, ("major",))
    other = TestSet(srcs=TEST_SET.srcs, systems={"a": ("the dog", "cat")})
    with pytest.raises(DataError, match="A proposal for segment 1 of a is of another text: 'the big dog'"):
        read_proposals(path, other, ("major",))


def test_spans_move_with_their_words() -> None:
    spans = [{"start": 0, "end": 3, "severity": "minor"}, {"start": 8, "end": 11, "severity": "major"}]
    assert moved(spans, "the big dog", "big dog") == ({"start": 4, "end": 7, "severity": "major"},)


def test_a_share_is_judged_without_proposals_and_the_faultless_may_be_left_out() -> None:
    manifest = example("esa-ai")
    protocol = manifest.protocol
    assert isinstance(protocol, EsaWithProposals)
    items = [item for task in plan(manifest).tasks for item in task.items if item.type == "TGT"]
    for system in manifest.test_set.systems:
        hidden = [item for item in items if item.system == system and "proposals" not in item.shown]
        assert len(hidden) == 20  # a quarter of 80
        assert all("proposals" in item.notes for item in hidden)
    empty = sum(not item.notes["proposals"] for item in items)
    for share in (0.0, 0.5):
        planned = plan(replace(manifest, protocol=replace(protocol, faultless=share)))
        left = [item for task in planned.tasks for item in task.items if item.type == "TGT"]
        assert len(items) - len(left) == empty - round(share * empty)
        assert "outputs are left out" in planned.render("text")
    with pytest.raises(DataError, match="control is 2; expected a share"):
        replace(protocol, control=2.0)
    with pytest.raises(DataError, match="proposals is not given"):
        plan(replace(manifest, protocol=replace(protocol, proposals="")))


PROPOSED = [{"start": 0, "end": 3, "severity": "major"}, {"start": 4, "end": 7, "severity": "minor"}]


def item_of(name: str, *, shown: bool) -> Item:
    texts: dict[str, Any] = {"source": "Hund", "text": "the big dog"}
    more = {"proposals": PROPOSED} if shown else {}
    return Item(name, "TGT", "a", 1, None, texts | more, notes={"proposals": PROPOSED})


def rows_of(item: Item, spans: Sequence[dict[str, Any]], who: str = "ada") -> list[dict[str, Any]]:
    task = Task("t", (item,))
    answer = {"spans": list(spans), "score": 50, "seconds": 10}
    return [dict(row) for row in EsaWithProposals().record(Assignment(who, task), item, answer)]


def test_what_became_of_proposals_is_counted_and_the_bias_measured() -> None:
    accepted, longer, own = (
        PROPOSED[0] | {"proposal": 0},
        PROPOSED[1] | {"end": 11, "proposal": 1},
        {"start": 8, "end": 11, "severity": "minor"},
    )
    rows = [
        *rows_of(item_of("i1", shown=True), [accepted, longer]),
        *rows_of(item_of("i2", shown=True), [accepted, own]),
        *rows_of(item_of("i3", shown=False), [own]),
        *rows_of(item_of("i4", shown=False), [PROPOSED[0]]),
    ]
    assert [row["origin"] for row in rows] == ["accepted", "changed", "accepted", "added", "added", "added"]
    effects = proposal_effects(Judgements.of(ERROR_SPANS, rows), trials=50)
    whole = effects.systems[0]
    counted = (whole.outputs, whole.proposed, whole.accepted, whole.changed, whole.removed, whole.added)
    assert counted == (2, 4, 2, 1, 1, 1)
    # Of 12 proposed characters 9 were marked where they were shown, 3 where they were not.
    assert (effects.bias.assisted, effects.bias.control, effects.bias.difference) == (75, 25, 50)
    assert (effects.n_assisted, effects.n_control, effects.n_faultless) == (2, 2, 0)
    assert "automation bias" in effects.render("text")
    assert [table.title for table in analyse(Judgements.of(ERROR_SPANS, rows)).tables()][
        3
    ] == "With and without proposals"


@pytest.mark.parametrize(
    ("span", "message"),
    [
        ({"proposal": 2}, "has the proposal '2'; expected a number below 2"),
        ({"proposal": "0"}, "has the proposal '0'; expected a number below 2"),
        ({"proposal": True}, "has the proposal 'True'"),
    ],
)
def test_a_span_comes_from_a_proposal_that_there_is(span: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        rows_of(item_of("i", shown=True), [PROPOSED[0] | span])


def test_a_proposal_is_one_span_and_needs_to_be_shown() -> None:
    twice = [PROPOSED[0] | {"proposal": 0}, PROPOSED[1] | {"proposal": 0}]
    with pytest.raises(DataError, match="has the proposal 0, which another span has"):
        rows_of(item_of("i", shown=True), twice)
    with pytest.raises(DataError, match="expected a number below 0"):
        rows_of(item_of("i", shown=False), [PROPOSED[0] | {"proposal": 0}])
    plain = example("esa").protocol
    item = Item("i", "TGT", "a", 1, None, {"source": "x", "text": "the"})
    with pytest.raises(DataError, match="has a proposal, but nothing was proposed"):
        plain.check(item, {"spans": [PROPOSED[0] | {"proposal": 0}], "score": 1})


def test_commands(tmp_path: Path) -> None:
    manifest = Path(__file__).parents[2] / "examples" / "esa-ai" / "manifest.toml"
    tags = tmp_path / "ember.tags"
    texts = example("esa-ai").test_set.systems["ember"]
    tags.write_text("".join(" ".join(["BAD"] * len(text.split())) + "\n" for text in texts))
    made = ["campaign", "propose", str(manifest), f"ember={tags}", "-o", str(tmp_path / "p.csv"), "--json"]
    done = CliRunner().invoke(group, made)
    assert json.loads(done.stdout)["rows"][0]["outputs"] == 80
    rows = []
    protocol = example("esa-ai").protocol
    for assignment in plan(example("esa-ai")).assignments[:8]:
        for item in assignment.task.items:
            rows += protocol.record(assignment, item, protocol.simulate(item, Draws(1, item.id), 1.0))
    JudgementTable().write(Judgements.of(ERROR_SPANS, rows), tmp_path / "j.csv")
    done = CliRunner().invoke(group, ["study", "proposals", str(tmp_path / "j.csv"), "--trials", "20", "--json"])
    assert json.loads(done.stdout)["meta"]["automation_bias"] > 10  # invented judges keep four of five proposals
    JudgementTable().write(proposals_from_labels(TEST_SET, LABELS).judgements, tmp_path / "n.csv")
    refused = CliRunner().invoke(group, ["study", "proposals", str(tmp_path / "n.csv")])
    assert "No judgement says what a model had proposed" in str(refused.exception)
