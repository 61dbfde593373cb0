"""CoNLL-U: read strictly, written back exactly."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, FormatError
from dragoman.text.casing import truecase_by_lemma
from dragoman.text.conllu import (
    EmptyNode,
    MultiwordToken,
    Sentence,
    Word,
    iter_conllu,
    parse_conllu,
    read_conllu,
    write_conllu,
)
from dragoman.text.truecase import TruecaseRecipe

SAMPLE = """\
# sent_id = 1
# text = Il va au marché.
1\tIl\til\tPRON\t_\tGender=Masc|Number=Sing\t2\tnsubj\t_\t_
2\tva\taller\tVERB\t_\t_\t0\troot\t_\t_
3-4\tau\t_\t_\t_\t_\t_\t_\t_\t_
3\tà\tà\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t_\t_
5\tmarché\tmarché\tNOUN\t_\t_\t2\tobl\t_\tSpaceAfter=No
5.1\t_\taller\tVERB\t_\t_\t_\t_\t2:conj\t_
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# a second one
1\tOui\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\t!\t_\t_\t_\t_\t_\t_\t_\t_

"""


def parse(text: str) -> list[Sentence]:
    return list(parse_conllu(text.split("\n")[:-1], path="x.conllu"))


def test_a_sentence_and_its_parts() -> None:
    first, second = parse(SAMPLE)
    assert [word.form for word in first.words] == ["Il", "va", "à", "le", "marché", "."]
    assert [token.form for token in first.tokens] == ["Il", "va", "au", "marché", "."]
    assert first.rows[2] == MultiwordToken(3, 4, "au")
    assert first.rows[6] == EmptyNode(5, 1, lemma="aller", upos="VERB", deps="2:conj")
    assert first.words[0].features == {"Gender": "Masc", "Number": "Sing"}
    assert first.words[1].features == {}
    assert first.metadata == {"sent_id": "1", "text": "Il va au marché."}
    assert first.text == "Il va au marché."
    assert second.text == "Oui!"
    assert second.words[0].head is None
    assert (first.line, second.line) == (3, 13)
    assert first.check_tree() is first


def test_what_is_read_is_written(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu.gz"
    assert write_conllu(path, parse(SAMPLE)) == 2
    assert gzip.decompress(path.read_bytes()).decode() == SAMPLE
    assert read_conllu(path) == parse(SAMPLE)
    assert next(iter_conllu(path)).words[0].form == "Il"
    assert write_conllu(path, []) == 0
    assert read_conllu(path) == []


def row(name: str = "1", form: str = "a", head: str = "0", **columns: str) -> str:
    cells = {"lemma": "_", "upos": "_", "xpos": "_", "feats": "_", "deprel": "_", "deps": "_", "misc": "_"} | columns
    order = [name, form, cells["lemma"], cells["upos"], cells["xpos"], cells["feats"], head, cells["deprel"]]
    return "\t".join([*order, cells["deps"], cells["misc"]])


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (["1\ta", ""], 1, "expected 10 columns, found 2."),
        (["1 a _ _ _ _ 0 _ _ _", ""], 1, "expected 10 columns, found 1. Columns are separated by tabs."),
        ([row(), "# late", ""], 2, "found 1. Comments stand before the words"),
        ([row(), row("3"), ""], 2, "expected the word 2, found 3"),
        ([row("0"), ""], 1, "expected the word 1, found 0"),
        ([row("01"), ""], 1, "'01' is no id; expected a number, a range"),
        ([row("9" * 5000), ""], 1, "is no id"),
        ([row(), row("2", head="3"), ""], 2, "the head of word 2 is 3; the sentence has 2 words"),
        ([row(head="1"), ""], 1, "word 1 is its own head"),
        ([row(head="x"), ""], 1, "the head is 'x'; expected a word's id"),
        ([row(head="-1"), ""], 1, "the head is '-1'"),
        ([row(upos=""), ""], 1, "the column UPOS is empty; write _ for nothing"),
        ([row(upos="N N"), ""], 1, "the column UPOS has a space inside: 'N N'"),
        ([row("1-2", head="_"), row(), ""], 2, "a range ends at word 2, but the sentence has 1 words"),
        ([row(), row("1-2", head="_"), row("2"), ""], 2, "the range 1-2 must begin at the next word, 2"),
        ([row("2-1", head="_"), row(), ""], 1, "the range 2-1 must begin at the next word, 1"),
        ([row("1-3", head="_"), row(), row("2-3", head="_"), row("2"), row("3"), ""], 3, "the range 2-3 overlaps"),
        ([row("1-2", head="_", lemma="x"), row(), row("2"), ""], 1, "a multiword token has no LEMMA; found 'x' for _"),
        ([row(), row("1.2", head="_"), ""], 2, "expected the empty node 1.1, found 1.2"),
        ([row(), row("1.1", head="1"), ""], 2, "an empty node has no HEAD; found '1' for _"),
        ([row("0.1", head="_"), ""], 1, "the sentence has no words"),
        (["", row(), ""], 1, "an empty line without a sentence before it"),
        ([row(), "", ""], 3, "an empty line without a sentence before it"),
        (["# only", ""], 2, "an empty line without a sentence before it"),
        ([row()], 1, "the last sentence is not closed by an empty line; the file may be cut short"),
        (["# only"], 1, "the last sentence is not closed"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(lines: list[str], line: int, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(parse_conllu(lines, path="x.conllu"))
    assert str(caught.value).startswith(f"x.conllu:{line}: ")
    assert message in str(caught.value)
    assert caught.value.line == line


def test_sentences_made_by_hand_are_checked_too() -> None:
    with pytest.raises(DataError, match="Row 2 of the sentence: expected the word 2, found 3"):
        Sentence((Word(1, "a"), Word(3, "b")))
    with pytest.raises(DataError, match=r"Row 1 of the sentence: a column is empty or has a tab inside"):
        list(Sentence((Word(1, "a\tb"),)).lines())
    with pytest.raises(DataError, match="Row 1 of the sentence: the sentence has no words"):
        Sentence(())


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ((0, 0), r"A tree has one root; this sentence has 2 \(1, 2\)"),
        ((2, 1), r"A tree has one root; this sentence has 0 \(none\)"),
        ((0, 3, 2), "The heads of words 2, 3 go in a circle"),
        ((0, None), "Word 2 has no head"),
    ],
)
def test_trees(heads: tuple[int | None, ...], message: str) -> None:
    sentence = Sentence(tuple(Word(i, "w", head=head) for i, head in enumerate(heads, start=1)))
    with pytest.raises(DataError, match=message):
        sentence.check_tree()


def test_annotations_become_a_sentence() -> None:
    sentence = Sentence.of(["Dogs", "bark"], lemmas=["dog", "bark"], upos=["NOUN", "VERB"], comments=["# text = x"])
    assert sentence.words[1] == Word(2, "bark", "bark", "VERB")
    assert parse("\n".join(sentence.lines()) + "\n") == [sentence]
    with pytest.raises(DataError, match="A sentence needs one upos per form, got forms=1, upos=2"):
        Sentence.of(["a"], upos=["X", "Y"])


cells = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r "), min_size=1, max_size=5)


@given(st.lists(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=4), max_size=4))
def test_any_words_survive(sentences: list[list[tuple[str, str, str]]]) -> None:
    made = [
        Sentence(tuple(Word(i, form, lemma, xpos=tag, head=0) for i, (form, lemma, tag) in enumerate(words, start=1)))
        for words in sentences
    ]
    assert list(parse_conllu(line for sentence in made for line in sentence.lines())) == made


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "n_sentences"),
    [("en_ewt-ud-test", 2077), ("cs_cltt-ud-dev", 316), ("fr_sequoia-ud-dev", 412), ("de_gsd-ud-dev", 799)],
)
def test_treebanks_come_back_byte_for_byte(name: str, n_sentences: int, data_folder: Path) -> None:
    path = data_folder / "ud" / f"{name}.conllu.gz"
    sentences = [sentence.check_tree() for sentence in iter_conllu(path)]
    assert len(sentences) == n_sentences
    written = "".join(f"{line}\n" for sentence in sentences for line in sentence.lines())
    assert written.encode() == gzip.decompress(path.read_bytes())


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("train", "test", "nouns", "by_frequency", "by_lemma"),
    [
        ("en_partut-ud-train", "en_partut-ud-test", False, 0.91, 1.0),
        ("de_pud-ud-test", "de_gsd-ud-dev", True, 0.88, 0.98),
    ],
)
def test_lemmas_beat_frequencies_at_sentence_starts(
    train: str, test: str, nouns: bool, by_frequency: float, by_lemma: float, data_folder: Path
) -> None:
    """ZEMAN12: with gold lemmas, supervised truecasing is the better of the two; parts of speech are the judge."""
    learn, judge = (read_conllu(data_folder / "ud" / f"{name}.conllu.gz") for name in (train, test))
    lines = [" ".join(word.form.replace(" ", "_") for word in sentence.words) for sentence in judge]
    model = TruecaseRecipe().train(" ".join(word.form for word in sentence.words) for sentence in learn)
    frequent = [line.split() for line in model.apply(lines)]
    cast = truecase_by_lemma([line.split() for line in lines], [[w.lemma for w in s.words] for s in judge])
    right = {"frequency": 0, "lemma": 0}
    n = 0
    for i, sentence in enumerate(judge):
        first = next((j for j, word in enumerate(sentence.words) if word.form[0].isalpha()), None)
        if first is None or not sentence.words[first].form[0].isupper() or sentence.words[first].form[1:].isupper():
            continue
        word = sentence.words[first]
        keeps = word.upos == "PROPN" or (nouns and word.upos == "NOUN") or word.form == "I"
        truth = word.form if keeps else word.form.lower()
        n += 1
        right["frequency"] += frequent[i][first] == truth
        right["lemma"] += cast[i][first] == truth
    assert n > 100
    assert right["lemma"] / n >= by_lemma
    assert right["frequency"] / n >= by_frequency
    assert right["lemma"] > right["frequency"]
