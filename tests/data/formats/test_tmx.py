from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import __version__
from dragoman.data.bitext import Bitext
from dragoman.data.formats.tmx import TmxFormat
from dragoman.data.formats.tmx_summary import summarise_memory
from dragoman.data.memory import TranslationUnit, Variant
from dragoman.errors import DataError, FormatError, MendedInput
from dragoman.utf8 import repairing

HEADER = '<header creationtool="x" segtype="sentence" srclang="en-US" datatype="html"><prop type="p">v</prop></header>'


def document(*units: str, header: str = HEADER) -> str:
    return (
        f'<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4">{header}<body>\n' + "\n".join(units) + "\n</body></tmx>"
    )


def unit(*segments: tuple[str, str], attributes: str = "") -> str:
    inside = "".join(f'<tuv xml:lang="{lang}"><seg>{text}</seg></tuv>' for lang, text in segments)
    return f"<tu{attributes}>{inside}</tu>"


@pytest.fixture
def tmx(tmp_path: Path):  # type: ignore[no-untyped-def]
    def write(*units: str, header: str = HEADER) -> Path:
        path = tmp_path / "x.tmx"
        path.write_text(document(*units, header=header), encoding="utf-8")
        return path

    return write


# Any text that XML can hold.
texts = st.text(st.characters(codec="utf-8", exclude_characters="\ufffe\uffff", min_codepoint=0x20), max_size=20) | (
    st.sampled_from(["a & b", "<b>", "]]>", "tab\tbreak\nreturn\r", '"quoted"', "  spaces  ", ""])
)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
def test_any_text_survives_a_round_trip(tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("tmx") / "x.tmx.gz"
    TmxFormat().write(Bitext.from_pairs(pairs, source_lang="en", target_lang="de"), path)
    back = TmxFormat().read(path)
    assert back.pair == "en-de"
    assert list(back) == pairs
    assert list(TmxFormat("de", "en").read(path)) == [(tgt, src) for src, tgt in pairs]


def test_the_header_says_who_wrote_it(tmp_path: Path) -> None:
    path = tmp_path / "x.tmx"
    TmxFormat().write(Bitext.from_pairs([("a", "b")], source_lang="en", target_lang="de"), path)
    assert path.read_text() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4">\n'
        f'<header creationtool="Dragoman" creationtoolversion="{__version__}" segtype="sentence" o-tmf="Dragoman" '
        'adminlang="en" srclang="en" datatype="plaintext"/>\n<body>\n'
        '<tu>\n<tuv xml:lang="en"><seg>a</seg></tuv>\n<tuv xml:lang="de"><seg>b</seg></tuv>\n</tu>\n</body>\n</tmx>\n'
    )


def test_languages_match_by_case_and_prefix(tmx) -> None:  # type: ignore[no-untyped-def]
    path = tmx(unit(("EN-us", "colour"), ("de_DE", "Farbe")), unit(("en", "one"), ("en-GB", "two"), ("DE", "eins")))
    assert list(TmxFormat("en", "de").read(path)) == [("colour", "Farbe"), ("one", "eins")]
    assert list(TmxFormat().read(tmx(unit(("de", "Farbe"), ("en-US", "color"))))) == [("color", "Farbe")]


def test_older_files_call_the_attribute_lang(tmx) -> None:  # type: ignore[no-untyped-def]
    path = tmx('<tu><tuv lang="en"><seg>a</seg></tuv><tuv lang="de"><seg>b</seg></tuv></tu>')
    assert list(TmxFormat("en", "de").read(path)) == [("a", "b")]


def test_two_languages_are_chosen_out_of_many(tmx) -> None:  # type: ignore[no-untyped-def]
    path = tmx(unit(("en-US", "a"), ("de", "b"), ("fr", "c")), unit(("fr", "f"), ("de", "e"), ("en-US", "d")))
    assert list(TmxFormat("fr", "de").read(path)) == [("c", "b"), ("f", "e")]
    assert list(TmxFormat(target_lang="de").read(path)) == [("a", "b"), ("d", "e")]
    with pytest.raises(FormatError, match=r"x\.tmx:3: the first unit has en-US, de, fr; name the two languages"):
        TmxFormat().read(path)


