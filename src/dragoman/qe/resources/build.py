"""Building resources from a bitext and from post-edited translations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.qe.files import QEData
from dragoman.qe.resources.folder import describe_folder, open_folder, part_folder, save_resources
from dragoman.qe.resources.groups import RESOURCES, build_groups, check_extras
from dragoman.qe.resources.groups.syntax import load_annotators
from dragoman.qe.resources.groups.wide import count_given
from dragoman.qe.resources.material import Material, in_parts, with_post_edits
from dragoman.report import Column, Result, Table

__all__ = ["BuiltResources", "build_resources"]


@dataclass(frozen=True)
class BuiltResources(Result):
    """What was built, and of how many entries."""

    kind: ClassVar[str] = "qe resources"

    folder: str
    n_entries: Mapping[str, tuple[int, ...]]  # resource → entries by length of the n-grams
    n_pairs: int
    n_held_out: int  # sentences for which there are resources that have not seen them

    def tables(self) -> list[Table]:
        """A row a resource and length of n-grams."""
        rows = [(name, length, n) for name, sizes in self.n_entries.items() for length, n in enumerate(sizes, start=1)]
        return [Table.of(f"Resources in {self.folder}", ["resource", Column("length"), Column("entries")], rows)]

    def meta(self) -> dict[str, Any]:
        """The folder and how much went in."""
        return {"folder": self.folder, "n_pairs": self.n_pairs, "n_held_out": self.n_held_out}


def build_resources(
    sources: Sequence[str],
    targets: Sequence[str],
    folder: StrPath,
    *,
    post_edited: QEData | None = None,
    source_text: Sequence[str] = (),
    target_text: Sequence[str] = (),
    source_wide: Sequence[StrPath] = (),
    target_wide: Sequence[StrPath] = (),
    source_parser: StrPath | None = None,
    target_parser: StrPath | None = None,
    source_grammar: StrPath | None = None,
    target_grammar: StrPath | None = None,
    source_names: StrPath | None = None,
    target_names: StrPath | None = None,
    source_dictionary: StrPath | None = None,
    target_dictionary: StrPath | None = None,
    n_parts: int = 5,
    also: Sequence[str] = (),
    languages: str = "",
    n_threads: int = 1,
) -> BuiltResources:
    """Build what tokenised text gives into a folder.

    Of a bitext: language models of both sides in both directions, counts of n-grams, IBM model 1, a word aligner,
    models of roots and endings and of word classes. `post_edited` (sources, outputs, post-edits) joins the bitext with
    its post-edits, and its outputs give a model of such outputs, the rates in which words are kept, and phrases that go
    with much editing. Its sentences are dealt into `n_parts`, and all is built again without each part: features of a
    sentence in it are computed from resources that have not seen it (see `HeldOut`). `source_text` and `target_text`
    are further text of one language, for language models and counts; lines that are post-edited sources are left out.
    `source_wide` and `target_wide` are files of text or of n-grams with counts (`.tsv`), up to four a side, whose
    n-grams are counted each by itself and not joined to the bitext's: how usual something is in the language at large.
    `also` names what is built only when asked for (`EXTRAS`: `dwl`, `triggers`, `topics`, …, or `all` that the text
    allows).
    Parsers and grammars, folders of trained ones, are copied; text that a parser can read also gives models and counts
    of its tags and, with post-edits, of what becomes of sequences and dependencies. Parsers have not seen the text, and
    serve the held-out parts, too. So do taggers of names (`dragoman syntax names
    train`) and Hunspell's dictionaries (`.aff`, `.dic`).
    """
    extras = check_extras(also)
    check_parallel({"sources": sources, "targets": targets})
    text = Material(sources, targets, {"source": list(source_text), "target": list(target_text)}, n_threads=n_threads)
    parts: list[list[bytes]] = []
    if post_edited is not None:
        text = with_post_edits(text, post_edited)
        parts = in_parts(post_edited.sources or (), n_parts)
    if not text.sources:
        raise DataError("There is no text to build resources from: give a bitext, post-edited translations, or both.")
    if "all" in also and not text.scores:
        extras = tuple(name for name in extras if name != "word-bayes")
    final = Path(folder)
    annotators = load_annotators(
        {
            "source_parser": source_parser,
            "target_parser": target_parser,
            "source_grammar": source_grammar,
            "target_grammar": target_grammar,
            "source_names": source_names,
            "target_names": target_names,
            "source_dictionary": source_dictionary,
            "target_dictionary": target_dictionary,
        },
        final,
    )
    text = text.with_parses(
        {side: annotators[n] for side in ("source", "target") if (n := f"{side}_parser") in annotators}
    )
    known = frozenset(" ".join(line.lower().split()) for line in text.judged[0])
    wide = count_given({"source": source_wide, "target": target_wide}, without=known)
    made = {**annotators, **build_groups(text, extras), **wide}
    open_folder(final)
    save_resources(made, final)
    sizes = _sizes(made)
    topics = {name: made[name] for name in ("topics",) if name in made}
    del made
    for number, part in enumerate(parts, start=1):
        rest = replace(text.without(set(part)), whole=topics)
        if not rest.sources:
            raise DataError(f"Without part {number} of {len(parts)} no text is left. Give more text or fewer parts.")
        save_resources(build_groups(rest, extras), final / part_folder(number))
    describe_folder(final, languages, parts)
    return BuiltResources(str(final), sizes, len(text.sources), sum(map(len, parts)))


def _sizes(made: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    return {RESOURCES[name].file: of(value) for name, value in made.items() if (of := RESOURCES[name].sizes)}
