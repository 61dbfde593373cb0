from __future__ import annotations

import gzip
import pickle
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError, FormatError

PAIRS = [("eins", "one"), ("zwei", "two"), ("drei", "three"), ("vier", "four"), ("fünf", "five")]


def write(folder: Path, name: str, lines: list[str]) -> Path:
    path = folder / name
    path.write_bytes("".join(line + "\n" for line in lines).encode())
    return path


def test_pairs_come_in_order_and_again(tmp_path: Path) -> None:
    src = write(tmp_path, "a.de", [src for src, _ in PAIRS])
    tgt = write(tmp_path, "a.en", [tgt for _, tgt in PAIRS])
    bitext = Bitext.from_files(src, tgt, source_lang="de", target_lang="en")
    assert list(bitext) == PAIRS
    assert list(bitext) == PAIRS
    assert bitext.count() == 5
    assert bitext.pair == "de-en"
    assert bitext.label == f"{src} and {tgt}"


@pytest.mark.parametrize(("n_src", "n_tgt"), [(3, 5), (5, 3), (0, 2), (2, 0), (0, 1)])
def test_a_side_that_ends_early_is_named_with_both_counts(tmp_path: Path, n_src: int, n_tgt: int) -> None:
    src = write(tmp_path, "a.de", ["x"] * n_src)
    tgt = write(tmp_path, "a.en", ["y"] * n_tgt)
    pairs = iter(Bitext.from_files(src, tgt))
    assert len(list(islice(pairs, min(n_src, n_tgt)))) == min(n_src, n_tgt)
    with pytest.raises(DataError) as caught:
        next(pairs)
    assert str(caught.value) == (
        f"The sides of a bitext must have one line per pair: {src} has {n_src} lines, {tgt} has {n_tgt}. "
        "Find the missing lines, or take the right pair of files."
    )


