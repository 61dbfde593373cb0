from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data import FORMATS, Format, convert
from dragoman.data.bitext import Bitext
from dragoman.data.formats.bitext_lines import BitextLines
from dragoman.data.formats.bitext_tables import BitextJsonl, BitextTsv
from dragoman.data.formats.tmx import TmxFormat
from dragoman.errors import DataError, FormatError

PAIRS = [("ein Haus", "a house"), ("", "empty"), ("  zwei ", "“two”"), ("日本語\u2028x", "\x00 NUL")]


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_lines_survive_a_round_trip_under_a_prefix(tmp_path: Path, suffix: str) -> None:
    bitext = Bitext.from_pairs(PAIRS, source_lang="de", target_lang="en")
    BitextLines().write(bitext, tmp_path / f"train{suffix}")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"train.de{suffix}", f"train.en{suffix}"]
    back = BitextLines("de", "en").read(tmp_path / "train")
    assert list(back) == PAIRS
    assert back.pair == "de-en"


def test_lines_in_two_named_files(tmp_path: Path) -> None:
    form = BitextLines(target=str(tmp_path / "tgt"))
    form.write(Bitext.from_pairs(PAIRS), tmp_path / "src")
    assert list(form.read(tmp_path / "src")) == PAIRS


def test_a_prefix_must_lead_to_one_file_a_side(tmp_path: Path) -> None:
    form = BitextLines("de", "en")
    prefix = tmp_path / "train"
    with pytest.raises(DataError, match=r"There is no file .*train\.de, nor \.gz, \.xz or \.zst of it"):
        form.read(prefix)
    with pytest.raises(DataError, match=r"There is no file .*train\.de\.gz\."):
        form.read(f"{prefix}.gz")
    (tmp_path / "train.de").touch()
    (tmp_path / "train.de.gz").touch()
    with pytest.raises(DataError, match=r"Which one\? There are .*train\.de and .*train\.de\.gz"):
        form.read(prefix)
    with pytest.raises(DataError, match="name both languages"):
        BitextLines("de").read(prefix)
    with pytest.raises(DataError, match="Source and target are both 'de'"):
        BitextLines("de", "de").read(prefix)


def test_nothing_is_left_when_a_pair_does_not_fit_on_a_line(tmp_path: Path) -> None:
    bitext = Bitext.from_pairs([("a", "b"), ("two\nlines", "x")], source_lang="de", target_lang="en")
    with pytest.raises(DataError, match=r"Pair 2 of pairs in memory has a line break inside \('two\\nlines'\)"):
        BitextLines().write(bitext, tmp_path / "train")
    with pytest.raises(DataError, match=r"Pair 2 of pairs in memory has a tab or line break inside"):
        BitextTsv().write(bitext, tmp_path / "train.tsv")
    assert list(tmp_path.iterdir()) == []


