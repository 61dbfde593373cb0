from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.xml import MAX_DEPTH, MAX_MARKUP, MAX_TEXT, End, Event, Start, Text, attribute, content, events
from dragoman.errors import DataError, FormatError

BILLION_LAUGHS = b"""<?xml version="1.0"?>
<!DOCTYPE lolz [
 <!ENTITY lol "lol">
 <!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
 <!ENTITY lol3 "&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;">
]>
<lolz>&lol3;</lolz>
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.xml"


def read(file: Path, data: bytes) -> list[Event]:
    file.write_bytes(data)
    return list(events(file))


def refused(file: Path, data: bytes) -> str:
    with pytest.raises(FormatError) as caught:
        read(file, data)
    return str(caught.value).removeprefix(str(file))


def test_events_carry_text_attributes_and_lines(file: Path) -> None:
    assert read(file, b'<doc id="a">\n <seg>x &amp; y&#33;</seg>\n</doc>') == [
        Start("doc", {"id": "a"}, 1),
        Text("\n ", 1),
        Start("seg", {}, 2),
        Text("x & y!", 2),
        End("seg", 2),
        Text("\n", 2),
        End("doc", 3),
    ]


def test_text_over_many_chunks_is_one_event(file: Path) -> None:
    text = "lang " * 50_000
    assert read(file, f"<a>{text}</a>".encode())[1] == Text(text, 1)


def test_a_doctype_alone_is_allowed(file: Path) -> None:
    assert read(file, b'<!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx/>') == [Start("tmx", {}, 1), End("tmx", 1)]
    assert read(file, b"<!DOCTYPE a [<!ELEMENT a EMPTY>]><a/>") == [Start("a", {}, 1), End("a", 1)]


def test_attributes_that_only_a_dtd_gives_are_left_out(file: Path) -> None:
    assert read(file, b'<!DOCTYPE a [<!ATTLIST a x CDATA "default">]><a/>')[0] == Start("a", {}, 1)


def test_compressed_and_utf16_files_are_read(file: Path) -> None:
    assert read(file, gzip.compress("<a>é</a>".encode()))[1] == Text("é", 1)
    assert read(file, '<?xml version="1.0" encoding="UTF-16"?><a>é</a>'.encode("utf-16"))[1] == Text("é", 1)
    assert read(file, '<?xml version="1.0" encoding="windows-1252"?><a>€</a>'.encode("cp1252"))[1] == Text("€", 1)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (BILLION_LAUGHS, ":3: the file declares an entity 'lol'; for safety that is not read. Write its text out."),
        (
            b'<!DOCTYPE a [\n<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
            ":2: the file declares an entity 'x'; for safety that is not read. Write its text out.",
        ),
        (
            b'<!DOCTYPE a [<!ENTITY % x SYSTEM "http://example.org/x.dtd"> %x;]><a/>',
            ":1: the file declares an entity 'x'; for safety that is not read. Write its text out.",
        ),
        (
            b'<!DOCTYPE a SYSTEM "a.dtd">\n<a>1&nbsp;2</a>',
            ":2: the entity &nbsp; is not one of XML's own five; write the character itself.",
        ),
        (
            b'<!DOCTYPE a SYSTEM "a.dtd">\n<a x="0" y=\'1&nbsp;2\'/>',
            ":2: the entity &nbsp; is not one of XML's own five; write the character itself.",
        ),
        (
            '<!DOCTYPE a SYSTEM "a.dtd">\n<a x="1&nbsp;2"/>'.encode("utf-16"),
            ":2: the entity &nbsp; is not one of XML's own five; write the character itself.",
        ),
        (b"<a>1&nbsp;2</a>", ":1: column 5: not well-formed XML (undefined entity)."),
        (b"", ": the file is empty; an XML document was expected."),
        (b"<a>R & D</a>", ":1: column 7: a bare & stands in the text; write it as &amp;."),
        (b"<a>\nAT&T too</a>", ":2: column 5: a bare & stands in the text; write it as &amp;."),
        (b"<a>\n\n\x01</a>", ":3: column 1: XML has no control character U+0001; remove it."),
        (b"<a>\x00</a>", ":1: column 4: XML has no control character U+0000; remove it."),
        (
            b"<a>\xe9</a>",
            ":1: column 4: byte 0xE9 is not UTF-8. Convert the file, declare its encoding, or --repair it.",
        ),
        (b"<a>\n</b>", ":2: column 3: not well-formed XML (mismatched tag)."),
        (b"<a>\n<b>", ":2: column 4: not well-formed XML (no element found)."),
        (
            '<?xml version="1.0" encoding="shift_jis"?><a>あ</a>'.encode("shift_jis"),
            ":1: the encoding it declares cannot be read (multi-byte encodings are not supported). "
            "Convert it to UTF-8.",
        ),
        (b"<a>" * (MAX_DEPTH + 1), ":1: elements are nested more than 64 deep."),
        (b"<a>\n" + b"x" * (MAX_TEXT + 1), ":2: text of more than 16,777,216 characters stands between two tags."),
        (b"<a>\n<b c='" + b"x" * 2 * MAX_MARKUP, ":2: a tag or comment of more than 1 MiB begins here."),
        (b"<a>\n<!--" + b"x" * 2 * MAX_MARKUP, ":2: a tag or comment of more than 1 MiB begins here."),
    ],
    ids=lambda value: value[:30] if isinstance(value, bytes) else "",
)
def test_what_is_refused_and_how(file: Path, data: bytes, message: str) -> None:
    assert refused(file, data) == message


def test_an_entity_cut_by_a_chunk_is_still_seen(file: Path) -> None:
    for shift in range(8):
        filler = b"x" * ((1 << 16) - 40 - shift)
        assert "&nbsp;" in refused(file, b'<!DOCTYPE a SYSTEM "d"><a y="' + filler + b'123 &nbsp; 456"/>')


def test_a_file_that_is_missing_or_damaged(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="There is no file"):
        list(events(tmp_path / "none.xml"))
    (tmp_path / "cut.xml.gz").write_bytes(gzip.compress(b"<a>" + bytes(range(65, 90)) * 99 + b"</a>")[:-12])
    with pytest.raises(FormatError, match="damaged or cut short"):
        list(events(tmp_path / "cut.xml.gz"))


XML_TEXT = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\ufffe\uffff")).filter(
    lambda text: not any(ord(char) < 32 and char not in "\t\n\r" for char in text)
)


@given(XML_TEXT, XML_TEXT)
def test_written_text_is_read_back(tmp_path_factory: pytest.TempPathFactory, inside: str, value: str) -> None:
    file = tmp_path_factory.mktemp("xml") / "a.xml"
    found = read(file, f"<a x={attribute(value)}>{content(inside)}</a>".encode())
    assert found == [Start("a", {"x": value}, 1), *([Text(inside, 1)] if inside else []), found[-1]]


@pytest.mark.parametrize("char", ["\x00", "\x0b", "\x1f", "\ud800", "\uffff"])
def test_characters_that_xml_cannot_hold(char: str) -> None:
    with pytest.raises(DataError, match=f"XML cannot hold the character U\\+{ord(char):04X}"):
        content(f"before {char} after")
