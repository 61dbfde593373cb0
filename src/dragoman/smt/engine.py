"""The translation engine: a decoder that is saved and loaded, and fills the roles of an engine."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Self

from dragoman.artifact import Artifact, Manifest
from dragoman.data.parallel import check_parallel
from dragoman.data.traces import Trace
from dragoman.engines import (
    Completes,
    Explains,
    Explanation,
    Learns,
    Request,
    Role,
    Searches,
    Translates,
    Translation,
    WordAlignment,
)
from dragoman.engines.journal import LearntPair
from dragoman.engines.results import Link
from dragoman.engines.roles import PLAIN
from dragoman.engines.translation import pharaoh
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.smt.completion import PhraseCompleter
from dragoman.smt.decoder import Decoder
from dragoman.smt.explanation import explain
from dragoman.smt.grammar.kinds import check_input_labels
from dragoman.smt.grammar.parses import GivenParses
from dragoman.smt.models import Models
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.search import SearchLimits
from dragoman.smt.tracing import stream_traces
from dragoman.smt.translation import save_graphs, translations_of
from dragoman.smt.weights import read_weights, write_weights
from dragoman.text import Truecaser

__all__ = ["Engine"]

_WEIGHTS, _REPORT = "weights.tsv", "report.json"
_BEFORE = "before"  # the engine of the search before
_CASERS = ("truecaser.source", "truecaser.target")
_CANNOT_LEARN = (
    "This engine cannot learn: its phrases are in a table. Train one that looks them up in its text: "
    "dragoman smt train --set index.use=only."
)
_RULES_CANNOT_LEARN = (
    "This engine cannot learn: it has a grammar, whose rules come from its whole training text. Add the pairs to that "
    "text and train it anew, or train an engine that looks phrases up in its text: "
    "dragoman smt train --set grammar.kind=none --set index.use=only."
)


class Engine(Decoder, Artifact, Translates, Completes, Learns, Explains, Searches):
    """Phrases looked up and put together: `Engine.load("model").translate(["A man is sleeping."])`."""

    kind: ClassVar[str] = "translation engine"
    format: ClassVar[int] = 1
    recipe: EngineRecipe

    details = frozenset({"n-best", "alignment", "confidence", "features", "glossary"})

    def lacks(self, role: type[Role]) -> str | None:
        """Why the engine cannot learn, if it cannot; the other roles it has."""
        return self._cannot_learn if role is Learns and not (self.models.index and self.models.aligner) else None

    @property
    def _cannot_learn(self) -> str:
        return _CANNOT_LEARN if self.models.grammar is None else _RULES_CANNOT_LEARN

    @property
    def languages(self) -> tuple[str, str]:
        """BCP 47 tags of source and target."""
        return self.recipe.source_lang, self.recipe.target_lang

    def translate(self, lines: Sequence[str], *, limits: SearchLimits | None = None, n_threads: int = 1) -> list[str]:
        """The translation of each line of text. Words without a translation are copied."""
        tokens = self.source.prepare(lines, n_threads=n_threads)
        return self.target.restore(self.decode(tokens, limits=limits, n_threads=n_threads).best(), n_threads=n_threads)

    def translations(self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1) -> list[Translation]:
        """The translations of each line of text, with what `request` asks for."""
        return translations_of(self, lines, request, n_threads=n_threads)

    def completer(self, source: str) -> PhraseCompleter:
        """Searches for translations of a line once; what it gives goes on from what a translator types."""
        return PhraseCompleter(self, source)

    def explain(self, source: str, target: str | None = None) -> Explanation | None:
        """By which phrases the best translation of a line comes about, or a given one, and what each feature adds."""
        return explain(self, source, target)

    def align(self, source: str, target: str) -> WordAlignment | None:
        """Which words belong together by the aligner that links what is learnt; an engine with a table has none."""
        if self.models.aligner is None:
            return None
        tokens = self.source.cased([source])[0], self.target.cased([target])[0]
        links = self._links([tokens[0]], [tokens[1]])[0]
        return WordAlignment(tuple(tokens[0].split()), tuple(tokens[1].split()), tuple(links))

    def traces(
        self, lines: Iterable[str], *, outputs: Sequence[str] | None = None, n_best: int = 100, n_threads: int = 1
    ) -> Iterator[Trace]:
        """What the search did with each line (see `stream_traces`, which can be told more)."""
        return stream_traces(self, lines, outputs=outputs, n_best=n_best, n_threads=n_threads)

    def restore(self, token_lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Tokens of the target, as traces and decoded translations have them, as text for people."""
        return self.target.restore(token_lines, n_threads=n_threads)

    def save_graphs(self, lines: Iterable[str], folder: StrPath, *, n_threads: int = 1) -> int:
        """Write the search graph of each line into a folder (see `SearchGraph`); how many there are."""
        return save_graphs(self, lines, folder, n_threads=n_threads)

    def with_pop_limit(self, pop_limit: int) -> Self:
        """The same engine with so many hypotheses of a stack."""
        return self.with_weights(self.trained_weights, search=replace(self.recipe.search, pop_limit=pop_limit))

    def with_parses(self, lines: Sequence[str], path: StrPath) -> Self:
        """The same engine, which reads the parses of these lines of text from a file instead of making them.

        They stand beside the lines as it tokenises them (`dragoman translate --tokenised` shows it of the target).
        """
        if self.models.parser is None or self.models.grammar is None:
            raise DataError("This engine asks for no parses of what it translates: its rules name no source symbols.")
        tokens = [line.split() for line in self.source.prepare(lines)]
        given = GivenParses.read(path, tokens)
        check_input_labels(self.recipe.grammar, given, tokens, self.models.grammar.names[0])
        models = replace(self.models, parser=given)
        return self._like(self.recipe, weights=self.trained_weights, report=self.report, models=models)

    def learn(self, source: str | Sequence[str], target: str | Sequence[str], *, n_threads: int = 1) -> int:
        """Learn sentence pairs of raw text: the next translation can use them. How many there are now.

        They are aligned by what the engine learnt of words in training, and, if it was loaded from a folder, they are
        on disk there before this returns.
        """
        if self.models.index is None or self.models.aligner is None:
            raise DataError(self._cannot_learn)
        sources = [source] if isinstance(source, str) else list(source)
        targets = [target] if isinstance(target, str) else list(target)
        check_parallel({"source": sources, "target": targets})
        tokens = self.source.trained(sources, n_threads=n_threads), self.target.trained(targets, n_threads=n_threads)
        links = [pharaoh(each) for each in self._links(*tokens, n_threads=n_threads)]
        self.models.index.learn([LearntPair(*each) for each in zip(*tokens, links, strict=True)])
        self._renew()
        return len(self.models.index)

    def _links(self, sources: Sequence[str], targets: Sequence[str], *, n_threads: int = 1) -> list[list[Link]]:
        """The word links of tokenised pairs, by the engine's aligner, which it has."""
        if self.models.aligner is None:
            raise DataError(self._cannot_learn)
        alignment = self.models.aligner.align(
            sources, targets, symmetrisation=self.recipe.align.symmetrisation, n_threads=n_threads
        )
        return [[(s, t) for s, t in alignment.links[a:b].tolist()] for a, b in pairwise(alignment.offsets.tolist())]

    @property
    def n_pairs(self) -> int:
        """How many sentence pairs the engine looks phrases up in; 0 if it has a table alone."""
        return 0 if self.models.index is None else len(self.models.index)

    def rollback(self, n_pairs: int) -> int:
        """Forget the last pairs learnt, in this process or another, until `n_pairs` are left; how many those were."""
        if self.models.index is None:
            raise DataError(self._cannot_learn)
        n_forgotten = self.models.index.rollback(n_pairs)
        self._renew()
        return n_forgotten

    def refresh(self) -> int:
        """Take in what other processes have taught the engine of the same folder; how many sentence pairs."""
        n_new = 0 if self.models.index is None else self.models.index.refresh()
        if n_new:
            self._renew()
        return n_new

    def _renew(self) -> None:
        """Search with what is known now."""
        self._adapt()
        self.source = replace(self.source, related=self._related())  # a word is known now, or a form of it is

    def _write(self, folder: Path) -> None:
        self.models.write(folder)
        if self.before is not None:
            self.before.save(folder / _BEFORE)
        for name, side in zip(_CASERS, (self.source, self.target), strict=True):
            if side.truecaser:
                side.truecaser.save(folder / name)
        write_weights(folder / _WEIGHTS, self.trained_weights)
        text = json.dumps(self.report, ensure_ascii=False, indent=1) + "\n"
        (folder / _REPORT).write_text(text, encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        casers = [Truecaser.read_part(folder / name) if (folder / name).is_dir() else None for name in _CASERS]
        before = folder / _BEFORE
        return cls(
            EngineRecipe.of_manifest(manifest.recipe),
            Models.read(folder),
            truecasers=(casers[0], casers[1]),
            weights=read_weights(folder / _WEIGHTS),
            seed=manifest.seed,
            data=manifest.data,
            report=json.loads((folder / _REPORT).read_text(encoding="utf-8")),
            before=cls.read_part(before) if before.is_dir() else None,
        )
