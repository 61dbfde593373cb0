"""`dragoman rescore`: features for n-best lists, weights for them, and a better choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragoman.cli.output import RegistryChoice, emit, form_options, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.rescoring.base import RESCORING_FEATURES
from dragoman.rescoring.recipe import Rescoring
from dragoman.rescoring.risk import RiskRecipe

if TYPE_CHECKING:
    from dragoman.rescoring import CandidateLists

__all__ = ["rescore"]

F = TypeVar("F", bound=Callable[..., Any])


def _lists_arguments(command: F) -> F:
    source = click.option("-s", "--src", required=True, metavar="FILE", help="What was translated, a segment a line.")
    return click.argument("lists", metavar="[NAME=]LISTS...", nargs=-1, required=True)(source(command))


_refs_option = click.option(
    "-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated."
)


def _read(paths: tuple[str, ...], src: str) -> tuple[CandidateLists, list[str]]:
    """The lists, merged where there are several, and what their engines' columns are called."""
    from dragoman.errors import DataError
    from dragoman.files import plain_name, read_lines
    from dragoman.rescoring import merged_lists
    from dragoman.rescoring.graphs import opened_lists

    sources = list(read_lines(src))
    if len(paths) == 1:
        return opened_lists(paths[0].partition("=")[2] or paths[0], sources), ["score"]
    named = [
        (name if equals else plain_name(path).removesuffix(".nbest"), rest or path)
        for path in paths
        for name, equals, rest in [path.partition("=")]
    ]
    if len({name for name, _ in named}) < len(named):
        raise DataError(f"Two lists have one name: {', '.join(name for name, _ in named)}. Write NAME=FILE.")
    return merged_lists({name: opened_lists(path, sources) for name, path in named}), [name for name, _ in named]


@click.group()
def rescore() -> None:
    """Choose better among the candidates of n-best lists."""


@rescore.command()
@_lists_arguments
@click.option(
    "-f",
    "--feature",
    "specs",
    metavar="NAME",
    multiple=True,
    required=True,
    type=RegistryChoice(RESCORING_FEATURES),
    help="A feature to add, NAME:OPTIONS; may be repeated.",
)
@threads_option
@output_options
def features(lists: tuple[str, ...], src: str, specs: tuple[str, ...], n_threads: int, form: str, output: str) -> None:
    """Add features to lists; what is written is in Moses' format again.

    Lists of several engines become one, where each text stands once.

    \b
      dragoman rescore features phrase.nbest -s val.de -f neural:net -f length -o val.nbest
    """
    import numpy as np

    from dragoman.cli.progress import shown_progress
    from dragoman.data.formats.nbest import NBestFormat
    from dragoman.rescoring import add_features
    from dragoman.rescoring.result import Described

    candidates, _ = _read(lists, src)
    with shown_progress() as progress:
        whole = add_features(candidates, specs, n_threads=n_threads, progress=progress)
    if form != "text":
        emit(Described(whole), form, output)
        return
    known = "score" in whole.names
    NBestFormat().write(whole.n_best(whole.column("score") if known else np.zeros(len(whole.texts))), output)


