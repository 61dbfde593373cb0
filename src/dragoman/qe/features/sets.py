"""Sets of features by the papers that used them, as far as text, a bitext, post-edits and parsers give them.

What a paper had beyond its set here, and what that would need, is listed in the documentation (docs/reproduction.md).
"""

from __future__ import annotations

from itertools import product

from dragoman.qe.features.extra_sets import EXTRA_SETS
from dragoman.qe.features.glass_box_sets import GLASS_BOX
from dragoman.qe.features.specs import each_of as _each
from dragoman.qe.features.syntax_sets import QUEST79, SYNTAX_SETS
from dragoman.qe.resources.wide import MOST_WIDE

__all__ = ["BASELINE17", "FEATURE_SETS", "SURFACE"]

_SIDES = ("source", "target")

# The baseline of WMT 2012 to 2014, in the order of the released files.
BASELINE17 = (
    "source-length",
    "target-length",
    "source-word-length",
    "source-lm",
    "target-lm",
    "target-repetition",
    "translations",
    "rare-translations",
    "ngram-quartile",
    "ngram-quartile:quartile=4",
    "ngram-quartile:length=2",
    "ngram-quartile:length=2,quartile=4",
    "ngram-quartile:length=3",
    "ngram-quartile:length=3,quartile=4",
    "known-words",
    "source-punctuation",
    "target-punctuation",
)
# Those of them that need no resource.
SURFACE = (
    "source-length",
    "target-length",
    "source-word-length",
    "target-repetition",
    "source-punctuation",
    "target-punctuation",
)


_PATTERNS = (
    "number",
    "open-bracket",
    "close-bracket",
    "strong",
    "weak",
    "ellipsis",
    "hyphen",
    "quote",
    "genitive",
    "short",
    "long",
)
_MARKS = ("period", "comma", "colon", "semicolon", "question", "exclamation", "number", "quote", "open-bracket")
_QUARTILES = _each("ngram-quartile", length=(1, 2, 3), quartile=(1, 2, 3, 4))
_IBM1 = _each("ibm1", of=_SIDES, per=("", "source", "target"))
_ALIGNED = (
    *_each(
        "aligned",
        on=_SIDES,
        value=(
            "aligned",
            "runs",
            "longest-aligned",
            "longest-unaligned",
            "mean-aligned",
            "mean-unaligned",
            "first",
            "last",
        ),
    ),
    *_each("aligned", on=_SIDES, value=("ngrams",), length=(2, 3, 4, 5)),
    *_each("idf-ratio", of=_SIDES),
)
_LM = _each("lm", model=_SIDES, value=("mean", "perplexity"))
_WINDOWS = ("mean", "left", "centred", "right")
_BOTH_WAYS = ("source", "target", "source-backward", "target-backward")
_LEARNT = (
    *_each("confidence", length=(1, 2, 3), value=("mean", "geometric", "worst", "share")),
    "phrase-indicators",
    "output-contrast",
    *_each("lm", model=("output",), value=("sum", "mean", "perplexity", "worst")),
)

