"""Names: labels and files, learning and finding, and what is said of bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, FormatError, ModelError
from dragoman.samples import copy_samples
from dragoman.syntax import Name, NamedSentence, NameRecipe, NameTagger, compare_names, evaluate_names, read_named
from dragoman.syntax.name_features import NameColumns, NameLists, word_shape
from dragoman.syntax.named import labels_of, names_of

LABELS = st.lists(st.sampled_from(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]), max_size=12)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> list[NamedSentence]:
    folder = tmp_path_factory.mktemp("samples")
    copy_samples(folder)
    return read_named(folder / "names.en.bio")


@pytest.fixture(scope="module")
def tagger(sample: list[NamedSentence]) -> NameTagger:
    return NameRecipe(epochs=8).train(sample)


def naive_names(labels: list[str]) -> set[Name]:
    """A name starts at each token that begins one and ends before the first that does not go on with it."""
    found = set()
    for start, label in enumerate(labels):
        before = labels[start - 1] if start else "O"
        begins = label.startswith("B-") or (label.startswith("I-") and before[2:] != label[2:])
        if begins:
            end = start + 1
            while end < len(labels) and labels[end] == f"I-{label[2:]}":
                end += 1
            found.add(Name(start, end, label[2:]))
    return found


@given(LABELS)
def test_names_are_those_that_the_labels_mark(labels: list[str]) -> None:
    names = names_of(labels)
    assert set(names) == naive_names(labels)
    assert list(names) == sorted(names)
    assert names_of(labels_of(names, len(labels))) == names


def test_other_schemes_are_read() -> None:
    assert names_of(["I-PER", "I-PER", "B-PER", "O", "I-LOC"]) == (
        Name(0, 2, "PER"),
        Name(2, 3, "PER"),
        Name(4, 5, "LOC"),
    )
    assert names_of(["S-PER", "B-LOC", "I-LOC", "E-LOC", "S-LOC"]) == (
        Name(0, 1, "PER"),
        Name(1, 4, "LOC"),
        Name(4, 5, "LOC"),
    )
    assert names_of([]) == ()


def test_files_of_columns_and_of_conllu(tmp_path: Path) -> None:
    columns = tmp_path / "eng.train"
    columns.write_text("-DOCSTART- -X- O O\n\nPeter NNP B-NP B-PER\nsleeps VBZ B-VP O\n\n\n Graz NNP x I-LOC", "utf-8")
    expected = [
        NamedSentence(("Peter", "sleeps"), (Name(0, 1, "PER"),)),
        NamedSentence(("Graz",), (Name(0, 1, "LOC"),)),
    ]
    assert read_named(columns) == expected
    assert expected[0].labels == ["B-PER", "O"]
    conllu = tmp_path / "eng.conllu"
    rows = ["1\tPeter\t_\tPROPN\t_\t_\t2\tnsubj\t_\tSpaceAfter=No|NER=B-PER", "2\tsleeps\t_\tVERB\t_\t_\t0\troot\t_\t_"]
    conllu.write_text("\n".join([*rows, "", ""]), "utf-8")
    assert read_named(conllu) == expected[:1]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.bio", "Peter B-PER\nsleeps\n", r"a\.bio:2: 'sleeps' is one column; a token is followed by its label"),
        ("a.bio", "Peter PER\n", r"a\.bio:1: 'PER' is no label of a name; expected O, B-PER, I-PER and the like\."),
        ("a.bio", "Peter B-\n", r"a\.bio:1: 'B-' is no label of a name"),
        ("a.conllu", "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n", r"a\.conllu: no word has a label: expected NER=B-PER"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(name: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(FormatError, match=message):
        read_named(tmp_path / name)


def test_shapes_and_lists() -> None:
    assert word_shape("McDonald's-7") == "XxXxxxxx'x-9"
    assert len(word_shape("x" * 1_000_000)) == 40
    lists = NameLists({"places": ["New York", "york", " New  York City "]})
    assert lists.places("places", ["in", "new", "york", "CITY", "York", "now"]) == ["", "B", "I", "I", "B", ""]


@given(st.lists(st.lists(st.sampled_from(["a", "B", "c3"]), max_size=4), max_size=5))
def test_neighbours_stay_within_their_line(token_lines: list[list[str]]) -> None:
    columns = NameColumns.of(token_lines, NameLists({}))
    values, ids = columns.columns["lower-1"]
    expected = ["" if not i else line[i - 1].lower() for line in token_lines for i in range(len(line))]
    assert [values[i] if i >= 0 else "" for i in ids.tolist()] == expected


def test_it_learns_what_it_has_read(tagger: NameTagger, sample: list[NamedSentence]) -> None:
    accuracy = evaluate_names(tagger, sample)
    assert accuracy.overall.f1 is not None
    assert accuracy.overall.f1 > 99
    assert tagger.kinds == ("LOC", "MISC", "ORG", "PER")
    assert tagger.counts == {"sentences": 150, "tokens": accuracy.n_tokens, "names": 249}


@pytest.mark.parametrize("learner", ["crf", "perceptron"])
def test_it_finds_names_that_it_has_not_read(learner: str, sample: list[NamedSentence]) -> None:
    # Five folds give an F1 of 83 (crf) and 80; a tagger that learnt nothing of use is far below.
    accuracy = evaluate_names(NameRecipe(learner=learner).train(sample[30:]), sample[:30])
    assert accuracy.overall.f1 is not None
    assert accuracy.overall.f1 > 65


def test_lists_help(sample: list[NamedSentence]) -> None:
    places = sorted({" ".join(s.tokens[n.start : n.end]) for s in sample for n in s.names if n.kind == "LOC"})
    train, test = sample[30:], sample[:30]
    plain = evaluate_names(NameRecipe().train(train), test)
    listed = evaluate_names(NameRecipe().train(train, lists={"places": places}), test)
    loc = [next(each for each in found.kinds if each.kind == "LOC").n_right for found in (plain, listed)]
    assert loc[1] > loc[0]


def test_a_label_never_stands_where_it_cannot(tagger: NameTagger, sample: list[NamedSentence]) -> None:
    odd = [list(reversed(sentence.tokens)) for sentence in sample]
    for labels in tagger.label(odd):
        for before, label in zip(["O", *labels], labels, strict=False):
            assert not label.startswith("I-") or before[2:] == label[2:]


def test_any_tokens_have_an_answer(tagger: NameTagger) -> None:
    lines = [[], ["\x00"], ["漢字", "“", "…"], ["x" * 100_000], ["Anna"] * 2_000, []]
    found = tagger.tag(lines)
    assert [len(names) for names in found][::5] == [0, 0]
    for n_threads in (1, 2, 7):
        assert tagger.tag(lines, n_threads=n_threads) == found
    assert tagger.tag([]) == []
    with pytest.raises(DataError, match=r"Line 1 is a str; an annotator takes tokens"):
        tagger.tag(["Anna"])
    with pytest.raises(DataError, match="Line 1 holds a lone surrogate"):
        tagger.tag([["\ud800"]])


def test_saved_and_loaded(tagger: NameTagger, sample: list[NamedSentence], tmp_path: Path) -> None:
    with_list = NameRecipe(epochs=2).train(sample, lists={"places": ["Vienna"]}, seed=7)
    with_list.save(tmp_path / "names")
    again = NameTagger.load(tmp_path / "names")
    lines = [sentence.tokens for sentence in sample]
    assert again.label(lines) == with_list.label(lines)
    assert (again.recipe, again.seed, again.data) == (with_list.recipe, 7, with_list.data)
    assert NameRecipe(epochs=2).train(sample, lists={"places": ["Vienna"]}, seed=7).label(lines) == again.label(lines)
    tagger.save(tmp_path / "damaged")
    np.save(tmp_path / "damaged" / "transitions.npy", np.zeros((2, 2)))
    with pytest.raises(ModelError, match=r"transitions\.npy is damaged or was edited"):
        NameTagger.load(tmp_path / "damaged")


def test_nothing_to_learn_from() -> None:
    with pytest.raises(DataError, match="There is no name to learn from: the sentences have none marked"):
        NameRecipe().train([NamedSentence(("a",), ())])
    with pytest.raises(DataError, match=r"'epochs' option of NameRecipe must be at least 1"):
        NameRecipe(epochs=0).train([])


def test_counts_by_kind() -> None:
    expected = [NamedSentence(tuple("abcde"), (Name(0, 2, "PER"), Name(3, 4, "LOC"))), NamedSentence((), ())]
    accuracy = compare_names([[Name(0, 2, "PER"), Name(2, 3, "PER"), Name(3, 4, "ORG")], []], expected)
    rows = {each.kind: (each.precision, each.recall, each.f1) for each in (accuracy.overall, *accuracy.kinds)}
    assert rows == {
        "all": (100 / 3, 50.0, 40.0),
        "LOC": (None, 0.0, 0.0),
        "ORG": (0.0, None, 0.0),
        "PER": (50.0, 100.0, 200 / 3),
    }
    with pytest.raises(DataError, match=r"Names must be of the same sentences, got found=0, expected=2"):
        compare_names([], expected)
    with pytest.raises(DataError, match="There is no sentence to compare"):
        compare_names([], [])


def test_names_marked_without_a_kind(tmp_path: Path) -> None:
    marked = [("Bad", "NamedEntity=Yes|X=1"), ("Ischl", "NamedEntity=Yes"), ("ist", "_")]
    rows = [f"{n}\t{form}\t_\tX\t_\t_\t{n - 1}\tdep\t_\t{misc}" for n, (form, misc) in enumerate(marked, start=1)]
    (tmp_path / "de.conllu").write_text("\n".join([*rows, "", ""]), "utf-8")
    assert read_named(tmp_path / "de.conllu")[0].names == (Name(0, 2, "NAME"),)


@pytest.mark.realdata
def test_names_of_a_german_treebank(data_folder: Path) -> None:
    # Where every noun has a capital: 61.5 from 799 sentences, 40.5 by looking for the names of these alone.
    train, test = (read_named(data_folder / "ud" / f"de_gsd-ud-{part}.conllu.gz") for part in ("dev", "test"))
    known = NameLists({"known": [" ".join(s.tokens[name.start : name.end]) for s in train for name in s.names]})
    labels = {"": "O", "B": "B-NAME", "I": "I-NAME"}
    looked_up = [names_of([labels[mark] for mark in known.places("known", s.tokens)]) for s in test]
    floor = compare_names(looked_up, test).overall.f1
    f1 = evaluate_names(NameRecipe().train(train), test).overall.f1
    assert floor is not None
    assert f1 is not None
    assert f1 > floor + 15
    assert f1 > 58
