"""Frames by rules over dependency trees, and frames out of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.frame_tables import write_frames
from dragoman.data.frames import Filler, Frame, FrameAnnotation, FrameStudy, ReferenceFrames
from dragoman.errors import DataError, FormatError
from dragoman.syntax.frame_files import read_framed_sentences, role_of_label
from dragoman.syntax.predicates import sentence_frames
from dragoman.text.annotate import ANNOTATORS
from dragoman.text.conllu import Sentence, Word, write_conllu


def tree(*rows: str) -> Sentence:
    """A sentence of rows `form UPOS head relation`, perhaps with features."""
    words = []
    for number, row in enumerate(rows, start=1):
        form, upos, head, deprel, *feats = row.split()
        words.append(Word(number, form, upos=upos, head=int(head), deprel=deprel, feats=feats[0] if feats else "_"))
    return Sentence(tuple(words))


def shown(sentence: Sentence) -> dict[str, list[tuple[str, str]]]:
    words = [word.form for word in sentence.words]
    return {
        words[frame.action]: [(each.role, " ".join(words[each.start : each.end])) for each in frame.fillers]
        for frame in sentence_frames(sentence)
    }


def test_relations_prepositions_and_adverbs_tell_the_roles() -> None:
    sentence = tree(
        "Yesterday ADV 5 advmod",
        "she PRON 5 nsubj",
        "did AUX 5 aux",
        "not PART 5 advmod",
        "give VERB 0 root",
        "him PRON 5 iobj",
        "the DET 8 det",
        "book NOUN 5 obj",
        "in ADP 11 case",
        "the DET 11 det",
        "garden NOUN 5 obl",
        "because SCONJ 14 mark",
        "he PRON 14 nsubj",
        "slept VERB 5 advcl",
        ". PUNCT 5 punct",
    )
    assert shown(sentence) == {
        "give": [
            ("temporal", "Yesterday"),
            ("agent", "she"),
            ("modal", "did"),
            ("negation", "not"),
            ("beneficiary", "him"),
            ("experiencer-patient", "the book"),
            ("locative", "in the garden"),
            ("purpose", "because he slept"),
        ],
        "slept": [("agent", "he")],
    }


def test_a_copula_is_an_action_and_verbs_share_subjects() -> None:
    assert shown(tree("He PRON 3 nsubj", "was AUX 3 cop", "incredulous ADJ 0 root", ". PUNCT 3 punct")) == {
        "was": [("agent", "He"), ("experiencer-patient", "incredulous")]
    }
    both = tree("They PRON 2 nsubj", "came VERB 0 root", "and CCONJ 4 cc", "won VERB 2 conj")
    assert shown(both) == {"came": [("agent", "They")], "won": [("agent", "They")]}
    passive = tree(
        "Tea NOUN 4 nsubj:pass",
        "has AUX 4 aux",
        "been AUX 4 aux:pass",
        "served VERB 0 root",
        "Monday PROPN 4 obl",
    )
    assert shown(passive) == {"served": [("experiencer-patient", "Tea"), ("modal", "has been"), ("temporal", "Monday")]}
    described = tree("a DET 2 det", "state NOUN 0 root", "made VERB 2 acl Tense=Past", "great ADJ 3 xcomp")
    assert shown(described) == {"made": [("experiencer-patient", "a state"), ("experiencer-patient", "great")]}


def test_a_sentence_without_verbs_has_no_frame() -> None:
    assert sentence_frames(tree("Good ADJ 2 amod", "morning NOUN 0 root")) == ()


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("A0", "agent"),
        ("ARG1", "experiencer-patient"),
        ("R-A2", "beneficiary"),
        ("A5", "other"),
        ("AM-TMP", "temporal"),
        ("ARGM-NEG", "negation"),
        ("C-ARGM-ADV", "other"),
        ("LOCATIVE", "locative"),
        ("Theme", "other"),
    ],
)
def test_labels_of_propbank_become_roles(label: str, role: str) -> None:
    assert role_of_label(label) == role


SENTENCE = (
    ("They", "sold", "old", "cars", "today"),
    (Frame(1, (Filler("agent", 0, 1), Filler("experiencer-patient", 2, 4), Filler("temporal", 4, 5))),),
)


def test_columns_of_2005_and_2009_and_trees_give_the_same_frames(tmp_path: Path) -> None:
    brackets = tmp_path / "2005.txt"
    brackets.write_text(
        "They - (A0*)\nsold sell (V*)\nold - (A1*\ncars - *)\ntoday - (AM-TMP*)\n\nWell -\n", encoding="utf-8"
    )
    assert read_framed_sentences(brackets) == [SENTENCE, (("Well",), ())]
    rows = [
        ("They", 2, "_", "A0"),
        ("sold", 0, "Y", "_"),
        ("old", 4, "_", "_"),
        ("cars", 2, "_", "A1"),
        ("today", 2, "_", "AM-TMP"),
    ]
    columns = [
        "\t".join([str(i), word, *"______", str(head), str(head), "x", "x", filled, "_", role])
        for i, (word, head, filled, role) in enumerate(rows, start=1)
    ]
    heads = tmp_path / "2009.txt"
    heads.write_text("\n".join(columns) + "\n", encoding="utf-8")
    assert read_framed_sentences(heads) == [SENTENCE]
    parsed = tree("They PRON 2 nsubj", "sold VERB 0 root", "old ADJ 4 amod", "cars NOUN 2 obj", "today ADV 2 advmod")
    write_conllu(tmp_path / "tree.conllu", [parsed])
    assert read_framed_sentences(tmp_path / "tree.conllu") == [SENTENCE]


def test_frames_of_a_study_are_those_of_one_person(tmp_path: Path) -> None:
    words, frames = SENTENCE
    study = FrameStudy(
        (FrameAnnotation("ann", "en", "0.1", "01", frames, ()),),
        (ReferenceFrames("ann", "en", "0.1", frames), ReferenceFrames("bob", "en", "0.1", ())),
        {("en", "0.1", None): words, ("en", "0.1", "01"): ("They", "sell")},
    )
    write_frames(study, tmp_path / "study")
    assert (words, frames) in read_framed_sentences(tmp_path / "study")
    assert read_framed_sentences(tmp_path / "study", annotator="bob") == [(words, ())]
    with pytest.raises(DataError, match=r"has no annotator 'eve'. There are: ann, bob"):
        read_framed_sentences(tmp_path / "study", annotator="eve")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "the file has no sentence"),
        ("a - (A0*\nb x (V*)\n", 1, "the bracket of A0 is never closed"),
        ("a - *)\nb x (V*)\n", 1, "a bracket closes that none opened"),
        ("a -\nb - *\n", 2, "the row has 3 columns, the first of its sentence 2"),
        ("1 a _ _ _ _ _ _ 7 7 x x _ _\n", 1, "'a' has the head '7', which is no word here"),
        ("1 a _ _ _ _ _ _ 0 0 x x Y a\n", 1, "1 predicates and 0 columns of arguments"),
    ],
)
def test_broken_columns_are_named_with_their_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "broken.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message) as caught:
        read_framed_sentences(path)
    assert caught.value.line == line


def test_a_sentence_that_the_file_lacks_is_named(tmp_path: Path) -> None:
    path = tmp_path / "frames.txt"
    path.write_text("They - (A0*)\nsold sell (V*)\n", encoding="utf-8")
    frames = ANNOTATORS.make(f"frames:{path}")
    assert frames.annotate([["They", "sold"], []]) == [["", "V,agent:0-1"], []]
    with pytest.raises(
        DataError, match=r"has no frames of the 2 words of line 2: 'They sell'. Cut text as the file does"
    ):
        frames.annotate([["They", "sold"], ["They", "sell"]])
    with pytest.raises(DataError, match="needs a file: frames:path=FILE"):
        ANNOTATORS.make("frames")
