"""The post-editor: changes an engine's output where it believes in the change; with the engine, an engine itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, ClassVar, Self

from dragoman.align import Aligner
from dragoman.artifact import Artifact, Manifest
from dragoman.data.parallel import check_parallel
from dragoman.engines.correcting import Corrects
from dragoman.errors import DataError
from dragoman.lm import LanguageModel
from dragoman.postedit.choice import best_set
from dragoman.postedit.edit_table import EditTable, sources_by_place
from dragoman.postedit.evidence import EVIDENCE, Evidence, gather
from dragoman.postedit.gain import Edit, edited
from dragoman.postedit.recipe import PostEditRecipe
from dragoman.postedit.result import Change, PostEdited
from dragoman.postedit.tokens import GLUE, NUMBER, Words, cut, guarded, joined, masked, sentence_start
from dragoman.postedit.worth import Worth

__all__ = ["PostEditor", "Prepared", "prepare_lines"]

_TABLE, _STATE = "edits.jsonl", "post-editor.json"
_REFUSALS = 5  # of a line, the likeliest
_NO_BASE = (
    "This post-editor knows no engine to post-edit. Train it with --base ENGINE, or give outputs to "
    "dragoman postedit apply."
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A line as models read it, and as it is."""

    read: Words
    tokens: Words
    is_lowered: bool  # the first word has lost the capital of a sentence's start
    is_whole: bool  # the tokens give the line again


def prepare_lines(lines: Sequence[str], small: frozenset[str]) -> list[Prepared]:
    """Lines cut into tokens, without the capital of their first word, and with numbers as one word."""
    prepared = []
    for line in lines:
        whole = cut(line)
        tokens = sentence_start(whole, small)
        is_whole = joined(whole) == " ".join(line.split())
        prepared.append(Prepared(masked(tokens), tokens, tokens != whole, is_whole))
    return prepared


@dataclass(frozen=True, eq=False)
class Believer:
    """What decides on changes: the table, the language model, their worth, and the bar that a line must pass."""

    table: EditTable
    lm: LanguageModel
    worth: Worth
    bar: float | None  # `None`: no line passes


