"""`dragoman qe trace`, and the options of commands that look at an engine's traces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from dragoman.cli.recipes import recipe_options
from dragoman.options import Recipe, option

if TYPE_CHECKING:
    from dragoman.data.traces import Trace
    from dragoman.qe.resources import TraceIndex

__all__ = ["Traced", "trace", "trace_options"]


@dataclass(frozen=True)
class Traced(Recipe):
    """Where traces of sentences come from: files, or an engine that makes them."""

    traces: tuple[str, ...] = option(
        (), text="what an engine did with the sources: dragoman translate --trace, dragoman qe trace"
    )
    engine: str | None = option(
        None, text="translate the sources with this engine and look at its traces; it need not have made the output"
    )
    n_best: int = option(100, low=1, text="with --engine: how many translations of each source")

    @property
    def asked(self) -> bool:
        """Whether the options name any."""
        return bool(self.traces or self.engine)

    def index(self, sources: Sequence[str], outputs: Sequence[str], n_threads: int) -> TraceIndex | None:
        """The traces that the options name; none if they name none."""
        from dragoman.data import check_parallel
        from dragoman.data.formats.trace import TraceFormat
        from dragoman.engines import Searches, load_engine, need
        from dragoman.qe.resources import TraceIndex

        if not self.asked:
            return None
        if self.engine is not None and self.traces:
            raise click.UsageError("Give traces, or an engine to make them, and not both.")
        if self.engine is None:
            return TraceIndex(each for path in self.traces for each in TraceFormat().read(path))
        check_parallel({"sources": sources, "outputs": outputs})
        pairs = dict.fromkeys(zip(sources, outputs, strict=True))
        engine = need(load_engine(self.engine), Searches)
        return TraceIndex(
            engine.traces(
                [source for source, _ in pairs],
                outputs=[output for _, output in pairs],
                n_best=self.n_best,
                n_threads=n_threads,
            )
        )


trace_options = recipe_options(Traced, argument="traced", spellings={"traces": ("--trace",), "n_best": ("--nbest",)})


@click.command()
@click.argument("source")
@click.option("--nbest", "n_best", metavar="FILE", help="Moses' n-best lists, with or without marks of phrases.")
@click.option("--graph", metavar="FILE", help="Moses' search graphs, plain (-osg) or extended (-osgx).")
@click.option("-o", "--output", default="-", show_default=True, metavar="FILE", help="Where to write the traces.")
@click.option("--json", "as_json", is_flag=True, help="With a file: print one JSON object that counts what is in it.")
def trace(source: str, n_best: str | None, graph: str | None, output: str, as_json: bool) -> None:
    """Make traces of what Moses wrote of its translations.

    Or any decoder that writes like it.

    \b
      dragoman qe trace test.src --nbest test.nbest.gz --graph test.osgx -o test.trace.gz
    """
    from dragoman.data.decoder_output import joined_traces
    from dragoman.data.formats.moses_graph import MosesGraph
    from dragoman.data.formats.nbest import NBestFormat
    from dragoman.data.formats.trace import TraceFormat
    from dragoman.data.traces import Traces
    from dragoman.files import read_lines

    if n_best is None and graph is None:
        raise click.UsageError("Give n-best lists, search graphs, or both.")
    if as_json and output == "-":
        raise click.UsageError("The traces go to standard output; name a file with -o to have them counted.")
    traces: Iterator[Trace] = joined_traces(
        read_lines(source),
        NBestFormat().read(n_best) if n_best is not None else None,
        MosesGraph().read(graph) if graph is not None else None,
    )
    counts = {"file": output, "sentences": 0, "translations": 0, "graphs": 0}
    TraceFormat().write(Traces(_counted(traces, counts)), output)
    if as_json:
        click.echo(json.dumps({"kind": "traces", "rows": [counts], "meta": {"source": source}}, ensure_ascii=False))


def _counted(traces: Iterator[Trace], counts: dict[str, Any]) -> Iterator[Trace]:
    for each in traces:
        counts["sentences"] += 1
        counts["translations"] += len(each.texts)
        counts["graphs"] += each.graph is not None
        yield each
