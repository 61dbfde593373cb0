"""Word alignment for an engine: both directions made one, by one method or by several whose phrases are pooled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from dragoman.align import Aligner, Glossary, align_ids
from dragoman.align.base import ALIGNERS, AlignmentRecipe
from dragoman.align.grouping import PRIORS
from dragoman.align.run import align_grouped
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.smt.aligned_text import AlignedText
from dragoman.text.annotate.base import ANNOTATORS, Annotator, check_needs
from dragoman.text.tokens import TokenIds, join_rows

__all__ = ["WordAlignment", "repeated"]

SYMMETRISATIONS = ("intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and")


@dataclass(frozen=True)
class WordAlignment(Recipe):
    """How to align the words of a bitext (Koehn et al., IWSLT 2005)."""

    method: str = option(
        "sampler:samplers=1", text="an aligner, perhaps with options; several, joined by +, pool their phrases"
    )
    symmetrisation: str = option(
        "grow-diag-final-and", choices=SYMMETRISATIONS, text="how both directions become one alignment"
    )
    terms: str = option(
        "", text="file of terms, `source ||| target`, .tbx or .csv, that are one token each while words are linked"
    )
    terms_pair: str = option("", text="of a .tbx, the languages that are meant, as in fr-en; else its first two")
    prior: str = option("anchors", choices=PRIORS, text="how training knows of the terms")
    source_words: str = option(
        "", text="what stands for source words while they are linked: an annotator of lemmas or stems, snowball:lang=de"
    )
    target_words: str = option("", text="the same of target words")
    seed: int = option(1, low=0, text="of methods that draw")

    def check(self) -> Self:
        """Return the recipe if it keeps its rules and all its methods are known."""
        super().check()
        self._aligners()
        self._annotators()
        if self.terms and self.is_annotated:
            raise DataError("Terms are looked for in words as they are: align.terms goes without source_words.")
        return self

    @property
    def is_annotated(self) -> bool:
        """True if words are linked by their lemmas, stems or the like."""
        return bool(self.source_words or self.target_words)

    def fingerprints(self) -> list[str]:
        """What the annotators of words depend on."""
        annotators = [each for each in self._annotators() if each]
        check_needs(annotators)
        return [each.fingerprint() or each.signature() for each in annotators]

    def settings(self) -> dict[str, Any]:
        """What alignment is told; annotators only where there are any, so that work of before stays good."""
        return {name: value for name, value in self.to_dict().items() if value or not name.endswith("_words")}

    def _annotators(self) -> list[Annotator[Any] | None]:
        return [ANNOTATORS.make(spec) if spec else None for spec in (self.source_words, self.target_words)]

    def _aligners(self) -> list[AlignmentRecipe]:
        return [ALIGNERS.make(name.strip()).check() for name in self.method.split("+")]

    def train(self, srcs: Sequence[str], tgts: Sequence[str], *, n_threads: int = 1) -> Aligner:
        """What links the words of new text, learnt from tokenised sentence pairs; of several methods the first."""
        self.check()
        return self._aligners()[0].train(srcs, tgts, seed=self.seed, n_threads=n_threads)

    def align(self, source: TokenIds, target: TokenIds, *, n_threads: int = 1) -> AlignedText:
        """The bitext with the links of its words; with several methods once for each, one behind the other."""
        self.check()
        alignments = [
            align_ids(
                source, target, method=each, symmetrisation=self.symmetrisation, seed=self.seed, n_threads=n_threads
            )
            for each in self._aligners()
        ]
        links, offsets = join_rows(alignments)
        return AlignedText(repeated(source, len(alignments)), repeated(target, len(alignments)), links, offsets)

    def align_lines(
        self, srcs: Sequence[str], tgts: Sequence[str], ids: tuple[TokenIds, TokenIds], *, n_threads: int = 1
    ) -> AlignedText:
        """The same for lines whose ids are given: if there are terms, they are looked for in the lines."""
        if self.is_annotated:
            return self._align_annotated(srcs, tgts, ids, n_threads)
        if not self.terms:
            return self.align(*ids, n_threads=n_threads)
        self.check()
        glossary = self._glossary(srcs, tgts)
        results = [
            align_grouped(
                srcs, tgts, each, glossary, self.prior, self.symmetrisation, seed=self.seed, n_threads=n_threads
            )
            for each in self._aligners()
        ]
        links, offsets = join_rows([(result.links, result.offsets) for result in results])
        return AlignedText(repeated(ids[0], len(results)), repeated(ids[1], len(results)), links, offsets)

    def _align_annotated(
        self, srcs: Sequence[str], tgts: Sequence[str], ids: tuple[TokenIds, TokenIds], n_threads: int
    ) -> AlignedText:
        """The links of lemmas or stems, as links of the words that have them."""
        sides = []
        for lines, own, annotator in zip((srcs, tgts), ids, self._annotators(), strict=True):
            if annotator is None:
                sides.append(own)
                continue
            numbers: dict[str, int] = {}
            values = annotator.annotate([line.split() for line in lines])
            flat = [numbers.setdefault(str(value), len(numbers)) for line in values for value in line]
            sides.append(TokenIds(np.array(flat, dtype=own.ids.dtype), own.offsets))
        linked = self.align(sides[0], sides[1], n_threads=n_threads)
        copies = len(linked) // (len(ids[0].offsets) - 1)
        return replace(linked, source=repeated(ids[0], copies), target=repeated(ids[1], copies))

    def _glossary(self, srcs: Sequence[str], tgts: Sequence[str]) -> Glossary:
        """The terms, of which some must stand in the text."""
        langs = self.terms_pair.split("-") if self.terms_pair else ["", ""]
        if len(langs) != 2:
            raise DataError(f"The option terms_pair names two languages, as in fr-en; got {self.terms_pair!r}.")
        glossary = Glossary.read(self.terms, *langs)
        if not any(glossary.spans(srcs, tgts)):
            raise DataError(
                f"{self.terms}: none of its {len(glossary.terms)} terms stands on both sides of a sentence pair. Are "
                "its languages the other way round, and its terms written as the tokenised text is?"
            )
        return glossary


def repeated(text: TokenIds, copies: int) -> TokenIds:
    """The same lines again and again, one copy behind the other."""
    return text if copies == 1 else TokenIds(*join_rows([(text.ids, text.offsets)] * copies))
