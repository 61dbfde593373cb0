"""Phrases of good and of bad translations: the templates of Wu & Zhao (WMT 2012)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.qe.studies.phrase_material import Phrase, PhraseMaterial, functional_bigrams
from dragoman.stats.arrays import Floats

__all__ = [
    "TEMPLATES",
    "Phrase",
    "PhraseTemplates",
    "TemplateRecipe",
    "common_run",
    "common_subsequence",
    "is_alike",
    "replaced_runs",
]

# In the order of the paper, which speaks of 18 and describes these eleven.
TEMPLATES = (
    "reference",
    "source-split",
    "functional",
    "source-bad",
    "source-good",
    "target-bad",
    "target-good",
    "replaced",
    "anchored",
    "source-replaced",
    "source-anchored",
)
_ANCHOR = "…"  # stands for the words between two that a post-editor left


@dataclass(frozen=True)
class TemplateRecipe(Recipe):
    """Which sentences are good or bad, and how long their phrases are."""

    shortest: int = option(2, low=1, high=5, text="words of the shortest phrases")
    longest: int = option(5, low=1, high=9, text="words of the longest phrases")
    tail: float = option(0.1, low=0.01, high=0.5, text="share of the sentences that are bad, and that are good")
    least: int = option(2, low=1, text="sentences that a phrase must stand in")

    def mine(
        self,
        sources: Sequence[str],
        outputs: Sequence[str],
        scores: Floats,
        *,
        higher_is_better: bool,
        beside: PhraseMaterial | None = None,
    ) -> PhraseTemplates:
        """Phrases that bad sentences have and good ones have not, the other way about, and what is told beside them.

        References give their phrases; post-edits what was replaced, with its neighbours, and the frames around it, and
        back-translations the same of the source; a corpus the source bigrams that it splits, and the bigrams of outputs
        with a functional word that it has not. A phrase table adds its phrases that are alike a template's.
        The paper calls outputs scored below 1.5 bad and above 4.5 good; here it is the worst and the best share of the
        sentences, so that any scale will do. All sentences with the score of the last one are in.
        """
        self.check()
        more = beside or PhraseMaterial()
        check_parallel({"sources": sources, "outputs": outputs, "scores": scores, **more.streams()})
        if self.shortest > self.longest:
            raise DataError(f"The shortest phrases have {self.shortest} words, the longest {self.longest}.")
        if not len(scores):
            raise DataError("There are no sentences to take phrases from.")
        quality = scores if higher_is_better else -scores
        low, high = np.quantile(quality, [self.tail, 1 - self.tail])
        if low >= high:
            raise DataError("Good and bad sentences have the same score; there is nothing that tells them apart.")
        templates: dict[str, dict[Phrase, int]] = {}
        for side, lines in (("source", sources), ("target", outputs)):
            bad, good = (
                self._counted(line for line, each in zip(lines, chosen.tolist(), strict=True) if each)
                for chosen in (quality <= low, quality >= high)
            )
            templates[f"{side}-bad"] = self._frequent({gram: n for gram, n in bad.items() if gram not in good})
            templates[f"{side}-good"] = self._frequent({gram: n for gram, n in good.items() if gram not in bad})
        templates |= self._beside(sources, outputs, more)
        mined = PhraseTemplates(self, {name: templates[name] for name in TEMPLATES if name in templates})
        return mined.with_table(more.table) if more.table else mined

    def _beside(
        self, sources: Sequence[str], outputs: Sequence[str], more: PhraseMaterial
    ) -> dict[str, dict[Phrase, int]]:
        templates: dict[str, dict[Phrase, int]] = {}
        if more.references is not None:
            templates["reference"] = self._frequent(self._counted(more.references))
        if more.splits is not None:
            templates["source-split"] = self._frequent(more.splits)
        if more.usual is not None:
            counts: dict[Phrase, int] = {}
            for output in outputs:
                for bigram in functional_bigrams([output]) - more.usual:
                    counts[bigram] = counts.get(bigram, 0) + 1
            templates["functional"] = self._frequent(counts)
        if more.post_edits is not None:
            templates |= self._replaced(outputs, more.post_edits)
        if more.back is not None:
            templates |= {f"source-{name}": own for name, own in self._replaced(sources, more.back).items()}
        return templates

    def _replaced(self, outputs: Sequence[str], post_edits: Sequence[str]) -> dict[str, dict[Phrase, int]]:
        runs: dict[Phrase, int] = {}
        anchors: dict[Phrase, int] = {}
        for output, edited in zip(outputs, post_edits, strict=True):
            words = output.split()
            grams, frames = set(), set()
            for start, end in replaced_runs(words, edited.split()):
                wide = words[max(0, start - 1) : end + 1]
                grams.update(self.grams(wide))
                if start > 0 and end < len(words):
                    frames.add((words[start - 1], _ANCHOR, words[end]))
            for gram in grams:
                runs[gram] = runs.get(gram, 0) + 1
            for frame in frames:
                anchors[frame] = anchors.get(frame, 0) + 1
        return {"replaced": self._frequent(runs), "anchored": self._frequent(anchors)}

    def _counted(self, lines: Iterable[str]) -> dict[Phrase, int]:
        """In how many lines each phrase stands."""
        counts: dict[Phrase, int] = {}
        for line in lines:
            for gram in self.grams(line.split()):
                counts[gram] = counts.get(gram, 0) + 1
        return counts

    def grams(self, words: Sequence[str]) -> set[Phrase]:
        """The phrases of a line."""
        return {
            tuple(words[at : at + length])
            for length in range(self.shortest, self.longest + 1)
            for at in range(len(words) - length + 1)
        }

    def _frequent(self, counts: Mapping[Phrase, int]) -> dict[Phrase, int]:
        kept = {gram: count for gram, count in counts.items() if count >= self.least}
        return dict(sorted(kept.items(), key=lambda each: (-each[1], each[0])))


@dataclass(frozen=True)
class PhraseTemplates:
    """Phrases by template, each with the number of sentences that it was found in, the most frequent first.

    The totals of templates are what `columns` gives; an entry for each phrase, as the paper has them, it gives not.
    """

    recipe: TemplateRecipe
    phrases: Mapping[str, Mapping[Phrase, int]]

    def columns(self, sources: Sequence[str], outputs: Sequence[str]) -> Floats:
        """How many phrases of each template a pair has, divided by the size of the template: the paper's totals."""
        rows = np.zeros((len(sources), len(self.phrases)))
        for place, (name, phrases) in enumerate(self.phrases.items()):
            if not phrases:
                continue
            for row, line in enumerate(sources if name.startswith("source") else outputs):
                rows[row, place] = sum(gram in phrases for gram in self._present(name, line.split())) / len(phrases)
        return rows

    def _present(self, name: str, words: list[str]) -> set[Phrase]:
        if name in ("source-split", "functional"):
            return set(pairwise(words))
        if not name.endswith("anchored"):
            return self.recipe.grams(words)
        return {(words[a], _ANCHOR, words[b]) for a in range(len(words)) for b in range(a + 2, min(a + 7, len(words)))}

    def with_table(self, phrases: Mapping[str, Iterable[Phrase]]) -> PhraseTemplates:
        """The templates with phrases of a table that are alike one of theirs, found in 0 sentences; frames stay."""
        more = {}
        for name, own in self.phrases.items():
            side = "source" if name.startswith("source") else "target"
            alike = set() if name.endswith("anchored") else self.expanded(phrases.get(side, ()), name) - own.keys()
            more[name] = {**own, **dict.fromkeys(sorted(alike), 0)}
        return PhraseTemplates(self.recipe, more)

    def expanded(self, candidates: Iterable[Phrase], name: str) -> set[Phrase]:
        """The phrases of a template with those of a list, such as a phrase table, that are alike one of them."""
        own = self.phrases[name]
        by_word: dict[str, list[Phrase]] = {}
        for gram in own:
            for word in set(gram):
                by_word.setdefault(word, []).append(gram)
        more = {
            each
            for each in candidates
            if any(is_alike(each, gram) for gram in {gram for word in set(each) for gram in by_word.get(word, ())})
        }
        return set(own) | more