class PostEditor(Artifact, Corrects):
    """Changes what a rule-based engine said: `PostEditor.load("model").apply(outputs, sources).lines`."""

    kind: ClassVar[str] = "post-editor"
    format: ClassVar[int] = 1
    without_base: ClassVar[str] = _NO_BASE
    recipe: PostEditRecipe

    def __init__(
        self,
        recipe: PostEditRecipe,
        believer: Believer,
        aligner: Aligner | None,
        small: frozenset[str],
        *,
        report: Mapping[str, Any] | None = None,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe = recipe
        self.believer = believer
        self.aligner = aligner  # links the source with the output; None if it was trained without sources
        self.small = small  # first words that are written small within a sentence
        self.report = dict(report or {})
        self.seed = recipe.seed
        self.data = dict(data or {})

    @property
    def languages(self) -> tuple[str, str]:
        """BCP 47 tags of source and target: its own, or else its engine's."""
        if self.recipe.source_lang and self.recipe.target_lang:
            return self.recipe.source_lang, self.recipe.target_lang
        return self.base.languages

    @property
    def base_spec(self) -> str:
        """The engine whose output is post-edited."""
        return self.recipe.base

    def corrected(self, outputs: Sequence[str], sources: Sequence[str], *, n_threads: int = 1) -> Sequence[str]:
        """The outputs, post-edited; one that was trained without sources does not look at them."""
        return self.apply(outputs, sources if self.aligner else None, n_threads=n_threads).lines

    def apply(self, outputs: Sequence[str], sources: Sequence[str] | None = None, *, n_threads: int = 1) -> PostEdited:
        """Lines with the changes that are believed in; a line without any is what it was, byte by byte."""
        if self.aligner is not None and sources is None:
            raise DataError("This post-editor looks at the sources; give them, with -s on the command line.")
        check_parallel({"outputs": outputs, "sources": sources})
        lines = prepare_lines(outputs, self.small)
        words = self._sources([line.read for line in lines], sources, n_threads)
        evidence = gather(
            self.believer.table, self.believer.lm, [line.read for line in lines], words, n_threads=n_threads
        )
        worth = self.believer.worth(evidence.rows).tolist()
        texts, changes = list(outputs), []
        for number, group in groupby(range(len(evidence)), key=evidence.line.__getitem__):
            places = list(group)
            edits, values = [evidence.edits[n] for n in places], [worth[n] for n in places]
            chosen, total = best_set(edits, values)
            passes = self.believer.bar is not None and total > self.believer.bar
            if passes and chosen:
                texts[number] = self._edited(outputs[number], lines[number], [edits[n] for n in chosen])
            made = set(chosen) if texts[number] != outputs[number] else set()
            changes += _told(number, lines[number], evidence, places, values, set(chosen), made)
        return PostEdited(tuple(texts), tuple(outputs), tuple(changes))

    def _sources(
        self, lines: Sequence[Words], sources: Sequence[str] | None, n_threads: int
    ) -> list[dict[int, frozenset[str]]]:
        """Of each line, by place, the words of the source that are linked to it."""
        if self.aligner is None or sources is None:
            return [{} for _ in lines]
        read = [line.read for line in prepare_lines(sources, self.small)]
        result = self.aligner.align([" ".join(s) for s in read], [" ".join(t) for t in lines], n_threads=n_threads)
        links = result.links.tolist()
        return [
            sources_by_place(links[a:b], source)
            for source, (a, b) in zip(read, pairwise(result.offsets.tolist()), strict=True)
        ]

    def _edited(self, text: str, line: Prepared, edits: Sequence[Edit]) -> str:
        """The line with edits made; as it was if one would lose or double what is guarded, or spaces cannot be kept."""
        if not line.is_whole:
            return text
        real = [(begin, end, _unmasked(words, line.tokens[begin:end])) for begin, end, words in edits]
        tokens = edited(line.tokens, real)
        if guarded(tokens, self.recipe.target_lang) != guarded(line.tokens, self.recipe.target_lang):
            return text
        whole = joined(tokens)
        if _bare(cut(whole)) != _bare(tokens):  # words that a change has glued together are other words
            return text
        first = next((n for n, char in enumerate(whole) if char.isalpha()), None)
        if text[:1].islower() or first is None or not (line.is_lowered or _starts_big(text)):
            return whole
        return whole[:first] + whole[first].upper() + whole[first + 1 :]

    def _write(self, folder: Path) -> None:
        self.believer.table.write(folder / _TABLE)
        self.believer.lm.save(folder / "lm")
        self.believer.worth.write(folder)
        if self.aligner is not None:
            self.aligner.save(folder / "aligner")
        state = {"bar": self.believer.bar, "small": sorted(self.small), "report": self.report}
        (folder / _STATE).write_text(json.dumps(state, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        recipe = PostEditRecipe.from_dict(manifest.recipe)
        state = json.loads((folder / _STATE).read_text(encoding="utf-8"))
        believer = Believer(
            EditTable.read(folder / _TABLE, recipe.longest),
            LanguageModel.read_part(folder / "lm"),
            Worth.read(folder),
            None if state["bar"] is None else float(state["bar"]),
        )
        links = folder / "aligner"
        aligner = Aligner.read_part(links) if links.is_dir() else None
        return cls(recipe, believer, aligner, frozenset(state["small"]), report=state["report"], data=manifest.data)


def _bare(tokens: Words) -> list[str]:
    return [token.strip(GLUE) for token in tokens]


def _starts_big(text: str) -> bool:
    return next((char.isupper() for char in text if char.isalpha()), False)


def _unmasked(words: Words, span: Words) -> Words:
    """The words of a change with the number of the span that it replaces in the place of the mask."""
    numbers = {masked([token])[0].strip(GLUE): token.strip(GLUE) for token in span if NUMBER in masked([token])[0]}
    return tuple(
        word.replace(word.strip(GLUE), numbers[word.strip(GLUE)]) if word.strip(GLUE) in numbers else word
        for word in words
    )


def _told(
    number: int,
    line: Prepared,
    evidence: Evidence,
    places: Sequence[int],
    worth: Sequence[float],
    chosen: set[int],
    made: set[int],
) -> list[Change]:
    """The changes of a line that were made, and of the others those that look likeliest."""
    refused = sorted(set(range(len(places))) - made, key=lambda n: -worth[n])[:_REFUSALS]
    changes = []
    for n in sorted({*made, *refused}, key=lambda n: evidence.edits[places[n]]):
        begin, end, words = evidence.edits[places[n]]
        reason = "believed" if n in made else _refusal(worth[n], n in chosen)
        row = tuple(zip(EVIDENCE, map(float, evidence.rows[places[n]]), strict=True))
        old = joined(line.tokens[begin:end])
        new = joined(_unmasked(words, line.tokens[begin:end]))
        changes.append(Change(number + 1, old, new, worth[n], n in made, reason, row))
    return changes


def _refusal(worth: float, chosen: bool) -> str:
    if worth <= 0:
        return "expected to harm"
    return "the line's changes are not worth enough" if chosen else "overlaps a better change"
