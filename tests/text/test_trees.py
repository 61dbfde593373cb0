"""Trees in brackets and from dependencies."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, FormatError
from dragoman.text.conllu import Word
from dragoman.text.trees import Tree, dependency_tree, parse_tree, read_trees


def test_brackets_are_read_in_pre_order() -> None:
    tree = parse_tree("(S (NP (D a) (N cat)) (VP sleeps))")
    assert tree.labels == ("S", "NP", "D", "a", "N", "cat", "VP", "sleeps")
    assert tree.parents == (-1, 0, 1, 2, 1, 4, 0, 6)
    assert str(tree) == "(S (NP (D a) (N cat)) (VP sleeps))"


def test_outer_brackets_without_a_label_are_left_out() -> None:
    assert parse_tree("( (S (X y)))") == parse_tree("(S (X y))")


def test_an_empty_text_is_no_tree() -> None:
    assert len(parse_tree(" ")) == 0
    assert str(parse_tree("")) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NP a)", "1 brackets are not closed"),
        ("(S a))", "closed that was not opened"),
        ("(S a) b", "'b' stands behind the end"),
        ("a", "outside of all brackets"),
        ("()", "A bracket has no label"),
        ("(S a) (S b)", "behind the end"),
        ("( (S a)", "not closed"),
    ],
)
def test_faults_are_named(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        parse_tree(text)
    (tmp_path / "trees").write_text(f"(S a)\n{text}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=message) as raised:
        read_trees(tmp_path / "trees")
    assert raised.value.line == 2


def test_deep_trees_are_read() -> None:
    assert len(parse_tree("(A " * 3000 + "x" + ")" * 3000)) == 3001


@given(st.recursive(st.sampled_from(["x", "y"]), lambda t: st.lists(t, min_size=1, max_size=3), max_leaves=12))
def test_writing_and_reading_give_the_same(nested: object) -> None:
    def text(node: object) -> str:
        return node if isinstance(node, str) else "(A " + " ".join(text(child) for child in node) + ")"  # type: ignore[attr-defined]

    tree = parse_tree(text([nested]))
    assert parse_tree(str(tree)) == tree


def test_dependencies_become_relations_above_parts_of_speech_above_words() -> None:
    words = [
        Word(1, "Nicole", upos="PROPN", head=3, deprel="nmod"),
        Word(2, "'s", upos="PART", head=1, deprel="case"),
        Word(3, "dad", upos="NOUN", head=0, deprel="root"),
    ]
    assert str(dependency_tree(words)) == "(root (nmod (PROPN Nicole) (case (PART 's))) (NOUN dad))"


def test_several_roots_get_one_above_them() -> None:
    words = [Word(1, "a", upos="X", head=0, deprel="root"), Word(2, "b", upos="X", head=0, deprel="root")]
    assert dependency_tree(words).labels[0] == "ROOT"
    assert len(dependency_tree([])) == 0


@pytest.mark.parametrize(
    ("heads", "message"),
    [((None, 1), "has no head"), ((0, 5), "is 5, which is no word"), ((2, 1), "No word of the sentence is its root")],
)
def test_what_is_no_tree_is_refused(heads: tuple[int | None, int], message: str) -> None:
    with pytest.raises(DataError, match=message):
        dependency_tree([Word(number, "w", head=head) for number, head in enumerate(heads, start=1)])


def test_a_circle_is_refused() -> None:
    with pytest.raises(DataError, match="go round in a circle"):
        dependency_tree([Word(1, "a", head=0), Word(2, "b", head=3), Word(3, "c", head=2)])


def test_parents_must_come_first() -> None:
    with pytest.raises(DataError, match="Node 1 of a tree has the parent 1"):
        Tree(("A", "B"), (-1, 1))
    with pytest.raises(DataError, match="2 labels has 1 parents"):
        Tree(("A", "B"), (-1,))
