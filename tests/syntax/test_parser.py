from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, ModelError
from dragoman.syntax import Parser, ParserRecipe, evaluate_parser
from dragoman.text.conllu import Sentence, Word
from tests.examples import examples
from tests.syntax.toy import tokens_of, toy_treebank

tokens = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
token_lines = st.lists(st.lists(tokens, max_size=12), max_size=6)


def test_the_toy_language_is_learnt(toy_parser: Parser) -> None:
    accuracy = evaluate_parser(toy_parser, toy_treebank(60, seed=2))
    for name in ("UPOS", "XPOS", "UFeats", "Feats", "UAS", "LAS", "LAS+", "CLAS"):
        assert accuracy[name] == 100.0, name
    assert accuracy.n_sentences == 60


def test_a_parse_has_tags_relations_and_the_tokens_as_written(toy_parser: Parser) -> None:
    (sentence,) = toy_parser.parse([["the", "old", "dog", "sees", "a", "cat", "del", "house", "."]])
    assert sentence is not None
    assert " ".join(word.form for word in sentence.words) == "the old dog sees a cat del house ."
    assert " ".join(word.upos for word in sentence.words) == "DET ADJ NOUN VERB DET NOUN ADP+DET NOUN PUNCT"
    assert [word.head for word in sentence.words] == [3, 3, 4, 0, 6, 4, 8, 6, 4]
    assert sentence.words[6].deprel == "case"
    assert sentence.words[6].feats == "Definite=Def|Gender=Masc"
    (tagged,) = toy_parser.tag([["the", "dog", "sees"]])
    assert tagged is not None
    assert [word.upos for word in tagged.words] == ["DET", "NOUN", "VERB"]
    assert {(word.head, word.deprel) for word in tagged.words} == {(None, "_")}


@given(token_lines)
def test_any_tokens_get_one_tree(toy_parser: Parser, lines: list[list[str]]) -> None:
    found = toy_parser.parse(lines)
    assert len(found) == len(lines)
    for line, sentence in zip(lines, found, strict=True):
        if not line:
            assert sentence is None
            continue
        assert sentence is not None
        assert [word.form for word in sentence.words] == line
        sentence.check_tree()
        assert all((word.head == 0) == (word.deprel == "root") for word in sentence.words)


@examples(20)
@given(token_lines)
def test_lines_do_not_depend_on_each_other_or_on_threads(toy_parser: Parser, lines: list[list[str]]) -> None:
    whole = toy_parser.annotate(lines)
    for n_threads in (2, 7):
        again = toy_parser.annotate(lines, n_threads=n_threads)
        assert again.sentences(confidences=True) == whole.sentences(confidences=True)
    assert [toy_parser.parse([line])[0] for line in lines] == whole.sentences()


def test_very_long_lines_and_tokens(toy_parser: Parser) -> None:
    long = ["dog", "\x00", "…", "漢字"] * 2500
    found = toy_parser.annotate([long, ["x" * 1_000_000, "."], []])
    assert found.heads is not None
    assert np.count_nonzero(found.heads[: len(long)] == 0) == 1
    assert [sentence is None for sentence in found.sentences()] == [False, False, True]


def test_training_is_decided_by_the_seed_and_not_by_threads(toy_parser: Parser) -> None:
    text = [["dog", "the", "sees", "blue", "sky"], ["likes", "cat", "del", "del"]]
    recipe = toy_parser.recipe
    for n_threads in (2, 7):
        again = recipe.train(toy_treebank(80), n_threads=n_threads)
        for name, weights in again._weights.items():
            for mine, other in zip(weights.arrays, toy_parser._weights[name].arrays, strict=True):
                np.testing.assert_array_equal(mine, other)
        for mine, other in zip(again._arrays, toy_parser._arrays, strict=True):
            np.testing.assert_array_equal(mine, other)
        expected = toy_parser.annotate(text).sentences(confidences=True)
        assert again.annotate(text).sentences(confidences=True) == expected
    other_seed = recipe.train(toy_treebank(80), seed=2)
    assert not np.array_equal(other_seed._arrays[3], toy_parser._arrays[3])


def test_a_parser_is_the_same_after_saving(toy_parser: Parser, tmp_path: Path) -> None:
    text = [*tokens_of(toy_treebank(10, seed=3)), ["never", "seen", "\x00"], []]
    toy_parser.save(tmp_path / "parser")
    loaded = Parser.load(tmp_path / "parser")
    assert loaded.recipe == toy_parser.recipe
    assert loaded.labels == toy_parser.labels
    assert loaded.counts == toy_parser.counts == {"sentences": 80, "tokens": 637, "lifted arcs": 0}
    assert (loaded.seed, loaded.data) == (1, toy_parser.data)
    assert loaded.annotate(text).sentences(confidences=True) == toy_parser.annotate(text).sentences(confidences=True)
    loaded.save(tmp_path / "again")
    manifests = [json.loads((tmp_path / name / "manifest.json").read_text()) for name in ("parser", "again")]
    assert manifests[0]["files"] == manifests[1]["files"]


