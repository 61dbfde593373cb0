"""An engine of tuples: it reads the source in an order that rewrite rules allow, and translates unit by unit."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from dragoman.artifact import Artifact, Manifest
from dragoman.data.parallel import check_parallel
from dragoman.engines import Candidate, Request, Translates, Translation
from dragoman.engines.roles import PLAIN
from dragoman.lm import KneserNey, LanguageModel
from dragoman.options import Recipe, option
from dragoman.smt.preparation import Preparation, TextSide
from dragoman.smt.rewriting import RewriteRules, learn_rules, order_lattice
from dragoman.smt.tuple_model import TupleModel, TupleRecipe
from dragoman.smt.tuple_search import Inventory, TupleSearch, search_tuples
from dragoman.smt.unfolding import Tuple
from dragoman.syntax import Parser

__all__ = ["TupleEngine", "TupleEngineRecipe"]

_TUPLES, _LM, _FILE, _TAGGER = "tuples", "lm", "units.json", "tagger"
_TEXT = Preparation(truecase=False, related=False)


@dataclass(frozen=True)
class TupleEngineRecipe(Recipe):
    """How an engine of tuples is trained, and how it searches."""

    src_lang: str = option("", text="language translated from")
    tgt_lang: str = option("", text="language translated into")
    order: int = option(3, low=1, high=9, text="length of the longest n-grams of tuples")
    lm_order: int = option(3, low=1, high=9, text="order of the target language model")
    method: str = option("hmm", text="the aligner whose links units are made of")
    longest: int = option(4, low=1, text="source words of a unit that is used for translating")
    choices: int = option(10, low=1, text="translations of a unit's source words that are tried")
    rule: int = option(7, low=2, text="words of the longest rewrite rule")
    least: int = option(2, low=1, text="times that a rewrite rule was met")
    share: float = option(0.05, low=0, high=1, text="of all times that its tags were met")
    beam: int = option(30, low=1, text="hypotheses kept at each node")

    def train(
        self, srcs: Sequence[str], tgts: Sequence[str], *, tagger: Parser | None = None, n_threads: int = 1
    ) -> TupleEngine:
        """Learn from raw sentence pairs. Rules are of the tagger's parts of speech; without one, of the words."""
        self.check()
        check_parallel({"srcs": srcs, "tgts": tgts})
        sides = _sides(self)
        sources, targets = (
            side.tokenise(lines, n_threads=n_threads) for side, lines in zip(sides, (srcs, tgts), strict=True)
        )
        model = TupleRecipe(order=self.order, method=self.method).train(sources, targets, n_threads=n_threads)
        full = [(s, t) for s, t in zip(sources, targets, strict=True) if s.split() and t.split()]
        units = model.units(*map(list, zip(*full, strict=True)), n_threads=n_threads)
        tags = _tags(tagger, [source.split() for source, _ in full], n_threads)
        rules = learn_rules(zip(tags, units, strict=True), longest=self.rule, least=self.least, share=self.share)
        lm = KneserNey(order=self.lm_order).train([target for _, target in full], n_threads=n_threads)
        return TupleEngine(self, model, lm, self._inventory(units), rules, tagger)

    def _inventory(self, units: Sequence[Sequence[Tuple]]) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
        counts: dict[tuple[str, ...], Counter[tuple[str, ...]]] = {}
        for unit in (unit for each in units for unit in each if 0 < len(unit.source) <= self.longest):
            counts.setdefault(unit.source, Counter())[unit.target] += 1
        return {source: [target for target, _ in each.most_common(self.choices)] for source, each in counts.items()}


class TupleEngine(Artifact, Translates):
    """A bilingual n-gram engine (LIMSI's way): `TupleEngine.load("model").translate(["Wo ist der Bahnhof?"])`."""

    kind: ClassVar[str] = "tuple engine"
    format: ClassVar[int] = 1
    recipe: TupleEngineRecipe
    details = frozenset({"n-best"})

    def __init__(
        self,
        recipe: TupleEngineRecipe,
        model: TupleModel,
        lm: LanguageModel,
        inventory: Inventory,
        rules: RewriteRules,
        tagger: Parser | None = None,
    ) -> None:
        self.recipe = recipe
        self.model = model
        self.lm = lm
        self.inventory = inventory
        self.rules = rules
        self.tagger = tagger
        self.data: Mapping[str, str] = model.data

    @property
    def languages(self) -> tuple[str, str]:
        """BCP 47 tags of source and target."""
        return self.recipe.src_lang, self.recipe.tgt_lang

    def translations(self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1) -> list[Translation]:
        """The best translations of each line, distinct ones."""
        source, target = _sides(self.recipe)
        tokens = [line.split() for line in source.tokenise(lines, n_threads=n_threads)]
        tags = _tags(self.tagger, tokens, n_threads)
        answers = []
        for line, words, tagged in zip(lines, tokens, tags, strict=True):
            best = self._best(words, tagged, request.n_best)
            texts = target.restore([" ".join(each) for each in best], n_threads=n_threads)
            found = zip(texts, best.values(), strict=True)
            answers.append(Translation(line, tuple(Candidate(text, score) for text, score in found)))
        return answers

    def _best(self, words: Sequence[str], tags: Sequence[str], n: int) -> dict[tuple[str, ...], float]:
        """Distinct translations with their scores, best first."""
        if not words:
            return {(): 0.0}
        search = TupleSearch(beam=max(self.recipe.beam, n))
        lattice = order_lattice(tags, self.rules)
        best: dict[tuple[str, ...], float] = {}
        for each in search_tuples(words, lattice, self.inventory, self.model.model, self.lm, search):
            best.setdefault(each.words, each.score)
        return dict(list(best.items())[:n])

    def _write(self, folder: Path) -> None:
        self.model.save(folder / _TUPLES)
        self.lm.save(folder / _LM)
        if self.tagger is not None:
            self.tagger.save(folder / _TAGGER)
        content: dict[str, Any] = {
            "inventory": [[list(source), [list(each) for each in said]] for source, said in self.inventory.items()],
            "rules": [[list(tags), [list(each) for each in orders]] for tags, orders in self.rules.items()],
        }
        (folder / _FILE).write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        content = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        inventory = {tuple(source): [tuple(each) for each in said] for source, said in content["inventory"]}
        rules = {tuple(tags): tuple(tuple(each) for each in orders) for tags, orders in content["rules"]}
        tagger = Parser.load(folder / _TAGGER) if (folder / _TAGGER).is_dir() else None
        recipe = TupleEngineRecipe.from_dict(manifest.recipe)
        return cls(
            recipe, TupleModel.load(folder / _TUPLES), LanguageModel.load(folder / _LM), inventory, rules, tagger
        )


def _sides(recipe: TupleEngineRecipe) -> tuple[TextSide, TextSide]:
    return TextSide(recipe.src_lang, _TEXT), TextSide(recipe.tgt_lang, _TEXT)


def _tags(tagger: Parser | None, tokens: Sequence[Sequence[str]], n_threads: int) -> list[list[str]]:
    """What rules are made of: parts of speech, or the words themselves."""
    if tagger is None:
        return [list(words) for words in tokens]
    tagged = tagger.tag(tokens, n_threads=n_threads)
    return [[] if each is None else [word.upos for word in each.words] for each in tagged]
