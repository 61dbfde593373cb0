"""Appraise's batches and Pearmut's campaigns as test sets, in the shapes that those tools write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dragoman.data import FORMATS, TestSet
from dragoman.data.convert import read_test_set
from dragoman.errors import DataError, FormatError


def item(source: str, text: str, system: str = "s", doc: str = "d", kind: str = "TGT", **more: Any) -> dict[str, Any]:
    return {"sourceText": source, "targetText": text, "targetID": system, "documentID": doc, "itemType": kind, **more}


def written(folder: Path, value: Any) -> Path:
    path = folder / "file.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


LANGUAGES = {"sourceLanguage": "deu", "targetLanguage": "eng"}


def test_batches_give_each_output_once(tmp_path: Path) -> None:
    first = [
        item("Eins", "One"),
        item("Zwei", "Two"),
        item("Eins", "On", doc="d#bad", kind="BAD"),
        item("Eins", "One", doc="d#dup"),
        item("", "", kind="REF"),
        item("x", "y", isCompleteDocument=True),
        item("x", "y", doc="tutorial1"),
    ]
    second = [item("Zwei", "Deux", "t"), item("Eins", "Un", "t")]
    tasks = [{"items": first, "task": LANGUAGES}, {"items": second, "task": LANGUAGES}]
    found = read_test_set(written(tmp_path, tasks))
    assert list(found.srcs or ()) == ["Eins", "Zwei"]
    assert {name: list(lines) for name, lines in found.systems.items()} == {"s": ["One", "Two"], "t": ["Un", "Deux"]}
    assert (found.source_lang, found.target_lang, found.docs) == ("de", "en", ("d", "d"))


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([item("Eins", "One"), item("Eins", "Un", doc="d#dup")], "'s' has two translations"),
        ([item("Eins", "One"), item("Zwei", "Deux", "t")], "'s' has 1 of 2 segments; it lacks 'Zwei' of 'd'"),
        ([item("Eins", None)], "targetText is 'None'; expected text"),  # type: ignore[arg-type]
        ([item("Eins", "One", targets=[1])], "targets is .*; expected a list of objects"),
        ([item("Eins", "One", kind="BAD")], "there is not a single output of a system"),
        (["targetID"], "an item is 'targetID'; expected an object"),
    ],
)
def test_wrong_batches_are_named(tmp_path: Path, items: list[Any], message: str) -> None:
    path = written(tmp_path, [{"items": items, "task": LANGUAGES}])
    with pytest.raises(FormatError, match=message):
        read_test_set(path, "appraise-batches")


def test_other_wrong_files(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="this is no JSON"):
        read_test_set(written(tmp_path, "[{"), "appraise-batches")
    with pytest.raises(FormatError, match="a list of tasks with items was expected"):
        read_test_set(written(tmp_path, {"items": []}), "appraise-batches")
    with pytest.raises(FormatError, match="an object with campaign_id, info and data was expected"):
        read_test_set(written(tmp_path, {"campaign_id": "c"}), "pearmut-campaign")
    with pytest.raises(FormatError, match="tgt is 'None'; expected outputs by system"):
        read_test_set(written(tmp_path, {"campaign_id": "c", "data": [[{"src": "x"}]]}), "pearmut-campaign")
    other = {"items": [item("Eins", "One")], "task": {"sourceLanguage": "ces", "targetLanguage": "eng"}}
    with pytest.raises(FormatError, match="of 2 language pairs"):
        read_test_set(written(tmp_path, [{"items": [item("Eins", "One")], "task": LANGUAGES}, other]))


def test_batches_with_a_tutorial_and_documents_of_few_systems(tmp_path: Path) -> None:
    """As ESA was run at WMT 2024: a lesson first, itemID the segment's number, each document of one system."""
    lesson = {"tutorial": {"instruction": "Set it to 100%."}, "payload": []}
    first = [
        item("Hund", "Dog", "ende-tutorial1", "ende-tutorial1", itemID=1000000, mqm=lesson),
        item("Hund", "Cat", "ende-tutorial1", "ende-tutorial1", itemID=1000001, mqm=lesson),
        item("Ja.", "Yes.", "s", "news.7", itemID=12, mqm=[]),
        item("Ja.", "Yeah.", "s", "news.7", itemID=13, mqm=[]),
        item("Ja.", "Garden.", "s", "news.7#bad", "BAD", itemID=12, mqm=[]),
    ]
    second = [
        item("Eins", "Un", "t", "talk.1", itemID=2),
        item("Eins", "One", "s", "talk.1", itemID=2),
        item("Ja.", "Oui.", "t", "news.7", itemID=12),
        item("Ja.", "Si.", "t", "news.7", itemID=13),
        item("Nur", "Only", "t", "alone", itemID=40),
    ]
    path = written(tmp_path, [{"items": first, "task": LANGUAGES}, {"items": second, "task": LANGUAGES}])
    with pytest.raises(FormatError, match=r"'s' has 3 of 4 segments.*common=yes"):
        read_test_set(path, "appraise-batches")
    found = FORMATS.get("appraise-batches")(common=True).read(path)
    assert list(found.srcs) == ["Eins", "Ja.", "Ja."], "in the order of the test set, equal sources apart"
    assert found.docs == ("talk.1", "news.7", "news.7")
    assert list(found.systems["s"]) == ["One", "Yes.", "Yeah."]
    assert list(found.systems["t"]) == ["Un", "Oui.", "Si."]
    only = written(tmp_path, [{"items": [item("a", "b", "s"), item("c", "d", "t")], "task": LANGUAGES}])
    with pytest.raises(FormatError, match="there is not a single segment that every system translated"):
        FORMATS.get("appraise-batches")(common=True).read(only)