def test_the_source_is_the_units_own_before_the_headers(tmx) -> None:  # type: ignore[no-untyped-def]
    both = unit(("en-US", "a"), ("de", "b"), attributes=' srclang="de"')
    assert TmxFormat().read(tmx(both)).pair == "de-en-US"
    any_source = HEADER.replace("en-US", "*all*")
    with pytest.raises(FormatError, match="the first unit has en-US, de; name the two languages"):
        TmxFormat().read(tmx(unit(("en-US", "a"), ("de", "b")), header=any_source))
    assert TmxFormat("de").read(tmx(unit(("en-US", "a"), ("de", "b")), header=any_source)).pair == "de-en-US"
    assert TmxFormat(target_lang="de").read(tmx(both, header=any_source)).pair == "en-US-de"


def test_units_without_a_language_are_named_or_dropped(tmx) -> None:  # type: ignore[no-untyped-def]
    path = tmx(
        unit(("en", "a"), ("de", "b")), unit(("en", "c"), attributes=' tuid="u2"'), unit(("en", "d"), ("de", "e"))
    )
    with pytest.raises(FormatError, match=r"x\.tmx:4: unit 2 \('u2'\) has no de segment, but en\. .*on_missing='drop'"):
        list(TmxFormat("en", "de").read(path))
    assert list(TmxFormat("en", "de", on_missing="drop").read(path)) == [("a", "b"), ("d", "e")]


def test_several_segments_in_one_language_are_a_choice(tmx) -> None:  # type: ignore[no-untyped-def]
    path = tmx(unit(("en-GB", "lift"), ("en-US", "elevator"), ("de", "Aufzug")))
    with pytest.raises(FormatError, match=r"unit 1 has 2 segments for en \(en-GB, en-US\)\. Name the language exactly"):
        list(TmxFormat("en", "de").read(path))
    assert list(TmxFormat("en-us", "de").read(path)) == [("elevator", "Aufzug")]
    assert list(TmxFormat("en", "de", several="first").read(path)) == [("lift", "Aufzug")]
    assert list(TmxFormat("en", "de", several="all").read(path)) == [("lift", "Aufzug"), ("elevator", "Aufzug")]


MARKED = (
    'Click <bpt i="1" type="bold">&lt;b&gt;</bpt>here<ept i="1">&lt;/b&gt;</ept> &amp; <hi type="x">now</hi>'
    '<ph x="2">&lt;img alt="<sub>a picture</sub>"&gt;</ph><it pos="begin"/><ut>{\\f1 }</ut>.'
)


def test_inline_markup_is_stripped_or_kept(tmx, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = tmx(unit(("en", MARKED), ("de", "x")))
    assert list(TmxFormat("en", "de").read(path)) == [("Click here & now.", "x")]
    kept = TmxFormat("en", "de", markup="keep")
    ((src, _),) = kept.read(path)
    # The same content; only > and quotation marks in text may be spelt in two ways.
    assert src == MARKED
    kept.write(kept.read(path), tmp_path / "again.tmx")
    assert list(kept.read(tmp_path / "again.tmx")) == [(MARKED, "x")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a & b", "The text of unit 1 is no XML content .*'a & b'. Write it with markup='strip'"),
        ("</seg><seg>", "The text of unit 1 is no XML content"),
        ("<b>x</b>", "The text of unit 1 has <b>, which is no inline element of TMX"),
    ],
)
def test_kept_markup_is_checked_when_written(tmp_path: Path, text: str, message: str) -> None:
    bitext = Bitext.from_pairs([(text, "x")], source_lang="en", target_lang="de")
    with pytest.raises(DataError, match=message):
        TmxFormat(markup="keep").write(bitext, tmp_path / "x.tmx")
    assert list(tmp_path.iterdir()) == []


def test_line_breaks_inside_segments(tmx) -> None:  # type: ignore[no-untyped-def]
    path = tmx(unit(("en", "\n  two \n\t lines\n"), ("de", "x")))
    assert list(TmxFormat("en", "de").read(path)) == [("\n  two \n\t lines\n", "x")]
    assert list(TmxFormat("en", "de", line_breaks="space").read(path)) == [("two lines", "x")]


