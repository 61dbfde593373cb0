"""Information between the formemes of parallel trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dragoman.deep.information import MutualInformation, label_information
from dragoman.deep.links import Links, labelled_trees, link_words, linked_nodes
from dragoman.errors import DataError
from dragoman.text.conllu import Sentence

__all__ = ["formeme_information"]


def formeme_information(
    first: Sequence[Sentence],
    second: Sequence[Sentence],
    languages: tuple[str, str],
    *,
    links: Links | None = None,
    merges: Sequence[Mapping[str, str]] = (),
    method: str = "sampler",
    seed: int = 1,
    n_threads: int = 1,
) -> MutualInformation:
    """What formemes tell across two languages; links that are not given are learnt from the lemmas."""
    if links is None:
        links = link_words(first, second, method=method, seed=seed, n_threads=n_threads)
    if not len(first) == len(second) == len(links):
        raise DataError(
            f"Trees and links must be as many, got first={len(first)}, second={len(second)}, links={len(links)}."
        )
    here, there = labelled_trees(first, languages[0]), labelled_trees(second, languages[1])
    pairs = [(here[n].formemes[a], there[n].formemes[b]) for n, a, b in linked_nodes(here, there, links)]
    return label_information(pairs, merges)
