"""Language models counted in parts: the files of the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.files import write_lines
from dragoman.lm import KneserNey
from dragoman.lm.parts import train_in_parts
from dragoman.parts import Workshop
from dragoman.samples import phrasebook


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def book() -> dict[str, list[str]]:
    return phrasebook()


@pytest.mark.parametrize("recipe", [KneserNey(order=3), KneserNey(order=2, level="char", max_words=20)], ids=str)
def test_parts_give_the_files_of_the_whole(book: dict[str, list[str]], tmp_path: Path, recipe: KneserNey) -> None:
    lines = ["\ufeffmarked", *book["en"][:80], "", *book["en"][80:120]]
    recipe.train(lines).save(tmp_path / "whole")
    for part in (25, 1000):
        train_in_parts(Workshop(tmp_path / f"shop{part}"), iter(lines), recipe, part=part).save(tmp_path / str(part))
        assert files(tmp_path / str(part)) == files(tmp_path / "whole")


def test_one_string_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="got one str"):
        train_in_parts(Workshop(tmp_path), "a b", KneserNey())


def test_the_command_takes_workers(book: dict[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_lines("text.en", book["en"][:90])
    for name, more in (("whole", []), ("parts", ["--workers", "2", "--part", "40"])):
        run = ["lm", "build", "text.en", "-m", name, "--order", "3", *more]
        done = CliRunner().invoke(group, run, catch_exceptions=False)
        assert done.exit_code == 0, done.output
    assert files(Path("parts")) == files(Path("whole"))
    refused = CliRunner().invoke(group, ["lm", "build", "text.en", "-m", "x", "--workers", "1", "--arpa", "y.arpa"])
    assert "--workers and --cluster go without --classes, --vocabulary, --arpa and --scratch" in refused.output