@rescore.command()
@_lists_arguments
@_refs_option
@recipe_options(Rescoring, spellings={"features": ("-f", "--feature"), "tuners": ("--tuner",)})
@click.option("--start", metavar="MODEL", type=click.Path(), help="A rescorer whose weights come first.")
@seed_option
@click.option(
    "-o", "--output", "model", metavar="MODEL", required=True, type=click.Path(), help="The rescorer goes there."
)
@threads_option
@form_options
def train(
    lists: tuple[str, ...],
    src: str,
    refs: tuple[str, ...],
    recipe: Rescoring,
    start: str | None,
    seed: int,
    model: str,
    n_threads: int,
    form: str,
) -> None:
    """Tune the weights of features on lists whose references are known.

    \b
      dragoman rescore train val.nbest -s val.de -r val.en -f neural:net -f length -o rescorer
      dragoman rescore train a.nbest b.nbest -s val.de -r val.en -f neural:net --tuner pro --tuner mert -o rescorer

    A tuner begins where the one before it ended. With sparse features, the modes sparse and scale tune them alone, or
    all of them by one number.
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.files import read_lines
    from dragoman.rescoring import Rescorer, train_rescorer

    candidates, _ = _read(lists, src)
    first = None if start is None else Rescorer.load(start)
    with shown_progress() as progress:
        done = train_rescorer(
            candidates,
            [list(read_lines(ref)) for ref in refs],
            recipe,
            start=first,
            seed=seed,
            n_threads=n_threads,
            progress=progress,
        )
    done.rescorer.save(model)
    emit(done, form, "-")


@rescore.command()
@_lists_arguments
@click.option("-m", "--model", required=True, type=click.Path(), help="The rescorer, a folder.")
@click.option("--nbest", "n_best", metavar="FILE", help="Also write the lists in their new order, with all features.")
@threads_option
@output_options
def apply(
    lists: tuple[str, ...], src: str, model: str, n_best: str | None, n_threads: int, form: str, output: str
) -> None:
    """Write the best candidate of each list, a line a segment.

    \b
      dragoman rescore apply test.nbest -s test.de -m rescorer -o test.en
      dragoman rescore apply test.nbest -s test.de -m rescorer --nbest rescored.nbest -o test.en
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.data.formats.nbest import NBestFormat
    from dragoman.files import write_lines
    from dragoman.rescoring import Rescored, Rescorer

    candidates, _ = _read(lists, src)
    with shown_progress() as progress:
        whole, scores = Rescorer.load(model).rescore(candidates, n_threads=n_threads, progress=progress)
    if n_best is not None:
        NBestFormat().write(whole.n_best(scores), n_best)
    if form == "text":
        write_lines(output, whole.best(scores))
    else:
        emit(Rescored(whole, scores), form, output)


@rescore.command(name="mbr-tune")
@_lists_arguments
@_refs_option
@recipe_options(RiskRecipe)
@click.option("-o", "--output", "model", metavar="MODEL", required=True, type=click.Path(), help="Where it goes.")
@threads_option
@form_options
def mbr_tune(
    lists: tuple[str, ...], src: str, refs: tuple[str, ...], recipe: RiskRecipe, model: str, n_threads: int, form: str
) -> None:
    """Choose whose lists count how much in minimum Bayes risk, and how steep their scores are.

    \b
      dragoman rescore mbr-tune phrase=a.nbest net=b.nbest -s val.de -r val.en -o consensus
    """
    from dragoman.files import read_lines
    from dragoman.rescoring import tune_consensus

    candidates, engines = _read(lists, src)
    done = tune_consensus(candidates, [list(read_lines(ref)) for ref in refs], engines, recipe, n_threads=n_threads)
    done.consensus.save(model)
    emit(done, form, "-")


@rescore.command()
@_lists_arguments
@click.option("-m", "--model", type=click.Path(), help="What mbr-tune made; else all lists count alike.")
@click.option("--metric", metavar="NAME", help="How alike two candidates are, without a model.  [default: bleu]")
@click.option("--scale", type=click.FloatRange(min=0), help="Of all scores, without a model.  [default: 1]")
@threads_option
@output_options
def mbr(
    lists: tuple[str, ...],
    src: str,
    model: str | None,
    metric: str | None,
    scale: float | None,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Of all candidates of all lists write the one that most of all agree with (minimum Bayes risk).

    \b
      dragoman rescore mbr phrase=a.nbest net=b.nbest -s test.de -m consensus -o test.en
      dragoman rescore mbr test.nbest -s test.de --metric chrf -o test.en
    """
    from dragoman.files import write_lines
    from dragoman.rescoring import Consensus, Opinion
    from dragoman.rescoring.result import Agreed

    if model is not None and (metric or scale is not None):
        raise click.UsageError("A model says which metric and which scales; give it or --metric and --scale.")
    candidates, engines = _read(lists, src)
    alike = {name: Opinion(scale=1.0 if scale is None else scale) for name in engines}
    consensus = Consensus(RiskRecipe(metric=metric or "bleu"), alike) if model is None else Consensus.load(model)
    texts = consensus.choose(candidates, n_threads=n_threads)
    if form == "text":
        write_lines(output, texts)
    else:
        emit(Agreed(tuple(texts)), form, output)
