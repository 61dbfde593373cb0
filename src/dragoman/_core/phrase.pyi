"""Phrase tables, and translating with them."""

from collections.abc import Callable, Mapping, Sequence
import enum

import numpy
from numpy.typing import NDArray

import dragoman._core.graph
import dragoman._core.lm


class SparseParts(enum.Enum):
    """What stands in the name of a sparse feature."""

    none = 0

    source_target = 1

    source_source = 2

    target_source = 3

    target_target = 4

    numbers = 5

class SparseWeights:
    """Weights of sparse features."""

    def __init__(self, keys: NDArray[numpy.uint64], weights: NDArray[numpy.float32]) -> None: ...

def known_features() -> list[str]:
    """The features that an engine can be given by name."""

def sparse_parts(name: str) -> SparseParts:
    """What a feature's sparse values are named by."""

def feature_resources(name: str) -> list[str]:
    """The tables that a feature is made from."""

SPARSE_BITS: int = 29

SPARSE_SHIFT: int = 3

class Constraints:
    """What is asked of one sentence beyond its words."""

    def __init__(self) -> None: ...

    def give(self, begin: int, end: int, words: Sequence[int], values: Sequence[float], exclusive: bool) -> None:
        """A translation of source words [begin, end); exclusive: their only one."""

    def wall(self, at: int) -> None:
        """Translate all before this place before anything behind it."""

    def require(self, words: Sequence[int], prefix: bool, next: Sequence[int], copies: Sequence[int], artificial: bool) -> None:
        """What the translation must say, or begin with."""

    def lattice(self, n_nodes: int, arcs: Sequence[tuple[int, int, int, float]], places: Sequence[int] = []) -> None:
        """
        Translate a lattice in the place of the words: arcs from, to, word (-2: none), score; links name the places of their words, or else the nodes they leave.
        """

class Spread:
    """What a number is over the steps of a search."""

    @property
    def mean(self) -> float: ...

    @property
    def variance(self) -> float: ...

    @property
    def least(self) -> float: ...

    @property
    def most(self) -> float: ...

class SearchSummary:
    """A search in a few numbers."""

    @property
    def n_nodes(self) -> int: ...

    @property
    def n_dead(self) -> int:
        """Nodes from which no step reached the end."""

    @property
    def n_arcs(self) -> int: ...

    @property
    def n_options(self) -> int:
        """Translations of source phrases at hand."""

    @property
    def option_words(self) -> int:
        """Source words of the options."""

    @property
    def spreads(self) -> list[Spread]:
        """
        Over arcs: each feature, the weighted score, the estimate of what is still to come.
        """

class Translations:
    """
    Translations of sentences, flat: those of sentence i are the paths [path_offsets[i], path_offsets[i + 1]), best first; the words of path p [word_offsets[p], word_offsets[p + 1]), …
    """

    @property
    def path_offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def word_offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def link_offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def phrase_offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def words(self) -> NDArray[numpy.int32]:
        """A negative one, -2 - i, is the source's word i."""

    @property
    def links(self) -> NDArray[numpy.uint16]:
        """Place in the source, place in the target."""

    @property
    def phrases(self) -> NDArray[numpy.uint16]:
        """Source begin, source end, target words; in the order of the target."""

    @property
    def scores(self) -> NDArray[numpy.float64]: ...

    @property
    def features(self) -> NDArray[numpy.float64]:
        """A row for each path, if asked for."""

    @property
    def sparse_offsets(self) -> NDArray[numpy.int64]: ...

    @property
    def sparse_keys(self) -> NDArray[numpy.uint64]: ...

    @property
    def sparse_values(self) -> NDArray[numpy.float32]: ...

    @property
    def confidences(self) -> NDArray[numpy.float32]:
        """One for each word, if asked for."""

    @property
    def summaries(self) -> list[SearchSummary]:
        """One for each sentence, if asked for."""

    @property
    def hypotheses(self) -> int:
        """How many were scored."""

    @property
    def lm_queries(self) -> int: ...

