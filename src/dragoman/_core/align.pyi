"""Word alignment."""

import enum

import numpy
from numpy.typing import NDArray


class Bitext:
    """Sentence pairs as ids, with the links known in them."""

    def __init__(self, source: NDArray[numpy.int32], target: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target_offsets: NDArray[numpy.int64], anchor_points: NDArray[numpy.int32], anchor_offsets: NDArray[numpy.int64]) -> None: ...

class Pairs:
    """Pairs of words with pseudo-counts."""

    def __init__(self, sources: NDArray[numpy.int32], targets: NDArray[numpy.int32], weights: NDArray[numpy.float32]) -> None: ...

class Table:
    """p(target | source): rows, targets, probabilities."""

    def __init__(self, rows: NDArray[numpy.int64], targets: NDArray[numpy.int32], p: NDArray[numpy.float32]) -> None: ...

class DiagonalOptions:
    def __init__(self) -> None: ...

    @property
    def n_rounds(self) -> int: ...

    @n_rounds.setter
    def n_rounds(self, arg: int, /) -> None: ...

    @property
    def p_null(self) -> float: ...

    @p_null.setter
    def p_null(self, arg: float, /) -> None: ...

    @property
    def tension(self) -> float: ...

    @tension.setter
    def tension(self, arg: float, /) -> None: ...

    @property
    def learn_tension(self) -> bool: ...

    @learn_tension.setter
    def learn_tension(self, arg: bool, /) -> None: ...

    @property
    def alpha(self) -> float: ...

    @alpha.setter
    def alpha(self, arg: float, /) -> None: ...

    @property
    def n_threads(self) -> int: ...

    @n_threads.setter
    def n_threads(self, arg: int, /) -> None: ...

class HmmOptions:
    def __init__(self) -> None: ...

    @property
    def n_start_rounds(self) -> int: ...

    @n_start_rounds.setter
    def n_start_rounds(self, arg: int, /) -> None: ...

    @property
    def n_rounds(self) -> int: ...

    @n_rounds.setter
    def n_rounds(self, arg: int, /) -> None: ...

    @property
    def p_null(self) -> float: ...

    @p_null.setter
    def p_null(self, arg: float, /) -> None: ...

    @property
    def max_jump(self) -> int: ...

    @max_jump.setter
    def max_jump(self, arg: int, /) -> None: ...

    @property
    def alpha(self) -> float: ...

    @alpha.setter
    def alpha(self, arg: float, /) -> None: ...

    @property
    def n_threads(self) -> int: ...

    @n_threads.setter
    def n_threads(self, arg: int, /) -> None: ...

class SamplerOptions:
    def __init__(self) -> None: ...

    @property
    def n_start_rounds(self) -> int: ...

    @n_start_rounds.setter
    def n_start_rounds(self, arg: int, /) -> None: ...

    @property
    def n_jump_sweeps(self) -> int: ...

    @n_jump_sweeps.setter
    def n_jump_sweeps(self, arg: int, /) -> None: ...

    @property
    def n_sweeps(self) -> int: ...

    @n_sweeps.setter
    def n_sweeps(self, arg: int, /) -> None: ...

    @property
    def n_kept(self) -> int: ...

    @n_kept.setter
    def n_kept(self, arg: int, /) -> None: ...

    @property
    def n_samplers(self) -> int: ...

    @n_samplers.setter
    def n_samplers(self, arg: int, /) -> None: ...

    @property
    def n_align_sweeps(self) -> int: ...

    @n_align_sweeps.setter
    def n_align_sweeps(self, arg: int, /) -> None: ...

    @property
    def p_null(self) -> float: ...

    @p_null.setter
    def p_null(self, arg: float, /) -> None: ...

    @property
    def alpha(self) -> float: ...

    @alpha.setter
    def alpha(self, arg: float, /) -> None: ...

    @property
    def jump_alpha(self) -> float: ...

    @jump_alpha.setter
    def jump_alpha(self, arg: float, /) -> None: ...

    @property
    def fertility_alpha(self) -> float: ...

    @fertility_alpha.setter
    def fertility_alpha(self, arg: float, /) -> None: ...

    @property
    def max_jump(self) -> int: ...

    @max_jump.setter
    def max_jump(self, arg: int, /) -> None: ...

    @property
    def key(self) -> int: ...

    @key.setter
    def key(self, arg: int, /) -> None: ...

    @property
    def n_threads(self) -> int: ...

    @n_threads.setter
    def n_threads(self, arg: int, /) -> None: ...

