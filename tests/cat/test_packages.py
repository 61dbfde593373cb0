from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.cat import (
    Package,
    PackageFile,
    PackageSegment,
    SentenceRules,
    Target,
    format_of,
    read_omegat,
    segments_of,
    write_omegat,
)
from dragoman.cat.files.zips import Archive
from dragoman.data.formats.tmx import TmxFormat
from dragoman.errors import DataError, FormatError
from tests.cat.files.samples import DOCX, HTML, TMX, XLIFF


def package() -> Package:
    files = [PackageFile("a.xlf", XLIFF, "xliff"), PackageFile("sub/b.txt", b"One. Two.\nThree.\n", "text")]
    segments = [
        PackageSegment(file.name, each.unit, each.begin, each.end, each.source)
        for file in files
        for unit in file.units()
        for each in segments_of(unit, SentenceRules("en"))
    ]
    done = [
        replace(each, target=f"<{each.source}>", state="translated") if each.file == "sub/b.txt" else each
        for each in segments
    ]
    return Package("Demo", "en", "de", tuple(files), tuple(done), {"main": TMX}, {"terms": b"cat\tKatze\n"}, {"due": 3})


def entries(content: bytes) -> dict[str, bytes]:
    archive = zipfile.ZipFile(io.BytesIO(content))
    return {name: archive.read(name) for name in archive.namelist()}


def packed(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_a_package_is_read_back_and_written_the_same() -> None:
    content = package().to_bytes()
    again = Package.from_bytes(content)
    assert again == package()
    assert again.to_bytes() == content
    assert entries(content)["files/a.xlf"] == XLIFF
    assert json.loads(entries(content)["manifest.json"])["version"] == 1


def test_files_are_translated_as_far_as_they_are() -> None:
    project = package()
    assert project.translated("sub/b.txt") == b"<One.> <Two.>\n<Three.>\n"
    first = next(each for each in project.segments if each.file == "sub/b.txt")
    without = tuple(replace(each, target=None) if each == first else each for each in project.segments)
    assert replace(project, segments=without).translated("sub/b.txt") == b"One. Two.\n<Three.>\n"
    assert project.translated("a.xlf") == XLIFF
    with pytest.raises(DataError, match=r"The project has no file 'c'. It has a.xlf, sub/b.txt"):
        project.translated("c")


def test_a_unit_is_as_far_as_the_least_of_its_segments() -> None:
    file = PackageFile("a.xlf", XLIFF, "xliff")
    segments = (
        PackageSegment("a.xlf", "2/3", 0, 1, "\ue000", "\ue000", "approved"),
        PackageSegment("a.xlf", "2/3", 2, 6, "Done", "Getan", "draft"),
    )
    filled = Package("x", "en", "de", (file,), segments).translated("a.xlf")
    unit = {each.key: each for each in format_of("a.xlf", filled).units(filled)}["2/3"]
    assert (unit.target, unit.state) == ("\ue000 Getan", "approved")  # its trans-unit says so
    assert b"<target state='final' >" not in filled


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"manifest.json": None}, "it is no translation package: it has no manifest.json"),
        ({"manifest.json": b"{}"}, "its manifest has another schema"),
        ({"manifest.json": b"{"}, "p.zip/manifest.json: this is no JSON"),
        ({"files/a.xlf": b"other"}, "its entry 'files/a.xlf' is not what was packed: the check sum differs"),
        ({"files/a.xlf": None}, "it has no entry 'files/a.xlf'"),
        ({"segments.jsonl": b'{"file": "a.xlf"}\n'}, "p.zip/segments.jsonl:1: this is no segment"),
        ({"segments.jsonl": b"[]\n"}, "p.zip/segments.jsonl:1: this is no segment"),
        (
            {"segments.jsonl": b'{"file": "z", "unit": "1", "begin": 0, "end": 1, "source": "a"}\n'},
            "the segment is of a file 'z', which is not here",
        ),
        (
            {"segments.jsonl": b'{"file": "a.xlf", "unit": "1", "begin": 0, "end": 1, "source": "a", "target": 5}'},
            "the segment has a wrong state, text or place",
        ),
        (
            {"segments.jsonl": b'{"file": "a.xlf", "unit": "1", "begin": -1, "end": 1, "source": "a"}'},
            "the segment has a wrong state, text or place",
        ),
        (
            {"segments.jsonl": b'{"file": "a.xlf", "unit": "1", "begin": 0, "end": 1, "source": "a", "state": "odd"}'},
            "the segment has a wrong state, text or place",
        ),
        (
            {"segments.jsonl": b'{"file": {}, "unit": "1", "begin": 0, "end": 1, "source": "a"}'},
            "p.zip/segments.jsonl:1: the segment has a wrong state, text or place",
        ),
        (
            {"segments.jsonl": b'{"file": "a.xlf", "unit": "1", "begin": 0, "end": 1, "source": "a", "state": []}'},
            "the segment has a wrong state, text or place",
        ),
        (
            {"segments.jsonl": b'{"file": "a.xlf", "unit": "1", "begin": 0, "end": 1, "source": "a"}\n' * 2},
            "p.zip/segments.jsonl:2: the segment has text of the one in line 1",
        ),
        (
            {
                "segments.jsonl": b'{"file": "a.xlf", "unit": "1", "begin": 4, "end": 9, "source": "a"}\n'
                b'{"file": "a.xlf", "unit": "1", "begin": 0, "end": 5, "source": "a"}\n'
            },
            "p.zip/segments.jsonl:2: the segment has text of the one in line 1",
        ),
    ],
)
def test_a_damaged_package_is_named(change: dict[str, bytes | None], message: str) -> None:
    files = {
        name: content for name, content in entries(package().to_bytes()).items() if change.get(name, b"") is not None
    }
    files |= {name: content for name, content in change.items() if content is not None}
    with pytest.raises(FormatError, match=re.escape(message)):
        Package.from_bytes(packed(files), name="p.zip")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("version", 2, "it is a package of version 2, this Dragoman reads version 1"),
        ("files", "a", "its manifest has no valid files"),
        ("files", [{"name": "a"}], "its manifest has no valid files"),
        ("source_lang", None, "its manifest has no valid source_lang"),
        ("memories", [1], "its manifest has no valid memories"),
        ("memories", ["../../a"], "'../../a' is no name of a file in a project"),
        ("glossaries", [None], "its manifest has no valid glossaries"),
        ("uses", {"a": {"penalty": "1", "writes": True}}, "its manifest has no valid uses"),
        ("uses", {"a": {"penalty": 200, "writes": True}}, "its manifest has no valid uses"),
        ("jobs", [{"user": "ada"}], "its manifest has no valid jobs"),
        ("jobs", [{"user": "ada", "role": "translator", "first": "1", "last": 2}], "its manifest has no valid jobs"),
        ("files", [{"name": "../a", "format": "text"}], "'../a' is no name of a file in a project"),
        ("files", [{"name": "other", "format": "text"}], "its manifest has no check sum for 'files/other'"),
    ],
)
def test_a_wrong_manifest_is_named(key: str, value: object, message: str) -> None:
    files = entries(package().to_bytes())
    manifest = json.loads(files["manifest.json"]) | {key: value}
    with pytest.raises(DataError, match=re.escape(message)):
        Package.from_bytes(packed(files | {"manifest.json": json.dumps(manifest).encode()}))


