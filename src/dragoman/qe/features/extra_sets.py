"""What the sets of papers have beyond a bitext's first resources: features whose resources are built when asked for.

They are kept apart from `black-box`, which every folder of resources serves.
"""

from __future__ import annotations

from dragoman.qe.features.specs import each_of

__all__ = ["EXTRA_SETS"]

_SIDES = ("source", "target")
_LONG = ("source-5", "source-backward-5", "target-backward-5")


EXTRA_SETS: dict[str, tuple[str, ...]] = {
    # Buck: discriminative word lexicon, neural bag-of-words maps
    "uedin12": (
        *each_of("dwl", value=("", "least")),
        *each_of("bag-net", encoding=("", "words"), value=("", "probability")),
    ),
    # Langlois et al.: mutual information, models of order 5, windows of back-off levels
    "loria12": (
        *each_of("mutual-information", of=("source", "target", "across")),
        *each_of("lm", model=_LONG, value=("mean", "left", "centred", "right")),
        *each_of("backoff", model=_LONG, value=("mean", "left", "centred", "right")),
        *each_of("backoff", model=("target",), value=("left", "centred", "right")),
    ),
    # Rubino et al.: bilingual topics
    "dcu12": (*each_of("topic", on=_SIDES, number=tuple(range(1, 11))), "topic-distance"),
    # Moreau & Vogel: sentence ends, longer n-grams, skip-grams, weights, BM25
    "tcd12": (
        *each_of("padded-match", on=_SIDES, mask=("1", "11", "111", "1111", "11111", "111111", "101", "1001")),
        *each_of("padded-multi-level", on=_SIDES, longest=(2, 3, 4, 5, 6)),
        *each_of(
            "padded-multi-level",
            on=_SIDES,
            longest=(3,),
            weight=("frequency", "log-frequency", "inverse-frequency", "idf"),
        ),
        *each_of("okapi", on=_SIDES, length=(1, 2, 3, 4)),
    ),
    # Hardmeier et al.: the third weighting of translations
    "uu12": ("translations:weight=frequency",),
    # González-Rubio et al.: naive Bayes and IBM-1 confidence, mean and quartiles
    "prhlt12": (
        *each_of("word-bayes", quartile=(0, 1, 2, 3, 4)),
        *each_of("word-bayes", of=("ibm1",), quartile=(1, 2, 3, 4)),
    ),
    # Graham et al.: A3, S1 to S3
    "clte13": (
        *each_of("unaligned-content", on=_SIDES),
        *each_of("replaced-words", value=("matched", "edits", "distance")),
    ),
}
EXTRA_SETS["associations"] = tuple(dict.fromkeys(spec for more in EXTRA_SETS.values() for spec in more))
# Mehdad et al.: matches in phrase tables of three levels (PT), and in the semantic one (SPT). They tell of phrases, and
# are none of the associations of words.
EXTRA_SETS["clte-adeq12"] = each_of(
    "phrase-match", of=_SIDES, length=(1, 2, 3, 4, 5), unit=("token", "lemma", "stem", "semantic")
)
