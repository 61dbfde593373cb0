from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data import FORMATS, TestSet, read_test_set
from dragoman.data.formats.sgm import SgmFormat
from dragoman.errors import DataError, FormatError, MendedInput

SOURCE = """<srcset setid="mini" srclang="de">
<doc docid="d1" genre="news" origlang="de">
<hl>
<seg id="1"> Eins </seg>
</hl>
<p>
<seg id="2"> Zwei &amp; drei </seg>
</p>
</doc>
<doc docid="d/2" origlang="en">
<seg id="1"> Vier </seg>
</doc>
</srcset>
"""
REFERENCE = SOURCE.replace("srcset", "refset").replace('srclang="de"', 'srclang="de" trglang="en"')
REFERENCE = REFERENCE.replace("docid", 'sysid="ref" docid').replace("Eins", "One").replace("Zwei", "Two")
SYSTEM = REFERENCE.replace("refset", "tstset").replace('sysid="ref"', 'sysid="alpha"')


def read(path: Path, text: str) -> TestSet:
    path.write_text(text, encoding="utf-8")
    return SgmFormat().read(path)


def refused(path: Path, text: str) -> str:
    with pytest.raises(FormatError) as caught:
        read(path, text)
    return str(caught.value).removeprefix(str(path))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.sgm"


def test_a_source_alone(file: Path) -> None:
    found = read(file, SOURCE)
    assert found == TestSet(
        name="mini",
        source_lang="de",
        srcs=["Eins", "Zwei & drei", "Vier"],
        docs=["d1", "d1", "d/2"],
        domains=["news", "news", None],
        origlangs=["de", "de", "en"],
    )


def test_a_folder_of_files_is_one_test_set(tmp_path: Path) -> None:
    for name, text in {"src.sgm": SOURCE, "ref.sgm": REFERENCE, "tst.sgml": SYSTEM, "notes.txt": "x"}.items():
        (tmp_path / name).write_text(text)
    found = read_test_set(tmp_path)
    assert found.pair == "de-en"
    assert found.srcs == ("Eins", "Zwei & drei", "Vier")
    assert dict(found.refs) == {"ref": ("One", "Two & drei", "Vier")}
    assert dict(found.systems) == {"alpha": ("One", "Two & drei", "Vier")}


def test_several_references_and_systems_in_one_file(file: Path) -> None:
    text = """<refset setid="x" srclang="any" trglang="en">
    <DOC sysid="A" docid="d"><seg id="1">a</seg></DOC>
    <DOC sysid="B" docid="d"><seg id="1">b</seg></DOC>
    <DOC sysid="A" docid="e"><seg id="1">aa</seg></DOC></refset>"""
    found = read(file, text)
    assert dict(found.refs) == {"A": ("a", "aa"), "B": ("b", None)}
    assert found.source_lang is None
    systems = text.replace("refset", "tstset").replace('"A" docid="e"', '"B" docid="e"')
    assert refused(file, systems) == ":4: system 'A' has no translation of document 'e'."


def test_tag_soup_is_read(file: Path) -> None:
    text = (
        "<?xml version='1.0'?><!DOCTYPE mteval SYSTEM 'ftp://x/y.dtd'>\n<MTEVAL>\n<RefSet SetID=mini SrcLang='de_AT' "
        'TRGLANG="EN" refid=R1>\n<!-- <seg id="9">old</seg> -->\n<DOC DocID=d1 lang=x>\n<HL><SEG ID=1>AT&T, a < b & '
        "c &lt;p&gt; &#8364;&eacute; &unknown; &#0; &#xD800;</SEG></HL>\n<P><Seg id='2'>two\r\n  lines\there </Seg>\n"
        "</DOC></RefSet></MTEVAL>"
    )
    found = read(file, text)
    assert found == TestSet(
        name="mini",
        source_lang="de-AT",
        target_lang="EN",
        docs=["d1", "d1"],
        refs={"R1": ["AT&T, a < b & c <p> €é &unknown; &#0; &#xD800;", "two lines\there"]},
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('<seg id="2">', '<seg id="1">', ":7: document 'd1' has segment 1 a second time."),
        ('<seg id="2">', "<seg>", ":7: a segment of document 'd1' has no id."),
        (' docid="d/2"', "", ":10: the document has no docid."),
        ("d/2", "d1", ":10: the source has document 'd1' a second time, first at {path}:2."),
        ("</doc>\n</srcset>", "</srcset>", ":12: </srcset> stands inside document 'd/2'."),
        ("</doc>\n</srcset>\n", "", ":10: document 'd/2', which begins here, has no end."),
        ("</srcset>\n", "", ":1: the srcset that begins here has no end."),
        ('<seg id="1"> Vier </seg>\n', "", ":10: document 'd/2' has no segments."),
        ("<p>", "</seg>", ":6: </seg> stands inside document 'd1'."),
        ('<doc docid="d/2"', "<seg>", ":10: <seg> stands between the documents of a srcset."),
    ],
)
def test_structures_that_are_wrong(file: Path, old: str, new: str, message: str) -> None:
    assert old in SOURCE
    assert refused(file, SOURCE.replace(old, new, 1)) == message.format(path=file)


