from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import _core
from dragoman.errors import DataError, FormatError
from dragoman.files import read_lines
from dragoman.lm import (
    ClassKneserNey,
    ClassModel,
    KneserNey,
    LanguageModel,
    WordClasses,
    cluster_words,
    open_model,
    perplexity,
)

LINES = ["the cat sat on the mat", "the dog sat on the log", "a cat and a dog", "the cat saw the dog", "the mat"]
TABLE = WordClasses({"the": "D", "a": "D", "cat": "N", "dog": "N", "mat": "N", "log": "N", "sat": "V", "saw": "V"})

sentence = st.lists(st.sampled_from("abcdef"), max_size=6).map(" ".join)


def likelihood(lines: list[str], classes: dict[str, str]) -> float:
    """ln of Π p(class | class before) · p(word | class) by its definition; sentences end in a class of their own."""
    pairs: Counter[tuple[str, str]] = Counter()
    words: Counter[str] = Counter()
    for line in lines:
        tokens = ["#", *line.split(), "#"]
        words.update(tokens[1:])
        pairs.update(pairwise(["#" if token == "#" else "c" + classes[token] for token in tokens]))
    before: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for (first, _), n in pairs.items():
        before[first] += n
    for word, n in words.items():
        totals["#" if word == "#" else "c" + classes[word]] += n
    of_classes = sum(n * math.log(n / before[first]) for (first, _), n in pairs.items())
    of_words = sum(n * math.log(n / totals["#" if word == "#" else "c" + classes[word]]) for word, n in words.items())
    return of_classes + of_words


@given(st.lists(sentence, min_size=1, max_size=12).filter(lambda lines: any(lines)), st.integers(1, 4))
def test_no_single_word_would_do_better_in_another_class(lines: list[str], n_classes: int) -> None:
    classes = dict(cluster_words(lines, n_classes, max_rounds=100).classes)
    best = likelihood(lines, classes)
    for word in classes:
        for name in map(str, range(1, n_classes + 1)):
            assert likelihood(lines, classes | {word: name}) <= best + 1e-6
    vocabulary = list(classes)
    ids = np.asarray([vocabulary.index(w) for line in lines for w in line.split()], dtype=np.int32)
    offsets = np.cumsum([0, *(len(line.split()) for line in lines)], dtype=np.int64)
    _, found, _ = _core.lm.cluster(ids, offsets, n_words=len(vocabulary), n_classes=n_classes, max_rounds=100)
    assert found == pytest.approx(best, abs=1e-6)


@pytest.mark.realdata
def test_words_of_a_kind_come_together(data_folder: Path) -> None:
    lines = [line.lower() for line in read_lines(data_folder / "multi30k" / "train.en.gz")[:5000]]
    classes = cluster_words(lines, 30, max_rounds=5).classes
    assert classes["red"] == classes["blue"] == classes["green"]
    assert classes["two"] == classes["three"]
    assert classes["red"] != classes["two"]


@given(st.lists(sentence, min_size=1, max_size=10), st.integers(1, 3), st.sampled_from([0.0, 0.5]))
def test_probabilities_of_all_words_add_up_to_one(lines: list[str], order: int, add: float) -> None:
    table = WordClasses({"a": "1", "b": "1", "c": "2", "d": "3", "z": "1", "y": "9"})
    model = ClassKneserNey(order=order, add=add).fit(lines, table)
    words = ["unheard-of", *model.words()[3:]]
    for past in ("", "a ", "e c ", "b d a "):
        scored = model.score_tokens([past + word for word in words], eos=False)
        total = (10.0 ** scored.log_p[scored.offsets[1:] - 1].astype(np.float64)).sum()
        assert total + 10.0 ** model.score_tokens([past]).log_p[-1] == pytest.approx(1, abs=1e-5)


def test_a_class_model_is_the_model_of_classes_times_the_words_share(tmp_path: Path) -> None:
    model = ClassKneserNey(order=2).fit(LINES, TABLE)
    mapped = TABLE.map_lines(LINES)
    assert mapped[0] == "D N V <unk> D N"
    alone = KneserNey(order=2).train(mapped)
    counts = Counter(word for line in LINES for word in line.split())
    share = sum(
        math.log10(counts[word] / sum(n for other, n in counts.items() if TABLE.classes.get(other) == name))
        for word, name in (("a", "D"), ("cat", "N"))
    )
    assert model.score(["a cat"])[0] == pytest.approx(alone.score(["D N"])[0] + share, abs=1e-5)
    assert model.score_tokens(["a on"]).unknown.tolist() == [False, True, False]
    model.save(tmp_path / "model")
    loaded = open_model(tmp_path / "model")
    assert isinstance(loaded, ClassModel)
    assert loaded.score(LINES).tobytes() == model.score(LINES).tobytes()
    assert loaded.recipe == ClassKneserNey(order=2)
    assert perplexity(loaded, LINES).n_unknown == 3
    for n in (2, 7):
        assert model.score(LINES, n_threads=n).tobytes() == model.score(LINES).tobytes()


def test_tables_are_read_and_written(tmp_path: Path) -> None:
    TABLE.write(tmp_path / "classes.tsv")
    assert WordClasses.read(tmp_path / "classes.tsv") == TABLE
    for text, message in [
        ("word\n", "expected a word, a tab and its class"),
        ("a\t1\na\t2\n", "'a' has a class already"),
    ]:
        (tmp_path / "bad.tsv").write_text(text, encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            WordClasses.read(tmp_path / "bad.tsv")
    with pytest.raises(DataError, match=r"'<s>' is no name of a word class"):
        WordClasses({"a": "<s>"})
    with pytest.raises(DataError, match="no word to find a class for"):
        cluster_words(["", " "])
    with pytest.raises(DataError, match="at least one class and one round, got 0 and 20"):
        cluster_words(["a"], 0)


def test_characters_and_tags_are_taken_apart_by_the_model(tmp_path: Path) -> None:
    by_character = KneserNey(order=3, level="char").train(LINES)
    assert "▁" in by_character
    assert all(len(word) == 1 for word in by_character.words()[3:])
    plain = KneserNey(order=3).train([" ".join(line.replace(" ", "▁")) for line in LINES])
    assert by_character.score(["the  cat"])[0] == plain.score(["t h e ▁ c a t"])[0]
    by_character.save(tmp_path / "model")
    assert LanguageModel.load(tmp_path / "model").level == "char"

    by_tag = KneserNey(order=2, level="tag").train(["the|D cat|N", "a|D dog|N", "or|||"])
    assert by_tag.words()[3:] == ["D", "N", "|"]
    with pytest.raises(DataError, match=r"'cat' carries no tag; a model of tags takes tokens as word\|tag\."):
        by_tag.score(["the|D cat"])
