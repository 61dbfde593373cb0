"""Settings of a recipe that have no effect: what they are of is switched off, or has no place beside another part."""

from __future__ import annotations

from dragoman.smt.recipe import EngineRecipe, differing

__all__ = ["idle_settings"]

_SWITCHES = {"classes.number", "tune.method"}  # whose value that is no default switches their section off
_OF_JUMPS = {"distortion_limit", "distortion_exponent", "hierarchy", "itg"}  # of a search that a chart has not
_CHART = "an engine with a grammar has rules and a chart"
_OF_LABELS = {"label_share", "label_words"}
_OF_FORCED = {"weights", "batch", "n_best"}


def idle_settings(recipe: EngineRecipe, *, n_texts: int) -> dict[str, list[str]]:
    """What was set and has no effect, by the reason, for an engine that is trained on so many bitexts."""
    idle: dict[str, list[str]] = {}
    for section, why in _unused(recipe, n_texts).items():
        names = [f"{section}.{name}" for name in differing(getattr(recipe, section))]
        idle.setdefault(why, []).extend(name for name in names if name not in _SWITCHES)
    for section, options, why in _unused_options(recipe):
        names = [f"{section}.{name}" for name in differing(getattr(recipe, section)) if name in options]
        idle.setdefault(why, []).extend(names)
    return {why: names for why, names in idle.items() if names}


def _unused(recipe: EngineRecipe, n_texts: int) -> dict[str, str]:
    """The sections that nothing reads, and why."""
    parsed = recipe.grammar.parsed_side is not None or recipe.reorder.labels
    is_index_alone = recipe.index.use == "only"
    splits = recipe.compounds.side != "none" or "split" in recipe.alternatives.layers
    told = {
        "grammar": "" if recipe.grammar else "grammar.kind=none",
        "parse": "" if parsed else "nothing asks for parses",
        "phrases": _CHART if recipe.grammar else "index.use=only" if is_index_alone else "",
        "prune": "prune.method=none" if recipe.prune.method == "none" else "index.use=only" if is_index_alone else "",
        "tables": "index.use=only" if is_index_alone else "there is one text" if n_texts < 2 else "",
        "compounds": "" if splits else "compounds.side=none",
        "morphemes": "morphemes.side=none" if recipe.morphemes.side == "none" else "",
        "verbs": "" if recipe.verbs else "verbs.parser names none",
        "factors": "" if recipe.factors else "factors.setup has none",
        "reorder": "" if recipe.reorder or recipe.reorder.labels else "reorder.model names none",
        "alternatives": "" if recipe.alternatives else "alternatives.layers names none",
        "classes": "" if recipe.classes.number else "classes.number=0",
        "tune": "tune.method=none" if {recipe.tune.method, recipe.prune.method} == {"none"} else "",
    }
    return {section: why for section, why in told.items() if why}


def _unused_options(recipe: EngineRecipe) -> list[tuple[str, set[str], str]]:
    """Options that nothing reads of sections that something does."""
    unused = []
    if recipe.grammar:
        unused.append(("search", _OF_JUMPS, _CHART))
    if recipe.reorder and not recipe.reorder.labels:
        unused.append(("reorder", _OF_LABELS, "reorder.labels names none"))
    if recipe.reorder.labels and not recipe.reorder:
        unused.append(("reorder", {"use"}, "reorder.model names none"))
    if recipe.alternatives and not recipe.alternatives.forced:
        unused.append(("alternatives", _OF_FORCED, "alternatives.forced=no"))
    return unused
