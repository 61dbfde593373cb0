"""SAGAN: what WordNet's measures say of words, how sentences are matched, and learning from judgements."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from dragoman.errors import DataError, NotAvailable
from dragoman.files import read_lines
from dragoman.metrics import MetricTraining, as_test_set, make_metric
from dragoman.metrics.references import ScoredText
from dragoman.metrics.sagan import SIMILARITIES, Sagan, normalised_times, word_similarities
from dragoman.text import taxonomy
from dragoman.text.wordnet import find_wordnet
from tests.text.wordnet_files import write_wordnet

# Reference, hypothesis and the score that the paper prints.
EXAMPLES = [
    (
        "Adelaida, 4 years old, wants a doll or a bicycle, while her sister Isabel, 3 years old, "
        "would like a Barbie doll.",
        "Adelaide, of 4 years, want a doll or a bicycle, while his sister Isabel, 3 years, would like a Barbie doll.",
        0.95,
    ),
    (
        "Unfortunately, even Scarlett Johansson might struggle to raise China's subterranean regard "
        "for these city squads.",
        "Lamentablemente, until scarlett johansson should fight to increase the ínfimo respect of china for with these "
        "escuadrones the city.",
        0.5206,
    ),
    ("I strongly rely on the Charter.", "Me I based mainly on the letter.", 0.18),
    ("But there is a snag in that.", "However, there is a fly in the ointment.", 0.105),
]
installed = pytest.mark.skipif(find_wordnet() is None, reason="WordNet's database files are not installed")


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_wordnet(tmp_path_factory.mktemp("wordnet")))


def test_words_are_as_alike_as_their_meanings(wordnet: str) -> None:
    assert set(word_similarities("car", "auto", wordnet).values()) == {1.0}
    near, far = (word_similarities("dog", other, wordnet) for other in ("cat", "table"))
    assert all(near[name] > far[name] for name in SIMILARITIES if name != "resnik")
    assert set(word_similarities("dog", "buy", wordnet).values()) == {0.0}
    assert set(word_similarities("Zürich", "Zürich", wordnet).values()) == {1.0}


def test_the_measures_are_what_their_authors_say(wordnet: str) -> None:
    """Eleven nouns: dog and cat are leaves below animal, which is below thing, which is one of the roots."""
    n = 12  # with the root above all
    information = 1 - np.log(3) / np.log(n)  # of animal: itself, dog, cat
    found = word_similarities("dog", "cat", wordnet)
    assert found["resnik"] == pytest.approx(information)
    assert found["lin"] == pytest.approx(information)
    assert found["jiang-conrath"] == pytest.approx((1 / (2 - 2 * information) - 0.5) / 9.5)
    assert found["pirro-seco"] == pytest.approx(information)
    assert found["wu-palmer"] == pytest.approx(6 / 8)
    assert found["path"] == pytest.approx(1 / 3)
    assert found["leacock-chodorow"] == pytest.approx(1 - np.log(3) / np.log(8))
    assert found["semsim"] == max(found.values())


@installed
def test_textbook_pairs_of_the_real_one() -> None:
    assert set(word_similarities("car", "automobile").values()) == {1.0}
    near, far = (word_similarities("dog", other) for other in ("cat", "table"))
    assert all(near[name] > far[name] for name in SIMILARITIES)


def test_sentences_are_matched_at_their_best(wordnet: str) -> None:
    words = ["dog", "cat", "table", "car", "animal", "mouse"]
    rng = np.random.default_rng(3)
    for _ in range(20):
        hyp, ref = (list(rng.choice(words, size)) for size in (4, 3))
        each = {(h, r): word_similarities(h, r, wordnet) for h in hyp for r in ref}
        metric = Sagan(wordnet=wordnet)
        text = metric.prepare(ScoredText.of_streams([[" ".join(hyp)]], [[" ".join(ref)]], None), 1)
        for k, name in enumerate(SIMILARITIES):
            best = max(
                sum(each[h, r][name] for h, r in zip(chosen, ref, strict=True)) for chosen in permutations(hyp, 3)
            )
            assert metric.reference_features(text, 0, 1)[0, 0, k] == pytest.approx(2 * best / 7)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("at 9 p.m. on jan. 1st", "at 21:00 on january 1"),
        ("at 12:30 am, 3 sept", "at 0:30, 3 september"),
        ("the 1st of them, 19 pm", "the 1st of them, 19 pm"),
    ],
)
def test_dates_and_times_have_one_form(line: str, expected: str) -> None:
    assert normalised_times(line) == expected


@installed
def test_the_papers_examples_come_in_its_order() -> None:
    refs, hyps, printed = zip(*EXAMPLES, strict=True)
    best, second, *others = Sagan().segments(hyps, [refs])
    assert best > second > max(others)
    assert list(printed) == sorted(printed, reverse=True)


def test_scores_teach_it(wordnet: str, tmp_path: Path) -> None:
    hyps = ["a dog ran", "a cat ran", "a table ran", "the car", "a auto ran", "nothing"] * 3
    test_set = as_test_set({"mine": hyps}, [["a dog ran"] * len(hyps)])
    trained = MetricTraining().train(
        make_metric(f"sagan:wordnet={wordnet}"), test_set, [5.0, 4.0, 3.0, 1.0, 2.0, 0.0] * 3
    )
    assert trained.after >= trained.before > 0.9
    assert {"wordnet", "judgements"} <= set(trained.data)
    trained.save(tmp_path / "mine")
    metric = make_metric(f"trained:{tmp_path / 'mine'}")
    assert metric == trained.metric
    scores = metric.segments(hyps[:6], [["a dog ran"] * 6])
    assert (np.argsort(-scores) == [0, 1, 2, 4, 3, 5]).all()


@installed
@pytest.mark.realdata
def test_it_learns_from_smteuroparl(data_folder: Path) -> None:
    """BLEU+1 has .541 and .370; unigrams' F has .575 and .428, which is not reached."""

    def read(name: str) -> tuple[Any, list[str], list[str]]:
        rows = [line.split("\t") for line in read_lines(data_folder / "sts" / f"{name}.tsv.gz")]
        return np.array([float(row[0]) for row in rows]), [row[1] for row in rows], [row[2] for row in rows]

    human, refs, hyps = read("SMTeuroparl.train")
    metric = MetricTraining().train(Sagan(), as_test_set({"mine": hyps}, [refs]), human.tolist()).metric
    for name, least in (("SMTeuroparl.test", 0.56), ("SMTnews.test", 0.41), ("OnWN.test", 0.66)):
        human, refs, hyps = read(name)
        assert spearmanr(human, metric.segments(hyps, [refs])).statistic > least


def test_what_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="SAGAN is for English, as WordNet is; the text is in 'de'"):
        Sagan(lang="de")
    with pytest.raises(DataError, match="SAGAN has 8 weights, got 1"):
        Sagan(weights=(1.0,))
    monkeypatch.setattr(taxonomy, "find_wordnet", lambda: None)
    with pytest.raises(NotAvailable, match=r"The kinds of things are in WordNet\. Install it with: apt install"):
        Sagan().segments(["a"], [["a"]])
