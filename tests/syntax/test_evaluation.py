from __future__ import annotations

from dataclasses import replace

import pytest

from dragoman.errors import DataError
from dragoman.syntax import Parser, compare_parses, evaluate_parser
from dragoman.text.conllu import Sentence, Word
from tests.syntax.toy import toy_treebank

RIGHT = Sentence(
    (
        Word(1, "the", upos="DET", xpos="D", feats="Definite=Def|Style=Coll", head=2, deprel="det"),
        Word(2, "dog", upos="NOUN", xpos="N", feats="Number=Sing", head=3, deprel="nsubj:pass"),
        Word(3, "barks", upos="VERB", xpos="V", head=0, deprel="root"),
        Word(4, "now", upos="ADV", xpos="A", head=3, deprel="advmod"),
    )
)


def changed(word: int, **values: object) -> Sentence:
    rows = list(RIGHT.words)
    rows[word - 1] = replace(rows[word - 1], **values)  # type: ignore[arg-type]
    return Sentence(tuple(rows))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (RIGHT, {}),
        (changed(1, upos="PRON"), {"UPOS": 75}),
        (changed(1, xpos="X"), {"XPOS": 75}),
        (changed(2, feats="Number=Plur"), {"UFeats": 75, "Feats": 75}),
        (changed(1, feats="Definite=Def"), {"Feats": 75}),  # Style is no universal feature
        (changed(2, deprel="nsubj"), {"LAS+": 75}),
        (changed(2, deprel="obj"), {"LAS": 75, "LAS+": 75, "CLAS": 100 * 2 / 3}),
        (changed(4, head=2), {"UAS": 75, "LAS": 75, "LAS+": 75, "CLAS": 100 * 2 / 3}),
        # A function word told to be a content word: found 4 content words, 3 are right of 3.
        (changed(1, deprel="amod"), {"LAS": 75, "LAS+": 75, "CLAS": 100 * 6 / 7}),
    ],
)
def test_measures_count_what_they_say(found: Sentence, expected: dict[str, float]) -> None:
    accuracy = compare_parses([found], [RIGHT])
    wanted = dict.fromkeys(("UPOS", "XPOS", "UFeats", "Feats", "UAS", "LAS", "LAS+", "CLAS"), 100.0) | expected
    assert {each.name: each.value for each in accuracy.measures} == pytest.approx(wanted)
    assert accuracy.whole_trees == (0 if wanted["UAS"] < 100 else 100)


def test_xpos_is_told_only_where_both_have_it(toy_parser: Parser) -> None:
    bare = [Sentence(tuple(replace(row, xpos="_") for row in sentence.words)) for sentence in toy_treebank(3, seed=2)]
    names = [each.name for each in evaluate_parser(toy_parser, bare).measures]
    assert "XPOS" not in names
    without = [Sentence(tuple(replace(row, xpos="_") for row in RIGHT.words))]
    assert "XPOS" not in [each.name for each in compare_parses(without, [RIGHT]).measures]
    assert names[0] == "UPOS"


def test_the_result_is_a_table() -> None:
    accuracy = compare_parses([changed(4, head=2)], [RIGHT])
    rows = {row["measure"]: row for row in accuracy.to_dict()["rows"]}
    assert rows["UAS"] == {"measure": "UAS", "value": 75.0, "right": 3, "of": 4, "meaning": "heads"}
    assert rows["CLAS"]["of"] == 3
    meta = accuracy.to_dict()["meta"]
    assert (meta["sentences"], meta["words"], meta["whole_trees"]) == (1, 4, 0.0)
    assert "1 sentences, 4 words; 0.0 % of the trees are right." in accuracy.render("text")


def test_parses_of_other_words_are_named() -> None:
    with pytest.raises(DataError, match=r"Parses must be of the same sentences, got found=0, expected=1"):
        compare_parses([], [RIGHT])
    with pytest.raises(DataError, match="There is no sentence to compare"):
        compare_parses([], [])
    message = (
        r"Sentence 1: the parses are of different words, from word 2 on \('cat barks now', expected 'dog barks now'\)"
    )
    with pytest.raises(DataError, match=message):
        compare_parses([changed(2, form="cat")], [RIGHT])
