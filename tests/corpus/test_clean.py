from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.corpus import FILTERS, Filter, PairBatch, clean
from dragoman.corpus import filters as filters_module
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError, NotAvailable, UnknownName

GERMAN = "Der Ausschuss hat gestern über den neuen Haushalt beraten und ihn beschlossen."
ENGLISH = "The committee discussed the new budget yesterday and adopted it."

pairs = st.lists(st.tuples(st.text("ab ", max_size=6), st.text("ab ", max_size=6)), max_size=25)


def bitext(*items: tuple[str, str]) -> Bitext:
    return Bitext.from_pairs(items, source_lang="de", target_lang="en")


@pytest.mark.parametrize(
    ("name", "bad", "good"),
    [
        ("empty", [("", "x"), ("x", " \u3000")], [("x", "y")]),
        ("length:low=2,high=3", [("a", "a b"), ("a b", "a b c d")], [("a b", "a b c")]),
        ("length:high=3,unit=characters", [("abcd", "a")], [("a b", "abc")]),
        ("ratio:high=2", [("a b c d e", "a b"), ("a", "a b c")], [("a b c d", "a b")]),
        ("ratio:high=2,unit=characters", [("日本語日本", "ab")], [("日本語日", "ab")]),
        ("long-token:high=4", [("abcde", "a")], [("abcd efgh", "a")]),
        ("copy", [("Ein  Haus", "ein haus ")], [("Haus", "house")]),
        ("duplicate", [("a", "b")], [("a", "b"), ("a", "c"), ("b", "b")]),
        ("duplicate:by=source", [("a", "c")], [("a", "b"), ("b", "b")]),
        ("duplicate:by=target", [("b", "b")], [("a", "b"), ("a", "c")]),
        ("duplicate:near=true", [("Seite 12!", "page 12")], [("seite 11", "Page, 99"), ("Seite 111", "page 111")]),
        ("repetition:most=2", [("a", "b")], [("a", "b"), ("a", "b"), ("b", "a")]),
        ("script", [("где ты?", "where"), ("wo", "где")], [("wo? 7", "where"), ("5", "где w her")]),
        ("letters", [("1, 2, 3, 4 a", "a"), ("a", "...")], [("Seite 12", "page 12")]),
        ("language", [(GERMAN, GERMAN), (ENGLISH, ENGLISH)], [(GERMAN, ENGLISH), ("Berlin", "Berlin")]),
    ],
)
def test_each_filter_stops_what_it_says(name: str, bad: list[tuple[str, str]], good: list[tuple[str, str]]) -> None:
    found = clean(bitext(*good, *bad), [name], examples=10)
    assert list(found.kept) == good
    assert found.steps[0].removed == len(bad)
    assert [(src, tgt) for _, src, tgt in found.steps[0].examples] == bad
    assert [number for number, _, _ in found.steps[0].examples] == list(range(len(good) + 1, len(good) + len(bad) + 1))


def test_every_filter_is_tried_above() -> None:
    marks = test_each_filter_stops_what_it_says.pytestmark  # type: ignore[attr-defined]
    names = {row[0].partition(":")[0] for row in marks[0].args[1]}
    assert names | {"learnt"} == set(FILTERS.names())  # which needs a model: see test_learnt.py


@given(pairs, st.integers(1, 3))
def test_a_cap_keeps_the_first_copies_of_each_pair(items: list[tuple[str, str]], most: int) -> None:
    kept = list(clean(bitext(*items), [f"repetition:most={most}"]).kept)
    assert Counter(kept) == Counter({pair: min(count, most) for pair, count in Counter(items).items()})
    seen: Counter[tuple[str, str]] = Counter()
    expected = []
    for pair in items:
        seen[pair] += 1
        if seen[pair] <= most:
            expected.append(pair)
    assert kept == expected


@given(pairs)
def test_every_pair_is_kept_or_counted_once(items: list[tuple[str, str]]) -> None:
    found = clean(bitext(*items), ["empty", "length:high=2", "copy", "duplicate"])
    assert found.pairs == len(items)
    assert found.left == len(list(found.kept)) == len(items) - sum(step.removed for step in found.steps)
    naive = []
    for src, tgt in items:
        sizes = len(src.split()), len(tgt.split())
        if min(sizes) >= 1 and max(sizes) <= 2 and src.split() != tgt.split() and (src, tgt) not in naive:
            naive.append((src, tgt))
    assert list(found.kept) == naive


def test_batches_do_not_change_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [(f"a {n % 7}", f"b {n % 3}") for n in range(50)]
    whole = clean(bitext(*items), ["duplicate", "length"])
    monkeypatch.setattr("dragoman.data.bitext.Bitext.batches.__defaults__", (3,))
    again = clean(bitext(*items), ["duplicate", "length"], n_threads=7)
    assert again.steps == whole.steps
    assert list(again.kept) == list(whole.kept)