def hypergraphs(engine: Engine, source: NDArray[numpy.int32], offsets: NDArray[numpy.int64], weights: NDArray[numpy.float32], limits: DecodeOptions, *, constraints: Sequence[Constraints | None] | None, features: bool, n_threads: int, sparse: SparseWeights | None = None, layer: NDArray[numpy.int32] | None = None) -> list[dragoman._core.graph.Hypergraph]:
    """The search hypergraphs of sentences."""

def minimum_risk(words: NDArray[numpy.int32], word_offsets: NDArray[numpy.int64], scores: NDArray[numpy.float64], path_offsets: NDArray[numpy.int64], *, scale: float, document: bool, n_threads: int) -> NDArray[numpy.int64]:
    """
    Of each sentence's translations the one most like the others, counted from its first; -1: it has none.
    """

def pairwise_gains(words: NDArray[numpy.int32], word_offsets: NDArray[numpy.int64], path_offsets: NDArray[numpy.int64], *, n_threads: int) -> NDArray[numpy.float32]:
    """
    Sentence BLEU of each translation against each of the same sentence: squares behind one another.
    """

def permutation_complexity(blocks: Sequence[tuple[int, int]]) -> int:
    """How many blocks the largest join of a permutation parser takes."""

class Orientation(enum.Enum):
    """Which earlier block a phrase is oriented to."""

    none = 0

    word = 1

    hierarchical = 2

class Smoothing(enum.Enum):
    """How phrase probabilities are made from counts."""

    none = 0

    good_turing = 1

    kneser_ney = 2

class Hierarchy(enum.Enum):
    """How the largest block that ends a translation so far is found."""

    approximate = 0

    two_reducing = 1

    star_reducing = 2

class ExtractOptions:
    def __init__(self) -> None: ...

    @property
    def longest(self) -> int: ...

    @longest.setter
    def longest(self, arg: int, /) -> None: ...

    @property
    def smoothing(self) -> Smoothing: ...

    @smoothing.setter
    def smoothing(self, arg: Smoothing, /) -> None: ...

    @property
    def orientation(self) -> Orientation: ...

    @orientation.setter
    def orientation(self, arg: Orientation, /) -> None: ...

    @property
    def orientation_smoothing(self) -> float: ...

    @orientation_smoothing.setter
    def orientation_smoothing(self, arg: float, /) -> None: ...

    @property
    def translations_per_phrase(self) -> int: ...

    @translations_per_phrase.setter
    def translations_per_phrase(self, arg: int, /) -> None: ...

    @property
    def keep_counts(self) -> bool: ...

    @keep_counts.setter
    def keep_counts(self, arg: bool, /) -> None: ...

    @property
    def n_threads(self) -> int: ...

    @n_threads.setter
    def n_threads(self, arg: int, /) -> None: ...

class DecodeOptions:
    def __init__(self) -> None: ...

    @property
    def pop_limit(self) -> int: ...

    @pop_limit.setter
    def pop_limit(self, arg: int, /) -> None: ...

    @property
    def distortion_limit(self) -> int: ...

    @distortion_limit.setter
    def distortion_limit(self, arg: int, /) -> None: ...

    @property
    def options_per_phrase(self) -> int: ...

    @options_per_phrase.setter
    def options_per_phrase(self, arg: int, /) -> None: ...

    @property
    def drop_unknown(self) -> bool: ...

    @drop_unknown.setter
    def drop_unknown(self, arg: bool, /) -> None: ...

    @property
    def hierarchy(self) -> Hierarchy: ...

    @hierarchy.setter
    def hierarchy(self, arg: Hierarchy, /) -> None: ...

    @property
    def itg(self) -> bool: ...

    @itg.setter
    def itg(self, arg: bool, /) -> None: ...

    @property
    def distortion_exponent(self) -> float: ...

    @distortion_exponent.setter
    def distortion_exponent(self, arg: float, /) -> None: ...

    @property
    def grow(self) -> bool: ...

    @grow.setter
    def grow(self, arg: bool, /) -> None: ...

    @property
    def future_weights(self) -> list[float]: ...

    @future_weights.setter
    def future_weights(self, arg: Sequence[float], /) -> None: ...

