"""The corpus kernels against their slow definitions."""

from __future__ import annotations

import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core import corpus as core
from dragoman.corpus.profiles import Profiles
from dragoman.errors import DataError

lines = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=12)
words = st.lists(st.text("abAB ,.\t\u3000é", max_size=20), max_size=12)


def naive_profile(line: str) -> dict[str, int]:
    tokens = line.split()
    kind = [unicodedata.category(char) for char in line]
    return {
        "tokens": len(tokens),
        "characters": len(line),
        "longest_token": max(map(len, tokens), default=0),
        "digits": kind.count("Nd"),
        "punctuation": sum(k.startswith("P") for k in kind),
        "controls": sum(k == "Cc" and char != "\t" for k, char in zip(kind, line, strict=True)),
        "outer_space": (1 if line[:1].isspace() else 0) + (2 if line[-1:].isspace() else 0),
        "detached_marks": sum(token in {",", "."} for token in tokens),
        "attached_marks": sum(len(token) > 1 and token[-1] in ",." and token[-2].isalpha() for token in tokens),
    }


@given(st.one_of(lines, words))
def test_profiles_count_what_the_definition_says(batch: list[str]) -> None:
    profiles = Profiles.of(batch)
    assert len(profiles) == len(batch)
    for number, line in enumerate(batch):
        if unicodedata.unidata_version < "16" and any(unicodedata.category(char) == "Cn" for char in line):
            continue  # characters that Python's tables do not have yet
        for field, expected in naive_profile(line).items():
            if field == "attached_marks" and not line.isascii():
                continue  # Alphabetic is wider than str.isalpha
            assert profiles[field][number] == expected, (field, line)


def test_marks_of_damage_are_counted() -> None:
    profiles = Profiles.of(["a\x00b\x85", "\ufeffab\ufeff\ufffd", "ufo \ufffe", "MÃ¼ller â€“ ok", "fine\ttoo"])
    assert profiles["controls"].tolist() == [2, 0, 0, 0, 0]
    assert profiles["invalid"].tolist() == [0, 2, 1, 0, 0]
    assert profiles["mojibake"].tolist() == [0, 0, 0, 2, 0]


def test_a_line_of_a_megabyte_is_a_line() -> None:
    profiles = Profiles.of(["x" * 1_000_000, ""])
    assert profiles["longest_token"].tolist() == [1_000_000, 0]


@given(lines)
def test_hashes_are_equal_where_lines_are(batch: list[str]) -> None:
    doubled = core.hash_lines([*batch, *batch])
    assert np.array_equal(doubled[: len(batch)], doubled[len(batch) :])
    assert len(set(doubled.tolist())) == len(set(batch))


@given(st.lists(words, max_size=4))
def test_types_and_repeats_are_counted_as_by_hand(batches: list[list[str]]) -> None:
    types, repeats = core.TypeCounter(), core.RepeatCounter()
    tokens: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for batch in batches:
        assert types.add(batch).tolist() == [len(line.split()) for line in batch]
        tokens.update(token for line in batch for token in line.split())
        expected = []
        for line in batch:
            seen[line] += 1
            expected.append(seen[line])
        assert repeats.add(core.hash_lines(batch)).tolist() == expected
    assert types.types == len(tokens)
    assert types.tokens == tokens.total()
    assert types.hapaxes == sum(count == 1 for count in tokens.values())
    assert repeats.distinct == len(seen)


@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_threads_do_not_change_the_answer(n_threads: int) -> None:
    batch = [f"Zeile {n}, mit (Klammer) ." for n in range(100)]
    assert np.array_equal(Profiles.of(batch, n_threads=n_threads).table, Profiles.of(batch).table)
    assert np.array_equal(core.hash_lines(batch, n_threads=n_threads), core.hash_lines(batch))
    assert np.array_equal(
        core.hash_lines(batch, skeleton=True, n_threads=n_threads), core.hash_lines(batch, skeleton=True)
    )


def test_near_duplicates_share_a_skeleton() -> None:
    one, two, three = core.hash_lines(["on page 12: yes!", "on page 34 – yes", "on page 345 – yes"], skeleton=True)
    assert one == two != three


def test_a_lone_surrogate_is_named() -> None:
    for kernel in (core.profile_lines, core.hash_lines, core.TypeCounter().add):
        with pytest.raises(DataError, match="Line 2 holds a lone surrogate"):
            kernel(["fine", "bad \ud800"])


def test_arrays_are_not_converted() -> None:
    with pytest.raises(TypeError):
        core.RepeatCounter().add(np.array([1, 2]))
    with pytest.raises(DataError, match="Two arrays of one length are needed, got 1 and 2"):
        core.hash_pairs(np.zeros(1, dtype=np.uint64), np.zeros(2, dtype=np.uint64))
    with pytest.raises(DataError, match="Sources and targets must have one line per segment, got 1 and 2"):
        core.fit_shifted(["a"], ["a", "b"], [0], centre=0.0, spread=1.0)
