"""`dragoman smt ladder|curve|matrix`: experiments that train many engines in one work directory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.spellings import bitext_option
from dragoman.cli.training_text import held_out_set, training_bitext

if TYPE_CHECKING:
    from dragoman.data.bitext import Bitext
    from dragoman.data.testset import TestSet
    from dragoman.smt.recipe import EngineRecipe

__all__ = ["curve", "ladder", "matrix"]

_WORK = click.option(
    "--work", metavar="DIR", required=True, type=click.Path(), help="Where steps are kept; go on with the same one."
)
_EXPLAIN = click.option(
    "--explain", is_flag=True, help="Show the engines, what is done and what they share; then stop."
)
_PAIRS = click.option(
    "--pairs", "n_pairs", type=click.IntRange(min=1), help="Take the first so many pairs of the training text."
)
_SET = click.option(
    "--set", "settings", metavar="SECTION.OPTION=VALUE", multiple=True, help="Change the recipe; repeatable."
)


@dataclass(frozen=True)
class _Texts:
    """The texts that an experiment is given: training, tuning and test, by the options that name them."""

    src: str | None
    tgt: str | None
    bitext: tuple[str, ...] | None
    lang_src: str | None
    lang_tgt: str | None
    dev_src: str | None
    dev_refs: tuple[str, ...]
    test_src: str
    test_refs: tuple[str, ...]

    @property
    def has_training(self) -> bool:
        """Whether there is a training text among them."""
        return bool(self.src or self.tgt or self.bitext)

    def training(self) -> Bitext:
        """The training text."""
        return training_bitext(self.src, self.tgt, self.bitext, self.lang_src, self.lang_tgt)

    def sets(self) -> tuple[TestSet | None, TestSet]:
        """Tuning set, if there is one, and test set."""
        test = held_out_set("test", self.test_src, self.test_refs)
        if test is None:
            raise click.UsageError("Name the test set: --test-src and --test-ref.")
        return held_out_set("dev", self.dev_src, self.dev_refs), test

    def recipe(self, base: EngineRecipe | None, text: Bitext | None, settings: tuple[str, ...]) -> EngineRecipe:
        """A recipe with the languages that the command or the text's files name."""
        from dragoman.smt.recipe import EngineRecipe, changed
        from dragoman.text.languages import parse_language

        langs = {
            "source_lang": parse_language(self.lang_src) if self.lang_src else text and text.source_lang,
            "target_lang": parse_language(self.lang_tgt) if self.lang_tgt else text and text.target_lang,
        }
        named = [f"{name}={lang}" for name, lang in langs.items() if lang]
        if base is None and len(named) < 2:
            raise click.UsageError("Name the languages with --lang-src and --lang-tgt, or files after them (train.de).")
        return changed(base or EngineRecipe(), [*named, *settings])


