"""Engines: decoding, translating, weights, saving."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError, FormatError, ModelError
from dragoman.smt import Engine, Models, PhraseTable, SearchLimits, TextSide, default_weights
from dragoman.smt.recipe import changed


def test_sentences_of_the_training_text_come_out_as_they_went_in(engine: Engine, book: dict[str, list[str]]) -> None:
    assert engine.translate(book["en"][:2]) == [
        "Ich habe ein Zimmer für zwei Nächte gebucht.",
        "Ist das Frühstück im Zimmerpreis inbegriffen?",
    ]


def test_translating_is_preparing_decoding_and_restoring(engine: Engine, book: dict[str, list[str]]) -> None:
    lines = book["en"][540:560]
    tokens = engine.source.prepare(lines)
    assert engine.translate(lines) == engine.target.restore(engine.decode(tokens).best())


def test_features_weighted_are_the_scores(engine: Engine, book: dict[str, list[str]]) -> None:
    tokens = engine.source.prepare(book["en"][540:560])
    found = engine.decode(tokens, n_best=20, features=True)
    weights = np.array([engine.weights[name] for name in found.feature_names])
    np.testing.assert_allclose(found.features @ weights, found.scores, rtol=1e-5, atol=1e-4)
    assert len(found) == 20
    for i in range(len(found)):
        scores = found.scores[found.offsets[i] : found.offsets[i + 1]]
        assert (np.diff(scores) <= 1e-5).all()
        texts = [found.texts[path] for path in found.paths(i)]
        assert len(set(texts)) == len(texts)


def test_phrases_cover_the_source_once_and_make_up_the_target(engine: Engine, book: dict[str, list[str]]) -> None:
    tokens = engine.source.prepare(book["en"][540:560])
    found = engine.decode(tokens, n_best=3)
    for i, line in enumerate(tokens):
        for path in found.paths(i):
            phrases = found.phrases_of(path).tolist()
            covered = sorted(place for begin, end, _ in phrases for place in range(begin, end))
            assert covered == list(range(len(line.split())))
            n_target = len(found.texts[path].split())
            assert sum(size for *_, size in phrases) == n_target
            assert all(s < len(line.split()) and t < n_target for s, t in found.links_of(path).tolist())


def test_threads_do_not_change_translations(engine: Engine, book: dict[str, list[str]]) -> None:
    tokens = engine.source.prepare(book["en"][540:], n_threads=3)
    runs = [engine.decode(tokens, n_best=5, features=True, n_threads=n) for n in (1, 2, 7)]
    for run in runs[1:]:
        assert run.texts == runs[0].texts
        for name in ("offsets", "scores", "features", "links", "link_offsets", "phrases", "phrase_offsets"):
            np.testing.assert_array_equal(getattr(run, name), getattr(runs[0], name))
        assert run.effort == runs[0].effort


def test_words_without_a_phrase_are_copied_in_their_case(engine: Engine) -> None:
    [line] = engine.translate(["The hotel McXyzzy is near the ZORGblatt."])
    assert "McXyzzy" in line
    assert "ZORGblatt" in line
    assert engine.translate(["qwertz"], limits=SearchLimits(drop_unknown=True)) == [""]


@pytest.mark.parametrize("word", ["<unk>", "<s>", "</s>", "&amp;", "<b>", "|||", "[X]", "\x00"])
def test_marks_of_other_tools_are_text(engine: Engine, word: str) -> None:
    [marked] = engine.decode([f"hotel {word} hotel"]).best()
    if word.strip("\x00"):
        assert word in marked.split()


def test_nothing_gives_nothing(engine: Engine) -> None:
    assert engine.translate([]) == []
    assert engine.translate(["", "  "]) == ["", ""]
    assert len(engine.decode([])) == 0


def test_a_sentence_of_a_thousand_words_is_translated_and_a_longer_one_refused(engine: Engine) -> None:
    assert len(engine.translate(["the hotel " * 500])[0]) > 500
    with pytest.raises(DataError, match=r"Line 2 has 1001 tokens; .* at most 1000. Cut the text into sentences"):
        engine.decode(["a", "a " * 1001])


def test_bad_calls_are_named(engine: Engine) -> None:
    with pytest.raises(DataError, match="Expected lines of text, got one str"):
        engine.decode("a line")
    with pytest.raises(DataError, match="got n_best=0"):
        engine.decode(["a"], n_best=0)
    with pytest.raises(DataError, match="'pop_limit' option of SearchLimits must be at least 1"):
        engine.decode(["a"], limits=SearchLimits(pop_limit=0))
    with pytest.raises(DataError, match="surrogate"):
        engine.translate(["bad \ud800"])


def test_weights_are_checked_by_name_and_by_place(engine: Engine) -> None:
    with pytest.raises(DataError, match="no weight for lm; no feature lmm"):
        engine.with_weights({("lmm" if k == "lm" else k): v for k, v in engine.weights.items()})
    with pytest.raises(DataError, match="those of lm are not"):
        engine.with_weights({**engine.weights, "lm": float("nan")})
    with pytest.raises(DataError, match=r"features, got weights of shape \(2,\)"):
        engine.decode(["a"], weights=np.ones(2))
    with pytest.raises(DataError, match="finite"):
        engine.decode(["a"], weights=np.full(len(engine.weights), np.inf))


def test_weights_by_name_and_as_a_vector_are_the_same(engine: Engine) -> None:
    weights = {**engine.weights, "lm": 0.9}
    tokens = ["where is the hotel ?"]
    by_name = engine.decode(tokens, weights=weights)
    by_place = engine.decode(tokens, weights=np.array(list(weights.values())))
    assert (
        by_name.scores.tolist()
        == by_place.scores.tolist()
        == engine.with_weights(weights).decode(tokens).scores.tolist()
    )
    assert by_name.scores.tolist() != engine.decode(tokens).scores.tolist()


def test_a_saved_engine_is_the_same_engine(engine: Engine, tmp_path: Path, book: dict[str, list[str]]) -> None:
    weights = {name: value + 0.123 for name, value in engine.weights.items()}
    other = engine.with_weights(weights, search=SearchLimits(pop_limit=50), report={"told": [1, None]})
    loaded = Engine.load(other.save(tmp_path / "copy"))
    assert loaded.weights == weights
    assert loaded.recipe == other.recipe
    assert loaded.report == {"told": [1, None]}
    assert loaded.data == engine.data
    assert loaded.translate(book["en"][540:550]) == other.translate(book["en"][540:550])


def test_a_model_of_another_version_or_kind_or_damaged_is_named(model: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(model, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    (copy / "manifest.json").write_text(json.dumps({**manifest, "format": 99}))
    with pytest.raises(ModelError, match=r"translation engine of format 99 .* this version reads format 1. Build it"):
        Engine.load(copy)
    with pytest.raises(ModelError, match=r"is a translation engine .*, not a phrase table"):
        PhraseTable.load(model)
    (copy / "manifest.json").write_text(json.dumps(manifest))
    table = copy / "phrases" / "phrases.bin"
    table.write_bytes(table.read_bytes()[:-8])
    with pytest.raises(ModelError, match=r"phrases/phrases.bin is damaged"):
        Engine.load(copy)


def test_weights_that_are_no_numbers_are_named(model: Path, tmp_path: Path) -> None:
    from dragoman.smt.weights import read_weights

    file = tmp_path / "weights.tsv"
    file.write_text("feature\tweight\nlm\thalf\n")
    with pytest.raises(FormatError, match=r"weights.tsv:2: expected a feature, a tab and a weight"):
        read_weights(file)
    with pytest.raises(ModelError, match="no file of weights"):
        read_weights(tmp_path / "none")


def test_default_weights_are_moses() -> None:
    names = ["table.1", "word-penalty", "phrase-penalty", "distortion", "unknown", "before.swap", "lm"]
    assert list(default_weights(names).values()) == [0.2, -1.0, -0.2, 0.3, 100.0, 0.3, 0.5]


def test_engines_and_tables_say_what_they_are(engine: Engine) -> None:
    assert repr(engine).startswith("<Engine en-de: <PhraseTable of ")
    assert [pair.target for pair in engine.models.phrases.translations("hotel")]
    assert engine.models.phrases.translations("no such words") == []
    assert engine.models.phrases.translations("") == []


def test_what_is_markup_elsewhere_is_text_that_stays_as_it_is(engine: Engine) -> None:
    words = ["<b>", "</b>", "&amp;", "&#39;", "https://a.org/?x=1&y=2", "me@a.org", "{name}", "%s"]
    [line] = engine.translate([f"The <b>hotel</b> {' '.join(words[2:])} is near."])
    assert all(word in line.split() for word in words)
    plain = replace(engine.recipe.text, whole=())
    assert TextSide("en", plain).tokenise(["R&amp;D <b>"]) == ["R & amp ; D < b >"]


def test_an_engine_of_before_classes_related_words_and_sparse_features_is_loaded_as_it_was(
    engine: Engine, tmp_path: Path
) -> None:
    recipe = changed(engine.recipe, ["classes.number=0", "text.related=no", "text.whole=", "features="])
    casers = engine.source.truecaser, engine.target.truecaser
    old = Engine(recipe, Models(engine.models.lm, engine.models.table), truecasers=casers)
    folder = old.save(tmp_path / "old")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for name in ("classes", "features", "given", "prune", "tables", "index"):
        del manifest["recipe"][name]
    for name in ("related", "whole"):
        del manifest["recipe"]["text"][name]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    again = Engine.load(folder)
    assert again.recipe == old.recipe
    assert again.weights == old.weights
    assert "class-lm" not in again.weights
    lines = ["The stations are closed.", "R&amp;D"]
    assert again.translate(lines) == old.translate(lines)


def test_an_engine_without_phrases_is_refused(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="An engine needs phrases: a phrase table, an index, or both"):
        Models(engine.models.lm)
    with pytest.raises(ModelError, match="lacks a language model"):
        Models.read(tmp_path)
    engine.models.lm.save(tmp_path / "lm")
    with pytest.raises(ModelError, match="lacks a phrase table, an index, or a grammar"):
        Models.read(tmp_path)


def test_every_limit_reaches_the_decoder() -> None:
    chosen = SearchLimits(
        pop_limit=7,
        distortion_limit=3,
        options_per_phrase=5,
        drop_unknown=True,
        hierarchy="star-reducing",
        itg=True,
        distortion_exponent=1.5,
        grow=True,
    )
    found, usual = chosen.core(), SearchLimits().core()
    assert found.hierarchy.name == "star_reducing"
    for name in ("pop_limit", "distortion_limit", "options_per_phrase", "drop_unknown", "itg", "distortion_exponent"):
        assert getattr(found, name) == getattr(chosen, name) != getattr(usual, name)
    assert found.grow
    assert not usual.grow
