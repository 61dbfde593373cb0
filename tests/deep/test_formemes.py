"""Formemes of hand-made trees: the examples of Dušek et al. (WMT 2012), and trees that are bad."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.deep import annotate, annotated, deep_tree
from dragoman.deep.formemes import formemes_of
from dragoman.errors import DataError, UnknownName
from dragoman.text.conllu import Sentence, Word, read_conllu


def tree(text: str) -> Sentence:
    """`form/UPOS/head/relation[/features]`, words apart by spaces."""
    rows = []
    for number, cell in enumerate(text.split(), start=1):
        form, upos, head, relation, *feats = cell.split("/")
        rows.append(Word(number, form, form.lower(), upos, "_", feats[0] if feats else "_", int(head), relation))
    return Sentence(tuple(rows))


def formemes(text: str, language: str = "en") -> dict[str, str]:
    deep, labels = formemes_of(tree(text), language)
    return {node.word.form: label for node, label in zip(deep.nodes, labels, strict=True)}


GIVE = "She/PRON/2/nsubj gave/VERB/0/root/VerbForm=Fin him/PRON/2/iobj a/DET/5/det/PronType=Art book/NOUN/2/obj"
COME = "If/SCONJ/3/mark he/PRON/3/nsubj comes/VERB/5/advcl/VerbForm=Fin I/PRON/5/nsubj go/VERB/0/root/VerbForm=Fin"
STRIKE = (
    "Striking/VERB/2/amod/VerbForm=Part teachers/NOUN/3/nsubj hate/VERB/0/root/VerbForm=Fin "
    "bored/VERB/5/amod/VerbForm=Part students/NOUN/3/obj"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (GIVE, {"She": "n:subj", "gave": "v:fin", "him": "n:obj1", "book": "n:obj2"}),
        (COME, {"comes": "v:if+fin", "he": "n:subj", "I": "n:subj", "go": "v:fin"}),
        (STRIKE, {"Striking": "v:attr", "teachers": "n:subj", "hate": "v:fin", "bored": "v:attr", "students": "n:obj"}),
        (
            "I/PRON/2/nsubj like/VERB/0/root/VerbForm=Fin reading/VERB/2/xcomp/VerbForm=Ger",
            {"I": "n:subj", "like": "v:fin", "reading": "v:ger"},
        ),
        (
            "tired/ADJ/0/root of/SCONJ/3/mark arguing/VERB/1/advcl/VerbForm=Ger",
            {"tired": "adj:compl", "arguing": "v:of+ger"},
        ),
        (
            "want/VERB/0/root/VerbForm=Fin to/PART/3/mark go/VERB/1/xcomp/VerbForm=Inf into/ADP/6/case "
            "the/DET/6/det/PronType=Art house/NOUN/3/obl",
            {"want": "v:fin", "go": "v:inf", "house": "n:into+X"},
        ),
        (
            "man/NOUN/0/root who/PRON/3/nsubj/PronType=Rel came/VERB/1/acl:relcl/VerbForm=Fin "
            "last/ADJ/5/amod month/NOUN/3/obl:tmod",
            {"man": "n:X", "who": "n:subj", "came": "v:rc", "last": "adj:attr", "month": "n:adv"},
        ),
        (
            "insurance/NOUN/2/compound company/NOUN/4/nsubj has/AUX/4/aux/VerbForm=Fin lost/VERB/0/root/VerbForm=Part",
            {"insurance": "n:attr", "company": "n:subj", "lost": "v:fin"},
        ),
        (
            "He/PRON/4/nsubj is/AUX/4/cop/VerbForm=Fin very/ADV/4/advmod tall/ADJ/0/root",
            {"He": "n:subj", "is": "v:fin", "very": "adv", "tall": "adj:compl"},
        ),
        ("5/NUM/2/nummod potatoes/NOUN/0/root", {"5": "adj:attr", "potatoes": "n:X"}),
        ("Apollo/PROPN/0/root 11/NUM/1/flat", {"Apollo": "n:X", "11": "n:attr"}),
        (
            "Many/ADJ/5/nsubj of/ADP/3/case them/PRON/1/nmod were/AUX/5/cop/VerbForm=Fin late/ADJ/0/root",
            {"Many": "n:subj", "them": "n:of+X", "were": "v:fin", "late": "adj:compl"},
        ),
        (
            "one/NUM/0/root of/ADP/4/case the/DET/4/det/PronType=Art best/ADJ/1/nmod",
            {"one": "adj:compl", "best": "n:of+X"},
        ),
        ("my/PRON/2/nmod:poss/Poss=Yes house/NOUN/0/root", {"my": "n:poss", "house": "n:X"}),
        (
            "in/ADP/4/case case/NOUN/1/fixed of/ADP/1/fixed fire/NOUN/5/obl run/VERB/0/root/VerbForm=Fin",
            {"fire": "n:in_case_of+X", "run": "v:fin"},
        ),
        (
            "cats/NOUN/4/nsubj and/CCONJ/3/cc dogs/NOUN/1/conj sleep/VERB/0/root/VerbForm=Fin",
            {"cats": "n:subj", "dogs": "n:subj", "sleep": "v:fin"},
        ),
    ],
)
def test_english(text: str, expected: dict[str, str]) -> None:
    assert formemes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Prezident/NOUN/3/nsubj/Case=Nom Smith/PROPN/1/flat/Case=Nom jel/VERB/0/root/Tense=Past|VerbForm=Part "
            "do/ADP/5/case města/NOUN/3/obl/Case=Gen",
            {"Prezident": "n:1", "Smith": "n:attr", "jel": "v:fin", "města": "n:do+2"},
        ),
        (
            "otcův/ADJ/2/amod/Case=Nom|Poss=Yes dům/NOUN/0/root/Case=Nom přítele/NOUN/2/nmod/Case=Gen",
            {"otcův": "adj:poss", "dům": "n:1", "přítele": "n:2"},
        ),
        ("kuchyně/NOUN/0/root/Case=Nom IKEA/PROPN/1/nmod", {"kuchyně": "n:1", "IKEA": "n:attr"}),
        (
            "že/SCONJ/2/mark přijde/VERB/0/root/Mood=Ind|VerbForm=Fin rychle/ADV/2/advmod",
            {"přijde": "v:že+fin", "rychle": "adv"},
        ),
    ],
)
def test_czech_tells_nouns_by_case(text: str, expected: dict[str, str]) -> None:
    assert formemes(text, "cs") == expected


def test_function_words_are_no_nodes() -> None:
    deep = deep_tree(tree(GIVE))
    assert [node.word.form for node in deep.nodes] == ["She", "gave", "him", "book"]
    assert [word.form for word in deep.nodes[-1].functions] == ["a"]
    assert [node.word.form for node in deep.children(deep.nodes[1])] == ["She", "him", "book"]
    assert deep.parent(deep.nodes[1]) is None


def test_the_annotation_goes_into_misc_once() -> None:
    (once,) = annotated([tree(GIVE)], "en")
    (twice,) = annotated([once], "en")
    assert once == twice
    assert once.words[0].misc == "Formeme=n:subj"
    assert once.words[3].misc == "_"


def test_bad_trees_and_languages_are_named() -> None:
    with pytest.raises(DataError, match="no tree to annotate: Word 1 has no head"):
        annotate([Sentence((Word(1, "a"),))], "en")
    with pytest.raises(DataError, match="no tree to annotate: A tree has one root"):
        annotate([Sentence((Word(1, "a", head=2), Word(2, "b", head=1)))], "en")
    with pytest.raises(UnknownName, match="Known: cs, de, en"):
        annotate([tree(GIVE)], "fi")
    assert annotate([], "en").coverage is None


def test_deep_and_long_trees_are_trees() -> None:
    chain = Sentence(
        tuple(Word(n, "x", "x", "NOUN", head=n - 1, deprel="conj" if n > 1 else "root") for n in range(1, 3001))
    )
    assert annotate([chain], "en").coverage == 100


@pytest.mark.realdata
@pytest.mark.parametrize("language", ["de", "es"])
def test_content_words_of_pud_have_formemes(language: str, data_folder: Path) -> None:
    annotation = annotate(read_conllu(data_folder / "ud" / f"{language}_pud-ud-test.conllu.gz"), language)
    assert annotation.coverage is not None
    assert annotation.coverage >= 99.8
    unplaced = sum(row[-1] == "n:X" for row in annotation.rows) / len(annotation.rows)
    assert unplaced < 0.01  # bare nouns without a position or a case
