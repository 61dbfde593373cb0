"""Campaigns of Appraise run here as they stand there, and go back to it."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, DragomanError, FormatError
from dragoman.human.draws import Draws
from dragoman.human.importing import import_campaign
from dragoman.human.manifest import Manifest, read_manifest
from dragoman.human.planning import plan, read_plan, write_plan
from dragoman.human.protocol import LESSON, Item
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.judging.exports import export_campaign
from tests.conftest import real_data

ABOUT = {"batchNo": 1, "requiredAnnotations": 1, "sourceLanguage": "eng", "targetLanguage": "deu"}
MANIFEST: dict[str, Any] = {
    "CAMPAIGN_NAME": "trial",
    "CAMPAIGN_NO": 31,
    "CAMPAIGN_KEY": "k",
    "REDUNDANCY": 1,
    "TASKS_TO_ANNOTATORS": [["deu", "eng", "uniform", 9, 9], ["eng", "deu", "uniform", 2, 2]],
}


def entry(number: int, kind: str = "TGT", system: str = "a", doc: str = "", **more: Any) -> dict[str, Any]:
    texts = {"sourceText": f"source {number}", "targetText": f"output {number} of {system.partition('+')[0]}"}
    place = {"documentID": doc, "isCompleteDocument": False} if doc else {}
    return {"itemID": number, "itemType": kind, "sourceID": "s", "targetID": system, **texts, **place, **more}


def imported(tmp_path: Path, *tasks: list[dict[str, Any]], name: str = "taken", **about: Any) -> Manifest:
    batches = [{"items": items, "task": ABOUT | {"batchNo": number}} for number, items in enumerate(tasks, start=1)]
    (tmp_path / "batches.json").write_text(json.dumps(batches))
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST | about))
    import_campaign(tmp_path / "manifest.json", tmp_path / "batches.json", tmp_path / name)
    return read_manifest(tmp_path / name / "manifest.toml")


def items_of(manifest: Manifest) -> list[Item]:
    return [item for task in manifest.tasks if task.name != LESSON for item in task.items]


def judged(manifest: Manifest) -> list[dict[str, Any]]:
    """What careful judges would leave behind."""
    rows = []
    for assignment in plan(manifest).assignments:
        for item in assignment.task.items:
            answer = manifest.protocol.simulate(item, Draws(1, item.id), 1.0)
            rows += manifest.protocol.record(assignment, item, answer)
    return rows


def test_single_outputs_are_judged_in_their_order(tmp_path: Path) -> None:
    bad = entry(1, "BAD", targetText="worse")
    manifest = imported(tmp_path, [entry(2, system="a+b"), entry(1), bad, entry(2, "CHK", system="a+b")], [entry(3)])
    assert (manifest.protocol.name, manifest.annotators) == ("da", ("engdeu1f01", "engdeu1f02"))
    assert manifest.test_set.srcs == ("source 1", "source 2", "source 3")
    assert manifest.test_set.systems["b"] == ("", "output 2 of a", "")  # no task shows the others
    items = items_of(manifest)
    assert [(item.type, item.segment, item.shown["text"]) for item in items] == [
        ("TGT", 2, "output 2 of a"),
        ("TGT", 1, "output 1 of a"),
        ("BAD", 1, "worse"),
        ("CHK", 2, "output 2 of a"),
        ("TGT", 3, "output 3 of a"),
    ]
    rows = judged(manifest)
    assert [(row["system"], row["segment"], row["type"]) for row in rows if row["segment"] == 2] == [
        (system, 2, kind) for kind in ("TGT", "CHK") for system in "ab"
    ]
    assert plan(manifest).coverage() == {("a", 1): 1, ("a", 2): 1, ("b", 2): 1, ("a", 3): 1}


def test_a_reference_beside_itself_shows_what_is_judged_against(tmp_path: Path) -> None:
    manifest = imported(tmp_path, [entry(1), entry(2, "REF", system="r", targetText="source 2")])
    assert manifest.test_set.srcs is None
    assert manifest.test_set.refs["A"] == ("source 1", "source 2")
    assert [set(item.shown) for item in items_of(manifest)] == [{"reference", "text"}] * 2


def test_documents_are_judged_whole_and_know_their_degraded_segments(tmp_path: Path) -> None:
    whole = entry(9, doc="news", isCompleteDocument=True)
    first = [entry(0, doc="news"), entry(1, doc="news"), whole]
    second = [entry(0, doc="news"), entry(1, "BAD", doc="news", targetText="worse"), whole]
    manifest = imported(tmp_path, [*first, *second], TASK_TYPE="Document", TASK_OPTIONS="SQM")
    assert manifest.protocol.ask()["label_set"] == "sqm"
    assert [(item.type, item.segments, item.types) for item in items_of(manifest)] == [
        ("TGT", 2, ()),
        ("BAD", 2, ("TGT", "BAD")),
    ]
    assert [(row["type"], row["segment"], row["is_document"]) for row in judged(manifest)][3:] == [
        ("TGT", 1, None),
        ("BAD", 2, None),
        ("BAD", 1, True),
    ]
    read = read_plan(write_plan(plan(manifest), tmp_path / "plan").folder)
    assert [item.types for each in read for item in each.task.items] == [(), ("TGT", "BAD")]
    gap = [
        entry(0, doc="news"),
        entry(1, doc="news"),
        entry(2, doc="news"),
        whole,
        entry(0, doc="news"),
        entry(2, doc="news"),
    ]
    with pytest.raises(FormatError, match=r"the document 'news' by 'a' is not shown in one piece"):
        imported(tmp_path, gap, name="gap", TASK_TYPE="Document")


def test_spans_come_with_their_document_and_lessons(tmp_path: Path) -> None:
    hint = {"tutorial": {"instruction": "Mark <u>it</u>."}, "payload": []}
    lesson = entry(1000, doc="tutorial1", mqm=hint)
    document = [entry(7, doc="news"), entry(8, doc="news"), entry(9, doc="news"), entry(8, "BAD", doc="news#bad")]
    manifest = imported(tmp_path, [lesson, *document], [lesson, *document], TASK_TYPE="Document", TASK_OPTIONS="ESA")
    assert [item.shown["hint"] for task in manifest.tasks if task.name == LESSON for item in task.items] == ["Mark it."]
    middle = items_of(manifest)[1]
    assert (middle.doc, middle.shown["before"], middle.shown["after"]) == ("news", ["source 7"], ["source 9"])
    assert "before" not in items_of(manifest)[3].shown
    assert {row["type"] for row in judged(manifest)} == {"TGT"}


def test_what_is_marked_beforehand_is_a_proposal(tmp_path: Path) -> None:
    marked = [{"start_i": 0, "end_i": 5, "severity": "major"}, {"start_i": "missing", "end_i": "missing"}]
    manifest = imported(tmp_path, [entry(1, doc="d", mqm=marked)], TASK_TYPE="Document", TASK_OPTIONS="ESA")
    assert manifest.protocol.name == "esa-ai"
    (item,) = items_of(manifest)
    assert item.shown["proposals"] == item.notes["proposals"] == [{"start": 0, "end": 6, "severity": "major"}]
    assert judged(manifest)[0]["assisted"] is True


def test_pairs_are_scored_side_by_side(tmp_path: Path) -> None:
    targets = [{"targetID": "a", "targetText": "x"}, {"targetID": "b+c", "targetText": "y"}]
    alone = [{"targetID": "a", "targetText": "z"}]
    manifest = imported(tmp_path, [entry(1, targets=targets), entry(2, targets=alone)], TASK_TYPE="Pairwise")
    assert [(row["system"], row["segment"]) for row in judged(manifest)] == [("a", 1), ("b", 1), ("c", 1), ("a", 2)]
    with pytest.raises(FormatError, match="an item shows 2 outputs; the protocol da shows one"):
        imported(tmp_path, [entry(1, targets=targets)], name="wrong")


@pytest.mark.parametrize(
    ("items", "about", "message"),
    [
        ([entry(1)], {"TASK_TYPE": "Data"}, "TASK_TYPE is 'Data'; imported are Direct, Document, Pairwise"),
        ([entry(1)], {"REDUNDANCY": "two"}, "REDUNDANCY is 'two'; expected as in Appraise's manifests"),
        (
            [entry(1)],
            {"TASKS_TO_ANNOTATORS": [["deu", "eng", "uniform", 1, 1]]},
            "no row for the batches' languages, en-de",
        ),
        ([entry(1)], {"TASKS_TO_ANNOTATORS": [["deu"]]}, "has a row that is not"),
        ([entry(1)], {"TASKS_TO_ANNOTATORS": [["eng", "deu", "uniform", 0, 1]]}, "expected from 1 to 999"),
        ([entry(1, "ODD")], {}, "itemType is 'ODD'; expected TGT"),
        ([entry(1, "BAD")], {}, "there is not a single output of a system"),
        ([entry(1), entry(1, targetText="other")], {}, "'a' has two translations of segment 1"),
        ([entry(1, targets=[])], {}, r"targets is '\[\]'"),
        ([entry(1)], {"REDUNDANCY": 3}, "Each task goes to 3 different annotators, but there are 2"),
    ],
)
def test_what_cannot_be_taken_over_is_named(
    tmp_path: Path, items: list[dict[str, Any]], about: dict[str, Any], message: str
) -> None:
    with pytest.raises(DragomanError, match=message):
        imported(tmp_path, items, **about)
    assert not (tmp_path / "taken").exists()


def test_a_manifest_has_batches_or_a_test_set(tmp_path: Path) -> None:
    imported(tmp_path, [entry(1)])
    path = tmp_path / "taken" / "manifest.toml"
    path.write_text(path.read_text() + '[test_set]\nsrcs = "x"\n')
    with pytest.raises(FormatError, match="test_set and batches cannot both be given"):
        read_manifest(path)
    path.write_text(
        path.read_text().split("[test_set]")[0].replace('"da"', '"ranking"').replace('against = "source"', "")
    )
    with pytest.raises(DataError, match="Batches are judged by da, contrastive-da, esa, esa-ai, mqm, not by ranking"):
        read_manifest(path)


def back(store: Store, manifest: Manifest, folder: Path) -> Manifest:
    """A campaign put into a database, exported for Appraise and taken over again."""
    with store.write() as connection:
        create_campaign(connection, manifest, actor=COMMAND_LINE)
    with store.read() as connection:
        sheet = export_campaign(connection, manifest.name, "appraise-campaign")
    with zipfile.ZipFile(io.BytesIO(sheet.content)) as archive:
        archive.extractall(folder)
    import_campaign(folder / "manifest.json", folder / "batches.json", folder / "again")
    return read_manifest(folder / "again" / "manifest.toml")


def compared(item: Item) -> tuple[Any, ...]:
    return item.type, item.system, item.segment, dict(item.places), dict(item.joint), item.types, dict(item.shown)


@pytest.fixture
def house(tmp_path: Path) -> Store:
    store = Store(tmp_path / "house.db")
    store.migrate()
    return store


@pytest.mark.parametrize("name", ["da", "contrastive-da", "pairwise", "esa", "mqm"])
def test_our_campaigns_go_to_appraise(house: Store, tmp_path: Path, name: str) -> None:
    examples = Path(__file__).parents[2] / "examples"
    ours = read_manifest(examples / name / "manifest.toml")
    if name == "pairwise":  # some tasks are done by more people than others, which Appraise has no way to say
        with pytest.raises(DataError, match="every task to the same number of annotators"):
            back(house, ours, tmp_path)
        return
    if name == "contrastive-da":
        with pytest.raises(DataError, match="Appraise shows 2 outputs beside each other, this campaign 3"):
            back(house, ours, tmp_path)
        protocol: Any = ours.protocol
        ours = replace(ours, name="two", protocol=replace(protocol, outputs=2))
    again = back(house, ours, tmp_path)
    taken = ("TGT", "BAD", "CHK", "REF")
    before = [item for task in plan(ours).tasks for item in task.items if item.type in taken and task.name != LESSON]
    assert sorted((i.type, i.segment) for i in before) == sorted((i.type, i.segment) for i in items_of(again))
    texts = [
        sorted(str(i.shown.get("text", i.shown.get("outputs"))) for i in each) for each in (before, items_of(again))
    ]
    assert texts[0] == texts[1]


@pytest.mark.realdata
@pytest.mark.parametrize("name", ["direct/", "document/", "pairwise/", "mqm-esa/_esa", "mqm-esa/_mqm"])
def test_appraises_own_examples_run_here_and_go_back(house: Store, tmp_path: Path, name: str) -> None:
    data = real_data()
    assert data is not None
    folder, _, kind = name.partition("/")
    files = [data / "peers" / "appraise" / folder / f"{each}{kind}.json.gz" for each in ("manifest", "batches")]
    done = CliRunner().invoke(group, ["campaign", "import", *map(str, files), "-o", str(tmp_path / "first"), "--json"])
    assert done.exit_code == 0, done.output
    first = read_manifest(tmp_path / "first" / "manifest.toml")
    assert len(judged(first)) >= 150 if kind else 60
    again = back(house, first, tmp_path / "back")
    if kind:  # what a run of items has around it is Appraise's to find
        assert [compared(i)[:4] for i in items_of(again)] == [compared(i)[:4] for i in items_of(first)]
    else:
        assert list(map(compared, items_of(again))) == list(map(compared, items_of(first)))
    assert again.protocol == first.protocol


def test_a_manifest_may_show_the_other_outputs_of_the_document(tmp_path: Path) -> None:
    document = [entry(7, doc="news"), entry(8, doc="news"), entry(9, doc="news")]
    imported(tmp_path, document, document, TASK_TYPE="Document", TASK_OPTIONS="ESA")
    file = tmp_path / "taken" / "manifest.toml"
    file.write_text(file.read_text().replace('protocol = "esa"', 'protocol = "esa"\ncontext = 1\nneighbours = "both"'))
    middle = items_of(read_manifest(file))[1]
    assert middle.shown["neighbours"] == {"before": ["output 7 of a"], "after": ["output 9 of a"]}
    assert middle.shown["before"] == ["source 7"]
