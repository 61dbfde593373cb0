from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, ModelError
from dragoman.files import read_lines, read_text
from dragoman.lm import KneserNey, LanguageModel
from tests.examples import examples
from tests.lm.sums import sums

sentence = st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join)
corpus = st.lists(sentence, min_size=1, max_size=12)
prunings = st.sampled_from([(), (0, 1), (0, 0, 2)])

LINES = ["the cat sat on the mat", "the dog sat on the log", "a cat and a dog", "the cat saw the dog", "the mat"]
NEW = [*LINES, "a dog saw the unheard-of mat", "", "mat the on sat"]


@given(corpus, st.lists(sentence, max_size=5), st.integers(1, 5), prunings)
def test_a_trie_scores_as_hash_tables_do(lines: list[str], new: list[str], order: int, prune: tuple[int, ...]) -> None:
    hashed = KneserNey(order=order, prune=prune).train(lines)
    trie = KneserNey(order=order, prune=prune, structure="trie").train(lines)
    assert (hashed.structure, trie.structure) == ("hash", "trie")
    assert trie.n_ngrams == hashed.n_ngrams
    for bos in (True, False):
        ours, theirs = (model.score_tokens([*lines, *new, "x a"], bos=bos) for model in (trie, hashed))
        assert ours.log_p.tobytes() == theirs.log_p.tobytes()
        assert ours.n_matched.tobytes() == theirs.n_matched.tobytes()


@given(corpus, st.integers(1, 5), prunings)
def test_conversion_there_and_back_changes_no_byte(lines: list[str], order: int, prune: tuple[int, ...]) -> None:
    hashed = KneserNey(order=order, prune=prune).train(lines)
    trie = KneserNey(order=order, prune=prune, structure="trie").train(lines)
    assert hashed.converted("trie").core.serialised() == trie.core.serialised()
    assert trie.converted("hash").core.serialised() == hashed.core.serialised()


@pytest.mark.parametrize("structure", ["hash", "trie"])
def test_an_arpa_file_written_later_is_that_of_training(tmp_path: Path, structure: str) -> None:
    model = KneserNey(order=4, structure=structure).train(LINES, arpa=tmp_path / "first.arpa")
    model.write_arpa(tmp_path / "second.arpa.gz")
    assert read_text(tmp_path / "second.arpa.gz") == read_text(tmp_path / "first.arpa")


def test_a_trie_is_saved_and_mapped(tmp_path: Path) -> None:
    model = KneserNey(order=3, structure="trie", p_bits=4, backoff_bits=3).train(LINES)
    model.save(tmp_path / "model")
    loaded = LanguageModel.load(tmp_path / "model")
    assert loaded.recipe == model.recipe
    assert (loaded.core.is_trie, loaded.core.p_bits, loaded.core.backoff_bits) == (True, 4, 3)
    assert loaded.score(NEW).tobytes() == model.score(NEW).tobytes()


@examples(20)
@given(st.lists(sentence, min_size=3, max_size=12), st.integers(2, 4))
def test_quantising_moves_a_score_no_further_than_its_bins(lines: list[str], order: int) -> None:
    exact = KneserNey(order=order).train(lines)
    # A text of twelve lines has fewer than 2^12 different probabilities: nothing is lost.
    fine = exact.converted("trie", p_bits=12, backoff_bits=12)
    assert fine.score(lines).tobytes() == exact.score(lines).tobytes()
    np.testing.assert_allclose(sums(fine, "abcd", order - 1), 1, atol=1e-5)
    rough = exact.converted("trie", p_bits=2, backoff_bits=2)
    off = np.abs(rough.score_tokens(lines).log_p - exact.score_tokens(lines).log_p).max()
    total = sums(rough, "abcd", order - 1)
    assert off < 2
    assert (np.abs(np.log10(total)) < 1).all()


@pytest.mark.realdata
def test_eight_bits_cost_little_on_the_fixture(data_folder: Path) -> None:
    model = LanguageModel.from_arpa(data_folder / "lm-fixture" / "o5.arpa.gz")
    text = read_lines(data_folder / "multi30k" / "val.en.gz")
    exact = model.converted("trie")
    assert exact.score(text).tobytes() == model.score(text).tobytes()
    eight = model.converted("trie", p_bits=8, backoff_bits=8)
    n_tokens = sum(len(line.split()) + 1 for line in text)
    assert abs(eight.score(text).sum() - model.score(text).sum()) / n_tokens < 0.005
    sizes = [len(each.core.serialised()) for each in (model, exact, eight)]
    assert sizes[1] < 0.6 * sizes[0]
    assert sizes[2] < 0.6 * sizes[1]
    assert exact.converted("hash").score(text).tobytes() == model.score(text).tobytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"structure": "hash", "p_bits": 8}, "Only a trie can be quantised"),
        ({"structure": "trie", "p_bits": 1}, "takes 2 to 16 bits, got 1"),
        ({"structure": "trie", "backoff_bits": 17}, "at least 0 and at most 16. Got 17"),
        ({"structure": "tree"}, "must be one of 'hash', 'trie'. Got 'tree'"),
    ],
)
def test_what_cannot_be_stored_is_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        KneserNey(**options).train(LINES)  # type: ignore[arg-type]
    with pytest.raises(DataError, match=message):
        KneserNey(order=2).train(LINES).converted(**options)  # type: ignore[arg-type]


def test_a_model_of_another_version_is_named(tmp_path: Path) -> None:
    folder = KneserNey(order=2).train(LINES).save(tmp_path / "model")
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"format": 2', '"format": 1'), encoding="utf-8")
    with pytest.raises(
        ModelError, match=r"a language model of format 1 .*; this version reads format 2\. Build it again"
    ):
        LanguageModel.load(folder)
