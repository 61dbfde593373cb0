"""Morphemes: learnt words come together again, the search finds the best cut, the cost is what the papers say."""

from __future__ import annotations

import gzip
import math
import random
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from dragoman import _core
from dragoman.errors import DataError, FormatError, ModelError
from dragoman.text import MorphemeModel, MorphemeRecipe, SubwordRecipe, open_subwords

STEMS = ("walk", "talk", "jump", "paint", "climb", "shout")
WORDS = {stem + ending: 1 for stem in STEMS for ending in ("", "ing", "ed", "s", "er")}
LINES = [" ".join(sorted(WORDS)), "walks and talks"]

words = st.dictionaries(st.text("abcde\u0301न्द😀", min_size=1, max_size=9), st.integers(1, 50), min_size=1, max_size=25)


@pytest.fixture(scope="module")
def model() -> MorphemeModel:
    return MorphemeRecipe().train_words(WORDS)


def naive_length(pieces: list[tuple[int, list[str]]], weight: float) -> float:
    """Virpioja et al. (2013), §2, from words, each with its count and morphs."""

    def code(counts: Counter[str], ends: int) -> float:
        total = sum(counts.values()) + ends
        return -sum(n * math.log(n / total) for n in [*counts.values(), ends])

    morphs: Counter[str] = Counter()
    for count, parts in pieces:
        for part in parts:
            morphs[part] += count
    letters = Counter(letter for morph in morphs for letter in regex.findall(r"\X", morph))
    corpus = code(morphs, sum(count for count, _ in pieces))
    frequencies = math.log(math.comb(morphs.total() - 1, len(morphs) - 1))
    spelling = code(letters, len(morphs)) + math.log(math.comb(letters.total() + len(morphs) - 1, len(letters)))
    return weight * corpus + frequencies + spelling - math.lgamma(len(morphs) + 1)


def learn(counts: dict[str, int], weight: float = 1.0, longest: int = 100) -> tuple[list[list[str]], list[float]]:
    """The words' morphs as training left them, and the description lengths of its rounds."""
    met = np.array(list(counts.values()))
    options = {"corpus_weight": weight, "longest": longest, "tolerance": 0.005, "max_rounds": 50, "key": 1}
    morphs, _, _, pieces, offsets, lengths = _core.morph.train(list(counts), met, **options)
    cuts = [[morphs[i] for i in pieces[begin:end]] for begin, end in pairwise(offsets)]
    return cuts, lengths


@given(st.text("ae\u0301\u200d😀🏽🇩🇪ก็न्दि가각\u1100\u1161\u11a8\u0600\x00\u00ad\u200c", max_size=12))
def test_clusters_are_those_of_unicode(text: str) -> None:
    assert _core.morph.clusters([text]) == [regex.findall(r"\X", text)]


@given(words, st.sampled_from([0.1, 1.0, 3.0]))
def test_training_cuts_words_and_knows_what_its_cuts_cost(counts: dict[str, int], weight: float) -> None:
    cuts, lengths = learn(counts, weight)
    assert ["".join(cut) for cut in cuts] == list(counts)
    for word, cut in zip(counts, cuts, strict=True):  # no mark is cut from its letter
        assert [letter for part in cut for letter in regex.findall(r"\X", part)] == regex.findall(r"\X", word)
    whole = [(count, [word]) for word, count in counts.items()]
    assert lengths[0] == pytest.approx(naive_length(whole, weight))
    assert min(lengths) == pytest.approx(naive_length(list(zip(counts.values(), cuts, strict=True)), weight))


@given(words, st.text("abcdex\u0301न", min_size=1, max_size=9))
def test_the_search_finds_the_best_of_all_cuts(counts: dict[str, int], word: str) -> None:
    model = MorphemeRecipe(corpus_weight=0.2).train_words(counts)
    cost = dict(zip(model.morphs, model.costs.tolist(), strict=True))
    assert sum(math.exp(-each) for each in cost.values()) < 1
    letters = regex.findall(r"\X", word)

    def price(parts: list[str]) -> tuple[int, float]:
        unknown = sum(len(regex.findall(r"\X", part)) for part in parts if part not in cost)
        return unknown, sum(cost.get(part, 0.0) for part in parts)

    ways = [
        ["".join(letters[begin:end]) for begin, end in zip((0, *inner), (*inner, len(letters)), strict=True)]
        for n in range(len(letters))
        for inner in combinations(range(1, len(letters)), n)
    ]
    [found] = model.encode([word])
    found[0] = found[0].removeprefix("▁")
    assert "".join(found) == word
    best, mine = min(map(price, ways)), price(found)
    assert mine[0] == best[0]
    assert mine[1] == pytest.approx(best[1])
    unknown = [part not in cost for part in found]
    assert not any(a and b for a, b in pairwise(unknown))


