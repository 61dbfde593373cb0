"""Hierarchical rules whose gaps and wholes are called by a parse: demanded, with plain ones beside them, or scored."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.files import StrPath
from dragoman.smt.grammar.backoff import add_plain_rules
from dragoman.smt.grammar.extraction import ExtractedRules, GrammarExtraction, SpanLabels
from dragoman.smt.grammar.labels import DEFAULT, LABELLERS, Labeller
from dragoman.smt.grammar.parses import ParsedText
from dragoman.smt.grammar.reorderings import add_reorderings, count_reorderings
from dragoman.smt.grammar.soft_labels import add_named_gaps, without_wholes

if TYPE_CHECKING:
    from dragoman.smt.aligned_text import AlignedText
    from dragoman.smt.grammar.kinds import GrammarKind

__all__ = ["LabelledRules", "labelled_rules", "span_labels"]

# Writes the rules of the text to a file, by labels of its sides.
Extract = Callable[[StrPath, GrammarExtraction, Mapping[str, SpanLabels]], ExtractedRules]


@dataclass(frozen=True, eq=False)
class LabelledRules:
    """What was written, and what spans were called."""

    rules: ExtractedRules
    labels: SpanLabels
    n_reorderings: int = 0  # of those written, rules that only reorder


def labelled_rules(
    text: AlignedText,
    output: StrPath,
    kind: GrammarKind,
    rules: GrammarExtraction,
    parsed: ParsedText,
    extract: Extract,
    *,
    n_threads: int = 1,
) -> LabelledRules:
    """Write hierarchical rules with labels, and rules that reorder labelled neighbours."""
    side = kind.parsed_side or "target"
    reach = 2 * rules.longest if kind.reorder else rules.longest
    labels = _labels_of(kind, parsed, getattr(text, side).lengths().tolist(), reach)
    made = LabelledRules(_written(output, kind, rules, labels, extract), labels)
    if not kind.reorder:
        return made
    ways = count_reorderings(text, labels, longest=rules.longest, n_threads=n_threads)
    n_more = add_reorderings(output, without_wholes(ways) if kind.soft else ways, labels.names)
    return replace(made, rules=replace(made.rules, n_written=made.rules.n_written + n_more), n_reorderings=n_more)


def _labels_of(kind: GrammarKind, parsed: ParsedText, lengths: list[int], longest: int) -> SpanLabels:
    labeller = LABELLERS.make(kind.labels).learn(parsed.lines)
    if kind.backoff or kind.soft:  # what is called X is among the rules without labels
        return span_labels(labeller, parsed, lengths, longest=longest, keep=False, unparsed=False, soft=bool(kind.soft))
    return span_labels(labeller, parsed, lengths, longest=longest, keep=kind.unlabelled == "keep")


def _written(
    output: StrPath, kind: GrammarKind, rules: GrammarExtraction, labels: SpanLabels, extract: Extract
) -> ExtractedRules:
    """The rules with labels, and those without beside them, if there are to be any."""
    side = kind.parsed_side or "target"
    sides = {f"{side}_labels": labels}
    with tempfile.TemporaryDirectory(prefix="dragoman") as folder:
        other = Path(folder) / "rules"
        if kind.soft:
            often = replace(rules, least_count=max(kind.soft, rules.least_count))
            return _with_named_gaps(extract(output, rules, {}), extract(other, often, sides), labels)
        named = extract(output, rules, sides)
        return _with_plain(named, extract(other, rules, {}), labels, side) if kind.backoff else named


def _with_plain(named: ExtractedRules, plain: ExtractedRules, labels: SpanLabels, side: str) -> ExtractedRules:
    """What a table of labelled rules is with those without labels."""
    n_renaming = add_plain_rules(named.path, plain.path, labels.names, side) - plain.n_written
    return replace(
        named,
        n_instances=named.n_instances + plain.n_instances,
        n_rules=named.n_rules + plain.n_rules + n_renaming,
        n_written=named.n_written + plain.n_written + n_renaming,
        n_lexical=named.n_lexical + plain.n_lexical,
        n_sources=named.n_sources + plain.n_sources + n_renaming,
    )


def _with_named_gaps(plain: ExtractedRules, named: ExtractedRules, labels: SpanLabels) -> ExtractedRules:
    """What a table of rules without labels is with those whose gaps have names."""
    added = add_named_gaps(plain.path, named.path, labels.names)
    return replace(
        plain,
        n_instances=plain.n_instances + named.n_instances,
        n_rules=plain.n_rules + added.n_rules,
        n_written=plain.n_written + added.n_rules,
        n_sources=plain.n_sources + added.n_sources,
    )


def span_labels(
    labeller: Labeller,
    parses: ParsedText,
    lengths: list[int],
    *,
    longest: int,
    keep: bool = True,
    unparsed: bool = True,
    soft: bool = False,
) -> SpanLabels:
    """The labels of all lines, which have so many words; `keep`: spans without a label may be used as X.

    All spans of a line without a parse are X, unless `unparsed` is false: then there is nothing of it. Labels that are
    `soft` are of gaps alone, and every phrase is an X.
    """
    rows = []
    for parse, length in zip(parses.lines, lengths, strict=True):
        if parse is not None:
            rows.append([(begin, end, label) for (begin, end), label in labeller.spans(parse, longest).items()])
        elif keep or not unparsed:
            rows.append([])
        else:
            ends = [range(begin + 1, min(length, begin + longest) + 1) for begin in range(length)]
            rows.append([(begin, end, DEFAULT) for begin in range(length) for end in ends[begin]])
    return SpanLabels.of(rows, other_rules=keep or soft, other_gaps=keep, names_rules=not soft)
