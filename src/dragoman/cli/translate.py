"""`dragoman translate`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from dragoman.cli.bill import bill_told
from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.text import source_argument

if TYPE_CHECKING:
    from dragoman.data.traces import Trace
    from dragoman.engines import Explains, Searches, Translates

__all__ = ["translate"]


@click.command()
@source_argument
@click.option("-m", "--model", required=True, metavar="ENGINE", help="The engine: a folder, or NAME:OPTIONS.")
@click.option(
    "--nbest", "n_best", type=click.IntRange(min=1), metavar="N", help="The N best of each line, Moses' format."
)
@click.option("--alignment", is_flag=True, help="Write the links of the tokens behind each translation.")
@click.option("--confidence", is_flag=True, help="Write how sure each word is (0 to 1) behind each translation.")
@click.option("--mbr", is_flag=True, help="Of 100 translations the one most like the others (minimum Bayes risk).")
@click.option(
    "--graph", "graphs", type=click.Path(), metavar="FOLDER", help="Write the search graph of each line there."
)
@click.option(
    "--trace",
    metavar="FILE",
    help="Also write what the engine did with each line, a line of JSON: --nbest translations [100], phrases, search.",
)
@click.option("--derivation", is_flag=True, help="Show by which rules or phrases each translation comes about.")
@click.option("--html", "page", metavar="FILE", help="With --derivation: also draw it on a page.")
@click.option(
    "--markup",
    is_flag=True,
    help='Lines have <term translation="…">…</term>, <keep>…</keep> and <wall/>; else markup is text.',
)
@click.option(
    "--units/--no-units",
    default=None,
    help="Carry placeholders, code, addresses, tags and entities around the engine unchanged [plain text: on].",
)
@click.option("--walls", is_flag=True, help="Reorder nothing across punctuation.")
@click.option("--lattice", is_flag=True, help="A lattice a line, JSON [[from, to, token, score], …] or Moses' PLF.")
@click.option("--parses", metavar="FILE", type=click.Path(), help="Parses of the lines, for rules that ask for them.")
@click.option("--tokenised", "--tokenized", is_flag=True, help="Leave the output as tokens in true case.")
@click.option("--pop-limit", type=click.IntRange(min=1), metavar="N", help="Hypotheses of a stack; fewer are quicker.")
@click.option("--verify", is_flag=True, help="Hash all files of the model first; else large ones by size alone.")
@threads_option
@output_options
def translate(
    source: str,
    model: str,
    n_best: int | None,
    alignment: bool,
    confidence: bool,
    mbr: bool,
    graphs: str | None,
    trace: str | None,
    derivation: bool,
    page: str | None,
    markup: bool,
    units: bool | None,
    walls: bool,
    lattice: bool,
    parses: str | None,
    tokenised: bool,
    pop_limit: int | None,
    verify: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Translate text, a sentence a line.

    \b
      echo "Where is the station?" | dragoman translate -m engine
      dragoman translate text.en -m engine --nbest 10 --threads 2
      dragoman translate text.en -m engine --confidence
      dragoman translate tokens.en -m engine --no-units
      dragoman translate text.en -m engine --nbest 1000 --trace text.trace.gz -o text.de
      dragoman translate text.en -m engine --derivation --html derivations.html

    Words without a translation are copied, and what is not language stays as it is, as one token. With
    --mbr, --graph, --trace, --derivation, --tokenised and --no-units, all of a line is words to the engine.
    """
    from dragoman.cat.unit_translations import stream_with_units
    from dragoman.engines import Candidate, Explains, Request, Searches, Translates, load_engine, need
    from dragoman.engines.translation import n_best_lists, pharaoh, stream_by_risk, stream_translations
    from dragoman.engines.translation import translate as run
    from dragoman.files import iter_lines, open_writer, read_lines

    if trace is not None and (mbr or alignment or confidence or graphs or form != "text"):
        raise click.UsageError("--trace has all that the engine knows; it goes with --nbest and --tokenised alone.")
    if mbr and (n_best or alignment or confidence or tokenised or graphs or form != "text"):
        raise click.UsageError("--mbr gives one plain text for each line; it goes with no other option of the output.")
    if page is not None and not derivation:
        raise click.UsageError("--html draws derivations; it goes with --derivation.")
    if derivation and (n_best or alignment or confidence or mbr or graphs or trace or markup or walls or lattice):
        raise click.UsageError("--derivation goes with --html, --pop-limit and forms of output alone.")
    is_inside = mbr or graphs or trace or derivation  # in words of the engine's own
    is_marked = markup or walls or lattice or tokenised or parses
    if units and is_inside:
        raise click.UsageError("--units goes with no graph, trace or derivation and not with --mbr; leave these out.")
    if units and is_marked:
        raise click.UsageError("--units is for plain text; leave options of the input and --tokenised out.")
    if units is None:
        units = not (is_inside or is_marked)
    engine = need(load_engine(model, verify=verify), Translates)
    if pop_limit:
        engine = need(need(engine, Searches).with_pop_limit(pop_limit), Translates)
    if parses is not None:
        engine = _parsed(engine, source, parses)
    if markup or walls or lattice:
        if n_best or alignment or confidence or mbr or graphs or trace or form != "text":
            raise click.UsageError("--markup, --walls and --lattice give one text a line; they go with --tokenised.")
        if lattice and (markup or walls):
            raise click.UsageError("A lattice has neither markup nor walls.")
        _asked(engine, source, markup, walls, lattice, tokenised, n_threads, output)
        return
    with bill_told(engine):
        if derivation:
            _derive(need(engine, Explains), source, model, page, form, output)
            return
        if units and not (n_best or alignment or confidence or form != "text"):
            with open_writer(output) as stream:
                for line in _with_units(engine, iter_lines(source), n_threads):
                    stream.write(f"{line}\n")
                    stream.flush()
            return
        if mbr:
            with open_writer(output) as stream:
                for text in stream_by_risk(engine, iter_lines(source), n_threads=n_threads):
                    stream.write(f"{text}\n")
            return
        if trace is not None:
            _trace(need(engine, Searches), source, trace, n_best or 100, tokenised, n_threads, output)
            return
        translating = stream_with_units if units else stream_translations
        lines = read_lines(source) if form != "text" or graphs else iter_lines(source)
        if graphs is not None:
            need(engine, Searches).save_graphs(lines, graphs, n_threads=n_threads)
        if form != "text":
            result = run(
                engine,
                list(lines),
                n_best=n_best or 1,
                confidence=confidence,
                model=model,
                n_threads=n_threads,
                stream=translating,
            )
            emit(result, form, output)
            return
        features = n_best is not None and "features" in engine.details
        request = Request(n_best or 1, alignment=alignment, confidence=confidence, features=features)
        translated = translating(engine, lines, request, n_threads=n_threads)
        if n_best is not None:
            from dragoman.data.formats.nbest import NBestFormat

            lists = n_best_lists(translated, engine.feature_names, tokenised=tokenised, alignment=alignment)
            NBestFormat().write(lists, output)
            return
        with open_writer(output) as stream:
            for each in translated:
                first = each.candidates[0] if each.candidates else Candidate("")
                parts = [first.target_tokens or "" if tokenised else first.text]
                parts += [pharaoh(first.alignment or ())] if alignment else []
                parts += [" ".join(f"{value:.3f}" for value in first.word_confidence or ())] if confidence else []
                stream.write(" ||| ".join(parts) + "\n")
                stream.flush()


