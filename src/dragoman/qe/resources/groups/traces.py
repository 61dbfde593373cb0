"""What an engine did with the very sentences that are asked about."""

from __future__ import annotations

from dragoman.qe.resources.declared import Group, Resource
from dragoman.qe.resources.quartiles import ListQuartiles

__all__ = ["TRACES"]

# Neither is built of text: traces are given with the sentences, and `features.traced.add_quartiles` reads those of the
# training data. Quartiles are cut without scores, so that they tell nothing of how a sentence was edited.
TRACES = Group(
    "traces",
    (
        Resource("trace", "an engine's n-best lists, graphs and scores, given with the sentences", impartial=True),
        Resource(
            "quartiles",
            "of agreement with n-best lists, in the training data",
            ListQuartiles,
            None,
            ("--trace",),
            impartial=True,
        ),
    ),
)
