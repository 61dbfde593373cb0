"""`dragoman inflect train|apply|evaluate`."""

from __future__ import annotations

import click

from dragoman.cli.inflect_verbs import verbs
from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.streaming import stream_lines
from dragoman.cli.text import source_argument
from dragoman.syntax.inflection import InflectionRecipe

__all__ = ["inflect"]

_model_option = click.option("-m", "--model", required=True, type=click.Path(), help="The inflection model's folder.")
_treebanks = click.argument("treebanks", nargs=-1, required=True, type=click.Path(), metavar="TREEBANK...")


@click.group()
def inflect() -> None:
    """Learn how words are inflected, and make forms of lemmas."""


inflect.add_command(verbs)


@inflect.command()
@_treebanks
@_model_option
@recipe_options(InflectionRecipe)
@seed_option
@output_options
def train(treebanks: tuple[str, ...], model: str, recipe: InflectionRecipe, seed: int, form: str, output: str) -> None:
    """Learn inflection from treebanks in CoNLL-U that have lemmas.

    \b
      dragoman inflect train cs_cltt-ud-train.conllu -m inflection.cs
    """
    from itertools import chain

    from dragoman.report import inspect_model
    from dragoman.text.conllu import iter_conllu

    recipe.train(chain.from_iterable(map(iter_conllu, treebanks)), seed=seed).save(model)
    emit(inspect_model(model), form, output)


@inflect.command()
@source_argument
@_model_option
@click.option("--least-margin", type=click.FloatRange(0), default=0.0, help="Leave a lemma whose form is less sure.")
@threads_option
@output_options
def apply(source: str, model: str, least_margin: float, n_threads: int, form: str, output: str) -> None:
    """Make forms: a line of lemma, part of speech and features, between tabs, becomes a form.

    \b
      printf 'kniha\\tNOUN\\tCase=Gen|Gender=Fem|Number=Sing\\n' | dragoman inflect apply -m inflection.cs
    """
    from dragoman.syntax.inflection import Inflector, read_slots

    inflector = Inflector.load(model)

    def forms(lines: list[str]) -> list[str]:
        made = inflector.inflect(read_slots(lines, source), least_margin=least_margin, n_threads=n_threads)
        return [each.form for each in made]

    stream_lines(forms, source, form=form, output=output, made_by={"model": model})


@inflect.command()
@_treebanks
@click.option("--hide", type=float, default=0.05, show_default=True, help="The share of forms that are hidden.")
@recipe_options(InflectionRecipe)
@seed_option
@output_options
def evaluate(
    treebanks: tuple[str, ...], hide: float, recipe: InflectionRecipe, seed: int, form: str, output: str
) -> None:
    """Hide some forms of treebanks, learn from the others, and tell how many are made right.

    \b
      dragoman inflect evaluate cs_cltt-ud-train.conllu --hide 0.05
    """
    from itertools import chain

    from dragoman.syntax.inflection import evaluate_inflection
    from dragoman.text.conllu import iter_conllu

    sentences = chain.from_iterable(map(iter_conllu, treebanks))
    emit(evaluate_inflection(sentences, recipe, hidden=hide, seed=seed), form, output)
