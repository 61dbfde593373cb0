"""What all commands share: how a result is shown, and options that mean the same everywhere."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import click

from dragoman.errors import DataError, MendedInput, UnknownName
from dragoman.registry import Registry

__all__ = [
    "LanguagePair",
    "ObjectiveChoice",
    "RegistryChoice",
    "cache_option",
    "emit",
    "encoding_option",
    "form_options",
    "layer_option",
    "output_options",
    "repair_option",
    "seed_option",
    "strict_option",
    "threads_option",
    "where_options",
]

F = TypeVar("F", bound=Callable[..., Any])

_RAW = "dragoman.raw"  # under which a command's context keeps --raw for `emit`
_WHERE = "dragoman.where"  # under which a command's context gathers conditions, whichever option comes first
_FORMS = ["text", "tsv", "csv", "json", "markdown", "latex", "html"]


def _note_raw(context: click.Context, _: click.Parameter, raw: bool) -> None:
    context.meta[_RAW] = raw


def form_options(command: F) -> F:
    """Add `--json`, `--form` and `--raw` to a command whose `-o` is something else than where the result is shown."""
    command = click.option(
        "--raw",
        is_flag=True,
        expose_value=False,
        callback=_note_raw,
        help="In tsv and csv, no quote before cells that spreadsheets take for formulas.",
    )(command)
    command = click.option(
        "--form",
        "form",
        type=click.Choice(_FORMS, case_sensitive=False),
        default="text",
        show_default=True,
        help="Output form.",
    )(command)
    return click.option("--json", "form", flag_value="json", help="Print one JSON object: kind, rows, meta.")(command)


def output_options(command: F) -> F:
    """Add `--json`, `--form`, `--raw` and `-o/--output` to a command; it gets `form` and `output`, made for `emit`."""
    output = click.option("-o", "--output", default="-", metavar="FILE", help="Write there instead of standard output.")
    return form_options(output(command))


def strict_option(command: F) -> F:
    """Add `--strict`, which refuses input that would be mended with a warning."""

    def escalate(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value:
            ctx.with_resource(warnings.catch_warnings())
            warnings.simplefilter("error", MendedInput)

    return click.option(
        "--strict",
        is_flag=True,
        expose_value=False,
        callback=escalate,
        help="Refuse files with wrong places that are otherwise read by a rule, with a warning.",
    )(command)


def repair_option(command: F) -> F:
    """Add `--repair`, which replaces bytes that are not UTF-8."""

    def begin(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value:
            from dragoman.utf8 import repairing

            ctx.with_resource(repairing())

    return click.option(
        "--repair",
        is_flag=True,
        expose_value=False,
        callback=begin,
        help="Replace bytes that are not UTF-8 by U+FFFD, with a warning that names the lines.",
    )(command)


def encoding_option(command: F) -> F:
    """Add `-e/--encoding`, in which files of text are read; what is written is UTF-8."""

    def begin(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None:
            from dragoman.utf8 import reading_in

            try:
                ctx.with_resource(reading_in(value))
            except DataError as error:
                raise click.BadParameter(str(error), ctx, param) from None

    return click.option(
        "-e",
        "--encoding",
        metavar="NAME",
        expose_value=False,
        callback=begin,
        help="Encoding of files of text, such as latin-1; UTF-8 if not given.",
    )(command)


seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of everything left to chance."
)


def cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


threads_option = click.option(
    "--threads",
    "n_threads",
    type=click.IntRange(min=1),
    envvar="DRAGOMAN_THREADS",
    default=cores,
    show_default="$DRAGOMAN_THREADS, or the cores at hand",
    help="Threads; results do not depend on it.",
)

cache_option = click.option(
    "--cache/--no-cache",
    "use_cache",
    default=True,
    show_default=True,
    is_eager=True,
    help="Keep what took long in $DRAGOMAN_HOME/scores, to go on after an interruption.",
)


def _keep_layers(context: click.Context, param: click.Parameter, specs: tuple[str, ...]) -> tuple[str, ...]:  # noqa: ARG001
    """Let annotations that take long be kept until the command ends."""
    if specs and context.params.get("use_cache", True):
        from dragoman.cache import ContentFolder
        from dragoman.files import home_folder
        from dragoman.text.layers import keep_layers

        context.with_resource(keep_layers(ContentFolder(home_folder() / "layers")))
    return specs


layer_option = click.option(
    "--layer",
    "layers",
    metavar="LAYER=ANNOTATOR",
    multiple=True,
    callback=_keep_layers,
    help="Who makes a layer that is asked for, such as lemma=simplemma:lang=de, pos=hanta:lang=en, pos=parser:FOLDER, "
    "source.pos=…; may be repeated.",
)


def emit(result: Any, form: str, output: str) -> None:
    """Show a `Result` in the form asked for, on standard output or in a file."""
    from dragoman.cli.screen import screen_for
    from dragoman.files import open_writer

    raw = click.get_current_context().meta.get(_RAW, False)
    with open_writer(output) as stream:
        stream.write(result.render(form, raw=raw, screen=screen_for(output)))


class LanguagePair(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """A language pair in one spelling: `deu-eng` becomes `de-en`; what is no pair of tags stays as it is."""

    name = "pair"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ARG002
        """The pair in the shortest codes."""
        from dragoman.text.languages import parse_pair

        with suppress(DataError):
            return "-".join(parse_pair(value))
        return value


class RegistryChoice(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """A name out of a registry, perhaps with options behind a colon; a wrong one is answered with all known names."""

    name = "name"

    def __init__(self, registry: Registry[Any]) -> None:
        self.registry = registry

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name as the registry has it, in whichever case it was written."""
        name, colon, options = value.partition(":")
        if self.registry.kind == "metric" and name == "trained":
            return value  # a folder, which `make_metric` opens
        try:
            self.registry.get(name)
        except UnknownName as error:
            self.fail(str(error), param, ctx)
        return f"{self.registry.resolve(name)}{colon}{options}"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:  # noqa: ARG002
        """The names that go on from what was typed."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.registry.names() if name.startswith(incomplete)]


class ObjectiveChoice(RegistryChoice):
    """A metric, or a weighted sum of metrics: `bleu+-1*ter`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The specification, if all metrics in it are known."""
        if "*" not in value:
            return super().convert(value, param, ctx)
        from dragoman.metrics.specs import make_metric

        try:
            make_metric(value)
        except (DataError, UnknownName) as error:
            self.fail(str(error), param, ctx)
        return value


def where_options(command: F) -> F:
    """Add `--where` and `--origlang`, which the command gets as one tuple of conditions, `where`."""
    command = click.option(
        "--origlang",
        metavar="LANG",
        multiple=True,
        expose_value=False,
        callback=_note_origlang,
        help="Only segments first written in this language; as --where origlang=LANG.",
    )(command)
    return click.option(
        "--where",
        metavar="FIELD=VALUE",
        multiple=True,
        callback=_with_origlang,
        help="Only segments with this doc, domain or origlang, by --docs; may be repeated.",
    )(command)


def _note_origlang(context: click.Context, _: click.Parameter, languages: tuple[str, ...]) -> None:
    context.meta.setdefault(_WHERE, []).extend(f"origlang={lang}" for lang in languages)


def _with_origlang(context: click.Context, _: click.Parameter, conditions: tuple[str, ...]) -> list[str]:
    together: list[str] = context.meta.setdefault(_WHERE, [])
    together.extend(conditions)
    return together
