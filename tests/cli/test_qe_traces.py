"""Traces on the command line: made by our engine or imported, and looked at by quality estimation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data.formats.trace import TraceFormat
from dragoman.errors import DataError, FormatError
from dragoman.files import write_lines
from dragoman.qe import read_features
from dragoman.samples import phrasebook


def run(*words: object) -> Result:
    return CliRunner(catch_exceptions=False).invoke(group, [str(word) for word in words])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An engine, and outputs of another that leaves out and repeats words."""
    folder = tmp_path_factory.mktemp("traces")
    book = phrasebook()
    for lang in ("en", "de"):
        write_lines(folder / f"train.{lang}", book[lang][:400])
    # Without ends, lest the tokens of text and engine differ.
    sources = [line.rstrip(".?!") for line in book["en"][400:480]]
    edits = [line.rstrip(".?!") for line in book["de"][400:480]]
    outputs = [" ".join([*line.split()[: -1 - n % 2], *["oder"] * (n % 3)]) or "–" for n, line in enumerate(edits)]
    for name, lines in (("src", sources), ("mt", outputs), ("pe", edits)):
        write_lines(folder / f"a.{name}", lines)
    done = run(
        "smt",
        "train",
        "--src",
        folder / "train.en",
        "--tgt",
        folder / "train.de",
        "-o",
        folder / "engine",
        "--set",
        "classes.number=0",
    )
    assert done.exit_code == 0, done.output
    return folder


def test_an_engine_writes_traces_beside_its_translations(folder: Path) -> None:
    plain = run("translate", folder / "a.src", "-m", folder / "engine")
    traced = run("translate", folder / "a.src", "-m", folder / "engine", "--nbest", 7, "--trace", folder / "a.trace.gz")
    assert traced.stdout == plain.stdout
    traces = list(TraceFormat().read(folder / "a.trace.gz"))
    assert [trace.source for trace in traces] == (folder / "a.src").read_text().splitlines()
    assert max(len(trace.texts) for trace in traces) == 7
    assert all(trace.graph is not None and trace.features and trace.phrases for trace in traces)
    tokens = run("translate", folder / "a.src", "-m", folder / "engine", "--tokenised", "--trace", folder / "b.trace")
    assert tokens.stdout.splitlines() == [trace.best for trace in traces]
    refused = run("translate", folder / "a.src", "-m", folder / "engine", "--trace", folder / "c.trace", "--mbr")
    assert refused.exit_code == 2
    assert "--trace has all that the engine knows" in refused.output


def test_features_from_traces_and_from_the_engine_are_the_same(folder: Path) -> None:
    run("translate", folder / "a.src", "-m", folder / "engine", "--nbest", 20, "--trace", folder / "d.trace")
    text = (folder / "a.src", folder / "a.mt", "-f", "nbest-confidence", "-f", "sdllw12", "-f", "surface")
    for options in (("--trace", folder / "d.trace"), ("--engine", folder / "engine", "--nbest", 20)):
        done = run(
            "qe",
            "features",
            *text[:2],
            "-f",
            "nbest-confidence",
            "-f",
            "decoder-score:score=lm",
            *options,
            "--form",
            "tsv",
            "-o",
            folder / f"{len(options)}.tsv",
        )
        assert done.exit_code == 0, done.output
    one, other = read_features(folder / "2.tsv"), read_features(folder / "4.tsv")
    assert one.names == other.names
    assert (one.values == other.values).all()
    both = run("qe", "features", *text[:2], "--trace", folder / "d.trace", "--engine", folder / "engine")
    assert both.exit_code == 2
    assert "Give traces, or an engine to make them, and not both." in both.output
    with pytest.raises(DataError, match="The features nbest-list need trace"):
        run("qe", "features", *text[:2], "-f", "nbest-list")


