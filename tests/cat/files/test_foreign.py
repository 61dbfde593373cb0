"""What we write other programs read: translate-toolkit, python-docx, openpyxl, and Python itself."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

import docx
import openpyxl
import pytest
import yaml
from translate.storage import jsonl10n, properties, pypo, tmx, xliff, xliff2

from dragoman.cat.files import FILE_FORMATS
from dragoman.cat.segments import Target
from tests.cat.files.samples import DOCX, HTML, OPTIONS, SAMPLES, XLSX

WORD = 'Über "ش" & <\\>'


def filled(name: str) -> bytes:
    form = FILE_FORMATS.make(OPTIONS.get(name, name))
    units = [unit for unit in form.units(SAMPLES[name]) if unit.translate]
    return form.fill(SAMPLES[name], {unit.key: Target(f"{WORD} {unit.key}") for unit in units}, langs=("en", "de"))


@pytest.mark.parametrize(
    ("name", "reader", "keys"),
    [
        ("xliff", xliff.xlifffile, ["1/1", "1/2", "2/2", "2/3"]),
        ("xliff2", xliff2.Xliff2File, ["f1/u1/s1", "f1/u4/a"]),
        ("tmx", tmx.tmxfile, ["a", "2"]),
        ("po", pypo.pofile, ["1", "2", "4"]),
        ("properties", properties.javautf8file, ["hello", "multi.line", "café"]),
        ("json", jsonl10n.JsonFile, ["/title", "/menu/items/0"]),
    ],
)
def test_translate_toolkit_reads_it(name: str, reader: Any, keys: list[str]) -> None:
    store = reader.parsestring(filled(name))
    texts = {str(unit.target or "") for unit in store.units} | {str(unit.source or "") for unit in store.units}
    assert {f"{WORD} {key}" for key in keys} <= texts


def test_python_docx_reads_it() -> None:
    document = docx.Document(io.BytesIO(filled("docx")))
    texts = [paragraph.text for paragraph in document.paragraphs]
    assert f"{WORD} document/1" in texts
    assert document.tables[0].cell(0, 0).text == f"{WORD} document/3"


def test_formatting_survives_in_word() -> None:
    form = FILE_FORMATS.make("docx")
    target = Target("Ein \ue000fetter\ue001 Text, \ue002Link\ue003 hier")
    document = docx.Document(io.BytesIO(form.fill(DOCX, {"document/2": target})))
    runs = [(run.text, run.bold) for run in document.paragraphs[1].runs]
    assert runs[:3] == [("Ein ", None), ("fetter", True), (" Text, ", None)]
    (link,) = document.paragraphs[1].hyperlinks
    assert [run.text for run in link.runs] == ["Link"]
    assert '<w:rStyle w:val="Hyperlink"/>' in link._hyperlink.xml


def test_all_other_parts_of_a_document_are_untouched() -> None:
    form = FILE_FORMATS.make("docx")
    before = zipfile.ZipFile(io.BytesIO(DOCX))
    after = zipfile.ZipFile(io.BytesIO(form.fill(DOCX, {"header1/1": Target("Kopf")})))
    assert after.namelist() == before.namelist()
    changed = [name for name in before.namelist() if before.read(name) != after.read(name)]
    assert changed == ["word/header1.xml"]
    assert after.read("word/header1.xml") == before.read("word/header1.xml").replace(
        b"<w:r><w:t>A header</w:t></w:r>", b'<w:r><w:t xml:space="preserve">Kopf</w:t></w:r>'
    )


def test_a_text_box_and_the_paragraph_around_it_are_both_translated() -> None:
    form = FILE_FORMATS.make("docx")
    targets = {"document/5": Target("Davor \ue000 dahinter"), "document/6": Target("Im Kasten")}
    texts = {unit.key: unit.source for unit in form.units(form.fill(DOCX, targets))}
    assert (texts["document/5"], texts["document/6"]) == ("Davor \ue000 dahinter", "Im Kasten")


def test_openpyxl_reads_it() -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(filled("xlsx")))["Texts"]
    assert [sheet[place].value for place in ("C2", "C3", "C5")] == [f"{WORD} 1/{row}" for row in (2, 3, 5)]
    assert (sheet["A2"].value, sheet["B3"].value, sheet["D3"].value) == ("Hello & you", "=1+1", 9)


def test_columns_of_a_workbook_by_letter() -> None:
    units = FILE_FORMATS.make("xlsx:source=A,target=c").units(XLSX)
    assert [(unit.source, unit.target) for unit in units] == [
        ("Hello & you", "Hallo"),
        ("Rich text", None),
        ("Inline", None),
    ]


def test_python_reads_json_yaml_and_csv() -> None:
    assert json.loads(filled("json"))["title"] == f"{WORD} /title"
    strings = yaml.safe_load(filled("yaml"))
    assert strings["en"]["block"] == f"{WORD} /en/block"
    assert strings["other"] is not None
    rows = list(csv.reader(io.StringIO(filled("csv").decode("utf-8-sig")), delimiter=";"))
    assert [row[2] for row in rows[1:4]] == [f"{WORD} {number}" for number in (2, 3, 4)]


def test_a_description_and_the_paragraph_around_it_are_both_translated() -> None:
    form = FILE_FORMATS.make("html")
    page = form.fill(HTML, {"4": Target('Eine "Katze"'), "7": Target("Bild \ue000\ue001\ue002\ue003Link\ue004")})
    assert b'Bild <img src="a.png" alt="Eine &quot;Katze&quot;" title=' in page
    alone = form.fill(HTML, {"6": Target("Verweis hier")})
    assert b'title="Verweis hier">a link</a>' in alone
    assert alone.replace(b'"Verweis hier"', b"Link") == HTML
