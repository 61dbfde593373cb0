"""Pruning of rules by use: those that training text does not need when it is translated again by its own grammar."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from dragoman import _core
from dragoman.errors import DataError
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.options import filled
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.forced import ForcedDecoding, Pruning, copied_words
from dragoman.smt.grammar.extraction import GrammarExtraction
from dragoman.smt.grammar.labels import DEFAULT
from dragoman.smt.grammar.table import RulePacking, RuleTable
from dragoman.smt.phrase_table import UNKNOWN
from dragoman.smt.weights import default_weights
from dragoman.text.vocabulary import Vocabulary

__all__ = ["prune_rules"]

_N_COUNTS = 3  # of the target side, the source side and the rule
_LEAST = 4  # scores of an extracted rule


def prune_rules(
    method: ForcedDecoding,
    path: StrPath,
    text: AlignedText,
    source: Vocabulary,
    target: Vocabulary,
    *,
    rules: GrammarExtraction | None = None,
    span: int = 10,
    quantised: bool = False,
    counts: Mapping[str, int] | None = None,
    weights: Mapping[str, float] | None = None,
    n_threads: int = 1,
) -> tuple[RuleTable, Pruning]:
    """The part of an extracted table of hierarchical rules without labels that its text needs, packed.

    Each pair of the text, by ids of the vocabularies, is translated again by rules whose probabilities lack its own
    counts (see `ForcedDecoding`). `rules` says how the table was extracted, `span` how many source words a rule with
    gaps covers; `weights` are an engine's, of which those of language models are not used.
    """
    method.check()
    rules = rules or GrammarExtraction()
    if method.method == "reestimate":
        raise DataError("Rules are pruned by their use, and not re-estimated. Set prune.method=prune.")
    if rules.shallow or text.weights is not None:
        raise DataError("Leaving one out needs the counts of all rules with one label: no shallow, no weighted pairs.")
    counted = _counted(path, source, target, n_threads)
    source_ids, target_ids = (
        table.core.find_words(words.words())[ids]
        for table, words, ids in ((counted.source, source, text.source.ids), (counted.target, target, text.target.ids))
    )
    features = [*counted.features[:-_N_COUNTS]]
    names = [*features, "word-penalty", "phrase-penalty", "glue", "unknown"]
    vector = [(weights or {}).get(name, own) for name, own in default_weights(names).items()]
    # As for phrases: weights mean something in proportion alone, and so does a difference of scores.
    margin = method.margin * -method.floor * (abs(vector[0]) + abs(vector[2]))
    use = _core.chart.forced_rules(
        counted.core,
        source_ids,
        text.source.offsets,
        target_ids,
        text.target.offsets,
        text.links,
        text.link_offsets,
        counted.source.core,
        counted.target.core,
        DEFAULT,
        rules.options(),
        span,
        copied_words(counted.source, counted.target),
        np.array(vector, dtype=np.float32),
        filled(_core.phrase.DecodeOptions(), method),
        filled(_core.phrase.ForcedOptions(), method, margin=margin, longest=rules.longest, n_threads=n_threads),
    )
    core = _core.chart.prune_rules(counted.core, use, method.restore, quantised)
    met = [counts.get(word, 0) for word in counted.source.words()] if counts is not None else None
    pruned = RuleTable(
        core,
        counted.source,
        counted.target,
        RulePacking(quantised),
        names=counted.names,
        features=features,
        counts=None if met is None else np.array(met, dtype=np.int64),
    )
    return pruned, Pruning.of(use, counted, pruned, method, what="rules")


def _counted(path: StrPath, source: Vocabulary, target: Vocabulary, n_threads: int) -> RuleTable:
    """The table with its counts as further scores; it knows all words of the text."""
    with tempfile.TemporaryDirectory(prefix="dragoman") as folder:
        file = Path(folder) / "rules"
        write_lines(file, _lines_with_counts(path))
        known = ([word for word in each.words() if word != UNKNOWN] for each in (source, target))
        words = Vocabulary(next(known), unk=UNKNOWN), Vocabulary(next(known), unk=UNKNOWN)
        table = RuleTable.read_rules(file, vocabularies=words, n_threads=n_threads)
    if table.labels != ((DEFAULT, DEFAULT),):
        raise DataError(f"Leaving one out needs rules with one label, {DEFAULT}; {path} has {len(table.labels)}.")
    if len(table.features) < _LEAST + _N_COUNTS:
        raise DataError(f"Leaving one out needs the four scores of extracted rules; {path} has fewer.")
    return table


def _lines_with_counts(path: StrPath) -> Iterator[str]:
    for line in iter_lines(path):
        fields = line.split(" ||| ")
        if len(fields) < 5 or len(fields[4].split()) != _N_COUNTS:
            raise DataError(f"Leaving one out needs the counts of extracted rules; {path} has a rule without: {line}")
        yield " ||| ".join([*fields[:2], f"{fields[2]} {fields[4]}", *fields[3:]])
