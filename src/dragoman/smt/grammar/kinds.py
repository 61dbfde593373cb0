"""The kinds of grammars, behind one door: an aligned bitext and its parses in, a rule table out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from dragoman import _core
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.options import Recipe, option
from dragoman.parts import PART, Workshop
from dragoman.report import Table
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.grammar.extraction import ExtractedRules, GrammarExtraction, SpanLabels
from dragoman.smt.grammar.labelled import labelled_rules
from dragoman.smt.grammar.labels import DEFAULT, LABELLERS, label_name, spans_of_parse
from dragoman.smt.grammar.parses import GivenParses, InputParser, LineParse, ParsedText, parse_lines
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
    "spans_of_lines",
]

KINDS = ("hiero", "dependency", "ghkm")
_SHOWN = 5  # labels that an error names


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
    soft: int = option(
        0,
        low=0,
        text="source labels score, not forbid: of gaps in rules met so often, beside rules without; 0: they forbid",
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
        if self.soft and (not self.labels or self.parsed_side != "source" or self.backoff):
            raise DataError(
                "Soft labels are of the source, and have rules without labels beside them anyway: "
                "set labels=heads, or side=source, and leave out backoff."
            )
        return self

    def score_names(self, n_scores: int) -> list[str] | None:
        """What the scores of its rules are called in an engine; None: as those of any table, by their numbers."""
        if not self.soft:
            return None
        more = ["named-gap", *(["reordering", "reorder-penalty"] if self.reorder else [])]
        return [*(f"table.{i + 1}" for i in range(n_scores - len(more))), *more]

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

        def extract(path: StrPath, how: GrammarExtraction, sides: Mapping[str, SpanLabels]) -> ExtractedRules:
            return _hiero(text, source, target, path, how, sides, test, n_threads, shop, part)

        made = labelled_rules(text, output, kind, rules, parsed, extract, n_threads=n_threads)
        about = _parsed(parsed, side, len(made.labels.names))
        return ParsedRules(**vars(made.rules), **about, n_reorderings=made.n_reorderings)
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