@pytest.mark.parametrize("name", ["", "../a", "/a", "a//b", "a\\b", "."])
def test_names_stay_inside(name: str) -> None:
    with pytest.raises(DataError, match="is no name of a file in a project"):
        Package("x", "en", "de", (PackageFile(name, b"", "text"),)).to_bytes()


def test_names_are_given_once() -> None:
    twice = (PackageFile("a", b"", "text"),) * 2
    with pytest.raises(DataError, match="Two files of the project have one name"):
        Package("x", "en", "de", twice).to_bytes()


def test_a_bomb_is_not_unpacked() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries(package().to_bytes()).items():
            archive.writestr(name, content)
        archive.writestr("memories/more.tmx", b" " * (8 << 20))
    with pytest.raises(FormatError, match=r"'memories/more.tmx' unpacks to [\d,]+ times its size"):
        Package.from_bytes(stream.getvalue())


def test_other_zips_are_no_packages() -> None:
    with pytest.raises(FormatError, match="it is no translation package"):
        Package.from_bytes(DOCX)
    with pytest.raises(FormatError, match="it is no zip archive"):
        Package.from_bytes(b"hello")
    assert Archive.of(package().to_bytes(), "p").names()[0] == "files/a.xlf"


def test_a_project_goes_to_omegat_and_back(tmp_path: Path) -> None:
    folder = tmp_path / "Demo"
    write_omegat(package(), folder)
    assert (folder / "source" / "sub" / "b.txt").read_bytes() == b"One. Two.\nThree.\n"
    assert (folder / "target" / "sub" / "b.txt").read_bytes() == b"<One.> <Two.>\n<Three.>\n"
    pairs = list(TmxFormat().read(folder / "omegat" / "project_save.tmx"))
    assert ("Two.", "<Two.>") in pairs
    again = read_omegat(folder)
    assert (again.name, again.source_lang, again.target_lang) == ("Demo", "en", "de")
    assert again.files == package().files
    assert again.memories["main"] == TMX
    assert set(again.memories) == {"main", "project_save"}
    assert again.glossaries == package().glossaries
    with pytest.raises(DataError, match="is not empty; name a new one"):
        write_omegat(package(), folder)


def test_a_project_that_omegat_made_is_read(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "page.html").write_bytes(HTML)
    (tmp_path / "omegat.project").write_text(
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><omegat><project version="1.0">'
        "<source_dir>texts</source_dir>"
        "<tm_dir>__DEFAULT__</tm_dir><source_lang>EN_US</source_lang><target_lang>FR</target_lang></project></omegat>"
    )
    project = read_omegat(tmp_path)
    assert (project.source_lang, project.target_lang) == ("EN-US", "FR")
    assert [(file.name, file.format) for file in project.files] == [("page.html", "html")]
    assert project.files[0].form().fill(HTML, {"1": Target("Un café")}) != HTML


def test_a_folder_that_is_no_project_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"is no project of OmegaT's: it has no file omegat.project"):
        read_omegat(tmp_path)
    (tmp_path / "omegat.project").write_text("<omegat/>")
    with pytest.raises(FormatError, match="there is no <project>"):
        read_omegat(tmp_path)
    (tmp_path / "omegat.project").write_text("<omegat><project><source_dir>../..</source_dir></project></omegat>")
    with pytest.raises(DataError, match=r"names the folder \.\./\.\., which is outside the project"):
        read_omegat(tmp_path)
