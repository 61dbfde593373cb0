"""`dragoman combine`: one answer of several systems' outputs."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, encoding_option, form_options, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.combine.recipe import CombineRecipe
from dragoman.combine.selection import ChoiceRecipe

if TYPE_CHECKING:
    from dragoman.lm.model import LanguageModel

__all__ = ["combine"]


@click.group()
def combine() -> None:
    """Make one translation of several systems' outputs."""


_systems = click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
_refs = click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; repeatable.")
_source = click.option("-s", "--src", metavar="FILE", help="The sources: what words of several systems translate.")
_lm = click.option("--lm", metavar="MODEL", help="A language model of tokenised text: a folder, or an ARPA file.")
_model = click.option("-m", "--model", metavar="MODEL", required=True, type=click.Path(), help="The model's folder.")
_measured = click.option(
    "-r", "--ref", "refs", metavar="FILE", multiple=True, help="Measure the text beside the single systems."
)


@combine.command()
@_systems
@_refs
@_source
@_lm
@recipe_options(CombineRecipe)
@click.option("-m", "-o", "--model", metavar="MODEL", required=True, type=click.Path(), help="Where the model goes.")
@seed_option
@threads_option
@encoding_option
@form_options
def train(
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    src: str | None,
    lm: str | None,
    recipe: CombineRecipe,
    model: str,
    seed: int,
    n_threads: int,
    form: str,
) -> None:
    """Tune a combination of systems on their outputs and a reference.

    \b
      dragoman combine train dev/a.en dev/b.en dev/c.en -r dev/ref.en --lang en -o combination
      dragoman combine train dev/a.en dev/b.en dev/c.en -r dev/ref.en -s dev/src.fr --lang en --align itg -o combination

    The outputs are aligned word by word into confusion networks, one for each system's order; a path through them is
    scored by the votes of the systems, n-grams that they share, and language models.
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.combine import train_combiner
    from dragoman.data import assemble

    text = assemble(srcs=src, refs=refs, systems=systems, n_threads=n_threads)
    with shown_progress() as progress:
        combiner = train_combiner(text, recipe, lm=_opened(lm), seed=seed, n_threads=n_threads, progress=progress)
    combiner.save(model)
    emit(combiner.tuned, form, "-")


@combine.command()
@_systems
@_model
@_source
@_measured
@click.option("-o", "--output", metavar="FILE", required=True, help="Where the combined text goes, a line a segment.")
@click.option("--html", "page", metavar="FILE", help="Also write a page of the networks: who contributed what.")
@seed_option
@threads_option
@encoding_option
@form_options
def apply(
    systems: tuple[str, ...],
    model: str,
    src: str | None,
    refs: tuple[str, ...],
    output: str,
    page: str | None,
    seed: int,
    n_threads: int,
    form: str,
) -> None:
    """Combine the outputs of the systems that a model was trained for.

    \b
      dragoman combine apply test/a.en test/b.en test/c.en -m combination -o combined.en
      dragoman combine apply test/a.en test/b.en test/c.en -m combination -o combined.en --html networks.html
      dragoman combine apply test/a.en test/b.en test/c.en -m combination -o combined.en -r test/ref.en

    Systems are known by their names, which are those of the files unless NAME=FILE says otherwise. Placeholders, code,
    addresses and tags stay whole.
    """
    from dragoman.cat.unit_words import as_words, from_words
    from dragoman.cli.progress import shown_progress
    from dragoman.combine import Combiner, evaluate_outputs
    from dragoman.data import assemble
    from dragoman.files import open_writer, write_lines

    combiner = Combiner.load(model)
    text = assemble(srcs=src, refs=refs, systems=systems, n_threads=n_threads)
    is_text = bool(combiner.recipe.lang)  # else lines are tokens
    spelt = replace(text, systems={name: as_words(lines) for name, lines in text.systems.items()}) if is_text else text
    with shown_progress() as progress:
        combination = combiner.combine(spelt, with_networks=page is not None, n_threads=n_threads, progress=progress)
    if is_text:
        combination = replace(combination, texts=tuple(map(from_words, combination.texts)))
    write_lines(output, combination.texts)
    if page is not None:
        with open_writer(page) as stream:
            stream.write(from_words(combination.html(), escape) if is_text else combination.html())
    if refs:
        outputs = {"combined": combination.texts}
        emit(evaluate_outputs(outputs, text, seed=seed, n_threads=n_threads), form, "-")
    else:
        emit(combination, form, "-")


@combine.command()
@_systems
@_refs
@_source
@_lm
@recipe_options(CombineRecipe)
@click.option("--pairs", is_flag=True, help="Also combine every two systems.")
@seed_option
@threads_option
@encoding_option
@output_options
def ablate(
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    src: str | None,
    lm: str | None,
    recipe: CombineRecipe,
    pairs: bool,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Tell what each system is worth to a combination: without it, and with --pairs of every two.

    \b
      dragoman combine ablate dev/a.en dev/b.en dev/c.en -r dev/ref.en --lang en --pairs

    Every other segment is for tuning, the rest for measuring.
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.combine import ablate, interleaved
    from dragoman.data import assemble

    halves = interleaved(assemble(srcs=src, refs=refs, systems=systems, n_threads=n_threads))
    with shown_progress() as progress:
        ablation = ablate(
            *halves, recipe, pairs=pairs, lm=_opened(lm), seed=seed, n_threads=n_threads, progress=progress
        )
    emit(ablation, form, output)


@combine.command()
@_systems
@click.option("-m", "--model", metavar="MODEL", type=click.Path(), help="The chooser's folder: made with --train.")
@click.option("--train", "is_training", is_flag=True, help="Learn from these outputs and their reference (-r).")
@_source
@_lm
@_measured
@recipe_options(ChoiceRecipe)
@click.option("-o", "--output", "chosen", metavar="FILE", help="Where the chosen outputs go, a line a segment.")
@seed_option
@threads_option
@encoding_option
@form_options
def select(
    systems: tuple[str, ...],
    model: str | None,
    is_training: bool,
    src: str | None,
    lm: str | None,
    refs: tuple[str, ...],
    recipe: ChoiceRecipe,
    chosen: str | None,
    seed: int,
    n_threads: int,
    form: str,
) -> None:
    """Choose whole outputs, the best of each segment, by features that no system tells about itself.

    \b
      dragoman combine select dev/a.en dev/b.en dev/c.en -r dev/ref.en --lang en --train -m chooser
      dragoman combine select test/a.en test/b.en test/c.en -m chooser -o chosen.en

    The other systems' outputs are pseudo-references; weights are tuned like an engine's. To choose by learnt quality,
    see dragoman qe select.
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.combine import Chooser, evaluate_outputs, train_chooser
    from dragoman.data import assemble
    from dragoman.files import write_lines

    if model is None:
        raise click.UsageError("Name the chooser's folder with -m: made with --train, else opened.")
    if is_training and chosen is not None:
        raise click.UsageError("--train learns and chooses nothing; leave -o out, then choose from other outputs.")
    chooser = None if is_training else Chooser.load(model)
    text = assemble(srcs=src, refs=refs, systems=systems, n_threads=n_threads)
    if chooser is None:
        with shown_progress() as progress:
            chooser = train_chooser(text, recipe, lm=_opened(lm), seed=seed, n_threads=n_threads, progress=progress)
        chooser.save(model)
        emit(chooser.tuned, form, "-")
        return
    choice = chooser.choose(text, n_threads=n_threads)
    if chosen is not None:
        write_lines(chosen, choice.texts)
    outputs = {"chosen": choice.texts}
    emit(evaluate_outputs(outputs, text, seed=seed, n_threads=n_threads) if refs else choice, form, "-")


def _opened(lm: str | None) -> LanguageModel | None:
    from dragoman.lm.model import LanguageModel

    return None if lm is None else LanguageModel.open(lm)