def test_batches_of_segments_with_joint_names_and_references_for_sources(tmp_path: Path) -> None:
    """As direct assessment and pairs were run at WMT 2019: no documents, the reference shown, several targets."""

    def direct(number: int, kind: str, text: str, target: str, system: str) -> dict[str, Any]:
        return {
            "_block": 0,
            "_item": 0,
            "itemID": number,
            "itemType": kind,
            "sourceID": "ref.de",
            "sourceText": text,
            "targetID": system,
            "targetText": target,
        }

    items = [
        direct(61, "TGT", "Zwei", "zwo", "s"),
        direct(8, "TGT", "Eins", "eins", "s+t"),
        direct(8, "BAD", "Eins", "ein Hund", "s"),
        direct(8, "REF", "Eins", "Eins", "ref.de"),
        {
            "itemID": 61,
            "itemType": "TGT",
            "sourceID": "ref.de",
            "sourceText": "Zwei",
            "targetsSize": 2,
            "targets": [{"targetID": "t", "targetText": "zwei"}, {"targetID": "s", "targetText": "zwo"}],
        },
    ]
    found = read_test_set(written(tmp_path, [{"items": items, "task": LANGUAGES}]))
    assert found.srcs is None
    assert list(found.refs["A"]) == ["Eins", "Zwei"]
    assert {name: list(lines) for name, lines in found.systems.items()} == {"s": ["eins", "zwo"], "t": ["eins", "zwei"]}


def test_documents_of_pairs(tmp_path: Path) -> None:
    items = [
        {
            "documentID": "d",
            "itemID": number,
            "itemType": "TGT",
            "segmentID": "x",
            "segmentText": text,
            "isCompleteDocument": number == 2,
            "targets": [{"targetID": "s", "targetText": f"s{number}"}, {"targetID": "t", "targetText": f"t{number}"}],
        }
        for number, text in enumerate(["Eins", "Zwei", "Eins Zwei"])
    ]
    found = read_test_set(written(tmp_path, [{"items": items, "task": LANGUAGES}]))
    assert list(found.srcs or ()) == ["Eins", "Zwei"]
    assert list(found.systems["t"]) == ["t0", "t1"]


def test_a_campaign_as_pearmut_keeps_it(tmp_path: Path) -> None:
    path = Path(__file__).parents[1] / "judgements" / "files" / "harbour.pearmut.json"
    found = read_test_set(path)
    assert list(found.systems["south"]) == ["Ship go eight.", "Thank.", "Fish fresh."], "each once, no lesson, no form"
    assert (found.name, found.docs) == ("harbour", ("doc-1", "doc-1", "doc-2"))
    several = written(tmp_path, f"[{path.read_text()}, {path.read_text()}]")
    with pytest.raises(FormatError, match="there are 2 campaigns in the file"):
        read_test_set(several, "pearmut-campaign")
    assert read_test_set(written(tmp_path, f"[{path.read_text()}]")) == found


@pytest.mark.parametrize("nested", [False, True])
def test_pearmut_campaigns(tmp_path: Path, nested: bool) -> None:
    documents = [
        [
            {"src": "Eins", "tgt": {"s": "One", "t": "Un"}, "ref": "One"},
            {"src": "Zwei", "tgt": {"s": "Two", "t": "De"}},
        ],
        [{"src": "Eins", "tgt": {"s": "ONE", "t": "UN"}}, {"src": "!", "tgt": {"s": "?"}, "validation": {"s": []}}],
        [{"text": "Who are you?", "form": "string"}],
    ]
    documents[1][1]["validation"] = {"s": {"score": [1, 2]}}
    value = {"campaign_id": "c", "info": {"assignment": "task-based"}, "data": [documents] if nested else documents}
    found = read_test_set(written(tmp_path, value))
    assert list(found.systems["t"]) == ["Un", "De", "UN"]
    assert list(found.refs["A"]) == ["One", None, None]
    assert found.docs == ("doc-1", "doc-1", "doc-2")


def test_pearmut_campaigns_without_a_source_of_one_model_a_document_and_of_old(tmp_path: Path) -> None:
    apart = [
        [{"item_id": "d_#_0", "tgt": {"s": "One"}}, {"item_id": "d_#_1", "tgt": {"s": "Two"}}],
        [{"item_id": "d_#_0", "tgt": {"t": "Un"}}, {"item_id": "d_#_1", "tgt": {"t": "Deux"}}],
    ]
    found = read_test_set(written(tmp_path, {"campaign_id": "c", "data": apart}))
    assert (found.srcs, found.docs) == (None, ("d", "d"))
    assert list(found.systems["t"]) == ["Un", "Deux"]
    old = [
        [{"src": "Eins", "models": ["s", "t"], "tgt": ["One", "Un"]}],
        [{"src": "Zwei", "tgt": {"s": "2", "t": "2"}}],
    ]
    found = read_test_set(written(tmp_path, {"campaign_id": "c", "data": old}))
    assert (list(found.systems["t"]), found.docs) == (["Un", "2"], None)
    mixed = [[{"src": "Eins", "tgt": {"s": "One"}}, {"tgt": {"s": "Two"}}]]
    with pytest.raises(FormatError, match="segment '2' of 'doc-1' has no source, but others have"):
        read_test_set(written(tmp_path, {"campaign_id": "c", "data": mixed}))


def test_names_that_pearmut_refuses(tmp_path: Path) -> None:
    form = FORMATS.make("pearmut-campaign")
    for name, systems, message in (
        ("c", {"12": ["x"]}, "whose name is a number"),
        ("a/b", {"s": ["x"]}, "'a/b' cannot"),
    ):
        with pytest.raises(DataError, match=message):
            form.write(TestSet(name=name, srcs=["y"], systems=systems), tmp_path / "x.pearmut.json")
