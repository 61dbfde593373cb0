"""`dragoman repair`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.repair.recipe import RepairRecipe

__all__ = ["repair"]

_model = click.option("-m", "--model", required=True, type=click.Path(), metavar="MODEL", help="The repairer's folder.")
_source = click.option("-s", "--src", "source", required=True, type=click.Path(), metavar="FILE", help="The sources.")


@click.group()
def repair() -> None:
    """Mend the grammar of an engine's output, by rules."""


@repair.command()
@click.argument("source", type=click.Path(), metavar="SRC")
@click.argument("target", type=click.Path(), metavar="TGT")
@click.option("--parser", required=True, type=click.Path(), metavar="MODEL", help="A parser of the source language.")
@click.option("--treebank", multiple=True, type=click.Path(), metavar="FILE", help="CoNLL-U of the target language.")
@click.option("--target-parser", type=click.Path(), metavar="MODEL", help="Heads of words without links, by a parser.")
@_model
@recipe_options(RepairRecipe)
@threads_option
@output_options
def train(
    source: str,
    target: str,
    parser: str,
    treebank: tuple[str, ...],
    target_parser: str | None,
    model: str,
    recipe: RepairRecipe,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Learn forms, links and a language model from a bitext.

    \b
      dragoman syntax parser train en_ewt-ud-dev.conllu -m parser.en
      dragoman repair train train.en train.cs --parser parser.en -m repairer

    The paradigms of the target language stand in a grammar; text tells which words follow which. --treebank adds words
    with their lemmas and tags.
    """
    from itertools import chain

    from dragoman.files import read_lines
    from dragoman.repair import train_repairer
    from dragoman.report import inspect_model
    from dragoman.syntax import Parser
    from dragoman.text.conllu import iter_conllu

    trees = chain.from_iterable(map(iter_conllu, treebank))
    learnt = train_repairer(
        read_lines(source),
        read_lines(target),
        Parser.load(parser),
        recipe,
        treebank=trees,
        target_parser=Parser.load(target_parser) if target_parser else None,
        n_threads=n_threads,
    )
    learnt.save(model)
    emit(inspect_model(model), form, output)


@repair.command()
@click.argument("outputs", type=click.Path(allow_dash=True))
@_model
@_source
@click.option("--without", multiple=True, metavar="RULE", help="Leave a rule out. May be repeated.")
@click.option("--only", multiple=True, metavar="RULE", help="Apply this rule alone. May be repeated.")
@click.option("--explain", is_flag=True, help="Show each change with its rule and reason, and what was refused.")
@threads_option
@output_options
def apply(
    outputs: str,
    model: str,
    source: str,
    without: tuple[str, ...],
    only: tuple[str, ...],
    explain: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Mend OUTPUTS of any engine, a line each; lines that no rule applies to stay as they are.

    \b
      dragoman repair apply output.cs -s source.en -m repairer
      dragoman repair apply output.cs -s source.en -m repairer --explain --without negation
    """
    from dragoman.files import open_writer, read_lines
    from dragoman.repair import Repairer

    repairer = Repairer.load(model)
    result = repairer.apply(read_lines(outputs), read_lines(source), without=without, only=only, n_threads=n_threads)
    if explain or form != "text":
        emit(result, form, output)
        return
    with open_writer(output) as stream:
        stream.writelines(f"{line}\n" for line in result.lines)


@repair.command()
@click.argument("treebank", nargs=-1, required=True, type=click.Path())
@_model
@click.option("--said", required=True, type=click.Path(), metavar="FILE", help="What an engine said.")
@click.option("-r", "--ref", required=True, type=click.Path(), metavar="FILE", help="Its references.")
@click.option("--to", required=True, type=click.Path(), metavar="FILE", help="Where the treebank goes, CoNLL-U.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the errors.")
@output_options
def worsen(
    treebank: tuple[str, ...], model: str, said: str, ref: str, to: str, seed: int, form: str, output: str
) -> None:
    """Put errors of form into a treebank, as often as an engine makes them.

    \b
      dragoman repair worsen cs_cltt-ud-train.conllu --said output.cs -r reference.cs -m repairer --to worse.conllu
      dragoman syntax parser train worse.conllu -m parser.cs
      dragoman repair train train.en train.cs --parser parser.en --target-parser parser.cs -m repairer

    The trees stay as they are: a parser that learns from them has seen broken agreement.
    """
    from itertools import chain

    from dragoman.files import read_lines
    from dragoman.repair import Repairer, count_form_errors, worsen_treebank
    from dragoman.text.conllu import iter_conllu, write_conllu

    repairer = Repairer.load(model)
    errors = count_form_errors(repairer.lexicon, read_lines(said), read_lines(ref))
    trees = chain.from_iterable(map(iter_conllu, treebank))
    result = worsen_treebank(repairer.grammar, trees, errors, seed=seed)
    write_conllu(to, result.sentences)
    emit(result, form, output)


@repair.command()
@click.argument("outputs", type=click.Path())
@_model
@_source
@click.option("-r", "--ref", type=click.Path(), metavar="FILE", help="References: tell also what became better.")
@threads_option
@output_options
def ablate(outputs: str, model: str, source: str, ref: str | None, n_threads: int, form: str, output: str) -> None:
    """Tell what each rule does: all rules beside all but one.

    \b
      dragoman repair ablate output.cs -s source.en -r reference.cs -m repairer
    """
    from dragoman.files import read_lines
    from dragoman.repair import Repairer, ablate_rules

    references = read_lines(ref) if ref else None
    repairer = Repairer.load(model)
    result = ablate_rules(repairer, read_lines(outputs), read_lines(source), references, n_threads=n_threads)
    emit(result, form, output)


@repair.command()
@click.argument("references", type=click.Path())
@_model
@_source
@click.option("--seed", type=int, default=1, show_default=True, help="Of the errors.")
@threads_option
@output_options
def evaluate(references: str, model: str, source: str, seed: int, n_threads: int, form: str, output: str) -> None:
    """Put errors of agreement into REFERENCES and tell how many are mended.

    \b
      dragoman repair evaluate reference.cs -s source.en -m repairer

    In each line one word becomes another form of the same word, at random: an attribute, a noun behind a preposition,
    or a predicate. Shown are the errors mended, the share of changes that are right, and how many lines of the
    references themselves are changed.
    """
    from dragoman.files import read_lines
    from dragoman.repair import Repairer, mend_injected

    repairer = Repairer.load(model)
    emit(
        mend_injected(repairer, read_lines(references), read_lines(source), seed=seed, n_threads=n_threads),
        form,
        output,
    )
