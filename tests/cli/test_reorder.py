from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data.alignments import Alignments
from dragoman.data.formats.pharaoh import PharaohFormat
from dragoman.files import read_lines, write_lines
from dragoman.text.conllu import write_conllu
from tests.reorder.toy import toy_pairs
from tests.syntax.toy import toy_treebank


def call(*arguments: object, text: str | None = None) -> Result:
    return CliRunner().invoke(group, ["reorder", *map(str, arguments)], input=text)


def run(*arguments: object, text: str | None = None) -> str:
    done = call(*arguments, text=text)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sentence pairs, their parses and links, and a model of them."""
    folder = tmp_path_factory.mktemp("reorder")
    srcs, tgts, _, links = toy_pairs(60)
    write_lines(folder / "train.xx", srcs)
    write_lines(folder / "train.yy", tgts)
    write_conllu(folder / "train.conllu", toy_treebank(60))
    PharaohFormat().write(Alignments(links), folder / "train.align")
    told = run(*learn(folder), "-m", folder / "order", "--json")
    assert json.loads(told)["kind"] == "learnt order"
    return folder


def learn(folder: Path) -> list[object]:
    parts: list[object] = ["learn", folder / "train.xx", folder / "train.yy"]
    return [*parts, "--parses", folder / "train.conllu", "--links", folder / "train.align"]


def test_lines_and_orders_are_written(folder: Path, tmp_path: Path) -> None:
    orders = tmp_path / "orders"
    parses = ["--parses", folder / "train.conllu"]
    lines = run("apply", folder / "train.xx", "-m", folder / "order", *parses, "--orders", orders).splitlines()
    words = [line.split() for line in read_lines(folder / "train.xx")]
    places = [list(map(int, line.split())) for line in read_lines(orders)]
    assert lines == [" ".join(own[i] for i in order) for own, order in zip(words, places, strict=True)]
    assert lines == [line.lower() for line in read_lines(folder / "train.yy")]
    table = json.loads(run("apply", folder / "train.xx", "-m", folder / "order", *parses, "--json"))
    assert table["kind"] == "reordered text"


def test_lattices_are_written(folder: Path) -> None:
    parses = ["--parses", folder / "train.conllu"]
    for form, begin in (("json", "[[0, "), ("plf", "((('")):
        lines = run("apply", folder / "train.xx", "-m", folder / "order", *parses, "--lattice", form).splitlines()
        assert len(lines) == 60
        assert all(line.startswith(begin) for line in lines)


def test_crossings_are_told(folder: Path) -> None:
    sides = [folder / "train.xx", folder / "train.yy"]
    more = ["--parses", folder / "train.conllu", "--links", folder / "train.align"]
    told = json.loads(run("evaluate", *sides, "-m", folder / "order", *more, "--json"))
    rows = told["rows"]
    assert rows[1]["crossing links"] == 0 < rows[0]["crossing links"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["learn", "{f}/train.xx", "{f}/train.yy", "-m", "{f}/no"], "give --parser or --parses, one of them"),
        (["learn", "{f}/none", "{f}/train.yy", "--parser", "{f}/p", "-m", "{f}/no"], "There is no file"),
        (["apply", "{f}/train.xx", "-m", "{f}/order"], "This reorderer has no parser"),
        (["apply", "{f}/train.yy", "-m", "{f}/order", "--parses", "{f}/train.conllu"], "expected the words of line 1"),
        (["apply", "{f}/train.xx", "-m", "{f}/none"], "There is no model folder"),
        (
            ["apply", "{f}/train.xx", "-m", "{f}/order", "--lattice", "json", "--json"],
            "it goes with neither forms nor --orders",
        ),
        (
            [
                "evaluate",
                "{f}/train.xx",
                "{f}/train.yy",
                "-m",
                "{f}/order",
                "--links",
                "{f}/train.align",
                "--more",
                "a",
                "b",
            ],
            "with --links they are known",
        ),
    ],
)
def test_bad_calls_are_named(folder: Path, arguments: list[str], message: str) -> None:
    done = call(*(each.format(f=folder) for each in arguments))
    assert done.exit_code in (1, 2)
    assert message in " ".join(f"{done.output} {done.exception}".split())
