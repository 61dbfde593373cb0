"""What is done to whole corpora: counted, cleaned, shuffled, split. Everything streams."""

from dragoman.corpus.clean import Cleaning, FilterCount, clean
from dragoman.corpus.filters import FILTERS, Filter, Pairs
from dragoman.corpus.order import Shuffling, Split, shuffle, split
from dragoman.corpus.statistics import CorpusStatistics, SideStatistics, corpus_statistics

__all__ = [
    "FILTERS",
    "Cleaning",
    "CorpusStatistics",
    "Filter",
    "FilterCount",
    "Pairs",
    "Shuffling",
    "SideStatistics",
    "Split",
    "clean",
    "corpus_statistics",
    "shuffle",
    "split",
]
