from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data import find_sacrebleu_set, list_sacrebleu_sets
from dragoman.errors import DataError, NotAvailable


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (
        "wmt21/wmt21.en-de.src",
        "wmt21/wmt21.en-de.ref-A",
        "wmt21/wmt21.en-de.ref-C",
        "wmt21/wmt21.en-de.docid",
        "wmt21/AC/wmt21_AC.en-de.src",
        "wmt21/AC/wmt21_AC.en-de.ref-A",
        "wmt21/AC/wmt21_AC.en-de.ref-C",
        "wmt22/wmt22.cs-en.ref-A",
        "wmt22/wmt22.cs-en.ref-B",
        "wmt17/tworefs/wmt17_tworefs.en-fi.ref-0",
        "wmt17/tworefs/wmt17_tworefs.en-fi.ref-1",
        "wmt21/raw/wmt21.xml",
        "wmt21/notes.txt",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{path.name}\n", encoding="utf-8")
    return tmp_path


def test_sets_are_found_by_name_and_pair(folder: Path) -> None:
    found = {f"{each.name} {each.pair}": list(each.files) for each in list_sacrebleu_sets(folder)}
    assert found == {
        "wmt17/tworefs en-fi": ["ref:0", "ref:1"],
        "wmt21 en-de": ["src", "ref:A", "ref:C", "docid"],
        "wmt21/AC en-de": ["src", "ref:A", "ref:C"],
        "wmt22 cs-en": ["ref:A", "ref:B"],
    }


@pytest.mark.parametrize(
    ("name", "pair", "references"),
    [
        ("wmt21", "en-de", ["ref:A"]),
        ("wmt21/AC", "en-de", ["ref:A", "ref:C"]),
        ("wmt22", "cs-en", ["ref:B"]),
        ("wmt17/tworefs", "en-fi", ["ref:0", "ref:1"]),
    ],
)
def test_the_campaigns_references_count(folder: Path, name: str, pair: str, references: list[str]) -> None:
    assert list(find_sacrebleu_set(name, pair, folder).references) == references


def test_a_field_is_read(folder: Path) -> None:
    found = find_sacrebleu_set("wmt21", "en-de", folder)
    assert list(found.read("docid")) == ["wmt21.en-de.docid"]
    assert list(found.read("ref")) == ["wmt21.en-de.ref-A"]
    with pytest.raises(DataError, match=r"wmt21 en-de has no field 'ref:D'. Known: src, ref:A, ref:C, docid\."):
        found.read("ref:D")


def test_the_folder_is_sacrebleus(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU", str(folder))
    assert len(list_sacrebleu_sets()) == 4
    monkeypatch.setenv("SACREBLEU", str(folder / "none"))
    assert list_sacrebleu_sets() == []
    with pytest.raises(NotAvailable, match=r"or give the reference as a file\. There: none\."):
        find_sacrebleu_set("wmt21", "en-de")
