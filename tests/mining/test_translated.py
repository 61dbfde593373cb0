"""Mates by translating one side: looked up by words, kept by edits."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dragoman.data.bitext import Bitext
from dragoman.engines.results import Candidate, Request, Translation
from dragoman.engines.roles import PLAIN, Translates
from dragoman.mining import Numbers, TranslatedMiner, TranslatedMining, mine

WORDS = {"hund": "dog", "katze": "cat", "rennt": "runs", "schläft": "sleeps", "der": "the", "die": "the", "im": "in"}


class WordForWord(Translates):
    """A dictionary."""

    @property
    def languages(self) -> tuple[str, str]:
        return "de", "en"

    def translations(
        self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1
    ) -> Sequence[Translation]:
        texts = [" ".join(WORDS.get(word, word) for word in line.split()) for line in lines]
        return [Translation(line, (Candidate(text),)) for line, text in zip(lines, texts, strict=True)]


SOURCES = ["der hund rennt", "die katze schläft", "etwas anderes"]
TARGETS = ["the cat sleeps soundly", "the dog runs", "1 2 3 the dog", "quite different matters here"]


def pairs(recipe: TranslatedMining | None = None, numbers: Numbers | None = None) -> list[tuple[int, int, float]]:
    found = TranslatedMiner(WordForWord(), recipe).candidates(SOURCES, TARGETS, numbers=numbers)
    return list(zip(found.sources.tolist(), found.targets.tolist(), found.scores.tolist(), strict=True))


def test_the_line_with_fewest_edits_is_the_mate() -> None:
    assert pairs() == [(0, 1, 1.0), (1, 0, 0.75)]  # one edit in four words


@pytest.mark.parametrize(
    ("recipe", "expected"),
    [(TranslatedMining(most_edits=0.2), [(0, 1)]), (TranslatedMining(ratio=1.0), [(0, 1)])],
)
def test_too_many_edits_and_unlike_lengths_are_left_out(
    recipe: TranslatedMining, expected: list[tuple[int, int]]
) -> None:
    assert [pair[:2] for pair in pairs(recipe)] == expected


def test_lines_of_numbers_are_left_out() -> None:
    miner = TranslatedMiner(WordForWord(), TranslatedMining(most_edits=2.0))
    assert len(miner.candidates(["der hund"], ["1 2 3 dog"], numbers=None)) == 0
    assert len(miner.candidates(["der hund"], ["one two three dog"], numbers=None)) == 1


def test_days_keep_lines_apart() -> None:
    assert [pair[:2] for pair in pairs(numbers=Numbers([1, 1, 1], [1, 9, 1, 1]))] == [(1, 0)]


def test_a_window_is_searched_by_itself() -> None:
    # Lines of other days that fit better leave the one of the day its place among the candidates.
    numbers = Numbers([1], [9] * 6 + [3], width=2)
    recipe = TranslatedMining(candidates=1)
    targets = ["the dog runs"] * 6 + ["the dog runs off"]
    found = TranslatedMiner(WordForWord(), recipe).candidates(["der hund rennt"], targets, numbers=numbers)
    assert (found.sources.tolist(), found.targets.tolist()) == ([0], [6])
    far = Numbers([1], [9] * 7, width=2)
    assert len(TranslatedMiner(WordForWord()).candidates(["der hund rennt"], targets, numbers=far)) == 0


def test_planted_pairs_go_through_the_engine_too() -> None:
    planted = Bitext.from_lines(["der hund schläft", "die katze rennt"], ["the dog sleeps", "the cat runs"])
    result = mine(SOURCES, TARGETS, TranslatedMiner(WordForWord()), planted=planted, precision=0.5)
    assert [(pair.source_line, pair.target_line) for pair in result.pairs] == [(1, 2)]
    assert result.signature.startswith("translated|candidates:5")
