from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import dragoman.samples

SAMPLE = Path(dragoman.samples.__file__).parent / "testset"


def run(*words: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from dragoman.cli.main import main; main()", "convert", *words],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "testset").symlink_to(SAMPLE)
    return tmp_path


def test_the_report(here: Path) -> None:
    done = run("testset", "testset.xml", cwd=here)
    assert done.stderr == ""
    assert done.stdout == (
        "input    output       from           to       items  lost\n"
        "───────  ───────────  ─────────────  ───────  ─────  ────\n"
        "testset  testset.xml  testset-lines  wmt-xml     80  –\n"
    )
    assert (here / "testset.xml").read_text(encoding="utf-8").splitlines()[:6] == [
        "<?xml version='1.0' encoding='utf-8'?>",
        '<dataset id="testset">',
        '  <doc origlang="de" id="travel-1" domain="travel">',
        '    <src lang="de">',
        "      <p>",
        '        <seg id="1">Unser Zug nach Wien fährt morgen um 7.15 Uhr vom Hauptbahnhof ab.</seg>',
    ]


def test_what_is_lost_is_said(here: Path) -> None:
    done = run("testset", "wmt", "--to", "mtme", "--json", cwd=here)
    answer = json.loads(done.stdout)
    assert answer["kind"] == "conversion"
    assert answer["rows"] == [
        {"input": "testset", "output": "wmt", "from": "testset-lines", "to": "mtme", "items": 80, "lost": "origlangs"}
    ]
    assert (here / "wmt" / "system-outputs" / "de-en" / "atlas.txt").is_file()
    assert run("testset", "wmt2", "--to", "mtme", cwd=here).stdout.endswith("mtme has no place for: origlangs.\n")


def test_data_through_the_pipe(here: Path) -> None:
    done = run("-", "-", "--from", "tsv", "--to", "csv", cwd=here, stdin='a\tb\nü\t"x"\n')
    assert (done.stdout, done.stderr) == ('a,b\nü,"""x"""\n', "")
    assert run("-", "-", cwd=here, stdin="eins\r\nzwei").stdout == "eins\nzwei\n"
    done = run("-", "-", "--json", "-o", "report.json", cwd=here, stdin="x\n")
    assert done.stdout == "x\n"
    assert json.loads((here / "report.json").read_text())["rows"][0]["items"] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.tsv", "a.csv"], "There is no file none.tsv."),
        (
            ["testset", "a.parquet"],
            "Cannot convert testset to parquet (a table): testset-lines holds a test set and converts to mtme, "
            "pearmut-campaign, sgm, testset-jsonl, testset-lines, testset-tsv, wmt-xml.",
        ),
        (["testset", "none/a.sgm"], "Cannot write none/a.sgm: there is no folder {here}/none. Make it first."),
        (["testset", "here.xml"], "here.xml is a directory; name a file to write."),
        (["testset", "."], ". holds bad.tsv, which is no part of a test set; name another folder."),
        (
            ["bad.tsv", "a.csv"],
            "bad.tsv:2: byte 1 of the line (0xFF) is not UTF-8. If the file is Latin-1, convert it "
            "with: iconv -f ISO-8859-1 -t UTF-8",
        ),
        (
            ["laughs.xml", "a.sgm"],
            "laughs.xml:1: the file declares an entity 'a'; for safety that is not read. Write its text out.",
        ),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_1(here: Path, words: list[str], message: str) -> None:
    (here / "here.xml").mkdir()
    (here / "bad.tsv").write_bytes(b"a\n\xff\n")
    (here / "laughs.xml").write_text('<!DOCTYPE a [<!ENTITY a "ha">]><dataset/>')
    before = sorted(here.iterdir())
    done = run(*words, cwd=here)
    assert done.returncode == 1
    assert done.stderr == f"dragoman: {message.format(here=here)}\n"
    assert done.stdout == ""
    assert sorted(here.iterdir()) == before


def test_an_unknown_format_is_a_wrong_call(here: Path) -> None:
    done = run("testset", "x", "--to", "smg", cwd=here)
    assert done.returncode == 2
    assert "No format is called 'smg'. Did you mean 'sgm'?" in done.stderr
