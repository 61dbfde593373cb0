"""`dragoman combine`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group

SYSTEMS = {
    "a": ["the cat sat on the mat", "we went home", "he likes wine", ""],
    "b": ["a cat sat on a mat", "we go home", "he likes wine", "it rains"],
    "c": ["the cat sits on the mat", "went we home", "him likes wine", "it rains"],
}
REF = ["the cat sat on the mat", "we went home", "he likes wine", "it rains"]
QUICK = ["--tuner", "mira:rounds=1"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, lines in {**SYSTEMS, "ref": REF}.items():
        (tmp_path / f"{name}.en").write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["combine", *arguments])


def train(*more: str) -> Result:
    return run("train", "a.en", "b.en", "c.en", "-r", "ref.en", "-o", "model", *QUICK, *more)


def test_outputs_are_combined_and_shown(files: Path) -> None:
    done = train("--json")
    assert done.exit_code == 0
    assert "vote a" in json.loads(done.output)["meta"]["weights"]
    done = run("apply", "a.en", "b.en", "c.en", "-m", "model", "-o", "out.en", "--html", "page.html", "--json")
    assert done.exit_code == 0
    shown = json.loads(done.output)
    assert [row["system"] for row in shown["rows"]] == ["a", "b", "c"]
    assert shown["meta"]["empty"] == {"a": 1, "b": 0, "c": 0}
    assert len((files / "out.en").read_text().splitlines()) == 4
    assert "Who contributed what" in (files / "page.html").read_text()
    done = run("apply", "c.en", "a.en", "b.en", "-m", "model", "-o", "again.en", "-r", "ref.en")
    assert done.exit_code == 0
    assert "best single system" in done.output
    assert (files / "again.en").read_text() == (files / "out.en").read_text()


def test_a_system_is_left_out_at_a_time(files: Path) -> None:
    done = run("ablate", "a.en", "b.en", "c.en", "-r", "ref.en", *QUICK, "--json")
    assert done.exit_code == 0
    rows = json.loads(done.output)["rows"]
    assert [row["combination"] for row in rows] == ["all", "without a", "without b", "without c"]


def test_outputs_are_chosen(files: Path) -> None:
    systems = ["a.en", "b.en", "c.en"]
    done = run("select", *systems, "-r", "ref.en", "--train", "-m", "chooser")
    assert done.exit_code == 0
    done = run("select", *systems, "-m", "chooser", "-o", "chosen.en", "--json")
    assert done.exit_code == 0
    chosen = (files / "chosen.en").read_text().splitlines()
    for row, line, *outputs in zip(json.loads(done.output)["rows"], chosen, *SYSTEMS.values(), strict=True):
        assert dict(zip(SYSTEMS, outputs, strict=True))[row["system"]] == line
    done = run("select", *systems, "-m", "chooser", "-r", "ref.en")
    assert "chosen" in done.output


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["train", "a.en", "-r", "ref.en", "-o", "new"], 1, "at least two systems are needed, got a"),
        (["train", "a.en", "short.en", "-r", "ref.en", "-o", "new"], 1, "short.en"),
        (["train", "a.en", "other/a.en", "-r", "ref.en", "-o", "new"], 1, "Two systems are called 'a'"),
        (["train", "a.en", "blank.en", "-r", "ref.en", "-o", "new"], 1, "The output of blank has no words at all"),
        (["train", "a.en", "b.en", "-o", "new"], 2, "--ref"),
        (["train", "a.en", "b.en", "-r", "ref.en", "-o", "new", "--align", "giza"], 2, "giza"),
        (["train", "a.en", "b.en", "-r", "ref.en", "-o", "new", "--metric", "bleo"], 1, "bleo"),
        (["apply", "a.en", "b.en", "-m", "nowhere", "-o", "new"], 1, "There is no model folder nowhere"),
        (["select", "a.en", "b.en", "-o", "new"], 2, "Name the chooser's folder with -m"),
        (["select", "a.en", "b.en", "-r", "ref.en", "--train", "-m", "new", "-o", "x"], 2, "leave -o out"),
    ],
)
def test_a_wrong_call_is_named_and_nothing_is_written(
    files: Path, arguments: list[str], code: int, problem: str
) -> None:
    (files / "short.en").write_text("one line\n")
    (files / "blank.en").write_text("\n" * 4)
    (files / "other").mkdir()
    (files / "other" / "a.en").write_text((files / "a.en").read_text())
    done = run(*arguments)
    assert done.exit_code == code
    assert problem in done.output + str(done.exception)
    assert not (files / "new").exists()
    assert not [path for path in files.iterdir() if path.name.startswith((".", "new", "x"))]


def test_systems_of_other_names_are_refused(files: Path) -> None:
    assert train().exit_code == 0
    done = run("apply", "a.en", "b.en", "x=c.en", "-m", "model", "-o", "out.en")
    assert done.exit_code == 1
    assert "knows the systems a, b, c; got a, b, x" in str(done.exception)
    assert not (files / "out.en").exists()
    assert run("apply", "a.en", "b.en", "c=a.en", "-m", "model", "-o", "out.en").exit_code == 0