def train_diagonal(bitext: Bitext, pairs: Pairs, options: DiagonalOptions) -> tuple[tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float32]], float, list[tuple[float, float]]]:
    """
    The table, the tension learnt, and log-likelihood and tension of each round.
    """

def align_diagonal(table: Table, bitext: Bitext, options: DiagonalOptions, *, posteriors: bool = False) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.float32]]:
    """
    For each target word its source word or -1; log-likelihoods of sentences; posteriors if asked for.
    """

def train_hmm(bitext: Bitext, pairs: Pairs, options: HmmOptions) -> tuple[tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float32]], NDArray[numpy.float64], list[tuple[float, float]]]:
    """
    The table, the weights of jumps, and log-likelihood and 0 for each round.
    """

def align_hmm(table: Table, jumps: NDArray[numpy.float64], bitext: Bitext, options: HmmOptions, *, posteriors: bool = False) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.float32]]:
    """As align_diagonal."""

def train_sampler(bitext: Bitext, pairs: Pairs, options: SamplerOptions, *, posteriors: bool = False) -> tuple[tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float32]], NDArray[numpy.float64], NDArray[numpy.float32], tuple[NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.float32]]]:
    """
    The table, the probabilities of jumps, those of fertilities by source word, and the training text aligned.
    """

def align_sampler(table: Table, jumps: NDArray[numpy.float64], fertilities: NDArray[numpy.float32], bitext: Bitext, options: SamplerOptions, *, posteriors: bool = False) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.float32]]:
    """As align_diagonal."""

class Symmetrisation(enum.Enum):
    intersection = 0

    union = 1

    grow_diag = 2

    grow_diag_final = 3

    grow_diag_final_and = 4

def symmetrise(forward: NDArray[numpy.int32], backward: NDArray[numpy.int32], bitext: Bitext, method: Symmetrisation, *, n_threads: int = 1) -> tuple[NDArray[numpy.uint16], NDArray[numpy.int64]]:
    """Links of both directions as one set: points and offsets."""

def join_posteriors(forward: NDArray[numpy.float32], backward: NDArray[numpy.float32], bitext: Bitext, threshold: float, *, n_threads: int = 1) -> tuple[tuple[NDArray[numpy.uint16], NDArray[numpy.int64]], NDArray[numpy.float32]]:
    """
    Links whose posteriors have a geometric mean of at least the threshold, and those means.
    """

def met_pairs(bitext: Bitext) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.uint32]]:
    """
    Rows and targets of a table of all word pairs that meet in sentence pairs, and where in it they stand: by pair of sentences, by source word, the empty one first, by target word.
    """

def take(values: NDArray[numpy.float32], places: NDArray[numpy.uint32]) -> NDArray[numpy.float32]:
    """The values at these places."""

def add_up(n_pairs: int, parts: list[tuple[NDArray[numpy.uint32], NDArray[numpy.uint64]]]) -> NDArray[numpy.uint64]:
    """The sums of the parts' counts, by place."""

def unite_rows(tables: list[tuple[NDArray[numpy.int64], NDArray[numpy.int32]]], begin: int, end: int) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint32]]:
    """
    Rows of one table of the pairs in some rows of several, and where in it the pairs of each stand.
    """

def expect_diagonal(p: NDArray[numpy.float32], places: NDArray[numpy.uint32], bitext: Bitext, options: DiagonalOptions) -> tuple[NDArray[numpy.uint64], int, NDArray[numpy.float64]]:
    """
    A round's pass over a part of a text: counts by pair and distance, both in units; log p by sentence.
    """

def expect_hmm(p: NDArray[numpy.float32], places: NDArray[numpy.uint32], jumps: NDArray[numpy.float64], bitext: Bitext, p_null: float) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.int64], NDArray[numpy.uint64], NDArray[numpy.float64]]:
    """
    The same: counts by pair, by jump; the lengths met and counts of their contexts; log p by sentence.
    """

def estimate(rows: NDArray[numpy.int64], counts: NDArray[numpy.uint64], alpha: float) -> NDArray[numpy.float32]:
    """Probabilities of the pairs of rows from counts in units."""

def next_tension(sizes: NDArray[numpy.int64], tension: float, distance: int, null: int) -> float:
    """
    The tension after a round; a row of `sizes` has source words, target words, and how many pairs have so many.
    """

def next_jumps(jumps: NDArray[numpy.float64], lengths: NDArray[numpy.int64], jump_counts: NDArray[numpy.uint64], context_counts: NDArray[numpy.uint64]) -> NDArray[numpy.float64]:
    """The weights of jumps after a round."""
