"""Protocols one by one: what each alone does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dragoman.data import FORMATS, TestSet
from dragoman.data.judgements import Judgements, read_judgements
from dragoman.errors import DataError, FormatError
from dragoman.human.direct_assessment.protocol import DirectAssessment
from dragoman.human.manifest import read_manifest
from dragoman.human.planning import plan
from dragoman.human.protocol import PROTOCOLS, Assignment, Item, Protocol, Task
from dragoman.human.protocols.crowd import CrowdTranslation
from dragoman.human.protocols.frames import HmeantFrames
from dragoman.human.protocols.post_editing import PostEditing
from dragoman.human.protocols.questions import ComprehensionTest
from dragoman.human.protocols.scales import AdequacyFluency
from dragoman.human.quality import leave_out, quality_of_annotators
from dragoman.human.simulated import simulate_answers, simulate_judges
from dragoman.ranking.ranker import RankingRecipe, rank
from tests.human.made_sets import made_set
from tests.human.protocol_examples import EXAMPLES, example

PEOPLE = ("ada", "ben", "chloe")


def first_item(protocol: Protocol, test_set: TestSet) -> Item:
    return next(item for task in protocol.tasks(test_set, seed=1) for item in task.items if item.type == "TGT")


def recorded(protocol: Protocol, item: Item, answer: dict[str, Any]) -> list[dict[str, Any]]:
    return protocol.record(Assignment("ada", Task("task-1", (item,))), item, answer)


def refusal(protocol: Protocol, item: Item, answer: dict[str, Any]) -> str:
    with pytest.raises(DataError) as found:
        protocol.check(item, answer)
    return str(found.value).removeprefix(f"The answer to item {item.id} ")


def test_a_ranking_campaign_from_manifest_to_ranking(tmp_path: Path) -> None:
    """Spec wmt12-he, acceptance 3: the random clicker is found, the export comes back with the same scores."""
    manifest = example("ranking")
    planned = plan(manifest)
    care = {"ada": 1.0, "ben": 1.0, "chloe": 1.0, "dmitri": 0.0}
    told = list(simulate_answers(manifest.protocol, planned.assignments, care))
    answers = {(each.annotator, item.id): said for each, item, said in told}
    assert quality_of_annotators(manifest.protocol, planned.assignments, answers).careless == ("dmitri",)
    rows = [row for each, item, said in told for row in manifest.protocol.record(each, item, said)]
    kept = leave_out(Judgements.of(manifest.protocol.schema, rows), ["dmitri"])
    path = tmp_path / "campaign.rnk.csv"
    FORMATS.make("wmt-ranking").write(kept, path)
    again = read_judgements([path])
    ours, theirs = (rank(each, RankingRecipe(method="expected-wins")).tables()[0].records() for each in (kept, again))
    assert [(each["system"], each["score"]) for each in ours] == [(each["system"], each["score"]) for each in theirs]
    assert ours[0]["system"] == "atlas"  # what invented judges prefer


def test_documents_are_scored_segment_by_segment_and_whole() -> None:
    protocol = read_manifest(EXAMPLES / "da" / "documents.toml").protocol
    assert protocol.ask()["label_set"] == "sqm"
    assert [label["at"] for label in protocol.ask()["labels"]] == [0, 33, 66, 100]
    test_set = made_set(2, 20)
    item = first_item(protocol, test_set)
    assert item.segments == 10
    assert [set(each) for each in item.shown["segments"]] == [{"text", "source"}] * 10
    rows = recorded(protocol, item, {"scores": list(range(10)), "document": 40, "seconds": 50})
    assert [row["segment"] for row in rows[:-1]] == list(range(item.segment, item.segment + 10))
    assert [row["score"] for row in rows] == [*range(10), 40.0]
    assert rows[-1]["is_document"] is True
    assert rows[0]["seconds"] == 5.0
    assert refusal(protocol, item, {"scores": [1], "document": 1}) == (
        "has the wrong scores; expected 10, one for each segment."
    )
    assert refusal(protocol, item, {"scores": [1] * 9 + [101], "document": 1}).endswith(
        "has the score 101; expected a number from 0 to 100 (segment 10)."
    )
    with pytest.raises(DataError, match="The test set does not say where documents begin"):
        protocol.plan(replace(test_set, docs=None), PEOPLE, seed=1)
    with pytest.raises(DataError, match="Gold and tutorials are segments"):
        replace(protocol, gold=[{"segment": 1, "system": "sys-0", "low": 5}]).plan(test_set, PEOPLE, seed=1)


def test_degraded_documents_are_worse_in_most_segments() -> None:
    protocol = DirectAssessment(level="document", against="source", controls={"bad": 0.5}, section_size=4)
    items = [item for task in protocol.tasks(made_set(4, 40), seed=1) for item in task.items]
    originals = {item.content: item for item in items if item.type == "TGT"}
    bad = [item for item in items if item.type == "BAD"]
    assert bad
    for item in bad:
        pairs = zip(item.shown["segments"], originals[item.content].shown["segments"], strict=True)
        assert all(len(worse["text"]) < len(better["text"]) for worse, better in pairs)


def test_gold_of_direct_assessment_is_no_judgement() -> None:
    gold = [{"segment": 1, "system": "sys-0", "high": 20, "text": "Nonsense ."}]
    protocol = DirectAssessment(gold=gold, tutorial=[{"segment": 2, "system": "sys-1", "hint": "Read both."}])
    assignments = protocol.plan(made_set(3, 50), PEOPLE, seed=1)
    [known] = [item for item in assignments[-1].task.items if item.type == "GOLD"]
    assert known.shown["text"] == "Nonsense ."
    assert known.expected == {"range": {"text": [0, 20]}}
    assert recorded(protocol, known, {"score": 3}) == []
    assert assignments[0].task.items[0].shown["hint"] == "Read both."
    with pytest.raises(DataError, match=r"An entry of gold has low 0 and high 100; expected a part of the scale, 0 to"):
        replace(protocol, gold=[{"segment": 1, "system": "sys-0"}]).plan(made_set(3, 50), PEOPLE, seed=1)


def test_scales_are_asked_for_one_by_one() -> None:
    protocol = AdequacyFluency(scales="fluency", against="source")
    item = first_item(protocol, made_set())
    assert [scale["name"] for scale in protocol.ask()["scales"]] == ["fluency"]
    assert protocol.ask()["scales"][0]["labels"][0] == {"at": 5, "text": "flawless"}
    [row] = recorded(protocol, item, {"fluency": 2, "seconds": 4})
    assert (row["adequacy"], row["fluency"], row["seconds"]) == (None, 2, 4.0)
    assert refusal(protocol, item, {"fluency": 2.5}) == "has the fluency 2.5; expected a whole number from 1 to 5."
    assert refusal(protocol, item, {"adequacy": 2}) == "has adequacy; expected fluency, seconds."
    with pytest.raises(DataError, match="scales is 'x'; expected adequacy, fluency or both"):
        AdequacyFluency(scales="x")
    with pytest.raises(DataError, match="The test set has no reference, which this plan shows"):
        AdequacyFluency().plan(replace(made_set(), refs={}), PEOPLE, seed=1)


def test_frames_are_recorded_with_their_links() -> None:
    protocol = HmeantFrames()
    test_set = TestSet(refs={"A": ["She sold the car."]}, systems={"one": ["She has the car sold."]}, target_lang="en")
    item = first_item(protocol, test_set)
    assert item.shown == {
        "reference": ["She", "sold", "the", "car", "."],
        "output": ["She", "has", "the", "car", "sold", "."],
    }
    reference = [{"head": 1, "roles": [{"type": "AGENT", "start": 0, "end": 1}]}]
    linked = {"type": "AGENT", "start": 0, "end": 1, "link": [0, 0, "full"]}
    output = [{"head": 4, "link": [0, "full"], "roles": [linked]}]
    assert protocol.marks(item, {"reference": reference, "output": output}) == {"text": 1.0}
    first, second = recorded(protocol, item, {"reference": reference, "output": output})
    assert (first["is_reference"], second["is_reference"]) == (True, False)
    assert second["reference"] == first["item"]
    assert second["version"] == "one"
    for said, message in (
        ({"reference": reference}, "has no output; expected a list of frames."),
        ({"reference": [{"head": 9}], "output": []}, "marks a token behind the 5 tokens of its reference."),
        ({"reference": [{"head": "x"}], "output": []}, "is wrong in its reference: a frame has the head 'x'"),
        ({"reference": output, "output": []}, "has links in its reference; links lead from the output to"),
        ({"reference": [], "output": output}, "is wrong: an action link leads to (0,) in the reference, where nothing"),
        ({"reference": reference, "output": [{"head": 0, "link": [0, "null"]}]}, "has a link that is neither full nor"),
        ({"reference": [{"head": 1}, {"head": 1}], "output": []}, "is wrong: token 1 is the action of two frames"),
    ):
        assert refusal(protocol, item, said).startswith(message)


def questions(**more: Any) -> list[dict[str, Any]]:
    return [
        {"segment": n, "question": "1", "text": "Where?", "answers": ["In Geneva", "Geneva"]} | more for n in (1, 2)
    ]


def two_passages() -> TestSet:
    return TestSet(systems={"interpreter": ["In Geneva .", "a"], "machine": ["In Genf .", "b"]}, target_lang="en")


def test_nobody_meets_a_passage_twice() -> None:
    protocol = ComprehensionTest(questions=questions(), redundancy=2)
    assignments = protocol.plan(two_passages(), [f"p{n}" for n in range(5)], seed=1)
    assert len(assignments) == 4  # a fifth person would break the balance
    for each in assignments:
        assert sorted(item.segment for item in each.task.items) == [1, 2]
        assert sorted(item.system for item in each.task.items) == ["interpreter", "machine"]
    with pytest.raises(DataError, match=r"in each of 2 conditions, but there are 3\. Invite 4 or lower the redundancy"):
        protocol.plan(two_passages(), PEOPLE, seed=1)


def test_passages_may_be_heard(tmp_path: Path) -> None:
    text = (EXAMPLES / "comprehension" / "manifest.toml").read_text(encoding="utf-8")
    for name in ("interpreter.en", "system.en"):
        (tmp_path / name).write_text((EXAMPLES / "comprehension" / name).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "heard.toml").write_text('audio = "speech/{system}-{segment}.wav"\n' + text, encoding="utf-8")
    manifest = read_manifest(tmp_path / "heard.toml")
    assert manifest.protocol.ask()["medium"] == "audio"
    item = plan(manifest).assignments[0].task.items[0]
    [(name, path)] = item.media.items()
    assert item.shown["audio"] == name
    assert "text" not in item.shown
    assert path == str(tmp_path / f"speech/{item.system}-{item.segment}.wav")
    assert item.system not in name


def test_answers_are_marked_by_the_key_or_later() -> None:
    protocol = ComprehensionTest(questions=questions(), quality=False)
    item = protocol.plan(two_passages(), PEOPLE, seed=1)[0].task.items[0]
    for said, right in (("in  GENEVA!", True), ("Bern", False), ("", False), (None, False)):
        [row] = recorded(protocol, item, {"answers": {"1": said}})
        assert row["is_correct"] is right
    [row] = recorded(replace(protocol, marking="validator"), item, {"answers": {"1": "Geneva"}})
    assert row["is_correct"] is None
    rated = replace(protocol, quality=True)
    assert recorded(rated, item, {"answers": {}, "quality": 4})[-1]["quality"] == 4
    assert refusal(rated, item, {"answers": {}}) == "has no quality; expected a whole number from 1 to 5."
    assert refusal(protocol, item, {"answers": {"2": "x"}}) == "has 2 in its answers; expected 1."
    assert refusal(protocol, item, {"answers": {}, "plays": 2}).startswith("has the plays 2; expected a whole number")
    yes = ComprehensionTest(questions=questions(type="yes-no", answers=["yes"]), quality=False)
    item = yes.plan(two_passages(), PEOPLE, seed=1)[0].task.items[0]
    assert refusal(yes, item, {"answers": {"1": "perhaps"}}) == (
        "has the answer 'perhaps' to question 1; expected yes or no."
    )


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([{"segment": 1}], "Entry 1 of questions needs segment, question and text"),
        (questions(type="riddle"), "The type of entry 1 of questions is 'riddle'; expected factual, yes-no or list."),
        (questions(answers=[]), "Entry 1 of questions has no answers, by which it could be marked."),
        (questions(answers="x"), "Entry 1 of questions has answers 'x'; expected a list of texts."),
        (questions() + questions(), "questions has the question '1' of segment 1 twice."),
        ("x", "questions is 'x'; expected a list of tables."),
    ],
)
def test_wrong_questions_are_named(entries: Any, message: str) -> None:
    with pytest.raises(DataError) as found:
        ComprehensionTest(questions=entries)
    assert str(found.value).startswith(message)


def test_every_passage_needs_questions() -> None:
    with pytest.raises(DataError, match="Segment 2 has no questions"):
        ComprehensionTest(questions=questions()[:1]).plan(two_passages(), PEOPLE, seed=1)
    with pytest.raises(DataError, match="questions asks about segment 9; the test set has 2"):
        ComprehensionTest(questions=questions() + questions(segment=9)[:1]).plan(two_passages(), PEOPLE, seed=1)


def test_post_edits_are_recorded_with_time_and_keystrokes() -> None:
    protocol = PostEditing()
    item = first_item(protocol, made_set(1, 10))
    [row] = recorded(protocol, item, {"post_edit": "A .", "effort": 3, "keystrokes": 9, "seconds": 20})
    assert (row["output"], row["post_edit"]) == (item.shown["text"], "A .")
    assert (row["effort"], row["keystrokes"], row["seconds"]) == (3, 9, 20.0)
    assert refusal(protocol, item, {"post_edit": " ", "effort": 3}) == "has the wrong post_edit; expected text."
    assert refusal(protocol, item, {"post_edit": "a"}) == "has no effort; expected a whole number from 1 to 5."
    judged = PostEditing(asks="effort")
    shown = first_item(judged, made_set(1, 10)).shown
    assert shown["post_edit"].startswith("r")
    assert judged.ask()["edit"] is False
    with pytest.raises(DataError, match="The test set has no reference, which must be the post-edit that is judged"):
        judged.plan(replace(made_set(1, 10), refs={}), PEOPLE, seed=1)
    edited = PostEditing(asks="edit")
    assert edited.ask()["effort"] is None
    assert refusal(edited, item, {"post_edit": "a", "effort": 1}).startswith("has effort; expected post_edit")
    told = simulate_judges(edited, edited.plan(made_set(2, 10), PEOPLE, seed=1))
    found = edited.analyse(told)
    assert {row["system"] for row in found.tables()[0].records()} == {"sys-0", "sys-1"}
    with pytest.raises(DataError, match="There is neither an effort nor a post-edit to analyse"):
        edited.analyse(Judgements.of(edited.schema))


def test_what_post_editing_took() -> None:
    from dragoman.human.post_edits import analyse_post_edits

    protocol = PostEditing(asks="edit")
    test_set = TestSet(srcs=["x", "y"], systems={"one": ["a b c d", "a b"]})
    items = {item.segment: item for task in protocol.tasks(test_set, seed=1) for item in task.items}
    rows = [
        *recorded(protocol, items[1], {"post_edit": "a b c e", "keystrokes": 2, "seconds": 8}),
        *recorded(protocol, items[2], {"post_edit": "a b", "keystrokes": 0, "seconds": 1}),
    ]
    found = analyse_post_edits(Judgements.of(protocol.schema, rows))
    assert found is not None
    [system] = found.systems
    assert system.hter == pytest.approx(100 / 6)
    assert system.untouched == 0.5
    assert system.seconds_per_word == pytest.approx((2 + 0.5) / 2)
    assert system.keystrokes_per_word == pytest.approx(0.25)


def test_translations_need_no_systems() -> None:
    protocol = CrowdTranslation(redundancy=2, max_length=5, copyable=False)
    test_set = TestSet(srcs=["Ja .", "Nein ."], docs=["d", "d"])
    item = first_item(protocol, test_set)
    [row] = recorded(protocol, item, {"text": "Yes .", "seconds": 4})
    assert (row["segment"], row["text"], row["task"], row["seconds"]) == ("d_1", "Yes .", item.id, 4.0)
    assert refusal(protocol, item, {"text": ""}) == "has no text; expected text."
    assert refusal(protocol, item, {"text": "Yes !!"}) == "has a text of 6 characters; expected at most 5."
    assert protocol.ask()["copyable"] is False
    with pytest.raises(DataError, match="The test set has no source, which this plan shows"):
        protocol.plan(made_set_without_source(), PEOPLE, seed=1)
    with pytest.raises(DataError, match="The protocol 'crowd-translation' has no items of gold"):
        replace(protocol, gold=[{"segment": 1}]).plan(test_set, PEOPLE, seed=1)


def made_set_without_source() -> TestSet:
    return replace(made_set(), srcs=None)


@pytest.mark.parametrize("text", ["\x00", "\ud800", "x" * 20_001])
def test_texts_that_cannot_be_stored_are_refused(text: str) -> None:
    protocol = CrowdTranslation(max_length=30_000)
    item = first_item(protocol, made_set())
    assert refusal(protocol, item, {"text": text}).startswith("has a text ")


def test_bottomless_answers_are_refused() -> None:
    protocol = CrowdTranslation()
    item = first_item(protocol, made_set())
    deep: Any = []
    for _ in range(2000):
        deep = [deep]
    assert refusal(protocol, item, {"text": deep}) == "is larger than any honest answer."
    assert refusal(protocol, item, {"text": [0] * 6000}) == "is larger than any honest answer."


def test_the_documents_example_plans() -> None:
    planned = plan(read_manifest(EXAMPLES / "da" / "documents.toml"))
    assert set(planned.coverage().values()) == {1}


def test_an_option_of_another_protocol_is_refused_with_its_line(tmp_path: Path) -> None:
    text = (EXAMPLES / "ranking" / "manifest.toml").read_text(encoding="utf-8")
    text = text.replace("runs = 4", "section_size = 4").replace("../../", f"{EXAMPLES.parent}/")
    (tmp_path / "wrong.toml").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=r"wrong\.toml:9: the protocol 'ranking' has no option 'section_size'"):
        read_manifest(tmp_path / "wrong.toml")


@pytest.mark.parametrize("name", ["esa", "mqm"])
def test_the_examples_of_error_spans_show_the_document_around(name: str) -> None:
    manifest = example(name)
    plan = manifest.protocol.plan(manifest.test_set, manifest.annotators, seed=manifest.seed)
    items = [item for assignment in plan for item in assignment.task.items]
    assert all(item.shown.get("before") or item.shown.get("after") for item in items)


@pytest.mark.parametrize("name", [name for name in PROTOCOLS.names() if name not in {"comprehension", "blind-editing"}])
def test_every_protocol_shows_neighbouring_segments(name: str) -> None:
    """Comprehension plays whole passages, blind editing shows neighbouring outputs; all others have the option."""
    manifest = example(name)
    protocol: Any = replace(manifest.protocol, context=1)  # type: ignore[call-arg]
    items = [item for task in protocol.tasks(manifest.test_set, seed=1) for item in task.items]
    beside = manifest.test_set.srcs or ()
    if getattr(protocol, "shown_beside", getattr(protocol, "against", "source")) == "reference":
        beside = tuple(line or "" for line in next(iter(manifest.test_set.refs.values())))
    inside = [item for item in items if item.shown.get("before") and item.shown.get("after")]
    assert inside
    for item in inside:
        assert item.shown["before"] == [beside[item.segment - 2]]
        assert item.shown["after"] == [beside[item.segment]]
