"""Volume analysis: every kind of segment, words, weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.cat.analysis import WEIGHTS, analyse, count_words, read_weights
from dragoman.cat.memory import MemoryIndex, MemoryUnit
from dragoman.errors import DataError, FormatError

MEMORY = MemoryIndex(
    [
        MemoryUnit(1, "The first sentence.", "t1", "", "An old friend came to see me today."),
        MemoryUnit(2, "An old friend came to see me today.", "t2", "x", "y"),
        MemoryUnit(3, "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 w20", "t3"),
        MemoryUnit(4, "v1 v2 v3 v4 v5 v6 v7 v8", "t4"),
        MemoryUnit(5, "u1 u2 u3 u4", "t5"),
        MemoryUnit(6, "s1 s2", "t6"),
    ]
)
DOCUMENT = {
    "The first sentence.": "context",
    "An old friend came to see me today.": "100",
    "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16 w17 w18 w19 other": "95-99",
    "v1 v2 v3 v4 v5 v6 v7 other": "85-94",
    "u1 u2 u3 other": "75-84",
    "s1 other": "50-74",
    "Nobody has ever said this": "new",
    "Nobody has ever said that": "internal",
}


def test_every_kind_of_segment() -> None:
    documents = {"a": [*DOCUMENT], "b": ["Nobody has ever said this", "The first sentence."]}
    result = analyse(documents, MEMORY.matches_of)
    assert [kind for _, kind, _ in result.kinds] == [*DOCUMENT.values(), "repetition", "100"]
    assert [kind for _, kind, _ in analyse(documents, MEMORY.matches_of, has_engine=True).kinds[5:7]] == ["mt", "mt"]
    by_kind, by_document = (table.rows for table in result.tables())
    assert by_kind[-1] == ("total", 10, 63, None, pytest.approx(0 + 2.4 + 12 + 4.8 + 2.4 + 2 + 5 + 3 + 1.5 + 0.9))
    assert [row[:3] for row in by_document] == [("a", 8, 55), ("b", 2, 8)]
    assert result.to_dict()["meta"]["weighted_words"] == result.weighted_words


def test_codes_and_case_do_not_make_a_repetition_new() -> None:
    result = analyse({"a": ["see \ue000this\ue001 now", "see \ue003this\ue004 now", "See this now!"]})
    assert [kind for _, kind, _ in result.kinds] == ["new", "repetition", "internal"]


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("", 1),
        ("one", 1),
        ("don't e-mail me, now!", 4),
        ("a\ue000b", 2),
        ("猫がいる Mac", 5),
        ("— 3,000.50 —", 1),
        ("...", 1),
    ],
)
def test_words_are_counted_as_they_are_charged(text: str, n: int) -> None:
    assert count_words(text) == n


def test_weights_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "weights.toml"
    path.write_text('"75-84" = 50\nmt = 80\n')
    assert read_weights(path) == {**WEIGHTS, "75-84": 50, "mt": 80}
    assert analyse({"a": ["x"]}, weights=read_weights(path), has_engine=True).weighted_words == 0.8
    path.write_text("fuzzy = 50\n")
    with pytest.raises(FormatError, match=r"weights\.toml: There is no kind of segment 'fuzzy' to weigh\. Known: con"):
        read_weights(path)
    with pytest.raises(DataError, match="The weight of mt is 120; it has 0 to 100 per cent"):
        analyse({}, weights={**WEIGHTS, "mt": 120})
