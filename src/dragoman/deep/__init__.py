"""Deep syntax: content words with formemes, what labels tell across languages, synthesis, and transfer of trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.deep.annotation import DeepAnnotation, annotate, annotated
    from dragoman.deep.formemes import LANGUAGES, formemes_of
    from dragoman.deep.information import (
        MutualInformation,
        held_out_information,
        label_information,
        mutual_information,
    )
    from dragoman.deep.links import labelled_trees, link_words, linked_nodes
    from dragoman.deep.parallel import formeme_information
    from dragoman.deep.roundtrip import RoundTrip, round_trip
    from dragoman.deep.synthesis import Synthesiser, learn_synthesis
    from dragoman.deep.transfer import TransferModel, TransferredTrees, learn_transfer
    from dragoman.deep.trees import DeepNode, DeepTree, deep_tree
else:
    offer(__name__)

__all__ = [
    "LANGUAGES",
    "DeepAnnotation",
    "DeepNode",
    "DeepTree",
    "MutualInformation",
    "RoundTrip",
    "Synthesiser",
    "TransferModel",
    "TransferredTrees",
    "annotate",
    "annotated",
    "deep_tree",
    "formeme_information",
    "formemes_of",
    "held_out_information",
    "label_information",
    "labelled_trees",
    "learn_synthesis",
    "learn_transfer",
    "link_words",
    "linked_nodes",
    "mutual_information",
    "round_trip",
]
