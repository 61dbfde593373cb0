"""`dragoman smt`: train, tune and look into engines; its larger commands have modules of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, form_options, output_options, threads_option
from dragoman.cli.smt_adapt import adapt
from dragoman.cli.smt_cost import cost
from dragoman.cli.smt_domains import domains
from dragoman.cli.smt_ensemble import ensemble
from dragoman.cli.smt_experiments import curve, ladder, matrix
from dragoman.cli.smt_factors import endings, setup
from dragoman.cli.smt_grammar import grammar
from dragoman.cli.smt_matrix import tune_matrix
from dragoman.cli.smt_net import net
from dragoman.cli.smt_oracle import oracle
from dragoman.cli.smt_search import search
from dragoman.cli.smt_stream import stream
from dragoman.cli.smt_tables import extract, index, learn, prune, tables
from dragoman.cli.smt_tune import tune
from dragoman.cli.smt_tuples import tuples
from dragoman.cli.spellings import bitext_option
from dragoman.cli.training_text import held_out_set, training_bitext
from dragoman.cli.workers import pool_options

if TYPE_CHECKING:
    from dragoman.data.bitext import Bitext
    from dragoman.data.testset import TestSet
    from dragoman.smt.corpora import Corpora
    from dragoman.smt.recipe import EngineRecipe

__all__ = ["smt"]


@click.group()
def smt() -> None:
    """Train translation engines, and look into them."""


for _command in (
    tune,
    tune_matrix,
    search,
    oracle,
    extract,
    index,
    learn,
    tables,
    prune,
    net,
    tuples,
    adapt,
    ensemble,
    stream,
    grammar,
    setup,
    endings,
    ladder,
    curve,
    matrix,
    domains,
    cost,
):
    smt.add_command(_command)


@smt.command()
@click.option("--src", metavar="FILE", type=click.Path(), help="Source side of the training text, a sentence a line.")
@click.option("--tgt", metavar="FILE", type=click.Path(), help="Target side, line by line its translation.")
@bitext_option("Instead of these.")
@click.option(
    "--extra",
    metavar="SRC TGT",
    nargs=2,
    type=click.Path(),
    multiple=True,
    help="Further text, with a phrase table of its own (see tables.mode); repeatable.",
)
@click.option(
    "--corpus",
    "corpora",
    metavar="ROLE:OPTION=VALUE,…",
    multiple=True,
    help="Text for a role: all, phrases, lm or tune, as lm:path=news.en,weight=0.3; repeatable.",
)
@click.option("--lang-src", metavar="LANG", help="Language translated from; else what the file is named after.")
@click.option("--lang-tgt", metavar="LANG", help="Language translated into.")
@click.option("--dev-src", metavar="FILE", type=click.Path(), help="Source of the tuning set.")
@click.option("--dev-ref", "dev_refs", metavar="FILE", multiple=True, help="Its reference; may be repeated.")
@click.option("--test-src", metavar="FILE", type=click.Path(), help="Source of a test set, for the report alone.")
@click.option("--test-ref", "test_refs", metavar="FILE", multiple=True, help="Its reference; may be repeated.")
@click.option("--recipe", metavar="FILE", type=click.Path(), help="Recipe, a TOML file.")
@click.option("--set", "settings", metavar="SECTION.OPTION=VALUE", multiple=True, help="Change the recipe; repeatable.")
@click.option("-m", "-o", "--model", metavar="MODEL", required=True, type=click.Path(), help="The engine's folder.")
@click.option("--work", metavar="DIR", type=click.Path(), help="Where steps are kept.  [default: MODEL.work]")
@click.option("--explain", is_flag=True, help="Show the steps and their settings, and what is done already; then stop.")
@pool_options
@threads_option
@form_options
def train(
    src: str | None,
    tgt: str | None,
    bitext: tuple[str, ...] | None,
    extra: tuple[tuple[str, str], ...],
    corpora: tuple[str, ...],
    lang_src: str | None,
    lang_tgt: str | None,
    dev_src: str | None,
    dev_refs: tuple[str, ...],
    test_src: str | None,
    test_refs: tuple[str, ...],
    recipe: str | None,
    settings: tuple[str, ...],
    model: str,
    work: str | None,
    explain: bool,
    n_workers: int,
    cluster: str | None,
    part: int,
    n_threads: int,
    form: str,
) -> None:
    """Train an engine on a bitext: prepare, align, model, extract, tune, report.

    \b
      dragoman smt train --src train.en --tgt train.de --dev-src dev.en --dev-ref dev.de -m engine
      dragoman smt train --bitext memory.tmx --lang-src en --lang-tgt de -m engine
      dragoman smt train --src train.en --tgt train.de -m engine --set phrases.longest=5 --explain
      dragoman smt train --src news.en --tgt news.de --extra web.en web.de -m engine --set tables.mode=back-off
      dragoman smt train --src train.en --tgt train.de --corpus lm:path=more.de --recipe recipe.toml -m engine

    Every step is kept in the work directory: an interrupted training goes on where it stopped. With --workers or
    --cluster, preparation, alignment by EM, the language model and phrases are made in parts; the engine is the same.
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.parts import open_pool
    from dragoman.smt.training import train_engine
    from dragoman.smt.training_plan import plan_training

    named = [(src, tgt, bitext)] if src or tgt or bitext else []
    bitexts = [training_bitext(*each, lang_src, lang_tgt) for each in (*named, *((*each, None) for each in extra))]
    dev, test = held_out_set("dev", dev_src, dev_refs), held_out_set("test", test_src, test_refs)
    text = _corpora(recipe, corpora, bitexts, dev)
    chosen = _recipe(recipe, settings, text.bitexts[0], lang_src, lang_tgt)
    work = work or f"{model.rstrip('/')}.work"
    if explain:
        emit(plan_training(text, chosen, work=work, test=test), form, "-")
        return
    with open_pool(n_workers, cluster) as pool, shown_progress() as progress:
        done = train_engine(
            text,
            chosen,
            work=work,
            output=model,
            test=test,
            n_threads=n_threads,
            progress=progress,
            pool=pool,
            part=part,
        )
    for warning in done.warnings:
        click.echo(f"dragoman: beware: {warning}", err=True)
    emit(done, form, "-")


