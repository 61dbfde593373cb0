"""Derivations read off graphs with many tails, told as parts, steps and pictures."""

from __future__ import annotations

from dragoman._core import graph as core
from dragoman.engines.derivations import Derivations, draw_derivation, steps_of
from dragoman.engines.results import Explanation, Part
from dragoman.smt.derivation import derivation_of
from dragoman.smt.hypergraph import SearchGraph

SOURCE = ("je", "ne", "parle", "pas")


def graph() -> SearchGraph:
    """I [do not [speak]], glued: `S → je [1]`, `ne [1] pas → do not [1]`, `parle → speak`."""
    builder = core.HypergraphBuilder(4, 1)
    words = {0: "I", 1: "do", 2: "not", 3: "speak"}
    builder.add_node()
    builder.add_arc([], builder.add_phrase(2, 3, [3]), -1.0, [-1.0])
    builder.add_node()
    builder.add_arc([1], builder.add_phrase(1, 4, [1, 2, core.gap(0)]), -2.0, [-2.0])
    builder.add_node()
    builder.add_arc([], builder.add_phrase(0, 1, [0]), -4.0, [-4.0])
    builder.add_node()
    builder.add_arc([3, 2], 2**32 - 1, -8.0, [-8.0])
    return SearchGraph(builder.finish(), SOURCE, words, ("cost",))


def test_rules_stand_in_the_gaps_of_others() -> None:
    forest = graph()
    path = forest.n_best(1)[0]
    assert path.text == "I do not speak"
    derivation = derivation_of(forest, path)
    assert derivation.source == (0, 4)  # of glue: what its parts cover
    scores = forest.core.arc_features[:, 0].tolist()
    steps = [(s.depth, s.rule, s.source, s.target, s.score) for s in derivation.steps(SOURCE, scores)]
    assert steps == [
        (0, "[1] [2] → [1] [2]", (0, 4), (0, 4), -8.0),
        (1, "je → I", (0, 1), (0, 1), -4.0),
        (1, "ne [1] pas → do not [1]", (1, 4), (1, 4), -2.0),
        (2, "parle → speak", (2, 3), (3, 4), -1.0),
    ]
    parts = derivation.parts([[("cost", value)] for value in scores])
    assert [place for part in parts for place in range(*part.target)] == [0, 1, 2, 3]
    assert sum(part.score for part in parts) == path.score == -15.0


def test_words_of_one_rule_on_both_sides_of_a_gap_are_two_parts_that_count_once() -> None:
    builder = core.HypergraphBuilder(3, 1)
    builder.add_node()
    builder.add_arc([], builder.add_phrase(1, 2, [1]), -1.0, [-1.0])
    builder.add_node()
    builder.add_arc([1], builder.add_phrase(0, 3, [0, core.gap(0), 2]), -2.0, [-2.0])
    forest = SearchGraph(builder.finish(), ("a", "b", "c"), {0: "x", 1: "y", 2: "z"}, ("cost",))
    path = forest.n_best(1)[0]
    parts = derivation_of(forest, path).parts([[("cost", -1.0)], [("cost", -2.0)]])
    assert [(part.source, part.target, part.score) for part in parts] == [
        ((0, 3), (0, 1), -2.0),
        ((1, 2), (1, 2), -1.0),
        ((0, 3), (2, 3), 0),
    ]


def test_a_picture_has_a_box_for_every_rule_and_escapes_what_it_shows() -> None:
    parts = (Part((0, 1), (0, 1), (("lm", -1.5),)), Part((1, 1), (1, 1), (("lm", -0.5),)))
    explanation = Explanation(("<b>",), ("R&D",), parts, -2.0, 0)
    assert [step.rule for step in steps_of(explanation)] == ["<b> → R&D", " → "]
    svg = draw_derivation(explanation)
    assert svg.count("<rect") == 1  # the end of the sentence has no words
    assert "&lt;b&gt;" in svg
    assert "R&amp;D" in svg
    assert "<b>" not in svg
    result = Derivations((explanation, None))
    assert result.tables()[0].note == "No way leads to the translation of: 2."
    assert "No way leads to this translation." in result.html()
    assert [row["rule"] for row in result.to_dict()["rows"]] == ["<b> → R&D", " → "]