def test_the_report_names_filter_counts_and_examples() -> None:
    found = clean(bitext(("a", "b"), ("", "b"), ("a", "a")), ["empty", "copy", "duplicate"])
    assert found.to_dict()["rows"] == [
        {"filter": "empty", "removed": 1, "share": 1 / 3, "left": 2},
        {"filter": "copy", "removed": 1, "share": 1 / 3, "left": 1},
        {"filter": "duplicate", "removed": 0, "share": 0.0, "left": 1},
    ]
    assert found.meta()["examples"][0] == {"filter": "empty", "pair": 2, "src": "", "tgt": "b"}
    assert "1 of 3 pairs left." in found.render("text")
    nothing = clean(bitext(), ["empty"])
    assert (nothing.left, nothing.to_dict()["rows"][0]["share"]) == (0, None)
    assert list(clean(bitext(("a", "b")), []).kept) == [("a", "b")]


def test_a_filter_of_ones_own_is_handed_over() -> None:
    @dataclass(frozen=True)
    class NoShouting(Filter):
        """A side has no small letter."""

        name: ClassVar[str] = "no-shouting"

        def start(self, source_lang: str | None, target_lang: str | None) -> filters_module.Judge:
            return lambda pairs: np.array([src.isupper() for src in pairs.srcs], dtype=np.bool_)

    assert list(clean(bitext(("LAUT", "loud"), ("leise", "quiet")), [NoShouting()]).kept) == [("leise", "quiet")]


@pytest.mark.parametrize("name", FILTERS.names())
def test_signatures_are_read_back(name: str) -> None:
    chosen = FILTERS.get(name)()
    assert chosen.signature() == name
    assert FILTERS.make(chosen.signature()) == chosen
    assert FILTERS.get(name).__doc__


def test_changed_options_stand_in_the_signature() -> None:
    chosen = FILTERS.make("duplicate:by=source,near=true")
    assert chosen == filters_module.Duplicate(by="source", near=True)
    assert FILTERS.make(chosen.signature()) == chosen


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("lenght", UnknownName, "No filter is called 'lenght'. Did you mean 'length'?"),
        ("length:hi=3", DataError, "The filter 'length' has no option 'hi'. Known: low, high, unit"),
        ("empty:x", DataError, "'x' is no option; write options as name=value"),
        ("length:high=long", DataError, "The option 'high' is a whole number, got 'long'"),
        ("ratio:high=x", DataError, "The option 'high' is a number, got 'x'"),
        ("duplicate:near=maybe", DataError, "The option 'near' is yes or no, got 'maybe'"),
        ("length:low=9,high=3", DataError, "The filter length:low=9,high=3 would leave nothing"),
        (
            "length:unit=words",
            DataError,
            "The 'unit' option of Length must be one of 'tokens', 'characters'. Got 'words'",
        ),
        ("ratio:high=0.5", DataError, "The 'high' option of Ratio must be at least 1. Got 0.5"),
        (
            "duplicate:by=both",
            DataError,
            "The 'by' option of Duplicate must be one of 'pair', 'source', 'target'. Got 'both'",
        ),
        ("repetition:most=0", DataError, "The 'most' option of Repetition must be at least 1 and at most 65534. Got 0"),
    ],
)
def test_wrong_filters_are_named_before_work_starts(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message.replace("?", r"\?")):
        clean(Bitext.from_files("/none/a", "/none/b"), [text])


def test_languages_must_be_known_where_they_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("script", "language"):
        with pytest.raises(DataError, match=f"The filter {name} must know the languages of both sides"):
            clean(Bitext.from_pairs([]), [name])
    with pytest.raises(DataError, match="does not know 'yi'; leave the language filter out"):
        clean(Bitext.from_pairs([], source_lang="yi", target_lang="en"), ["language"])
    monkeypatch.setattr("dragoman.corpus.language.language_guesser_available", lambda: False)
    with pytest.raises(NotAvailable, match=r'needs the package py3langid. .* pip install "dragoman\[lid\]"'):
        clean(Bitext.from_pairs([], source_lang="de", target_lang="en"), ["language"])


def test_profiles_are_passed_on_to_the_next_filter() -> None:
    whole = PairBatch(["a", "b c", "d e f"], ["x", "y", "z"])
    assert whole.src_profiles["tokens"].tolist() == [1, 2, 3]
    part = whole.take(np.array([0, 2]))
    assert "src_profiles" in part.__dict__
    assert "tgt_profiles" not in part.__dict__
    assert part.src_profiles["tokens"].tolist() == [1, 3]
    assert part.srcs == ["a", "d e f"]


@pytest.mark.realdata
def test_captions_lose_next_to_nothing(data_folder: Path) -> None:
    folder = data_folder / "multi30k"
    captions = Bitext.from_files(folder / "train.en.gz", folder / "train.de.gz", source_lang="en", target_lang="de")
    found = clean(captions, ["empty", "length", "ratio", "long-token", "copy", "script", "letters", "duplicate"])
    assert found.pairs == 29_000
    assert found.left >= 28_990