FEATURE_SETS: dict[str, tuple[str, ...]] = {
    "baseline17": BASELINE17,
    "surface": SURFACE,
    # Avramidis, WMT 2012
    "dfki-a12": (
        *BASELINE17,
        *_each("length-ratio", of=_SIDES),
        *_each("unknown", on=_SIDES),
        "type-token:on=target",
        "repeats",
        "unbalanced",
        "numbers-kept",
    ),
    # Buck, WMT 2012
    "uedin12": (
        *BASELINE17,
        *_each(
            "matching", kind=("quote", "hyphen", "comma", "open-bracket", "number", "upper", "genitive"), per=("any",)
        ),
        *_each("backoff", model=_SIDES, value=("mean", "trigrams")),
        *_each("corpus-distance", on=_SIDES, unit=("word", "character")),
    ),
    # Felice & Specia, WMT 2012
    "wlv-shef12": (
        *BASELINE17,
        *_QUARTILES,
        *_LM,
        *_each("lm", model=_SIDES, value=("perplexity",), ends=("no",)),
        *_each("length-ratio", of=_SIDES),
        *_each("matching", kind=("non-letter", "number"), on=_SIDES, per=("", "length")),
        *_each("type-token", on=_SIDES, formula=("plain", "corrected", "log", "guiraud", "uber")),
        "frequency",
        *_each("unbalanced", on=_SIDES),
        *_each("matching", kind=_MARKS, on=("distance",), per=("", "length")),
        *_each("alignment-score", of=_SIDES),
        *_each("link-shape", shape=("one-one", "one-many", "many-one", "none")),
        *_each("translations", threshold=(0.01, 0.05, 0.1)),
        *_each("rare-translations", threshold=(0.05, 0.1, 0.2)),
        "unknown:on=target",
        *_each("unit-lm", unit=("class",), per=("", "target")),
    ),
    # González-Rubio et al., WMT 2012
    "prhlt12": (
        *BASELINE17,
        *_each("length-ratio", of=_SIDES),
        *_each("lm", model=_SIDES, value=("sum", "perplexity")),
        *_each("ngram-seen", length=(1, 2, 3, 4)),
        *_each("frequency", length=(1, 2, 3, 4)),
        *_each("lexical-match", value=("mean", "geometric", "worst", "share")),
        *_each("confidence", length=(1, 2, 3), value=("mean", "geometric", "worst", "share")),
    ),
    # Hardmeier et al., WMT 2012: the explicit features
    "uu12": (
        *BASELINE17,
        *_each("length-ratio", of=("source", "target", "more")),
        *_each("type-token", on=_SIDES),
        *_each("matching", kind=_PATTERNS, on=("source", "target", "squared")),
        *_each("lm", model=_SIDES, value=("sum", "mean")),
        *_each("unknown", share=("no", "yes")),
        *_each("ngram-seen", length=(1, 2, 3, 4)),
        *_each("ngram-quartile", length=(1, 2, 3, 4), quartile=(1, 2, 3, 4)),
        *_each(
            "link-shape",
            on=_SIDES,
            shape=("none", "one-one", "one-many", "many-one", "many-many"),
            join=("grow-diag-final-and",),
        ),
        *_each("translation-entropy", mean=("no", "yes")),
    ),
    # Langlois et al., WMT 2012
    "loria12": (
        *BASELINE17,
        *_each("length-ratio", of=("target",)),
        *_each("lm", model=_BOTH_WAYS, value=_WINDOWS),
        *_each("backoff", model=_BOTH_WAYS),
        "ibm1:per=target",
        "unbalanced",
        "last-mark",
        *_each("unknown", on=_SIDES, share=("no", "yes")),
    ),
    # Moreau & Vogel, WMT 2012
    "tcd12": (
        *BASELINE17,
        *_each("ngram-seen", on=_SIDES, length=(1, 2, 3, 4, 5)),
        *_each("multi-level-match", on=_SIDES, longest=(2, 3, 4, 5)),
    ),
    # Pighin et al., WMT 2012
    "upc12": (
        *BASELINE17,
        "lm:model=output,value=perplexity",
        "output-contrast",
        *_each("unit-lm", unit=("piece", "class")),
    ),
    # Popović, WMT 2012; her morphemes come behind `black-box`, which keeps the roots and endings that stood in for them
    "dfki-p12": (*_each("unit-ibm1", unit=("piece", "class"), of=_SIDES), *_each("unit-lm", unit=("piece", "class"))),
    # Rubino et al., WMT 2012
    "dcu12": (
        *BASELINE17,
        "length-ratio",
        "unknown",
        *_each("lm", model=("source-backward", "target-backward"), value=("sum",)),
        *_each("lm", model=("output",), value=("sum", "perplexity")),
    ),
    # Soricut et al., WMT 2012
    "sdllw12": (
        *BASELINE17,
        "unknown",
        *_each("lm", model=_SIDES, value=("perplexity",)),
        *_each("ngram-precision", on=_SIDES),
        "link-shape:shape=count",
        *_each("link-shape", on=_SIDES, shape=("one-one",)),
    ),
    # Wu & Zhao, WMT 2012
    "sjtu12": (*BASELINE17, "phrase-indicators", "matching:kind=capital"),
    # Zhuang et al., WMT 2012
    "limsi12": (
        *BASELINE17,
        *_IBM1,
        *_each("unknown", on=_SIDES, share=("no", "yes")),
        *_each("lm", model=_SIDES),
        *_each("matching", kind=("short",), on=_SIDES, per=("length",)),
    ),
    # de Souza et al., WMT 2013 and 2014
    "fbk13": (*BASELINE17, *_ALIGNED),
    "fbk14": (
        *BASELINE17,
        *_ALIGNED,
        *_QUARTILES,
        *_LM,
        *_IBM1,
        *_each("lm", model=_SIDES, value=("worst", "spread")),
        *_each("confidence", length=(1, 2, 3), value=("mean", "share")),
    ),
    # Graham, Salehi & Baldwin, SemEval 2013
    "clte13": (
        *_each("aligned", on=_SIDES, value=("unaligned",), join=("grow-diag-final-and",)),
        *_each("numbers-kept", on=_SIDES),
        "crossings",
    ),
    # Mehdad, Negri & Federico, WMT 2012
    "clte-adeq12": (
        *SURFACE,
        *_each("length-ratio", of=_SIDES),
        *_each("matching", kind=("quote", "open-bracket"), on=_SIDES),
        "unknown",
        "copied",
        *_each("lexical-match", of=_SIDES, value=("mean", "share")),
    ),
}

