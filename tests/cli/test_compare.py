from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.report.packing import unpack
from dragoman.samples import sample_path


def path(name: str) -> str:
    return str(sample_path(f"testset/{name}"))


SYSTEMS = [path(f"systems/{name}.en") for name in ("cobalt", "atlas", "ember")]
REF = ["-r", path("reference-A.en")]


def run(*words: str) -> Result:
    return CliRunner().invoke(group, list(words), catch_exceptions=True)


def test_json_rows_and_meta() -> None:
    done = run(
        "compare",
        f"base={SYSTEMS[0]}",
        SYSTEMS[1],
        *REF,
        "-m",
        "bleu",
        "--test",
        "randomization",
        "--trials",
        "200",
        "--json",
    )
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert found["kind"] == "comparison"
    (row,) = found["rows"]
    assert list(row)[:5] == ["baseline", "system", "metric", "delta", "p"]
    assert (row["baseline"], row["system"], row["metric"]) == ("base", "atlas", "bleu")
    assert found["meta"]["test"] == "randomisation"
    assert found["meta"]["trials"] == 200
    assert found["meta"]["n_segments"] == 80


def test_the_report_is_written(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = run(
        "compare",
        *SYSTEMS,
        *REF,
        "-s",
        path("source.de"),
        "-m",
        "bleu",
        "--trials",
        "100",
        "--langs",
        "de-en",
        "--html",
        str(page),
    )
    assert done.exit_code == 0, done.output
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(("pair", "source", "target"), [("deu-eng", "de", "en"), ("pt-BR-en", "pt-BR", "en")])
def test_a_pair_is_the_same_in_all_codes(tmp_path: Path, pair: str, source: str, target: str) -> None:
    page = tmp_path / "report.html"
    done = run(
        *("compare", *SYSTEMS, *REF, "-s", path("source.de"), "-m", "bleu", "--trials", "10"),
        *("--langs", pair, "--html", str(page)),
    )
    assert done.exit_code == 0, done.output
    packed = re.search(r'<script[^>]*id="data"[^>]*>([^<]*)<', page.read_text(encoding="utf-8"))
    assert packed is not None
    data = unpack(packed[1])
    assert (data["sourceLang"], data["targetLang"]) == (source, target)


def test_taggers_and_base_forms_are_named_and_used() -> None:
    call = ("compare", *SYSTEMS[:2], *REF, "-m", "bleu", "--trials", "50")
    done = run(*call, "--layer", "pos=hanta:lang=en", "--layer", "stem=snowball:lang=en", "--json")
    assert done.exit_code == 0, done.output
    meta = json.loads(done.output)["meta"]
    assert "part of speech" in [each["by"] for each in meta["breakdowns"]]
    assert meta["errors"]["meta"]["base"] == "snowball+lang=en"
    assert "Did you mean 'hanta'?" in str(run(*call, "--layer", "pos=hantu").exception)
    assert "gives stem, not pos" in str(run(*call, "--layer", "pos=snowball:lang=en").exception)
    assert "of which language?" in str(run(*call, "--layer", "pos=hanta").exception)
    assert run(*call, "--layer", "pos=hanta", "--langs", "de-en").exit_code == 0


def test_a_wrong_name_or_one_system_is_said(tmp_path: Path) -> None:
    done = run("compare", *SYSTEMS, *REF, "-m", "blue")
    assert done.exit_code == 2
    assert "Did you mean 'bleu'?" in done.output
    alone = run("compare", SYSTEMS[0], *REF)
    assert isinstance(alone.exception, DataError)
    assert "at least two systems, got 1" in str(alone.exception)
    short = tmp_path / "short.en"
    short.write_text("one line\n", encoding="utf-8")
    assert "80" in str(run("compare", SYSTEMS[0], str(short), *REF).exception)


@pytest.mark.parametrize(("order", "code"), [((0, 1), 0), ((1, 0), 1)])
def test_the_gate_answers_with_its_exit_code(order: tuple[int, int], code: int, tmp_path: Path) -> None:
    junit = tmp_path / "gate.xml"
    files = [SYSTEMS[number] for number in order]
    done = run("gate", *files, *REF, "-m", "bleu", "-m", "wer", "--junit", str(junit), "--form", "markdown")
    assert done.exit_code == code, done.output
    assert done.output.startswith("**Gate: passed**" if code == 0 else "**Gate: FAILED**")
    assert ElementTree.parse(junit).getroot().get("failures") == ("0" if code == 0 else "2")


def test_a_drop_that_is_allowed_passes_the_gate() -> None:
    done = run("gate", SYSTEMS[1], SYSTEMS[0], *REF, "-m", "bleu", "--min-delta", "-90", "--json")
    assert done.exit_code == 0
    assert json.loads(done.output)["meta"]["passed"] is True
