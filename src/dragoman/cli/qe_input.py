"""What models of quality are asked of: text with all that is known of it, or a table of features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragoman.cli.output import layer_option, threads_option
from dragoman.cli.qe_traces import Traced, trace_options
from dragoman.cli.recipes import recipe_options
from dragoman.qe.recipes import ResourceRecipe

if TYPE_CHECKING:
    from dragoman.qe import FeatureTable, QEData, QEModel

__all__ = ["Asked", "asked_options", "columns_option", "read_table", "read_text", "resource_options"]

F = TypeVar("F", bound=Callable[..., Any])

columns_option = click.option(
    "--columns", metavar="SET", help="The table has no header; its columns are those of this set, such as baseline17."
)

_SIDES = ("source", "target")


def resource_options(*skip: str) -> Callable[[F], F]:
    """The options of resources that are built; the command gets them as `building`."""
    return recipe_options(
        ResourceRecipe,
        argument="building",
        skip=skip,
        spellings={"n_parts": ("--parts",)},
        types={
            **{f"{side}_text": click.Path() for side in _SIDES},
            **{f"{side}_wide": click.Path(exists=True, dir_okay=False) for side in _SIDES},
            **{f"{side}_{kind}": click.Path(exists=True) for side in _SIDES for kind in ("parser", "grammar", "names")},
            **{f"{side}_dictionary": click.Path() for side in _SIDES},
        },
    )


@dataclass(frozen=True)
class Asked:
    """A model, and the sentences that it is asked of: a table of features or text, as the options name them."""

    model: str
    table: str | None
    stem: str | None
    columns: str | None
    layers: tuple[str, ...]
    traced: Traced
    n_threads: int

    def load(self) -> tuple[QEModel, FeatureTable]:
        """The model and the features that it looks at."""
        from dragoman.qe import QEModel
        from dragoman.text.layers import read_layers

        model = QEModel.load(self.model)
        if (self.table is None) == (self.stem is None):
            raise click.UsageError("Give a table of features, or text with --data, and not both.")
        if self.table is not None:
            if self.layers:
                raise click.UsageError("Layers go with text (--data); a table has its features already.")
            return model, read_table(self.table, self.columns)
        data = read_text(self.stem or "")
        trace = self.traced.index(data.sources, data.outputs, self.n_threads)
        layers = read_layers(self.layers)
        return model, model.features(data.sources, data.outputs, layers=layers, trace=trace, n_threads=self.n_threads)


def asked_options(command: F) -> F:
    """Add what `Asked` holds; the command gets it as `asked`."""

    @wraps(command)
    def run(**values: Any) -> Any:
        return command(asked=Asked(**{each.name: values.pop(each.name) for each in fields(Asked)}), **values)

    options = (
        click.argument("table", metavar="[FEATURES]", required=False),
        click.option("-m", "--model", required=True, type=click.Path(), help="A model's folder."),
        click.option(
            "--data",
            "stem",
            metavar="STEM",
            help="Text instead of a table: STEM.src and STEM.mt, for a model trained on text.",
        ),
        columns_option,
        layer_option,
        trace_options,
        threads_option,
    )
    added: Any = run
    for option in reversed(options):
        added = option(added)
    decorated: F = added
    return decorated


def read_table(path: str, columns: str | None) -> FeatureTable:
    """A table of features, whose header may be the name of a set."""
    from dragoman.errors import UnknownName
    from dragoman.qe import read_features
    from dragoman.qe.features import FEATURE_SETS

    if columns is not None and columns not in FEATURE_SETS:
        raise UnknownName(f"No set of features is called {columns!r}. Known: {', '.join(FEATURE_SETS)}.")
    return read_features(path, names=FEATURE_SETS[columns] if columns else None)


def read_text(stem: str) -> QEData:
    """Sources and outputs, and whatever else there is of them: files of one stem, or a table of post-edits."""
    from pathlib import Path

    from dragoman.errors import DataError
    from dragoman.qe import read_qe
    from dragoman.qe.post_edited import read_post_edited

    if Path(stem).is_file():
        return read_post_edited(stem)
    data = read_qe(stem)
    if not data.has("src", "mt"):
        raise DataError(f"{stem}.src and {stem}.mt are needed.")
    return data
