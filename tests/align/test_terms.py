"""Terms of several words: found in a bitext, grouped while words are linked, and known to training by either prior."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.align import Glossary, align
from dragoman.align.expressions import TermExtraction
from dragoman.align.grouping import group_terms
from dragoman.align.ibm import Ibm1
from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.smt.pairs import encode
from dragoman.smt.word_alignment import WordAlignment
from dragoman.text.vocabulary import Vocabulary

GLOSSARY = Glossary((("groupe socialiste", "socialist group"), ("point de vue", "view")))
SOURCES = ["le groupe socialiste du groupe", "point de vue du groupe socialiste", "rien"]
TARGETS = ["the socialist group of the group", "view of the socialist group", "nothing"]


def test_terms_become_tokens_and_their_links_links_of_words() -> None:
    text = group_terms(SOURCES, TARGETS, GLOSSARY)
    assert text.source.lines == ["le groupe_socialiste du groupe", "point_de_vue du groupe_socialiste", "rien"]
    assert text.target.lines == ["the socialist_group of the group", "view of the socialist_group", "nothing"]
    assert text.terms == (((1, 1),), ((0, 0), (2, 3)), ())
    links, offsets = text.ungrouped(
        np.array([(0, 0), (1, 1), (0, 0), (2, 3), (0, 0)], np.uint16), np.array([0, 2, 4, 5], np.int64)
    )
    pairs = [links[a:b].tolist() for a, b in pairwise(offsets)]
    assert pairs == [
        [[0, 0], [1, 1], [1, 2], [2, 1], [2, 2]],
        [[0, 0], [1, 0], [2, 0], [4, 3], [4, 4], [5, 3], [5, 4]],
        [[0, 0]],
    ]


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=6), min_size=1, max_size=4))
def test_without_terms_links_stay_as_they_are(lines: list[list[str]]) -> None:
    texts = [" ".join(line) for line in lines]
    text = group_terms(texts, texts, Glossary(()))
    assert text.source.lines == texts
    links = [[n, n] for line in lines for n in range(len(line))]
    offsets = np.cumsum([0, *map(len, lines)])
    again, ends = text.ungrouped(np.array(links, np.uint16).reshape(-1, 2), offsets)
    assert (again.tolist(), ends.tolist()) == (links, offsets.tolist())


def test_priors_of_both_kinds() -> None:
    assert group_terms(SOURCES, TARGETS, GLOSSARY, prior="none").anchors() is None
    anchored = group_terms(SOURCES, TARGETS, GLOSSARY, prior="anchors")
    assert anchored.anchors() == anchored.terms
    assert anchored.priors() is None
    counted = group_terms(SOURCES, TARGETS, GLOSSARY, prior="counts").priors()
    assert counted is not None
    assert counted.pairs == (("groupe_socialiste", "socialist_group", 2.0), ("point_de_vue", "view", 1.0))
    with pytest.raises(UnknownName, match=r"No prior of terms is called 'x'\. Known: none, anchors, counts"):
        group_terms(SOURCES, TARGETS, GLOSSARY, prior="x")


@pytest.mark.parametrize("prior", ["none", "anchors", "counts"])
def test_aligning_gives_links_of_the_words_as_they_were(prior: str) -> None:
    result = align(SOURCES, TARGETS, method=Ibm1(), glossary=GLOSSARY, group=prior)
    links = [sorted(each.sure) for each in result.alignments]
    assert len(result.source.ids) == sum(len(line.split()) for line in SOURCES)
    if prior == "anchors":
        assert {(1, 1), (1, 2), (2, 1), (2, 2)} <= set(links[0])
        assert not {(1, 5), (4, 1), (4, 2)} & set(links[0])  # the other group is no part of the term
    assert len(result.forward) == len(result.target.ids)
    assert len(result.backward) == len(result.source.ids)


def test_grouping_asks_for_terms_and_for_training() -> None:
    with pytest.raises(DataError, match="Terms are grouped by a glossary"):
        align(SOURCES, TARGETS, group="none")
    with pytest.raises(DataError, match="not with posteriors"):
        align(SOURCES, TARGETS, method=Ibm1(), glossary=GLOSSARY, group="none", posteriors=True)


FRENCH = ["la sécurité sociale coûte", "notre sécurité sociale", "une grande sécurité", "vie sociale", "la vie coûte"]
ENGLISH = ["social security costs", "our social security", "a great security", "social life", "life costs"]


def test_words_that_belong_together_are_found_with_their_translation() -> None:
    terms = TermExtraction(least=4, information=0.5, likeness=0.5, common=0.9).extract(FRENCH * 2, ENGLISH * 2)
    assert [(pair.source, pair.target, pair.n) for pair in terms.pairs] == [("sécurité sociale", "social security", 4)]
    assert terms.glossary.terms == (("sécurité sociale", "social security"),)


def test_a_term_may_be_one_word_on_the_other_side() -> None:
    german = ["die Sozialversicherung kostet", "unsere Sozialversicherung", "das Leben kostet", "ein Haus"]
    english = ["social security costs", "our social security", "life costs", "a house"]
    for join in ("both", "either"):
        recipe = TermExtraction(least=2, information=0.5, common=0.9, likeness=0.6, join=join)
        pairs = [(pair.source, pair.target) for pair in recipe.extract(german, english).pairs]
        assert ("Sozialversicherung", "social security") in pairs


TAGS = {
    **dict.fromkeys(["sécurité", "vie", "social", "security", "life"], "NOUN"),
    **dict.fromkeys(["sociale", "grande", "great"], "ADJ"),
}


def tagged(lines: list[str]) -> list[list[str]]:
    return [[TAGS.get(word, "X") for word in line.split()] for line in lines]


def test_with_parts_of_speech_terms_are_noun_phrases() -> None:
    recipe = TermExtraction(least=4, information=99, likeness=0.5, common=0.9)
    texts = FRENCH * 2, ENGLISH * 2
    terms = recipe.extract(*texts, tags=(tagged(texts[0]), tagged(texts[1])))
    assert [(pair.source, pair.target) for pair in terms.pairs] == [("sécurité sociale", "social security")]
    verbs = [["VERB"] * len(line.split()) for line in texts[0]], [["VERB"] * len(line.split()) for line in texts[1]]
    assert recipe.extract(*texts, tags=verbs).pairs == ()
    with pytest.raises(DataError, match="Line 1 has 4 words and 1 parts of speech"):
        recipe.extract(*texts, tags=([["NOUN"]] * 10, tagged(texts[1])))


@pytest.mark.parametrize("name", ["terms.tbx", "terms.csv", "terms.txt"])
def test_terms_go_to_other_tools_and_come_back(name: str, tmp_path: Path) -> None:
    recipe = TermExtraction(least=4, information=0.5, likeness=0.5, common=0.9)
    terms = recipe.extract(FRENCH * 2, ENGLISH * 2, languages=("fr", "en"))
    terms.write(tmp_path / name)
    assert Glossary.read(tmp_path / name) == terms.glossary
    if name != "terms.txt":
        text = (tmp_path / name).read_text()
        assert "4 times, likeness 1.000" in text


def test_a_glossary_of_translators_is_taken_without_what_it_forbids(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("source,target,status\nvie sociale,social life,preferred\nvie,existence,forbidden\n")
    assert Glossary.read(path).terms == (("vie sociale", "social life"),)
    path.write_text('source,target\n"vie sociale,social life\n')
    with pytest.raises(FormatError, match=r"own\.csv:\d: the table cannot be read"):
        Glossary.read(path)
    tbx = tmp_path / "own.tbx"
    tbx.write_text("<tbx><text><body><conceptEntry>")
    with pytest.raises(FormatError, match=r"own\.tbx"):
        Glossary.read(tbx)
    bomb = '<!DOCTYPE tbx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
    tbx.write_text(f"{bomb}<tbx><text><body><p>&b;</p></body></text></tbx>")
    with pytest.raises(FormatError, match=r"own\.tbx"):
        Glossary.read(tbx)
    outside = '<!DOCTYPE tbx [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    tbx.write_text(f"{outside}<tbx><text><body><p>&x;</p></body></text></tbx>")
    with pytest.raises(FormatError, match=r"own\.tbx"):
        Glossary.read(tbx)


def test_an_engine_is_trained_with_terms_of_its_text(tmp_path: Path) -> None:
    ids = [encode(Vocabulary(unk="<unk>"), lines) for lines in (FRENCH, ENGLISH)]
    path = tmp_path / "terms.tbx"
    terms = TermExtraction(least=2, information=0.5, common=0.9).extract(FRENCH, ENGLISH, languages=("fr", "en"))
    terms.write(path)
    recipe = WordAlignment(method="ibm1", terms=str(path))
    aligned = recipe.align_lines(FRENCH, ENGLISH, (ids[0], ids[1]))
    first = aligned.links[aligned.link_offsets[0] : aligned.link_offsets[1]].tolist()
    assert [link for link in first if link[0] in (1, 2)] == [[1, 0], [1, 1], [2, 0], [2, 1]]
    other = WordAlignment(method="ibm1", terms=str(path), terms_pair="en-fr")
    with pytest.raises(DataError, match=r"none of its 1 terms stands on both sides .* Are its languages the other way"):
        other.align_lines(FRENCH, ENGLISH, (ids[0], ids[1]))
    with pytest.raises(DataError, match="names two languages, as in fr-en; got 'fr'"):
        WordAlignment(terms=str(path), terms_pair="fr").align_lines(FRENCH, ENGLISH, (ids[0], ids[1]))


def test_no_text_is_refused() -> None:
    with pytest.raises(DataError, match="no sentence pairs to find terms in"):
        TermExtraction().extract([], [])


def test_commands_hand_terms_on(tmp_path: Path) -> None:
    for name, lines in (("a.fr", FRENCH * 2), ("a.en", ENGLISH * 2)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = [str(tmp_path / "a.fr"), str(tmp_path / "a.en")]
    options = ["--least", "4", "--information", "0.5", "--common", "0.9", "--to", str(tmp_path / "terms"), "--json"]
    told = json.loads(CliRunner(catch_exceptions=False).invoke(group, ["terms", *files, *options]).output)
    assert told["rows"][0]["source"] == "sécurité sociale"
    assert Glossary.read(tmp_path / "terms").terms == (("sécurité sociale", "social security"),)
    words = [
        "align",
        *files,
        "--glossary",
        str(tmp_path / "terms"),
        "--group",
        "anchors",
        "-o",
        str(tmp_path / "links"),
    ]
    CliRunner(catch_exceptions=False).invoke(group, words)
    first = (tmp_path / "links").read_text().splitlines()[0].split()
    assert {"1-0", "1-1", "2-0", "2-1"} <= set(first)
    refused = CliRunner(catch_exceptions=False).invoke(group, ["align", *files, "--group", "anchors"])
    assert "--group needs --glossary" in refused.output
