"""`dragoman smt grammar extract|inspect|convert|pack`: rule tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.workers import open_shop, pool_options, work_option
from dragoman.errors import DataError
from dragoman.smt.grammar.extraction import GrammarExtraction
from dragoman.smt.grammar.formats import RULE_FORMATS
from dragoman.smt.grammar.kinds import GrammarKind
from dragoman.smt.grammar.table import RulePacking

if TYPE_CHECKING:
    from dragoman.smt.grammar.tree_extraction import TreeExtraction

__all__ = ["grammar"]


@click.group()
def grammar() -> None:
    """Extract the rules of hierarchical grammars, look into them, turn them into other formats, pack them."""


@grammar.command()
@click.argument("src", type=click.Path(allow_dash=True))
@click.argument("tgt", type=click.Path(allow_dash=True))
@click.argument("alignment", type=click.Path(allow_dash=True))
@click.option("-m", "--model", required=True, type=click.Path(), help="The rule table to write; .gz compresses.")
@click.option("--test", metavar="FILE", type=click.Path(), help="Tokenised source text: keep rules that can match it.")
@click.option("--source-classes", metavar="FILE", type=click.Path(), help="Word, tab, class: labels of source spans.")
@click.option("--target-classes", metavar="FILE", type=click.Path(), help="Word, tab, class: labels of target spans.")
@click.option("--source-parses", metavar="PATH", type=click.Path(), help="Parses of SRC: a file, folder or parser.")
@click.option("--target-parses", metavar="PATH", type=click.Path(), help="Parses of TGT: a file, folder or parser.")
@click.option(
    "--tree",
    "tree_texts",
    metavar="OPTION=VALUE",
    multiple=True,
    help="Rules cut out of trees: scope=2, depth=4, nodes, size, gaps, symbols, unary=yes … May be repeated.",
)
@recipe_options(GrammarKind, argument="kind")
@recipe_options(GrammarExtraction, spellings={"features": ["--feature"]})
@pool_options
@work_option
@threads_option
@output_options
def extract(
    src: str,
    tgt: str,
    alignment: str,
    model: str,
    test: str | None,
    source_classes: str | None,
    target_classes: str | None,
    source_parses: str | None,
    target_parses: str | None,
    tree_texts: tuple[str, ...],
    kind: GrammarKind,
    recipe: GrammarExtraction,
    n_workers: int,
    cluster: str | None,
    part: int,
    work: str,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Extract hierarchical rules from tokenised text and its word alignment (Pharaoh format), as a table of Moses.

    \b
      dragoman smt grammar extract tokenised.en tokenised.de links.txt -m rules.gz
      dragoman smt grammar extract tokenised.en tokenised.de links.txt -m rules --test test.en --shallow 1
      dragoman smt grammar extract tokenised.en tokenised.de links.txt -m rules --labels samt --target-parses de.parser
      dragoman smt grammar extract tokenised.en tokenised.de links.txt -m rules --kind ghkm --target-parses de.trees
      dragoman smt grammar extract a.en a.de links -m rules --kind ghkm --target-parses de.trees --tree scope=2
    """
    from dragoman.files import read_lines
    from dragoman.lm import WordClasses
    from dragoman.smt.aligned_files import read_aligned
    from dragoman.smt.grammar import class_labels, extract_grammar, parse_text
    from dragoman.smt.pairs import encode

    trees = _tree_rules(kind.kind, tree_texts)

    text, source, target = read_aligned(src, tgt, alignment)
    labels = {
        f"{side}_labels": class_labels(ids, words, WordClasses.read(file).classes, longest=recipe.longest)
        for side, file, ids, words in (
            ("source", source_classes, text.source, source),
            ("target", target_classes, text.target, target),
        )
        if file is not None
    }
    ids = encode(source.freeze(), read_lines(test)) if test is not None else None
    if kind.parsed_side and labels:
        raise click.UsageError("Classes and parses both say what spans are called; give one of both.")
    parses = {
        side: parse_text(path, [line.split() for line in read_lines(file)], n_threads=n_threads)
        for side, path, file in (("source", source_parses, src), ("target", target_parses, tgt))
        if path is not None and kind.parsed_side
    }
    with open_shop(work, n_workers, cluster) as shop:
        made = extract_grammar(
            text,
            source,
            target,
            model,
            kind=kind,
            rules=recipe,
            trees=trees,
            parses=parses,
            labels=labels,
            test=ids,
            n_threads=n_threads,
            shop=shop,
            part=part,
        )
    emit(made, form, output)