def replaced_runs(output: Sequence[str], edited: Sequence[str]) -> list[tuple[int, int]]:
    """The runs of an output's words, [start, end), that a largest matching of equal words with the post-edit leaves.

    Equal words alone are matched, so that a word has as many partners as the post-edit has copies of it; the first
    copies are taken.
    """
    left: dict[str, int] = {}
    for word in edited:
        left[word] = left.get(word, 0) + 1
    kept = []
    for word in output:
        there = left.get(word, 0) > 0
        if there:
            left[word] -= 1
        kept.append(there)
    runs, start = [], None
    for place, each in enumerate([*kept, True]):
        if not each and start is None:
            start = place
        elif each and start is not None:
            runs.append((start, place))
            start = None
    return runs


def is_alike(first: Phrase, second: Phrase) -> bool:
    """Whether LCSQ² / (|p| |g|) is above .6 and LCSG at least 3; the paper leaves open whether one of both would do."""
    if not first or not second:
        return False
    longest = common_subsequence(first, second)
    return longest**2 / (len(first) * len(second)) > 0.6 and common_run(first, second) >= 3


def common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """LCSQ: words of the longest common subsequence."""
    row = [0] * (len(second) + 1)
    for a in first:
        diagonal = 0
        for place, b in enumerate(second, start=1):
            diagonal, row[place] = row[place], diagonal + 1 if a == b else max(row[place], row[place - 1])
    return row[-1]


def common_run(first: Sequence[str], second: Sequence[str]) -> int:
    """LCSG: words of the longest common run."""
    row, longest = [0] * (len(second) + 1), 0
    for a in first:
        row = [0, *(row[place] + 1 if a == b else 0 for place, b in enumerate(second))]
        longest = max(longest, *row)
    return longest
