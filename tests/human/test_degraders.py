"""Degraders: how much they change, and what they leave alone (DA-SCALE §4, DA-TIME §4.2, the released tools)."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, UnknownName
from dragoman.human.direct_assessment.degraders import Delete, Duplicate, Replace, degrade, deleted_words
from dragoman.human.draws import Draws

lengths = st.integers(1, 70)
seeds = st.integers(0, 10_000)


def words(n: int) -> list[str]:
    return [f"w{i}" for i in range(n)]


@given(st.integers(4, 60), seeds)
def test_duplicates_are_inside_and_not_beside_their_originals(n: int, seed: int) -> None:
    worse = Duplicate().degrade(words(n), Draws(seed, "d"), lang="en")
    assert worse is not None
    assert len(worse) == n + 2
    assert (worse[0], worse[-1]) == ("w0", f"w{n - 1}")
    doubled = [word for word, count in Counter(worse).items() if count == 2]
    assert len(doubled) == 2
    assert all(a != b for a, b in itertools.pairwise(worse))
    kept = [word for i, word in enumerate(worse) if word not in doubled or worse.index(word) == i]
    assert set(kept) == set(words(n))


def test_duplicates_reach_every_legal_place() -> None:
    seen = {tuple(Duplicate().degrade(words(4), Draws(seed, "d"), lang=None) or ()) for seed in range(400)}
    # Four words: w0 and w3 have two gaps, w1 and w2 one; two copies in one gap stand in the order of the draw.
    assert len(seen) > 12


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_short_texts_are_not_duplicated(n: int) -> None:
    assert Duplicate().degrade(words(n), Draws(1, "d"), lang="en") is None


# DA-TIME §4.2 and the acceptance line of the specification.
@pytest.mark.parametrize(
    ("n", "k"),
    [
        (2, 1),
        (3, 1),
        (4, 2),
        (5, 2),
        (6, 3),
        (8, 3),
        (9, 4),
        (15, 4),
        (16, 5),
        (20, 5),
        (21, 5),
        (25, 5),
        (26, 6),
        (30, 6),
        (31, 7),
        (100, 20),
    ],
)
def test_how_many_words_are_deleted(n: int, k: int) -> None:
    assert deleted_words(n) == k
    worse = Delete().degrade(words(n), Draws(3, "d"), lang="en")
    assert worse is not None
    assert len(worse) == n - k


@given(st.integers(2, 80), seeds)
def test_a_run_is_deleted_between_the_ends(n: int, seed: int) -> None:
    worse = Delete().degrade(words(n), Draws(seed, "d"), lang="en")
    assert worse is not None
    k = deleted_words(n)
    starts = [start for start in range(1, n) if worse == words(n)[:start] + words(n)[start + k :]]
    assert starts
    assert worse[0] == "w0"
    assert n == 2 or worse[-1] == f"w{n - 1}"


def test_every_start_of_the_run_occurs() -> None:
    n, k = 12, 4
    seen = set()
    for seed in range(200):
        worse = Delete().degrade(words(n), Draws(seed, "d"), lang="en")
        assert worse is not None
        seen.add(next(i for i in range(n) if worse[i] != f"w{i}"))
    assert seen == set(range(1, n - k))


def test_one_word_becomes_an_article() -> None:
    assert degrade("Yes", lang="en") == "The"
    assert degrade("Oui", lang="fr-CA") == "La"
    assert degrade("Ja", lang="de") == "Die"
    assert degrade("the", lang="en") is None
    assert degrade("Ano", lang="cs") is None
    assert degrade("", lang="en") is None
    assert degrade("   ", lang="en") is None


def replaced_words(n: int) -> int:
    table = [(2, 1), (3, 1), (5, 2), (7, 3), (14, 4), (19, 5)]
    return next((k for longest, k in table if n <= longest), n // 4)


@given(lengths, seeds)
def test_a_run_is_replaced_by_words_from_inside_other_references(n: int, seed: int) -> None:
    pool = [[f"r{i}.{j}" for j in range(length)] for i, length in enumerate((3, 9, 12))]
    ends = {end for line in pool for end in (line[0], line[-1])}
    worse = Replace().degrade(words(n), Draws(seed, "d"), lang="en", pool=pool)
    assert worse is not None
    new = [word for word in worse if word not in words(n)]
    k = replaced_words(n)
    assert len(new) == min(k, 6)
    assert len(worse) == n - k + min(k, 6)
    assert not {word.lower() for word in new} & ends
    if n > 1:
        assert worse[0] == "w0"
    else:
        assert new[0].startswith("R")
    if n > 2:
        assert worse[-1] == f"w{n - 1}"
    places = [worse.index(word) for word in new]
    assert places == list(range(places[0], places[0] + len(new)))


def test_replacing_needs_other_words() -> None:
    assert degrade("a b c", degrader="replace", pool=["a b c"]) is None  # only b is inside, and b is what goes
    assert degrade("a b c", degrader="replace", pool=["x y"]) is None  # nothing lies between its ends
    with pytest.raises(DataError, match=r"^The degrader 'replace' takes words from other references; give some"):
        degrade("a b c", degrader="replace")
    with pytest.raises(UnknownName, match=r"^No degrader is called 'delte'\. Did you mean 'delete'\?"):
        degrade("a", degrader="delte")


def test_scripts_without_spaces_are_cut_by_character() -> None:
    worse = degrade("今天天气很好我们去公园", lang="zh")
    assert worse is not None
    assert len(worse) == 11 - 4
    assert (worse[0], worse[-1]) == ("今", "园")


def test_the_same_seed_gives_the_same_text() -> None:
    text = "the quick brown fox jumps over the lazy dog"
    assert degrade(text, seed=5) == degrade(text, seed=5)
    assert len({degrade(text, seed=seed) for seed in range(20)}) > 1
