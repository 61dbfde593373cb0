"""Units as words that nothing takes apart."""

from __future__ import annotations

import html
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cat.unit_words import as_words, from_words
from dragoman.cli.main import group
from dragoman.combine import CombineRecipe, train_combiner
from dragoman.combine.words import Cutter
from dragoman.data.testset import TestSet
from dragoman.samples import phrasebook

LINES = [
    "Der Mann <b>{x}</b> löscht {{count}} Dateien von %s, siehe https://a.org/b?c=d und `rm -rf`.",
    "Drücken Sie E&xit in \\emph{dem} Haus {x}/Haus.",
    "Ein\tWort {n, plural, one {# Hund} other {# Hunde}} – {a}{b}s.",
    "Nichts davon.",
]


@pytest.mark.parametrize("line", LINES)
def test_units_come_through_tokens(line: str) -> None:
    cutter = Cutter("de")
    assert from_words(as_words([line])[0]) == line
    (text,) = cutter.text(cutter.tokens(as_words([line])))
    assert from_words(text) == line
    assert from_words(as_words(["<b>"])[0], html.escape) == "&lt;b&gt;"


def test_combination_keeps_units_whole(tmp_path: Path) -> None:
    lines = phrasebook()["de"][:40]
    systems = {name: [line.replace(*change) for line in lines] for name, change in
               {"a": ("ist", "war"), "b": ("das", "ein"), "c": ("Ich", "Er")}.items()}  # fmt: skip
    train_combiner(TestSet(refs={"r": lines}, systems=systems), CombineRecipe(lang="de")).save(tmp_path / "model")
    outputs = {"a": LINES, "b": [line.replace("löscht", "tilgt") for line in LINES], "c": LINES}
    for name, text in outputs.items():
        (tmp_path / name).write_text("\n".join(text) + "\n", encoding="utf-8")
    command = ["combine", "apply", *(str(tmp_path / name) for name in outputs), "-m", str(tmp_path / "model")]
    done = CliRunner().invoke(group, [*command, "-o", str(tmp_path / "out"), "--html", str(tmp_path / "page")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out").read_text(encoding="utf-8").splitlines() == LINES
    page = (tmp_path / "page").read_text(encoding="utf-8")
    assert "XQ" not in page
    assert "&lt;b&gt;{x}&lt;/b&gt;" in page