def test_confidences_are_probabilities_and_lower_where_text_is_strange(toy_parser: Parser) -> None:
    plain = tokens_of(toy_treebank(30, seed=4))
    strange = [line[::-1] for line in plain]
    good, bad = toy_parser.annotate(plain), toy_parser.annotate(strange)
    for parses in (good, bad):
        assert parses.arc_confidences is not None
        for p in (parses.tag_confidences, parses.arc_confidences):
            assert p.dtype == np.float32
            assert ((p > 0) & (p <= 1)).all()
    assert good.line_confidences().mean() > bad.line_confidences().mean()
    assert np.isnan(toy_parser.annotate([[]]).line_confidences()).all()
    misc = toy_parser.annotate([["dog"]]).sentences(confidences=True)[0]
    assert misc is not None
    assert misc.words[0].misc.startswith("PHead=1.000|PTag=")
    tagged = toy_parser.annotate([["dog"]], trees=False).sentences(confidences=True)[0]
    assert tagged is not None
    assert tagged.words[0].misc.startswith("PTag=")


def test_a_dev_set_fits_confidences_without_being_learnt(toy_parser: Parser) -> None:
    made = toy_parser.recipe.train(toy_treebank(80), dev=toy_treebank(30, seed=5))
    np.testing.assert_array_equal(made._arrays[3], toy_parser._arrays[3])
    assert made.calibrations != toy_parser.calibrations
    assert set(made.data) == {"treebank", "dev"}


def test_one_sentence_is_enough_to_learn_from() -> None:
    (sentence,) = toy_treebank(1)
    parser = ParserRecipe(epochs=3).train([sentence])
    (found,) = parser.parse(tokens_of([sentence]))
    assert found is not None
    found.check_tree()


def test_words_of_the_treebank_can_stay_apart() -> None:
    bank = toy_treebank(60)
    parser = ParserRecipe(multiword="split", epochs=3, tag_epochs=3, folds=2).train(bank)
    assert not any("+" in label for label in parser.labels.upos)
    assert evaluate_parser(parser, bank).n_words == sum(len(sentence.words) for sentence in bank)


def test_layers_that_a_treebank_lacks_stay_empty() -> None:
    bare = [
        Sentence(tuple(replace(row, feats="_", xpos="_") for row in sentence.words)) for sentence in toy_treebank(20)
    ]
    parser = ParserRecipe(epochs=2, tag_epochs=2, folds=2).train(bare)
    assert (parser.labels.feats, parser.labels.xpos) == (("_",), ("_",))
    (found,) = parser.parse([["the", "dog"]])
    assert found is not None
    assert {(word.feats, word.xpos) for word in found.words} == {("_", "_")}
    without = ParserRecipe(epochs=2, tag_epochs=2, folds=2, xpos=False).train(toy_treebank(20))
    assert without.labels.xpos == ("_",)


def test_trees_whose_arcs_cross_are_learnt_from_lifted() -> None:
    crossing = Sentence(
        tuple(
            Word(i, form, upos="X", head=head, deprel="root" if head == 0 else "dep")
            for i, (form, head) in enumerate([("a", 3), ("b", 4), ("c", 0), ("d", 3)], start=1)
        )
    )
    parser = ParserRecipe(epochs=1, tag_epochs=1).train([*toy_treebank(10), crossing])
    assert parser.counts["lifted arcs"] == 1


def test_treebanks_that_cannot_be_learnt_from_are_named() -> None:
    recipe = ParserRecipe()
    with pytest.raises(DataError, match=r"There is no sentence to learn from\."):
        recipe.train([])
    with pytest.raises(DataError, match=r"Sentence 1 cannot be learnt from: Word 1 has no head\."):
        recipe.train([Sentence.of(["a"], upos=["X"])])
    two = Sentence((Word(1, "a", upos="X", head=0, deprel="root"), Word(2, "b", upos="X", head=0, deprel="root")))
    with pytest.raises(DataError, match=r"Sentence 2 cannot be learnt from: A tree has one root; .* 2 \(1, 2\)"):
        recipe.train([*toy_treebank(1), two])
    with_line = replace(two, line=7)
    with pytest.raises(DataError, match=r"Sentence 1 \(line 7 of its file\) cannot be learnt from: "):
        recipe.train([with_line])
    with pytest.raises(DataError, match=r"The treebank has no parts of speech \(UPOS\); there is nothing to tag\."):
        recipe.train([Sentence((Word(1, "a", head=0, deprel="root"),))])
    with pytest.raises(DataError, match="Sentence 1 is no Sentence of CoNLL-U but str"):
        recipe.train(["a b"])  # type: ignore[list-item]
    with pytest.raises(DataError, match="The 'epochs' option of ParserRecipe must be at least 1 and at most 1000"):
        ParserRecipe(epochs=0).train(toy_treebank(1))


def test_bad_tokens_are_named(toy_parser: Parser) -> None:
    with pytest.raises(DataError, match="Line 1 has an empty token"):
        toy_parser.parse([["a", ""]])
    with pytest.raises(DataError, match=r"Line 2 is a str; an annotator takes tokens\. Pass line\.split\(\)"):
        toy_parser.parse([["a"], "a b"])
    with pytest.raises(DataError, match="Line 1 holds a lone surrogate"):
        toy_parser.parse([["\ud800"]])


def test_another_model_is_refused(toy_parser: Parser, tmp_path: Path) -> None:
    toy_parser.save(tmp_path / "parser")
    manifest = tmp_path / "parser" / "manifest.json"
    values = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(values | {"kind": "aligner"}))
    with pytest.raises(ModelError, match=r"is a aligner \(format 1\), not a parser"):
        Parser.load(tmp_path / "parser")
    manifest.write_text(json.dumps(values | {"seed": None}))
    with pytest.raises(ModelError, match="is a parser without a seed in its manifest"):
        Parser.load(tmp_path / "parser")
