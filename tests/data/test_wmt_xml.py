from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data import TestSet, read_test_set
from dragoman.data.formats.wmt_xml import WmtXmlFormat
from dragoman.errors import DataError, FormatError

# Made after the schema and the samples of wmt-format-tools, with what later years added.
DATASET = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="mini2023">
  <collection id="general">
    <doc origlang="en" id="d.1" domain="news">
      <src lang="en" translator="none">
        <p>
          <seg id="1">One &amp; only</seg>
        </p>
        <p>
          <seg id="2" type="title">Two</seg>
        </p>
      </src>
      <supplemental type="context">
        <p><seg id="1">Before <b>that</b></seg></p>
      </supplemental>
      <ref lang="de" translator="A">
        <p>
          <seg id="1">Eins</seg>
          <seg id="2">Zwei</seg>
        </p>
      </ref>
      <ref lang="de">
        <p><seg id="2">II</seg><seg id="1">I</seg></p>
      </ref>
      <hyp system="MT" language="de">
        <p><seg id="1">eins</seg><seg id="2"/></p>
      </hyp>
    </doc>
  </collection>
  <doc origlang="de" id="d.2" testsuite="idioms">
    <src lang="en"><seg id="1">Three</seg></src>
    <ref lang="de" translator="A"><p><seg id="1">Drei</seg></p></ref>
    <hyp system="MT" lang="de"><p><seg id="1">3</seg></p></hyp>
  </doc>
