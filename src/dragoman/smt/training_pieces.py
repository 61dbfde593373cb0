"""The step of a training that cuts words into pieces: compounds into parts, words into morphemes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from dragoman.align import align
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.smt.pairs import TokenisedPairs
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.splitting import Splitter
from dragoman.smt.work import PlannedStep
from dragoman.text.compounds import CompoundModel, CompoundRecipe

__all__ = ["bitext_dictionary", "learn_compounds", "pieces_step", "split_pairs"]

_ALIGNER = "diagonal"  # of the dictionary that proves compounds: quick, and the same every time
_LEAST_SHARE = 0.01  # of a word's links: rarer ones are mistakes mostly


def pieces_step(recipe: EngineRecipe, casing: str) -> list[PlannedStep]:
    """The step, if the recipe asks for one; `casing` is the key of the cased text."""
    if recipe.compounds.side == recipe.morphemes.side == "none" and not recipe.verbs:
        return []
    options = recipe.to_dict()
    settings = {name: options[name] for name in ("compounds", "morphemes", "source_lang", "target_lang")}
    inputs: tuple[str, ...] = (casing,)
    if recipe.verbs:
        settings["verbs"] = options["verbs"]
        inputs = (casing, recipe.verbs.fingerprint())
    return [PlannedStep("pieces", "cut words into pieces", settings, inputs, 3)]


def split_pairs(cased: TokenisedPairs, recipe: EngineRecipe) -> TokenisedPairs:
    """Both sides in the pieces that the recipe asks for, with what cuts them."""
    verbs = recipe.verbs.train(cased.target) if recipe.verbs else None
    texts = {"source": cased.source, "target": verbs.cut(cased.target) if verbs else cased.target}
    langs = {"source": recipe.source_lang, "target": recipe.target_lang}
    splitters = {}
    for side, other in (("source", "target"), ("target", "source")):
        compounds = morphemes = None
        if recipe.compounds.side in (side, "both"):
            proofs = texts[other] if recipe.compounds.evidence == "bitext" else None
            compounds = learn_compounds(recipe.compounds.recipe(langs[side]), texts[side], proofs)
        if recipe.morphemes.side in (side, "both"):
            text = compounds.split(texts[side], marked=side == "target") if compounds else texts[side]
            morphemes = recipe.morphemes.train(text)
        own = verbs if side == "target" else None
        splitters[side] = Splitter(compounds, morphemes, marked=side == "target", verbs=own)
    source, target = splitters["source"], splitters["target"]
    return replace(cased, source=source.cut(cased.source), target=target.cut(cased.target), splitters=(source, target))


def learn_compounds(
    recipe: CompoundRecipe, lines: Sequence[str], targets: Sequence[str] | None = None, *, n_threads: int = 1
) -> CompoundModel:
    """The compounds of tokenised lines; with their translations, proven by a dictionary that the bitext gives."""
    if targets is None:
        return recipe.train(lines)
    check_parallel({"source": lines, "target": targets})
    dictionary = bitext_dictionary(lines, targets, n_threads=n_threads)
    return recipe.train(lines, targets=targets, translations=dictionary)


def bitext_dictionary(
    sources: Sequence[str], targets: Sequence[str], *, n_threads: int = 1
) -> dict[str, frozenset[str]]:
    """What each word of tokenised lines is linked to, in small letters, without what is rare for it."""
    pairs = [(s.lower(), t.lower()) for s, t in zip(sources, targets, strict=True) if s and t]
    if not pairs:
        raise DataError("A dictionary is made of sentence pairs; every pair has an empty side.")
    links = align([s for s, _ in pairs], [t for _, t in pairs], method=_ALIGNER, n_threads=n_threads)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for (source, target), (begin, end) in zip(pairs, pairwise(links.offsets.tolist()), strict=True):
        words, others = source.split(), target.split()
        for s, t in links.links[begin:end].tolist():
            counts[words[s]][others[t]] += 1
    return {
        word: frozenset(other for other, count in found.items() if count >= max(2, _LEAST_SHARE * found.total()))
        for word, found in counts.items()
    }