@smt.command()
@click.argument("model", type=click.Path())
@click.argument("phrases", nargs=-1)
@output_options
def inspect(model: str, phrases: tuple[str, ...], form: str, output: str) -> None:
    """Show what an engine is made of, or how it translates phrases.

    \b
      dragoman smt inspect engine
      dragoman smt inspect engine "good morning" hotel
    """
    from dragoman.smt.inspection import inspect_engine

    emit(inspect_engine(model, phrases), form, output)


def _corpora(recipe: str | None, specs: tuple[str, ...], bitexts: list[Bitext], dev: TestSet | None) -> Corpora:
    from dragoman.smt.corpora import CORPUS_ROLES, corpora_of, read_corpus_tables

    tables = read_corpus_tables(recipe) if recipe else ()
    if not (bitexts or tables or specs):
        raise click.UsageError("Name the training text: --src and --tgt, --bitext, or --corpus.")
    return corpora_of([*tables, *map(CORPUS_ROLES.make, specs)], bitexts, dev)


def _recipe(
    path: str | None, settings: tuple[str, ...], text: Bitext, lang_src: str | None, lang_tgt: str | None
) -> EngineRecipe:
    from dragoman.smt.recipe import EngineRecipe, changed
    from dragoman.text.languages import parse_language

    langs = {
        "source_lang": parse_language(lang_src) if lang_src else text.source_lang,
        "target_lang": parse_language(lang_tgt) if lang_tgt else text.target_lang,
    }
    recipe = EngineRecipe.read(path) if path else EngineRecipe()
    named = [name for name, lang in langs.items() if lang]
    if not path and len(named) < 2:
        raise click.UsageError("Name the languages with --lang-src and --lang-tgt, or files after them (train.de).")
    return changed(recipe, [*(f"{name}={langs[name]}" for name in named), *settings])