def test_segments_without_an_end_are_read_and_named(file: Path) -> None:
    broken = SOURCE.replace(" Eins </seg>", " Eins").replace("drei </seg>", "drei").replace(" Vier </seg>", " Vier")
    with pytest.warns(MendedInput, match=r"a\.sgm:4: a segment has no end .* There are 3 such lines: 4, 7, 11\."):
        assert read(file, broken) == read(file.with_name("b.sgm"), SOURCE)
    assert refused(file, broken).startswith(":4: a segment has no end")  # tests raise warnings, as --strict does


def test_files_that_are_no_sgm(file: Path) -> None:
    assert refused(file, "") == ": the file is empty; is it an SGM file?"
    assert refused(file, "just text") == ": there is no srcset, refset or tstset in it; is it an SGM file?"
    assert refused(file, "<doc docid=d>") == ":1: <doc> stands outside a srcset, refset or tstset."
    assert refused(file, SYSTEM.replace(' sysid="alpha"', "")) == (
        ":2: neither the document nor its tstset has a sysid."
    )
    file.write_bytes(b"<srcset>\n\xe9")
    with pytest.raises(FormatError, match=r"a\.sgm:2: byte 1 of the line \(0xE9\) is not UTF-8"):
        SgmFormat().read(file)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '<seg id="2"> Two &amp; drei </seg>\n',
            "",
            "b.sgm:2: document 'd1' of system 'alpha' lacks segment 2 (compared with {a}:2).",
        ),
        (
            '<seg id="2"',
            '<seg id="3"> x </seg><seg id="2"',
            "b.sgm:2: document 'd1' of system 'alpha' should not have segment 3 (compared with {a}:2).",
        ),
        (
            '<doc sysid="alpha" docid="d/2" origlang="en">\n<seg id="1"> Vier </seg>\n</doc>\n',
            "",
            "b.sgm: system 'alpha' has no translation of document 'd/2'.",
        ),
        ('docid="d/2"', 'docid="d3"', "b.sgm:10: system 'alpha' has a document 'd3' that the source has not."),
        ('setid="mini"', 'setid="maxi"', "b.sgm:1: setid is 'maxi' here and 'mini' at {a}:1."),
        ('srclang="de"', 'srclang="fr"', "b.sgm:1: srclang is 'fr' here and 'de' at {a}:1."),
    ],
)
def test_files_that_do_not_agree(tmp_path: Path, old: str, new: str, message: str) -> None:
    (tmp_path / "a.sgm").write_text(SOURCE)
    assert old in SYSTEM
    (tmp_path / "b.sgm").write_text(SYSTEM.replace(old, new, 1))
    with pytest.raises(FormatError) as caught:
        SgmFormat().read(tmp_path)
    assert str(caught.value) == f"{tmp_path}/" + message.format(a=tmp_path / "a.sgm")


def test_a_system_that_stands_in_two_files(tmp_path: Path) -> None:
    for name in ("a.sgm", "b.sgm"):
        (tmp_path / name).write_text(SYSTEM)
    with pytest.raises(
        FormatError, match=r"b\.sgm:2: system 'alpha' has document 'd1' a second time, first at .*a\.sgm:2"
    ):
        SgmFormat().read(tmp_path)


