"""Pearmut's log: one that Pearmut 1.1.6 wrote while a browser judged, and the odd cases one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data import FORMATS, read_judgements
from dragoman.data.judgements.pearmut_log import _span, pearmut_spans
from dragoman.errors import FormatError

FILES = Path(__file__).parent / "files"
SPAN = {"start_i": 0, "end_i": 2, "category": None, "severity": "major"}


def test_a_log_of_the_tool_itself() -> None:
    """Two people with tasks of their own, a form, a lesson that was skipped, a reset, an emoji, a [missing]."""
    table = read_judgements([FILES / "harbour.pearmut.jsonl"])
    rows = [(row["annotator"], row["system"], row["segment"], row["doc_segment"], row["score"]) for row in table.rows()]
    assert rows == [
        ("ines", "north", 1, 1, 70.0),
        ("ines", "south", 1, 1, 20.0),
        ("ines", "north", 2, 2, 95.0),
        ("ines", "south", 2, 2, 60.0),
        ("ines", "north", 3, 1, 90.0),
        ("ines", "south", 3, 1, 40.0),
        ("otto", "north", 3, 1, 85.0),
        ("otto", "south", 3, 1, 35.0),
    ]
    first, second = list(table.rows())[:2]
    assert str(first["target"])[int(first["start"] or 0) : int(first["end"] or 0)] == "leaves", "behind an emoji"
    assert (second["is_omission"], second["start"], second["severity"]) == (True, None, "major")


def test_what_the_dashboard_hands_out(tmp_path: Path) -> None:
    entries = [json.loads(line) for line in (FILES / "harbour.pearmut.jsonl").read_text().splitlines()]
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps({"harbour": entries}))
    assert list(read_judgements([path]).rows()) == list(read_judgements([FILES / "harbour.pearmut.jsonl"]).rows())
    path.write_text(json.dumps({"harbour": entries, "other": entries}))
    assert set(read_judgements([path])["segment"]) == {1, 2, 3, 4, 5, 6}, "two campaigns have segments of their own"


def line(user: str, place: Any, annotation: Any, *, item: Any = None, **more: Any) -> str:
    shown = item or [{"src": "Hund", "tgt": {"A": "the dog", "B": "dog"}}]
    return json.dumps({"annotation": annotation, "item": shown, "user_id": user, "item_i": place, **more}) + "\n"


def write(folder: Path, text: str) -> Path:
    path = folder / "x.jsonl"
    path.write_text(text)
    return path


def test_said_again_said_in_part_and_not_said(tmp_path: Path) -> None:
    once = [{"A": {"score": 60, "error_spans": [SPAN]}}]
    other = [{"B": {"score": 90, "error_spans": []}}]
    again = [{"A": {"score": 50, "error_spans": []}}]
    check = [{"src": "Hund", "tgt": {"A": "dog"}, "validation": {"A": {"score": [90, 100]}}}]
    times = [{"time": 5.0, "action": "load"}, {"time": 8.5, "action": "score"}, {"time": 900.0, "action": "submit"}]
    text = (
        line("u", 0, once)
        + line("u", 0, other)  # a dynamic campaign asks for one system after the other
        + line("u", 0, again, actions=times)
        + line("u", 1, [{"A": {"score": 1}}], item=check)
        + line("v", "random_0", once)
        + line("v", 2, [None])
        + line("w", 7, [{"A": {"sliders": {"Overall": 33}}}])
    )
    table = read_judgements([write(tmp_path, text)])
    rows = [(row["annotator"], row["system"], row["segment"], row["score"]) for row in table.rows()]
    assert rows == [("u", "B", 1, 90.0), ("u", "A", 1, 50.0), ("w", "A", 1, 33.0)], "one text, wherever it stood"
    assert table["seconds"] == (None, 64.5, None), "a pause counts as a minute and a second, as Pearmut counts"


def test_segments_without_names_are_known_within_their_document(tmp_path: Path) -> None:
    one = [{"src": "Danke.", "tgt": {"A": "Thanks."}}, {"src": "Danke.", "tgt": {"A": "Thank you."}}]
    two = [{"src": "Bitte.", "tgt": {"A": "Please."}}, {"src": "Danke.", "tgt": {"A": "Thanks."}}]
    said = [{"A": {"score": 1}}, {"A": {"score": 2}}]
    table = read_judgements([write(tmp_path, line("u", 0, said, item=one) + line("u", 1, said, item=two))])
    assert table["segment"] == (1, 2, 3, 4)
    assert table["doc"] == ("doc-1", "doc-1", "doc-2", "doc-2")
    named = [{"item_id": "en_#_d7_#_3", "src": "Danke.", "tgt": {"A": "x"}}]
    assert read_judgements([write(tmp_path, line("u", 0, said[:1], item=named))])["doc"] == ("en_#_d7",)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ('{"user_id": 1}\n', "the object has no item_i, item, annotation"),
        ("[]\n", "a list stands where an object is expected"),
        ("{\n", "this is no JSON"),
        (line("u", 0, [{}, {}]), "item and annotation are not lists of one length"),
        (line("u", 0, [{"A": 1}]), "the answer for 'A' is '1'; expected an object"),
        (line("u", 0, [{"A": {"error_spans": 1}}]), "the spans are '1'; expected a list of objects"),
        (line("u", 0, [{"A": {"error_spans": [{"start_i": 1}]}}]), "a span begins at 1 and ends at None"),
        (line("u", 0, [1], item=[1]), "an item holds something that is no object"),
        (line("u", 0, [{"A": {"sliders": {"f": 1, "a": 2}}}]), "there are several sliders, f, a"),
    ],
)
def test_wrong_lines_are_named(tmp_path: Path, wrong: str, message: str) -> None:
    good = line("v", 3, [{"A": {"score": 60}}])
    path = write(tmp_path, good + wrong)
    with pytest.raises(FormatError, match=rf"x\.jsonl:2: {message}"):
        FORMATS.make("pearmut").read(path)
    assert read_judgements([path], on_bad="drop").n_dropped == 1


@given(st.text(min_size=1), st.data())
def test_spans_go_there_and_back(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    row: dict[str, Any] = {
        "target": text,
        "start": start,
        "end": end,
        "is_omission": None,
        "severity": "minor",
        "category": data.draw(st.sampled_from([None, "Style", "Style/Awkward"])),
    }
    gap = row | {"start": None, "end": None, "is_omission": True}
    there = pearmut_spans([row, gap])
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    assert there[0]["end_i"] < units == there[1]["start_i"]
    assert _span(there[0], text) == {"start": start, "end": end, "severity": "minor", "category": row["category"]}
    assert _span(there[1], text) == {"is_omission": True, "severity": "minor", "category": row["category"]}
