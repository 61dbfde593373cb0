"""Appraise's batches and Pearmut's campaigns as test sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dragoman.data.convert import read_test_set
from dragoman.errors import FormatError


def item(source: str, text: str, system: str = "s", doc: str = "d", kind: str = "TGT", **more: Any) -> dict[str, Any]:
    return {
        "sourceText": source, "targetText": text, "targetID": system, "documentID": doc, "itemType": kind, **more
    }  # fmt: skip


def written(folder: Path, value: Any) -> Path:
    path = folder / "file.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


LANGUAGES = {"sourceLanguage": "deu", "targetLanguage": "eng"}


def test_batches_give_each_output_once(tmp_path: Path) -> None:
    first = [
        item("Eins", "One"), item("Zwei", "Two"), item("Eins", "On", doc="d#bad", kind="BAD"),
        item("Eins", "One", doc="d#dup"), item("", "", kind="REF"), item("x", "y", isCompleteDocument=True),
        item("x", "y", doc="tutorial1"),
    ]  # fmt: skip
    second = [item("Zwei", "Deux", "t"), item("Eins", "Un", "t")]
    tasks = [{"items": first, "task": LANGUAGES}, {"items": second, "task": LANGUAGES}]
    found = read_test_set(written(tmp_path, tasks))
    assert list(found.srcs or ()) == ["Eins", "Zwei"]
    assert {name: list(lines) for name, lines in found.systems.items()} == {"s": ["One", "Two"], "t": ["Un", "Deux"]}
    assert (found.source_lang, found.target_lang, found.docs) == ("de", "en", ("d", "d"))


@pytest.mark.parametrize(("items", "message"), [
    ([item("Eins", "One"), item("Eins", "Un")], "'s' has two translations"),
    ([item("Eins", "One"), item("Zwei", "Deux", "t")], "'s' has 1 of 2 segments; it lacks 'Zwei' of 'd'"),
    ([item("Eins", None)], "targetText is 'None'; expected text"),  # type: ignore[arg-type]
    ([item("Eins", ["One"])], "an item has several texts"),  # type: ignore[arg-type]
    ([item("Eins", "One", kind="BAD")], "there is not a single output of a system"),
    (["targetID"], "an item is 'targetID'; expected an object"),
])  # fmt: skip
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
        read_test_set(written(tmp_path, []), "pearmut-campaign")
    with pytest.raises(FormatError, match="tgt is 'None'; expected outputs by system"):
        read_test_set(written(tmp_path, {"campaign_id": "c", "data": [[{"src": "x"}]]}), "pearmut-campaign")
    other = {"items": [item("Eins", "One")], "task": {"sourceLanguage": "ces", "targetLanguage": "eng"}}
    with pytest.raises(FormatError, match="of 2 language pairs"):
        read_test_set(written(tmp_path, [{"items": [item("Eins", "One")], "task": LANGUAGES}, other]))


@pytest.mark.parametrize("nested", [False, True])
def test_pearmut_campaigns(tmp_path: Path, nested: bool) -> None:
    documents = [
        [
            {"src": "Eins", "tgt": {"s": "One", "t": "Un"}, "ref": "One"},
            {"src": "Zwei", "tgt": {"s": "Two", "t": "De"}},
        ],
        [{"src": "Eins", "tgt": {"s": "ONE", "t": "UN"}}, {"src": "!", "tgt": {"s": "?"}, "validation": {"s": []}}],
    ]
    value = {"campaign_id": "c", "info": {"assignment": "task-based"}, "data": [documents] if nested else documents}
    found = read_test_set(written(tmp_path, value))
    assert list(found.systems["t"]) == ["Un", "De", "UN"]
    assert list(found.refs["A"]) == ["One", None, None]
    assert found.docs == ("doc-1", "doc-1", "doc-2")
