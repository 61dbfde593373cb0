"""Tagging and parsing."""

from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


class Grammar:
    """A grammar of split symbols, its coarse original, and a lexicon."""

    def __init__(self, *, binary: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], binary_scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], unary: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], unary_scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], coarse_binary: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], coarse_binary_scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], coarse_unary: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], coarse_unary_scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], coarse_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], share: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], log_prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], coarse_prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], root: int, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], symbols: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def parse(self, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, n_best: int = 1, least_share: float = 0.0, threshold: float = 1e-05, beam: float = 14.0, longest: int = 100, n_threads: int = 1) -> dict[str, Any]:
        """
        The best trees of sentences whose words are rows of the lexicon, as flat arrays.
        """

class TokenLooks:
    """Lines of tokens, looked at once for all that is done with them."""

    def __init__(self, tokens: object, offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, n_threads: int = 1) -> None: ...

    def __len__(self) -> int: ...

    @property
    def n_tokens(self) -> int: ...

class TagLayer:
    """One label for each token, from left to right."""

    def __init__(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], allowed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def tag(self, lines: TokenLooks, given: NDArray[numpy.uint16], *, n_threads: int = 1) -> tuple[NDArray[numpy.uint16], NDArray[numpy.float32]]:
        """Labels of all tokens, and by how much each was ahead of the next best."""

class ArcModel:
    """A dependency parser that decides once for each step."""

    def __init__(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], morphology: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, n_relations: int, root: int) -> None: ...

    def parse(self, lines: TokenLooks, upos: NDArray[numpy.uint16], feats: NDArray[numpy.uint16], *, n_threads: int = 1) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16], NDArray[numpy.float32]]:
        """Heads, relations and margins of all tokens."""

def learn_tags(lines: TokenLooks, given: NDArray[numpy.uint16], labels: NDArray[numpy.uint16], allowed: NDArray[numpy.uint8], *, epochs: int, key: int) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint16], NDArray[numpy.float32]]:
    """Weights of a layer of tags: keys, counts, classes, weights."""

def learn_arcs(lines: TokenLooks, upos: NDArray[numpy.uint16], feats: NDArray[numpy.uint16], morphology: NDArray[numpy.uint8], heads: NDArray[numpy.int32], relations: NDArray[numpy.uint16], *, n_relations: int, root: int, epochs: int, explore: float, key: int) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint16], NDArray[numpy.float32]]:
    """
    Weights of a parser, from projective trees: keys, counts, classes, weights.
    """

def mean_weights(models: list[tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint16], NDArray[numpy.float32]]], *, smallest: float) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint16], NDArray[numpy.float32]]:
    """
    The mean of several models' weights, without those nearer to zero than `smallest`.
    """

def projectivise(heads: NDArray[numpy.int32], offsets: NDArray[numpy.int64]) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]:
    """Heads of projective trees, and how many arcs of each line were lifted."""