class PhraseTable:
    """Source phrases and their translations."""

    def __len__(self) -> int: ...

    @property
    def n_sources(self) -> int: ...

    @property
    def n_scores(self) -> int: ...

    @property
    def longest(self) -> int: ...

    def find(self, source: NDArray[numpy.int32]) -> list[tuple[list[int], list[tuple[int, int]], list[float]]]:
        """The translations of a phrase: words, links, scores."""

    def serialised(self) -> bytes:
        """The content of a table file."""

    @staticmethod
    def on_file(file: memoryview, n_target_words: int) -> PhraseTable:
        """
        A table on the mapped content of a file, with target words of numbers below that.
        """

def extract(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64], options: ExtractOptions, weights: NDArray[numpy.float32] | None = None) -> tuple[PhraseTable, int, int, int, list[float]]:
    """
    The phrase table of an aligned bitext, whose pairs may have weights; instances, pairs, pairs kept, orientations.
    """

class BilingualView:
    """Target words with the source words that they are linked to."""

    def __init__(self, targets: NDArray[numpy.int32], offsets: NDArray[numpy.int64], sources: NDArray[numpy.int32], ids: NDArray[numpy.uint32]) -> None:
        """
        Token i: target word, source words [offsets[i], offsets[i + 1]), the model's number.
        """

class Engine:
    """Phrase tables and language models, ready to translate."""

    @staticmethod
    def make(tables: Sequence[tuple[PhraseTable, int]], language_models: Sequence[tuple[str, dragoman._core.lm.Model, Sequence[int] | BilingualView]], orientation: Orientation, given: Sequence[str] = [], features: Sequence[tuple[str, Mapping[str, Sequence[int]]]] = [], table_names: Sequence[Sequence[str]] = [], labelled: bool = False) -> Engine:
        """
        `language_models`: name, model, and its number for each target word or a view. `given`: names of features that given translations bring; `features`: more of them, by name, with their tables. `labelled`: tables have six orientations of labels, too.
        """

    @property
    def n_features(self) -> int: ...

    def names(self) -> list[str]:
        """The names of the features, in the order of the weights."""

    def decode(self, source: NDArray[numpy.int32], offsets: NDArray[numpy.int64], weights: NDArray[numpy.float32], limits: DecodeOptions, *, n_best: int, distinct: bool, features: bool, n_threads: int, constraints: Sequence[Constraints | None] | None = None, confidence: bool = False, scale: float = 1.0, sparse: SparseWeights | None = None, summary: bool = False, layer: NDArray[numpy.int32] | None = None) -> Translations:
        """Translations of sentences, flat."""

class LinkCounts:
    """
    How often words were linked, as collect_pairs and add_up_links give it.
    """

    def __init__(self, slots: NDArray[numpy.uint64], source_totals: NDArray[numpy.uint64], target_totals: NDArray[numpy.uint64]) -> None: ...

def collect_pairs(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64], options: ExtractOptions) -> tuple[list[bytes], tuple[NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.uint64]]]:
    """
    Sorted runs of the phrase pairs of a part of a text, by range of source phrases; how often words were linked.
    """

def count_links(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64]) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.uint64]]:
    """How often the words of a part of a text were linked."""

def add_up_links(parts: list[LinkCounts]) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.uint64]]:
    """The counts of parts, added."""

def merge_pairs(runs: list[memoryview]) -> tuple[bytes, list[bytes], NDArray[numpy.uint64], list[int]]:
    """
    The pairs of one range, what they tell the shards of target phrases, counts of counts, orientations.
    """

def add_up_targets(ranges: list[memoryview], counts_of_counts: NDArray[numpy.uint64], options: ExtractOptions) -> list[bytes]:
    """Of one shard, what the pairs of each range are told."""

def score_pairs(pairs: memoryview, targets: list[memoryview], links: LinkCounts, counts_of_counts: NDArray[numpy.uint64], orientations: list[int], options: ExtractOptions) -> bytes:
    """The file of the table of one range."""

def write_joined(tables: list[PhraseTable], write: Callable[[bytes], object]) -> None:
    """Write the file of a table that has the source phrases of several."""

