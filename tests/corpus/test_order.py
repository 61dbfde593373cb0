from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.corpus import order, shuffle, split
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.rng import Stream

pairs = st.lists(st.tuples(st.sampled_from("abcdefghij"), st.sampled_from("uvwxyz")), max_size=40)


@given(pairs, st.integers(0, 99))
def test_a_shuffle_is_the_permutation_of_its_stream(items: list[tuple[str, str]], seed: int) -> None:
    shuffled = shuffle(Bitext.from_pairs(items, source_lang="de"), seed=seed)
    assert list(shuffled) == [items[place] for place in Stream(seed, "shuffle").permutation(len(items))]
    assert list(shuffled) == list(shuffled)
    assert shuffled.source_lang == "de"


def test_buckets_on_disk_change_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    items = [(f"{n}\n\ud800", "ü" * n) for n in range(300)]
    expected = list(shuffle(Bitext.from_pairs(items), seed=5))
    monkeypatch.setattr(order, "_IN_MEMORY", 64)
    monkeypatch.setattr("dragoman.data.bitext.Bitext.batches.__defaults__", (7,))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert list(shuffle(Bitext.from_pairs(items), seed=5)) == expected
    assert sorted(expected) == sorted(items)
    assert list(tmp_path.iterdir()) == []


@given(pairs, st.integers(0, 5), st.integers(0, 5), st.sampled_from(["line", "source", "target", "either"]))
def test_parts_are_exact_disjoint_and_in_order(
    items: list[tuple[str, str]], n_dev: int, n_test: int, by: order.By
) -> None:
    numbered = Bitext.from_pairs(items)
    if n_dev + n_test > len(items):
        with pytest.raises(
            DataError, match=rf"dev, test: {n_dev} \+ {n_test} pairs are asked for, but .* has {len(items)}"
        ):
            split(numbered, {"dev": n_dev, "test": n_test}, seed=1, by=by)
        return
    try:
        found = split(numbered, {"dev": n_dev, "test": n_test}, seed=1, by=by)
    except DataError as error:
        assert by != "line"
        assert "come in groups that are too large" in str(error)  # noqa: PT017 - only some inputs raise
        return
    parts = {name: list(part) for name, part in found.parts.items()}
    assert list(parts) == ["dev", "test", "train"]
    assert {name: len(part) for name, part in parts.items()} == found.sizes
    assert (found.sizes["dev"], found.sizes["test"]) == (n_dev, n_test)
    assert sum((Counter(part) for part in parts.values()), Counter()) == Counter(items)
    for name, part in parts.items():
        others = [pair for other, rest in parts.items() if other != name for pair in rest]
        for side, kept_together in ((0, {"source", "either"}), (1, {"target", "either"})):
            if by in kept_together:
                assert not {pair[side] for pair in part} & {pair[side] for pair in others}
        sources = {src for src, _ in others}
        assert found.shared_sources[name] == sum(src in sources for src, _ in part)


def test_parts_keep_the_order_of_the_whole() -> None:
    items = [(f"{n:03}", "x") for n in range(200)]
    for part in split(Bitext.from_pairs(items), {"dev": 50}, seed=4).parts.values():
        assert list(part) == sorted(part)


def test_the_seed_decides_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    items = Bitext.from_pairs([(str(n % 150), str(n)) for n in range(200)])
    dev = list(split(items, {"dev": 20}, seed=1, by="source").parts["dev"])
    monkeypatch.setattr("dragoman.data.bitext.Bitext.batches.__defaults__", (11,))
    assert list(split(items, {"dev": 20}, seed=1, by="source").parts["dev"]) == dev
    assert list(split(items, {"dev": 20}, seed=2, by="source").parts["dev"]) != dev


def test_every_pair_is_as_likely_as_any_other_to_be_drawn() -> None:
    items = Bitext.from_pairs([(str(n), "") for n in range(20)])
    drawn = Counter(src for seed in range(400) for src, _ in split(items, {"dev": 5}, seed=seed).parts["dev"])
    # 400 draws with p = 1/4: mean 100, standard deviation 8.7.
    assert all(65 <= drawn[str(n)] <= 135 for n in range(20))


def test_chains_of_shared_sides_stay_together() -> None:
    chain = [("a", "1"), ("b", "1"), ("b", "2"), ("c", "2"), ("c", "3")]
    items = Bitext.from_pairs([*chain, *[(f"s{n}", f"t{n}") for n in range(10)]])
    for seed in range(10):
        found = split(items, {"dev": 6}, seed=seed, by="either")
        assert len(set(chain) & set(found.parts["dev"])) in (0, 5)


def test_the_report_names_parts_seed_and_overlap() -> None:
    found = split(Bitext.from_pairs([("a", "x")] * 4), {"dev": 1}, seed=9)
    assert found.to_dict()["rows"] == [
        {"part": "dev", "pairs": 1, "share": 0.25, "shared_sources": 1},
        {"part": "train", "pairs": 3, "share": 0.75, "shared_sources": 3},
    ]
    assert found.meta() == {"seed": 9, "by": "line", "pairs": 4}
    assert "By lines, seed 9." in found.render("text")


@pytest.mark.parametrize(
    ("sizes", "options", "message"),
    [
        ({"dev": 3}, {"by": "source"}, "'dev' cannot have exactly 3 pairs: by source, .* too large; 0 fit"),
        ({"dev": 1}, {"by": "word"}, "A bitext is split by line, source, target or either, got by='word'"),
        ({"train": 1}, {}, "The part 'train' takes what remains; it cannot have a size as well"),
        ({"dev": -1}, {}, "The part 'dev' cannot have -1 pairs"),
        ({"a/b": 1}, {}, "'a/b' cannot name a part"),
        ({"dev": 5}, {}, "dev: 5 pairs are asked for, but pairs in memory has 4"),
    ],
)
def test_wrong_splits_are_named(sizes: dict[str, int], options: dict[str, order.By], message: str) -> None:
    with pytest.raises(DataError, match=message):
        split(Bitext.from_pairs([("a", "x")] * 4), sizes, seed=1, **options)


@pytest.mark.realdata
def test_captions_split_by_source_share_none(data_folder: Path) -> None:
    folder = data_folder / "multi30k"
    captions = Bitext.from_files(folder / "train.en.gz", folder / "train.de.gz")
    by_line = split(captions, {"dev": 1000, "test": 1000}, seed=3)
    by_source = split(captions, {"dev": 1000, "test": 1000}, seed=3, by="source")
    assert sum(by_line.shared_sources.values()) > 0
    assert sum(by_source.shared_sources.values()) == 0
    assert dict(by_source.sizes) == {"dev": 1000, "test": 1000, "train": 27000}
