"""The text that an engine is trained on and tried on, as commands are given it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dragoman.data.bitext import Bitext
    from dragoman.data.testset import TestSet

__all__ = ["held_out_set", "training_bitext"]


def training_bitext(
    src: str | None, tgt: str | None, bitext: tuple[str, ...] | None, lang_src: str | None, lang_tgt: str | None
) -> Bitext:
    """The bitext of two files or of one, with its languages if they are named."""
    from dataclasses import replace

    from dragoman.data.bitext_files import read_bitext
    from dragoman.text.languages import parse_language

    if bool(bitext) == bool(src or tgt) or bool(src) != bool(tgt):
        raise click.UsageError("Name the training text: --src and --tgt, or --bitext.")
    langs = [parse_language(lang) if lang else None for lang in (lang_src, lang_tgt)]
    pair = f"{langs[0]}-{langs[1]}" if all(langs) else None
    text = read_bitext(bitext, pair=pair) if bitext else read_bitext([str(src), str(tgt)])
    return replace(text, source_lang=langs[0] or text.source_lang, target_lang=langs[1] or text.target_lang)


def held_out_set(name: str, src: str | None, refs: tuple[str, ...]) -> TestSet | None:
    """The tuning or test set of `--NAME-src` and `--NAME-ref`, if they are given."""
    from dragoman.data.assemble import assemble

    if bool(src) != bool(refs):
        raise click.UsageError(f"A {name} set has both --{name}-src and --{name}-ref.")
    return assemble(srcs=src, refs=refs) if src else None
