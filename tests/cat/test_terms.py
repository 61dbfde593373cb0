"""Glossaries: look-up through inflection, files, what is missing, what engines are made to say, extraction."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.cat.term_extraction import extract_terms
from dragoman.cat.term_files import read_glossary, write_glossary
from dragoman.cat.terms import Glossary, Term, translate_with_terms
from dragoman.engines import Request
from dragoman.errors import DataError, FormatError
from dragoman.smt import Engine
from tests.smt.conftest import bitext, book, engine, model

__all__ = ["bitext", "book", "engine", "model"]

GLOSSARY = Glossary(
    (
        Term("hard disk", "Festplatte"),
        Term("disk", "Scheibe", note="of a brake"),
        Term("disk", "Diskette", "forbidden"),
        Term("print", "drucken", "admitted"),
        Term("print", "ausdrucken"),
    ),
    "en",
    "de",
)


def shown(source: str, glossary: Glossary = GLOSSARY) -> list[tuple[str, str]]:
    return [(source[hit.begin : hit.end], hit.terms[0].target) for hit in glossary.look_up(source)]


def test_terms_are_found_inflected_and_the_longest_counts() -> None:
    assert shown("Printing hard \ue000Disks\ue001, then disks.") == [
        ("Printing", "ausdrucken"),
        ("hard \ue000Disks", "Festplatte"),
        ("disks", "Scheibe"),
    ]
    assert shown("a hardly printed") == [("printed", "ausdrucken")]


def test_without_a_stemmer_most_letters_count() -> None:
    glossary = Glossary((Term("talossa", "in the house"), Term("ab", "x")), "xx", "en")
    assert shown("talossani abc ab", glossary) == [("talossani", "in the house"), ("ab", "x")]
    assert shown("talon", glossary) == []


def test_missing_and_forbidden_terms() -> None:
    assert [hit.terms[0].target for hit in GLOSSARY.missing("two hard disks", "zwei Platten")] == ["Festplatte"]
    assert GLOSSARY.missing("two hard disks", "zwei FESTPLATTEN") == []
    assert GLOSSARY.missing("print it", "es drucken") == [], "an admitted translation will do"
    ((hit, term, (begin, end)),) = GLOSSARY.forbidden("a disk", "eine Diskette")
    assert (hit.begin, term.target, "eine Diskette"[begin:end]) == (2, "Diskette", "Diskette")


@pytest.mark.parametrize("name", ["g.tsv", "g.csv", "g.tbx"])
@pytest.mark.parametrize("version", [2, 3])
def test_glossaries_come_back_as_they_were_written(tmp_path: Path, name: str, version: int) -> None:
    terms = (*GLOSSARY.terms, Term('quo"te, <b>', "x & y", note="multi\nline"))
    write_glossary(Glossary(terms, "en", "de"), tmp_path / name, version=version)
    assert read_glossary(tmp_path / name, "en", "de").terms == terms
    if name == "g.tbx":
        assert read_glossary(tmp_path / name).source_lang == "en"
        assert read_glossary(tmp_path / name, "de-AT", "en").terms[0].source == "Festplatte"


def test_tbx_of_other_tools_is_read(tmp_path: Path) -> None:
    path = tmp_path / "basic.tbx"
    path.write_text(
        """<?xml version='1.0'?><martif type="TBX-Basic" xml:lang="en"><text><body>
        <termEntry id="c1"><descrip type="definition">A store.</descrip>
        <langSet xml:lang="en-US"><ntig><termGrp><term>hard disk</term></termGrp></ntig>
        <ntig><termGrp><term>HDD</term></termGrp></ntig></langSet>
        <langSet xml:lang="de"><tig><term>Festplatte</term>
        <termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote></tig></langSet>
        <langSet xml:lang="fr"><tig><term>disque dur</term></tig></langSet></termEntry>
        </body></text></martif>"""
    )
    assert read_glossary(path, "en", "de").terms == (
        Term("hard disk", "Festplatte", "forbidden", "A store."),
        Term("HDD", "Festplatte", "forbidden", "A store."),
    )
    with pytest.raises(FormatError, match=r"basic\.tbx: the terms are in en-US, de, fr; name two of them, got none"):
        read_glossary(path)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tsv", "one\n", r"a\.tsv:1: expected a source term and a target term, got 'one'"),
        ("a.csv", "a,b,wrong\n", r"a\.csv:1: the status is 'wrong'; expected preferred, admitted, forbidden"),
        ("a.csv", 'a,"b\n', r"a\.csv:.*: the table cannot be read"),
        ("a.tbx", "<tmx/>", r"a\.tbx:1: this is no TBX file: it begins with <tmx>"),
        ("a.tbx", "<tbx><conceptEntry><langSec/></conceptEntry></tbx>", r"a\.tbx:1: <langSec> has no xml:lang"),
    ],
)
def test_broken_glossaries_are_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match=message):
        read_glossary(tmp_path / name, "en", "de")


@pytest.mark.parametrize("name", ["g.tsv", "g.csv"])
def test_tables_of_terms_hold_no_formulas(tmp_path: Path, name: str) -> None:
    glossary = Glossary((Term("=HYPERLINK(1)", "'@x", note="-1+cmd"), Term("-5", "'quoted'")), "en", "de")
    path = tmp_path / name
    write_glossary(glossary, path)
    assert "'=HYPERLINK(1)" in path.read_text(encoding="utf-8")
    assert "'-1+cmd" in path.read_text(encoding="utf-8")
    assert read_glossary(path, "en", "de") == glossary
    write_glossary(glossary, path, raw=True)
    assert "'=HYPERLINK" not in path.read_text(encoding="utf-8")
    assert read_glossary(path, "en", "de") == glossary


def test_what_no_glossary_can_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"its name should end in \.tbx, \.tsv or \.csv"):
        read_glossary("terms.docx")
    with pytest.raises(DataError, match=r"names no kind of glossary"):
        write_glossary(GLOSSARY, tmp_path / "x.docx")
    with pytest.raises(DataError, match="TBX names the language of every term"):
        write_glossary(Glossary(()), tmp_path / "x.tbx")
    with pytest.raises(DataError, match="A term has text in both languages, got 'a' and ' '"):
        Term("a", " ")


def test_an_engine_uses_the_terms_it_must(engine: Engine) -> None:
    """Hard: nothing else; soft: it may. An engine that takes no glossary is checked."""
    line = "The man is reading a book ."
    plain = engine.translate([line])[0]
    glossary = Glossary((Term("book", "Schmöker"),), "en", "de")
    assert "Schmöker" not in plain
    (made,) = translate_with_terms(engine, [line], glossary)
    assert "Schmöker" in made.text
    assert made.missing == ()
    (soft,) = engine.translations([line], Request(glossary=(("book", "Schmöker"),), hard_glossary=False))
    assert soft.text in {plain, made.text}

    class Deaf(Engine):
        details = frozenset({"n-best"})

    deaf = Deaf.__new__(Deaf)
    deaf.__dict__.update(engine.__dict__)
    (checked,) = translate_with_terms(deaf, [line], glossary)
    assert checked.text == plain
    assert [hit.terms[0].target for hit in checked.missing] == ["Schmöker"]


def test_terms_are_extracted_with_their_translations() -> None:
    srcs = ["the hard disk is full", "open the hard disk", "a hard disk fails", "the man is old", "the hard man"]
    tgts = [
        "die Festplatte ist voll",
        "öffne die Festplatte",
        "eine Festplatte versagt",
        "der Mann ist alt",
        "der harte Mann",
    ]
    links = [
        [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3)],
        [(0, 0), (1, 1), (2, 2), (3, 2)],
        [(0, 0), (1, 1), (2, 1), (3, 2)],
        [(0, 0), (1, 1), (2, 2), (3, 3)],
        [(0, 0), (1, 1), (2, 2)],
    ]
    result = extract_terms(
        srcs, tgts, ["the man is full of old words"] * 9, source_lang="en", target_lang="de", links=links
    )
    (best, *others) = result.candidates
    assert (best.source, best.target, best.count, best.share) == ("hard disk", "Festplatte", 3, 1.0)
    assert [each.source for each in others] == ["man"]
    assert best.keyness > others[0].keyness == 0
    assert result.glossary().terms[0] == Term("hard disk", "Festplatte")
    assert (
        extract_terms(srcs, tgts, source_lang="en", target_lang="de", links=links).candidates[0].source == "hard disk"
    )
