"""Models of coherence and of responsiveness: what they learn, keep and refuse."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, ModelError
from dragoman.metrics.coherence import CoherenceModel, CoherenceRecipe, ResponsivenessModel, ResponsivenessRecipe
from dragoman.metrics.coherence.model import cut_text
from dragoman.rng import Stream
from dragoman.stats.segments import sign_test
from dragoman.text.conllu import read_conllu

TOPICS = ("copper", "wheat", "oil", "gas", "steel", "corn")
STORIES = [
    f"The {topic} price fell last week . However , {topic} traders expected a rise . "
    f"They bought {topic} because stocks shrank . Then the {topic} price rose again . Finally , traders sold ."
    for topic in TOPICS
]


@pytest.fixture(scope="module")
def model() -> CoherenceModel:
    return CoherenceRecipe(orders=8).train(cut_text(STORIES, "en"))


def test_a_text_is_more_coherent_than_its_sentences_in_another_order(model: CoherenceModel) -> None:
    texts = cut_text([STORIES[0].replace("copper", "tin")], "en")
    assert list(map(len, texts)) == [5]
    before, turned = model.score([texts[0], texts[0][::-1]])
    assert before > turned
    assert model.score([[], [["One", "sentence", "."]]]).tolist() == [0, 0]


def test_it_is_the_same_after_saving(model: CoherenceModel, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    again = CoherenceModel.load(tmp_path / "model")
    texts = cut_text(STORIES, "en")
    assert again.score(texts).tolist() == model.score(texts).tolist()
    assert (again.recipe, again.data, again.n_pairs) == (model.recipe, model.data, model.n_pairs)


def test_ratings_are_compared_within_a_topic_only() -> None:
    texts = cut_text(STORIES, "en")
    turned = [text[::-1] for text in texts]
    ratings = [5.0] * 6 + [1.0] * 6
    rated = CoherenceRecipe().train([*texts, *turned], ratings)
    assert rated.n_pairs == 36
    assert rated.score(texts).mean() > rated.score(turned).mean()
    with pytest.raises(DataError, match="at least 10 pairs of texts of which one is better; there are 6"):
        CoherenceRecipe().train([*texts, *turned], ratings, [*TOPICS, *TOPICS])
    with pytest.raises(DataError, match="Each text has a rating and a topic, got texts=6, ratings=1"):
        CoherenceRecipe().train(texts, [1.0])


def test_a_text_without_neighbours_teaches_nothing() -> None:
    with pytest.raises(DataError, match=r"there are 0. Texts need 3 sentences or ratings that differ"):
        CoherenceRecipe().train([[["a"]], [["b"], ["c"]]])


def test_responsiveness_follows_what_people_gave(model: CoherenceModel, tmp_path: Path) -> None:
    lines = [*STORIES, *(" ".join(story.split()[::-1]) for story in STORIES), *("Nothing here ." for _ in STORIES)]
    refs = [STORIES * 3]
    ratings = [5.0] * 6 + [3.0] * 6 + [1.0] * 6
    for kernel in ("linear", "rbf", "polynomial"):
        trained = ResponsivenessRecipe(kernel=kernel, n_folds=3).train(lines, refs, ratings, model)
        scores = np.array(trained.score(lines, refs).rows)[:, 0]
        assert np.corrcoef(scores, ratings)[0, 1] > 0.8
    trained.save(tmp_path / "cremer")
    assert ResponsivenessModel.load(tmp_path / "cremer").score(lines, refs) == trained.score(lines, refs)
    with pytest.raises(ModelError, match="not a responsiveness model"):
        ResponsivenessModel.load(tmp_path / "cremer" / "coherence")
    with pytest.raises(DataError, match="texts=18, ratings=1"):
        ResponsivenessRecipe().train(lines, refs, [1.0], model)


def test_the_commands(tmp_path: Path) -> None:
    texts, ratings = tmp_path / "texts.en", tmp_path / "ratings.txt"
    short = [" ".join(story.split()[:14]) for story in STORIES]
    texts.write_text("\n".join([*STORIES, *short]) + "\n", encoding="utf-8")
    ratings.write_text("\n".join(["5"] * 6 + ["1"] * 6) + "\n", encoding="utf-8")

    def run(*arguments: str) -> list[dict[str, float]]:
        result = CliRunner().invoke(group, ["metric", *arguments, "--json"])
        assert result.exit_code == 0, result.output
        return list(json.loads(result.output)["rows"])

    model, cremer = str(tmp_path / "model"), str(tmp_path / "cremer")
    trained = run("coherence", "train", str(texts), "--to", model, "--orders", "4")
    assert run("coherence", "score", str(texts), "-m", model) == trained
    assert trained[0]["sentences"] == 5
    given = ("--ratings", str(ratings), "--coherence", model, "--to", cremer, "--kernel", "linear")
    refs = ("-r", str(tmp_path / "refs.en"))
    Path(refs[1]).write_text("\n".join(STORIES * 2) + "\n", encoding="utf-8")
    learnt = run("responsiveness", "train", str(texts), *refs, *given)
    assert run("responsiveness", "score", str(texts), *refs, "-m", cremer) == learnt


def documents(path: Path, most: int) -> list[list[list[str]]]:
    """The texts of a treebank, long ones cut."""
    texts: list[list[list[str]]] = []
    for sentence in read_conllu(path):
        if not texts or len(texts[-1]) == most or any(each.startswith("# newdoc") for each in sentence.comments):
            texts.append([])
        texts[-1].append([token.form for token in sentence.tokens])
    return [text for text in texts if len(text) >= 4]


@pytest.mark.realdata
@pytest.mark.slow
def test_real_documents_are_told_from_their_sentences_in_another_order(data_folder: Path) -> None:
    ud = data_folder / "ud"
    names = ("en_lines-ud-train", "en_lines-ud-dev", "en_lines-ud-test")
    learnt = [text for name in names for text in documents(ud / f"{name}.conllu.gz", 12)]
    tested = [t for name in ("dev", "test") for t in documents(ud / f"en_ewt-ud-{name}.conllu.gz", 1000)]
    orders = [Stream(99, f"t{number}").permutation(len(text)) for number, text in enumerate(tested)]
    moved = [(t, [t[i] for i in order]) for t, order in zip(tested, orders, strict=True) if (np.diff(order) < 0).any()]
    assert len(moved) >= 200
    right = {}
    for whole in (True, False):
        model = CoherenceRecipe(explicit=whole, cells=whole, orders=4).train(learnt)
        gaps = model.score([text for text, _ in moved]) - model.score([text for _, text in moved])
        right[whole] = gaps > 0
    wins = int(right[True].sum())
    assert sign_test(wins, len(moved) - wins, sides=1) < 0.01
    better, worse = int((right[True] & ~right[False]).sum()), int((right[False] & ~right[True]).sum())
    assert better > worse or sign_test(better, worse) > 0.05, "E and C make nothing worse"