def test_a_gzip_file_cut_in_the_middle_is_named_where_it_breaks(tmp_path: Path) -> None:
    # Random-looking lines, so that a good part of them can be decompressed before the cut.
    lines = [str(n * 2654435761 % 2**32) for n in range(300_000)]
    src = write(tmp_path, "a.de", lines)
    tgt = tmp_path / "a.en.gz"
    whole = gzip.compress("".join(line + "\n" for line in lines).encode(), mtime=0)
    tgt.write_bytes(whole[: len(whole) // 2])
    pairs = iter(Bitext.from_files(src, tgt))
    assert next(pairs) == (lines[0], lines[0])
    with pytest.raises(FormatError, match=r"a\.en\.gz: the compressed data is damaged or cut short"):
        list(pairs)


def test_an_empty_bitext_has_no_pairs(tmp_path: Path) -> None:
    empty = write(tmp_path, "empty", [])
    bitext = Bitext.from_files(empty, empty)
    assert list(bitext) == []
    assert list(bitext.batches()) == []
    assert bitext.fingerprint() == Bitext.from_pairs([]).fingerprint()


@given(st.integers(0, 12), st.integers(1, 5), st.integers(1, 4))
def test_batches_and_shards_share_out_every_pair_once(n: int, size: int, of: int) -> None:
    pairs = [(f"s{i}", f"t{i}") for i in range(n)]
    bitext = Bitext.from_pairs(pairs)
    batches = list(bitext.batches(size))
    assert [pair for b in batches for pair in zip(b.srcs, b.tgts, strict=True)] == pairs
    assert [b.start for b in batches] == list(range(0, n, size))
    shards = [list(bitext.shard(index, of, size=size)) for index in range(of)]
    assert sorted(pair for shard in shards for pair in shard) == sorted(pairs)
    for index, shard in enumerate(shards):
        assert shard == [pair for place, pair in enumerate(pairs) if place // size % of == index]


def test_every_shard_finds_a_side_that_is_too_short(tmp_path: Path) -> None:
    src, tgt = write(tmp_path, "a", ["x"] * 4), write(tmp_path, "b", ["y"] * 7)
    for index in range(2):
        with pytest.raises(DataError, match=r"has 4 lines, .* has 7"):
            list(Bitext.from_files(src, tgt).shard(index, 2, size=2))


def test_the_fingerprint_is_of_the_content_alone(tmp_path: Path) -> None:
    src = write(tmp_path, "a.de", [src for src, _ in PAIRS])
    tgt = tmp_path / "a.en.gz"
    tgt.write_bytes(gzip.compress("".join(tgt + "\n" for _, tgt in PAIRS).encode()))
    held = Bitext.from_pairs(PAIRS)
    assert Bitext.from_files(src, tgt).fingerprint() == held.fingerprint()
    assert held.swapped().fingerprint() != held.fingerprint()
    # Where one text ends and the next begins is part of the content.
    assert Bitext.from_pairs([("ab", "c")]).fingerprint() != Bitext.from_pairs([("a", "bc")]).fingerprint()
    assert Bitext.from_pairs([("1:a", "")]).fingerprint() != Bitext.from_pairs([("", "1:a")]).fingerprint()


def test_bitexts_add_up_if_their_languages_agree() -> None:
    one = Bitext.from_pairs(PAIRS[:2], source_lang="de")
    two = Bitext.from_pairs(PAIRS[2:], target_lang="en")
    assert list(one + two) == PAIRS
    assert (one + two).pair == "de-en"
    with pytest.raises(DataError, match="A de-en bitext and a en-de bitext do not make one"):
        (one + two) + (one + two).swapped()


def test_chosen_pairs_keep_their_order_and_notice_a_change(tmp_path: Path) -> None:
    src, tgt = write(tmp_path, "a", ["1", "2", "3"]), write(tmp_path, "b", ["x", "y", "z"])
    chosen = Bitext.from_files(src, tgt).choose(b"\1\0\1")
    assert list(chosen) == [("1", "x"), ("3", "z")]
    assert chosen.label == f"2 of 3 pairs of {src} and {tgt}"
    for lines in (["1", "2"], ["1", "2", "3", "4"]):
        write(tmp_path, "a", lines)
        write(tmp_path, "b", lines)
        with pytest.raises(DataError, match="no longer has 3 pairs; it was changed after reading"):
            list(chosen)


def test_the_first_pairs_are_a_bitext(tmp_path: Path) -> None:
    bitext = Bitext.from_files(write(tmp_path, "a.de", ["1", "2", "3"]), write(tmp_path, "a.en", ["4", "5", "6"]))
    assert list(bitext.first(2)) == [("1", "4"), ("2", "5")]
    assert bitext.first(2).fingerprint() == Bitext.from_lines(["1", "2"], ["4", "5"]).fingerprint()
    assert list(bitext.first(7)) == list(bitext)
    assert bitext.first(2).label.startswith("the first 2 pairs of ")


def test_wrong_calls_are_named() -> None:
    bitext = Bitext.from_pairs(PAIRS)
    with pytest.raises(DataError, match="A bitext has at least one pair, got n_pairs=0"):
        bitext.first(0)
    with pytest.raises(DataError, match="Streams must have one line per segment, got srcs=1, tgts=2"):
        Bitext.from_lines(["a"], ["b", "c"])
    with pytest.raises(DataError, match="A batch holds at least one pair, got size=0"):
        next(bitext.batches(0))
    with pytest.raises(DataError, match="A shard is one of 0 … 1 in runs of at least one pair, got 2"):
        bitext.shard(2, 2)
    with pytest.raises(DataError, match="Only one side of a bitext can come from standard input"):
        Bitext.from_files("-", "-")


def test_layers_go_with_the_pairs() -> None:
    one = replace(Bitext.from_lines(["a"], ["b"]), layers={"pos": "hanta+lang=en", "source.lemma": "simplemma+lang=de"})
    two = Bitext.from_lines(["c"], ["d"])
    assert (
        (one + two).layers == (two + one).layers == one.layers == one.shard(0, 2).layers == one.choose(b"\x01").layers
    )
    assert one.swapped().layers == {"source.pos": "hanta+lang=en", "lemma": "simplemma+lang=de"}
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(DataError, match="layers are made by different annotators"):
        one + replace(two, layers={"pos": "udpipe+lang=en"})
