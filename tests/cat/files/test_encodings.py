"""Targets with characters that a file's encoding lacks: the file says that it is in UTF-8, where it can say so."""

from __future__ import annotations

from pathlib import Path

import pytest
from translate.storage import pypo

from dragoman.cat.files import FILE_FORMATS, format_of
from dragoman.cat.files.inline import unfit
from dragoman.cat.projects import codes_of
from dragoman.cat.reading import read_file
from dragoman.cat.segments import Target
from dragoman.errors import FormatError
from tests.cat.files.samples import OPTIONS, SAMPLES

PO = (
    'msgid ""\r\nmsgstr "Content-Type: text/plain; charset=windows-1251\\n"\r\n\r\n'
    '# Имя\r\nmsgid "Name"\r\nmsgstr "Имя"\r\n\r\nmsgid "Cat"\r\nmsgstr ""\r\n'
).encode("cp1251")


def test_a_catalogue_goes_over_to_utf_8_where_its_encoding_lacks_a_letter() -> None:
    form = FILE_FORMATS.make("po")
    key = form.units(PO)[1].key
    kept = form.fill(PO, {key: Target("Кот")})
    assert kept.decode("cp1251") == PO.decode("cp1251").replace('"Cat"\r\nmsgstr ""', '"Cat"\r\nmsgstr "Кот"')
    filled = form.fill(PO, {key: Target("Kätzchen")})
    expected = PO.decode("cp1251").replace('msgstr ""\r\n', 'msgstr "Kätzchen"\r\n').replace("windows-1251", "UTF-8")
    assert filled.decode() == expected.replace('msgid ""\r\nmsgstr "Kätzchen"', 'msgid ""\r\nmsgstr ""')
    assert [unit.target for unit in form.units(filled)] == ["Имя", "Kätzchen"]
    assert [str(unit.target) for unit in pypo.pofile.parsestring(filled).units[1:]] == ["Имя", "Kätzchen"]
    assert (form.charset(PO), form.encoding_of(PO), form.encoding_of(filled)) == ("", "cp1251", "utf-8")


TBX = (
    '<?xml version="1.0" encoding="{}"?>\n<martif type="TBX" xml:lang="en"><text><body><termEntry><langSet '
    'xml:lang="en"><tig><term>cat</term></tig></langSet><langSet xml:lang="de"><tig><term>é</term></tig></langSet>'
    "</termEntry></body></text></martif>\n"
)


def test_xml_of_the_toolkit_goes_over_to_utf_8() -> None:
    content = TBX.format("windows-1254").encode("cp1254")
    form = format_of("a.tbx", content)
    key = form.units(content)[0].key
    filled = form.fill(content, {key: Target("δύο")})
    assert filled.startswith(b'<?xml version="1.0" encoding="UTF-8"?>')
    assert [unit.target for unit in form.units(filled)] == ["δύο"]
    assert form.encoding_of(content) != form.encoding_of(filled) == "utf-8"


def test_what_cannot_say_its_encoding_is_refused_by_character() -> None:
    content = b"one\n"
    form = FILE_FORMATS.make("text:encoding=cp1252")
    with pytest.raises(FormatError, match=r"in cp1252, which has no 'δ' \(U\+03B4\)\. Convert it to UTF-8 before"):
        form.fill(content, {form.units(content)[0].key: Target("δύο")})


def test_an_empty_element_is_not_the_start_of_a_pair() -> None:
    content = (
        b'<xliff version="1.2"><file source-language="de" target-language="fr"><body><trans-unit id="1"><source>von '
        b'<g id="1">Marc</g></source><target>de <g id="1"/><g id="1">Marc</g></target></trans-unit></body></file>'
        b"</xliff>"
    )
    (unit,) = FILE_FORMATS.make("xliff").units(content)
    assert unit.target == "de \ue002\ue000Marc\ue001"
    assert unfit(unit.source, unit.target, unit.codes) == ""


@pytest.mark.realdata
def test_translations_of_real_files_can_be_confirmed(data_folder: Path) -> None:
    for name, langs in (
        ("sdlxliff/trackchanges.sdlxliff", ("de", "fr")),
        ("po/okapi-Test_DrupalRussianCP1251.po", ("en", "ru")),
    ):
        path = data_folder / "peers-2026" / name
        rows = [row for row in read_file(path.name, path.read_bytes(), langs).rows if row["target"]]
        assert rows
        assert {unfit(row["source"], row["target"], codes_of(row["codes"])) for row in rows} == {""}


STRANGE = [chr(n) for n in (*range(1, 32), *range(0x7F, 0xA0), 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)]


@pytest.mark.parametrize("name", FILE_FORMATS.names())
def test_a_strange_character_is_forbidden_or_leaves_the_file_readable(name: str) -> None:
    form, content = FILE_FORMATS.make(OPTIONS.get(name, name)), SAMPLES[name]
    unit = next(each for each in form.units(content, name=f"a.{name}") if each.translate)
    for char in STRANGE:
        if form.forbidden is None or not form.forbidden.search(char):
            filled = form.fill(content, {unit.key: Target(f"{unit.source}a{char}b")}, langs=("en", "de"))
            assert unit.key in [each.key for each in form.units(filled)], f"{name} with U+{ord(char):04X}"


def test_what_yaml_takes_in_escapes_alone_is_escaped() -> None:
    form = FILE_FORMATS.make("yaml")
    text = "a\x7fb\u2028c\ufffe\U0001f600 'd'"
    filled = form.fill(b"key: Cat\n", {"/key": Target(text)})
    assert filled.decode() == "key: \"a\\u007Fb\\u2028c\\uFFFE\U0001f600 'd'\"\n"
    assert [unit.source for unit in form.units(filled)] == [text]
