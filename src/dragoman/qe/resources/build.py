"""Building resources from a bitext and from post-edited translations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data import Bitext
from dragoman.errors import DataError
from dragoman.files import StrPath, read_lines
from dragoman.qe.files import QEData
from dragoman.qe.recipes import ResourceRecipe
from dragoman.qe.resources.base import Resources
from dragoman.qe.resources.folder import describe_folder, open_folder, part_folder, save_resources
from dragoman.qe.resources.groups import RESOURCES, build_groups, check_extras
from dragoman.qe.resources.groups.syntax import load_annotators
from dragoman.qe.resources.groups.wide import count_corpora
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
    bitext: Bitext | None,
    folder: StrPath,
    recipe: ResourceRecipe | None = None,
    *,
    post_edited: QEData | None = None,
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
    asked = (recipe or ResourceRecipe()).check()
    extras = check_extras(asked.also)
    pairs = list(bitext or ())
    further = {
        side: [] if path is None else read_lines(path)
        for side, path in (("source", asked.source_text), ("target", asked.target_text))
    }
    text = Material([s for s, _ in pairs], [t for _, t in pairs], further, n_threads=n_threads)
    parts: list[list[bytes]] = []
    if post_edited is not None:
        text = with_post_edits(text, post_edited)
        parts = in_parts(post_edited.sources, asked.n_parts)
    if not text.sources:
        raise DataError("There is no text to build resources from: give a bitext, post-edited translations, or both.")
    if "all" in asked.also and not text.scores:
        extras = tuple(name for name in extras if name != "word-bayes")
    final = Path(folder)
    annotators = load_annotators(asked, final)
    text = text.with_parses(
        {side: annotators[n] for side in ("source", "target") if (n := f"{side}_parser") in annotators}
    )
    text = replace(
        text,
        languages={side: Resources(languages=asked.languages).language(side) for side in ("source", "target")},
        names={side: annotators[n] for side in ("source", "target") if (n := f"{side}_names") in annotators},
    )
    judged = frozenset(" ".join(line.lower().split()) for line in text.judged[0])
    wide = count_corpora({"source": asked.source_wide, "target": asked.target_wide}, without=judged)
    resources = {**annotators, **build_groups(text, extras), **wide}
    open_folder(final)
    save_resources(resources, final)
    sizes = {RESOURCES[name].file: of(value) for name, value in resources.items() if (of := RESOURCES[name].sizes)}
    topics = {name: resources[name] for name in ("topics",) if name in resources}
    del resources
    for number, part in enumerate(parts, start=1):
        rest = replace(text.without(set(part)), whole=topics)
        if not rest.sources:
            raise DataError(f"Without part {number} of {len(parts)} no text is left. Give more text or fewer parts.")
        save_resources(build_groups(rest, extras), final / part_folder(number))
    describe_folder(final, asked.languages, parts)
    return BuiltResources(str(final), sizes, len(text.sources), sum(map(len, parts)))
