"""Glossaries, priors, anchors, gold links: their files, their messages, and Okita et al.'s example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dragoman._core.text import surface_tokeniser
from dragoman.align import ALIGNERS, Aligner, AlignmentError, Glossary, Priors, align, align_ids, evaluate_alignments
from dragoman.align.directions import DirectedLinks
from dragoman.align.ibm import Ibm1
from dragoman.data.alignments import Alignment
from dragoman.data.formats.pharaoh import PharaohFormat
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.files import read_lines
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary


def test_a_glossary_anchors_terms_wherever_both_stand() -> None:
    glossary = Glossary((("groupe socialiste", "socialist group"), ("groupe", "group"), ("vie", "life")))
    srcs = ["le groupe socialiste", "un groupe groupe", "la vie vie", "rien"]
    tgts = ["the socialist group", "group a group", "life", "nothing"]
    assert glossary.anchors(srcs, tgts) == [
        [(1, 1), (1, 2), (2, 1), (2, 2)],  # all words of a term, and no second link of "groupe"
        [(1, 0), (2, 2)],  # twice on both sides: in order
        [],  # twice against once: a guess
        [],
    ]


def test_files_of_terms_and_weights(tmp_path: Path) -> None:
    path = tmp_path / "terms"
    path.write_text("# comment\n\nvie ||| life\nla vie\tlife\t2.5\n", encoding="utf-8")
    assert Glossary.read(path).terms == (("vie", "life"), ("la vie", "life"))
    priors = Priors.read(path)
    assert priors.pairs == (("vie", "life", 1.0), ("la vie", "life", 2.5))
    assert list(priors.word_pairs()) == [("vie", "life", 1.0), ("la", "life", 1.25), ("vie", "life", 1.25)]
    path.write_text("a ||| b\nalone\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"terms:2: expected a source term and a target term, .* got 'alone'"):
        Glossary.read(path)
    for weight in ("x", "0", "-1", "nan"):
        path.write_text(f"a ||| b ||| {weight}\n", encoding="utf-8")
        with pytest.raises(FormatError, match=r"terms:1: the weight is '.*'; expected a number above 0"):
            Priors.read(path)
    with pytest.raises(DataError, match=r"A prior needs words on both sides and a weight above 0, got '', 'b', 1\.0"):
        Priors((("", "b", 1.0),))
    with pytest.raises(DataError, match=r"A glossary's terms must have words, got 'a' and ' '"):
        Glossary((("a", " "),)).anchors(["a"], ["b"])


def test_an_anchor_mends_the_example_of_okita_et_al() -> None:
    # Okita et al. 2010, table 1: with life–vie anchored, the other words of the first pair find their partners.
    srcs, tgts = ["that is life .", "rosy life"], ["c' est la vie .", "la vie en rose"]
    anchors = Glossary((("life", "vie"),)).anchors(srcs, tgts)
    assert anchors == [[(2, 3)], [(1, 1)]]
    for name in ALIGNERS.names():
        first, second = align(srcs, tgts, method=name, anchors=anchors).alignments
        assert [link for link in first.links if 2 in link[:1] or link[1] == 3] == [(2, 3)]
        assert [link for link in second.links if link[0] == 1 or link[1] == 1] == [(1, 1)]


def test_wrong_anchors_are_named() -> None:
    with pytest.raises(DataError, match=r"Line 2: the anchor 1-0 leads beyond the sentences, which have 1 and 1 words"):
        align(["a", "b"], ["x", "y"], anchors=[[], [(1, 0)]], method="ibm1")
    with pytest.raises(DataError, match="srcs=2, tgts=2, anchors=1"):
        align(["a", "b"], ["x", "y"], anchors=[[]])


def test_a_trained_model_takes_no_priors_and_unknown_names_are_named() -> None:
    model = ALIGNERS.make("ibm1").train(["a"], ["x"])
    with pytest.raises(DataError, match="Priors belong to training"):
        align(["a"], ["x"], model=model, priors=Priors((("a", "x", 1.0),)))
    with pytest.raises(UnknownName, match=r"No symmetrisation is called 'grow'\. Known: intersection, union"):
        model.align(["a"], ["x"], symmetrisation="grow")
    with pytest.raises(DataError, match="threshold of posteriors is above 0 and at most 1, got 0"):
        model.align(["a"], ["x"], symmetrisation="posterior", threshold=0)
    with pytest.raises(UnknownName, match=r"No aligner is called 'giza'"):
        align(["a"], ["x"], method="giza")
    with pytest.raises(DataError, match="'rounds' option of Hmm must be at least 0"):
        align(["a"], ["x"], method="hmm:rounds=-1")
    with pytest.raises(DataError, match=r"There are no posteriors; align with posteriors=True"):
        model.align(["a"], ["x"]).posterior(0)


def test_error_rates_by_hand() -> None:
    found = [Alignment(((0, 0), (1, 1), (2, 2)))]
    gold = [Alignment(((0, 0), (3, 3)), ((1, 1),))]
    measures = evaluate_alignments(found, gold)
    assert (measures.precision, measures.recall) == (2 / 3, 1 / 2)
    assert measures.error_rate == pytest.approx(1 - (1 + 2) / (3 + 2))
    assert evaluate_alignments([*found, *found], gold) == measures  # what comes behind is not compared
    assert evaluate_alignments([], []) == AlignmentError(0, 0, 0, 0, 0)
    assert evaluate_alignments([], []).to_dict()["rows"][0]["aer"] is None
    with pytest.raises(DataError, match=r"more than 1 sentence pairs, but only 1 were aligned\. Put the text"):
        evaluate_alignments(found, [*gold, *gold])


def test_the_lexicon_is_both_ways() -> None:
    aligner = ALIGNERS.make("ibm1:empty=no,rounds=50").train(["das haus", "das buch"], ["the house", "the book"])
    assert aligner.lexicon().translations("haus", n=1)[0][0] == "house"
    assert aligner.lexicon("backward").translations("book", n=1)[0][0] == "buch"
    assert aligner.lexicon().translations("zebra") == []
    best = aligner.lexicon().translations("das")
    assert best[0][0] == "the"
    assert sum(p for _, p in best) == pytest.approx(1, abs=1e-5)


def test_a_language_model_is_no_aligner(tmp_path: Path) -> None:
    from dragoman.errors import ModelError
    from dragoman.lm import KneserNey

    folder = KneserNey(order=2).train(["a b", "b a", "a a b"]).save(tmp_path / "lm")
    with pytest.raises(ModelError, match=r"is a language model .* not a word aligner"):
        Aligner.load(folder)


def test_ids_are_aligned_as_their_words_are() -> None:
    srcs, tgts = ["das haus", "das buch", "ein buch"], ["the house", "the book", "a book"]
    # The unknown word has the first number, as in an aligner's vocabularies: draws go by numbers.
    sides = [TokenIds(*Vocabulary(unk="<unk>").core.encode(lines, surface_tokeniser("none"))) for lines in (srcs, tgts)]
    for name in ALIGNERS.names():
        for how in ("union", "posterior"):
            links, offsets = align_ids(*sides, method=name, symmetrisation=how)
            expected = align(srcs, tgts, method=name, symmetrisation=how)
            assert links.tolist() == expected.links.tolist()
            assert offsets.tolist() == expected.offsets.tolist()
    with pytest.raises(DataError, match="source=3, target=2"):
        align_ids(sides[0], TokenIds(sides[1].ids, sides[1].offsets[:-1]))


@dataclass(frozen=True)
class Astray(Ibm1):
    """An aligner as another package may bring it, whose answers are wrong."""

    name = "astray"
    link: int = 0
    n_missing: int = 0

    def find(self, *args: Any, **how: Any) -> DirectedLinks:
        found = super().find(*args, **how)
        links, posteriors = (each[self.n_missing :] for each in (found.links, found.posteriors))
        return replace(found, links=np.full_like(links, self.link), posteriors=posteriors)


@pytest.mark.parametrize(
    ("aligner", "how", "message"),
    [
        (Astray(link=7), "union", "Sentence pair 1: the aligner links word 0 to word 7 of the other side, which has 2"),
        (Astray(link=-5), "grow-diag", "links word 0 to word -5 of the other side"),
        (Astray(n_missing=1), "intersection", "must give 4 links, one for each word, got 3"),
        (Astray(n_missing=1), "posterior", "must give 8 posteriors, one for each pair of words, got 7"),
    ],
)
def test_an_aligner_whose_links_lead_astray_is_told(aligner: Astray, how: str, message: str) -> None:
    with pytest.raises(DataError, match=re.escape(message)):
        align(["das haus", "ein buch"], ["the house", "a book"], method=aligner, symmetrisation=how)


@pytest.mark.realdata
def test_a_glossary_of_terms_makes_links_better(data_folder: Path) -> None:
    """Terms of two or three words, taken from the gold links of the Hansards: their words are not all linked."""
    folder = data_folder / "alignment-gold"
    lines = [line.split("|||") for line in read_lines(folder / "enfr.src-tgt.gz")]
    srcs, tgts = ([" ".join(side.split()) for side in sides] for sides in zip(*lines, strict=True))
    gold = list(PharaohFormat(first=1).read(folder / "enfr.gold.gz"))
    terms = {term for pair in zip(srcs, tgts, gold, strict=True) for term in terms_of(*pair)}
    assert len(terms) > 100
    without = align(srcs, tgts, gold=gold).evaluation
    found = align(srcs, tgts, gold=gold, glossary=Glossary(tuple(sorted(terms)))).evaluation
    assert without is not None
    assert found is not None
    assert (found.error_rate or 1) < (without.error_rate or 0) - 0.005


def terms_of(src: str, tgt: str, gold: Alignment) -> Iterator[tuple[str, str]]:
    """Neighbouring words whose links lead to neighbouring words and from nowhere else."""
    source, target = src.split(), tgt.split()
    for begin, n in product(range(len(source)), (2, 3)):
        inside = range(begin, min(begin + n, len(source)))
        places = sorted(t for s, t in gold.links if s in inside)
        words = target[places[0] : places[-1] + 1] if places else []
        leads_out = any(places[0] <= t <= places[-1] and s not in inside for s, t in gold.links) if places else True
        if 2 <= len(words) <= 3 and not leads_out and all(len(w) > 2 for w in (*words, *source[begin : begin + n])):
            yield " ".join(source[begin : begin + n]), " ".join(words)
