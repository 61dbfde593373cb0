"""The repairer: rules over translations of any engine, beside the parsed source."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Self

from dragoman.align import ALIGNERS, Aligner
from dragoman.artifact import Artifact, Manifest
from dragoman.data.parallel import check_parallel
from dragoman.engines.correcting import Corrects
from dragoman.errors import DataError
from dragoman.lm import KneserNey, LanguageModel
from dragoman.repair.grammar import Grammar, load_grammar
from dragoman.repair.lexicon import Lexicon, learn_lexicon
from dragoman.repair.pairs import Pair, pair_of, words_of
from dragoman.repair.recipe import RepairRecipe
from dragoman.repair.result import Repair, Repaired
from dragoman.repair.rules import Fix, Rule, rules_in_order
from dragoman.syntax import Parser
from dragoman.text.conllu import Sentence, Word

__all__ = ["Repairer", "train_repairer"]

_LEXICON, _TARGET_PARSER = "lexicon.jsonl", "target-parser"
_NO_BASE = "This repairer knows no engine. Train it with --base ENGINE, or give outputs to dragoman repair apply."
_LONGEST = 300  # tokens of a line that is looked at


def train_repairer(
    sources: Sequence[str],
    targets: Sequence[str],
    parser: Parser,
    recipe: RepairRecipe | None = None,
    *,
    treebank: Iterable[Sentence] = (),
    target_parser: Parser | None = None,
    n_threads: int = 1,
) -> Repairer:
    """Learn forms, links and a language model from a bitext; the parser is the source language's.

    A parser of the target language, best one that learnt from a worsened treebank, gives words without links a head.
    """
    recipe = (recipe or RepairRecipe()).check()
    grammar = load_grammar(recipe.grammar)
    check_parallel({"sources": sources, "targets": targets})
    pairs = [(a, b) for a, b in ((_lower(s), _lower(t)) for s, t in zip(sources, targets, strict=True)) if a and b]
    if not pairs:
        raise DataError("The bitext has no pair with words on both sides; there is nothing to learn from.")
    aligner = ALIGNERS.make(recipe.aligner).train(*zip(*pairs, strict=True), seed=recipe.seed, n_threads=n_threads)
    lexicon = learn_lexicon(grammar, [line.split() for _, line in pairs], treebank)
    lm = KneserNey(order=recipe.order).train([line for _, line in pairs])
    return Repairer(recipe, lexicon, aligner, lm, parser, target_parser=target_parser, data=aligner.data)


@dataclass(frozen=True)
class _Choice:
    fix: Fix
    gain: float


class Repairer(Artifact, Corrects):
    """Mends lines: `Repairer.load("model").apply(outputs, sources).lines`. With an engine behind it, an engine."""

    kind: ClassVar[str] = "repairer"
    format: ClassVar[int] = 1
    without_base: ClassVar[str] = _NO_BASE
    recipe: RepairRecipe

    def __init__(
        self,
        recipe: RepairRecipe,
        lexicon: Lexicon,
        aligner: Aligner,
        lm: LanguageModel,
        parser: Parser,
        *,
        target_parser: Parser | None = None,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe = recipe
        self.lexicon = lexicon
        self.aligner = aligner
        self.lm = lm
        self.parser = parser
        self.target_parser = target_parser
        self.seed = recipe.seed
        self.data = dict(data or {})

    @cached_property
    def grammar(self) -> Grammar:
        """The target language's."""
        return load_grammar(self.recipe.grammar)

    @property
    def languages(self) -> tuple[str, str]:
        """BCP 47 tags of source and target."""
        return self.grammar.source, self.grammar.language

    @property
    def base_spec(self) -> str:
        """The engine whose output is mended."""
        return self.recipe.base

    def corrected(self, outputs: Sequence[str], sources: Sequence[str], *, n_threads: int = 1) -> Sequence[str]:
        """The outputs, mended."""
        return self.apply(outputs, sources, n_threads=n_threads).lines

    def apply(
        self,
        outputs: Sequence[str],
        sources: Sequence[str],
        *,
        without: Collection[str] = (),
        only: Collection[str] = (),
        n_threads: int = 1,
    ) -> Repaired:
        """Lines with what the rules mend; a line that none applies to is what it was, byte by byte."""
        check_parallel({"outputs": outputs, "sources": sources})
        return self.mend(outputs, self.parse(sources, n_threads=n_threads), without=without, only=only)

    def parse(self, sources: Sequence[str], *, n_threads: int = 1) -> list[Sentence | None]:
        """The trees of sources; None for a line without words."""
        return self.parser.parse([words_of(line) for line in sources], n_threads=n_threads)

    def mend(
        self,
        outputs: Sequence[str],
        trees: Sequence[Sentence | None],
        *,
        without: Collection[str] = (),
        only: Collection[str] = (),
    ) -> Repaired:
        """The same beside sources that are parsed already."""
        rules = rules_in_order(without, only)
        lines, repairs = [], []
        for number, pair in enumerate(self.pairs(outputs, trees), start=1):
            if pair is None:
                lines.append(outputs[number - 1])
                continue
            made = self._mend(pair, rules, number)
            repairs += made
            lines.append(pair.line() if any(each.made for each in made) else outputs[number - 1])
        return Repaired(tuple(lines), tuple(outputs), tuple(repairs), tuple(rule.name for rule in rules))

    def pairs(self, outputs: Sequence[str], trees: Sequence[Sentence | None]) -> list[Pair | None]:
        """Lines beside their sources; None where either has no words, or more than are looked at."""
        check_parallel({"outputs": outputs, "trees": trees})
        chosen = [
            n
            for n, (line, tree) in enumerate(zip(outputs, trees, strict=True))
            if tree is not None and _is_usable(line)
        ]
        sources = [" ".join(word.form.lower() for word in _words(trees[n])) for n in chosen]
        result = self.aligner.align(sources, [_lower(outputs[n]) for n in chosen])
        links = [(int(a), int(b)) for a, b in result.links.tolist()]
        own = (
            self.target_parser.parse([words_of(outputs[n]) for n in chosen])
            if self.target_parser
            else [None] * len(chosen)
        )
        pairs: list[Pair | None] = [None] * len(outputs)
        for n, tree, (begin, end) in zip(chosen, own, pairwise(result.offsets.tolist()), strict=True):
            pairs[n] = pair_of(outputs[n], trees[n], links[begin:end], self.grammar, self.lexicon, tree)
        return pairs

    def _mend(self, pair: Pair, rules: Sequence[Rule], number: int) -> list[Repair]:
        repairs = []
        for rule in rules:
            rule.analyse(pair)
            for place in range(len(pair.nodes)):
                if pair.nodes[place].is_dropped:
                    continue
                fixes = rule.applies(pair, place)
                if not fixes:
                    continue
                choice = self._choose(pair, fixes)
                made = choice.fix.sure or choice.gain >= self.recipe.gain
                node = pair.nodes[choice.fix.place]
                reason = rule.explain(pair, choice.fix)
                span = (node.begin, node.end)
                repairs.append(
                    Repair(
                        number,
                        rule.name,
                        node.form,
                        choice.fix.form,
                        choice.gain,
                        made,
                        reason,
                        span,
                        edits=_edits(pair, choice.fix),
                    )
                )
                if made:
                    self._make(pair, choice.fix)
        return repairs

    def _choose(self, pair: Pair, fixes: Sequence[Fix]) -> _Choice:
        """The form that the language model likes best, and by how much better than the present one."""
        plain = _tokens(pair, None)
        before, *scores = self.lm.score([" ".join(plain), *(" ".join(_tokens(pair, fix)) for fix in fixes)]).tolist()
        best = max(range(len(fixes)), key=lambda n: (fixes[n].sure, scores[n]))
        return _Choice(fixes[best], float(scores[best] - before))

    def _make(self, pair: Pair, fix: Fix) -> None:
        for place, form in ((fix.place, fix.form), *fix.also):
            node = pair.nodes[place]
            if form:
                node.form, node.readings = form, self.lexicon.analyses(form)
            else:
                node.is_dropped = True

    def _write(self, folder: Path) -> None:
        self.lexicon.write(folder / _LEXICON)
        self.aligner.save(folder / "aligner")
        self.lm.save(folder / "lm")
        self.parser.save(folder / "parser")
        if self.target_parser is not None:
            self.target_parser.save(folder / _TARGET_PARSER)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        return cls(
            RepairRecipe.from_dict(manifest.recipe),
            Lexicon.read(folder / _LEXICON),
            Aligner.read_part(folder / "aligner"),
            LanguageModel.read_part(folder / "lm"),
            Parser.read_part(folder / "parser"),
            target_parser=Parser.read_part(own) if (own := folder / _TARGET_PARSER).is_dir() else None,
            data=manifest.data,
        )


def _lower(line: str) -> str:
    return " ".join(words_of(line.lower()))


def _words(tree: Sentence | None) -> tuple[Word, ...]:
    return () if tree is None else tree.words


def _is_usable(line: str) -> bool:
    return 0 < len(words_of(line)) <= _LONGEST


def _edits(pair: Pair, fix: Fix) -> tuple[tuple[tuple[int, int], str], ...]:
    """What a fix does to the line, from left to right; a token that goes takes the white space at one side with it."""
    edits = []
    for place, form in sorted(((fix.place, fix.form), *fix.also)):
        begin, end = pair.nodes[place].begin, pair.nodes[place].end
        if not form:
            before = pair.nodes[place - 1].end if place else 0
            after = pair.nodes[place + 1].begin if place + 1 < len(pair.nodes) else end
            begin, end = (before, end) if place else (begin, after)
        edits.append(((begin, end), form))
    return tuple(edits)


def _tokens(pair: Pair, fix: Fix | None) -> list[str]:
    forms = {} if fix is None else dict(((fix.place, fix.form), *fix.also))
    words = (forms.get(n, node.form) for n, node in enumerate(pair.nodes) if not node.is_dropped)
    return [word.lower() for word in words if word]
