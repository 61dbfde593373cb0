"""Any number of language models by name, each with its own view of what is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError, FormatError
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.inspection import inspect_engine
from dragoman.smt.language_models import BilingualModel, NamedModel, bilingual_lines
from dragoman.smt.pairs import encode
from dragoman.smt.training import train_engine
from dragoman.text.vocabulary import Vocabulary

TOML = """
source_lang = "en"
target_lang = "de"

[[models]]
name = "short"
order = 2

[[models]]
name = "few-classes"
kind = "classes"
order = 6
number = 20

[[models]]
name = "tags"
kind = "tags"
order = 4
table = "{table}"

[[models]]
name = "pairs"
kind = "bilingual"
order = 3
"""


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory, book: dict[str, list[str]]) -> EngineRecipe:
    folder = tmp_path_factory.mktemp("recipe")
    words = sorted({word for line in book["de"] for word in line.replace(".", " .").replace("?", " ?").split()})
    (folder / "tags.tsv").write_text(
        "".join(f"{w}\t{'P' if not w.isalnum() else 'W'}\n" for w in words), encoding="utf-8"
    )
    (folder / "engine.toml").write_text(TOML.format(table=folder / "tags.tsv"), encoding="utf-8")
    return EngineRecipe.read(folder / "engine.toml")


@pytest.fixture(scope="module")
def rich(recipe: EngineRecipe, bitext: Bitext, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("rich")
    train_engine(bitext, recipe, work=folder / "work", output=folder / "engine", n_threads=2)
    return Engine.load(folder / "engine")


def test_models_have_features_of_their_names(rich: Engine, engine: Engine) -> None:
    assert [name for name in rich.feature_names if name not in engine.feature_names] == [
        "few-classes",
        "pairs",
        "short",
        "tags",
    ]
    assert isinstance(rich.models.more["pairs"], BilingualModel)
    assert "lm" in rich.feature_names
    assert "class-lm" in rich.feature_names


def test_an_inspection_lists_them(rich: Engine, tmp_path: Path) -> None:
    rich.save(tmp_path / "rich")
    shown = dict(inspect_engine(tmp_path / "rich").tables()[0].rows)
    assert shown["language model short"].startswith("order 2, ")
    assert shown["language model few-classes"].endswith("n-grams of 20 classes")
    assert shown["language model pairs"].endswith("words with what they translate")
    assert "class model" in shown


def test_without_weight_they_change_nothing(rich: Engine, engine: Engine, book: dict[str, list[str]]) -> None:
    lines = engine.source.prepare(book["en"][540:560])
    weights = {**dict.fromkeys(rich.weights, 0.0), **engine.weights}
    plain, found = engine.decode(lines), rich.decode(lines, weights=weights)
    assert found.texts == plain.texts
    np.testing.assert_allclose(found.scores, plain.scores, atol=1e-4)


def test_features_add_up_and_are_what_the_models_say(rich: Engine, book: dict[str, list[str]]) -> None:
    lines = rich.source.prepare(book["en"][540:550])
    found = rich.decode(lines, n_best=5, features=True)
    vector = np.array([rich.weights[name] for name in found.feature_names])
    np.testing.assert_allclose(found.features @ vector, found.scores, atol=1e-2)
    words = rich.models.more["short"]
    assert not isinstance(words, BilingualModel)
    column = found.features[:, found.feature_names.index("short")]
    np.testing.assert_allclose(column, words.score(found.texts) * np.log(10), atol=1e-3)
    # The tokens of the bilingual model are the words of the translation with those that its alignment links them to.
    pairs = rich.models.more["pairs"]
    assert isinstance(pairs, BilingualModel)
    for sentence in range(len(lines)):
        for path in found.paths(sentence):
            source, target = lines[sentence].split(), found.texts[path].split()
            linked: dict[int, list[int]] = {}
            for s, t in found.links_of(path).tolist():
                linked.setdefault(t, []).append(s)
            if any(word in source for word in target):
                continue  # copied, and not what the model has read
            tokens = ["␟".join([w, *(source[s] for s in sorted(linked.get(i, [])))]) for i, w in enumerate(target)]
            line = " ".join(token if "␟" in token else token + "␟" for token in tokens)
            expected = float(pairs.model.score([line])[0]) * np.log(10)
            assert found.features[path, found.feature_names.index("pairs")] == pytest.approx(expected, abs=1e-3)


def test_an_engine_with_models_is_the_same_again(rich: Engine, tmp_path: Path) -> None:
    rich.save(tmp_path / "engine")
    again = Engine.load(tmp_path / "engine")
    assert again.recipe == rich.recipe
    assert again.feature_names == rich.feature_names
    lines = ["Where is the station?", "Thank you."]
    assert again.translate(lines) == rich.translate(lines)


def test_words_are_marked_by_what_they_translate() -> None:
    source, target = Vocabulary(), Vocabulary()
    ids = encode(source, ["a b"]), encode(target, ["x y z"])
    text = AlignedText(*ids, np.array([[1, 0], [0, 0], [1, 2]], np.uint16), np.array([0, 3]))
    assert bilingual_lines(text, source, target) == ["x␟a␟b y␟ z␟b"]


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (NamedModel(), "needs a name of letters, digits and hyphens other than lm and class-lm; got ''"),
        (NamedModel(name="lm"), "got 'lm'"),
        (NamedModel(name="a b"), "got 'a b'"),
        (NamedModel(name="a", kind="tags"), "a table of tags goes with the kind tags"),
        (NamedModel(name="a", table="x"), "a table of tags goes with the kind tags"),
        (NamedModel(name="a", kind="runes"), "must be one of 'words', 'classes', 'tags', 'bilingual'"),
    ],
)
def test_models_that_cannot_be_are_refused(model: NamedModel, message: str) -> None:
    with pytest.raises(DataError, match=message):
        EngineRecipe(models=(model,)).check()


def test_names_are_used_once_and_tables_are_tables(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a name of its own, got a, a"):
        EngineRecipe(models=(NamedModel(name="a"), NamedModel(name="a", order=2))).check()
    (tmp_path / "recipe.toml").write_text('models = ["a"]\n', encoding="utf-8")
    with pytest.raises(FormatError, match=r"recipe.toml.*\[\[models\]\] in TOML"):
        EngineRecipe.read(tmp_path / "recipe.toml")
