"""Labels of spans: the worked examples of their papers."""

from __future__ import annotations

from math import log

import pytest

from dragoman.errors import DataError
from dragoman.smt.grammar.categories import categories_of_chart, combine
from dragoman.smt.grammar.ccg import categories_of_dependencies
from dragoman.smt.grammar.ccg_labels import ChartCategories, DerivationCategories, best_categories
from dragoman.smt.grammar.labels import LABELLERS, Constituents, HeadTags, Samt, label_by_parts
from dragoman.text.conllu import Sentence, Word
from dragoman.text.trees import parse_tree

FOR_MOST = parse_tree("(PP (IN For) (NP (JJ most) (NN people)))")


def sentence(*words: tuple[str, str, int, str]) -> Sentence:
    """Form, part of speech, head, relation."""
    return Sentence(
        tuple(Word(i, form, upos=tag, head=head, deprel=rel) for i, (form, tag, head, rel) in enumerate(words, 1))
    )


def words(*categories: str | dict[str, float]) -> list[dict[str, float]]:
    return [{each: 0.0} if isinstance(each, str) else each for each in categories]


class TestForMost:
    """Weese, Callison-Burch & Lopez 2012, figures 2 to 4: the labels of `For most` by five labellers."""

    def test_constituents_have_none(self) -> None:
        spans = Constituents().spans(FOR_MOST, 10)
        assert (0, 2) not in spans
        assert (spans[0, 3], spans[1, 3]) == ("PP", "NP")

    def test_samt_joins_two(self) -> None:
        assert Samt().spans(FOR_MOST, 10)[0, 2] == "IN+JJ"

    def test_a_derivation_has_none(self) -> None:
        for_most_people = sentence(("For", "ADP", 3, "case"), ("most", "ADJ", 3, "amod"), ("people", "NOUN", 0, "root"))
        assert (0, 2) not in DerivationCategories().spans(for_most_people, 10)

    def test_a_chart_with_several_categories_of_a_word(self) -> None:
        most = {"N/N": log(0.4), "N": log(0.6)}
        assert best_categories(words("(S/S)/N", most, "N"), 10)[0, 2] == "S/S"

    def test_a_chart_with_one_composes(self) -> None:
        labels = best_categories(words("(S/S)/N", "N/N", "N"), 10)
        assert labels[0, 2] == "(S/S)/N"
        assert labels[0, 3] == "S/S"
        assert labels[1, 3] == "N"


class TestSamt:
    def test_three_adjacent_ones(self) -> None:
        tree = parse_tree("(PP (IN for) (NP (NP (DT the) (NN establishment)) (PP (IN of) (NP (NNS rules)))))")
        assert Samt().spans(tree, 10)[0, 4] == "PP/NP"  # the smallest that lacks something comes first
        assert Samt().spans(parse_tree("(X (A a) (B b) (C c) (D d))"), 10)[0, 3] == "X/D"
        assert Samt().spans(parse_tree("(X (A a) (B b) (C c) (D d) (E e))"), 10)[1, 4] == "B+C+D"

    def test_what_lacks_something_at_either_side(self) -> None:
        tree = parse_tree("(S (NP (N we)) (VP (V see) (NP (D the) (N sea)) (PP (P at) (N night))))")
        spans = Samt().spans(tree, 10)
        assert spans[1, 4] == "V+NP"
        assert spans[0, 4] == "S/PP"
        assert spans[2, 6] == "NP+PP"
        assert Samt().spans(parse_tree("(X (A a) (B b) (C c) (D d))"), 10)[1, 4] == "X\\A"

    def test_nothing_longer_than_asked_for(self) -> None:
        assert max(end - begin for begin, end in Samt().spans(FOR_MOST, 2)) == 2


def test_categories_combine() -> None:
    assert dict(combine("NP/N", "N")) == {"NP": 0.0}
    assert "NP/N" in dict(combine("NP/N", "N/N"))  # "the tall"
    assert "S\\NP" in dict(combine("(S\\NP)/NP", "NP"))
    assert "S" in dict(combine("NP", "S\\NP"))
    assert not combine("NP", "NP")


def test_they_own_properties() -> None:
    """Weese et al. 2012, figure 1: a derivation of S with a coordination."""
    chart = categories_of_chart(
        words("NP", "(S\\NP)/NP", "NP", "(NP\\NP)/NP", "NP/NP", "NP", "conj", "NP"), longest=8, raising=False
    )
    assert "NP" in chart[4, 6]
    assert "NP\\NP" in chart[6, 8]
    assert "NP\\NP" in chart[3, 8]
    assert "NP" in chart[2, 8]
    assert "S\\NP" in chart[1, 8]
    assert "S" in chart[0, 8]


