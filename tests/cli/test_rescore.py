"""`dragoman rescore`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data.formats.nbest import NBestFormat
from dragoman.rescoring import read_lists
from tests.rescoring.test_training import SIZE, N, example


def run(*words: object, code: int = 0) -> Result:
    done = CliRunner().invoke(group, [str(word) for word in words])
    assert done.exit_code == code, done.output
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rescore")
    lists, refs = example()
    (folder / "src").write_text("".join(f"{line}\n" for line in lists.sources))
    (folder / "ref").write_text("".join(f"{line}\n" for line in refs))
    NBestFormat().write(lists.n_best(lists.column("score")), folder / "a.nbest")
    NBestFormat().write(lists.chosen(["noise"]).n_best(lists.column("hint")), folder / "b.nbest")
    return folder


def test_train_and_apply(folder: Path) -> None:
    src, ref = folder / "src", folder / "ref"
    given = [folder / "a.nbest", "-s", src, "-r", ref, "-f", "length"]
    trained = run(
        "rescore", "train", *given, "--tuner", "pro", "--tuner", "mert",
        "-o", folder / "rescorer", "--json",
    )  # fmt: skip
    result = json.loads(trained.stdout)
    assert result["kind"] == "rescoring"
    assert [row["tuner"] for row in result["rows"]] == ["pro", "mert"]
    assert list(result["meta"]["weights"]) == ["score", "hint", "noise", "length"]
    out, listed = folder / "out", folder / "out.nbest"
    run("rescore", "apply", folder / "a.nbest", "-s", src, "-m", folder / "rescorer", "-o", out, "--nbest", listed)
    lines = out.read_text().splitlines()
    assert len(lines) == N
    again = read_lists(listed, src.read_text().splitlines())
    assert lines == [again.texts[i * SIZE] for i in range(N)]
    assert "length" in again.names
    shown = json.loads(
        run("rescore", "apply", folder / "a.nbest", "-s", src, "-m", folder / "rescorer", "--json").stdout
    )
    assert [row["translation"] for row in shown["rows"]] == lines


def test_features_are_written_with_the_lists(folder: Path) -> None:
    run("rescore", "features", folder / "a.nbest", "-s", folder / "src", "-f", "length", "-o", folder / "more.nbest")
    more = read_lists(folder / "more.nbest", (folder / "src").read_text().splitlines())
    assert more.column("length").tolist() == [8] * (N * SIZE)


def test_least_risk_of_two_engines(folder: Path) -> None:
    given = [f"p={folder / 'a.nbest'}", f"n={folder / 'b.nbest'}", "-s", folder / "src"]
    tuned = run("rescore", "mbr-tune", *given, "-r", folder / "ref", "-o", folder / "consensus", "--json")
    assert [row["engine"] for row in json.loads(tuned.stdout)["rows"]] == ["p", "n", "together"]
    lines = run("rescore", "mbr", *given, "-m", folder / "consensus").stdout.splitlines()
    assert len(lines) == N
    other = run("rescore", "mbr", folder / "a.nbest", "-s", folder / "src", "--metric", "chrf", "--scale", 0.5)
    assert len(other.stdout.splitlines()) == N


def test_wrong_calls_end_with_a_reason(folder: Path) -> None:
    given = [folder / "a.nbest", "-s", folder / "src"]
    twice = run("rescore", "mbr", folder / "a.nbest", *given, code=1)
    assert "Two lists have one name: a, a. Write NAME=FILE" in str(twice.exception)
    both = run("rescore", "mbr", *given, "-m", "x", "--scale", 1, code=2)
    assert "A model says which metric and which scales" in both.stderr
    unknown = run("rescore", "train", *given, "-r", folder / "ref", "-f", "lmm", "-o", folder / "x", code=2)
    assert "No rescoring feature is called 'lmm'" in unknown.stderr


def test_features_and_choices_can_be_read_by_programs(folder: Path) -> None:
    given = [folder / "a.nbest", "-s", folder / "src"]
    described = json.loads(run("rescore", "features", *given, "-f", "length", "--json").stdout)
    assert {"segment", "translation", "length"} <= set(described["rows"][0])
    assert len(described["rows"]) == N * SIZE
    agreed = json.loads(run("rescore", "mbr", *given, "--json").stdout)
    assert [row["translation"] for row in agreed["rows"]] == run("rescore", "mbr", *given).stdout.splitlines()
