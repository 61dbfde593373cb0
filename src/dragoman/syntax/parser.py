"""The parser: parts of speech, morphology and a dependency tree for tokens as they are written.

Tags are given from left to right by averaged perceptrons (Collins 2002), trees by the arc-hybrid system, which decides
once for each of its two steps a word (Kuhlmann et al. 2011) and learns with a dynamic oracle what to do also behind its
own mistakes (Goldberg & Nivre 2013). Whatever the tokens, the answer is one tree with one root.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, chain
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dragoman._core import syntax as core
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import ModelError
from dragoman.notation import list_of_texts
from dragoman.options import Recipe, option
from dragoman.syntax.confidence import Calibration
from dragoman.syntax.lemmas import LemmaTable, scripts_of
from dragoman.syntax.morphology import attribute_table
from dragoman.syntax.parses import Parses
from dragoman.syntax.training import NO_LABELS, Arrays, Settings, TagWeights, Trainer
from dragoman.syntax.treebank import LabelIds, Labels, Treebank, gather
from dragoman.text.annotate.base import check_tokens
from dragoman.text.conllu import Sentence

__all__ = ["Parser", "ParserRecipe"]

_MODEL = "model.json"
_ARRAYS = ("keys", "counts", "classes", "weights")


@dataclass(frozen=True)
class ParserRecipe(Recipe):
    """How to learn a parser from a treebank."""

    multiword: str = option(
        "merge", choices=("merge", "split"), text="a token of several words (Spanish del): one word, or as the treebank"
    )
    xpos: bool = option(True, choices=(False, True), text="learn XPOS, too, where the treebank has it")
    lemmas: bool = option(False, choices=(False, True), text="learn lemmas, too: how they are made of forms")
    folds: int = option(5, low=2, high=100, text="parts of the treebank that are tagged by taggers of the others")
    runs: int = option(2, low=1, high=100, text="perceptrons that learn in different orders and are averaged")
    tag_epochs: int = option(5, low=1, high=1000, text="rounds over the treebank for each layer of tags")
    epochs: int = option(8, low=1, high=1000, text="rounds over the treebank for trees")
    explore: float = option(
        0.9, low=0, high=1, text="how often a wrong step is followed, to learn what to do behind it"
    )
    smallest_tag: float = option(0.3, low=0, text="averaged weights of tags nearer to zero are left out")
    smallest_arc: float = option(0.7, low=0, text="averaged weights of arcs nearer to zero are left out")

    def train(
        self, sentences: Iterable[Sentence], *, dev: Iterable[Sentence] | None = None, seed: int = 1, n_threads: int = 1
    ) -> Parser:
        """Learn from the sentences of one treebank or several.

        Confidences are fitted on `dev`, or else on a fifth of the trees, by a parser that has not seen them.
        """
        self.check()
        treebank = gather(sentences, merge=self.multiword == "merge", xpos=self.xpos, lemmas=self.lemmas)
        settings = Settings(self.runs, self.tag_epochs, self.epochs, self.explore, self.smallest_tag, self.smallest_arc)
        trainer = Trainer.of(treebank, settings, folds=self.folds, seed=seed, n_threads=n_threads)
        kept_out = None if dev is None else gather(dev, merge=self.multiword == "merge", xpos=False)
        return _trained(self, treebank, trainer, kept_out)


class _Decisions(NamedTuple):
    """What was decided for each token, and by how much; without trees, the last three are empty."""

    upos: LabelIds
    feats: LabelIds
    xpos: LabelIds
    tag_margins: NDArray[np.float32]
    heads: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
    relations: LabelIds = NO_LABELS
    arc_margins: NDArray[np.float32] = np.zeros(0, dtype=np.float32)


class Parser(Artifact):
    """Tags and parses lines of tokens."""

    kind: ClassVar[str] = "parser"
    format: ClassVar[int] = 1

    recipe: ParserRecipe

    def __init__(
        self,
        recipe: ParserRecipe,
        labels: Labels,
        layers: Mapping[str, TagWeights],
        arcs: Arrays,
        *,
        calibrations: Mapping[str, Calibration],
        counts: Mapping[str, int],
        seed: int,
        data: Mapping[str, str],
        lemmas: LemmaTable | None = None,
    ) -> None:
        self.recipe = recipe
        self.labels = labels
        self.lemmas = lemmas
        self.counts = dict(counts)  # what it learnt from: sentences, tokens, arcs that crossed others
        self.seed = seed
        self.data = dict(data)
        self.calibrations = dict(calibrations)
        self._weights = dict(layers)
        self._arrays = arcs
        self._layers = {name: weights.layer() for name, weights in layers.items()}
        self._arcs = _arc_model(arcs, labels)

    def parse(self, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1) -> list[Sentence | None]:
        """A tagged tree for each line of tokens; None for a line without tokens."""
        return self.annotate(token_lines, n_threads=n_threads).sentences()

    def tag(self, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1) -> list[Sentence | None]:
        """The same without trees, which is quicker."""
        return self.annotate(token_lines, trees=False, n_threads=n_threads).sentences()

    def annotate(self, token_lines: Sequence[Sequence[str]], *, trees: bool = True, n_threads: int = 1) -> Parses:
        """Tags, trees and how sure they are, as arrays."""
        check_tokens(token_lines)
        offsets = np.array([0, *accumulate(map(len, token_lines))], dtype=np.int64)
        looks = core.TokenLooks(list(chain.from_iterable(token_lines)), offsets, n_threads=n_threads)
        found = self._decide(looks, trees=trees, n_threads=n_threads)
        p_tags = self.calibrations["tags"](found.tag_margins)
        tagged = Parses(token_lines, self.labels, offsets, found.upos, found.feats, found.xpos, p_tags)
        if self.lemmas is not None:
            tagged = replace(tagged, lemmas=self._base_forms(token_lines, looks, found.upos, n_threads))
        if not trees:
            return tagged
        p_arcs = self.calibrations["arcs"](found.arc_margins)
        return replace(tagged, heads=found.heads, relations=found.relations, arc_confidences=p_arcs)

    def _base_forms(
        self, token_lines: Sequence[Sequence[str]], looks: core.TokenLooks, upos: LabelIds, n_threads: int
    ) -> list[str]:
        """The lemma of each token."""
        if self.lemmas is None:
            return []
        scripts = self._layers["lemma"].tag(looks, upos, n_threads=n_threads)[0] if "lemma" in self._layers else None
        chosen = np.zeros_like(upos) if scripts is None else scripts
        names = zip(chain.from_iterable(token_lines), upos.tolist(), chosen.tolist(), strict=True)
        find, tags, known = self.lemmas.lemma, self.labels.upos, self.labels.scripts
        return [find(form, tags[tag], known[script]) for form, tag, script in names]

    def _decide(self, looks: core.TokenLooks, *, trees: bool, n_threads: int) -> _Decisions:
        upos, margins = self._layers["upos"].tag(looks, NO_LABELS, n_threads=n_threads)
        # A layer that the treebank lacks is `_` throughout.
        feats, xpos = (
            self._layers[name].tag(looks, upos, n_threads=n_threads)[0] if name in self._layers else np.zeros_like(upos)
            for name in ("feats", "xpos")
        )
        if not trees:
            return _Decisions(upos, feats, xpos, margins)
        return _Decisions(upos, feats, xpos, margins, *self._arcs.parse(looks, upos, feats, n_threads=n_threads))

    def _write(self, folder: Path) -> None:
        for name, weights in self._weights.items():
            _save(folder, name, weights.arrays)
            np.save(folder / f"{name}.allowed.npy", weights.allowed, allow_pickle=False)
        _save(folder, "arcs", self._arrays)
        if self.lemmas is not None:
            self.lemmas.write(folder)
        about = {
            "layers": sorted(self._weights),
            "labels": asdict(self.labels),
            "calibrations": {name: asdict(each) for name, each in self.calibrations.items()},
            "counts": self.counts,
        }
        (folder / _MODEL).write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        if manifest.seed is None:
            raise ModelError(f"{folder} is a parser without a seed in its manifest. Build it again.")
        about = json.loads((folder / _MODEL).read_text(encoding="utf-8"))
        layers = {
            name: TagWeights(_load(folder, name), np.load(folder / f"{name}.allowed.npy", allow_pickle=False))
            for name in about["layers"]
        }
        recipe = ParserRecipe.from_dict(manifest.recipe)
        labels = Labels(**{name: list_of_texts(values) for name, values in about["labels"].items()})
        if not all(vars(labels).values()):  # a layer without labels has the one that says so
            raise ModelError(f"{folder} has a layer without labels. Build it again.")
        for name, layer in layers.items():
            n_given = 1 if name == "upos" else len(labels.upos)
            n_labels = len(getattr(labels, "scripts" if name == "lemma" else name))
            if layer.allowed.shape != (n_given, n_labels):
                raise ModelError(f"{folder} has other labels than its table {name}.allowed.npy. Build it again.")
        return cls(
            recipe,
            labels,
            layers,
            _load(folder, "arcs"),
            calibrations={name: Calibration(**about["calibrations"][name]) for name in ("tags", "arcs")},
            counts=about["counts"],
            seed=manifest.seed,
            data=manifest.data,
            lemmas=LemmaTable.read(folder) if recipe.lemmas else None,
        )


def _trained(recipe: ParserRecipe, bank: Treebank, trainer: Trainer, dev: Treebank | None) -> Parser:
    labels = bank.labels
    everything = np.arange(len(bank))
    n_upos = len(labels.upos)
    layers = {"upos": trainer.tags(bank.upos, n_upos, NO_LABELS, 0, "upos", everything)}
    upos, margins = trainer.jackknife(bank.upos, n_upos, NO_LABELS, 0, "upos")
    feats = bank.feats
    if len(labels.feats) > 1:
        layers["feats"] = trainer.tags(bank.feats, len(labels.feats), upos, n_upos, "feats", everything)
        feats, _ = trainer.jackknife(bank.feats, len(labels.feats), upos, n_upos, "feats")
    if len(labels.xpos) > 1:
        layers["xpos"] = trainer.tags(bank.xpos, len(labels.xpos), upos, n_upos, "xpos", everything)
    table = None
    if recipe.lemmas:
        scripts, numbers = scripts_of(bank.tokens, bank.lemmas)
        labels = replace(labels, scripts=scripts)
        if len(scripts) > 1:
            layers["lemma"] = trainer.tags(numbers, len(scripts), upos, n_upos, "lemma", everything)
        tags = (labels.upos[i] for i in bank.upos.tolist())
        table = LemmaTable.count(zip(bank.tokens, tags, bank.lemmas, strict=True))
    held_out = trainer.folds[0] if trainer.folds and dev is None else everything[:0]
    rest = np.setdiff1d(everything, held_out)
    arcs, *partial = trainer.arcs(upos, feats, [everything, rest] if len(held_out) else [everything])
    parser = Parser(
        recipe,
        labels,
        layers,
        arcs,
        calibrations={"tags": Calibration(), "arcs": Calibration()},
        counts={"sentences": len(bank), "tokens": len(bank.tokens), "lifted arcs": bank.n_lifted},
        seed=trainer.seed,
        data={"treebank": bank.fingerprint},
        lemmas=table,
    )
    if dev is not None:
        parser.data = {**parser.data, "dev": dev.fingerprint}
        looks, _ = dev.take(np.arange(len(dev)))
        found = parser._decide(looks, trees=True, n_threads=trainer.n_threads)
        known = {name: number for number, name in enumerate(labels.upos)}
        expected = np.array([known.get(name, -1) for name in dev.labels.upos])[dev.upos]
        parser.calibrations = {
            "tags": Calibration.fit(found.tag_margins, found.upos == expected),
            "arcs": Calibration.fit(found.arc_margins, found.heads == dev.heads),
        }
    elif partial:
        part, places = bank.take(held_out)
        model = _arc_model(partial[0], labels)
        heads, _, ahead = model.parse(part, upos[places], feats[places], n_threads=trainer.n_threads)
        parser.calibrations = {
            "tags": Calibration.fit(margins, upos == bank.upos),
            "arcs": Calibration.fit(ahead, heads == bank.heads[places]),
        }
    return parser


def _arc_model(arrays: Arrays, labels: Labels) -> core.ArcModel:
    return core.ArcModel(*arrays, attribute_table(labels.feats), n_relations=len(labels.deprel), root=labels.root)


def _save(folder: Path, name: str, arrays: Arrays) -> None:
    for kind, array in zip(_ARRAYS, arrays, strict=True):
        np.save(folder / f"{name}.{kind}.npy", np.asarray(array), allow_pickle=False)


def _load(folder: Path, name: str) -> Arrays:
    keys, counts, classes, weights = (np.load(folder / f"{name}.{kind}.npy", allow_pickle=False) for kind in _ARRAYS)
    return keys, counts, classes, weights
