"""Test sets, bitexts, judgements and their files: read and checked once, frozen afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.data.alignments import Alignment, Alignments
    from dragoman.data.assemble import LineFile, assemble, read_system, read_systems
    from dragoman.data.bitext import Batch, Bitext
    from dragoman.data.bitext_files import read_bitext, write_bitext
    from dragoman.data.comparisons import Comparisons, compare_pairwise, judged_pairs
    from dragoman.data.convert import Conversion, convert, guess_formats, read_test_set, write_test_set
    from dragoman.data.decoder_output import joined_traces
    from dragoman.data.formats.base import FORMATS, Format
    from dragoman.data.judgement_log import JudgementLog
    from dragoman.data.judgements import JUDGEMENT_KINDS, Judgements, Schema, read_judgements, read_ranking
    from dragoman.data.memory import TranslationUnit, TranslationUnits
    from dragoman.data.nbest import NBest, NBestLists
    from dragoman.data.parallel import check_parallel
    from dragoman.data.parsed import ParsedText
    from dragoman.data.records import Records
    from dragoman.data.sacrebleu_sets import SacrebleuSet, find_sacrebleu_set, list_sacrebleu_sets
    from dragoman.data.testset import TestSet
    from dragoman.data.traces import Forced, GraphSummary, Spread, Trace, Traces
else:
    offer(__name__)

__all__ = [
    "FORMATS",
    "JUDGEMENT_KINDS",
    "Alignment",
    "Alignments",
    "Batch",
    "Bitext",
    "Comparisons",
    "Conversion",
    "Forced",
    "Format",
    "GraphSummary",
    "JudgementLog",
    "Judgements",
    "LineFile",
    "NBest",
    "NBestLists",
    "ParsedText",
    "Records",
    "SacrebleuSet",
    "Schema",
    "Spread",
    "TestSet",
    "Trace",
    "Traces",
    "TranslationUnit",
    "TranslationUnits",
    "assemble",
    "check_parallel",
    "compare_pairwise",
    "convert",
    "find_sacrebleu_set",
    "guess_formats",
    "joined_traces",
    "judged_pairs",
    "list_sacrebleu_sets",
    "read_bitext",
    "read_judgements",
    "read_ranking",
    "read_system",
    "read_systems",
    "read_test_set",
    "write_bitext",
    "write_test_set",
]
