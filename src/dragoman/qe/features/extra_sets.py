"""What the sets of papers have beyond a bitext's first resources: features whose resources are built when asked for.

They are kept apart from `black-box`, which every folder of resources serves.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["extra_members"]

_SIDES = ("source", "target")
_LONG = ("source-5", "source-backward-5", "target-backward-5")


def extra_members(each: Callable[..., tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """By set; `each` makes a feature with every combination of options."""
    return {
        # Buck: discriminative word lexicon, neural bag-of-words maps
        "uedin12": (
            *each("dwl", value=("", "least")), *each("bag-net", encoding=("", "words"), value=("", "probability")),
        ),
        # Langlois et al.: mutual information, models of order 5, windows of back-off levels
        "loria12": (
            *each("mutual-information", of=("source", "target", "across")),
            *each("lm", model=_LONG, value=("mean", "left", "centred", "right")),
            *each("backoff", model=_LONG, value=("mean", "left", "centred", "right")),
            *each("backoff", model=("target",), value=("left", "centred", "right")),
        ),
        # Rubino et al.: bilingual topics
        "dcu12": (*each("topic", on=_SIDES, number=tuple(range(1, 11))), "topic-distance"),
        # Moreau & Vogel: sentence ends, longer n-grams, skip-grams, weights, BM25
        "tcd12": (
            *each("padded-match", on=_SIDES, mask=("1", "11", "111", "1111", "11111", "111111", "101", "1001")),
            *each("padded-multi-level", on=_SIDES, longest=(2, 3, 4, 5, 6)),
            *each(
                "padded-multi-level", on=_SIDES, longest=(3,),
                weight=("frequency", "log-frequency", "inverse-frequency", "idf"),
            ),
            *each("okapi", on=_SIDES, length=(1, 2, 3, 4)),
        ),
        # Hardmeier et al.: the third weighting of translations
        "uu12": ("translations:weight=frequency",),
        # González-Rubio et al.: naive Bayes and IBM-1 confidence, mean and quartiles
        "prhlt12": (
            *each("word-bayes", quartile=(0, 1, 2, 3, 4)), *each("word-bayes", of=("ibm1",), quartile=(1, 2, 3, 4)),
        ),
        # Graham et al.: A3, S1 to S3
        "clte13": (
            *each("unaligned-content", on=_SIDES), *each("replaced-words", value=("matched", "edits", "distance")),
        ),
    }  # fmt: skip
