"""What a file tells, and what its reader must be told."""

from __future__ import annotations

import sys

import pytest

from dragoman.cat.files import FILE_FORMATS, check_languages, format_of
from dragoman.cat.segments import Target
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.options import write_spec
from tests.cat.files.samples import JSON, OPTIONS, PO, QT, SAMPLES, TMX, XLSX, YAML


@pytest.mark.parametrize(
    ("name", "langs"),
    [
        ("xliff", ("en", "ar")),
        ("xliff2", ("en", "")),
        ("tmx", ("en-US", "de")),
        ("po", ("", "pt-BR")),
        ("html", ("", "")),
    ],
)
def test_the_languages_that_a_file_tells(name: str, langs: tuple[str, str]) -> None:
    content = SAMPLES[name]
    if name == "po":
        content = content.replace(b'"Plural', b'"Language: pt_BR\\n"\n"Plural')
    assert FILE_FORMATS.make(OPTIONS.get(name, name)).languages(content) == langs


@pytest.mark.parametrize("name", ["text", "srt", "csv:header=no"])
def test_old_encodings_are_read_and_written_when_they_are_named(name: str) -> None:
    text = "1\n00:01 --> 00:02\nGrüße – bald" if name == "srt" else "Grüße – bald,"
    content = text.encode("cp1252")
    with pytest.raises(FormatError, match="is not UTF-8"):
        FILE_FORMATS.make(name).units(content)
    form = FILE_FORMATS.make(f"{name}{',' if ':' in name else ':'}encoding=cp1252")
    (unit,) = form.units(content)
    assert unit.source.startswith("Grüße – bald")
    assert "Café".encode("cp1252") in form.fill(content, {unit.key: Target("Café")})
    with pytest.raises(FormatError, match="the file is in cp1252, which has no 'ش'"):
        form.fill(content, {unit.key: Target("ش")})


def test_only_the_keys_that_are_wanted() -> None:
    assert [unit.key for unit in FILE_FORMATS.make("json:only=items+title").units(JSON)] == [
        "/title",
        "/menu/items/0",
        "/menu/items/3",
    ]
    assert [unit.key for unit in FILE_FORMATS.make("yaml:only=three").units(YAML)] == ["/en/list/2/three"]


def test_a_catalogue_gets_and_loses_its_flag() -> None:
    form = FILE_FORMATS.make("po")
    done = form.fill(PO, {"1": Target("Hallo \ue000\n"), "2": Target("Auf", "draft"), "3[1]": Target("x", "draft")})
    assert b"#, c-format\n#| msgid" in done
    assert b'#, fuzzy\nmsgctxt "menu"\nmsgid "Open"\nmsgstr "Auf"' in done
    assert b'#, fuzzy, python-brace-format\nmsgid "{n} file"' in done
    assert b'msgstr[0] ""\nmsgstr[1] "x"' in done
    states = {unit.key: unit.state for unit in form.units(done)}
    assert (states["1"], states["2"], states["3[0]"], states["3[1]"]) == ("translated", "draft", "new", "draft")


def test_a_long_string_stays_on_several_lines() -> None:
    filled = FILE_FORMATS.make("po").fill(PO, {"4": Target("Erstens\nZweitens")})
    assert b'msgstr ""\n"Erstens\\n"\n"Zweitens"\n' in filled


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("html", b"<p " + b"a" * 300_000 + b">x</p>"),
        ("html", b"<p>" + b"<code>" * 30_000),
        ("html", b"<a '" * 30_000),
        (
            "xliff",
            b'<xliff version="1.2"><file><body><trans-unit id="1"'
            + b" " * 300_000
            + b"><source>a</source></trans-unit>"
            b"</body></file></xliff>",
        ),
        ("json", b'["%' + b"0" * 300_000 + b'"]'),
        ("json", b'["' + b"{" * 100_000 + b"<a" * 100_000 + b'"]'),
        ("markdown", b"`" + b" ``" * 30_000),
        ("properties", b"a" * 300_000 + b"\n" + b"\\" * 300_001),
        ("srt", (b"00:01 --> 00:02\n" + b" " * 1000 + b"\n") * 300),
        ("csv:header=no", b'"' * 200_001),
        ("po", b'msgid "a"\nmsgstr "' + b"\\" * 200_001 + b'"\n'),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_made_to_take_for_ever_do_not(name: str, content: bytes) -> None:
    # Patterns that go back over what they have seen take hours for these.
    form = FILE_FORMATS.make(name)
    try:
        n_units = len(form.units(content))
    except DataError:
        n_units = 0
    assert n_units <= 2


def test_too_many_codes_are_named() -> None:
    with pytest.raises(DataError, match=r"The unit that begins with 'x.*' has more than 6400 inline codes"):
        FILE_FORMATS.make("html").units(b"<p>" + b"<br>x" * 6402)


def test_a_file_of_other_languages_is_named() -> None:
    form, content = FILE_FORMATS.make("xliff"), SAMPLES["xliff"]
    check_languages(form, content, ("en-GB", "ar-EG"))
    check_languages(FILE_FORMATS.make("text"), b"Bonjour", ("en", "de"))
    with pytest.raises(DataError, match=r"a.xlf says that its targets are in 'ar', the work is from en to de. Choose"):
        check_languages(form, content, ("en", "de"), name="a.xlf")
    odd = content.replace(b'source-language="en"', b'source-language="x_klingon!"')
    with pytest.raises(DataError, match=r"says that its sources are in 'x_klingon!'"):
        check_languages(form, odd, ("en", "ar"))


@pytest.mark.parametrize(
    ("name", "content", "spec"),
    [
        ("a.csv", b"id;en;de-AT\n1;One;\n", "csv:source=en,target=de-AT"),
        ("a.csv", b"source,target,en,de\n", "csv"),
        ("a.tsv", b"DE\tEN_us\n", "tsv:source=EN_us,target=DE"),
        ("a.tmx", TMX, "tmx:source_lang=en,target_lang=de"),
        ("a.xlsx", XLSX, "xlsx"),
        ("a.txt", b"en", "text"),
        ("a.ts", QT, "toolkit"),
        ("a.wordfast.utx", b"", "toolkit:suffix=.utx"),
    ],
)
def test_a_format_is_fitted_to_the_languages_of_the_work(name: str, content: bytes, spec: str) -> None:
    form = format_of(name, content, ("en", "de"))
    assert write_spec(form) == spec
    assert FILE_FORMATS.make(spec) == form


def test_columns_of_workbooks_are_found_by_language() -> None:
    from tests.cat.files.samples import zipped

    sheet = "<worksheet><sheetData><row r='1'>{}</row><row r='2'>{}</row></sheetData></worksheet>"
    cell = "<c r='{}' t='inlineStr'><is><t>{}</t></is></c>"
    rows = [
        "".join(cell.format(*each) for each in each_row) for each_row in ([("A1", "en"), ("B1", "de")], [("A2", "One")])
    ]
    content = zipped({"xl/workbook.xml": "<a/>", "xl/worksheets/sheet1.xml": sheet.format(*rows)})
    form = format_of("a.xlsx", content, ("en", "de"))
    assert write_spec(form) == "xlsx:source=en,target=de"
    assert [unit.source for unit in form.units(content)] == ["One"]


def test_without_the_toolkit_its_formats_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "translate.storage", None)
    with pytest.raises(UnknownName, match=r'No file format is known for a.ts. .*pip install "dragoman\[toolkit\]"'):
        format_of("a.ts", QT)