# Everything that a bitext and post-edits give, whatever the languages.
FEATURE_SETS["black-box"] = tuple(
    dict.fromkeys(
        [
            *(spec for name in FEATURE_SETS for spec in FEATURE_SETS[name]),
            *_each("frequency", on=_SIDES, length=(1, 2), value=("mean", "least", "spread")),
            *_each("lm", model=_SIDES, value=("worst", "spread")),
            *_each("backoff", model=_SIDES, value=("mean", "trigrams")),
            *_each("word-length", on=_SIDES, value=("mean", "most")),
            *_each("matching", kind=("capital", "upper", "digit"), on=("source", "target", "distance")),
            *_each("matching", kind=("capital",), on=_SIDES, per=("length",)),
            *_each("length-ratio", of=_SIDES, unit=("character",)),
            *_each("lexical-match", of=_SIDES, value=("mean", "geometric", "worst", "share")),
            *_each("alignment-score", of=_SIDES),
            *_each("unit-lm", unit=("piece", "class"), on=_SIDES, per=_SIDES[1:]),
            *_each("unit-ibm1", unit=("piece", "class"), of=_SIDES, per=_SIDES[1:]),
            "last-mark:same=yes",
            "crossings",
            *_LEARNT,
        ]
    )
)

FEATURE_SETS["dfki-p12"] = (
    *_each("unit-ibm1", unit=("morpheme", "class"), of=_SIDES),
    *_each("unit-lm", unit=("morpheme", "class")),
)

# What the papers had beside that from the same resources, and `black-box`, whose members stay, has not.
_SAME_RESOURCES: dict[str, tuple[str, ...]] = {
    "wlv-shef12": (*_each("translations", threshold=(0.01, 0.05, 0.1, 0.2), weight=("frequency",)),),
    "prhlt12": _each("ngram-quartile", length=(1, 2, 3, 4), quartile=(1, 2, 3, 4)),
    "dcu12": ("matching:kind=punctuation,on=ratio",),
    "fbk14": QUEST79,
}

# After `black-box`, whose members stay what text alone gives. The first need resources that are built when asked for,
# the second parsers, the third an engine's trace.
FEATURE_SETS["black-box+syntax"] = FEATURE_SETS["black-box"]
for _further in (EXTRA_SETS, _SAME_RESOURCES, SYNTAX_SETS, GLASS_BOX):
    for _name, _more in _further.items():
        FEATURE_SETS[_name] = tuple(dict.fromkeys((*FEATURE_SETS.get(_name, ()), *_more)))

# Corpora beside the bitext, by side and number; a list of words has no longer n-grams.
for _side, _number in product(_SIDES, range(1, MOST_WIDE + 1)):
    _own = {"on": (_side,), "corpus": (_number,)}
    _words = (
        *_each("wide", **_own, length=(1,), value=("seen", "unseen", "mean", "spread", "least", "rarest")),
        *_each("wide", **_own, length=(1,), value=("above",), times=(1, 10, 100, 1000)),
    )
    FEATURE_SETS[f"wide-{_side}-words-{_number}"] = _words
    FEATURE_SETS[f"wide-{_side}-{_number}"] = (
        *_words,
        *_each("wide", **_own, length=(2, 3), value=("seen", "unseen", "mean", "spread")),
        *_each("wide", **_own, length=(2,), value=("above",), times=(0.3, 1, 3, 10, 100)),
        *_each("wide", **_own, length=(3,), value=("above",), times=(0.3, 1, 3)),
    )
