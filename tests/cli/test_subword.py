"""`dragoman text subword` with morphemes; sentencepiece's own models are tried in tests/text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group

STEMS = ("walk", "talk", "jump", "paint", "climb", "shout")
TEXT = "".join(f"{stem} {stem}ing {stem}ed {stem}s {stem}er\n" for stem in STEMS)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.en"
    path.write_text(TEXT, encoding="utf-8")
    return path


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(group, ["text", "subword", *map(str, arguments)])


def run(*arguments: object) -> str:
    done = invoke(*arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_morphemes_from_text_to_morphs_and_back(text: Path, tmp_path: Path) -> None:
    model = tmp_path / "morphs"
    made = json.loads(run("train", text, "-m", model, "--method", "morpheme", "--seed", 3, "--json"))
    assert made["kind"] == "model"
    manifest = json.loads((model / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["kind"], manifest["seed"], manifest["recipe"]["counting"]) == ("morpheme model", 3, "types")
    new = tmp_path / "new.en"
    new.write_text("talked  and reclimbing\n\n", encoding="utf-8")
    cut = run("encode", new, "-m", model, "--threads", 2)
    assert cut == "▁talk ed ▁and ▁re climb ing\n\n"
    pieces = tmp_path / "pieces"
    pieces.write_text(cut, encoding="utf-8")
    assert run("decode", pieces, "-m", model) == "talked and reclimbing\n\n"


def test_weight_and_counting_are_the_recipes(text: Path, tmp_path: Path) -> None:
    options = ("--method", "morpheme", "--counting", "log", "--corpus-weight", 20)
    run("train", text, "-m", tmp_path / "m", *options)
    recipe = json.loads((tmp_path / "m" / "manifest.json").read_text(encoding="utf-8"))["recipe"]
    assert (recipe["counting"], recipe["corpus_weight"]) == ("log", 20.0)
    assert run("encode", text, "-m", tmp_path / "m").splitlines()[0] == "▁walk ▁walking ▁walked ▁walks ▁walker"


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--method", "morpheme", "--size", 100), 2, "--size does not go with --method morpheme"),
        (("--method", "bpe", "--counting", "log"), 2, "--counting does not go with --method bpe"),
        (("--corpus-weight", 1), 2, "--corpus-weight does not go with --method unigram"),
        (("--method", "morpheme", "--corpus-weight", 0), 2, "'--corpus-weight': 0.0 is not in the range"),
        (("--method", "syllable"), 2, "'syllable' is not one of 'unigram', 'bpe', 'morpheme'"),
    ],
)
def test_what_does_not_go_together_is_named(
    text: Path, tmp_path: Path, options: tuple[object, ...], code: int, message: str
) -> None:
    done = invoke("train", text, "-m", tmp_path / "m", *options)
    assert done.exit_code == code
    assert message in " ".join((done.output + str(done.exception)).split())
    assert not (tmp_path / "m").exists()


def test_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "none").write_text("\n\n", encoding="utf-8")
    done = invoke("train", tmp_path / "none", "-m", tmp_path / "m", "--method", "morpheme")
    assert "There is no word to learn morphemes from" in done.output + str(done.exception)