def prune_by_significance(table: PhraseTable, source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], *, least: float, n_threads: int = 1) -> PhraseTable:
    """The pairs whose -log p, by Fisher's exact test, is above `least`."""

def negative_log_p(n_both: int, n_source: int, n_target: int, n: int) -> float:
    """
    -log p that phrases of so many sentence pairs meet in so many or more of n by chance.
    """

class Combination(enum.Enum):
    """How several phrase tables become one."""

    both = 0

    either = 1

    back_off = 2

    fill_up = 3

    interpolated = 4

    pooled = 5

class CombineOptions:
    def __init__(self) -> None: ...

    @property
    def mode(self) -> Combination: ...

    @mode.setter
    def mode(self, arg: Combination, /) -> None: ...

    @property
    def orientation(self) -> bool: ...

    @orientation.setter
    def orientation(self, arg: bool, /) -> None: ...

    @property
    def counts(self) -> bool: ...

    @counts.setter
    def counts(self, arg: bool, /) -> None: ...

    @property
    def provenance(self) -> bool: ...

    @provenance.setter
    def provenance(self, arg: bool, /) -> None: ...

    @property
    def backoff_longest(self) -> int: ...

    @backoff_longest.setter
    def backoff_longest(self, arg: int, /) -> None: ...

    @property
    def weights(self) -> list[float]: ...

    @weights.setter
    def weights(self, arg: Sequence[float], /) -> None: ...

def combine(parts: Sequence[tuple[PhraseTable, int, NDArray[numpy.int32], NDArray[numpy.int32]]], options: CombineOptions) -> PhraseTable:
    """
    One table of several: each with the number of its features and the new ids of its source and target words.
    """

def scores_of(part: tuple[PhraseTable, int, NDArray[numpy.int32], NDArray[numpy.int32]], pairs: PhraseTable) -> NDArray[numpy.float32]:
    """
    The features that a table has for each pair of another, -inf for those that it lacks.
    """

def all_scores(table: PhraseTable) -> NDArray[numpy.float32]:
    """The scores of all pairs of a table, in its order."""

def with_scores(table: PhraseTable, scores: NDArray[numpy.float32]) -> PhraseTable:
    """
    The same phrase pairs with other scores, a row for each in the table's order.
    """

def assemble(paths: Sequence[tuple[Sequence[tuple[PhraseTable, int, NDArray[numpy.int32], NDArray[numpy.int32]]], Sequence[NDArray[numpy.float32]]]], words: NDArray[numpy.int32], offsets: NDArray[numpy.int64], *, most: int, orientation: bool, n_threads: int = 1) -> PhraseTable:
    """
    The phrases of a text by the paths of a factored setup. A path has its translation steps, each a table, the number of its features, its word of each token and of each whole target word; and its generation steps, each log p by whole target word.
    """

class SampleOptions:
    def __init__(self) -> None: ...

    @property
    def samples(self) -> int: ...

    @samples.setter
    def samples(self, arg: int, /) -> None: ...

    @property
    def inverse_samples(self) -> int: ...

    @inverse_samples.setter
    def inverse_samples(self, arg: int, /) -> None: ...

    @property
    def translations_per_phrase(self) -> int: ...

    @translations_per_phrase.setter
    def translations_per_phrase(self, arg: int, /) -> None: ...

    @property
    def orientation_smoothing(self) -> float: ...

    @orientation_smoothing.setter
    def orientation_smoothing(self, arg: float, /) -> None: ...

    @property
    def coherent(self) -> bool: ...

    @coherent.setter
    def coherent(self, arg: bool, /) -> None: ...

    @property
    def n_threads(self) -> int: ...

    @n_threads.setter
    def n_threads(self, arg: int, /) -> None: ...

