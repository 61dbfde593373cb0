"""`dragoman cat memory`, `analyse`, `check`, `consistency`, `terms`: from files to tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DragomanError, FormatError
from dragoman.store.refusals import Conflict, NotFound

UNITS = [
    ("Open the door.", "Öffnen Sie die Tür."),
    ("Close the door.", "Schließen Sie die Tür."),
    ("Press button 3.", "Drücken Sie Knopf 3."),
]


def run(*words: object) -> str:
    result = CliRunner().invoke(group, list(map(str, words)))
    if isinstance(result.exception, DragomanError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def tmx(tmp_path: Path) -> Path:
    body = "".join(
        f'<tu><tuv xml:lang="en"><seg>{s}</seg></tuv><tuv xml:lang="de"><seg>{t}</seg></tuv></tu>' for s, t in UNITS
    )
    path = tmp_path / "old.tmx"
    path.write_text(f'<tmx version="1.4"><header srclang="en"/><body>{body}</body></tmx>', encoding="utf-8")
    return path


@pytest.fixture
def bitext(tmp_path: Path) -> tuple[Path, Path]:
    sides = tmp_path / "m.en", tmp_path / "m.de"
    rows = [*UNITS, ("Open the door.", "Tür auf!"), ("Press button 4.", "Drücken Sie Knopf 5.")]
    for k, path in enumerate(sides):
        path.write_text("".join(f"{row[k]}\n" for row in rows), encoding="utf-8")
    return sides


def test_a_memory_is_made_filled_asked_and_written(tmp_path: Path, tmx: Path) -> None:
    db = ("--db", tmp_path / "d.db")
    run("cat", "memory", "new", "manuals", "--pair", "en-de", *db)
    assert "manuals" in run("cat", "memory", "list", *db)
    assert json.loads(run("cat", "memory", "import", "manuals", tmx, *db, "--json"))["rows"] == [
        {"file": "old.tmx", "memory": "manuals", "added": 3, "skipped": 0}
    ]
    with pytest.raises(Conflict, match=r"has 3 units of old\.tmx already: go on behind them with --resume"):
        run("cat", "memory", "import", "manuals", tmx, *db)
    run("cat", "memory", "import", "manuals", tmx, "--resume", *db)
    rows = json.loads(run("cat", "memory", "matches", "manuals", "Press button 7.", *db, "--json"))["rows"]
    assert (rows[0]["percent"], rows[0]["target"]) == (75, "Drücken Sie Knopf 7.")
    assert rows[0]["edit"] == "Press button [-3-]{+7+} ."
    found = run("cat", "memory", "concordance", "manuals", "tür", "--side", "target", "--form", "tsv", *db)
    assert "Schließen Sie die ‹Tür›." in found
    assert "1 units" in run("cat", "memory", "delete", "manuals", 1, 9, *db)
    run("cat", "memory", "export", "manuals", tmp_path / "new.tmx", *db)
    assert (tmp_path / "new.tmx").read_text(encoding="utf-8").count("<tu ") == 2
    with pytest.raises(NotFound, match="There is no memory 'x'; `dragoman cat memory list` lists those there are"):
        run("cat", "memory", "export", "x", tmp_path / "x.tmx", *db)


def test_an_import_that_breaks_off_says_how_to_go_on(tmp_path: Path, tmx: Path) -> None:
    db = ("--db", tmp_path / "d.db")
    run("cat", "memory", "new", "m", "--pair", "en-de", *db)
    tmx.write_text(tmx.read_text(encoding="utf-8").replace("</body>", ""), encoding="utf-8")
    result = CliRunner().invoke(group, list(map(str, ("cat", "memory", "import", "m", tmx, *db))))
    assert isinstance(result.exception, FormatError)
    assert result.stderr == "0 units of old.tmx are in the memory 'm'; --resume goes on behind them.\n"


def test_documents_are_analysed(tmp_path: Path, tmx: Path) -> None:
    document = tmp_path / "d.txt"
    document.write_text("Open the door.\nClose the doors.\nOpen the door.\nSomething entirely new.\n")
    weights = tmp_path / "w.toml"
    weights.write_text('"75-84" = 50\n')
    words = ("cat", "analyse", document, "--pair", "en-de", "--memory", tmx, "--weights", weights, "--json")
    answer = json.loads(run(*words))
    assert {row["kind"]: (row["segments"], row["words"]) for row in answer["rows"] if row["segments"]} == {
        "100": (2, 6),
        "75-84": (1, 3),
        "new": (1, 3),
        "total": (4, 12),
    }
    assert answer["meta"]["weighted_words"] == pytest.approx(6 * 0.3 + 3 * 0.5 + 3)


def test_translations_are_checked(bitext: tuple[Path, Path], tmp_path: Path) -> None:
    rows = json.loads(run("cat", "check", *bitext, "--json"))["rows"]
    assert {(row["segment"], row["check"]) for row in rows} == {
        (1, "unlike"),
        (4, "end-mark"),
        (4, "unlike"),
        (5, "numbers"),
    }
    glossary = tmp_path / "g.tsv"
    glossary.write_text("button\tTaste\n", encoding="utf-8")
    words = ("cat", "check", *bitext, "--check", "terms", "--glossary", glossary, "--json")
    messages = [row["message"] for row in json.loads(run(*words))["rows"]]
    assert messages == ["'button' should be 'Taste'."] * 2


def test_unlike_translations_are_listed(bitext: tuple[Path, Path], tmp_path: Path) -> None:
    answer = json.loads(run("cat", "consistency", *bitext, "--json"))
    assert answer["kind"] == "consistency"
    first = answer["rows"][0]
    assert (first["kind"], first["source"], first["segments"]) == ("segment", "Open the door.", "1 4")
    assert first["translations"] == "Öffnen Sie die Tür. (1) | Tür auf! (1)"
    assert answer["meta"]["segments"]["repeated"] == 1
    documents = tmp_path / "docs"
    documents.write_text("a\na\na\nb\nb\n")
    assert json.loads(run("cat", "consistency", *bitext, "--documents", documents, "--json"))["rows"] == []


def test_terms_are_extracted_into_a_glossary(tmp_path: Path) -> None:
    sides = tmp_path / "m.en", tmp_path / "m.de"
    pairs = [("the hard disk is full", "die Festplatte ist voll"), ("open the hard disk", "öffne die Festplatte")] * 5
    for k, path in enumerate(sides):
        path.write_text("".join(f"{pair[k]}\n" for pair in pairs), encoding="utf-8")
    answer = json.loads(run("cat", "terms", *sides, "--glossary", tmp_path / "g.tbx", "--json"))
    assert ("hard disk", "Festplatte") in {(row["source"], row["target"]) for row in answer["rows"]}
    assert "<term>Festplatte</term>" in (tmp_path / "g.tbx").read_text(encoding="utf-8")
