"""`dragoman qe audit`: are texts written with the same marks?"""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options

__all__ = ["audit"]


@click.command()
@click.argument("texts", nargs=-1, required=True, metavar="TRAIN TEST...")
@output_options
def audit(texts: tuple[str, ...], form: str, output: str) -> None:
    """Count quotation marks, dashes and spaces in training and test text, and say where they differ.

    \b
      dragoman qe audit train.src test.src
    """
    from dragoman.errors import DataError
    from dragoman.files import plain_name, read_lines
    from dragoman.qe.audit import audit_characters

    names = [plain_name(path) for path in texts]
    if len(set(names)) < len(names):
        names = list(texts)
    if len(set(names)) < len(names):
        raise DataError("A text is named twice.")
    emit(audit_characters({name: read_lines(path) for name, path in zip(names, texts, strict=True)}), form, output)