def test_stems_and_endings(model: MorphemeModel) -> None:
    assert model.morphs[:4] == ("ed", "er", "ing", "s")
    assert set(STEMS) < set(model.morphs)
    assert len(model) == 10
    assert model.n_words == len(WORDS)
    assert model.cut(["talked reclimbing xyz"]) == ["▁talk ed ▁re climb ing ▁xyz"]
    cuts = [(1, "".join(line).replace("▁", "").split()) for line in model.cut(list(WORDS))]
    assert model.description_length == pytest.approx(naive_length(cuts, 1.0))


def test_lines_come_together_again(model: MorphemeModel) -> None:
    assert model.encode(["walks  and ▁talks "]) == [["▁walk", "s", "▁and", "▁talk", "s"]]
    assert model.decode(model.encode(["walks  and ▁talks ", ""])) == ["walks and talks", ""]
    assert model.decode([["▁walk", "ing", "▁elsewhere"]]) == ["walking elsewhere"]


def test_how_words_count() -> None:
    lines = ["a a a a a a a b"]
    counts = {way: MorphemeRecipe(counting=way).train(lines).counts.tolist() for way in ("types", "log", "tokens")}
    assert counts == {"types": [1, 1], "log": [3, 1], "tokens": [7, 1]}


def test_a_heavier_corpus_is_cut_less() -> None:
    sizes = [
        sum(map(len, MorphemeRecipe(corpus_weight=w).train_words(WORDS).encode(list(WORDS)))) for w in (0.1, 1, 20)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1] == len(WORDS)


def test_training_is_the_same_every_time(model: MorphemeModel, tmp_path: Path) -> None:
    lines = list(WORDS)
    model.save(tmp_path / "a")
    MorphemeRecipe().train_words(dict(reversed(WORDS.items()))).save(tmp_path / "b")
    MorphemeRecipe().train(iter(lines), n_threads=2).save(tmp_path / "c")
    MorphemeRecipe().train(reversed(lines), n_threads=7).save(tmp_path / "d")
    for name in ("manifest.json", "morphs.tsv"):
        assert len({(tmp_path / folder / name).read_bytes() for folder in "abcd"}) == 1


@pytest.mark.parametrize("n_threads", [2, 7])
def test_threads_change_nothing(model: MorphemeModel, n_threads: int) -> None:
    lines = [*LINES * 5, "", "x"]
    assert model.cut(lines, n_threads=n_threads) == model.cut(lines)


def test_a_model_is_a_folder_that_people_can_read(model: MorphemeModel, tmp_path: Path) -> None:
    folder = model.save(tmp_path / "m")
    rows = (folder / "morphs.tsv").read_text(encoding="utf-8").splitlines()
    assert rows[:3] == ["morph\tcount", "\t30", "ed\t6"]
    again = open_subwords(folder)
    assert isinstance(again, MorphemeModel)
    assert again.cut(LINES) == model.cut(LINES)
    assert again.description_length == model.description_length
    assert (again.seed, again.recipe, again.data) == (0, model.recipe, model.data)
    pieces = SubwordRecipe(vocab_size=30, character_coverage=1.0).train(LINES * 9).save(tmp_path / "s")
    assert open_subwords(pieces).encode(["walk"])
    with pytest.raises(ModelError, match=r"is a subword model \(format 1\), not a morpheme model"):
        MorphemeModel.load(pieces)


