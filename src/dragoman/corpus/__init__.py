"""What is done to whole corpora: counted, cleaned, scored, shuffled, split. Everything streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.corpus.clean import Cleaning, FilterCount, clean
    from dragoman.corpus.filters import FILTERS, Filter, PairBatch
    from dragoman.corpus.order import Shuffling, Split, shuffle, split
    from dragoman.corpus.scorers import PAIR_SCORERS, PairRecipe, PairScorer, PairScores, score_pairs
    from dragoman.corpus.statistics import CorpusStatistics, SideStatistics, corpus_statistics
else:
    offer(__name__)

__all__ = [
    "FILTERS",
    "PAIR_SCORERS",
    "Cleaning",
    "CorpusStatistics",
    "Filter",
    "FilterCount",
    "PairBatch",
    "PairRecipe",
    "PairScorer",
    "PairScores",
    "Shuffling",
    "SideStatistics",
    "Split",
    "clean",
    "corpus_statistics",
    "score_pairs",
    "shuffle",
    "split",
]