def test_charts_hold_every_derivation() -> None:
    """Mehay & Brew 2012, figure 3: cells of `I hope that it will rain` that no normal form has."""
    chart = categories_of_chart(
        words(
            "NP",
            "(S[dcl]\\NP)/S[em]",
            "S[em]/S[dcl]",
            "NP",
            "(S[dcl]\\NP)/(S[b]\\NP)",
            "S[b]\\NP",
        ),
        longest=6,
    )
    assert "S[dcl]/S[dcl]" in chart[0, 3]
    assert "S[em]/(S[dcl]\\NP)" in chart[2, 4]
    assert "S[dcl]/(S[b]\\NP)" in chart[3, 5]
    assert "S[em]/(S[b]\\NP)" in chart[2, 5]
    assert "S[dcl]\\NP" in chart[4, 6]
    assert "S[dcl]" in chart[3, 6]
    assert "S[em]" in chart[2, 6]
    assert best_categories(words("NP/N", "N", "(NP\\NP)/NP", "NP/N", "N/N"), 5)[0, 4] == "NP/N"
    assert best_categories(words("NP/N", "N", "(NP\\NP)/NP", "NP/N", "N/N"), 5)[0, 5] == "NP/N"


def test_a_broken_category_is_refused() -> None:
    for text in ("(S\\NP", "/NP", "S\\", ""):
        with pytest.raises(DataError, match="no category"):
            combine(text, "NP")


def test_categories_come_from_dependencies() -> None:
    analysis = categories_of_dependencies(
        sentence(
            ("She", "PRON", 3, "nsubj"),
            ("has", "AUX", 3, "aux"),
            ("seen", "VERB", 0, "root"),
            ("the", "DET", 6, "det"),
            ("tall", "ADJ", 6, "amod"),
            ("man", "NOUN", 3, "obj"),
            ("in", "ADP", 8, "case"),
            ("towns", "NOUN", 3, "obl"),
            (".", "PUNCT", 3, "punct"),
        )
    )
    assert analysis
    assert analysis.words == (
        "NP",
        "(S\\NP)/(S\\NP)",
        "(S\\NP)/NP",
        "NP/N",
        "N/N",
        "N",
        "((S\\NP)\\(S\\NP))/NP",
        "NP",
        "punct",
    )
    assert analysis.derivation[0, 9] == "S"
    assert analysis.derivation[1, 9] == "S\\NP"
    assert analysis.derivation[3, 6] == "NP"
    assert analysis.derivation[2, 6] == "S\\NP"
    # What the conversion says is what the combinators derive.
    chart = categories_of_chart(words(*analysis.words), longest=9, raising=False)
    assert all(category in chart[span] for span, category in analysis.derivation.items())


def test_crossing_arcs_have_no_categories() -> None:
    crossing = sentence(
        ("a", "NOUN", 3, "dep"), ("b", "NOUN", 4, "dep"), ("c", "NOUN", 4, "dep"), ("d", "VERB", 0, "root")
    )
    assert categories_of_dependencies(crossing) is None
    assert not ChartCategories().learn([crossing]).spans(crossing, 4)


IRAQ = sentence(
    ("ouzhou", "NR", 2, "dep"),
    ("baguo", "NN", 4, "dep"),
    ("lianming", "AD", 4, "dep"),
    ("zhichi", "VV", 0, "root"),
    ("meiguo", "NR", 8, "dep"),
    ("dui", "P", 8, "dep"),
    ("yi", "NR", 6, "dep"),
    ("celie", "NN", 4, "dep"),
)


def test_heads_of_a_span_name_it() -> None:
    """Li et al. 2012, figure 2."""
    spans = HeadTags().spans(IRAQ, 10)
    assert spans[0, 3] == "NN-AD"
    assert spans[7, 8] == "NN"
    assert spans[5, 8] == "NN"
    assert spans[3, 5] == "VV-NR"
    assert spans[3, 8] == "VV"
    assert spans[2, 4] == "VV"
    assert spans[0, 8] == "VV"
    flat = sentence(*[("a", "N", 6, "dep")] * 5, ("b", "V", 0, "root"))
    assert (0, 4) in HeadTags().spans(flat, 10)
    assert (0, 5) not in HeadTags().spans(flat, 10)


def test_relations_of_heads_name_a_span() -> None:
    """Li et al. 2012, table 6: labels of dependencies, and both."""
    words = [("dogs", "NOUN", 2, "nsubj:pass"), ("bark", "VERB", 0, "root"), ("loudly", "ADV", 2, "advmod")]
    parse = sentence(*words)
    assert HeadTags(tags="deprel").spans(parse, 3) == {
        (0, 1): "nsubj",
        (0, 2): "root",
        (0, 3): "root",
        (1, 2): "root",
        (1, 3): "root",
        (2, 3): "advmod",
    }
    assert HeadTags(tags="both").spans(parse, 1)[0, 1] == "NOUN:nsubj"


def test_parts_cover_a_span_from_the_left() -> None:
    labels = {(0, 1): "A", (0, 2): "B", (1, 2): "C", (2, 3): "D", (3, 4): "E", (2, 5): "F"}
    assert label_by_parts(labels, 0, 4) == ["B", "D", "E"]
    assert label_by_parts(labels, 2, 5) == ["F"]
    assert label_by_parts(labels, 3, 5) == []


@pytest.mark.parametrize("name", ["heads", "ccg", "ccg-best"])
def test_constituents_are_no_dependencies(name: str) -> None:
    with pytest.raises(DataError, match="need dependencies"):
        LABELLERS.make(name).spans(FOR_MOST, 10)
