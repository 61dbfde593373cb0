"""What the papers' sets have beside text, a bitext and post-edits: features that need taggers, parsers and grammars."""

from __future__ import annotations

from dragoman.qe.features.specs import each_of as _each
from dragoman.qe.resources.parses import COARSE, UPOS

__all__ = ["QUEST79", "SYNTAX_SETS"]

_SIDES = ("source", "target")
_APART = ("source", "target", "difference")
_DIVIDED = ("source", "target", "inverse")
_CHECKS = (
    "word-repeat",
    "double-punctuation",
    "word-form",
    "split-contraction",
    "subject-verb",
    "noun-phrase",
    "dangling-determiner",
)
_NAMES = ("all", "person", "location", "organisation", "other")
_SEQUENCES = _each(
    "sequence-contrast",
    unit=("word", "root", "ending", "root-stop", "ending-stop", "tag-stop", "chain"),
    value=("outputs", "ratio", "inverse"),
)
_PROJECTED = (
    *_each("projected-dependencies", unit=("word", "root", "ending"), value=("coverage", "changed")),
    *_each(
        "projected-dependencies", unit=("word", "root", "ending"), value=("kept", "changed"), part=("half", "quarter")
    ),
)
_LINKS = (
    *_each("link-tags", tag=("", *COARSE)),
    *_each("link-tags", value=("aligned",), on=_SIDES, tag=tuple(COARSE)),
    *_each("link-tags", value=("same",), on=_SIDES, tag=("", *COARSE)),
)
_COUNTED_LINKS = ("link-tags:value=count", *_each("link-tags", value=("count",), per=_SIDES))
_CONSTITUENTS = (
    *_each("constituents", value=("likelihood", "trees", "confidence", "mean-confidence"), on=_DIVIDED),
    *_each("node-count", label=("S", "NP", "VP", "PP"), on=_DIVIDED),
)
_COMMON = (*_each("common-tags", over=("tag", "relation"), per=("", *_SIDES)), *_each("relation-match", on=_SIDES))


def _of_side(side: str) -> tuple[str, ...]:
    """What the parser of one side gives."""
    on = (side,)
    return (
        *_each("lm", model=(f"{side}-tag", f"{side}-morph"), value=("sum", "mean", "perplexity", "worst")),
        *_each("tag-count", tag=("content", "function"), on=on, per=("", "length")),
        *_each("tag-count", tag=UPOS, on=on, per=("length",)),
        *_each("tree-shape", value=("depth", "width", "leaves", "distance", "longest", "left", "crossing"), on=on),
        *_each("phrases", kind=("np", "vp", "pp"), on=on),
        *_each("subjects", kind=("pronoun", "other", "none"), on=on, per=("", "clause")),
        *_each("parse-confidence", of=("tree", "tags"), value=("mean", "worst", "log"), on=on),
        *_each("rarest-tags", on=on, length=(2, 3, 4, 5, 6, 7), log=("yes",)),
        *_each("tag-ambiguity", on=on, value=("several", "unknown")),
        *_each("checks", kind=_CHECKS, on=on),
        *_each("checks", kind=("subject-verb", "noun-phrase"), value=("share",), on=on),
        *_each("deictics", on=on),
    )


_BETWEEN = (
    *_each("tag-count", tag=("content", "function", "noun", "verb", "pronoun"), on=("ratio",), per=("length",)),
    *_each("tree-shape", value=("depth", "width", "distance"), on=("difference",)),
    *_each("phrases", kind=("np", "vp", "pp"), on=("difference",)),
    "deictics:on=difference",
    "unknown-common",
    *_COUNTED_LINKS,
    *_LINKS,
    *_COMMON,
    *_each("unit-ibm1", unit=("tag", "morph"), of=_SIDES, per=("", "target")),
)

_MARKS = ("period", "comma", "colon", "semicolon", "question", "exclamation")

# The 79 black-box features of QuEst, which WMT 2013's and 2014's participants started from, in its order of kinds.
# Where QuEst has a-z in mind, letters beyond ASCII are none.
QUEST79 = (
    *("source-length", "target-length"),
    *_each("length-ratio", of=("source", "target", "distance")),
    "source-word-length",
    *_each("unbalanced", kind=("bracket", "quote")),
    *("source-lm", "target-lm"),
    *_each("lm", model=_SIDES, value=("perplexity",), ends=("yes", "no")),
    "target-repetition",
    *_each("translations", threshold=(0.01, 0.05, 0.1, 0.2, 0.5)),
    *_each("translations", threshold=(0.01, 0.05, 0.1, 0.2, 0.5), weight=("frequency",)),
    *_each("rare-translations", threshold=(0.01, 0.05, 0.1, 0.2, 0.5)),
    *_each("ngram-quartile", length=(1, 2, 3), quartile=(1, 2, 3, 4)),
    *_each("ngram-seen", length=(1, 2, 3)),
    "frequency",
    *_each("matching", kind=_MARKS, on=("distance",), per=("", "length")),
    *_each("matching", kind=("punctuation",), on=("source", "target", "distance"), per=("length",)),
    *_each("matching", kind=("number",), on=_SIDES, per=("length",)),
    "matching:kind=number,on=distance,per=source",
    *("matching:kind=not-a-z", "matching:kind=not-a-z,on=target,per=length", "matching:kind=a-z,on=ratio"),
    *_each("tag-count", tag=("content",), on=("source", "target", "ratio"), per=("length",)),
    *_each("lm", model=("target-tag",), value=("sum", "perplexity")),
    *_each("tag-count", tag=("noun", "verb"), on=_SIDES, per=("length",)),
    *_each("tag-count", tag=("noun", "verb", "pronoun"), on=("ratio",), per=("length",)),
)