def test_tsv_round_trip_with_and_without_names(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv.gz"
    for form in (BitextTsv("de", "en"), BitextTsv("de", "en", columns=("de", "en"))):
        form.write(Bitext.from_pairs(PAIRS), path)
        assert list(form.read(path)) == PAIRS
        assert form.read(path).pair == "de-en"


def test_tsv_columns_are_chosen_by_number_or_name(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("id\ten\tde\n1\ta\tb\n2\tc\td\n")
    assert list(BitextTsv(columns=("de", "en")).read(path)) == [("b", "a"), ("d", "c")]
    assert list(BitextTsv(columns=(3, 2)).read(path))[1] == ("b", "a")
    with pytest.raises(FormatError, match=r"x\.tsv:1: the line has 3 columns, not 2\. Choose with columns"):
        list(BitextTsv().read(path))
    assert list(BitextTsv(extra="ignore").read(path))[1] == ("1", "a")
    with pytest.raises(FormatError, match=r"x\.tsv:1: the header has the column 'fr' not; it has 'id', 'en', 'de'"):
        list(BitextTsv(columns=("fr", "en")).read(path))


def test_tsv_errors_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("a\tb\nalone\n")
    with pytest.raises(FormatError, match=r"x\.tsv:2: the line has 1 column, not 2\. Is it tab-separated\?"):
        list(BitextTsv().read(path))
    path.write_text("a\ta\n1\t2\n")
    with pytest.raises(FormatError, match=r"x\.tsv:1: the header has the column 'a' twice"):
        list(BitextTsv(columns=("a", "b")).read(path))
    with pytest.raises(DataError, match="Columns are counted from 1 on, got 0"):
        BitextTsv(columns=(0, 1))
    with pytest.raises(DataError, match="Source and target cannot both be column 2"):
        BitextTsv(columns=(2, 2))
    with pytest.raises(DataError, match="Pairs are written as columns 1 and 2"):
        BitextTsv(columns=(2, 1)).write(Bitext.from_pairs(PAIRS), path)


@given(st.lists(st.tuples(st.text(), st.text()), max_size=6))
def test_jsonl_holds_any_text(tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "x.jsonl"
    pairs = [(s.encode("utf-8", "ignore").decode(), t.encode("utf-8", "ignore").decode()) for s, t in pairs]
    BitextJsonl().write(Bitext.from_pairs(pairs), path)
    assert list(BitextJsonl().read(path)) == pairs


def test_jsonl_fields_may_lie_deeper(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    form = BitextJsonl(src="translation.de", tgt="translation.en")
    form.write(Bitext.from_pairs(PAIRS[:1]), path)
    assert json.loads(path.read_text()) == {"translation": {"de": "ein Haus", "en": "a house"}}
    assert list(form.read(path)) == PAIRS[:1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "this is no JSON: Expecting property name"),
        ('{"src": "a"}', r"the object has no field 'tgt', but 'src'\. Name the fields"),
        ("[1]", "the object has no field 'src', but no object"),
        ('{"src": null, "tgt": "b"}', "the field 'src' holds null, not text"),
        ('{"src": "a", "tgt": 3}', "the field 'tgt' holds int, not text"),
    ],
)
def test_jsonl_errors_name_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"src": "a", "tgt": "b"}\n' + line + "\n")
    with pytest.raises(FormatError, match=r"x\.jsonl:2: " + message):
        list(BitextJsonl().read(path))


@pytest.mark.parametrize("form", [BitextLines("de", "en"), BitextTsv(), BitextJsonl()])
def test_marks_that_readers_drop_are_kept_or_refused(
    tmp_path: Path, form: BitextLines | BitextTsv | BitextJsonl
) -> None:
    pairs = [("\ufeffa", "\ufeffb"), ("c\r ", "\u2028")]
    form.write(Bitext.from_pairs(pairs), tmp_path / "x")
    assert list(form.read(tmp_path / "x")) == pairs
    if not isinstance(form, BitextJsonl):
        with pytest.raises(DataError, match=r"carriage return|line break"):
            form.write(Bitext.from_pairs([("a", "b\r")]), tmp_path / "y")
    with pytest.raises(DataError, match=r"lone surrogate, U\+D800"):
        form.write(Bitext.from_pairs([("a", "b\ud800")]), tmp_path / "y")
    assert not list(tmp_path.glob("y*"))


def test_columns_given_as_text(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("1\ta\tb\n")
    form = FORMATS.make("bitext-tsv:columns=3+2,source_lang=de")
    assert list(form.read(path)) == [("b", "a")]
    with pytest.raises(DataError, match=r"A pair has two columns, source and target; got columns=\(1, 2, 3\)"):
        FORMATS.make("bitext-tsv:columns=1+2+3")


def test_languages_are_lost_where_there_is_no_place_for_them() -> None:
    bitext = Bitext.from_pairs([], source_lang="de")
    assert BitextTsv().loses(bitext) == BitextJsonl().loses(bitext) == ["source_lang"]
    assert BitextLines().loses(bitext) == []
    assert BitextLines(target="x").loses(bitext) == ["source_lang"]


def test_a_prefix_is_recognised_by_its_files(tmp_path: Path) -> None:
    (tmp_path / "train.de.gz").touch()
    assert not BitextLines.recognises(tmp_path / "train")
    (tmp_path / "train.pt-BR").touch()
    assert BitextLines.recognises(tmp_path / "train")
    assert not BitextLines.recognises(tmp_path / "other")
    assert not BitextLines.recognises(tmp_path / "none" / "train")


@pytest.mark.parametrize(
    ("target", "to_format", "lost"),
    [("x.tmx", None, ()), ("x.tsv", None, ("source_lang", "target_lang")), ("y", "bitext-lines", ())],
)
def test_bitexts_convert(tmp_path: Path, target: str, to_format: str | None, lost: tuple[str, ...]) -> None:
    pairs = [("a", "b"), ("c", "d")]
    BitextLines().write(Bitext.from_pairs(pairs, source_lang="de", target_lang="en"), tmp_path / "train")
    done = convert(
        tmp_path / "train",
        tmp_path / target,
        from_format="bitext-lines:source_lang=de,target_lang=en",
        to_format=to_format,
    )
    assert (done.holds, done.lost) == ("Bitext", lost)
    name = {"x.tmx": "tmx", "x.tsv": "bitext-tsv", "y": "bitext-lines:source_lang=de,target_lang=en"}[target]
    assert list(FORMATS.make(name).read(tmp_path / target)) == pairs


@pytest.mark.parametrize("form", [BitextLines("de", "en"), BitextTsv(), BitextJsonl(), TmxFormat("de", "en")])
def test_a_segment_of_a_megabyte_is_a_segment(tmp_path: Path, form: Format) -> None:
    pairs = [("ä" * 1_000_000, "b"), ("c", "d " * 500_000)]
    form.write(Bitext.from_pairs(pairs), tmp_path / "x")
    assert list(form.read(tmp_path / "x")) == pairs


@pytest.mark.parametrize("form", [BitextTsv(), BitextJsonl(), TmxFormat("de", "en")])
def test_bytes_that_are_no_utf8_are_named(tmp_path: Path, form: Format) -> None:
    (tmp_path / "x").write_bytes(b"<tmx>\xe4\tb\n")
    with pytest.raises(FormatError, match=r"x:1: .*0xE4.* not UTF-8"):
        list(form.read(tmp_path / "x"))


def test_windows_lines_and_byte_order_marks_are_read_over(tmp_path: Path) -> None:
    (tmp_path / "x.de").write_bytes(b"\xef\xbb\xbfeins\r\nzwei\r\n")
    (tmp_path / "x.en").write_bytes(b"one\ntwo")
    assert list(BitextLines("de", "en").read(tmp_path / "x")) == [("eins", "one"), ("zwei", "two")]