def test_a_model_is_trained_and_asked_with_an_engine(folder: Path) -> None:
    engine = ("--engine", folder / "engine", "--nbest", 20)
    done = run(
        "qe",
        "train",
        "--data",
        folder / "a",
        "-m",
        folder / "model",
        "-f",
        "baseline17",
        "-f",
        "prhlt12",
        "--learner",
        "ridge",
        *engine,
    )
    assert done.exit_code == 0, done.output
    assert (folder / "model" / "resources" / "quartiles").is_dir()
    predicted = run("qe", "predict", "--data", folder / "a", "-m", folder / "model", *engine, "--json")
    assert len(json.loads(predicted.stdout)["rows"]) == 80
    for command in (("decide",), ("explain", "--segment", 1)):
        done = run("qe", *command, "--data", folder / "a", "-m", folder / "model", *engine)
        assert done.exit_code == 0, done.output
    with pytest.raises(DataError, match="need trace"):
        run("qe", "predict", "--data", folder / "a", "-m", folder / "model")


def test_resources_keep_the_cuts_of_agreement(folder: Path) -> None:
    done = run(
        "qe",
        "resources",
        "-m",
        folder / "resources",
        "--post-edited",
        folder / "a",
        "--parts",
        2,
        "--engine",
        folder / "engine",
        "--nbest",
        5,
    )
    assert done.exit_code == 0, done.output
    assert (folder / "resources" / "quartiles" / "all_cuts.npy").is_file()
    refused = run(
        "qe", "resources", folder / "train.en", folder / "train.de", "-m", folder / "r", "--engine", folder / "engine"
    )
    assert refused.exit_code == 2
    assert "Traces are of post-edited translations" in refused.output


def test_words_are_labelled_with_an_engine(folder: Path) -> None:
    run("qe", "gold", folder / "a.src", folder / "a.mt", folder / "a.pe", "--to", folder / "gold")
    engine = ("--engine", folder / "engine", "--nbest", 5)
    done = run("qe", "words", "train", folder / "gold", "-m", folder / "words", *engine, "--json")
    assert done.exit_code == 0, done.output
    done = run("qe", "words", "predict", folder / "a.src", folder / "a.mt", "-m", folder / "words", *engine)
    assert done.exit_code == 0, done.output
    with pytest.raises(DataError, match="trained on other features"):
        run("qe", "words", "predict", folder / "a.src", folder / "a.mt", "-m", folder / "words")


def test_what_moses_wrote_becomes_traces(tmp_path: Path) -> None:
    write_lines(tmp_path / "src", ["das Haus", "klein"])
    write_lines(
        tmp_path / "nbest", ["0 ||| the house |0-1| ||| LM0= -3 ||| -1", "1 ||| small |0-0| ||| LM0= -2 ||| -2"]
    )
    write_lines(
        tmp_path / "osg",
        [
            "0 hyp=0 stack=0",
            "0 hyp=1 stack=2 back=0 transition=-1 covered=0-1 out=the house",
            "1 hyp=0 stack=0",
            "1 hyp=1 stack=1 back=0 transition=-2 covered=0-0 out=small",
        ],
    )
    done = run("qe", "trace", tmp_path / "src", "--nbest", tmp_path / "nbest", "--graph", tmp_path / "osg")
    assert done.exit_code == 0, done.output
    first = json.loads(done.stdout.splitlines()[0])
    assert first == {
        "source": "das Haus",
        "nbest": [{"text": "the house", "score": -1.0, "features": {"LM0": [-3.0]}}],
        "phrases": [[0, 2, 0, 2]],
        "graph": {"nodes": 2, "dead": 0, "arcs": 1, "spreads": {"score": [-1.0, 0.0, -1.0, -1.0]}},
    }
    words = ("qe", "trace", tmp_path / "src", "--nbest", tmp_path / "nbest", "--json")
    counted = json.loads(run(*words, "-o", tmp_path / "out.trace").stdout)
    assert counted["rows"] == [{"file": str(tmp_path / "out.trace"), "sentences": 2, "translations": 2, "graphs": 0}]
    assert "name a file with -o" in run(*words).output
    none = run("qe", "trace", tmp_path / "src")
    assert none.exit_code == 2
    assert "Give n-best lists, search graphs, or both." in none.output
    write_lines(tmp_path / "broken", ["0 ||| a"])
    with pytest.raises(FormatError, match="broken:1: the line has 2 fields"):
        run("qe", "trace", tmp_path / "src", "--nbest", tmp_path / "broken")
