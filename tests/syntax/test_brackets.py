"""Reading, cleaning and comparing bracketed trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import DataError, FormatError
from dragoman.syntax import bracket_score, clean_tree, read_treebank
from dragoman.syntax.bracketed import plain_label
from dragoman.syntax.brackets import brackets
from dragoman.text.trees import parse_tree


@pytest.mark.parametrize(
    ("label", "plain"),
    [("NP-SBJ-1", "NP"), ("PRT|ADVP", "PRT"), ("S=2", "S"), ("-LRB-", "-LRB-"), ("PRP$", "PRP$"), ("NP", "NP")],
)
def test_labels_lose_functions(label: str, plain: str) -> None:
    assert plain_label(label) == plain


def test_functions_and_traces_are_taken_out() -> None:
    raw = "( (S (NP-SBJ (-NONE- *)) (VP (VB go) (S-CLR (NP (-NONE- *T*-1)))) (NP (NP (NNP A-B)))))"
    assert str(clean_tree(parse_tree(raw))) == "(ROOT (S (VP (VB go)) (NP (NNP A-B))))"
    assert len(clean_tree(parse_tree("(S (-NONE- *))"))) == 0
    assert len(clean_tree(parse_tree(""))) == 0
    once = clean_tree(parse_tree(raw))
    assert clean_tree(once) == once


def test_trees_over_several_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "bank.mrg"
    path.write_text("\n( (S\n   (NP (N cats)) \n (VP (V sleep)) ))\n(X (Y z))\n", encoding="utf-8")
    assert [str(tree) for tree in read_treebank(path)] == ["(S (NP (N cats)) (VP (V sleep)))", "(X (Y z))"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (A b)\n", r"bank:1: 1 brackets are not closed"),
        ("(S (A b))\n)\n", r"bank:2: a bracket is closed that was not opened"),
        ("(S (A b))\nword\n(S (A b))", r"bank:2: 'word' stands outside"),
        ("(S (A b))\n(S ())\n", r"bank:2: A bracket has no label"),
    ],
)
def test_damaged_files_are_named_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bank"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_treebank(path)


def test_brackets_count_words_without_punctuation() -> None:
    tree = clean_tree(parse_tree("(S (NP (D the) (N cat)) (, ,) (VP (V goes) (PRT (RP up))) (. .))"))
    assert dict(brackets(tree)) == {("S", 0, 4): 1, ("NP", 0, 2): 1, ("VP", 2, 4): 1, ("ADVP", 3, 4): 1}


def test_scores_of_a_worked_example() -> None:
    right = parse_tree("(S (NP (D the) (N cat)) (VP (V sees) (NP (N dogs)) (PP (P in) (NP (N rain)))) (. .))")
    found = parse_tree("(S (NP (D the) (N cat)) (VP (V sees) (NP (NP (J dogs)) (PP (P in) (NP (N rain))))) (. .))")
    score = bracket_score([found, right], [right, right])
    # First sentence: NP(3,6) is wrong, the six others are right; the second is right.
    assert (score.matched, score.found, score.expected) == (12, 13, 12)
    assert score.precision == pytest.approx(12 / 13)
    assert score.f1 == pytest.approx(24 / 25)
    assert score.n_exact == 1
    assert (score.n_tags_right, score.n_words) == (13, 14)
    assert score.to_dict()["rows"][0]["label"] == "all"


def test_sentences_without_trees_and_of_other_words() -> None:
    right = parse_tree("(S (NP (N cats)) (VP (V sleep)))")
    nothing = bracket_score([parse_tree("")], [right])
    assert (nothing.matched, nothing.found, nothing.expected, nothing.f1) == (0, 0, 3, 0.0)
    assert bracket_score([], []).f1 == 0.0
    with pytest.raises(DataError, match="Sentence 1 has 1 words in one tree and 2 in the other"):
        bracket_score([parse_tree("(S (N cats))")], [right])
    with pytest.raises(DataError):
        bracket_score([right], [])
