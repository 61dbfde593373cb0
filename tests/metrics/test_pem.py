"""PEM: the paper's example, its parts, what it learns, and controls on real text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.lm import KneserNey
from dragoman.metrics import MetricTraining, as_test_set, make_metric
from dragoman.metrics.pem import Pem
from dragoman.metrics.pivots import PivotSettings
from dragoman.metrics.references import ScoredText
from dragoman.smt.pivots import PivotRecipe
from tests.metrics.pivot_tables import Phrases, table_of

GREETINGS: Phrases = {
    "hello ,": (1, {"bonjour ,": 0.9, "salut ,": 0.1}),
    ".": (1, {".": 1.0}),
    "morning , sir .": (1, {"bonjour , monsieur .": 1.0}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of pivots and a language model."""
    place = tmp_path_factory.mktemp("pem")
    table_of(GREETINGS, settings=PivotSettings(punctuation="keep")).save(place / "pivots")
    KneserNey(order=2).train(["hello , sir .", "good morning , sir .", "hello ."]).save(place / "lm")
    return place


def test_the_example_of_emnlp10(folder: Path) -> None:
    metric = Pem(pivots=str(folder / "pivots"))
    hyp, original = ["Morning , sir ."], ["Hello , Querrien ."]
    assert metric.segments(hyp, [original])[0] == pytest.approx(38), "0.9 + 1 + 1 + 0.9 of 10"
    assert metric.segments(original, [hyp])[0] == pytest.approx(38), "the same both ways"
    likeness = 100 - Pem(pivots=str(folder / "pivots"), part="dissimilarity").segments(hyp, [original])[0]
    assert likeness == pytest.approx(20)


def test_likeness_of_the_other_example(tmp_path: Path) -> None:
    """10 of 38 n-grams; in a language that is cut at blanks alone, as the example is."""
    table = table_of(GREETINGS, settings=PivotSettings(lang="it", punctuation="keep")).save(tmp_path / "pivots")
    metric = Pem(lang="it", pivots=str(table), part="dissimilarity")
    one = "sihanouk put forth this proposal in a statement made yesterday ."
    other = "shihanuk put forward this proposal in his yesterday 's statement ."
    assert 100 - metric.segments([one], [[other]])[0] == pytest.approx(100 * 10 / 38)


def test_fluency_is_a_words_probability(folder: Path) -> None:
    metric = Pem(pivots=str(folder / "pivots"), lm=str(folder / "lm"), part="fluency")
    model = KneserNey(order=2).train(["hello , sir .", "good morning , sir .", "hello ."])
    expected = 100 * 10 ** (model.score(["hello , sir ."])[0] / 5)
    assert metric.segments(["Hello , sir ."], [["x"]])[0] == pytest.approx(expected)
    assert metric.segments(["Hello , sir ."], [["x"]]) > metric.segments(["sir . , Hello"], [["x"]])


def test_it_learns_that_other_words_count_where_the_meaning_is_kept(folder: Path, tmp_path: Path) -> None:
    original = "Hello , Querrien ."
    hyps = ["Morning , sir .", "Hello , Querrien .", "Querrien sells fish", "Hello . Hello ."] * 4
    metric = make_metric(f"pem:pivots={folder / 'pivots'},lm={folder / 'lm'}")
    test_set = as_test_set({"mine": hyps}, [[original] * len(hyps)])
    trained = MetricTraining(c=10).train(metric, test_set, [4.0, 2.0, 1.0, 1.5] * 4)
    assert {"pivots", "lm", "judgements"} <= set(trained.data)
    trained.save(tmp_path / "mine")
    learnt = make_metric(f"trained:{tmp_path / 'mine'}")
    scores = learnt.segments(hyps[:4], [[original] * 4])
    assert scores == pytest.approx([80, 40, 20, 30], abs=4)
    assert "support" not in learnt.signature()
    assert metric.segments(hyps[:2], [[original] * 2])[1] == pytest.approx(100), "adequacy alone until then"


def test_what_it_refuses(folder: Path, tmp_path: Path) -> None:
    pivots = str(folder / "pivots")
    with pytest.raises(DataError, match="make a table of pivots from a bitext with dragoman metric pivots"):
        Pem()
    with pytest.raises(DataError, match=r"PEM's pivots=.* are of 'en', but the text is in 'de'"):
        Pem(pivots=pivots, lang="de")
    with pytest.raises(DataError, match="PEM's fluency asks a language model: say lm=FOLDER"):
        Pem(pivots=pivots, part="fluency")
    with pytest.raises(DataError, match="There is no language model"):
        Pem(pivots=pivots, lm=str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match="three features and a coefficient a vector, got 3 numbers"):
        Pem(pivots=pivots, lm=str(folder / "lm"), support=(1.0, 2.0, 3.0))


@pytest.mark.slow
@pytest.mark.realdata
def test_controls_come_in_the_papers_order(data_folder: Path, tmp_path: Path) -> None:
    """Another person's translation, the original itself, a random sentence, words at random: 150 each, held out."""
    english, french = (read_lines(data_folder / "multi30k" / f"train.{lang}.gz")[:12_000] for lang in ("en", "fr"))
    settings = PivotRecipe(punctuation="keep")
    pivots = settings.find(french, english, n_threads=2).save(tmp_path / "pivots")
    lines = [" ".join(words) for words in settings.words(english, "en")]
    lm = KneserNey(order=4).train(lines).save(tmp_path / "lm")
    one, other = (read_lines(data_folder / "indian" / "ur-en" / f"dev.ur-en.en.{k}.gz")[:300] for k in (0, 1))
    rng = np.random.default_rng(1)
    words = " ".join(one).split()
    salad = [" ".join(rng.choice(words, len(line.split()))) for line in one]
    controls = [other, one, [*one[7:], *one[:7]], salad]
    metric = make_metric(f"pem:pivots={pivots},lm={lm}")
    hyps = [line for lines in controls for line in lines[:150]]
    judgements = np.repeat([4.0, 2.0, 1.0, 1.0], 150)
    test_set = as_test_set({"all": hyps}, [one[:150] * 4])
    learnt = MetricTraining().train(metric, test_set, judgements.tolist()).metric
    human, itself, stranger, disorder = (learnt.segments(lines[150:], [one[150:]]).mean() for lines in controls)
    assert human > itself > stranger >= disorder - 1.0
    text = ScoredText.of_streams([other[150:]], [one[150:]], None)
    assert learnt.batch_rows(text, 1).shape == (1, 150, 2)