SYNTAX_SETS: dict[str, tuple[str, ...]] = {
    "quest79": QUEST79,
    # Felice & Specia
    "wlv-shef12": (
        *_each("lm", model=("target-tag", "target-morph"), value=("sum", "perplexity")),
        *_each("tag-count", tag=("content", "function"), on=_SIDES, per=("", "length")),
        *_each("tag-count", tag=("content", "function"), on=("ratio",)),
        *_each("tag-count", tag=("noun", "verb", "pronoun"), on=("source", "target", "ratio"), per=("length",)),
        *_each("tree-shape", value=("depth", "width"), on=_APART),
        *_each("constituents", value=("depth", "width"), on=_APART),
        *_each("deictics", on=_APART),
        *_each("phrases", kind=("np", "vp", "pp"), on=_APART),
        *_each("subjects", kind=("pronoun", "other", "none"), per=("", "clause")),
        *_each("checks", kind=("dangling-determiner", "split-contraction")),
        *_each("checks", kind=("subject-verb", "noun-phrase"), value=("", "share")),
        "unknown-common",
        "misspelt",
        "misspelt:names=out",
        *_each("names", kind=_NAMES, on=_APART),
    ),
    # Buck
    "uedin12": _each("names", kind=("person", "location", "organisation"), on=("source",), value=("any",)),
    # Avramidis
    "dfki-a12": (
        *_CONSTITUENTS,
        *_each("tag-count", tag=("NOUN", "ADJ", "VERB", "CCONJ"), on=_DIVIDED),
        *_each("checks", kind=("all", *_CHECKS), value=("", "characters"), on=_SIDES),
    ),
    # Popović
    "dfki-p12": (
        *_each("unit-ibm1", unit=("tag", "morph"), of=_SIDES),
        *_each("lm", model=("target-tag", "target-morph"), value=("sum",)),
    ),
    # Rubino et al.
    "dcu12": (
        "tag-count:tag=link,on=source",
        *_each("rarest-tags", on=_SIDES, length=(2, 3, 4, 5, 6, 7)),
        *_each("rarest-tags", on=_SIDES, length=(5,), below=(10,)),
        *_each("tag-count", tag=UPOS, per=("length",)),
        *_each("tag-ambiguity", value=("several", "unknown")),
        *_each("checks", kind=("all",), on=_SIDES),
        *_each("constituents", value=("likelihood", "trees", "failed"), on=("source",)),
    ),
    # Soricut et al., LF14 to LF17
    "sdllw12": ("link-tags", *_COUNTED_LINKS),
    # Pighin et al.
    "upc12": (*_SEQUENCES, *_PROJECTED),
    # de Souza et al.
    "fbk13": _LINKS,
    "fbk14": _LINKS,
    # Mehdad, Negri & Federico
    "clte-adeq12": (
        *_COMMON,
        *_each("common-tags", one=tuple(COARSE), per=("", *_SIDES)),
        *_each(
            "relation-match",
            on=_SIDES,
            relation=("nsubj", "obj", "iobj", "obl", "nmod", "amod", "det", "advmod", "conj"),
        ),
    ),
    # For use: what a parser of one side gives, what parsers of both give, and what grammars add.
    "source-syntax": _of_side("source"),
    "target-syntax": _of_side("target"),
    "syntax": (*_of_side("source"), *_of_side("target"), *_BETWEEN),
    "proper-names": (*_each("names", kind=_NAMES, on=_APART), *_each("names-kept", by=("copy", "links"), on=_SIDES)),
    "spelling": (*_each("misspelt", on=_APART), *_each("misspelt", on=_SIDES, share=("yes",))),
    "constituency": (*_CONSTITUENTS, *_each("constituents", value=("mean", "failed", "depth", "width"), on=_SIDES)),
}
SYNTAX_SETS["black-box+syntax"] = (*SYNTAX_SETS["syntax"], *_SEQUENCES, *_PROJECTED)  # and all of `black-box`
