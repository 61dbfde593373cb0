from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.text.conllu import read_conllu, write_conllu
from tests.syntax.toy import toy_treebank


def run(*arguments: object, text: str | None = None) -> str:
    done = CliRunner().invoke(group, ["syntax", "parser", *map(str, arguments)], input=text)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two treebanks, a dev set, and a model of them."""
    folder = tmp_path_factory.mktemp("parser")
    for number, name in enumerate(("one", "two", "dev"), start=1):
        write_conllu(folder / f"{name}.conllu", toy_treebank(40, seed=number))
    run(
        "train",
        folder / "one.conllu",
        folder / "two.conllu",
        "-m",
        folder / "model",
        "--epochs",
        4,
        "--tag-epochs",
        3,
        "--threads",
        2,
        "--json",
    )
    return folder


def test_training_tells_what_was_made(folder: Path) -> None:
    shown = json.loads((folder / "model" / "manifest.json").read_text(encoding="utf-8"))
    assert (shown["kind"], shown["seed"], shown["recipe"]["epochs"]) == ("parser", 1, 4)
    inspected = json.loads(CliRunner().invoke(group, ["inspect", str(folder / "model"), "--json"]).output)
    assert {state for _, _, state in inspected["meta"]["files"]} == {"good"}


def test_training_with_a_dev_set_tells_its_accuracy(folder: Path) -> None:
    told = json.loads(
        run(
            "train",
            folder / "one.conllu",
            "-m",
            folder / "small",
            "--dev",
            folder / "dev.conllu",
            "--epochs",
            3,
            "--tag-epochs",
            2,
            "--no-xpos",
            "--multiword",
            "split",
            "--json",
        )
    )
    assert told["kind"] == "parser accuracy"
    assert told["meta"]["sentences"] == 40
    again = json.loads(run("evaluate", folder / "dev.conllu", "-m", folder / "small", "--json"))
    assert again["rows"] == told["rows"]


def test_evaluating_tells_every_measure(folder: Path) -> None:
    output = run("evaluate", folder / "dev.conllu", folder / "two.conllu", "-m", folder / "model")
    assert "LAS+" in output
    assert "80 sentences" in output


def test_text_becomes_conllu_line_by_line(folder: Path) -> None:
    text = "the old dog sees a cat del house .\n\n  the  dog \n"
    run("apply", "-", "-m", folder / "model", "-o", folder / "out.conllu", text=text)
    first, empty, last = read_conllu(folder / "out.conllu")
    assert [word.upos for word in first.words][:4] == ["DET", "ADJ", "NOUN", "VERB"]
    assert [word.head for word in first.words] == [3, 3, 4, 0, 6, 4, 8, 6, 4]
    assert (empty.text, [word.form for word in empty.words]) == ("", ["_"])
    assert [word.form for word in last.words] == ["the", "dog"]
    assert run("apply", "-m", folder / "model", "--threads", 3, text=text) == (folder / "out.conllu").read_text()


def test_confidences_and_tags_alone(folder: Path) -> None:
    rows = json.loads(run("apply", "-m", folder / "model", "--confidences", "--json", text="the dog\n"))["rows"]
    assert [row["form"] for row in rows] == ["the", "dog"]
    assert all(row["misc"].startswith("PHead=") for row in rows)
    tagged = json.loads(run("apply", "-m", folder / "model", "--tags-only", "--json", text="the dog\n"))["rows"]
    assert [(row["upos"], row["head"]) for row in tagged] == [("DET", None), ("NOUN", None)]


def test_what_is_wrong_is_told(folder: Path) -> None:
    (folder / "bad.conllu").write_text("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    done = CliRunner().invoke(group, ["syntax", "parser", "train", str(folder / "bad.conllu"), "-m", str(folder / "x")])
    assert str(done.exception) == "Sentence 1 (line 1 of its file) cannot be learnt from: Word 1 has no head."
    assert not (folder / "x").exists()
    done = CliRunner().invoke(group, ["syntax", "parser", "apply", "-m", str(folder / "nothing")], input="a\n")
    assert f"There is no model folder {folder / 'nothing'}." in str(done.exception)
