"""`dragoman metric edits`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, threads_option

__all__ = ["edits"]


@click.command()
@click.argument("system")
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated.")
@click.option("--steps", is_flag=True, help="One row per operation.")
@click.option("--no-shifts", is_flag=True, help="Leave words where they are.")
@click.option("--hter", is_flag=True, help="The reference is a post-edit of the system: HTER of each segment.")
@click.option("--tags", metavar="FILE", help="With --hter, write OK and BAD for gaps and words, as WMT does.")
@click.option("--case-sensitive", is_flag=True, help="Tell upper from lower case.")
@click.option("--normalised", "--normalized", is_flag=True, help="tercom's normalisation.")
@click.option("--no-punct", is_flag=True, help="Drop punctuation.")
@click.option("--asian-support", is_flag=True, help="Chinese and Japanese characters.")
@threads_option
@output_options
def edits(
    system: str,
    refs: tuple[str, ...],
    steps: bool,
    no_shifts: bool,
    hter: bool,
    tags: str | None,
    case_sensitive: bool,
    normalised: bool,
    no_punct: bool,
    asian_support: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Show the edits from a system's output to the reference.

    \b
      dragoman metric edits output.en -r reference.en
      dragoman metric edits output.en -r post-edit.en --hter --tags output.tags

    The edits are those of TER: shifts of blocks, then substitutions, insertions and deletions.
    """
    from dragoman.data import assemble
    from dragoman.files import write_lines
    from dragoman.metrics import hter as run_hter
    from dragoman.metrics import trace_edits
    from dragoman.metrics.ter import Ter
    from dragoman.report import Only

    if tags is not None and not hter:
        raise click.UsageError("--tags goes with --hter.")
    if hter and (len(refs) > 1 or steps or no_shifts or normalised or no_punct or asian_support):
        raise click.UsageError("--hter takes one post-edit, tokenised as it is; of the options, --case-sensitive.")
    test_set = assemble(refs=refs, systems=[system], n_threads=n_threads)
    ((name, hyps),) = test_set.systems.items()
    if hter:
        (post_edits,) = (list(map(str, lines)) for lines in test_set.refs.values())
        result = run_hter(hyps, post_edits, case_sensitive=case_sensitive, n_threads=n_threads)
        if tags is not None:
            write_lines(tags, (" ".join(each.interleaved()) for each in result.tags))
        emit(result, form, output)
        return
    metric = Ter(case_sensitive=case_sensitive, normalised=normalised, no_punct=no_punct, asian_support=asian_support)
    traces = trace_edits(hyps, test_set.refs, system=name, metric=metric, shifts=not no_shifts, n_threads=n_threads)
    emit(Only(traces, traces.by_step() if steps else traces.by_segment()), form, output)
