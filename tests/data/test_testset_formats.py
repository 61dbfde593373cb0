"""Test sets as tables and as folders of lines; SGM, XML and mt-metrics-eval have files of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dragoman.samples
from dragoman.data import FORMATS, TestSet, read_test_set
from dragoman.errors import DataError, FormatError

SAMPLE = Path(dragoman.samples.__file__).parent / "testset"


def small(**changes: Any) -> TestSet:
    values: dict[str, Any] = {
        "name": "small",
        "source_lang": "de",
        "target_lang": "en",
        "srcs": ["eins", "zwei"],
        "refs": {"A": ["one", "two"]},
        "systems": {"alpha": ["1", ""], "zeta.2": ["uno", "due"]},
        "docs": ["x", "y"],
        "origlangs": ["de", None],
        "domains": ["news", "talk"],
    }
    return TestSet(**{**values, **changes})


def refused(name: str, path: Path, text: str | None = None) -> str:
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        FORMATS.get(name)().read(path)
    return str(caught.value).removeprefix(str(path))


def not_written(name: str, value: TestSet, path: Path) -> str:
    with pytest.raises(DataError) as caught:
        FORMATS.get(name)().write(value, path)
    return str(caught.value)


# Tables


def test_the_tables_as_they_stand(tmp_path: Path) -> None:
    value = small(refs={"A": ["one", None]})
    FORMATS.get("testset-tsv")().write(value, tmp_path / "a.tsv")
    assert (tmp_path / "a.tsv").read_text() == (
        "testset\tsource_lang\ttarget_lang\tdoc\tdomain\toriglang\tsource\tref:A\tsys:alpha\tsys:zeta.2\n"
        "small\tde\ten\tx\tnews\tde\teins\tone\t1\tuno\n"
        "small\tde\ten\ty\ttalk\t\\N\tzwei\t\\N\t\tdue\n"
    )
    FORMATS.get("testset-jsonl")().write(value, tmp_path / "a.jsonl")
    assert (tmp_path / "a.jsonl").read_text().splitlines()[1] == (
        '{"testset": "small", "source_lang": "de", "target_lang": "en", "doc": "y", "domain": "talk", '
        '"origlang": null, "source": "zwei", "ref:A": null, "sys:alpha": "", "sys:zeta.2": "due"}'
    )


def test_missing_and_empty_are_kept_apart(tmp_path: Path) -> None:
    value = TestSet(srcs=["", "b", "c"], refs={"A": ["", None, "x"]})
    for name in ("testset-tsv", "testset-jsonl"):
        FORMATS.get(name)().write(value, tmp_path / "t")
        assert FORMATS.get(name)().read(tmp_path / "t") == value


def test_an_empty_label_is_a_missing_one(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("source\tdomain\toriglang\na\tnews\t\nb\t\t\n")
    found = read_test_set(tmp_path / "a.tsv")
    assert (found.domains, found.origlangs) == (("news", None), None)


def test_absent_keys_are_missing_translations(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"source": "a"}\n{"source": "b", "ref:A": "B"}\n')
    assert read_test_set(tmp_path / "a.jsonl").refs["A"] == (None, "B")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": the file is empty; expected a header line with the names of the columns."),
        ("source\n", ": there is not a single segment."),
        (
            "source\tsegment\na\t1\n",
            ":1: a test set has no column 'segment'. Known: source, ref:NAME, sys:NAME, doc, domain, origlang, "
            "testset, source_lang, target_lang.",
        ),
        ("source\tsys:a\nx\ty\nx\t\\N\n", ":3: sys:a is missing."),
        ("source\nx\n\\N\n", ":3: source is missing."),
        ("source\tdoc\nx\td\nx\t\n", ": '' in docs is empty or has control characters; give it a name."),
        ("source\tdoc\nx\td\nx\te\nx\td\n", ": Document 'd' begins again at segment 3; its segments must be"),
        ("source\ttestset\nx\td\nx\te\n", ":3: testset is 'e', before it was 'd'."),
        ("source\tsys:a\tsys:a\nx\t1\t2\n", ":1: Two columns are called 'sys:a'."),
        ("source\tsys:\nx\t1\n", ":1: a test set has no column 'sys:'. Known"),
        ("source\tsys:a/b\nx\t1\n", ": 'a/b' cannot name a system or reference; use letters"),
    ],
)
def test_tables_that_are_no_test_set(tmp_path: Path, text: str, message: str) -> None:
    assert refused("testset-tsv", tmp_path / "a.tsv", text).startswith(message)


def test_jsonl_that_is_no_test_set(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    assert refused("testset-jsonl", file, "") == ": there is not a single segment."
    assert refused("testset-jsonl", file, '{"source": "a"}\n{"source": 3}\n') == ":2: source is 3, which is no text."
    assert refused("testset-jsonl", file, '{"source": "a"}\n{"sys:a": "x"}\n') == ":2: source is missing."


def test_what_a_table_cannot_hold(tmp_path: Path) -> None:
    assert not_written("testset-tsv", small(systems={"a": ["x", "a\tb"]}), tmp_path / "a").startswith(
        "Row 2, column 'sys:a' has a tab or line break inside, which TSV cannot hold: 'a\\tb'."
    )
    assert not_written("testset-tsv", small(srcs=["x", "\\N"]), tmp_path / "a") == (
        "Segment 2 of source is the text \\N, which here means a missing translation. Write testset-jsonl instead."
    )
    for name in ("testset-tsv", "testset-jsonl", "testset-lines", "sgm", "wmt-xml", "mtme"):
        assert not_written(name, TestSet(), tmp_path / "a").startswith("A test set without segments cannot be written")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["testset-tsv", "testset-jsonl", "testset-lines", "sgm", "wmt-xml", "mtme"])
def test_a_segment_of_a_megabyte(tmp_path: Path, name: str) -> None:
    value = small(srcs=["ü <&> " * (1 << 18), "x" * (1 << 20)], origlangs=None)
    FORMATS.get(name)().write(value, tmp_path / "small")
    assert FORMATS.get(name)().read(tmp_path / "small").srcs == value.srcs


@pytest.mark.parametrize("name", ["testset-tsv", "testset-jsonl", "testset-lines", "sgm", "mtme"])
def test_nul_and_control_characters_are_text(tmp_path: Path, name: str) -> None:
    value = small(systems={"s": ["a\x00b\x1b[0m\x07", "\x0b\x0c\x1c\x85\u2028\u2029"]}, origlangs=None)
    FORMATS.get(name)().write(value, tmp_path / "small")
    assert FORMATS.get(name)().read(tmp_path / "small").systems == value.systems


# Folders of lines


def test_the_sample_is_read() -> None:
    sample = read_test_set(SAMPLE)
    assert (sample.name, sample.pair, len(sample)) == ("testset", "de-en", 80)
    assert list(sample.refs) == ["A", "B"]
    assert list(sample.systems) == ["atlas", "borealis", "cobalt", "dune", "ember"]
    assert len(sample.documents()) == 10
    assert sample.systems["ember"].count("") == 1
    assert set(sample.origlangs or ()) == {"de", "en"}


def test_the_folder_as_it_stands(tmp_path: Path) -> None:
    FORMATS.get("testset-lines")().write(small(), tmp_path / "set")
    files = {file.relative_to(tmp_path).as_posix(): file.read_text() for file in tmp_path.rglob("*") if file.is_file()}
    assert files == {
        "set/source.de": "eins\nzwei\n",
        "set/reference-A.en": "one\ntwo\n",
        "set/systems/alpha.en": "1\n\n",
        "set/systems/zeta.2.en": "uno\ndue\n",
        "set/documents.tsv": "segment\tdoc\tdomain\toriglang\n1\tx\tnews\tde\n2\ty\ttalk\t\n",
    }


def test_compressed_and_strange_files_in_the_folder(tmp_path: Path) -> None:
    from dragoman.files import write_lines

    (tmp_path / "systems").mkdir()
    for name in ("source.de.gz", "reference-A.txt", "systems/b.en.xz", "systems/.hidden", "systems/a", "notes.md"):
        write_lines(tmp_path / name, ["x"])
    found = read_test_set(tmp_path)
    assert (found.source_lang, found.target_lang) == ("de", "en")
    assert list(found.systems) == ["a", "b"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"notes.md": "x\n"}, ": the folder has no source.LANG, reference-NAME.LANG or systems/NAME.LANG."),
        (
            {"source.de": "x\ny\n", "systems/atlas.en": "x\n"},
            ": Streams must have one line per segment, got source.de=2, systems/atlas.en=1.",
        ),
        (
            {"source.de": "x\ny\n", "documents.tsv": "doc\nd\n"},
            ": Streams must have one line per segment, got source.de=2, documents.tsv=1.",
        ),
        ({"source.de": "x\n", "source.fr": "x\n"}, ": there are two sources, source.de and source.fr."),
        ({"source.de": "x\n", "source.de.gz": "x\n"}, ": source.de and source.de.gz are the same stream."),
        (
            {"reference-A.en": "x\n", "systems/a.en": "x\n", "systems/b.fr": "x\n"},
            ": the files of one side are in different languages: reference-A.en, systems/b.fr.",
        ),
        ({"source.de": ""}, ": there is not a single segment."),
    ],
)
def test_folders_that_are_no_test_set(tmp_path: Path, files: dict[str, str], message: str) -> None:
    folder = tmp_path / "set"
    (folder / "systems").mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    assert refused("testset-lines", folder) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("doc\tauthor\nd\tme\n", ":1: column 'author' is none of segment, doc, domain, origlang."),
        ("segment\tdoc\n2\td\n", ":2: segment '2' stands where 1 should."),
        ("segment\tdoc\n1\t\n", ":2: the document has no name."),
    ],
)
def test_documents_that_are_wrong(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "source.de").write_text("x\n")
    (tmp_path / "documents.tsv").write_text(text)
    assert refused("testset-lines", tmp_path) == f"/documents.tsv{message}"


def test_no_folder_at_all(tmp_path: Path) -> None:
    assert refused("testset-lines", tmp_path / "none") == f"There is no folder {tmp_path}/none."
    (tmp_path / "file").write_text("")
    assert refused("testset-lines", tmp_path / "file") == " is a file; a folder was expected."


def test_a_folder_is_replaced_only_if_it_is_ours(tmp_path: Path) -> None:
    lines = FORMATS.get("testset-lines")()
    lines.write(small(), tmp_path / "set")
    lines.write(small(systems={}), tmp_path / "set")
    assert not (tmp_path / "set" / "systems").exists()
    (tmp_path / "set" / "thesis.tex").write_text("x")
    assert not_written("testset-lines", small(), tmp_path / "set") == (
        f"{tmp_path}/set holds thesis.tex, which is no part of a test set; name another folder."
    )


def test_line_files_cannot_be_ragged_or_broken(tmp_path: Path) -> None:
    assert not_written("testset-lines", small(refs={"A": ["x", None]}), tmp_path / "set") == (
        "Reference 'A' lacks segment 2; a line file cannot say so. Write testset-jsonl or testset-tsv instead."
    )
    assert "has a line break inside" in not_written("testset-lines", small(srcs=["x", "a\nb"]), tmp_path / "set")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_write_leaves_the_old_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dragoman.data.formats import testset_lines

    lines = FORMATS.get("testset-lines")()
    lines.write(small(), tmp_path / "set")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(testset_lines, "_write_documents", interrupt)
    for folder in ("set", "new"):
        with pytest.raises(KeyboardInterrupt):
            lines.write(small(srcs=["drei", "vier"]), tmp_path / folder)
    assert [path.name for path in tmp_path.iterdir()] == ["set"]
    assert lines.read(tmp_path / "set").srcs == ("eins", "zwei")


def test_languages_that_no_file_carries() -> None:
    lines = FORMATS.get("testset-lines")()
    assert lines.loses(small()) == []
    assert lines.loses(small(srcs=None)) == ["source_lang"]
    assert lines.loses(small(refs={}, systems={})) == ["target_lang"]


def test_wrong_bytes_are_told_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "source.de").write_bytes(b"x\n\xff\n")
    with pytest.raises(FormatError, match=r"source\.de:2: byte 1 of the line \(0xFF\) is not UTF-8"):
        read_test_set(tmp_path)
