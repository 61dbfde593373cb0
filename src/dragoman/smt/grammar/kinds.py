"""The kinds of grammars, behind one door: an aligned bitext and its parses in, a rule table out."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from dragoman import _core
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.options import Recipe, option
from dragoman.parts import PART, Workshop
from dragoman.report import Table
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.grammar.backoff import add_plain_rules
from dragoman.smt.grammar.extraction import ExtractedRules, GrammarExtraction, SpanLabels
from dragoman.smt.grammar.labels import DEFAULT, LABELLERS, Labeller, label_name, spans_of_parse
from dragoman.smt.grammar.parses import GivenParses, InputParser, LineParse, ParsedText, parse_lines
from dragoman.smt.grammar.reorderings import add_reorderings, count_reorderings
from dragoman.smt.grammar.rule_parts import TreeCounts, hiero_in_parts, trees_in_parts
from dragoman.smt.grammar.tree_extraction import (
    TreeExtraction,
    constituent_trees,
    dependency_trees,
    tree_rules,
)
from dragoman.text.conllu import Sentence
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = [
    "GrammarKind",
    "ParsedRules",
    "check_input_labels",
    "extract_grammar",
    "input_spans",
    "span_labels",
    "spans_of_lines",
]

KINDS = ("hiero", "dependency", "ghkm")
_SHOWN = 5  # labels that an error names
_COUNTS = ("n_instances", "n_rules", "n_written", "n_lexical", "n_sources")


@dataclass(frozen=True)
class GrammarKind(Recipe):
    """Which grammar is learnt, and by whose parses."""

    kind: str = option("hiero", choices=KINDS, text="gaps for any phrase, for dependency subtrees, or rules of trees")
    labels: str = option("", text="what spans are called: constituents, samt, ccg, ccg-best, heads; nothing: X")
    side: str = option("auto", choices=("auto", "source", "target"), text="whose parses are used; auto: the paper's")
    unlabelled: str = option("keep", choices=("keep", "discard"), text="phrases without a label: X, or left out")
    reorder: bool = option(False, choices=(False, True), text="add rules that swap or join labelled neighbours")
    backoff: bool = option(
        False, choices=(False, True), text="add the rules without labels, too; labelled phrases may fill their gaps"
    )

    def check(self) -> Self:
        """The recipe, if its choices fit each other."""
        super().check()
        if self.labels:
            LABELLERS.make(self.labels)
            if self.kind != "hiero":
                raise DataError(f"Rules of kind {self.kind} are called by their trees. Leave out labels={self.labels}.")
        if self.reorder and (not self.labels or self.parsed_side != "source"):
            raise DataError("Rules that reorder need labels of the source: set labels=heads, or side=source.")
        if self.backoff and not self.labels:
            raise DataError("There is nothing to back off from without labels: set labels, or leave out backoff.")
        return self

    @property
    def parsed_side(self) -> str | None:
        """The side that needs parses; None if none does."""
        if self.kind == "hiero" and not self.labels:
            return None
        if self.side != "auto":
            return self.side
        if self.kind == "hiero":
            return LABELLERS.make(self.labels).side
        return "source" if self.kind == "dependency" else "target"


@dataclass(frozen=True)
class ParsedRules(ExtractedRules):
    """What an extraction with parses wrote, and what it made of them."""

    kind: ClassVar[str] = "parsed rules"

    side: str
    n_lines: int
    n_unparsed: int  # lines without a parse: their phrases are called X
    n_labels: int  # that spans or nodes have
    n_nodes: int = 0
    n_frontier: int = 0  # nodes at which rules begin
    n_cut: int = 0  # nodes with more ways to go on than were looked at
    n_reorderings: int = 0  # of those written, rules that only reorder

    def tables(self) -> list[Table]:
        """Rules, then parses."""
        columns = ["lines", "unparsed", "labels", "nodes", "frontier nodes", "cut short", "reordering rules"]
        row = (
            self.n_lines,
            self.n_unparsed,
            self.n_labels,
            self.n_nodes,
            self.n_frontier,
            self.n_cut,
            self.n_reorderings,
        )
        return [*super().tables(), Table.of(f"parses of the {self.side}", columns, [row])]

    def meta(self) -> dict[str, Any]:
        """The file and the parsed side."""
        return {**super().meta(), "side": self.side}


def extract_grammar(
    text: AlignedText,
    source: Vocabulary,
    target: Vocabulary,
    output: StrPath,
    *,
    kind: GrammarKind,
    rules: GrammarExtraction | None = None,
    trees: TreeExtraction | None = None,
    parses: Mapping[str, ParsedText] | None = None,
    labels: Mapping[str, SpanLabels] | None = None,
    test: TokenIds | None = None,
    n_threads: int = 1,
    shop: Workshop | None = None,
    part: int = PART,
) -> ExtractedRules:
    """Write the rules of an aligned bitext to a rule table.

    `rules` says which hierarchical rules are extracted and how rules of any kind are scored, `trees` which are cut out
    of trees. `parses` has those of the sides `source` and `target`, one for each sentence pair; `labels`, where nothing
    is called by parses, what `source_labels` and `target_labels` say. Workers of a `shop` take parts of so many pairs.
    """
    kind.check()
    rules = rules or GrammarExtraction()
    side = kind.parsed_side
    if side is None:
        return _hiero(text, source, target, output, rules, labels or {}, test, n_threads, shop, part)
    parsed = (parses or {}).get(side)
    if parsed is None:
        raise DataError(
            f"A grammar of kind {kind.kind}{kind.labels and f' with labels={kind.labels}'} needs parses of the {side}. "
            f"Name a file, a folder or a parser's model for them (parse.{side}, --{side}-parses)."
        )
    check_parallel({"sentence pairs": text.source, f"parses of the {side}": parsed.lines})
    if kind.kind == "hiero":
        return _labelled(text, source, target, output, kind, rules, parsed, test, n_threads, shop, part)
    if kind.kind == "dependency":
        whole, forest = dependency_trees(text, parsed, side)
    else:
        whole, forest = text, constituent_trees(parsed, side)
    recipe = trees or tree_rules(kind.kind)
    found: TreeCounts | _core.grammar.TreeStatistics
    if shop is None:
        found = recipe.extract(whole, source, target, forest, output, scoring=rules, test=test, n_threads=n_threads)
    else:
        found = trees_in_parts(shop, recipe, whole, source, target, forest, output, scoring=rules, test=test, part=part)
    about = {"n_nodes": found.n_nodes, "n_frontier": found.n_frontier, "n_cut": found.n_cut}
    return ParsedRules.of(output, found.rules, **_parsed(parsed, side, len(forest.names)), **about)


def _hiero(
    text: AlignedText,
    source: Vocabulary,
    target: Vocabulary,
    output: StrPath,
    rules: GrammarExtraction,
    labels: Mapping[str, SpanLabels],
    test: TokenIds | None,
    n_threads: int,
    shop: Workshop | None,
    part: int,
) -> ExtractedRules:
    if shop is None:
        return rules.extract(text, source, target, output, **labels, test=test, n_threads=n_threads)
    return hiero_in_parts(shop, rules, text, source, target, output, **labels, test=test, part=part)


def _parsed(parses: ParsedText, side: str, n_names: int) -> dict[str, Any]:
    """What the report says of parses; the first of the names is the default."""
    return {"side": side, "n_lines": len(parses), "n_unparsed": parses.n_missing, "n_labels": n_names - 1}


def _labelled(
    text: AlignedText,
    source: Vocabulary,
    target: Vocabulary,
    output: StrPath,
    kind: GrammarKind,
    rules: GrammarExtraction,
    parsed: ParsedText,
    test: TokenIds | None,
    n_threads: int,
    shop: Workshop | None,
    part: int,
) -> ParsedRules:
    """Hierarchical rules with labels, and rules that reorder labelled neighbours."""
    side = kind.parsed_side or "target"
    labeller = LABELLERS.make(kind.labels).learn(parsed.lines)
    ids: TokenIds = getattr(text, side)
    reach = 2 * rules.longest if kind.reorder else rules.longest
    lengths = ids.lengths().tolist()
    if kind.backoff:  # what is called X is among the rules without labels
        labels = span_labels(labeller, parsed, lengths, longest=reach, keep=False, unparsed=False)
    else:
        labels = span_labels(labeller, parsed, lengths, longest=reach, keep=kind.unlabelled == "keep")
    sides: dict[str, SpanLabels] = {f"{side}_labels": labels}
    found = _hiero(text, source, target, output, rules, sides, test, n_threads, shop, part)
    made = ParsedRules(**vars(found), **_parsed(parsed, side, len(labels.names)))
    if kind.backoff:
        with tempfile.TemporaryDirectory(prefix="dragoman") as folder:
            plain = _hiero(text, source, target, Path(folder) / "rules", rules, {}, test, n_threads, shop, part)
            n_renaming = add_plain_rules(output, plain.path, labels.names, side) - plain.n_written
        counts = {name: getattr(made, name) + getattr(plain, name) for name in _COUNTS}
        counts |= {name: counts[name] + n_renaming for name in ("n_rules", "n_written", "n_sources")}
        made = replace(made, **counts)
    if not kind.reorder:
        return made
    ways = count_reorderings(text, labels, longest=rules.longest, n_threads=n_threads)
    n_more = add_reorderings(output, ways, labels.names)
    return replace(made, n_written=made.n_written + n_more, n_reorderings=n_more)


def input_spans(kind: GrammarKind, parse: LineParse) -> list[tuple[int, int, str]] | None:
    """What a decoder compares the source labels of rules with: begin, end and label of spans of a source sentence.

    A rule may stand over a span only if its source label is one of the span's, and likewise a gap; X fits everywhere.
    None if the rules have no source labels. A sentence without a parse has no such spans: only rules called X fit it.
    """
    if kind.parsed_side != "source" or kind.kind == "dependency":
        return None
    if kind.kind == "hiero":
        n_words = len(parse.words) if isinstance(parse, Sentence) else len(parse or ())
        labels = LABELLERS.make(kind.labels).spans(parse, n_words)
        return [(begin, end, label) for (begin, end), label in labels.items()]
    tree = spans_of_parse(parse)
    nodes = zip(tree.begins, tree.ends, tree.labels, strict=True)
    return [(begin, end, label_name(label)) for begin, end, label in nodes]


def spans_of_lines(
    kind: GrammarKind, parser: InputParser, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1
) -> list[list[tuple[int, int, str]]]:
    """The spans of lines that are to be translated (see `input_spans`), by a parser."""
    parses = parse_lines(parser, token_lines, n_threads=n_threads)
    return [[] if parse is None else input_spans(kind, parse) or [] for parse in parses]


def check_input_labels(
    kind: GrammarKind, given: GivenParses, token_lines: Sequence[Sequence[str]], known: Collection[str]
) -> None:
    """Refuse parses of lines if no span of them is called as any rule is: another parser's labels, most likely."""
    lines = spans_of_lines(kind, given, token_lines)
    names = sorted({name for line in lines for _, _, name in line})
    if names and not any(name in known for name in names):
        rules = ", ".join(sorted(set(known) - {DEFAULT})[:_SHOWN])
        raise DataError(
            f"No label of the parses is one of the grammar's: they have {', '.join(names[:_SHOWN])} …, the rules "
            f"{rules} …. Parse as the training text was parsed, or leave the parses out: the engine has its own parser."
        )


def span_labels(
    labeller: Labeller,
    parses: ParsedText,
    lengths: list[int],
    *,
    longest: int,
    keep: bool = True,
    unparsed: bool = True,
) -> SpanLabels:
    """The labels of all lines, which have so many words; `keep`: spans without a label may be used as X.

    All spans of a line without a parse are X, unless `unparsed` is false: then there is nothing of it.
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
    return SpanLabels.of(rows, other_rules=keep, other_gaps=keep)
