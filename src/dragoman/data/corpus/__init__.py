"""What is done to whole corpora: counted, cleaned, shuffled, split. Everything streams."""

from dragoman.data.corpus.clean import Cleaning, FilterCount, clean
from dragoman.data.corpus.filters import FILTERS, Filter, Pairs
from dragoman.data.corpus.order import Shuffling, Split, shuffle, split
from dragoman.data.corpus.statistics import CorpusStatistics, SideStatistics, corpus_statistics

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