def test_the_three_kinds_as_they_are_written(tmp_path: Path) -> None:
    value = TestSet(
        name="mini",
        source_lang="de",
        target_lang="en",
        srcs=["a & b", " padded\r\n"],
        refs={"R": ["<x>", None]},
        systems={"s1": ["1", "2"], "s2": ["", '"']},
        docs=["d", "e"],
        domains=["news", None],
    )
    SgmFormat().write(value, tmp_path / "out")
    files = {file.name: file.read_text() for file in (tmp_path / "out").iterdir()}
    assert sorted(files) == ["mini-ref.en.sgm", "mini-src.de.sgm", "mini.de-en.s1.sgm", "mini.de-en.s2.sgm"]
    assert files["mini-src.de.sgm"] == (
        '<srcset setid="mini" srclang="de">\n<doc docid="d" genre="news">\n<p>\n<seg id="1">a &amp; b</seg>\n</p>\n'
        '</doc>\n<doc docid="e">\n<p>\n<seg id="1">&#32;padded&#13;&#10;</seg>\n</p>\n</doc>\n</srcset>\n'
    )
    assert files["mini-ref.en.sgm"] == (
        '<refset setid="mini" srclang="de" trglang="en">\n<doc sysid="R" docid="d" genre="news">\n<p>\n'
        '<seg id="1">&lt;x&gt;</seg>\n</p>\n</doc>\n</refset>\n'
    )
    assert SgmFormat().read(tmp_path / "out") == value
    SgmFormat().write(value, tmp_path / "all.sgm.gz")
    assert SgmFormat().read(tmp_path / "all.sgm.gz") == value


def test_a_single_kind_has_no_wrapper(tmp_path: Path) -> None:
    SgmFormat().write(TestSet(name="x", systems={"s": ["1"]}), tmp_path / "x.sgm")
    text = (tmp_path / "x.sgm").read_text()
    assert text.startswith('<tstset setid="x" srclang="any" trglang="any">\n<doc sysid="s" docid="x">\n')
    assert SgmFormat().loses(TestSet(target_lang="en", srcs=["x"])) == ["target_lang"]


def test_what_sgm_cannot_say(tmp_path: Path) -> None:
    ragged = TestSet(refs={"R": ["x", None]}, docs=["d", "d"])
    with pytest.raises(DataError) as caught:
        SgmFormat().write(ragged, tmp_path / "a.sgm")
    assert str(caught.value) == (
        "Reference 'R' lacks segment 2, but not all of document 'd'; sgm cannot say so. "
        "Write testset-jsonl or testset-tsv instead."
    )
    mixed = TestSet(srcs=["x", "y"], docs=["d", "d"], origlangs=["de", None])
    with pytest.raises(DataError) as caught:
        SgmFormat().write(mixed, tmp_path / "a.sgm")
    assert str(caught.value) == (
        "Document 'd' has more than one entry in origlangs: None and de. sgm keeps one per document."
    )
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(DataError, match=r"holds thesis\.tex, which is no part of a test set; name another folder"):
        SgmFormat().write(TestSet(srcs=["x"]), tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(FormatError, match=r"the folder has no \.sgm file"):
        SgmFormat().read(tmp_path / "empty")


@pytest.mark.realdata
def test_the_files_of_meteor(data_folder: Path, tmp_path: Path) -> None:
    found = SgmFormat().read_files([data_folder / "meteor" / "ref.sgm.gz", data_folder / "meteor" / "test.sgm.gz"])
    assert (found.name, found.target_lang, len(found), len(found.documents())) == ("newstest2009", "en", 2525, 111)
    assert list(found.refs) == ["ref"]
    assert list(found.systems) == ["cmu-combo"]
    assert found.systems["cmu-combo"][0] == "Prague Stock Exchange to the end of trading, fell into the minus"
    assert sum("&" in (line or "") for line in found.refs["ref"]) == 5
    for target in ("one.sgm", "folder"):
        SgmFormat().write(found, tmp_path / target)
        assert SgmFormat().read(tmp_path / target) == found


@pytest.mark.realdata
def test_the_sample_of_moses(data_folder: Path) -> None:
    found = read_test_set(data_folder / "news-commentary-sample")
    assert (len(found), len(found.documents())) == (85, 7)
    assert found.srcs is not None
    assert found.srcs[0] == "Illhaeusern... enfin"
    assert found.refs["ref"][0] == "Illhaeusern... finally"


def test_the_registry_leads_here() -> None:
    assert FORMATS.get("sgm") is SgmFormat
