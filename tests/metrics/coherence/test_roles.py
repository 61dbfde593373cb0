"""Discourse relations, roles and their transitions: the worked example of Lin, Liu, Ng & Kan (ACL 2012)."""

from __future__ import annotations

import pytest

from dragoman.metrics.coherence import Argument, Relation, RoleMatrix, find_relations, role_matrix
from dragoman.metrics.coherence.discourse import SenseGuesser


def cells(*roles: str) -> tuple[frozenset[str], ...]:
    """Cells of a column from `Comp.Arg1 Exp.Arg2`, empty ones from nothing."""
    return tuple(frozenset(cell.split()) for cell in roles)


EXAMPLE = RoleMatrix(
    4,
    {
        "copper": cells("", "Comp.Arg2 Comp.Arg1", "", ""),
        "cananea": cells("Comp.Arg1", "", "Comp.Arg2 Temp.Arg1 Exp.Arg1", "Exp.Arg2"),
        "operat": cells("", "", "Comp.Arg2 Temp.Arg1 Exp.Arg1", "Exp.Arg1 Exp.Arg2"),
        "depend": cells("Comp.Arg1", "", "", ""),
    },
)


def test_transitions_of_the_worked_example() -> None:
    pairs, triples = EXAMPLE.transitions(2), EXAMPLE.transitions(3)
    assert pairs.total() == 25
    assert pairs["Comp.Arg2", "Exp.Arg2"] == 2
    assert pairs["nil", "nil"] == 4
    assert pairs["nil", "Comp.Arg2"] == pairs["Comp.Arg1", "nil"] == 3
    assert triples.total() == 21
    assert triples["nil", "Comp.Arg2", "Exp.Arg2"] == 2
    features = EXAMPLE.features(cells=False)
    assert features["Comp.Arg2→Exp.Arg2"] == pytest.approx(0.08)
    assert sum(value for name, value in features.items() if name.count("→") == 1) == pytest.approx(1)
    assert "↔" not in "".join(features)


def test_pairs_inside_the_cell_of_the_worked_example() -> None:
    relations = [
        Relation("Comp", Argument(0, 0, 1), Argument(1, 0, 1), explicit=False),
        Relation("Comp", Argument(1, 0, 1), Argument(2, 0, 2), explicit=True),
        Relation("Temp", Argument(2, 0, 1), Argument(2, 1, 2), explicit=True),
        Relation("Exp", Argument(2, 0, 2), Argument(3, 0, 1), explicit=False),
    ]
    terms = [["mine"], ["copper"], ["cananea", "close"], [None]]
    plain = role_matrix(terms, relations, explicit=False)
    assert plain.cells["cananea"][2] == {"Comp.Arg2", "Temp.Arg1", "Exp.Arg1"}
    assert RoleMatrix(4, {"cananea": plain.cells["cananea"]}).pairs().total() == 3
    both = role_matrix(terms, relations, explicit=True)
    assert both.cells["cananea"][2] == {
        *("Comp.Arg2", "E.Comp.Arg2", "E.Temp.Arg1", "Exp.Arg1", "N.Exp.Arg1", "Temp.Arg1")
    }
    pairs = RoleMatrix(4, {"cananea": both.cells["cananea"]}).pairs()
    assert pairs.total() == 15
    assert pairs["E.Comp.Arg2", "Temp.Arg1"] == 1
    assert both.features(cells=True)["Comp.Arg1↔Comp.Arg2"] > 0


def relations(*sentences: str) -> list[tuple[str, str, str, bool]]:
    text = [sentence.split() for sentence in sentences]

    def words(each: Argument) -> str:
        return " ".join(text[each.sentence][each.start : each.end])

    return [(each.sense, words(each.first), words(each.second), each.explicit) for each in find_relations(text)]


def test_a_connective_links_clauses_or_sentences() -> None:
    assert relations("Sales fell .", "However , profits rose .") == [
        ("Comp", "Sales fell .", ", profits rose .", True),
    ]
    assert relations("It rained because clouds came .") == [("Cont", "It rained", "clouds came .", True)]
    assert relations("When clouds came , it rained .") == [("Temp", "it rained .", "clouds came", True)]
    assert relations("He left , as soon as she came .") == [("Temp", "He left ,", "she came .", True)]
    assert relations("Cats and dogs fight .") == [], "it links no clauses"
    assert relations("But why ?") == [], "there is nothing before it"


def test_neighbours_that_nothing_links_have_a_relation_that_is_guessed() -> None:
    assert relations("Sales fell .", "Profits rose .") == [("Exp", "Sales fell .", "Profits rose .", False)]
    texts = [[["prices", "fell"], ["but", "profits", "rose"]], [["he", "slept"], ["then", "he", "woke"]]] * 3
    guesser = SenseGuesser.learn(texts)
    assert guesser(["prices", "fell"], ["profits", "rose"]) == "Comp"
    assert guesser(["he", "slept"], ["he", "woke"]) == "Cont"
    assert SenseGuesser({})(["a"], ["b"]) == "Exp"


def test_nothing_has_no_relation() -> None:
    assert find_relations([]) == []
    assert find_relations([[], []]) == []
    assert role_matrix([[]], [], explicit=True).features(cells=True) == {}
