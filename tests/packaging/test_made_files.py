"""Files that NOTICE calls made by a tool: the tool makes them again, byte for byte."""

from __future__ import annotations

import importlib.util
import shutil
import struct
import unicodedata
from pathlib import Path
from types import ModuleType

import pytest
import regex

from dragoman.samples import sample_path
from tests.conftest import ROOT

NOTICE = (ROOT / "NOTICE").read_text(encoding="utf-8")
TABLES = ROOT / "cpp" / "src" / "text"
FONT = ROOT / "src" / "dragoman" / "web" / "static" / "cat" / "codes.ttf"


def tool(name: str) -> ModuleType:
    """A script of `tools` as a module."""
    spec = importlib.util.spec_from_file_location(f"made_by_{name}", ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def made_again(name: str, folder: Path) -> bytes:
    """The table that a tool writes today."""
    maker = tool(name)
    maker.TARGET = folder / f"{name}.inc"
    maker.main()
    return maker.TARGET.read_bytes()


def test_case_tables_are_pythons(tmp_path: Path) -> None:
    kept = (TABLES / "case_tables.inc").read_bytes()
    version = kept.split(b'kUnicodeVersion = "')[1].split(b'"')[0].decode()
    assert f"version {version}, as Python" in NOTICE
    if unicodedata.unidata_version != version:
        pytest.skip(f"this Python has Unicode {unicodedata.unidata_version}, the table {version}")
    assert made_again("case_tables", tmp_path) == kept


@pytest.mark.slow
def test_unicode_tables_are_those_of_the_regex_package(tmp_path: Path) -> None:
    kept = (TABLES / "unicode_tables.inc").read_bytes()
    if f"regex package {regex.__version__}.".encode() not in kept:
        pytest.skip(f"the table is not of regex {regex.__version__}")
    assert made_again("unicode_tables", tmp_path) == kept


def test_the_font_draws_nothing() -> None:
    font = FONT.read_bytes()
    n_tables = struct.unpack_from(">H", font, 4)[0]
    entries = [struct.unpack_from(">4s3I", font, 12 + 16 * i) for i in range(n_tables)]
    tables = {tag.decode().strip(): font[start : start + length] for tag, _, start, length in entries}
    assert struct.unpack_from(">H", tables["maxp"], 4)[0] == 2
    assert not tables["glyf"].strip(b"\0")
    assert "Dragoman Codes".encode("utf-16-be") in tables["name"]


def test_judgements_of_the_samples_are_drawn(tmp_path: Path) -> None:
    folder = Path(sample_path("testset/quality.tsv")).parent
    shutil.copytree(folder, tmp_path / "testset")
    for kept in ("ranking.csv", "da.csv"):
        (tmp_path / "testset" / "judgements" / kept).unlink()
    maker = tool("sample_judgements")
    maker.HERE = tmp_path / "testset"
    maker.main()
    for kept in ("ranking.csv", "da.csv"):
        again = (tmp_path / "testset" / "judgements" / kept).read_bytes()
        assert again == (folder / "judgements" / kept).read_bytes(), kept


def test_post_edits_of_the_samples_are_drawn(tmp_path: Path) -> None:
    samples = Path(sample_path("phrasebook.tsv")).parent
    for folder in ("testset", "studies/post-editing"):
        shutil.copytree(samples / folder, tmp_path / folder)
    made = tmp_path / "studies" / "post-editing" / "post-edits.tsv"
    made.unlink()
    maker = tool("sample_post_edits")
    maker.sample_path = lambda name: tmp_path / name
    maker.main()
    assert made.read_bytes() == (samples / "studies" / "post-editing" / "post-edits.tsv").read_bytes()
