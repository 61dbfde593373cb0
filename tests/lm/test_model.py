from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError, FormatError, ModelError
from dragoman.files import read_lines
from dragoman.lm import KneserNey, LanguageModel, Mixture, mixture_weights, perplexity, score_sentences

LINES = ["the cat sat on the mat", "the dog sat on the log", "a cat and a dog", "the cat saw the dog", "the mat"]

# Each line of this model is there for something: an entry without back-off, a missing suffix ("saw a" for "cat saw a"),
# spaces for tabs, an upper-case unknown.
ARPA = r"""
some tools write a note here

\data\
ngram 1=6
ngram 2=3
ngram 3=1

\1-grams:
-2.0	<UNK>
-99	<s>	-0.5
-1.0	</s>
-0.8	cat	-0.4
-0.9 saw -0.3
-1.1	a	-0.2

\2-grams:
-0.5	<s> cat	-0.1
-0.6	cat saw	-0.25
-0.7	a </s>

\3-grams:
-0.2	cat saw a

\end\
"""


@pytest.fixture
def arpa(tmp_path: Path) -> Path:
    path = tmp_path / "model.arpa"
    path.write_text(ARPA, encoding="utf-8")
    return path


def test_an_arpa_file_of_other_tools_scores_as_it_says(arpa: Path) -> None:
    model = LanguageModel.from_arpa(arpa)
    # "cat saw" after "<s> cat" is backed off to. "saw a" is not in the file, so "a </s>" comes without a back-off.
    scored = model.score_tokens(["cat saw a"])
    np.testing.assert_allclose(scored.log_p, [-0.5, -0.7, -0.2, -0.7], atol=1e-6)
    assert scored.n_matched.tolist() == [2, 2, 3, 2]
    # a word that the model does not know: its own probability after every back-off of the past
    np.testing.assert_allclose(model.score_tokens(["cat dog"], eos=False).log_p, [-0.5, -0.1 - 0.4 - 2.0], atol=1e-6)
    assert model.score_tokens(["cat dog"]).unknown.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (r"\data" + "\\", "data", 26, "there is no \\\\data\\\\ section: this is no ARPA file"),
        ("ngram 2=3", "ngram 2=\udcff", 6, "the line is not UTF-8. If the file is Latin-1, convert it with: iconv"),
        ("-0.6\tcat saw", "-0.6\tc\udce4t saw", 19, "the line is not UTF-8"),
        ("ngram 2=3", "ngram 2=x", 6, "'ngram 2=x' is no count of n-grams"),
        ("ngram 2=3", "ngram 3=3", 6, "is no count of n-grams; expected orders from 1 on"),
        ("-0.6\tcat saw", "x\tcat saw", 19, "does not begin with a logarithm of a probability"),
        ("-0.6\tcat saw", "0.6\tcat saw", 19, "the logarithm of a probability is above 0"),
        ("-0.6\tcat saw\t-0.25", "-0.6\tcat", 19, "the line has 1 words; expected 2"),
        ("-0.25", "many", 19, "'many' is no back-off weight"),
        ("-0.6\tcat saw", "-0.6\tcat seen", 19, "'seen' is no 1-gram of this model"),
        ("ngram 2=3", "ngram 2=4", 22, "3 n-grams stand in \\\\2-grams: the head says 4"),
        ("\\end\\", "", 26, "the file ends inside \\\\3-grams:; it is cut off"),
        ("-1.1\ta\t-0.2\n", "", 16, "there are 5 1-grams; the head says 6"),
    ],
)
def test_a_broken_arpa_file_is_named_with_its_line(arpa: Path, old: str, new: str, line: int, message: str) -> None:
    assert old in ARPA
    arpa.write_bytes(ARPA.replace(old, new, 1).encode("utf-8", "surrogateescape"))
    with pytest.raises(FormatError, match=message) as caught:
        LanguageModel.from_arpa(arpa)
    assert caught.value.line == line


def test_a_model_is_the_same_from_training_arpa_and_folder(tmp_path: Path) -> None:
    trained = KneserNey(order=3).train(LINES, arpa=tmp_path / "model.arpa.gz")
    trained.save(tmp_path / "model")
    for other in (LanguageModel.open(tmp_path / "model"), LanguageModel.open(tmp_path / "model.arpa.gz")):
        assert other.n_ngrams == trained.n_ngrams
        tests = [*LINES, "a dog saw the unheard-of mat", ""]
        np.testing.assert_allclose(other.score(tests), trained.score(tests), atol=1e-5)
    assert LanguageModel.load(tmp_path / "model").recipe == KneserNey(order=3)


def test_threads_and_batches_change_nothing() -> None:
    model = KneserNey(order=3).train(LINES)
    one = model.score_tokens(LINES * 3)
    for n in (2, 7):
        many = model.score_tokens(LINES * 3, n_threads=n)
        assert many.log_p.tobytes() == one.log_p.tobytes()
        assert many.offsets.tobytes() == one.offsets.tobytes()
    np.testing.assert_allclose(np.add.reduceat(one.log_p, one.offsets[:-1]), model.score(LINES * 3), atol=1e-5)


def test_perplexity_and_sentences() -> None:
    model = KneserNey(order=3).train(LINES)
    text = ["the cat sat on the rug", ""]
    found = perplexity(model, text)
    assert (found.n_sentences, found.n_tokens, found.n_unknown) == (2, 8, 1)
    assert sum(found.n_matched) == 8
    assert found.log_p == pytest.approx(float(model.score(text).sum()), abs=1e-5)
    assert found.value == pytest.approx(10 ** (-found.log_p / 8))
    rows = score_sentences(model, text).tables()[0].records()
    assert [row["tokens"] for row in rows] == [7, 1]
    assert score_sentences(model, []).tables()[0].records() == []
    with pytest.raises(DataError, match="no sentence to measure"):
        perplexity(model, [])


def test_a_mixture_finds_the_model_that_fits() -> None:
    fitting, other = KneserNey(order=2).train(LINES), KneserNey(order=2).train(["x y z", "x the y"])
    mixture = mixture_weights([fitting, other], LINES)
    assert mixture.weights[0] > 0.9
    assert sum(mixture.weights) == pytest.approx(1)
    alone = Mixture((fitting, other), (1.0, 0.0))
    np.testing.assert_allclose(alone.score(LINES), fitting.score(LINES), atol=1e-5)
    with pytest.raises(DataError, match="positive and add up to 1"):
        Mixture((fitting, other), (0.5, 0.6))
    with pytest.raises(DataError, match="one weight for each model, got 1 for 2"):
        Mixture((fitting, other), (1.0,))
    with pytest.raises(DataError, match="no sentence to learn the weights"):
        mixture_weights([fitting], [])


def test_a_damaged_model_is_named(tmp_path: Path) -> None:
    folder = KneserNey(order=2).train(LINES).save(tmp_path / "model")
    file = folder / "lm.bin"
    content = file.read_bytes()
    file.write_bytes(content[:-8])
    with pytest.raises(ModelError, match=r"lm\.bin is damaged or was edited"):
        LanguageModel.load(folder)


@pytest.mark.realdata
def test_order_5_of_the_fixture_read_back_scores_alike(data_folder: Path) -> None:
    lines = read_lines(data_folder / "lm-fixture" / "text.en.gz")
    ours = KneserNey(order=5).train(lines)
    theirs = LanguageModel.from_arpa(data_folder / "lm-fixture" / "o5.arpa.gz")
    text = read_lines(data_folder / "multi30k" / "val.en.gz")
    np.testing.assert_allclose(ours.score(text), theirs.score(text), atol=1e-4)