def _tree_rules(kind: str, texts: tuple[str, ...]) -> TreeExtraction | None:
    """What is cut out of trees, if anything was said of it."""
    from dragoman.options import parse_spec, read_options
    from dragoman.smt.grammar.tree_extraction import TreeExtraction, tree_rules

    if not texts:
        return None
    if kind == "hiero":
        raise click.UsageError("--tree says which rules are cut out of trees; ask for them by --kind ghkm.")
    _, given = parse_spec(":" + ",".join(texts))
    try:
        return tree_rules(kind, **read_options(TreeExtraction, given, title="--tree"))
    except DataError as error:
        raise click.UsageError(str(error)) from None


@grammar.command()
@click.argument("table", type=click.Path())
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option("--n-best", type=click.IntRange(min=1), default=20, show_default=True, help="Rules of one source side.")
@output_options
def inspect(table: str, sources: tuple[str, ...], n_best: int, form: str, output: str) -> None:
    """Count the rules of a table by kind and label, or show the most probable ones of source sides.

    \b
      dragoman smt grammar inspect rules.gz
      dragoman smt grammar inspect rules.gz "nicht [X]" hund
      dragoman smt grammar inspect packed "nicht [X]"
    """
    from dragoman.smt.grammar import inspect_rules

    emit(inspect_rules(table, sources, most=n_best), form, output)


@grammar.command()
@click.argument("table", type=click.Path())
@click.argument("to_table", metavar="TO", type=click.Path())
@click.option(
    "--from",
    "source",
    type=click.Choice(list(RULE_FORMATS), case_sensitive=False),
    default="moses",
    show_default=True,
    help="The format of TABLE.",
)
@click.option(
    "--to",
    "target",
    type=click.Choice(list(RULE_FORMATS), case_sensitive=False),
    required=True,
    help="The format of TO.",
)
@output_options
def convert(table: str, to_table: str, source: str, target: str, form: str, output: str) -> None:
    """Write a rule table in another format, without loss.

    \b
      dragoman smt grammar convert rules.gz rules.thrax.gz --to thrax
      dragoman smt grammar convert grammar.gz rules.gz --from thrax --to moses
    """
    from dragoman.smt.grammar import convert_rules

    emit(convert_rules(table, to_table, source=source, target=target), form, output)


@grammar.command()
@click.argument("table", type=click.Path())
@click.option("-m", "--model", required=True, type=click.Path(), help="The folder to make.")
@click.option(
    "--from",
    "source",
    type=click.Choice(list(RULE_FORMATS), case_sensitive=False),
    default="moses",
    show_default=True,
    help="The format of TABLE.",
)
@recipe_options(RulePacking)
@threads_option
@output_options
def pack(table: str, model: str, source: str, recipe: RulePacking, n_threads: int, form: str, output: str) -> None:
    """Pack a rule table for translation: a folder whose rules are found without reading them all.

    \b
      dragoman smt grammar pack rules.gz -m rules
      dragoman smt grammar pack grammar.gz -m rules --from thrax --quantised
    """
    from dragoman.smt.grammar import RuleTable, inspect_rules

    RuleTable.read_rules(
        table, format=source, quantised=recipe.quantised, named=recipe.named, n_threads=n_threads
    ).save(model)
    emit(inspect_rules(model), form, output)
