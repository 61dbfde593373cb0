"""Training a post-editor: phrases, then, on lines that they have not seen, what changes are worth and the bar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby, pairwise
from typing import Any, ClassVar

import numpy as np

from dragoman.align import ALIGNERS, Aligner
from dragoman.data.alignments import Link
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.learn.folds import make_folds
from dragoman.lm import KneserNey, LanguageModel
from dragoman.postedit.choice import best_set
from dragoman.postedit.edit_table import Edited, EditTable, sources_by_place
from dragoman.postedit.editor import Believer, PostEditor, prepare_lines
from dragoman.postedit.evidence import Evidence, gather
from dragoman.postedit.gain import Exchange
from dragoman.postedit.recipe import PostEditRecipe
from dragoman.postedit.tokens import GLUE, Words, cut
from dragoman.postedit.worth import Worth
from dragoman.report import Column, Progress, Result, Table
from dragoman.stats.arrays import Floats

__all__ = ["PostEditTraining", "train_post_editor"]


Numbers = tuple[tuple[str, float | None], ...]


@dataclass(frozen=True)
class PostEditTraining(Result):
    """What training learnt, and what it expects of lines that it has not seen; `editor` is what it gave."""

    kind: ClassVar[str] = "training of a post-editor"

    editor: PostEditor
    rows: Numbers

    def tables(self) -> list[Table]:
        """What was learnt, in numbers."""
        return [Table.of("Post-editor", ["what", Column("value", digits=3)], self.rows)]

    def meta(self) -> dict[str, Any]:
        """The recipe and the numbers."""
        return {"recipe": self.editor.recipe.to_dict(), **dict(self.rows)}


def train_post_editor(
    outputs: Sequence[str],
    refs: Sequence[str],
    sources: Sequence[str] | None = None,
    recipe: PostEditRecipe | None = None,
    *,
    more_text: Sequence[str] = (),
    n_threads: int = 1,
    progress: Progress | None = None,
) -> PostEditTraining:
    """Learn from an engine's outputs and their references, and from the sources if there are any.

    `more_text` are further lines of the target language, for the language model. Nothing is chosen on the phrases' own
    lines: each fold's changes are those of a table of the other folds, and the bar is set on changes whose worth was
    predicted by a model of the other folds.
    """
    recipe = (recipe or PostEditRecipe()).check()
    check_parallel({"outputs": outputs, "refs": refs, "sources": sources})
    if len(outputs) < 2 * recipe.n_folds:
        raise DataError(f"{len(outputs)} lines are too few for {recipe.n_folds} folds of at least two.")
    tell = progress or (lambda *_: None)
    n_steps = recipe.n_folds + 2
    small = _small_starts([*outputs, *refs, *(sources or ())])
    tell(0, n_steps, "aligning outputs with references and sources")
    lines, aligner = _aligned(outputs, refs, sources, small, recipe, n_threads)
    more = [" ".join(line.read) for line in prepare_lines(more_text, small)]
    exchange = Exchange.of([line.output for line in lines], [line.ref for line in lines])
    folds = make_folds(len(lines), recipe.n_folds, "shuffled", seed=recipe.seed)
    held = []
    for fold in range(recipe.n_folds):
        tell(fold + 1, n_steps, f"gathering the changes of fold {fold + 1}")
        rest = [line for line, each in zip(lines, folds, strict=True) if each != fold]
        table, lm = EditTable.of(rest, recipe), _language_model(rest, more, recipe, n_threads)
        held.append(_examples(table, lm, lines, np.flatnonzero(folds == fold).tolist(), exchange, n_threads))
    tell(n_steps - 1, n_steps, "learning what changes are worth")
    bar, expected = _bar(held, len(lines), recipe)
    evidence, gains = np.vstack([each.evidence.rows for each in held]), np.concatenate([each.gains for each in held])
    table, lm = EditTable.of(lines, recipe), _language_model(lines, more, recipe, n_threads)
    believer = Believer(table, lm, Worth.learn(evidence, gains, recipe), bar)
    numbers = (("lines", float(len(lines))), ("changes in the table", float(len(table))), *expected)
    data = {"outputs": _digest(outputs), "references": _digest(refs)}
    editor = PostEditor(recipe, believer, aligner, small, report=dict(numbers), data=data)
    return PostEditTraining(editor, numbers)


def _digest(lines: Sequence[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()


def _small_starts(lines: Sequence[str]) -> frozenset[str]:
    """First words that are written small more often than not where they are not first."""
    inside: Counter[str] = Counter()
    first: set[str] = set()
    for line in lines:
        words = [token.strip(GLUE) for token in cut(line)]
        words = [word for word in words if word[:1].isalpha()]
        inside.update(words[1:])
        first.update(words[:1])
    return frozenset(word for word in first if word[:1].isupper() and inside[word.lower()] > inside[word])


def _aligned(
    outputs: Sequence[str],
    refs: Sequence[str],
    sources: Sequence[str] | None,
    small: frozenset[str],
    recipe: PostEditRecipe,
    n_threads: int,
) -> tuple[list[Edited], Aligner | None]:
    output, ref = ([line.read for line in prepare_lines(side, small)] for side in (outputs, refs))
    # QUAERO 2012: words that both sides have are given to the aligner as pairs of their own.
    both = sorted({w for line in output for w in line} & {w for line in ref for w in line})
    _, links = _links([*output, *((w,) for w in both)], [*ref, *((w,) for w in both)], recipe, n_threads)
    by_place: list[dict[int, frozenset[str]]] = [{} for _ in output]
    aligner = None
    if sources is not None:
        source = [line.read for line in prepare_lines(sources, small)]
        aligner, source_links = _links(source, output, recipe, n_threads)
        by_place = [sources_by_place(each, line) for each, line in zip(source_links, source, strict=True)]
    parts = zip(output, ref, links[: len(output)], by_place, strict=True)
    return [Edited(o, r, tuple(each), places) for o, r, each, places in parts], aligner


def _links(
    a: Sequence[Words], b: Sequence[Words], recipe: PostEditRecipe, n_threads: int
) -> tuple[Aligner, list[list[Link]]]:
    sides = [" ".join(line) for line in a], [" ".join(line) for line in b]
    aligner, result = ALIGNERS.make("sampler").train_and_align(*sides, seed=recipe.seed, n_threads=n_threads)
    links = [(s, t) for s, t in result.links.tolist()]
    return aligner, [links[i:j] for i, j in pairwise(result.offsets.tolist())]


def _language_model(
    lines: Sequence[Edited], more: Sequence[str], recipe: PostEditRecipe, n_threads: int
) -> LanguageModel:
    text = [" ".join(line.ref) for line in lines]
    return KneserNey(order=recipe.lm_order).train([*text, *more], n_threads=n_threads)


@dataclass(frozen=True, eq=False)
class _Held:
    """The changes of held-out lines, and what each would have been worth."""

    evidence: Evidence
    gains: Floats


def _examples(
    table: EditTable, lm: LanguageModel, lines: Sequence[Edited], held: list[int], exchange: Exchange, n_threads: int
) -> _Held:
    chosen = [lines[n] for n in held]
    evidence = gather(
        table, lm, [line.output for line in chosen], [line.sources for line in chosen], n_threads=n_threads
    )
    gains: list[float] = []
    for number, group in groupby(range(len(evidence)), key=evidence.line.__getitem__):
        line = chosen[number]
        gains += exchange.gains(line.output, line.ref, [evidence.edits[n] for n in group])
    return _Held(replace(evidence, line=tuple(held[n] for n in evidence.line)), np.array(gains))


def _bar(held: Sequence[_Held], n_lines: int, recipe: PostEditRecipe) -> tuple[float | None, Numbers]:
    """What the changes of a line must be worth together, and what is to be expected then.

    The lines most believed in are changed, as many as give the largest real gain within the share that is allowed.
    Where no number of them gives one, the bar is `None`, which no line passes.
    """
    promised, real = [], []
    for fold, each in enumerate(held):
        others = [other for n, other in enumerate(held) if n != fold]
        rows = np.vstack([other.evidence.rows for other in others])
        worth = Worth.learn(rows, np.concatenate([other.gains for other in others]), recipe)(each.evidence.rows)
        for _, group in groupby(range(len(each.evidence)), key=each.evidence.line.__getitem__):
            places = list(group)
            chosen, total = best_set([each.evidence.edits[n] for n in places], worth[places].tolist())
            if chosen:
                promised.append(total)
                real.append(float(sum(each.gains[places[n]] for n in chosen)))
    order = np.argsort(-np.array(promised), kind="stable")[: int(recipe.most_changed * n_lines)]
    sums = np.cumsum(np.array(real)[order]) if len(order) else np.zeros(0)
    n_changed = int(sums.argmax()) + 1 if len(sums) and sums.max() > 0 else 0
    ranked = np.array(promised)[np.argsort(-np.array(promised), kind="stable")]
    bar = None if not n_changed else float(ranked[n_changed]) if n_changed < len(ranked) else 0.0
    share, gain = n_changed / n_lines, float(sums[n_changed - 1]) / n_lines if n_changed else 0.0
    expected = ("lines changed, held out", share), ("gain, held out", gain), ("bar", bar)
    return bar, expected
