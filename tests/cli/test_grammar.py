"""`dragoman syntax grammar`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.samples import sample_path


def run(*words: str) -> Any:
    done = CliRunner(catch_exceptions=False).invoke(group, ["syntax", "grammar", *words])
    assert done.exit_code == 0, done.output
    return done


def test_from_a_treebank_to_trees(tmp_path: Path) -> None:
    parsed, model = str(sample_path("testset/parsed.en.conllu")), str(tmp_path / "grammar")
    made = json.loads(run("train", parsed, "-m", model, "--json").stdout)
    assert made["rows"][0] == {"field": "kind", "value": "constituency grammar"}
    run("phrases", parsed, "-o", str(tmp_path / "phrases"))
    phrases = (tmp_path / "phrases").read_text("utf-8").splitlines()
    assert all(line.startswith("(ROOT ") for line in phrases)
    score = json.loads(run("evaluate", parsed, "-m", model, "--json").stdout)
    assert score["rows"][0]["f1"] > 0.8  # what it has learnt from
    again = json.loads(run("evaluate", str(tmp_path / "phrases"), "-m", model, "--json").stdout)
    assert again["rows"] == score["rows"]
    (tmp_path / "text").write_text("The train leaves .\n\n", encoding="utf-8")
    trees = run("parse", str(tmp_path / "text"), "-m", model).stdout.splitlines()
    assert trees[0].startswith("(ROOT ")
    assert trees[1] == ""
    table = json.loads(run("parse", str(tmp_path / "text"), "-m", model, "--table", "--json").stdout)
    assert table["rows"][0]["n_trees"] >= 1
    assert table["rows"][1]["n_trees"] == table["rows"][1]["depth"] == 0
    assert table["meta"]["n_failed"] == 0
    shown = json.loads(run("phrases", parsed, "--json").stdout)
    assert len(shown["rows"]) == len(phrases)