</dataset>
"""


def read(path: Path, text: str) -> TestSet:
    path.write_text(text, encoding="utf-8")
    return WmtXmlFormat().read(path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a.xml"


def test_a_data_set_with_everything(file: Path) -> None:
    assert read(file, DATASET) == TestSet(
        name="mini2023",
        source_lang="en",
        target_lang="de",
        srcs=["One & only", "Two", "Three"],
        refs={"A": ["Eins", "Zwei", "Drei"], "ref": ["I", "II", None]},
        systems={"MT": ["eins", "", "3"]},
        docs=["d.1", "d.1", "d.2"],
        domains=["news", "news", None],
        origlangs=["en", "en", "de"],
    )


def test_as_it_is_written(file: Path) -> None:
    value = TestSet(
        name='a "b"',
        source_lang="en",
        target_lang="de",
        srcs=["<x>\r", " y "],
        refs={"A": ["1", None]},
        systems={"M&M": ["", "2"]},
        docs=["d", "e"],
        origlangs=["en", None],
    )
    WmtXmlFormat().write(value, file)
    assert file.read_bytes().decode() == (
        "<?xml version='1.0' encoding='utf-8'?>\n"
        '<dataset id="a &quot;b&quot;">\n'
        '  <doc origlang="en" id="d">\n'
        '    <src lang="en">\n      <p>\n        <seg id="1">&lt;x&gt;&#13;</seg>\n      </p>\n    </src>\n'
        '    <ref lang="de" translator="A">\n      <p>\n        <seg id="1">1</seg>\n      </p>\n    </ref>\n'
        '    <hyp system="M&amp;M" lang="de">\n      <p>\n        <seg id="1"></seg>\n      </p>\n    </hyp>\n'
        "  </doc>\n"
        '  <doc id="e">\n'
        '    <src lang="en">\n      <p>\n        <seg id="1"> y </seg>\n      </p>\n    </src>\n'
        '    <hyp system="M&amp;M" lang="de">\n      <p>\n        <seg id="1">2</seg>\n      </p>\n    </hyp>\n'
        "  </doc>\n"
        "</dataset>\n"
    )
    assert read_test_set(file) == value


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '<seg id="2">Zwei</seg>',
            "",
            ":16: document 'd.1' of reference 'A' lacks segment 2 (compared with {path}:5).",
        ),
        ('<seg id="2">Zwei</seg>', '<seg id="1">Zwei</seg>', ":19: document 'd.1' has segment 1 a second time."),
        ('<seg id="2"/>', "", ":25: document 'd.1' of system 'MT' lacks segment 2 (compared with {path}:5)."),
        (
            '<seg id="2"/>',
            '<seg id="2"/><seg id="7"/>',
            ":25: document 'd.1' of system 'MT' should not have segment 7 (compared with {path}:5).",
        ),
        ('<seg id="2"/>', "<seg/>", ":26: a segment of document 'd.1' has no id."),
        (' id="d.1"', "", ":4: the document has no id."),
        ('id="d.2"', 'id="d.1"', ":30: document 'd.1' is there a second time, first on line 4."),
        ('system="MT" language', "language", ":25: a <hyp> of document 'd.1' does not name its system."),
        (
            '<hyp system="MT" lang="de"><p><seg id="1">3</seg></p></hyp>',
            "",
            ":31: system 'MT' has no translation of document 'd.2'.",
        ),
        (
            '<ref lang="de">',
            '<ref lang="de" translator="A">',
            ":22: reference 'A' has document 'd.1' a second time, first at {path}:16.",
        ),
        ('<ref lang="de">', '<ref lang="nl">', ":22: the target is in 'nl' here and in 'de' before."),
        ("Eins", "Ei<b>n</b>s", ":18: an element stands inside segment 1 of document 'd.1'."),
        ("<supplemental", "stray <supplemental", ":13: text stands in <doc> outside a segment: 'stray'."),
        ('<collection id="general">', "<group/><collection>", ":3: <group> stands where a <doc> should."),
        ('<src lang="en"><seg id="1">Three</seg>', '<src lang="en">', ":31: <src> of document 'd.2' has no segments."),
        ('<src lang="en"><seg', '<src lang="en"><q/><seg', ":31: <q> stands where a <seg> should."),
        ('<src lang="en"><seg', '<img/><src lang="en"><seg', ":31: <img> stands inside document 'd.2'."),
        ("One &amp; only", "One & only", ":7: column 28: a bare & stands in the text; write it as &amp;."),
    ],
)
def test_data_sets_that_are_wrong(file: Path, old: str, new: str, message: str) -> None:
    assert old in DATASET
    with pytest.raises(FormatError) as caught:
        read(file, DATASET.replace(old, new, 1))
    assert str(caught.value) == f"{file}{message.format(path=file)}"


def test_xml_that_is_something_else(file: Path) -> None:
    with pytest.raises(FormatError, match=r":2: the outermost element is <tmx>, not <dataset>: this is no WMT"):
        read(file, "\n<tmx/>")
    with pytest.raises(FormatError, match="there is not a single segment"):
        read(file, "<dataset/>")
    with pytest.raises(FormatError, match="the file is empty"):
        read(file, "")


def test_danger_is_refused(file: Path) -> None:
    laughs = '<!DOCTYPE dataset [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    with pytest.raises(FormatError, match=r":1: the file declares an entity 'a'"):
        read(file, f"{laughs}<dataset><doc id='&b;'/></dataset>")
    with pytest.raises(FormatError, match="nested more than 64 deep"):
        read(file, "<dataset>" + "<supplemental>" * 99)


def test_without_a_source_all_streams_say_what_there_is(file: Path) -> None:
    text = (
        '<dataset id="x"><doc id="d"><ref translator="A"><seg id="1">a</seg></ref></doc>'
        '<doc id="e"><ref translator="B"><seg id="1">b</seg></ref></doc></dataset>'
    )
    found = read(file, text)
    assert dict(found.refs) == {"A": ("a", None), "B": (None, "b")}
    WmtXmlFormat().write(found, file)
    assert WmtXmlFormat().read(file) == found


def test_what_it_cannot_hold(tmp_path: Path) -> None:
    form = WmtXmlFormat()
    assert form.loses(TestSet(source_lang="de", target_lang="en", refs={"A": ["x"]})) == ["source_lang"]
    assert form.loses(TestSet(target_lang="en", srcs=["x"], refs={"A": [None]})) == ["target_lang", "refs[A]"]
    with pytest.raises(DataError, match=r"XML cannot hold the character U\+0000 in 'a\\x00b'"):
        form.write(TestSet(srcs=["a\x00b"]), tmp_path / "a.xml")
    with pytest.raises(DataError, match="wmt-xml keeps one per document"):
        form.write(TestSet(srcs=["a", "b"], docs=["d", "d"], domains=["x", "y"]), tmp_path / "a.xml")
    assert list(tmp_path.iterdir()) == []


def test_without_documents_there_is_one(file: Path) -> None:
    WmtXmlFormat().write(TestSet(name="set", srcs=["a", "b"]), file)
    assert WmtXmlFormat().read(file).docs == ("set", "set")
    WmtXmlFormat().write(TestSet(srcs=["a", "b"]), file)
    assert WmtXmlFormat().read(file).docs == ("all", "all")
