"""Bad files are normal files: each is refused with its place and the cure."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from dragoman.cat.files import FILE_FORMATS, format_of
from dragoman.cat.files.document import MOST_BYTES
from dragoman.cat.files.zips import Archive
from dragoman.cat.segments import Target
from dragoman.errors import DataError, FormatError, NotAvailable, UnknownName
from tests.cat.files.samples import CSV, DOCX_PARTS, JSON, MARKDOWN, PO, TMX, TSV, XLIFF, YAML, zipped


@pytest.mark.parametrize(
    ("form", "content", "message"),
    [
        ("xliff", b'<xliff version="1.2">\n <file><body>\n  </file>', r"f:3: column 5: .*mismatched tag"),
        ("xliff", b'<xliff version="1.2">\n a & b</xliff>', r"f:2: column 5: a bare & stands in the text; write"),
        ("xliff", b'<xliff version="1.2">\n\x01</xliff>', r"f:2: column 1: XML has no control character U\+0001"),
        ("xliff", b"", r"f: the file is empty; an XML document was expected"),
        ("xliff", b"<html/>", r"f:1: column 1: this is no XLIFF: it has no element <xliff>"),
        (
            "xliff",
            b'<xliff version="1.2"><file><body>\n<trans-unit id="1"/></body></file></xliff>',
            r"f:2: column 1: a <trans-unit> has no <source>",
        ),
        (
            "xliff",
            b'<!DOCTYPE x [<!ENTITY a "b">]><xliff version="1.2"/>',
            r"f:1: the file declares an entity 'a'; for safety that is not read",
        ),
        ("xliff", b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><xliff version="1.2">&e;</xliff>', "the entity &e; is not"),
        ("xliff", b'<xliff version="1.2">' + b"<a>" * 300 + b"</a>" * 300, "nested more than 256 deep"),
        ("xliff", XLIFF.replace(b"UTF-8", b"KLINGON")[3:], "declares the encoding 'KLINGON', which is not known"),
        ("xliff", XLIFF.replace(b"UTF-8", b"rot13")[3:], "declares the encoding 'rot13', which is not known"),
        ("xliff", XLIFF[3:].replace(b"Hello", b"Hell\xf6"), r"f:7: byte \d+ of the line \(0xF6\) is not UTF-8"),
        (
            "xliff",
            b'<?xml version="1.0" encoding="cp1252"?>\n<a>\x81</a>',
            r"f:2: byte 43 of the file \(0x81\) is not cp1252",
        ),
        (
            "xliff2",
            b'<xliff version="2.0"><file id="a"><unit id="b"><segment/></unit></file></xliff>',
            "has no <source>",
        ),
        ("tmx", b"<tmx><body><tu><tuv xml:lang='a'/></tu></body></tmx>", "a <tuv> has no <seg>"),
        (
            "tmx",
            TMX,
            r"f:3: column 1: the memory has en-US, EN-us, de, fr; name two: tmx:source_lang=en-US,target_lang=de",
        ),
        ("tmx", b"<x/>", "this is no TMX file: it begins with <x>"),
        ("po", PO.replace(b'msgid "Open"', b'msgid "Open'), r"f:15: column 1: a string has no end"),
        ("po", b"hello\n", r"f:1: column 1: this is no line of a PO file: 'hello'"),
        ("po", b'"text"\n', "a string stands behind no keyword"),
        ("po", b'msgid "a"\n', "a message lacks its msgid or msgstr"),
        ("csv", b"a,b\n1,2\n", "has no column 'source'; its first row has 'a', 'b'. Name the columns"),
        ("csv:source=1,target=1", CSV, "the column '1' cannot be source and target at once"),
        ("json", JSON[:-4], r"f: this is no JSON: .* line \d+ column \d+"),
        ("json", b"[" * 200 + b"]" * 200, "more than 100 deep"),
        ("yaml", YAML.replace(b"list: [", b"list: [["), r"f:\d+: column \d+: this is no YAML: "),
        ("yaml", b"[" * 200 + b"]" * 200, "more than 100 deep"),
        ("yaml", b"a: &x [*x]\nb: *y\n", r"f:2: column 4: this is no YAML: found undefined alias"),
        ("vtt", b"hello", "its first line must begin with WEBVTT"),
        ("srt", b"1\n00:01 --> \n", "no cue has a time and text"),
        ("docx", b"PK\x03\x04 no", "it is no zip archive, or a damaged one"),
        ("docx", zipped({"a": "b"}), "it is not a Word document: it has no word/document.xml"),
        (
            "docx",
            zipped({**DOCX_PARTS, "word/vbaProject.bin": ""}),
            r"it has macros. Remove them, and save it again as .docx",
        ),
        ("docx", zipped({"word/document.xml": "<w:p>"}), r"f/word/document.xml:1: column 6: not well-formed"),
        ("xlsx", zipped({"xl/workbook.xml": "", "xl/vbaProject.bin": ""}), "it has macros"),
        ("xlsx", zipped({"a": "b"}), "it is not an Excel workbook"),
        ("odt", zipped({"content.xml": "<a/>", "Basic/script.xml": ""}), "it has macros"),
        ("odt", zipped({"a": "b"}), "it is not an OpenDocument text"),
        ("toolkit:suffix=.ts", b"<", "translate-toolkit cannot read this as .ts"),
        ("toolkit:suffix=.nothing", b"", "translate-toolkit knows no format with the suffix '.nothing'"),
        ("text", "ein Häuschen".encode("latin-1"), "is not UTF-8. If the file is Latin-1, convert it"),
        ("text", "text".encode("utf-32"), "the file is UTF-32. Convert it with: iconv"),
        ("html", b'<meta charset="utf-8"><p>\xe9</p>', "is not UTF-8"),
    ],
)
def test_a_wrong_file_is_named_with_its_place(form: str, content: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        FILE_FORMATS.make(form).units(content, name="f")


@pytest.mark.parametrize("form", [name for name in FILE_FORMATS.names() if name != "toolkit"])
def test_a_file_of_a_hundred_megabytes_is_refused_at_once(form: str) -> None:
    content = bytes(MOST_BYTES + 1)
    with pytest.raises(
        FormatError, match=r"f: the file has 67,108,865 bytes, at most 67,108,864 are read. Cut it into"
    ):
        FILE_FORMATS.make(form).units(content, name="f")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a.docm", "a.docm has macros, which are not kept safe here. Save it as .docx"),
        ("A.XLSM", "has macros"),
        ("a.doc", "is of the old Word format. Save it as .docx"),
    ],
)
def test_macros_and_old_formats_are_refused_by_name(name: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        format_of(name, b"PK")


def test_the_format_is_found_by_name_and_content() -> None:
    assert format_of("x/Ein Text.TXT", b"").name == "text"
    assert format_of("a.md", MARKDOWN).name == "markdown"
    with pytest.raises(UnknownName, match=r"No file format is known for a.xyz. Known are files that end in .*\.docx"):
        format_of("a.xyz", b"")


def bomb(*, declared: int | None = None) -> bytes:
    """A zip whose only entry unpacks to far more than it has, or says that it has less than that."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(20 << 20))
    content = bytearray(stream.getvalue())
    if declared is not None:
        for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
            place = content.index(signature) + offset
            content[place : place + 4] = struct.pack("<I", declared)
    return bytes(content)


