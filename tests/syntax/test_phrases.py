"""Dependencies as phrases."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.syntax import GrammarRecipe, evaluate_grammar, phrase_tree, phrase_trees
from dragoman.text.conllu import MultiwordToken, Sentence, Word, iter_conllu


def sentence(*rows: tuple[str, str, int, str]) -> Sentence:
    return Sentence(
        tuple(Word(n, form, "_", upos, "_", "_", head, rel) for n, (form, upos, head, rel) in enumerate(rows, 1))
    )


def test_a_clause_has_a_subject_and_a_verb_phrase() -> None:
    found = phrase_tree(
        sentence(
            ("The", "DET", 2, "det"),
            ("cat", "NOUN", 3, "nsubj"),
            ("saw", "VERB", 0, "root"),
            ("us", "PRON", 3, "obj"),
            ("in", "ADP", 6, "case"),
            ("May", "PROPN", 3, "obl"),
            (".", "PUNCT", 3, "punct"),
        )
    )
    assert str(found) == (
        "(ROOT (S (NP (DET The) (NOUN cat)) (VP (VERB saw) (NP (PRON us)) (PP (ADP in) (NP (PROPN May)))) (PUNCT .)))"
    )


def test_copula_mark_and_coordination() -> None:
    found = phrase_tree(
        sentence(
            ("if", "SCONJ", 4, "mark"),
            ("it", "PRON", 4, "nsubj"),
            ("is", "AUX", 4, "cop"),
            ("big", "ADJ", 6, "advcl"),
            ("cats", "NOUN", 6, "nsubj"),
            ("run", "VERB", 0, "root"),
            ("and", "CCONJ", 8, "cc"),
            ("hide", "VERB", 6, "conj"),
        )
    )
    assert "(SBAR (SCONJ if) (S (NP (PRON it)) (VP (AUX is) (ADJP (ADJ big)))))" in str(found)
    assert str(found).endswith("(VP (CCONJ and) (VERB hide))))")


def test_a_preposition_belongs_to_the_predicate_and_not_to_the_clause() -> None:
    found = phrase_tree(
        sentence(
            ("It", "PRON", 4, "nsubj"),
            ("is", "AUX", 4, "cop"),
            ("on", "ADP", 4, "case"),
            ("time", "NOUN", 0, "root"),
            (".", "PUNCT", 4, "punct"),
        )
    )
    assert str(found) == "(ROOT (S (NP (PRON It)) (VP (AUX is) (PP (ADP on) (NP (NOUN time)))) (PUNCT .)))"


def test_a_phrase_has_no_gaps() -> None:
    # Yesterday he came: the adverb belongs to the verb, but the subject stands between them.
    found = phrase_tree(
        sentence(("Yesterday", "ADV", 3, "advmod"), ("he", "PRON", 3, "nsubj"), ("came", "VERB", 0, "root"))
    )
    assert str(found) == "(ROOT (S (ADV Yesterday) (NP (PRON he)) (VP (VERB came))))"


def test_tokens_stay_as_they_are_written() -> None:
    rows = (
        Word(1, "libro", "_", "NOUN", "_", "_", 0, "root"),
        MultiwordToken(2, 3, "del"),
        Word(2, "de", "_", "ADP", "_", "_", 4, "case"),
        Word(3, "el", "_", "DET", "_", "_", 4, "det"),
        Word(4, "mar", "_", "NOUN", "_", "_", 1, "nmod"),
    )
    assert str(phrase_tree(Sentence(rows))) == "(ROOT (NP (NOUN libro) (PP (ADP+DET del) (NP (NOUN mar)))))"


def test_brackets_in_words_and_sentences_without_heads() -> None:
    assert str(phrase_tree(sentence(("(", "PUNCT", 0, "root")))) == "(ROOT (X (PUNCT -LRB-)))"
    assert phrase_trees([Sentence.of(["no", "heads"])]) == []
    with pytest.raises(DataError, match="one root"):
        phrase_tree(sentence(("a", "X", 0, "root"), ("b", "X", 0, "root")))


@st.composite
def trees(draw: st.DrawFn) -> Sentence:
    n = draw(st.integers(1, 9))
    order = draw(st.permutations(range(1, n + 1)))
    heads = {order[0]: 0}
    for place, word in enumerate(order[1:], start=1):
        heads[word] = order[draw(st.integers(0, place - 1))]
    upos = st.sampled_from(["NOUN", "VERB", "ADJ", "ADP", "PUNCT", "AUX", "PRON"])
    relation = st.sampled_from(["nsubj", "obj", "case", "mark", "conj", "cc", "cop", "det", "punct", "advcl", "aux"])
    return sentence(
        *((f"w{n}", draw(upos), heads[n], "root" if heads[n] == 0 else draw(relation)) for n in range(1, n + 1))
    )


@given(trees())
def test_any_tree_of_dependencies_becomes_phrases_with_its_words_in_order(given: Sentence) -> None:
    found = phrase_tree(given)
    children = found.children()
    leaves = [label for label, below in zip(found.labels, children, strict=True) if not below]
    assert leaves == [word.form for word in given.words]
    for below in children:  # a word stands alone below its tag
        assert len(below) < 2 or all(children[child] for child in below)


@pytest.mark.realdata
def test_a_grammar_of_spanish_phrases(data_folder: Path) -> None:
    bank = phrase_trees(iter_conllu(data_folder / "ud" / "es_gsd-ud-test.conllu.gz"))
    assert len(bank) > 400
    grammar = GrammarRecipe().train(bank[:350])
    score = evaluate_grammar(grammar, bank[350:380])
    assert score.f1 > 0.4  # of 350 sentences
    assert score.n_failed <= 3
