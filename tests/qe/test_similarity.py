"""Similarity to good text: sentence ends, masks, weights, BM25."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.qe import Resources, extract_features
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources import GoodText, GoodTextRecipe
from dragoman.qe.resources.similarity import mask_keys, padded

TEXT = ["the cat sat", "The cat ran", "a dog"]


@pytest.fixture(scope="module")
def resources() -> Resources:
    found = GoodTextRecipe(order=4).train(TEXT)
    return Resources.of(source_good_text=found, target_good_text=found)


def one(spec: str, source: str, resources: Resources) -> float:
    found = extract_features(
        [source], [""], FeatureRecipe(features=(spec,), check_languages=False), resources=resources
    )
    return float(found.values[0, 0])


def test_ends_make_five_trigrams_of_one() -> None:
    ids, offsets = np.array([4, 5, 6], dtype=np.int32), np.array([0, 3])
    assert padded(ids, offsets, 2)[0].tolist() == [-1, -1, 4, 5, 6, -1, -1]
    assert len(mask_keys(ids, offsets, "111", ends=True)[0]) == 5
    assert len(mask_keys(ids, offsets, "111", ends=False)[0]) == 1
    # There is no such thing: There_no, is_such, no_thing
    words = np.arange(5, dtype=np.int32)
    assert len(mask_keys(words, np.array([0, 5]), "101", ends=False)[0]) == 3
    empty = mask_keys(np.zeros(0, dtype=np.int32), np.array([0, 0]), "111", ends=True)
    assert len(empty[0]) == 0


def test_matching_by_hand(resources: Resources) -> None:
    # # the | the cat | cat # : the last is not there, as cat never ends a sentence
    assert one("padded-match:mask=11", "THE cat", resources) == pytest.approx(2 / 3)
    assert one("padded-match:mask=1", "the bird", resources) == 0.5
    assert one("padded-match:mask=101", "the x sat", resources) == pytest.approx(3 / 5)
    # the: 2 times in 2 of 3 sentences; bird: never
    for weight, value in [
        ("frequency", 3 / 4),
        ("log-frequency", (1 + math.log(3)) / (2 + math.log(3))),
        ("inverse-frequency", (1 / 3) / (4 / 3)),
        ("idf", math.log(4 / 3) / (math.log(4 / 3) + math.log(4))),
    ]:
        assert one(f"padded-match:mask=1,weight={weight}", "the bird", resources) == pytest.approx(value), weight
    assert one("padded-match", "", resources) == 0
    # s1 = 1, s2 = 2/3: 2/3 + ½ · 1/3
    assert one("padded-multi-level:longest=2", "the cat", resources) == pytest.approx(2 / 3 + 1 / 6)
    with pytest.raises(DataError, match="indexed by 1, 11, 111, 1111, 101, 1001, not by 11111"):
        one("padded-match:mask=11111", "a", resources)
    with pytest.raises(DataError, match="A mask is made of 0 and 1, got '12'"):
        one("padded-match:mask=12", "a", resources)
    with pytest.raises(DataError, match="begins and ends with 1, got '01'"):
        GoodTextRecipe(masks=("01",)).train(TEXT)
    with pytest.raises(DataError, match="the text is empty"):
        GoodTextRecipe().train([""])
    with pytest.raises(DataError, match="got one str"):
        GoodTextRecipe().train("a b")


def naive_okapi(sentence: list[str], corpus: list[list[str]], k1: float = 1.2, b: float = 0.75) -> float:
    total = Counter(word for line in corpus for word in line)
    having = Counter(word for line in corpus for word in set(line))
    n, mean = len(corpus), sum(total.values()) / len(corpus)

    def weights(counts: Counter[str], length: float) -> dict[str, float]:
        return {
            word: max(0.0, math.log((n - having[word] + 0.5) / (having[word] + 0.5)))
            * (tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean)))
            for word, tf in counts.items()
        }

    ours, theirs = weights(Counter(sentence), len(sentence)), weights(total, sum(total.values()))
    norm = math.sqrt(sum(w * w for w in ours.values()) * sum(w * w for w in theirs.values()))
    return sum(w * theirs.get(word, 0.0) for word, w in ours.items()) / norm if norm else 0.0


@given(
    st.lists(st.sampled_from("abcdx"), max_size=6),
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=5), min_size=1, max_size=6),
)
def test_okapi_is_the_cosine_of_its_definition(sentence: list[str], corpus: list[list[str]]) -> None:
    text = GoodTextRecipe(order=1, masks=()).train([" ".join(line) for line in corpus])
    found = one("okapi:length=1", " ".join(sentence), Resources.of(source_good_text=text))
    assert found == pytest.approx(naive_okapi(sentence, corpus), abs=1e-9)


def test_an_index_is_read_as_it_was_written(tmp_path: Path, resources: Resources) -> None:
    text = resources.ask("source_good_text", GoodText)
    loaded = GoodText.load(text.save(tmp_path / "text"))
    assert loaded.sizes == text.sizes
    assert one("okapi", "the cat", Resources.of(source_good_text=loaded)) == one("okapi", "the cat", resources)
