"""`dragoman metric hmeant`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options

__all__ = ["hmeant"]


@click.command()
@click.argument("folder", type=click.Path())
@click.option(
    "--definition",
    type=click.Choice(["birch13", "lo12"], case_sensitive=False),
    default="birch13",
    show_default=True,
    help="Divide by all frames (Birch et al. 2013), or by linked ones and their tokens (Lo et al. 2012).",
)
@click.option(
    "--system", "names", metavar="VERSION=NAME", multiple=True, help="What to call a version; may be repeated."
)
@click.option(
    "--weights",
    type=click.Choice(["uniform", "frequency"], case_sensitive=False),
    default="uniform",
    show_default=True,
    help="Weights of roles: all 1, or their shares in the references.",
)
@click.option(
    "--as-published", is_flag=True, help="Agreement with the quirks behind the figures of 2013; the scores have none."
)
@click.option("--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Bootstrap samples.")
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of the samples.")
@output_options
def hmeant(
    folder: str,
    definition: str,
    names: tuple[str, ...],
    weights: str,
    as_published: bool,
    trials: int,
    seed: int,
    form: str,
    output: str,
) -> None:
    """Score systems by frames that people marked and linked.

    \b
      dragoman metric hmeant samples/studies/frames
      dragoman metric hmeant hmeant-wmt13/data --system 01=phrase --system 02=syntax --system 03=rule --as-published

    FOLDER holds the tables sentences, annotations, actions, slots, action_aligns and slot_aligns; with sentences_text
    there is BLEU to compare.
    """
    from dragoman.data.frame_tables import read_frames
    from dragoman.human.frames.scores import hmeant as run
    from dragoman.human.frames.sentence import frequency_weights

    named = [name.partition("=") for name in names]
    if any(not equals or not called for _, equals, called in named):
        raise click.BadParameter("write VERSION=NAME, as in 01=phrase.", param_hint="--system")
    study = read_frames(folder, systems={version: called for version, _, called in named})
    result = run(
        study,
        definition="lo12" if definition == "lo12" else "birch13",
        weights=frequency_weights(study) if weights == "frequency" else None,
        compat="wmt13" if as_published else None,
        trials=trials,
        seed=seed,
    )
    emit(result, form, output)
