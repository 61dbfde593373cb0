"""The index of a memory: what it finds is what comparing with every unit finds."""

from __future__ import annotations

import threading
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cat.memory import MemoryIndex, MemoryUnit, Query, tokens
from dragoman.errors import DataError
from tests.cat.naive_memory import naive_matches, naive_tokens

WORDS = st.sampled_from(["der", "Der", "Hund", "läuft", "ΣΟΦΟΣ", "42", "猫が", ",", "!", "\ue000", "\ue001", "§", "x"])
TEXTS = st.lists(WORDS, max_size=9).map(" ".join)
NEIGHBOURS = st.sampled_from([None, "", "vorher"])


@st.composite
def memories(draw: st.DrawFn) -> list[MemoryUnit]:
    rows = draw(st.lists(st.tuples(TEXTS, st.sampled_from("abcde"), NEIGHBOURS, NEIGHBOURS), max_size=25))
    return [MemoryUnit(number, *row) for number, row in enumerate(rows, start=1)]


@given(TEXTS)
def test_tokens_are_words_marks_and_codes(text: str) -> None:
    cut = tokens(text)
    assert [(token.form, token.kind) for token in cut] == naive_tokens(text)
    for token in cut:
        assert text[token.begin : token.end].lower() == token.form or token.kind == "code"


def test_scripts_without_spaces_are_cut_into_characters() -> None:
    assert [token.form for token in tokens("Mac上の猫がไม่มี")] == ["mac", *"上の猫が", "ไ", "ม่", "มี"]


@given(
    memories(),
    st.builds(Query, TEXTS, NEIGHBOURS, NEIGHBOURS),
    st.integers(0, 4),
    st.sampled_from([0, 33, 50, 75, 99, 100, 101]),
    st.data(),
)
def test_matches_are_those_of_comparing_with_every_unit(
    units: list[MemoryUnit], query: Query, most: int, threshold: int, data: st.DataObject
) -> None:
    index = MemoryIndex(units)
    gone = set(data.draw(st.lists(st.sampled_from(units), max_size=5))) if units else set()
    assert index.remove([unit.id for unit in gone]) == len(gone)
    left = [unit for unit in units if unit not in gone]
    found = [(match.unit, match.score) for match in index.matches(query, most=most, threshold=threshold)]
    assert found == naive_matches(query, left, most, threshold)
    assert len(index) == len(left)


def test_frequent_words_long_queries_and_many_units() -> None:
    """Beyond 4,096 units frequent words have columns; beyond 64 tokens distances are computed in another way."""
    random = Random(7)
    words = ["a", "of", "."] * 6 + [f"w{n}" for n in range(60)]
    sources = [" ".join(random.choices(words, k=random.choice((4, 9, 30, 90)))) for _ in range(6000)]
    units = [MemoryUnit(3 * n, source, f"t{n % 4000}") for n, source in enumerate(sources)]
    index = MemoryIndex(units)
    for source in random.sample(sources, 12):
        query = Query(" ".join(word for word in source.split() if random.random() < 0.8))
        found = [(match.unit, match.score) for match in index.matches(query, threshold=40)]
        assert found == naive_matches(query, units, 3, 40)
    texts = sources[:30]
    assert index.matches_of(texts, n_threads=7) == index.matches_of(texts) == [index.matches(text) for text in texts]


def test_a_query_may_have_more_of_a_word_than_a_column_can_say() -> None:
    units = [MemoryUnit(n, "a b", f"t{n}") for n in range(1, 5000)] + [MemoryUnit(5000, "a " * 300 + "b", "long")]
    (match,) = MemoryIndex(units).matches("a " * 301 + "b", threshold=90)
    assert (match.unit, match.score) == (5000, 100 * 301 / 302)


