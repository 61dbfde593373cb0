"""What every language model keeps, whatever its order, its structure and what was left out of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dragoman.lm import KneserNey, LanguageModel
from tests.lm.sums import sums

# Words of every kind that look-up tells apart: around the lengths of machine words, with NUL, not ASCII, unknown.
WORDS = ["a", "b", "c", "d", "a\x00", "sevenla", "eightlet", "fifteen-letters", "sixteen--letters", "ünïcode", "字"]
WORDS += ["a-word-that-is-longer-than-any-register", "d\x00\x00"]
RECIPES = [KneserNey(order=order) for order in range(1, 10)]
RECIPES += [KneserNey(order=4, entropy=1e-4), KneserNey(order=4, max_words=6), KneserNey(order=4, prune=(0, 0, 1))]


def text(n_lines: int, seed: int) -> list[str]:
    draw = np.random.default_rng(seed)
    return [
        " ".join(WORDS[i] for i in np.minimum(draw.geometric(0.25, draw.integers(0, 12)), len(WORDS)) - 1)
        for _ in range(n_lines)
    ]


@pytest.fixture(
    scope="module", params=RECIPES, ids=lambda recipe: f"{recipe.order}-{recipe.entropy}-{recipe.max_words}"
)
def model(request: pytest.FixtureRequest) -> LanguageModel:
    recipe: KneserNey = request.param
    return recipe.train(text(60, seed=1))


def test_probabilities_add_up_to_one(model: LanguageModel) -> None:
    np.testing.assert_allclose(sums(model, "abcd", min(3, model.order)), 1, atol=1e-5)


def test_batches_threads_and_structure_change_no_bit(model: LanguageModel) -> None:
    # More than a block of words and enough lines for a memory of words; one line alone has neither.
    lines = [*text(400, seed=2), "unknown a", "a unknown-of-great-length b", "", " ", "<s> a <unk>", "a " * 5000]
    whole = model.score(lines)
    alone = np.concatenate([model.score([line]) for line in lines])
    assert whole.tobytes() == alone.tobytes()
    tokens = model.score_tokens(lines)
    trie = model.converted("trie").score_tokens(lines)
    assert tokens.log_p.tobytes() == trie.log_p.tobytes()
    assert tokens.n_matched.tobytes() == trie.n_matched.tobytes()
    assert tokens.unknown.tobytes() == trie.unknown.tobytes()
    for n_threads in (2, 7):
        assert model.score(lines, n_threads=n_threads).tobytes() == whole.tobytes()
        assert model.score_tokens(lines, n_threads=n_threads).log_p.tobytes() == tokens.log_p.tobytes()
    for bos, eos in ((True, False), (False, True), (False, False)):
        some = model.score(lines[:150], bos=bos, eos=eos)
        few = [model.score([line], bos=bos, eos=eos)[0] for line in lines[:150]]
        assert some.tolist() == few


def test_it_is_the_same_from_folder_and_arpa(model: LanguageModel, tmp_path: Path) -> None:
    model.save(tmp_path / "lm")
    loaded = LanguageModel.load(tmp_path / "lm")
    assert loaded.recipe == model.recipe
    assert loaded.core.serialised() == model.core.serialised()
    model.write_arpa(tmp_path / "lm.arpa")
    lines = [line.replace("\x00", "") for line in text(50, seed=3)]
    read = LanguageModel.from_arpa(tmp_path / "lm.arpa")
    assert read.n_ngrams == model.n_ngrams
    np.testing.assert_allclose(read.score(lines), model.score(lines), atol=1e-4)


def test_the_recipe_says_what_was_asked_for(model: LanguageModel) -> None:
    assert replace(model.recipe, structure="trie") == model.converted("trie").recipe
