"""Statistics of metrics, for batches of segments."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import dragoman._core.text


def chrf(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, char_order: int, word_order: int, whitespace: bool, n_threads: int) -> NDArray[numpy.float64]:
    """
    Statistics of chrF with one reference: array (systems, segments, statistics).
    """

def chrf_pairs(hyps: object, refs: object, *, char_order: int, word_order: int, whitespace: bool, n_threads: int) -> NDArray[numpy.float64]:
    """Statistics of chrF, of all pairs: array (hyps, refs, statistics)."""

def nist(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, order: int, n_threads: int) -> NDArray[numpy.float64]:
    """Statistics of NIST, from ids: array (systems, segments, statistics)."""

def bleu_totals(systems: object, refs: object, tokeniser: dragoman._core.text.Tokeniser, *, order: int, n_threads: int) -> list[list[float]]:
    """
    Statistics of BLEU summed over the segments, of each system; every segment has all references.
    """

def bleu_score(totals: Sequence[float], *, order: int, smoothing: str, value: float, effective_order: bool) -> float:
    """BLEU of summed statistics, in per cent."""

def bleu_parts(totals: Sequence[float], *, order: int, smoothing: str, value: float, effective_order: bool) -> tuple[list[float], float, bool]:
    """Precisions in per cent, brevity penalty, and whether anything matches."""

def bleu_scores(totals: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, order: int, smoothing: str, value: float, effective_order: bool) -> NDArray[numpy.float64]:
    """BLEU of each row of summed statistics: array (rows,)."""

def bleu(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], tokeniser: dragoman._core.text.Tokeniser, *, order: int, n_threads: int) -> NDArray[numpy.float64]:
    """Statistics of BLEU: array (systems, segments, statistics)."""

def bleu_pairs(hyps: object, refs: object, *, order: int, n_threads: int) -> NDArray[numpy.float64]:
    """Statistics of BLEU, of all pairs: array (hyps, refs, statistics)."""

def overlap(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], tokeniser: dragoman._core.text.Tokeniser, *, order: int, n_threads: int) -> NDArray[numpy.float64]:
    """
    N-grams of one order in common with one reference, of the hypothesis, of the reference: array (systems, segments, statistics).
    """

def overlap_pairs(hyps: object, refs: object, *, order: int, n_threads: int) -> NDArray[numpy.float64]:
    """
    N-grams of one order in common with one reference, of the hypothesis, of the reference, of all pairs: array (hyps, refs, statistics).
    """

def lcs(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], tokeniser: dragoman._core.text.Tokeniser, *, n_threads: int) -> NDArray[numpy.float64]:
    """
    Longest common subsequence with one reference, lengths of hypothesis and reference: array (systems, segments, statistics).
    """

def lcs_pairs(hyps: object, refs: object, *, n_threads: int) -> NDArray[numpy.float64]:
    """
    Longest common subsequence with one reference, lengths of hypothesis and reference, of all pairs: array (hyps, refs, statistics).
    """

def wer(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], tokeniser: dragoman._core.text.Tokeniser, *, n_threads: int) -> NDArray[numpy.float64]:
    """
    Edits to one reference, and its length: array (systems, segments, statistics).
    """

def wer_pairs(hyps: object, refs: object, *, n_threads: int) -> NDArray[numpy.float64]:
    """
    Edits to one reference, and its length, of all pairs: array (hyps, refs, statistics).
    """

def per(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], tokeniser: dragoman._core.text.Tokeniser, *, n_threads: int) -> NDArray[numpy.float64]:
    """
    Position-independent errors against one reference, and its length: array (systems, segments, statistics).
    """

def per_pairs(hyps: object, refs: object, *, n_threads: int) -> NDArray[numpy.float64]:
    """
    Position-independent errors against one reference, and its length, of all pairs: array (hyps, refs, statistics).
    """

def cder(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], tokeniser: dragoman._core.text.Tokeniser, *, n_threads: int) -> NDArray[numpy.float64]:
    """
    CDER's edits and jumps to one reference, and its length: array (systems, segments, statistics).
    """

def cder_pairs(hyps: object, refs: object, *, n_threads: int) -> NDArray[numpy.float64]:
    """
    CDER's edits and jumps to one reference, and its length, of all pairs: array (hyps, refs, statistics).
    """

def gtm(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], tokeniser: dragoman._core.text.Tokeniser, *, exponent: float, n_threads: int) -> NDArray[numpy.float64]:
    """
    GTM's match with one reference, lengths of hypothesis and reference: array (systems, segments, statistics).
    """

def gtm_pairs(hyps: object, refs: object, *, exponent: float, n_threads: int) -> NDArray[numpy.float64]:
    """
    GTM's match with one reference, lengths of hypothesis and reference, of all pairs: array (hyps, refs, statistics).
    """

def ribes(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], tokeniser: dragoman._core.text.Tokeniser, *, paper: bool, n_threads: int) -> NDArray[numpy.float64]:
    """
    RIBES' rank correlation, precision and brevity penalty with one reference: array (systems, segments, statistics).
    """

def ribes_pairs(hyps: object, refs: object, *, paper: bool, n_threads: int) -> NDArray[numpy.float64]:
    """
    RIBES' rank correlation, precision and brevity penalty with one reference, of all pairs: array (hyps, refs, statistics).
    """

def amber(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, order: int, n_threads: int) -> NDArray[numpy.float64]:
    """
    AMBER's matches of each order, aligned words, chunks, rho, tau, v1 and v2 with one reference, from ids: array (systems, segments, statistics).
    """

def amber_pairs(hyps: object, refs: object, *, order: int, n_threads: int) -> NDArray[numpy.float64]:
    """The same of all pairs: array (hyps, refs, statistics)."""

def resegment(streams: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], docs: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, n_threads: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """
    Where each segment begins in its document's stream of words, for fewest edits.
    """

def found_words(words: object, others: object, *, n_threads: int) -> NDArray[numpy.uint8]:
    """
    For each word, in order, whether the other text still has one of its kind: uint8 array (words,).
    """

def match_ngrams(systems: object, refs: object, present: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, order: int, n_threads: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int64]]:
    """
    N-grams of the references: parents and last words, int32 arrays (n-grams,), and each system's clipped matches, int64 array (systems, n-grams).
    """

def meteor(hyp_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hyp_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, stems: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], function_words: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], synsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], synset_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], phrases: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], phrase_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    METEOR's statistics of sentence pairs: float64 array (pairs, 21). Stems, function words and rising ids of
    synsets are of each word of the vocabulary; phrases are followed by a paraphrase each.
    """