def _text_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add training text, tuning set, test set and where the work is kept; the texts reach the command as `texts`."""

    @wraps(command)
    def gathered(**values: Any) -> None:
        command(texts=_Texts(**{each.name: values.pop(each.name) for each in fields(_Texts)}), **values)

    optioned: Callable[..., None] = gathered
    for add in reversed(
        (
            click.option("--src", metavar="FILE", type=click.Path(), help="Source side of the training text."),
            click.option("--tgt", metavar="FILE", type=click.Path(), help="Target side, line by line its translation."),
            bitext_option("Instead of these."),
            click.option("--lang-src", metavar="LANG", help="Language translated from; else what the file is named."),
            click.option("--lang-tgt", metavar="LANG", help="Language translated into."),
            click.option("--dev-src", metavar="FILE", type=click.Path(), help="Source of the tuning set."),
            click.option("--dev-ref", "dev_refs", metavar="FILE", multiple=True, help="Its reference; repeatable."),
            click.option(
                "--test-src", metavar="FILE", required=True, type=click.Path(), help="Source of the test set."
            ),
            click.option(
                "--test-ref",
                "test_refs",
                metavar="FILE",
                multiple=True,
                required=True,
                help="Its reference; repeatable.",
            ),
            _SET,
            _WORK,
            _EXPLAIN,
            threads_option,
            output_options,
        )
    ):
        optioned = add(optioned)
    return optioned


@click.command()
@click.argument("recipe", type=click.Path())
@_text_options
@_PAIRS
def ladder(
    recipe: str,
    texts: _Texts,
    settings: tuple[str, ...],
    work: str,
    explain: bool,
    n_pairs: int | None,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Train the engines of a ladder and say what each rung adds.

    \b
      dragoman smt ladder ladder.toml --src train.de --tgt train.en --test-src test.de --test-ref test.en --work work

    The file is a recipe with tables [[rung]]: each has a name and the options it changes, and stands on the one above
    or on its `base`. Texts stand in the file, as [[corpus]] and [[rung.corpus]], or are given here.
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.smt.experiments import climb_ladder, plan_ladder, read_rungs
    from dragoman.smt.recipe import EngineRecipe

    bitexts = [texts.training()] if texts.has_training else []
    if n_pairs is not None:
        if not bitexts:
            raise click.UsageError("--pairs is of the text given here: --src and --tgt, or --bitext.")
        bitexts = [bitexts[0].first(n_pairs)]
    dev, test = texts.sets()
    base = texts.recipe(EngineRecipe.read(recipe), bitexts[0] if bitexts else None, settings)
    rungs = read_rungs(recipe, recipe=base, bitexts=bitexts, dev=dev)
    if explain:
        emit(plan_ladder(rungs, test, work=work), form, output)
        return
    with shown_progress() as progress:
        climbed = climb_ladder(rungs, {"test": test}, work=work, n_threads=n_threads, progress=progress)
    emit(climbed, form, output)


@click.command()
@_text_options
@click.option("--recipe", metavar="FILE", type=click.Path(), help="Recipe, a TOML file.")
@click.option(
    "--points", type=click.IntRange(min=1), default=4, show_default=True, help="Sizes: all, half, a quarter …"
)
@click.option(
    "--size", "sizes", type=click.IntRange(min=1), multiple=True, help="A size of its own instead; repeatable."
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of what is drawn.")
@click.option(
    "--tuning-seed",
    "seeds",
    type=click.IntRange(min=0),
    multiple=True,
    help="Tune once for each, and once with the mean of their weights; repeatable.",
)
def curve(
    texts: _Texts,
    settings: tuple[str, ...],
    work: str,
    explain: bool,
    recipe: str | None,
    points: int,
    sizes: tuple[int, ...],
    seed: int,
    seeds: tuple[int, ...],
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Learning curve: train on half the text, a quarter …, and say whether more would help.

    \b
      dragoman smt curve --src train.de --tgt train.en --test-src test.de --test-ref test.en --points 4 --work work
      dragoman smt curve … --dev-src dev.de --dev-ref dev.en --tuning-seed 1 --tuning-seed 2 --tuning-seed 3
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.smt.experiments import curve_trials, doubling_sizes, learning_curve, plan_curve
    from dragoman.smt.recipe import EngineRecipe

    text = texts.training()
    dev, test = texts.sets()
    base = EngineRecipe.read(recipe) if recipe else None
    chosen = texts.recipe(base, text, settings)
    n_pairs = doubling_sizes(sum(1 for _ in text), points) if not sizes else sorted(set(sizes))
    trials = curve_trials(text, chosen, n_pairs, dev=dev, seed=seed)
    if explain:
        emit(plan_curve(trials, test, work=work), form, output)
        return
    with shown_progress() as progress:
        found = learning_curve(trials, test, work=work, seed=seed, seeds=seeds, n_threads=n_threads, progress=progress)
    emit(found, form, output)


@click.command()
@click.option("--lang", "langs", metavar="LANG", multiple=True, required=True, help="A language; repeatable.")
@click.option("--train", metavar="NAME", required=True, help="Training text: NAME.LANG, or a name with {lang}, {pair}.")
@click.option("--dev", metavar="NAME", help="Tuning set, named likewise.")
@click.option("--test", metavar="NAME", required=True, help="Test set, named likewise.")
@click.option("--pivot", "pivots", metavar="LANG", multiple=True, help="Also translate through it; repeatable.")
@_PAIRS
@click.option("--recipe", metavar="FILE", type=click.Path(), help="Recipe of all engines, a TOML file.")
@_SET
@_WORK
@_EXPLAIN
@threads_option
@output_options
def matrix(
    langs: tuple[str, ...],
    train: str,
    dev: str | None,
    test: str,
    pivots: tuple[str, ...],
    n_pairs: int | None,
    recipe: str | None,
    settings: tuple[str, ...],
    work: str,
    explain: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Train engines for all directions among languages, with one recipe, and show one table.

    \b
      dragoman smt matrix --lang en --lang de --lang cs --train train --test test --pivot en --work work
      dragoman smt matrix --lang en --lang de --train 'nc.{pair}.{lang}' --test newstest --work work

    A direction without a text of its own is translated through the pivot alone. An interrupted matrix goes on.
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.smt.experiments import MatrixText, plan_matrix, translation_matrix
    from dragoman.smt.recipe import EngineRecipe, changed

    text = MatrixText(langs, train, test, dev, n_pairs)
    chosen = changed(EngineRecipe.read(recipe) if recipe else EngineRecipe(), settings)
    if explain:
        emit(plan_matrix(text, chosen, work=work), form, output)
        return
    with shown_progress() as progress:
        found = translation_matrix(text, chosen, work=work, pivots=pivots, n_threads=n_threads, progress=progress)
    emit(found, form, output)
