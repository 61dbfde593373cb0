"""What papers had of the inside of the translating engine, by the names of their sets: it needs a trace."""

from __future__ import annotations

from dragoman.qe.features.specs import each_of as each

__all__ = ["GLASS_BOX"]

_LENGTHS = (1, 2, 3, 4)
_CRITERIA = ("position", "levenshtein", "any", "average")
_WEIGHTS = ("probability", "rank", "uniform")
_SCORES = (
    "distortion",
    "word-penalty",
    "lm",
    "source-given-target",
    "source-words-given-target",
    "target-given-source",
    "target-words-given-source",
    "phrase-penalty",
)
_DIVERSITY = (
    *each("nbest-diversity", unit=("word", "character"), value=("central", "mean-distance", "top-to-central")),
    *each("nbest-diversity", unit=("word", "character"), value=("near",), edits=(1, 2, 5, 10)),
    "nbest-diversity:value=repeats",
)

GLASS_BOX: dict[str, tuple[str, ...]] = {
    # Avramidis, WMT 2012: scores of the best translation, and of all steps of the search
    "dfki-a12": (
        "decoder-score",
        *each("decoder-score", score=_SCORES),
        *each("search-spread", score=("total", "future", *_SCORES), value=("mean", "variance", "deviation")),
    ),
    # González-Rubio et al., WMT 2012
    "prhlt12": (
        *each("nbest-confidence", criterion=_CRITERIA, weights=_WEIGHTS, length=_LENGTHS),
        *each("nbest-quartile", criterion=_CRITERIA, weights=_WEIGHTS, length=_LENGTHS, quartile=(1, 2, 3, 4)),
        *each("nbest-lm", order=(1, 2, 3, 4, 5), value=("sum", "mean", "perplexity")),
        *each("nbest-list", value=("length", "vocabulary", "vocabulary-by-source")),
        *each("search-graph", value=("dead", "options", "option-length")),
        "decoder-phrases",
    ),
    # Rubino et al., WMT 2012
    "dcu12": (
        "decoder-score",
        *each("decoder-score", score=_SCORES),
        "nbest-list",
        *each("decoder-phrases", value=("count", "source-length", "target-length", "ratio")),
    ),
    # Soricut et al., WMT 2012: MF1 to MF8, in their order but for the last four, which Moses numbers otherwise
    "sdllw12": each("decoder-score", score=_SCORES),
    # Wu & Zhao, WMT 2012
    "sjtu12": (
        *each("search-spread", score=("lm",), value=("least", "most"), raised=("yes",)),
        *each("decoder-phrases", value=("density", "source-length")),
    ),
    # de Souza et al., WMT 2013 and 2014
    "fbk13": (*_DIVERSITY, "nbest-confidence:value=geometric"),
    "fbk14": (
        *_DIVERSITY,
        *each("nbest-confidence", value=("geometric",), floor=(-2.0,)),
        *each("nbest-network", value=("most", "least", "alternatives", "entropy")),
    ),
}

# What the list of an engine that did not make the output says of it.
GLASS_BOX["shadow"] = (
    *each("nbest-confidence", criterion=_CRITERIA, weights=("probability", "uniform"), length=_LENGTHS),
    *each("nbest-confidence", length=(1, 2), value=("geometric", "worst")),
    *each("nbest-distance", value=("top", "nearest", "inside")),
    *each("nbest-lm", order=(1, 3, 5), value=("mean", "perplexity")),
    *each("nbest-network", value=("most", "alternatives", "entropy")),
    *each("nbest-list", value=("entropy", "vocabulary", "gap")),
    *each("forced-decoding", value=("artificial", "score", "gap")),
    *each("decoder-score", per=("", "source")),
    "decoder-phrases:value=source-length",
    "search-graph",
)

# All of these, and the rest that a trace tells.
GLASS_BOX["glass-box"] = tuple(
    dict.fromkeys(
        [
            *(spec for specs in GLASS_BOX.values() for spec in specs),
            "forced-decoding:value=reached",
            *each("nbest-list", value=("size", "entropy", "top", "gap", "range")),
            *each("search-graph", value=("nodes", "arcs", "options-per-word")),
            *each("decoder-score", per=("source", "target")),
            *each("decoder-phrases", value=("longest", "jumps")),
            "nbest-diversity:value=all-pairs",
        ]
    )
)