def meteor_matches(hyp_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hyp_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, stems: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], function_words: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], synsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], synset_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], phrases: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], phrase_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int32]:
    """
    METEOR's alignments of sentence pairs: int32 array (matches, 6) of pair, module (exact, stem, synonym,
    paraphrase), first word and number of words in the hypothesis, and in the reference, by which they are in order.
    """

def celab(hyp_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hyp_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, phrases: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], phrase_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], class_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    TESLA-CELAB of sentence pairs: float64 array (pairs). Phrases of the dictionary are token ids, each with the
    rising ids of its classes.
    """

def ancestry(parents: NDArray[numpy.int32], offsets: NDArray[numpy.int64]) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int64], NDArray[numpy.int64]]:
    """
    What lies above each node of a taxonomy, how far and from where to where; how many are at or below it.
    """

def sagan(hyp_ids: NDArray[numpy.int32], hyp_offsets: NDArray[numpy.int64], ref_ids: NDArray[numpy.int32], ref_offsets: NDArray[numpy.int64], *, ancestors: NDArray[numpy.int32], distances: NDArray[numpy.int32], ancestor_offsets: NDArray[numpy.int64], content: NDArray[numpy.float64], depth: NDArray[numpy.float64], span: NDArray[numpy.float64], senses: NDArray[numpy.int32], sense_offsets: NDArray[numpy.int64], lemmas: NDArray[numpy.int32], n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    Eight similarities of each hypothesis and its reference by matchings of words: array (pairs, 8).
    """

def spede(hyp_ids: NDArray[numpy.int32], hyp_offsets: NDArray[numpy.int64], ref_ids: NDArray[numpy.int32], ref_offsets: NDArray[numpy.int64], *, lemmas: NDArray[numpy.int32], punctuation: NDArray[numpy.uint8], synsets: NDArray[numpy.int32], synset_offsets: NDArray[numpy.int64], blocks: NDArray[numpy.int32], weights: NDArray[numpy.float64], jump: int = 0, gradient: bool = False, n_threads: int = 1) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """
    The log of the summed weights of all edit sequences of sentence pairs, and its derivatives: arrays (pairs),
    (pairs, 182 or 0).
    """

def spede_scripts(hyp_ids: NDArray[numpy.int32], hyp_offsets: NDArray[numpy.int64], ref_ids: NDArray[numpy.int32], ref_offsets: NDArray[numpy.int64], *, lemmas: NDArray[numpy.int32], punctuation: NDArray[numpy.uint8], synsets: NDArray[numpy.int32], synset_offsets: NDArray[numpy.int64], blocks: NDArray[numpy.int32], weights: NDArray[numpy.float64], jump: int = 0, n_threads: int = 1) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]:
    """
    The heaviest edit sequence of each pair: the edit, begin and end in the reference, begin and end in the hypothesis;
    and where each sequence begins.
    """

class PivotTable:
    """Phrases with their translations in another language."""

    def __init__(self, *, phrases: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], phrase_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], choices: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], translations: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], translation_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], p: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_kinds: int) -> None: ...

    def __len__(self) -> int: ...

    def cut(self, words: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[tuple[int, int]]:
        """The phrases of a sentence: where each begins and ends."""

    def bag(self, words: NDArray[numpy.int32], *, order: int, least: float) -> dict[tuple[int, ...], float]:
        """
        The expected number of each n-gram of the pivot; a word without a phrase is n_kinds and its id.
        """

    def rows(self, hyp_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hyp_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, lemmas: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tags: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], function_words: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], order: int, least: float, n_threads: int = 1) -> NDArray[numpy.float64]:
        """
        Of sentence pairs, by order of n-grams: weight matched by lemmas, by tags, of the one side, of the other.
        """

def tesla(hyp_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], hyp_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_ids: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ref_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, lemmas: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], tags: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], function_words: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], synsets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], synset_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    TESLA's statistics of sentence pairs: float64 array (pairs, 12). Lemmas, tags, function words and rising ids
    of synsets are of each kind of token.
    """

def most_transport(supply: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], demand: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], worth: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> int:
    """
    The most that can be gained by sending whole units from left to right; worth[i, j] of each, 0 where none can go.
    """
