"""Keep, Substitute and Delete from post-edits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import group
from dragoman.errors import DragomanError
from dragoman.qe.files import read_labels, read_words
from dragoman.qe.words.labels import edit_labels

lines = st.lists(st.sampled_from("abc"), max_size=6).map(" ".join)


def distance(a: list[str], b: list[str]) -> int:
    """Word error rate's edits, by the obvious recursion."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        left, row[0] = row[0], i
        for j, y in enumerate(b, start=1):
            left, row[j] = row[j], min(left + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def test_a_sentence_by_hand() -> None:
    result = edit_labels(["the cat cat sat mat", "", "x"], ["the cat sat at", "a b", ""])
    assert result.labels[1:] == ((), ("Delete",))
    assert result.labels[0].count("Delete") == 1
    assert result.labels[0].count("Substitute") == 1
    assert result.binary()[2] == ("Change",)
    assert result.n_inserted == 2
    assert [(row["label"], row["words"]) for row in result.tables()[0].records()] == [
        ("Keep", 3),
        ("Substitute", 1),
        ("Delete", 2),
    ]


@given(st.lists(st.tuples(lines, lines), max_size=5))
def test_labels_are_a_shortest_way_from_output_to_post_edit(pairs: list[tuple[str, str]]) -> None:
    outputs, edits = [a for a, _ in pairs], [b for _, b in pairs]
    for n_threads in (1, 2, 7):
        result = edit_labels(outputs, edits, n_threads=n_threads)
        changed = sum(label != "Keep" for line in result.labels for label in line)
        assert changed + result.n_inserted == sum(distance(a.split(), b.split()) for a, b in pairs)
        assert [len(line) for line in result.labels] == [len(a.split()) for a in outputs]
        for labels, output, edit in zip(result.labels, outputs, edits, strict=True):
            kept = [word for word, label in zip(output.split(), labels, strict=True) if label == "Keep"]
            rest = iter(edit.split())
            assert all(word in rest for word in kept)  # in this order


def test_the_command_writes_what_training_reads(tmp_path: Path) -> None:
    (tmp_path / "mt").write_text("a b\nc\n")
    (tmp_path / "pe").write_text("a x\nd c\n")
    files = {name: str(tmp_path / name) for name in ("mt", "pe", "table", "tags")}
    asked = ["qe", "words", "labels", files["mt"], files["pe"], "--table", files["table"], "--tags", files["tags"]]
    done = CliRunner().invoke(group, [*asked, "--binary", "--json"])
    meta = json.loads(done.stdout)["meta"]
    assert (meta["n"], meta["n_words"], meta["n_inserted"]) == (2, 3, 1)
    assert list(read_labels(files["table"], "error").values()) == [["Keep", "Substitute"], ["Keep"]]
    assert list(read_labels(files["table"], "level-1").values()) == [["Keep", "Change"], ["Keep"]]
    assert list(read_words(files["table"]).values()) == [["a", "b"], ["c"]]
    assert (tmp_path / "tags").read_text() == "Keep Change\nKeep\n"
    with pytest.raises(DragomanError):
        edit_labels(["a"], [])
