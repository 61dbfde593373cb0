"""Searches in series: what the one before gives goes into the next as a lattice (Bojar, Jawaid & Kamran, WMT 2012)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from dragoman.smt.constraints import Constraints, Lattice
from dragoman.smt.decoded import Decoded

__all__ = ["lattice_phrases", "passed_on"]


def passed_on(decoded: Decoded) -> list[Constraints]:
    """For each sentence its translations as a lattice that has these and no others."""
    return [Constraints(lattice=_tree(decoded, sentence)) for sentence in range(len(decoded))]


def _tree(decoded: Decoded, sentence: int) -> Lattice:
    """Translations of a sentence as a tree of what they begin with, whose leaves are one node.

    An arc is worth by how much the best translation through it is worse than the best through the node before, so that
    the scores of a way add up to what its translation is below the best. Its place is the first source word that its
    word is linked to, or that of the word before.
    """
    children: dict[int, dict[str, int]] = defaultdict(dict)
    best: dict[int, float] = {}
    places: dict[tuple[int, str], int] = {}
    ends: dict[tuple[int, str], float] = {}
    n_nodes = 1
    for path in decoded.paths(sentence):
        words, score = decoded.texts[path].split(" "), float(decoded.scores[path])
        links = {int(target): int(source) for source, target in decoded.links_of(path)[::-1].tolist()}
        node = place = 0
        best.setdefault(0, score)
        for at, word in enumerate(words):
            place = links.get(at, place)
            places.setdefault((node, word), place)
            if at == len(words) - 1:
                ends.setdefault((node, word), score)
                continue
            if word not in children[node]:
                children[node][word] = n_nodes
                n_nodes += 1
            node = children[node][word]
            best.setdefault(node, score)  # translations come best first
    arcs = [
        (node, to, word, best[to] - best[node], places[node, word])
        for node, following in children.items()
        for word, to in following.items()
    ]
    arcs += [(node, n_nodes, word, score - best[node], places[node, word]) for (node, word), score in ends.items()]
    arcs = sorted(arc for arc in arcs if arc[2])
    return Lattice(tuple(arc[:4] for arc in arcs), tuple(arc[4] for arc in arcs))


def lattice_phrases(lattice: Lattice, longest: int) -> Iterator[str]:
    """All that can be read on a lattice's ways in so many arcs, from every node as far as it goes."""
    following: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for begin, end, token, _ in lattice.arcs:
        following[begin].append((end, token))

    def ways(node: int, tokens: Sequence[str]) -> Iterator[str]:
        if len(tokens) == longest or not following[node]:
            yield " ".join(tokens)
            return
        for end, token in following[node]:
            yield from ways(end, [*tokens, token] if token else tokens)

    for node in list(following):
        yield from ways(node, [])