def test_whole_units_survive_a_round_trip(tmx, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    full = (
        '<tu tuid="1" changedate="20120131T101010Z" changeid="anna" usagecount="3"><note>first</note>'
        '<prop type="x-context-pre">before &amp; "so"</prop><prop type="x-context-post">after</prop>'
        '<tuv xml:lang="en" creationid="b&#10;b"><prop type="p">1</prop><prop type="p">2</prop><seg>a</seg></tuv>'
        '<tuv xml:lang="de"><note>n</note><seg>b</seg></tuv></tu>'
    )
    path = tmx(full)
    (found,) = TmxFormat().read_units(path)
    assert found == TranslationUnit(
        variants=(
            Variant("en", "a", {"creationid": "b\nb"}, (("p", "1"), ("p", "2"))),
            Variant("de", "b", notes=("n",)),
        ),
        attributes={"tuid": "1", "changedate": "20120131T101010Z", "changeid": "anna", "usagecount": "3"},
        props=(("x-context-pre", 'before & "so"'), ("x-context-post", "after")),
        notes=("first",),
    )
    assert found.line == 3
    assert found.prop("x-context-post") == "after"
    assert found.prop("p") == "1"
    assert found.prop("none") is None
    units = TmxFormat().read_units(path)
    TmxFormat().write_units(units, tmp_path / "again.tmx")
    assert list(TmxFormat().read_units(tmp_path / "again.tmx")) == [found]
    assert 'srclang="*all*"' in (tmp_path / "again.tmx").read_text()


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("<tu>\n<tuv><seg>a</seg></tuv></tu>", 4, "<tuv> without xml:lang; its language is unknown"),
        ('<tuv xml:lang="en"><seg>a</seg></tuv>', 3, "<tuv> outside a <tu>"),
        ("<tu><seg>a</seg></tu>", 3, "<seg> outside a <tuv>"),
        ('<tu><tuv xml:lang="en"><seg>a</seg><seg>b</seg></tuv></tu>', 3, "a second <seg> in one <tuv>"),
        ("<tu><tu></tu></tu>", 3, "<tu> inside another <tu>"),
        ('<tu><tuv xml:lang="en"><seg><b>a</b></seg></tuv></tu>', 3, "<b> inside <seg> is no inline element"),
        ('<tu><tuv xml:lang="en"><seg>a & b</seg></tuv></tu>', 3, "a bare & stands in the text"),
    ],
)
def test_errors_name_file_and_line(tmx, body: str, line: int, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(FormatError, match=rf"x\.tmx:{line}: .*{message}"):
        list(TmxFormat("en", "de").read(tmx(body)))


def test_units_without_a_text_are_passed_over_and_named(tmx) -> None:  # type: ignore[no-untyped-def]
    whole = '<tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="de"><seg>b</seg></tuv></tu>'
    path = tmx(f'<tu tuid="1"></tu>\n{whole}\n<tu><tuv xml:lang="en"></tuv></tu>')
    with pytest.warns(MendedInput) as warnings:
        assert list(TmxFormat("en", "de").read(path)) == [("a", "b")]
    assert {str(each.message).partition("x.tmx:")[2] for each in warnings} == {
        "3: <tu> has no <tuv> with a segment; it is passed over. There are 2 such lines: 3, 5.",
        "5: <tuv> has no <seg>; it is passed over. There is one such line.",
    }


@pytest.mark.parametrize("declared", ["", '<?xml version="1.0" encoding="UTF-8"?>\n'])
def test_bytes_that_are_not_utf8_are_replaced_if_asked_for(tmp_path: Path, tmx, declared: str) -> None:  # type: ignore[no-untyped-def]
    good = tmx('<tu><tuv xml:lang="en"><seg>a \u00e9</seg></tuv><tuv xml:lang="de"><seg>b</seg></tuv></tu>')
    text = good.read_text(encoding="utf-8")
    body = text[text.index("<tmx") :]
    path = tmp_path / "damaged.tmx"
    path.write_bytes((declared + body).encode().replace(b">a ", b">a\x85 ").replace(b"\n", b"\n" * 40_000, 1))
    with pytest.raises(FormatError, match=r"byte 0x85 is not UTF-8\. .*--repair"):
        list(TmxFormat("en", "de").read(path))
    with repairing(), pytest.warns(MendedInput, match=r"replaced by U\+FFFD. There is one such line\."):
        assert [source for source, _ in TmxFormat("en", "de").read(path)] == ["a\ufffd \u00e9"]
    path.write_bytes(('<?xml version="1.0" encoding="ISO-8859-1"?>\n' + body).encode("latin-1"))
    with repairing():  # another encoding is declared: there is nothing to repair
        assert [source for source, _ in TmxFormat("en", "de").read(path)] == ["a \u00e9"]


def test_what_is_no_memory_is_named(tmp_path: Path, tmx) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "y.tmx"
    path.write_text("<xliff/>")
    with pytest.raises(FormatError, match=r"y\.tmx:1: this is no TMX file: it begins with <xliff>"):
        list(TmxFormat("en", "de").read(path))
    with pytest.raises(FormatError, match="the memory is empty, so its languages are unknown"):
        TmxFormat().read(tmx())
    assert list(TmxFormat("en", "de").read(tmx())) == []
    with pytest.raises(DataError, match="TMX names the language of every segment; give source_lang and target_lang"):
        TmxFormat().write(Bitext.from_pairs([("a", "b")]), path)
    with pytest.raises(DataError, match="Unit 1 has no segments; TMX demands at least one"):
        TmxFormat().write_units([TranslationUnit(())], path)
    with pytest.raises(DataError, match=r"XML cannot hold the character U\+0000"):
        TmxFormat("en", "de").write(Bitext.from_pairs([("a\0", "b")]), path)


def test_billion_laughs_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.tmx"
    bombs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    path.write_text(f'<!DOCTYPE tmx [<!ENTITY l0 "lol">{bombs}]>' + document(unit(("en", "&l9;"))).partition("\n")[2])
    with pytest.raises(FormatError, match=r"x\.tmx:1: the file declares an entity 'l0'; for safety that is not read"):
        list(TmxFormat("en", "de").read(path))


def test_units_come_before_the_end_of_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "x.tmx"
    whole = document(*[unit(("en", f"text {n}"), ("de", f"Text {n}")) for n in range(5000)])
    path.write_text(whole[: len(whole) // 2])
    pairs = iter(TmxFormat("en", "de").read(path))
    assert list(islice(pairs, 100))[99] == ("text 99", "Text 99")
    with pytest.raises(FormatError, match=r"x\.tmx:\d+: .*not well-formed XML"):
        list(pairs)


def test_utf16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.tmx"
    path.write_bytes(
        ('<?xml version="1.0" encoding="UTF-16"?>' + document(unit(("en", "ä"), ("de", "日")))).encode("utf-16")
    )
    assert list(TmxFormat("en", "de").read(path)) == [("ä", "日")]


def test_wrong_options_are_named() -> None:
    with pytest.raises(DataError, match=r"The 'markup' option of TmxFormat must be one of 'strip', 'keep'\. Got 'kep'"):
        TmxFormat(markup="kep")  # type: ignore[arg-type]


def test_a_memory_is_summarised_by_language(tmx) -> None:  # type: ignore[no-untyped-def]
    path = tmx(unit(("en", "a"), ("de", "b")), unit(("en", "c")), unit(("en", "d"), ("de", "e"), ("fr", "f")))
    found = summarise_memory(path)
    assert found.units == 3
    assert found.to_dict()["rows"] == [
        {"lang": "en", "units": 3, "missing": 0, "share": 1.0},
        {"lang": "de", "units": 2, "missing": 1, "share": 2 / 3},
        {"lang": "fr", "units": 1, "missing": 2, "share": 1 / 3},
    ]
    # What on_missing="drop" leaves out is what the summary says is missing.
    assert TmxFormat("en", "de", on_missing="drop").read(path).count() == 2
    assert found.meta()["combinations"] == {"de en": 1, "en": 1, "de en fr": 1}
    assert summarise_memory(tmx()).to_dict()["rows"] == []