def test_a_table_that_is_none_is_named(model: MorphemeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.artifact.Manifest.check", lambda *_, **__: None)
    folder = model.save(tmp_path / "m")
    for text, message in (
        ("piece\tscore\na\t1\n", r"morphs\.tsv: is no table of morphs: it begins with 'piece\\tscore'"),
        ("morph\tcount\na\t1\n", r"morphs\.tsv:2: expected a morph, a tab and a count, got 'a\\t1'"),
        ("morph\tcount\n\t1\na\tx\n", r"morphs\.tsv:3: expected a morph, a tab and a count, got 'a\\tx'"),
    ):
        (folder / "morphs.tsv").write_text(text, encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            MorphemeModel.load(folder)


def test_odd_input_has_a_defined_result(model: MorphemeModel) -> None:
    assert model.cut([]) == []
    assert model.cut(["", "  "]) == ["", ""]
    assert model.encode([""]) == [[]]
    assert model.cut(["walk\x00s"]) == ["▁walk \x00 s"]
    [long] = model.encode(["walks" * 2000])
    assert long == ["▁walk", "s", *["walk", "s"] * 1999]
    assert len("".join(model.cut(["walking " * 125_000])).replace(" ", "")) == 8 * 125_000
    with pytest.raises(DataError, match="Line 2 holds a lone surrogate"):
        model.cut(["a", "\ud800"])
    with pytest.raises(DataError, match="Expected a sequence of lines, got one str"):
        model.encode("walks")


def test_long_words_teach_nothing(tmp_path: Path) -> None:
    nothing = MorphemeModel.load(MorphemeRecipe().train(["x" * 101]).save(tmp_path / "m"))
    assert (len(nothing), nothing.n_words, nothing.cut(["xy " + "x" * 101])) == (0, 0, ["▁xy ▁" + "x" * 101])
    assert MorphemeRecipe().train([*LINES, "x" * 10_000]).morphs == MorphemeRecipe().train(LINES).morphs
    assert MorphemeRecipe(longest=1000).train_words({"ab" * 500: 1, "ab": 1}).cut(["ab" * 500])[0].startswith("▁ab")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "There is no word to learn morphemes from"),
        (["", " ▁ "], "There is no word to learn morphemes from"),
        (["a", "\ud800"], "Line 2 holds a lone surrogate"),
        ("text", "Expected lines of text, got one str"),
    ],
)
def test_what_cannot_be_learnt_from_is_named(lines: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        MorphemeRecipe().train(lines)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ({"a b": 1}, "'a b' is no word: it is empty, or has white space or ▁ inside"),
        ({"": 1}, "'' is no word"),
        ({"▁a": 1}, "'▁a' is no word"),
        ({"a": 1, "b": 0}, "Word 2 has the count 0; it must be at least 1"),
        ({"a": -3}, "Word 1 has the count -3"),
    ],
)
@pytest.mark.parametrize("counting", ["types", "log", "tokens"])
def test_words_that_are_none_are_named(counts: dict[str, int], message: str, counting: str) -> None:
    if counting == "log" and -3 in counts.values():
        message = "Word 1 has the count 0"
    with pytest.raises(DataError, match=message):
        MorphemeRecipe(counting=counting).train_words(counts)


def test_options_are_checked() -> None:
    with pytest.raises(DataError, match="'counting' option of MorphemeRecipe must be one of 'types', 'log', 'tokens'"):
        MorphemeRecipe(counting="some").train(LINES)
    with pytest.raises(DataError, match="'corpus_weight' option of MorphemeRecipe must be at least 1e-06"):
        MorphemeRecipe(corpus_weight=0).train_words(WORDS)


@pytest.mark.realdata
@pytest.mark.parametrize(("counting", "weight"), [("types", 1.0), ("tokens", 0.5)])
def test_the_description_is_no_longer_than_morfessors(data_folder: Path, counting: str, weight: float) -> None:
    morfessor = pytest.importorskip("morfessor", reason="the peer is not installed")
    with gzip.open(data_folder / "multi30k" / "train.en.gz", "rt", encoding="utf-8") as stream:
        met = Counter(word for line in stream for word in line.lower().split())
    chosen = sorted(random.Random(7).sample(sorted(met), 600))
    counts = {word: met[word] if counting == "tokens" else 1 for word in chosen}
    random.seed(7)  # it takes words in an order of the global generator
    peer = morfessor.BaselineModel(corpusweight=weight)
    peer.load_data([(count, word) for word, count in counts.items()])
    _, theirs = peer.train_batch()
    cuts = [(count, list(parts)) for count, _, parts in peer.get_segmentations()]
    assert theirs == pytest.approx(naive_length(cuts, weight), rel=1e-5)  # it takes factorials by Stirling's formula
    assert min(learn(counts, weight)[1]) <= theirs * 1.005