def test_the_levels_of_likeness() -> None:
    index = MemoryIndex([MemoryUnit(1, "The cat, \ue000sleeps\ue001.", "Die Katze schläft.", "Before.", "")])
    asked = {
        101: Query("The cat, \ue000sleeps\ue001.", "Before.", ""),
        100: Query("The cat, \ue000sleeps\ue001.", "Before.", None),
        99: Query("the cat sleeps!"),
        87: Query("The cat, \ue000sleeps\ue001 well."),
        71: Query("The dog, sleeps\ue000."),
    }
    assert {index.matches(query)[0].percent for query in asked.values()} == set(asked)
    assert index.matches(asked[87], threshold=88) == []
    with pytest.raises(DataError, match="Ask for 0 matches or more of 0 to 101 per cent, not for 3 of 120"):
        index.matches("x", threshold=120)


def test_ids_rise() -> None:
    index = MemoryIndex([MemoryUnit(5, "a", "b")])
    with pytest.raises(DataError, match="Unit 5 comes behind unit 5; units are added in the order of their ids"):
        index.add([MemoryUnit(5, "a", "b")])
    assert index.remove([5, 5, 6]) == 1


def naive_concordance(text: str, units: list[MemoryUnit], mode: str, side: str) -> list[int]:
    parts = [form for form, kind in naive_tokens(text) if kind != "code"]

    def has(forms: list[str]) -> bool:
        if mode == "words":
            return set(parts) <= set(forms)
        for at in range(len(forms) - len(parts) + 1):
            first, *inner, last = [*forms[at : at + len(parts)], ""] if len(parts) == 1 else forms[at : at + len(parts)]
            if len(parts) == 1:
                fits = parts[0] in first
            else:
                fits = first.endswith(parts[0]) and inner == parts[1:-1] and last.startswith(parts[-1])
            if fits:
                return True
        return False

    forms = {unit.id: [form for form, kind in naive_tokens(getattr(unit, side)) if kind != "code"] for unit in units}
    return [unit.id for unit in reversed(units) if parts and has(forms[unit.id])]


@given(
    memories(), TEXTS | st.sampled_from(["u", "un", "er h", "d l"]), st.sampled_from(["phrase", "words"]), st.booleans()
)
def test_concordance_is_that_of_reading_every_unit(units: list[MemoryUnit], text: str, mode: str, turn: bool) -> None:
    if turn:
        units = [MemoryUnit(unit.id, unit.target, unit.source) for unit in units]
    side = "target" if turn else "source"
    hits = MemoryIndex(units).concordance(text, mode=mode, side=side)  # type: ignore[arg-type]
    assert [hit.unit for hit in hits] == naive_concordance(text, units, mode, side)


def test_concordance_shows_where() -> None:
    units = [MemoryUnit(1, "Old Town Hall", "Altes Rathaus"), MemoryUnit(2, "the to\ue000wn hall, a TOWN  hall!", "x")]
    index = MemoryIndex(units)
    (found,) = index.concordance("own hall", most=1)
    assert [found.source[begin:end] for begin, end in found.spans] == ["TOWN  hall"]
    assert [hit.unit for hit in index.concordance("rathaus", side="target")] == [1]
    (words,) = index.concordance("hall old", mode="words")
    assert [words.source[begin:end] for begin, end in words.spans] == ["Old", "Hall"]
    index.remove([1])
    assert index.concordance("rathaus", side="target") == [] == index.concordance(" ")


def test_threads_may_ask_while_another_adds() -> None:
    index = MemoryIndex(MemoryUnit(n, f"sentence {n % 50} of many", str(n % 50)) for n in range(2000))
    faults: list[BaseException] = []

    def ask() -> None:
        try:
            for n in range(300):
                assert index.matches(f"sentence {n % 50} of many")[0].score == 100
                assert index.concordance(f"{n % 50} of")
        except BaseException as error:
            faults.append(error)

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for asker in askers:
        asker.start()
    for n in range(2000, 4000):
        index.add([MemoryUnit(n, f"sentence {n % 50} of many", str(n % 50))])
    for asker in askers:
        asker.join()
    assert faults == []
    assert len(index) == 4000
