"""Subword models: trained from an iterator, the same every time, saved whole."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, ModelError, NotAvailable
from dragoman.text import TOKENISERS, subword_training
from dragoman.text.subword_training import SubwordModel, SubwordRecipe
from dragoman.text.truecase import Truecaser

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "house",
    "mouse",
    "runs",
    "sleeps",
    "under",
    "over",
    "big",
    "small",
    "old",
    "new",
    "and",
    "or",
    "not",
    "very",
    "quickly",
    "lowers",
    "newest",
]
TEXT = [" ".join(WORDS[(i * j + j) % len(WORDS)] for j in range(1, 9)) for i in range(200)]
SMALL = {"vocab_size": 45, "character_coverage": 1.0}

each_method = pytest.mark.parametrize("method", ["unigram", "bpe"])


@pytest.fixture(scope="module", params=["unigram", "bpe"])
def model(request: pytest.FixtureRequest) -> SubwordModel:
    return SubwordRecipe(method=request.param, **SMALL).train(iter(TEXT))


def test_pieces_put_the_text_together_again(model: SubwordModel) -> None:
    assert len(model) == 45
    assert model.pieces[:3] == ("<unk>", "<s>", "</s>")
    pieces = model.encode(TEXT)
    assert ["".join(line).replace("▁", " ").strip() for line in pieces] == TEXT
    assert model.decode(pieces) == TEXT
    ids = model.encode_ids(TEXT)
    assert [[model.pieces[i] for i in line] for line in ids] == pieces
    assert model.decode_ids(ids) == TEXT


@each_method
def test_training_is_the_same_every_time(method: str, tmp_path: Path) -> None:
    recipe = SubwordRecipe(method=method, **SMALL)
    first, second = recipe.train(TEXT), recipe.train(line for line in TEXT)
    first.save(tmp_path / "a")
    second.save(tmp_path / "b")
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_a_model_is_a_folder_that_others_can_read(
    model: SubwordModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = model.save("model")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["manifest.json", "model", "model.spm", "pieces.tsv"]
    assert sentencepiece.SentencePieceProcessor(model_file=str(folder / "model.spm")).get_piece_size() == 45
    rows = (folder / "pieces.tsv").read_text(encoding="utf-8").splitlines()
    assert rows[:2] == ["piece\tscore", "<unk>\t0"]
    assert len(rows) == 46
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["kind"] == "subword model"
    assert manifest["recipe"]["method"] == model.recipe.method
    assert manifest["seed"] is None
    again = SubwordModel.load(folder)
    assert again.recipe == model.recipe
    assert again.encode(TEXT[:5]) == model.encode(TEXT[:5])
    with pytest.raises(ModelError, match=r"is a subword model \(format 1\), not a truecaser"):
        Truecaser.load(folder)


def test_the_tokeniser_takes_the_folder(model: SubwordModel, tmp_path: Path) -> None:
    folder = model.save(tmp_path / "model")
    expected = [" ".join(pieces) for pieces in model.encode(TEXT[:3])]
    for place in (folder, folder / "model.spm"):
        assert TOKENISERS.make(f"spm:model={place}").tokenise(TEXT[:3]) == expected
    with pytest.raises(ModelError, match=r"There is no sentencepiece model .*model\.spm"):
        TOKENISERS.make(f"spm:model={tmp_path}").tokenise(["a"])


@pytest.mark.parametrize("n_threads", [2, 7])
def test_threads_change_nothing(model: SubwordModel, n_threads: int) -> None:
    assert model.encode(TEXT, n_threads=n_threads) == model.encode(TEXT)


def test_odd_input_has_a_defined_result(model: SubwordModel) -> None:
    assert model.encode([]) == []
    assert model.encode(["", "  ", "漢字"]) == [[], [], ["▁", "漢字"]]
    assert model.encode_ids(["漢"]) == [[model.pieces.index("▁"), 0]]
    assert model.decode([[], ["▁the", "▁elsewhere"]]) == ["", "the elsewhere"]
    assert model.decode(model.encode(["a\x00b"])) == ["a\x00b"]
    assert len("".join(model.encode(["the cat " * 125_000])[0])) == 1_000_000
    with pytest.raises(DataError, match="Line 2 holds a lone surrogate"):
        model.encode(["a", "\ud800"])
    with pytest.raises(DataError, match="Expected a sequence of lines, got one str"):
        model.encode_ids("the cat")
    with pytest.raises(DataError, match="Line 1 has the id 45; this model has ids from 0 to 44"):
        model.decode_ids([[1, 45]])


@each_method
def test_lines_that_sentencepiece_would_skip_or_die_of(method: str) -> None:
    # Longer than its limit, a word longer than its index, its own mark for unknown characters.
    odd = ["\u2585 zebra zebra", "yoghurt " * 1000, "x" * 70_000, "", "a\x00b"]
    model = SubwordRecipe(method=method, vocab_size=50, character_coverage=1.0).train(TEXT + odd)
    assert {"z", "y", "x"} <= set("".join(model.pieces))


def test_a_document_that_is_there_twice_does_not_stop_the_unigram_trainer() -> None:
    # In file order this takes minutes (sentencepiece 0.2.2: 16 s for 300 lines of German, over 200 s for 1000).
    lines = [f"{word} {other} sleeps under the {word}" for word in WORDS for other in WORDS]
    assert len(SubwordRecipe(vocab_size=45).train([*lines, "zebra", *lines, "mouse"])) == 45


@given(st.text(max_size=9000))
def test_long_lines_are_cut_and_nothing_is_lost(line: str) -> None:
    parts = list(subword_training._parts(line))
    assert "".join(parts) == line
    assert all(0 < len(part) <= 2000 for part in parts)


def test_options(tmp_path: Path) -> None:
    recipe = SubwordRecipe(vocab_size=305, byte_fallback=True, symbols=("<tag>", "<br,>"), split_digits=True)
    model = recipe.train([*TEXT, "12345 12345 12345"])
    assert model.encode(["the <tag> cat"])[0].count("<tag>") == 1
    assert model.encode(["漢"])[0] == ["▁", "<0xE6>", "<0xBC>", "<0xA2>"]
    assert model.decode(model.encode(["漢"])) == ["漢"]
    assert model.encode(["123"])[0] == ["▁", "1", "2", "3"]
    assert SubwordModel.load(model.save(tmp_path / "m")).recipe == recipe


def test_white_space_inside_pieces_stays_readable(tmp_path: Path) -> None:
    # sentencepiece 0.2.3 has a piece for the tab, 0.2.2 had none.
    model = SubwordRecipe(**SMALL, normalisation="identity").train([*TEXT, *["a\tb\\c a\tb"] * 50])
    assert "\\" in "".join(model.pieces)
    folder = model.save(tmp_path / "m")
    assert all(line.count("\t") == 1 for line in (folder / "pieces.tsv").read_text(encoding="utf-8").splitlines())


def test_a_sample_is_drawn_by_seed() -> None:
    recipe = SubwordRecipe(vocab_size=40, max_lines=50)
    assert recipe.train(TEXT, seed=3).data == recipe.train(iter(TEXT), seed=3).data
    assert recipe.train(TEXT, seed=3).data != recipe.train(TEXT, seed=4).data
    assert recipe.train(TEXT, seed=3).seed == 3
    lines = [str(i) for i in range(25_000)]
    chosen = subword_training._sample(lines, 1000, 1)
    assert len(chosen) == 1000
    assert chosen == sorted(chosen, key=int)
    assert 11_000 < sum(map(int, chosen)) / 1000 < 14_000
    assert subword_training._sample(lines[:5], 1000, 1) == lines[:5]


@pytest.mark.parametrize(
    ("recipe", "lines", "message"),
    [
        (
            SubwordRecipe(vocab_size=5000),
            TEXT,
            r"The text has at most \d+ pieces; vocab_size is 5000\. Choose \d+ or less",
        ),
        (SubwordRecipe(vocab_size=5), TEXT, r"The text needs \d+ pieces for its characters alone; vocab_size is 5"),
        (SubwordRecipe(), [], "There is no text to learn pieces from: 0 lines, all empty"),
        (SubwordRecipe(), ["", " "], "There is no text to learn pieces from: 2 lines, all empty"),
        (SubwordRecipe(), ["a", "\ud800"], "Line 2 holds a lone surrogate"),
        (SubwordRecipe(), "text", "Expected lines of text, got one str"),
        (
            SubwordRecipe(method="wordpiece"),
            TEXT,
            "The 'method' option of SubwordRecipe must be one of 'unigram', 'bpe'",
        ),
        (SubwordRecipe(character_coverage=0.5), TEXT, "'character_coverage' option .* must be at least 0.98"),
        (SubwordRecipe(symbols=("a b",)), TEXT, "'a b' cannot be a symbol"),
        (SubwordRecipe(symbols=("<s>",)), TEXT, "The symbol '<s>' is there already"),
        (SubwordRecipe(symbols=("<x>", "<x>")), TEXT, "The symbol '<x>' is there already"),
    ],
)
def test_what_cannot_be_trained_is_named(recipe: SubwordRecipe, lines: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        recipe.train(lines)


def test_an_error_of_the_callers_lines_is_the_callers() -> None:
    def lines() -> Iterator[str]:
        yield from TEXT
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        SubwordRecipe(**SMALL).train(lines())


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(NotAvailable, match=r'sentencepiece\. Install it with: pip install "dragoman\[spm\]"'):
        SubwordRecipe().train(TEXT)
