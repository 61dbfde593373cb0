"""`dragoman convert`."""

from __future__ import annotations

import click

from dragoman.cli.output import RegistryChoice, emit, encoding_option, output_options, repair_option, strict_option
from dragoman.data.formats.base import FORMATS

__all__ = ["convert"]


@click.command()
@click.argument("source", metavar="IN", type=click.Path(allow_dash=True))
@click.argument("target", metavar="OUT", type=click.Path(allow_dash=True))
@click.option("--from", "from_format", metavar="FORMAT", type=RegistryChoice(FORMATS), help="Format of IN.")
@click.option("--to", "to_format", metavar="FORMAT", type=RegistryChoice(FORMATS), help="Format of OUT.")
@strict_option
@encoding_option
@repair_option
@output_options
def convert(source: str, target: str, from_format: str | None, to_format: str | None, form: str, output: str) -> None:
    """Convert a file or folder into another format.

    \b
      dragoman convert newstest.sgm newstest.xml
      dragoman convert testset testset.tsv.gz
      dragoman convert testset wmt22 --to mtme
      dragoman convert wmt22 testset.xml --from mtme:pair=de-en
      dragoman convert ranking.csv ranking.pairwise.csv

    Formats are told by the names (.gz, .xz and .zst are not counted); name them where a name can mean several. A test
    set converts to every format of test sets, a table to every format of tables, judgements to every format of their
    kind. The report says what the new format
    has no place for. If OUT is -, the data go to standard output and the report is not shown.
    """
    from dragoman.data.convert import convert as run

    result = run(source, target, from_format=from_format, to_format=to_format)
    if target != "-" or output != "-":
        emit(result, form, output)