def test_zip_bombs_are_refused() -> None:
    with pytest.raises(FormatError, match=r"b.docx: 'word/document.xml' unpacks to [\d,]+ times its size"):
        FILE_FORMATS.make("docx").units(bomb(), name="b.docx")
    with pytest.raises(FormatError, match=r"its entry 'word/document.xml' is damaged"):
        FILE_FORMATS.make("docx").units(bomb(declared=100), name="b.docx")


def test_zips_of_many_or_large_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    content = zipped({str(number): "x" * 10 for number in range(5)})
    monkeypatch.setattr("dragoman.cat.files.zips.MOST_ENTRIES", 4)
    with pytest.raises(FormatError, match="it unpacks to 5 files of 50 bytes; up to 4 files"):
        Archive.of(content, "a.zip")
    monkeypatch.setattr("dragoman.cat.files.zips.MOST_ENTRIES", 5)
    monkeypatch.setattr("dragoman.cat.files.zips.MOST_UNPACKED", 49)
    with pytest.raises(FormatError, match="files of 49 bytes are taken"):
        Archive.of(content, "a.zip")


def test_encrypted_archives_are_refused() -> None:
    content = bytearray(zipped({"word/document.xml": "x"}))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(FormatError, match=r"it is encrypted\. Save it without a password"):
        Archive.of(bytes(content), "a.docx")


def test_units_inside_each_other_are_named() -> None:
    inner = b'<trans-unit id="2"><source>b</source></trans-unit>'
    unit = b'<trans-unit id="1"><source>a</source><target>' + inner + b"</target></trans-unit>"
    content = b'<xliff version="1.2"><file><body>' + unit + b"</body></file></xliff>"
    with pytest.raises(
        DataError, match=r"Two units of the file stand inside each other, at character \d+; correct the"
    ):
        FILE_FORMATS.make("xliff").fill(content, {"1/1": Target("x"), "1/2": Target("y")})


def test_a_file_inside_a_file_has_each_unit_once() -> None:
    content = XLIFF.replace(b"</body></file>\n<file", b"<file", 1).replace(b"</xliff>", b"</body></file></xliff>")
    units = FILE_FORMATS.make("xliff").units(content.replace(b'maxwidth="80"', b'maxwidth="' + b"9" * 5000 + b'"'))
    assert len({unit.key for unit in units}) == len(units) == 7
    assert units[0].max_length is None


def test_a_character_that_xml_has_not_is_refused() -> None:
    with pytest.raises(DataError, match=r"XML cannot hold the character U\+0001"):
        FILE_FORMATS.make("xliff").fill(XLIFF, {"1/1": Target("\x01")})


@pytest.mark.parametrize(
    ("form", "content", "package", "extra"),
    [
        ("yaml", YAML, "yaml", "cat"),
        ("markdown", MARKDOWN, "markdown_it", "cat"),
        ("toolkit", b"", "translate.storage", "toolkit"),
    ],
)
def test_a_missing_package_is_named(
    form: str, content: bytes, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dragoman.cat.files import markdown

    markdown._parser.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(NotAvailable, match=rf'pip install "dragoman\[{extra}\]"'):
        FILE_FORMATS.make(form).units(content)


def test_tables_without_headings_and_short_rows() -> None:
    form = FILE_FORMATS.make("tsv:header=no")
    assert form.fill(b"One\nTwo\tZwei\n", {"1": Target("Eins")}) == b"One\tEins\nTwo\tZwei\n"
    assert [unit.source for unit in FILE_FORMATS.make("tsv").units(TSV)] == ["One", "Two"]