class BitextIndex:
    """
    An aligned bitext, searched for phrases when they are to be translated.
    """

    @staticmethod
    def make(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64], *, longest: int, orientation: Orientation, n_threads: int = 1) -> BitextIndex: ...

    def add(self, source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64]) -> None:
        """Take in sentence pairs."""

    def table(self, words: NDArray[numpy.int32], offsets: NDArray[numpy.int64], options: SampleOptions) -> PhraseTable:
        """All phrases of these sentences that the bitext has."""

    def n_occurrences(self, phrase: NDArray[numpy.int32]) -> int: ...

    def __len__(self) -> int: ...

    @property
    def n_added(self) -> int: ...

    @property
    def n_words(self) -> tuple[int, int]:
        """
        Of source and target, one more than the largest number of a word; what was added does not count.
        """

    @property
    def longest(self) -> int: ...

    @property
    def orientation(self) -> Orientation: ...

    def serialised(self) -> bytes:
        """
        The content of an index file; what was added becomes part of the large array.
        """

    @staticmethod
    def on_file(file: memoryview) -> BitextIndex:
        """An index on the mapped content of a file."""

class ForcedOptions:
    def __init__(self) -> None: ...

    @property
    def n_best(self) -> int: ...

    @n_best.setter
    def n_best(self, arg: int, /) -> None: ...

    @property
    def margin(self) -> float: ...

    @margin.setter
    def margin(self, arg: float, /) -> None: ...

    @property
    def leave_one_out(self) -> bool: ...

    @leave_one_out.setter
    def leave_one_out(self, arg: bool, /) -> None: ...

    @property
    def artificial(self) -> bool: ...

    @artificial.setter
    def artificial(self, arg: bool, /) -> None: ...

    @property
    def floor(self) -> float: ...

    @floor.setter
    def floor(self, arg: float, /) -> None: ...

    @property
    def scale(self) -> float: ...

    @scale.setter
    def scale(self, arg: float, /) -> None: ...

    @property
    def power(self) -> float: ...

    @power.setter
    def power(self, arg: float, /) -> None: ...

    @property
    def longest(self) -> int: ...

    @longest.setter
    def longest(self, arg: int, /) -> None: ...

    @property
    def n_threads(self) -> int: ...

    @n_threads.setter
    def n_threads(self, arg: int, /) -> None: ...

class ForcedUse:
    """What training pairs use of a table when they are translated again."""

    @property
    def used(self) -> NDArray[numpy.uint8]: ...

    @property
    def counts(self) -> NDArray[numpy.float64]: ...

    @property
    def n_pairs(self) -> int: ...

    @property
    def n_reached(self) -> int: ...

    @property
    def n_whole(self) -> int: ...

def forced_use(table: PhraseTable, n_features: int, orientation: Orientation, source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64], copies: NDArray[numpy.int32], weights: NDArray[numpy.float32], limits: DecodeOptions, options: ForcedOptions) -> ForcedUse:
    """
    Translate training pairs again by the phrases of their table, leaving one out.
    """

def label_orientations(table: PhraseTable, source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64], spans: NDArray[numpy.int32], span_offsets: NDArray[numpy.int64], n_labels: int, orientation: Orientation, longest: int, weights: NDArray[numpy.float32] | None = None, n_threads: int = 1) -> tuple[NDArray[numpy.float64], NDArray[numpy.int64], NDArray[numpy.float64]]:
    """
    How labels of target spans (begin, end, label) are oriented, labels x 6; rows of a pair of the table and a label that it has, and how often.
    """

def prune_unused(table: PhraseTable, use: ForcedUse, restore: int) -> PhraseTable:
    """The translations that are used."""

def phrases_of(table: PhraseTable) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.int64]]:
    """
    The words of source phrases and where each begins, the first pair of each, the words of the pairs' targets and where each begins.
    """

def find_pairs(table: PhraseTable, source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64]) -> NDArray[numpy.int64]:
    """The numbers of pairs in a table, -1 for those that it lacks."""

def keep_used(table: PhraseTable, used: NDArray[numpy.uint8], restore: int) -> PhraseTable:
    """
    The translations marked by 1, and for a single word that would be left without any its first.
    """

def reestimate(table: PhraseTable, use: ForcedUse, restore: int, discount: float) -> PhraseTable:
    """The translations that are used, with probabilities of their use."""

def left_out(log_p: float, count: float, total: float, own_count: float, own_total: float, floor: float) -> float:
    """log p without a sentence pair's own counts."""

def shared_count(counts: Sequence[float], scores: Sequence[float], scale: float, power: float) -> float:
    """What derivations count that share one."""
