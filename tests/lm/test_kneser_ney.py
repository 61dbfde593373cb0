from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.lm import KneserNey, LanguageModel
from tests.lm import naive

sentence = st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join)


def read_arpa(path: Path) -> dict[str, tuple[float, float]]:
    cells = [line.split("\t") for line in read_lines(path)]
    return {row[1]: (float(row[0]), float(row[2]) if len(row) > 2 else 0.0) for row in cells if len(row) > 1}


@given(st.lists(sentence, min_size=1, max_size=12), st.integers(1, 4))
def test_every_number_is_that_of_the_definition(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], order: int
) -> None:
    path = tmp_path_factory.mktemp("lm") / "model.arpa"
    KneserNey(order=order).train(lines, arpa=path)
    ours = read_arpa(path)
    wanted = naive.estimate(lines, order, (0.5, 1.0, 1.5))
    assert set(ours) == {" ".join(gram) for gram in wanted}
    for gram, (p, backoff) in wanted.items():
        log_p, log_backoff = ours[" ".join(gram)]
        assert log_p == pytest.approx(math.log10(p), abs=2e-6), gram
        if len(gram) < order:
            assert log_backoff == pytest.approx(math.log10(backoff), abs=2e-6), gram


@given(st.lists(sentence, min_size=1, max_size=12), st.integers(1, 4), st.sampled_from([(), (0, 1), (0, 0, 2)]))
def test_probabilities_after_any_past_add_up_to_one(lines: list[str], order: int, prune: tuple[int, ...]) -> None:
    model = KneserNey(order=order, prune=prune).train(lines)
    words = [word for word in model.words() if word != "<s>"]
    for length in range(order):
        for past in product([*sorted(set("abcd")), "x"], repeat=length):
            lines_of = [" ".join([*past, "unheard-of" if word == "<unk>" else word]) for word in words]
            scored = model.score_tokens(lines_of, bos=False, eos=False)
            last = scored.log_p[scored.offsets[1:] - 1].astype(np.float64)
            assert (10.0**last).sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "order", "prune"), [("o3", 3, ()), ("o5", 5, ()), ("o4.prune001", 4, (0, 0, 1))], ids=lambda x: str(x)
)
@pytest.mark.parametrize("memory", ["1g", "600k"])
def test_lmplz_probabilities_and_backoffs_to_1e_5(
    data_folder: Path, tmp_path: Path, name: str, order: int, prune: tuple[int, ...], memory: str
) -> None:
    lines = read_lines(data_folder / "lm-fixture" / "text.en.gz")
    path = tmp_path / "ours.arpa"
    KneserNey(order=order, prune=prune, memory=memory).train(lines, arpa=path, n_threads=2)
    ours, theirs = read_arpa(path), read_arpa(data_folder / "lm-fixture" / f"{name}.arpa.gz")
    assert set(ours) == set(theirs)
    gap = max(max(abs(ours[gram][0] - p), abs(ours[gram][1] - backoff)) for gram, (p, backoff) in theirs.items())
    assert gap < 1e-5


@pytest.mark.parametrize("n_threads", [2, 7])
def test_threads_change_nothing(n_threads: int) -> None:
    lines = [" ".join("abcdefgh"[(i * k) % 8] for k in range(1, 9)) for i in range(200)]
    models = [KneserNey(order=4).train(lines, n_threads=n) for n in (1, n_threads)]
    assert models[0].core.serialised() == models[1].core.serialised()


def test_what_a_vocabulary_leaves_out_counts_as_unknown() -> None:
    model = KneserNey(order=2).train(["a b c", "a b d", "a x b"], vocabulary=["a", "b"])
    assert model.words() == ["<unk>", "<s>", "</s>", "a", "b"]
    assert "c" not in model
    assert model.score(["a c"])[0] == model.score(["a never-seen"])[0]


def test_what_cannot_be_estimated_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"There is no sentence to learn a language model from\."):
        KneserNey().train([])
    with pytest.raises(DataError, match=r"Sentence 2 holds <s> or </s> as a word; these mark its ends\."):
        KneserNey().train(["a b", "a </s> b"])
    with pytest.raises(DataError, match=r"memory is 'much'; expected a number with a unit, as 512m or 2g\."):
        KneserNey(memory="much").train(["a"])
    with pytest.raises(DataError, match=r"must not fall from order to order, got \[1, 0\]"):
        KneserNey(prune=(1, 0)).train(["a"])
    with pytest.raises(DataError, match="got one str"):
        KneserNey().train("a b")
    with pytest.raises(DataError, match=r"'order' option of KneserNey must be at least 1 and at most 9\. Got 10"):
        KneserNey(order=10).train(["a"])
    with pytest.raises(DataError, match="Cannot make a scratch file in"):
        KneserNey(memory="1k").train(["a b c d e f g h"] * 50, folder=tmp_path / "absent")


def test_no_discount_is_nought() -> None:
    # By its counts of counts one order's discount would be exactly 0 here, and a back-off weight with it.
    model = KneserNey(order=3).train(["b b a", "b c b b b a"])
    assert np.isfinite(model.score(["b b a", "c c", "x a b", ""])).all()


@pytest.mark.parametrize("memory", ["1k", "20k"])
@pytest.mark.parametrize("prune", [(), (0, 0, 1)])
def test_memory_that_does_not_suffice_changes_no_byte(tmp_path: Path, memory: str, prune: tuple[int, ...]) -> None:
    lines = [" ".join(f"w{(i * k * k) % 97}" for k in range(1, 12)) for i in range(300)]
    whole = KneserNey(order=4, prune=prune).train(lines)
    little = KneserNey(order=4, prune=prune, memory=memory).train(iter(lines), folder=tmp_path, n_threads=2)
    assert little.core.serialised() == whole.core.serialised()
    assert list(tmp_path.iterdir()) == []  # scratch files have no names


def test_an_interrupted_run_leaves_nothing(tmp_path: Path) -> None:
    def cut_off() -> Iterator[str]:
        yield from ["a b c d e f g h"] * 60_000
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        KneserNey(memory="64k").train(cut_off(), arpa=tmp_path / "model.arpa", folder=tmp_path)
    with pytest.raises(DataError, match="Sentence 1 holds"):
        KneserNey().train(["<s>"], arpa=tmp_path / "model.arpa", folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_is_named() -> None:
    with pytest.raises((DataError, OSError), match="No space left on device"):
        KneserNey(order=2).train(["a b"], arpa="/dev/full")


def test_odd_text_is_text() -> None:
    # A tab, a form feed and a non-breaking space part words, as white space does; NUL is a character like others.
    assert KneserNey(order=2).train(["a\tb\x0cc\u00a0d", "e\x00f"]).words()[3:] == ["a", "b", "c", "d", "e\x00f"]
    long = KneserNey(order=5).train([" ".join(f"w{i % 1000}" for i in range(100_000))])
    assert len(long.score_tokens([" ".join(["w1"] * 100_000)]).log_p) == 100_001
    with pytest.raises(DataError, match="surrogate"):
        KneserNey(order=2).train(["a \ud800"])
    # <s> inside a line is no word that could be predicted.
    assert long.score(["w1 <s>"])[0] == long.score(["w1 unheard-of"])[0]


def test_a_sentence_without_words_is_a_sentence() -> None:
    model = KneserNey(order=3).train(["", "a", ""])
    assert model.score([""])[0] > model.score(["a a"])[0]
    assert isinstance(model, LanguageModel)
