"""Test sets, bitexts, judgements and their files: read and checked once, frozen afterwards."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dragoman.data.assemble import LineFile, assemble, read_system, read_systems
from dragoman.data.convert import Conversion, convert, guess_formats, read_test_set, write_test_set
from dragoman.data.formats.base import FORMATS, Format
from dragoman.data.parallel import check_parallel
from dragoman.data.records import Records
from dragoman.data.testset import TestSet

if TYPE_CHECKING:
    from dragoman.data.alignments import Alignment, Alignments
    from dragoman.data.bitext import Batch, Bitext
    from dragoman.data.bitext_files import read_bitext, write_bitext
    from dragoman.data.comparisons import Comparisons, compare_pairwise, judged_pairs
    from dragoman.data.judgement_log import JudgementLog
    from dragoman.data.judgements import JUDGEMENT_KINDS, Judgements, Schema, read_judgements, read_ranking
    from dragoman.data.memory import TranslationUnit, TranslationUnits
    from dragoman.data.nbest import NBest, NBestLists
    from dragoman.data.parsed import ParsedText
    from dragoman.data.sacrebleu_sets import SacrebleuSet, find_sacrebleu_set, list_sacrebleu_sets
    from dragoman.data.traces import Forced, GraphSummary, Spread, Trace, Traces, joined_traces

# Imported on first use: a command that scores a test set needs none of these, and some need NumPy.
_LATER = {
    "JUDGEMENT_KINDS": "judgements",
    "Alignment": "alignments",
    "Alignments": "alignments",
    "Batch": "bitext",
    "Bitext": "bitext",
    "Comparisons": "comparisons",
    "Forced": "traces",
    "GraphSummary": "traces",
    "JudgementLog": "judgement_log",
    "Judgements": "judgements",
    "NBest": "nbest",
    "NBestLists": "nbest",
    "ParsedText": "parsed",
    "SacrebleuSet": "sacrebleu_sets",
    "Schema": "judgements",
    "Spread": "traces",
    "Trace": "traces",
    "Traces": "traces",
    "TranslationUnit": "memory",
    "TranslationUnits": "memory",
    "compare_pairwise": "comparisons",
    "find_sacrebleu_set": "sacrebleu_sets",
    "joined_traces": "traces",
    "judged_pairs": "comparisons",
    "list_sacrebleu_sets": "sacrebleu_sets",
    "read_bitext": "bitext_files",
    "read_judgements": "judgements",
    "read_ranking": "judgements",
    "write_bitext": "bitext_files",
}

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


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"dragoman.data.{_LATER[name]}"), name)
    raise AttributeError(f"module 'dragoman.data' has no attribute {name!r}")