def _with_units(engine: Translates, lines: Iterable[str], n_threads: int) -> Iterator[str]:
    """The translations of lines, with all that is not language in them, a few lines at a time.

    A line in which all is language is translated as it is.
    """
    from dragoman.cat.protection import has_units
    from dragoman.cat.translating import translate_with_codes
    from dragoman.engines.endpoint import ServiceError
    from dragoman.engines.translation import batches

    n_done = 0
    for batch in batches(lines, n_threads):
        coded = [place for place, line in enumerate(batch) if has_units(line)]
        others = sorted(set(range(len(batch))) - set(coded))
        texts: dict[int, str] = {}
        places = others
        try:
            if others:
                said = engine.translate([batch[place] for place in others], n_threads=n_threads)
                texts |= zip(others, said, strict=True)
            places = coded
            if coded:
                said = translate_with_codes(engine, [(batch[place], ()) for place in coded], n_threads=n_threads)
                texts |= zip(coded, said, strict=True)
        except ServiceError as error:
            raise error.at([n_done + place for place in places]) from None
        yield from (texts[place] for place in range(len(batch)))
        n_done += len(batch)


def _parsed(engine: Translates, source: str, parses: str) -> Translates:
    """The engine with the parses of a file."""
    from dragoman.errors import DataError
    from dragoman.files import read_lines
    from dragoman.smt import Engine

    if not isinstance(engine, Engine):
        raise DataError("--parses are for engines with a grammar that `dragoman smt train` made.")
    if source == "-":
        raise click.UsageError("--parses stand beside the lines of a file; name one.")
    return engine.with_parses(read_lines(source), parses)


def _asked(
    engine: Translates,
    source: str,
    markup: bool,
    walls: bool,
    lattice: bool,
    tokenised: bool,
    n_threads: int,
    output: str,
) -> None:
    """Translate lines that ask for more than their words say."""
    from dragoman.errors import DataError
    from dragoman.files import iter_lines, write_lines
    from dragoman.smt import Engine
    from dragoman.smt.asked import translate_asked

    if not isinstance(engine, Engine):
        raise DataError("--markup, --walls and --lattice are for engines that `dragoman smt train` made.")
    texts = translate_asked(
        engine, iter_lines(source), markup=markup, walls=walls, lattice=lattice, n_threads=n_threads
    )
    write_lines(output, texts if tokenised else engine.restore(list(texts), n_threads=n_threads))


def _derive(engine: Explains, source: str, model: str, page: str | None, form: str, output: str) -> None:
    """Show derivations, and draw them if asked for."""
    from dragoman.engines.derivations import derive
    from dragoman.files import open_writer, read_lines

    result = derive(engine, read_lines(source), model=model)
    if page is not None:
        with open_writer(page) as stream:
            stream.write(result.html())
    emit(result, form, output)


def _trace(engine: Searches, source: str, path: str, n_best: int, tokenised: bool, n_threads: int, output: str) -> None:
    """Write the traces to a file and the best translations to another."""
    from dragoman.data.formats.trace import TraceFormat
    from dragoman.data.traces import Traces
    from dragoman.files import iter_lines, open_writer

    best: list[str] = []
    traces = engine.traces(iter_lines(source), n_best=n_best, n_threads=n_threads)
    TraceFormat().write(Traces(_seen(traces, best)), path)
    texts = best if tokenised else engine.restore(best, n_threads=n_threads)
    with open_writer(output) as stream:
        stream.writelines(f"{text}\n" for text in texts)


def _seen(traces: Iterable[Trace], best: list[str]) -> Iterator[Trace]:
    """The traces, while their best translations are taken down."""
    for trace in traces:
        best.append(trace.best)
        yield trace
