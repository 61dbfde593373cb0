"""`dragoman smt grammar extract|inspect|convert`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.smt_grammar import grammar


@pytest.fixture
def text(tmp_path: Path) -> list[str]:
    for name, line in {"de": "der hund bellt", "en": "the dog barks", "links": "0-0 1-1 2-2"}.items():
        (tmp_path / name).write_text(f"{line}\n", encoding="utf-8")
    return [str(tmp_path / name) for name in ("de", "en", "links")]


def run(*arguments: str) -> dict[str, object]:
    result = CliRunner().invoke(grammar, [*arguments, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    answer: dict[str, object] = json.loads(result.output)
    return answer


def test_a_table_is_extracted_inspected_and_converted(text: list[str], tmp_path: Path) -> None:
    table, thrax, back = (str(tmp_path / name) for name in ("rules.gz", "rules.thrax", "back.gz"))
    [row] = run("extract", *text, "-m", table)["rows"]  # type: ignore[misc]
    assert row["rules"] == row["lexical"] + row["with gaps"] == 14
    counted = run("inspect", table)["meta"]
    assert counted["kinds"] == {"1 gap": 7, "2 gaps, monotone": 1, "lexical": 6}  # type: ignore[index]
    [shown] = run("inspect", table, "der [X] bellt")["rows"]  # type: ignore[misc]
    assert shown["target"] == "the [X,1] barks"
    run("convert", table, thrax, "--to", "thrax")
    run("convert", thrax, back, "--from", "thrax", "--to", "moses")
    assert run("inspect", back)["meta"]["kinds"] == counted["kinds"]  # type: ignore[index]


def test_classes_and_a_test_text_are_read(text: list[str], tmp_path: Path) -> None:
    (tmp_path / "classes").write_text("the\tD\ndog\tN\nbarks\tV\n", encoding="utf-8")
    (tmp_path / "test").write_text("der hund\n", encoding="utf-8")
    table = tmp_path / "rules"
    run(
        "extract",
        *text,
        "-m",
        str(table),
        "--target-classes",
        str(tmp_path / "classes"),
        "--test",
        str(tmp_path / "test"),
    )
    sides = {tuple(line.split(" ||| ")[:2]) for line in table.read_text(encoding="utf-8").splitlines()}
    assert sides == {
        ("[X][D] hund [X]", "[X][D] dog [D-N]"),
        ("der [X]", "the [D]"),
        ("der [X][N-V] [X]", "the [X][N-V] [D-V]"),
        ("der [X][N] [X]", "the [X][N] [D-N]"),
        ("der hund [X]", "the dog [D-N]"),
        ("hund [X]", "dog [N]"),
    }


def test_parses_are_read(text: list[str], tmp_path: Path) -> None:
    (tmp_path / "trees").write_text("(S (NP (D the) (N dog)) (V barks))\n", encoding="utf-8")
    table, trees = str(tmp_path / "rules"), ["--target-parses", str(tmp_path / "trees")]
    answer = run("extract", *text, "-m", table, "--kind", "ghkm", *trees)
    assert answer["meta"]["side"] == "target"  # type: ignore[index]
    assert "[X][NP] bellt [X] ||| [X][NP] barks [S] |||" in Path(table).read_text(encoding="utf-8")
    run("extract", *text, "-m", table, "--labels", "samt", *trees)
    assert "hund bellt [X] ||| dog barks [N+V] |||" in Path(table).read_text(encoding="utf-8")
    (tmp_path / "classes").write_text("the\tD\n", encoding="utf-8")
    both = [*trees, "--target-classes", str(tmp_path / "classes")]
    refused = CliRunner().invoke(grammar, ["extract", *text, "-m", table, "--labels", "samt", *both])
    assert refused.exit_code == 2
    assert "give one of both" in refused.output


def test_rules_of_trees_are_limited(text: list[str], tmp_path: Path) -> None:
    (tmp_path / "trees").write_text("(S (NP (D the) (N dog)) (V barks))\n", encoding="utf-8")
    table = tmp_path / "rules"
    common = ["extract", *text, "-m", str(table), "--target-parses", str(tmp_path / "trees")]
    run(*common, "--kind", "ghkm", "--tree", "scope=1", "--tree", "depth=2", "--feature", "tree")
    sources = [line.split(" ||| ")[0] for line in table.read_text(encoding="utf-8").splitlines()]
    assert "[X][NP] bellt [X]" in sources
    assert "[X][NP] [X][V] [X]" not in sources
    for more, message in (
        (["--kind", "ghkm", "--tree", "scoop=1"], "--tree has no option 'scoop'. Known: depth"),
        (["--kind", "ghkm", "--tree", "scope=many"], "scope"),
        (["--kind", "ghkm", "--tree", "gaps=99"], "gaps"),
        (["--tree", "scope=1"], "--kind ghkm"),
    ):
        refused = CliRunner().invoke(grammar, [*common, *more])
        assert refused.exit_code == 2
        assert message in " ".join(refused.output.split())
