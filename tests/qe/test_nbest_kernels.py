"""Kernels of n-best lists against their definitions, written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, log, log10
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import _core
from dragoman.errors import DataError

WORDS = st.lists(st.integers(0, 4), max_size=7)
LISTS = st.lists(st.tuples(WORDS, st.lists(WORDS, max_size=5)), max_size=4)


def flat(sequences: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    ids = np.array([word for each in sequences for word in each], dtype=np.int32)
    return ids, np.cumsum([0, *map(len, sequences)], dtype=np.int64)


def arrays(pairs: Sequence[tuple[list[int], list[list[int]]]]) -> tuple[Any, ...]:
    outputs, lists = [output for output, _ in pairs], [entries for _, entries in pairs]
    return (
        *flat(outputs),
        *flat([e for each in lists for e in each]),
        np.cumsum([0, *map(len, lists)], dtype=np.int64),
    )


def script(output: list[int], entry: list[int]) -> list[tuple[str, int, int]]:
    """A shortest edit script that, seen from the end, prefers matches and substitutions to deletions to insertions."""
    n, m = len(output), len(entry)
    cost = [[max(i, j) if 0 in (i, j) else 0 for j in range(m + 1)] for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            same = output[i - 1] == entry[j - 1]
            cost[i][j] = min(cost[i - 1][j - 1] + (not same), cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    i, j, steps = n, m, []
    while i or j:
        if i and j and output[i - 1] == entry[j - 1] and cost[i][j] == cost[i - 1][j - 1]:
            steps.append(("match", i := i - 1, j := j - 1))
        elif i and j and cost[i][j] == cost[i - 1][j - 1] + 1:
            steps.append(("substitute", i := i - 1, j := j - 1))
        elif i and cost[i][j] == cost[i - 1][j] + 1:
            steps.append(("delete", i := i - 1, j))
        else:
            steps.append(("insert", i, j := j - 1))
    return steps[::-1]


def agrees(criterion: str, output: list[int], entry: list[int], i: int, n: int, mean: float | None = None) -> bool:
    words = output[i : i + n]
    places = [j for j in range(len(entry) - n + 1) if entry[j : j + n] == words]
    if criterion == "position":
        return i in places
    if criterion == "any":
        return bool(places)
    if criterion == "levenshtein":
        kept = {a: b for step, a, b in script(output, entry) if step == "match"}
        return all(i + k in kept and kept[i + k] == kept.get(i, -9) + k for k in range(n))
    return bool(places) and mean is not None and abs(min(places, key=lambda j: abs(j - i)) - mean) <= 1 + 1e-9


def mean_place(output: list[int], entries: list[list[int]], weights: list[float], i: int, n: int) -> float | None:
    total = place = 0.0
    for entry, weight in zip(entries, weights, strict=True):
        found = [j for j in range(len(entry) - n + 1) if entry[j : j + n] == output[i : i + n]]
        if found:
            total += weight
            place += weight * min(found, key=lambda j: abs(j - i))
    return place / total if total else None


@given(LISTS, st.data())
def test_confidence_is_its_definition(pairs: list[tuple[list[int], list[list[int]]]], data: st.DataObject) -> None:
    n_entries = sum(len(entries) for _, entries in pairs)
    weights = np.array(
        data.draw(
            st.lists(
                st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=2, max_size=2),
                min_size=n_entries,
                max_size=n_entries,
            )
        ),
        dtype=np.float64,
    ).reshape(n_entries, 2)
    found, network = _core.nbest.confidences(*arrays(pairs), weights, n_threads=1)
    token, first = 0, 0
    for output, entries in pairs:
        own = weights[first : first + len(entries)]
        first += len(entries)
        for i in range(len(output)):
            for c, criterion in enumerate(("position", "levenshtein", "any", "average")):
                for w in range(2):
                    for n in range(1, 5):
                        value = found[token, c, w, n - 1]
                        if i + n > len(output):
                            assert np.isnan(value)
                            continue
                        mean = mean_place(output, entries, own[:, w].tolist(), i, n)
                        good = sum(
                            weight
                            for entry, weight in zip(entries, own[:, w], strict=True)
                            if agrees(criterion, output, entry, i, n, mean)
                        )
                        total = own[:, w].sum()
                        assert value == pytest.approx(good / total if total else 0.0)
            alternatives: Counter[int | None] = Counter()
            for entry, weight in zip(entries, own[:, 0], strict=True):
                step = next((s, b) for s, a, b in script(output, entry) if a == i and s != "insert")
                alternatives[None if step[0] == "delete" else entry[step[1]]] += weight
            shares = [v / sum(alternatives.values()) for v in alternatives.values() if v > 0]
            expected = (
                [max(shares), min(shares), len(shares), -sum(p * log(p) for p in shares)] if shares else [0.0] * 4
            )
            assert network[token].tolist() == pytest.approx(expected)
            token += 1
    for n_threads in (2, 7):
        again = _core.nbest.confidences(*arrays(pairs), weights, n_threads=n_threads)
        assert np.array_equal(again[0], found, equal_nan=True)
        assert np.array_equal(again[1], network)


def confident(output: str, entries: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    numbers: dict[str, int] = {}
    lines = [[numbers.setdefault(w, len(numbers)) for w in line.split()] for line in (output, *entries)]
    weights = np.array([[p] for p in entries.values()])
    found, network = _core.nbest.confidences(*arrays([(lines[0], lines[1:])]), weights, n_threads=1)
    return found[:, :, 0, :], network


def test_three_entries_by_hand() -> None:
    found, network = confident("a b c", {"a b c": 0.5, "a c": 0.3, "b c a": 0.2})
    position, levenshtein, anywhere, average = (found[:, c, :] for c in range(4))
    assert position[:, 0].tolist() == pytest.approx([0.8, 0.5, 0.5])
    assert levenshtein[:, 0].tolist() == pytest.approx([0.8, 0.7, 1.0])
    assert anywhere[:, 0].tolist() == pytest.approx([1.0, 0.7, 1.0])
    # Mean places: a 0.2 · 2 = 0.4, b 0.5 · 1 / 0.7, c 0.5 · 2 + 0.3 + 0.2 = 1.5: "a" of the third is 1.6 words away.
    assert average[:, 0].tolist() == pytest.approx([0.8, 0.7, 1.0])
    assert position[0, 1:3].tolist() == pytest.approx([0.5, 0.5])
    assert levenshtein[1, 1] == pytest.approx(0.7)  # "b c", of the first and the third
    assert anywhere[0, 1:3].tolist() == pytest.approx([0.5, 0.5])
    assert np.isnan(found[2, :, 1]).all()
    assert np.isnan(found[:, :, 3]).all()
    assert exp(np.log(levenshtein[:, 0]).mean()) == pytest.approx(0.8243, abs=1e-4)
    # Place 1 of the network: "a" of the first two; the third has nothing there.
    assert network[0].tolist() == pytest.approx([0.8, 0.2, 2, -0.8 * log(0.8) - 0.2 * log(0.2)])


@given(LISTS)
def test_diversity_is_its_definition(pairs: list[tuple[list[int], list[list[int]]]]) -> None:
    found = _core.nbest.diversities(*arrays(pairs), 4, n_threads=1)
    for row, (_, entries) in zip(found.tolist(), pairs, strict=True):
        some = entries[:4]
        if not some:
            assert row == [0.0] * 9
            continue
        d = [[sum(s != "match" for s, _, _ in script(a, b)) for b in some] for a in some]
        sums = [sum(each) for each in d]
        central = sums.index(min(sums))
        n = len(some)
        assert row[0] == central
        assert row[1] == pytest.approx(sums[central] / (n - 1) if n > 1 else 0)
        assert row[2] == d[0][central]
        assert row[3:7] == [sum(each <= near for each in d[0][1:]) for near in (1, 2, 5, 10)]
        assert row[7] == sum(each == some[0] for each in some[1:])
        assert row[8] == pytest.approx(sum(sums) / (n * (n - 1)) if n > 1 else 0)
    assert np.array_equal(_core.nbest.diversities(*arrays(pairs), 4, n_threads=2), found)


def naive_log_p(output: list[int], entries: list[list[int]], order: int) -> float:
    padded = [["<s>", *entry, "</s>"] for entry in entries]
    words = {w for entry in entries for w in entry}

    def p(word: object, context: list[object]) -> float:
        if not context:
            flat = [w for entry in padded for w in entry[1:]]
            types = len(words) + bool(entries)
            floor = 1 / (len(words) + 2)
            return (flat.count(word) + types * floor) / (len(flat) + types) if flat else floor
        after = [
            entry[j]
            for entry in padded
            for j in range(len(context), len(entry))
            if entry[j - len(context) : j] == context
        ]
        shorter = p(word, context[1:])
        return (after.count(word) + len(set(after)) * shorter) / (len(after) + len(set(after))) if after else shorter

    line: list[object] = ["<s>", *output, "</s>"]
    return sum(log10(p(line[i], line[max(0, i - order + 1) : i])) for i in range(1, len(line)))


@given(LISTS)
def test_models_of_lists_are_their_definition(pairs: list[tuple[list[int], list[list[int]]]]) -> None:
    found = _core.nbest.list_log_p(*arrays(pairs), n_threads=1)
    for row, (output, entries) in zip(found.tolist(), pairs, strict=True):
        assert row == pytest.approx([naive_log_p(output, entries, order) for order in range(1, 6)])
    assert np.array_equal(_core.nbest.list_log_p(*arrays(pairs), n_threads=2), found)


def test_arrays_that_do_not_fit_are_refused() -> None:
    outputs, ends, entries, entry_ends, lists = arrays([([1, 2], [[1], [2]])])
    weights = np.ones((2, 1))
    with pytest.raises(DataError, match="offsets of entries must rise from 0 to 2"):
        _core.nbest.list_log_p(outputs, ends, entries, entry_ends[:-1], lists, n_threads=1)
    more = np.array([0, 1, 2], dtype=np.int64)
    with pytest.raises(DataError, match="one list for each output, got 2 lists for 1 outputs"):
        _core.nbest.confidences(outputs, ends, entries, entry_ends, more, weights, n_threads=1)
    with pytest.raises(DataError, match="1 weights for each of 2 entries, got 1"):
        _core.nbest.confidences(outputs, ends, entries, entry_ends, lists, weights[:1], n_threads=1)
    with pytest.raises(DataError, match="finite and not negative"):
        _core.nbest.confidences(outputs, ends, entries, entry_ends, lists, -weights, n_threads=1)
