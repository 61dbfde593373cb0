"""Layers in a training: the text in each of them linked by itself, and what their phrases become together."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dragoman.artifact import MANIFEST
from dragoman.errors import DataError
from dragoman.files import read_text
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.alternatives import SPLIT, SURFACE, Alternatives, LayeredLine
from dragoman.smt.lattice_training import ForcedLattices, force_lattices, with_layer_features
from dragoman.smt.pairs import Linked, TokenisedPairs, encode
from dragoman.smt.phrase_table import UNKNOWN, PhraseTable
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.training_pieces import learn_compounds
from dragoman.smt.weights import Weights, read_weights
from dragoman.smt.word_alignment import repeated
from dragoman.smt.work import PlannedStep, fingerprint
from dragoman.text.tokens import TokenIds, join_rows
from dragoman.text.vocabulary import Vocabulary

__all__ = ["LayerSteps", "forced_steps", "layer_steps"]

_LAYERS, _FORCED = "layers", "forced"
_FACTS, _WEIGHTS = "forced.json", "weights.tsv"


def layer_steps(recipe: EngineRecipe, clean: str, align: str) -> list[PlannedStep]:
    """The step that reads and links the other layers; `clean` and `align` are the keys of the text's and its links'."""
    section = recipe.alternatives
    if not section:
        return []
    options = recipe.to_dict()
    settings = {"layers": section.layers, "lemmas": section.lemmas, "compounds": options["compounds"]}
    return [PlannedStep(_LAYERS, "read the source in layers and link them", settings, (clean, align), 20)]


def forced_steps(recipe: EngineRecipe, table: str) -> list[PlannedStep]:
    """The step that translates the text again; `table` is the key of the table's step."""
    section = recipe.alternatives
    if not section.forced:
        return []
    settings = {name: getattr(section, name) for name in ("lattice", "features", "batch", "n_best")}
    weights = [fingerprint([read_text(_weights_file(section.weights))])] if section.weights else []
    return [PlannedStep(_FORCED, "translate the text again as lattices", settings, (table, *weights), 60)]


def _weights_file(engine: str) -> Path:
    """The weights of an engine's folder."""
    folder = Path(engine)
    if not (folder / MANIFEST).is_file() or not (folder / _WEIGHTS).is_file():
        raise DataError(f"{engine} is no engine with weights. Train one with the same layers, and tune it.")
    return folder / _WEIGHTS


@dataclass(frozen=True, eq=False)
class _Layered:
    """All layers of a text, one behind the other."""

    alternatives: Alternatives
    linked: Linked

    def save(self, folder: Path) -> None:
        self.linked.save(folder)
        self.alternatives.save(folder / "alternatives")

    @classmethod
    def load(cls, clean: TokenisedPairs, folder: Path) -> _Layered:
        alternatives = Alternatives.load(folder / "alternatives", verify=True)
        lines = alternatives.read(clean.source)
        names = alternatives.recipe.names
        whole = TokenisedPairs([line.line(name) for name in names for line in lines], clean.target * len(names))
        return cls(alternatives, Linked.load(whole, folder))


class LayerSteps:
    """Reads, links and weighs the layers of a training."""

    def __init__(self, recipe: EngineRecipe, step: Callable[..., Any], n_threads: int) -> None:
        self.recipe = recipe
        self.step = step
        self.n_threads = n_threads

    def make(self, clean: TokenisedPairs, linked: Linked) -> tuple[Linked, Alternatives | None]:
        """What phrases are extracted from: the text that was linked, and behind it the same in its other layers."""
        if not self.recipe.alternatives:
            return linked, None
        layered: _Layered = self.step(
            _LAYERS,
            make=lambda: self._layered(clean, linked),
            save=_Layered.save,
            load=partial(_Layered.load, clean),
            outcome=lambda layered: f"{len(layered.linked.text.links)} links of {self.recipe.alternatives.layers}",
        )
        # Steps are kept by what they depend on; the section says more than that.
        return layered.linked, Alternatives(
            self.recipe.alternatives, self.recipe.source_lang, layered.alternatives.compounds
        )

    def weighed(
        self, table: PhraseTable, clean: TokenisedPairs, linked: Linked, alternatives: Alternatives | None
    ) -> PhraseTable:
        """The table with features of layers, and with probabilities of forced decoding, where these are asked for."""
        section = self.recipe.alternatives
        if alternatives is None:
            return table
        whole = with_layer_features(table, section) if section.features else table
        if not section.forced:
            return whole
        weights: Weights = read_weights(_weights_file(section.weights)) if section.weights else {}
        forced: tuple[PhraseTable, ForcedLattices] = self.step(
            _FORCED,
            make=lambda: force_lattices(
                whole,
                alternatives.read(clean.source),
                clean.target,
                linked.text,
                section,
                weights=weights,
                n_threads=self.n_threads,
            ),
            save=_save_forced,
            load=_load_forced,
            outcome=lambda forced: (
                f"{forced[1].n_reached} of {forced[1].n_pairs} pairs reached, {len(forced[0])} phrase pairs left"
            ),
        )
        return forced[0]

    def _layered(self, clean: TokenisedPairs, linked: Linked) -> _Layered:
        recipe, section = self.recipe, self.recipe.alternatives
        compounds = None
        if SPLIT in section.names:
            proofs = clean.target if recipe.compounds.evidence == "bitext" else None
            own = recipe.compounds.recipe(recipe.source_lang)
            compounds = learn_compounds(own, clean.source, proofs, n_threads=self.n_threads)
        alternatives = Alternatives(section, recipe.source_lang, compounds)
        lines = alternatives.read(clean.source)
        source = Vocabulary(unk=UNKNOWN)
        target_ids = TokenIds(*_first(linked.text.target, len(clean.target)))
        texts = [self._linked(source, lines, name, linked, clean, target_ids) for name in section.names]
        rows = [
            join_rows([(getattr(text, side).ids, getattr(text, side).offsets) for text in texts])
            for side in ("source", "target")
        ]
        links = join_rows([(text.links, text.link_offsets) for text in texts])
        return _Layered(
            alternatives, Linked(AlignedText(TokenIds(*rows[0]), TokenIds(*rows[1]), *links), source, linked.target)
        )

    def _linked(
        self,
        source: Vocabulary,
        lines: Sequence[LayeredLine],
        layer: str,
        linked: Linked,
        clean: TokenisedPairs,
        target: TokenIds,
    ) -> AlignedText:
        """One layer and its links; words as they stand are linked already."""
        own = [line.line(layer) for line in lines]
        ids = encode(source, own, self.n_threads)
        if layer == SURFACE:
            text = linked.text
            copies = len(text) // len(clean.source)
            return AlignedText(repeated(ids, copies), text.target, text.links, text.link_offsets)
        return self.recipe.align.align_lines(own, clean.target, (ids, target), n_threads=self.n_threads)


def _first(ids: TokenIds, n: int) -> tuple[Any, Any]:
    """The first lines of a text."""
    return ids.ids[: ids.offsets[n]], ids.offsets[: n + 1]


def _save_forced(forced: tuple[PhraseTable, ForcedLattices], folder: Path) -> None:
    table, facts = forced
    table.save(folder / "phrases")
    (folder / _FACTS).write_text(json.dumps(vars(facts), ensure_ascii=False) + "\n", encoding="utf-8")


def _load_forced(folder: Path) -> tuple[PhraseTable, ForcedLattices]:
    facts = json.loads((folder / _FACTS).read_text(encoding="utf-8"))
    return PhraseTable.load(folder / "phrases", verify=True), ForcedLattices(**facts)
