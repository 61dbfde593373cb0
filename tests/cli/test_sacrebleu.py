"""sacreBLEU's command lines, given to it and to `dragoman sacrebleu`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman import __version__
from dragoman.cli.main import group
from dragoman.errors import DataError, NotAvailable
from dragoman.samples import copy_samples

# sacreBLEU 2.6.0 cannot write the float32 of its own paired bootstrap as JSON: it gets help.
PEER = """
import json, sys, sacrebleu.sacrebleu as tool, sacrebleu.utils as utils
own = json.dumps
utils.json.dumps = lambda value, **options: own(value, default=float, **options)
sys.argv = ["sacrebleu", *sys.argv[1:]]
tool.main()
"""
SYSTEMS = ["testset/systems/atlas.en", "testset/systems/cobalt.en", "testset/systems/ember.en"]
A, B = "testset/reference-A.en", "testset/reference-B.en"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spellings")
    copy_samples(folder)
    columns = zip(*((folder / name).read_text(encoding="utf-8").splitlines() for name in (A, B)), strict=True)
    (folder / "columns.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in columns), encoding="utf-8")
    (folder / "wide.en").write_bytes((folder / SYSTEMS[0]).read_text(encoding="utf-8").encode("utf-16"))
    cache = folder / "cache" / "wmt13"
    cache.mkdir(parents=True)
    for field, source in {"src": "testset/source.de", "ref": A, "docid": A, "genre": A, "origlang": A}.items():
        (cache / f"wmt13.de-en.{field}").write_bytes((folder / source).read_bytes())
    return folder


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SACREBLEU", str(folder / "cache"))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("SACREBLEU_FORMAT", raising=False)


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(group, ["sacrebleu", *words], input=stdin)


def ours(*words: str, stdin: str | None = None) -> str:
    done = run(*words, stdin=stdin)
    assert done.exit_code == 0, done.output
    return re.sub(rf"(version|v)(\"?: ?\"?)dragoman-{re.escape(__version__)}", r"\1\g<2>VERSION", done.stdout)


def theirs(*words: str, stdin: str | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PEER, *words],
        input=None if stdin is None else stdin.encode(),
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONUTF8": "1"},
    )
    return re.sub(r"(version|v)(\"?: ?\"?)2\.6\.\d", r"\1\g<2>VERSION", done.stdout.decode())


@pytest.mark.parametrize(
    "line",
    [
        f"{A} -i {SYSTEMS[0]}",
        f"{A} {B} -i {SYSTEMS[0]} -m bleu chrf ter -w 4",
        f"{A} {B} -i {SYSTEMS[0]} -m ter bleu chrf -f text -sh",
        f"{A} {B} -i {SYSTEMS[0]} -m ter bleu chrf -b -f text -w 3",
        f"{A} -i {SYSTEMS[0]} -m bleu chrf -b",
        f"{A} -i {SYSTEMS[0]} -lc -tok intl -s floor -sv 0.2 -f text -w 5",
        f"{A} -i {SYSTEMS[0]} --smooth-method add-k --tokenize char -f text -q --force",
        f"{A} -i {SYSTEMS[2]} -m chrf --chrf-word-order 2 --chrf-beta 3 --chrf-lowercase --chrf-char-order 4 -w 6",
        f"{A} -i {SYSTEMS[2]} -m chrf --chrf-whitespace --chrf-eps-smoothing -cw 1 -w 6",
        f"{A} -i {SYSTEMS[2]} -m ter --ter-case-sensitive --ter-normalized --ter-no-punct --ter-asian-support -w 6",
        f"{A} -i {SYSTEMS[2]} -m bleu -sl -w 4",
        f"{A} {B} -i {SYSTEMS[2]} -m ter --sentence-level -b",
        f"{A} -i {SYSTEMS[1]} --confidence --confidence-n 300 -w 3",
        f"{A} -i {SYSTEMS[1]} -m bleu chrf -ci -f text",
        f"{A} -i {' '.join(SYSTEMS)} -m bleu chrf ter -w 2",
        f"columns.tsv --num-refs 2 -i {SYSTEMS[0]} -m bleu",
        f"-t wmt13 -l de-en -i {SYSTEMS[0]} -m bleu chrf",
        "-t wmt13 -l de-en --echo src ref",
    ],
)
def test_what_is_printed_is_sacrebleus(line: str) -> None:
    assert ours(*line.split()) == theirs(*line.split())


@pytest.mark.parametrize(
    "line",
    [
        f"{A} -i {' '.join(SYSTEMS[:2])} -m chrf --paired-bs -f json",
        f"{A} {B} -i {' '.join(SYSTEMS)} -m ter bleu --paired-bs --paired-bs-n 200",
        f"{A} -i {' '.join(SYSTEMS)} -m bleu ter --paired-ar --paired-ar-n 300",
    ],
)
def test_paired_tests_are_sacrebleus(line: str) -> None:
    own, peer = (json.loads(side(*line.split())) for side in (ours, theirs))
    assert [list(row) for row in own] == [list(row) for row in peer]
    for row, expected in zip(own, peer, strict=True):
        assert row.pop("system") == expected.pop("system")
        for metric, values in expected.items():
            assert row[metric]["score"] == pytest.approx(values["score"], abs=1e-9)
            assert row[metric]["p_value"] == values["p_value"]
            for key in ("mean", "ci"):  # sacreBLEU resamples in single precision
                assert row[metric][key] == (None if values[key] is None else pytest.approx(values[key], abs=2e-4))


def test_the_text_of_a_paired_test_has_its_numbers_and_signatures() -> None:
    line = f"{A} -i {' '.join(SYSTEMS)} -m bleu ter --paired-bs --paired-bs-n 200 -f text"
    own, peer = ours(*line.split()), theirs(*line.split())
    for pattern in (r"\d+\.\d \(\d+\.\d ± \d+\.\d\)", r"\(p = \d\.\d{4}\)\*?", r"nrefs:\S+"):
        assert re.findall(pattern, own) == re.findall(pattern, peer)
    latex = ours(*line.replace("-f text", "-f latex").split())
    assert r"\toprule" in latex
    assert len(re.findall(r"\(p = ", latex)) == 4


def test_output_that_looks_tokenised_is_called_by_its_file(tmp_path: Path) -> None:
    """It was called 1."""
    for name in ("ref", "mine.en"):
        (tmp_path / name).write_text("It works .\n" * 100, encoding="utf-8")
    done = run(str(tmp_path / "ref"), "-i", str(tmp_path / "mine.en"), "-b")
    assert done.stderr.count("lines or more of") == 1
    assert f"100 lines or more of {tmp_path / 'mine.en'} end in a full stop" in done.stderr
    assert not run(str(tmp_path / "ref"), "-i", str(tmp_path / "mine.en"), "-b", "--force").stderr


def test_standard_input_is_the_system(folder: Path) -> None:
    text = (folder / SYSTEMS[0]).read_text(encoding="utf-8")
    for words in ([A], [A, B, "-m", "chrf", "-b"], ["-t", "wmt13", "-l", "de-en"]):
        assert ours(*words, stdin=text) == theirs(*words, stdin=text)


def test_tabs_in_standard_input_separate_systems(folder: Path) -> None:
    columns = [(folder / name).read_text(encoding="utf-8").splitlines() for name in SYSTEMS[:2]]
    text = "".join("\t".join(row) + "\n" for row in zip(*columns, strict=True))
    assert ours(A, stdin=text) == theirs(A, stdin=text)
    own, peer = (json.loads(side(A, "--paired-ar", "-parn", "100", stdin=text)) for side in (ours, theirs))
    assert [row["system"] for row in own] == [row["system"] for row in peer] == ["Baseline", "System 1"]
    ragged = run(A, stdin=text + "one field\n")
    assert "standard input:81: expected 2 columns, separated by tabs, found 1." in str(ragged.exception)


def test_the_environment_chooses_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_FORMAT", "text")
    assert ours(A, "-i", SYSTEMS[0], "-f", "json") == theirs(A, "-i", SYSTEMS[0], "-f", "json")
    assert json.loads(run(A, "-i", SYSTEMS[0], "--json").stdout)["kind"] == "sacrebleu report"


def test_our_forms_go_with_its_spellings() -> None:
    plain = json.loads(run(A, "-i", *SYSTEMS, "-m", "bleu", "chrf", "--threads", "2", "--json").stdout)
    assert (plain["kind"], len(plain["rows"])) == ("sacrebleu report", 6)
    assert plain["rows"][0]["system"] == SYSTEMS[0]
    tested = json.loads(run(A, "-i", *SYSTEMS, "--paired-bs", "-pbsn", "100", "-j", "0", "--json").stdout)
    assert [row["p"] is None for row in tested["rows"]] == [True, False, False]
    meta = tested["meta"]
    assert (meta["test"], meta["trials"], meta["seed"]) == ("sacrebleu-bs", 100, 12345)
    assert "equal systems get the smallest p there is" in meta["note"]
    lower = json.loads(run(A, "-i", SYSTEMS[0], "-lc", "-tok", "intl", "--json").stdout)["rows"][0]
    assert lower["metric"] == "bleu:tokeniser=intl,lowercase=yes"
    segments = json.loads(run(A, "-i", SYSTEMS[0], "-sl", "--json").stdout)
    assert (segments["kind"], len(segments["rows"])) == ("scores", 80)


def test_other_encodings() -> None:
    expected = json.loads(ours(A, "-i", SYSTEMS[0]))["score"]
    found = run("wide.en", "-i", "wide.en", "-e", "utf-16")
    assert json.loads(found.stdout)["score"] == 100.0
    assert expected < 100.0
    assert "Python knows no encoding 'utf-99' (-e)." in run(A, "-i", SYSTEMS[0], "-e", "utf-99").output
    german = run("testset/source.de", "-i", "testset/source.de", "-e", "ascii")
    assert "testset/source.de is not ascii: ordinal not in range(128) at byte" in str(german.exception)


def test_the_target_language_chooses_the_tokeniser() -> None:
    assert "|tok:zh|" in ours(A, "-i", SYSTEMS[0], "-l", "en-zh")
    assert "|tok:13a|" in ours(A, "-i", SYSTEMS[0], "-l", "en-zh", "-tok", "13a")


def test_metrics_and_systems_may_stand_before_the_reference() -> None:
    for words in (["-m", "chrf", "bleu", A, "-i", SYSTEMS[0]], ["-i", SYSTEMS[0], "-m", "chrf", "bleu", "--", A]):
        rows = json.loads(run("--json", *words).stdout)["rows"]
        assert [row["metric"] for row in rows] == ["bleu", "chrf"]


def test_test_sets_are_listed() -> None:
    rows = json.loads(run("--list", "-l", "de-en", "--json").stdout)["rows"]
    assert rows == [{"name": "wmt13 de-en", "description": "src, ref, docid, genre, origlang"}]
    assert json.loads(run("--list", "-t", "wmt14", "--json").stdout)["rows"] == []


def test_a_test_set_that_is_not_there_is_not_fetched() -> None:
    missing = run("-t", "wmt14", "-l", "de-en", "-i", SYSTEMS[0])
    assert isinstance(missing.exception, NotAvailable)
    assert "There is no wmt14 de-en in" in str(missing.exception)
    assert "run `sacrebleu -t wmt14 -l de-en --echo ref` once where there is a network" in str(missing.exception)
    assert "There: wmt13 de-en." in str(missing.exception)
    unknown = run("-t", "wmt13", "-l", "de-en", "--echo", "ref:A")
    assert "wmt13 de-en has no field 'ref:A'. Known: src, ref, docid, genre, origlang." in str(unknown.exception)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-i", SYSTEMS[0]], "Name a reference, REF -i SYSTEM, or a test set with -t and -l."),
        ([A], "Standard input has nothing to score."),
        (["-t", "wmt13", "-i", SYSTEMS[0]], "A test set (-t) needs a language pair: -l en-de."),
        (["-t", "wmt13", "-l", "de-en", A, "-i", SYSTEMS[0]], "from a test set (-t) or from files, not from both."),
        ([A, B, "-nr", "2", "-i", SYSTEMS[0]], "--num-refs is for references in the columns of one file."),
        ([A, "-i", *SYSTEMS, "-sl"], "-sl takes one system and one metric, without a test or an interval."),
        ([A, "-i", *SYSTEMS, "-par", "-pbs"], "--paired-bs and --paired-ar do not go together."),
        ([A, "-i"], "requires an argument"),
        ([A, "-m", "-b"], "requires an argument"),
        ([A, "-i", SYSTEMS[0], "-tok", "intel"], "No tokeniser is called 'intel'. Did you mean 'intl'?"),
        ([A, "-i", SYSTEMS[0], "-m", "blue"], "No metric is called 'blue'. Did you mean 'bleu'?"),
    ],
)
def test_wrong_calls(words: list[str], message: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.output.replace("\n", " ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([A, "-i", SYSTEMS[0], SYSTEMS[0]], f"The system {SYSTEMS[0]} is given twice."),
        ([A, "-i", SYSTEMS[0], "--paired-bs"], "A paired test needs at least two systems, got 1."),
        ([A, "-i", *SYSTEMS, "--confidence"], "The interval of sacreBLEU is for one system;"),
        (["columns.tsv", "-nr", "3", "-i", SYSTEMS[0]], "columns.tsv:1: expected 3 columns, separated by tabs, found"),
        ([A, "-i", "wide.en"], "wide.en: the file is UTF-16."),
        ([A, "-i", SYSTEMS[0], "-m", "chrf", "--chrf-beta", "nan"], "The 'beta' option of Chrf must be at least 0."),
        ([A, "-i", SYSTEMS[0], "-s", "floor", "-sv", "nan"], "must be a number from 0 on. Got nan instead."),
        ([A, "-i", SYSTEMS[0], "-sv", "1"], "belongs to floor and add-k; exp takes none."),
    ],
)
def test_wrong_input(words: list[str], message: str) -> None:
    done = run(*words)
    assert isinstance(done.exception, DataError)
    assert message in str(done.exception)


def test_a_baseline_that_comes_again_is_no_other_system() -> None:
    rows = json.loads(ours(A, "-i", SYSTEMS[0], SYSTEMS[0], SYSTEMS[1], "--paired-bs", "-pbsn", "50"))
    assert [row["system"] for row in rows] == [f"Baseline: {SYSTEMS[0]}", SYSTEMS[1]]
