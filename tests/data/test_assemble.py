from __future__ import annotations

import gzip
import io
import pickle
import sys
from pathlib import Path

import pytest

from dragoman.data import assemble, read_system, read_systems
from dragoman.errors import DataError, FormatError
from dragoman.text import TextLines


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, so that messages show short paths."""
    monkeypatch.chdir(tmp_path)
    for name, lines in {
        "source.de": ["eins", "zwei"],
        "reference-A.en": ["one", "two"],
        "atlas.en": ["1", "2"],
        "short.en": ["1"],
    }.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def refused(**arguments: object) -> str:
    with pytest.raises(DataError) as caught:
        assemble(**arguments)  # type: ignore[arg-type]
    return str(caught.value)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/atlas.en", "atlas"),
        ("atlas.en.gz", "atlas"),
        ("atlas.txt", "atlas"),
        ("atlas.pt-BR.xz", "atlas"),
        ("atlas.zh-Hans", "atlas"),
        ("atlas", "atlas"),
        ("atlas.v2", "atlas.v2"),
        ("newstest2013.en-de.online-A.gz", "newstest2013.en-de.online-A"),
    ],
)
def test_a_file_names_its_system(path: str, name: str) -> None:
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_bytes(gzip.compress(b"one\n"))
    assert read_system(path).name == name
    assert list(read_system(path).lines) == ["one"]


def test_a_name_may_be_given() -> None:
    assert read_system("best=atlas.en").name == "best"
    assert read_system("best=atlas.en").path == "atlas.en"
    Path("lr=0.1").mkdir()
    Path("lr=0.1/out.txt").write_text("x\n")
    Path("a=b.txt").write_text("y\n")
    assert read_system("./lr=0.1/out.txt").name == "out"
    assert read_system("./a=b.txt").name == "a=b"
    assert list(read_system("n=a=b.txt").lines) == ["y"]
    with pytest.raises(DataError, match=r"'best=' names no file; expected NAME=PATH\."):
        read_system("best=")


@pytest.mark.parametrize(
    ("argument", "path", "name", "mark"),
    [
        ("a/b=atlas.en", "a/b=atlas.en", "a/b", "/"),
        ("lr=0.1=atlas.en", "0.1=atlas.en", "lr=0.1", "="),
        ("x" * 300 + "/b=atlas.en", "x{300}/b=atlas.en", "x{300}/b", "/"),
    ],
)
def test_a_name_with_a_mark_that_no_name_has_is_named(argument: str, path: str, name: str, mark: str) -> None:
    message = rf"There is no file {path}\. If '{name}' is to be the name: a name has no '{mark}' in it\."
    for read in (read_system, lambda each: read_systems([each])):
        with pytest.raises(DataError, match=message):
            read(argument)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for argument, name in (("-", "stdin"), ("best=-", "best")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("ü\n".encode())))
        file = read_system(argument)
        assert (file.name, list(file.lines)) == (name, ["ü"])


def test_two_systems_of_one_name_are_refused_with_both_files() -> None:
    Path("other").mkdir()
    Path("other/atlas.en").write_text("1\n2\n")
    with pytest.raises(DataError) as caught:
        read_systems(["atlas.en", "other/atlas.en"])
    assert str(caught.value) == (
        "Two systems are called 'atlas': atlas.en and other/atlas.en. Name them apart with NAME=PATH."
    )
    assert refused(refs=["x=atlas.en", "x=reference-A.en"]) == (
        "Two references are called 'x': atlas.en and reference-A.en. Name them apart with NAME=PATH."
    )
    assert [file.name for file in read_systems(["atlas.en", "b=other/atlas.en"])] == ["atlas", "b"]


def test_a_test_set_from_files() -> None:
    Path("docs.txt").write_text("d1\nd2\n")
    test_set = assemble(
        srcs="source.de",
        refs=["reference-A.en"],
        systems=["z=atlas.en", "atlas.en"],
        docs="docs.txt",
        name="mini",
        source_lang="de",
        target_lang="en",
    )
    assert list(test_set.srcs or ()) == ["eins", "zwei"]
    assert {name: list(lines) for name, lines in test_set.refs.items()} == {"reference-A": ["one", "two"]}
    assert list(test_set.systems) == ["z", "atlas"]
    assert test_set.docs == ("d1", "d2")
    assert (test_set.name, test_set.pair) == ("mini", "de-en")


def test_a_test_set_from_files_keeps_their_bytes_and_can_travel() -> None:
    for n_threads in (1, 2, 7):
        test_set = assemble(refs=["reference-A.en"], systems=["atlas.en", "b=atlas.en"], n_threads=n_threads)
        assert isinstance(test_set.systems["atlas"], TextLines)
        assert pickle.loads(pickle.dumps(test_set)) == test_set


def test_documents_may_come_as_a_table() -> None:
    Path("documents.tsv").write_text("segment\tdoc\tdomain\toriglang\n1\td1\tnews\t\n2\td1\tnews\tde\n")
    test_set = assemble(srcs="source.de", docs="documents.tsv")
    assert (test_set.docs, test_set.domains, test_set.origlangs) == (("d1", "d1"), ("news", "news"), (None, "de"))


def test_different_line_counts_name_the_files() -> None:
    assert refused(systems=["atlas.en", "short.en"], refs=["reference-A.en"]) == (
        "Streams must have one line per segment, got reference-A.en=2, atlas.en=2, short.en=1."
    )
    Path("docs.txt").write_text("d1\n")
    assert refused(srcs="source.de", docs="docs.txt") == (
        "Streams must have one line per segment, got source.de=2, docs.txt=1."
    )


def test_an_empty_file() -> None:
    Path("empty.en").write_text("")
    with pytest.raises(FormatError) as caught:
        assemble(srcs="source.de", systems=["empty.en"])
    assert str(caught.value) == "empty.en: the file is empty; expected one segment a line."


def test_standard_input_is_read_once() -> None:
    for arguments in ({"srcs": "-", "systems": ["-"]}, {"refs": ["a=-", "b=-"]}, {"systems": ["-"], "docs": "-"}):
        assert refused(**arguments) == "Standard input (-) can be read once; it was given twice."


def test_missing_files_and_folders() -> None:
    assert refused(srcs="none.de") == "There is no file none.de."
    Path("folder").mkdir()
    assert refused(systems=["folder"]) == "folder is a directory; name a file."
