"""Consistency of translation: the cases of Carpuat & Simard (2012) in small, counted by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cat.consistency import (
    Consistency,
    Repeated,
    Use,
    consistency,
    consistency_page,
    phrases_of_engine,
)
from dragoman.cat.corrections import read_sheet, write_sheet
from dragoman.errors import DataError, FormatError
from dragoman.files import read_lines
from dragoman.smt import PhraseExtraction
from tests.smt.test_extraction import aligned

# By document: source, target, reference, links. Words are aligned one to one unless said otherwise.
ROWS = [
    ("1", "the red house", "das rote Haus", "das rote Haus"),
    ("1", "a red house", "ein rotes Haus", "ein rotes Haus"),  # the same but for inflection
    ("1", "red wine", "roter Wein", "roter Wein"),
    ("2", "old parties", "alte Parteien", "alte Parteien"),
    ("2", "new parties", "neue Feste", "neue Parteien"),  # unlike, and the other one would have been right
    ("2", "the end", "der Schluss", "das Ende"),
    ("2", "the end", "das Ende", "das Ende"),  # a segment, too
    ("3", "of the", "von dem", "von dem"),  # no content word
    ("3", "of the", "aus dem", "aus dem"),
    ("3", "a house", "ein Haus", "ein Haus"),
    ("3", "house !", "Haus ,", "Haus !"),  # the phrase with its mark occurs once
]


def run(**more: object) -> Consistency:
    documents, srcs, tgts, refs = ([*column] for column in zip(*ROWS, strict=True))
    links = [[(k, k) for k in range(len(source.split()))] for source in srcs]
    if more.get("refs", True):
        more["refs"] = refs
    return consistency(
        srcs,
        tgts,
        documents=documents,
        source_lang="en",
        target_lang="de",
        links=links,
        longest=2,
        **more,  # type: ignore[arg-type]
    )


def test_counts_of_a_small_case() -> None:
    result = run()
    phrases = {(each.document, each.source): each.consistent for each in result.repeated if each.kind == "phrase"}
    assert phrases == {
        ("1", "red"): True,
        ("1", "red house"): True,
        ("1", "house"): True,
        ("2", "parties"): False,
        ("2", "end"): False,
        ("2", "the end"): False,
        ("3", "house"): True,
    }
    segments = {(each.document, each.source): each.consistent for each in result.repeated if each.kind == "segment"}
    assert segments == {("2", "the end"): False, ("3", "of the"): False}
    values = result.meta()["phrases"]
    assert (values["repeated"], values["documents"]) == (7, 3)
    assert values["consistent"] == pytest.approx(100 * 4 / 7)
    assert values["uses"] == pytest.approx((3 + 2 * 6) / 7)
    assert values["uses_of_unlike"] == 2
    assert values["alike_right"] == 100
    assert values["unlike_right"] == pytest.approx(100 * 3 / 6)
    assert values["easily_mended"] == pytest.approx(100 * 3 / 6)


def test_what_is_unlike_is_listed_with_its_places() -> None:
    rows = run().tables()[0].rows
    assert ("segment", "2", "the end", "der Schluss (1) | das Ende (1)", "6 7") in rows
    assert ("phrase", "2", "parties", "parteien (1) | feste (1)", "4 5") in rows
    assert run(refs=None).meta()["phrases"]["unlike_right"] is None


@given(st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=8), min_size=1, max_size=6))
def test_a_fixed_word_for_every_word_is_consistent(lines: list[list[str]]) -> None:
    srcs = [" ".join(line) for line in lines]
    links = [[(k, k) for k in range(len(line))] for line in lines]
    result = consistency(srcs, [src.upper() + "X" * 0 for src in srcs], links=links)
    assert all(each.consistent for each in result.repeated)


def test_words_are_aligned_where_no_links_are_given() -> None:
    srcs = ["das haus", "das buch", "ein buch", "das haus"] * 5
    tgts = ["the house", "the book", "a book", "the house"] * 4 + ["the house", "the tome", "a book", "the home"]
    result = consistency(srcs, tgts, source_lang="de", target_lang="en")
    unlike = {(each.kind, each.source) for each in result.repeated if not each.consistent}
    assert ("segment", "das haus") in unlike
    assert ("segment", "das buch") in unlike


def test_sides_of_unlike_length_are_refused() -> None:
    with pytest.raises(DataError, match="srcs=2, tgts=1"):
        consistency(["a", "b"], ["c"])


@pytest.mark.parametrize(
    ("counts", "whole", "printed"),
    [((15, 8), 79, (19, 10)), ((12, 24), 92, (13, 26)), ((27, 32), 171, (16, 19))],
    ids=["en-fr", "fr-en", "total"],
)
def test_published_false_positives_table_4(counts: tuple[int, int], whole: int, printed: tuple[int, int]) -> None:
    """Carpuat & Simard (2012), Table 4: alternates of one lemma, and misaligned ones, in per cent."""
    assert tuple(round(100 * count / whole) for count in counts) == printed


@pytest.mark.realdata
def test_inconsistent_translations_are_more_often_wrong(data_folder: Path) -> None:
    """Carpuat & Simard (2012), Table 2: of all their tasks; here on WMT 2013 fr-en, in stretches of 20 sentences."""
    folder, n = data_folder / "newstest2013", 1000
    names = ("references/newstest2013.fr", "references/newstest2013.en", "fr-en/newstest2013.fr-en.uedin-wmt13.2838")
    srcs, refs, tgts = (read_lines(folder / f"{name}.gz")[:n] for name in names)
    documents = [str(number // 20) for number in range(n)]
    result = consistency(srcs, tgts, refs=refs, documents=documents, source_lang="fr", target_lang="en")
    right: dict[bool, list[bool]] = {True: [], False: []}
    for each in result.repeated:
        right[each.consistent] += [use.matches for use in each.uses if use.matches is not None]
    shares = [sum(some) / len(some) for some in right.values()]
    error = math.sqrt(sum(p * (1 - p) / len(some) for p, some in zip(shares, right.values(), strict=True)))
    assert shares[0] - shares[1] > 4 * error
    assert result.meta()["phrases"]["easily_mended"] < 100 * (1 - shares[1])


def test_with_a_phrase_table_only_its_phrases_and_translations_count() -> None:
    table = {"parties": ["Parteien", "Feste"], "end": ["Ende"], "red house": ["rotes Haus"], "red": ["rot"]}
    result = run(known=lambda phrase: table.get(phrase, []))
    phrases = {(each.document, each.source): each.uses for each in result.repeated if each.kind == "phrase"}
    assert set(phrases) == {("2", "parties")}  # the others have one accepted use, or none
    assert [use.translation for use in phrases["2", "parties"]] == ["parteien", "feste"]


def test_the_phrases_of_an_engine_are_asked(tmp_path: Path) -> None:
    links = frozenset({(0, 0), (1, 1)})
    text = [(["red", "house"], ["rotes", "Haus"], links), (["red", "car"], ["rotes", "Auto"], links)]
    PhraseExtraction().extract(*aligned(text)).save(tmp_path / "table")
    known = phrases_of_engine(tmp_path / "table")
    assert list(known("red house")) == ["rotes Haus"]
    assert list(known("blue")) == []


def test_the_page_has_every_place_of_what_is_unlike() -> None:
    documents, srcs, tgts, _ = ([*column] for column in zip(*ROWS, strict=True))
    result = run()
    page = consistency_page(result, srcs, [f"{tgt} <&>" for tgt in tgts])
    assert page.startswith("<!doctype html>")
    for text in ("neue Feste &lt;&amp;&gt;", "der Schluss &lt;&amp;&gt;", "Unlike translations", "Places"):
        assert text in page
    assert documents[0] == "1"


def test_a_sheet_holds_no_formulas(tmp_path: Path) -> None:
    uses = tuple(Use(n, text) for n, text in enumerate(("@SUM(1)", "+x")))
    path = tmp_path / "sheet.tsv"
    write_sheet(Consistency((Repeated("phrase", "-doc", "=cmd|'!A0'", uses, consistent=False),)), path)
    assert read_lines(path)[1].split("\t")[:4] == ["no", "'-doc", "'=cmd|'!A0'", "'@SUM(1) | +x"]
    assert read_sheet(path).rows[0].alike is False


def test_a_sheet_is_written_marked_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "sheet.tsv"
    assert write_sheet(run(), path) == 7
    head, *lines = read_lines(path)
    assert lines[3].split("\t")[:5] == ["no", "2", "parties", "parteien | feste", "4 5"]
    place = head.split("\t").index("terminology")
    cells = lines[3].split("\t")
    cells[place] = "x"
    path.write_text("\n".join([head, *lines[:3], "\t".join(cells), *lines[4:]]) + "\n", encoding="utf-8")
    found = read_sheet(path)
    assert found.corrected(alike=False) | {"unedited_share": 0} == {
        "phrases": 3,
        "unedited": 2,
        "unedited_share": 0,
        "meaning": 0,
        "meaning_share": 0,
        "terminology": 1,
        "terminology_share": 100,
        "style": 0,
        "style_share": 0,
    }
    assert found.tables()[1].rows[0] == (3, 0, 0.0, 0, 0.0, 3)
    path.write_text(head + "\nno\t\t\t\t\tperhaps\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"sheet\.tsv:2: the column lemma is marked by x, 1 or yes"):
        read_sheet(path)
    path.write_text("alike\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"sheet\.tsv:1: the sheet has no column lemma, misaligned, meaning"):
        read_sheet(path)
