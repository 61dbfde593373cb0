"""Search graphs and forests as lists: the best paths of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from dragoman.data.nbest import Candidate, NBest
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.rescoring.lists import CandidateLists, candidate_lists, read_lists
from dragoman.smt.hypergraph import SearchGraph

__all__ = ["graph_lists", "opened_lists"]


def opened_lists(path: StrPath, sources: Sequence[str]) -> CandidateLists:
    """The lists of a file, or of a folder of graphs."""
    return graph_lists(path, sources) if Path(path).is_dir() else read_lists(path, sources)


def graph_lists(folder: StrPath, sources: Sequence[str], *, n_best: int = 100) -> CandidateLists:
    """The best paths of the graphs in a folder (`1.graph`, `2.graph`, …, as `dragoman translate --graph` writes them).

    Candidates are the engine's tokens, with the score that the search gave them.
    """
    graphs = [Path(folder) / f"{number}.graph" for number in range(1, len(sources) + 1)]
    missing = [path.name for path in graphs if not path.is_file()]
    if missing:
        raise DataError(f"{folder} lacks {missing[0]}: there are {len(sources)} sources, and each has a graph.")
    return candidate_lists(_lists(graphs, n_best), sources, label=str(folder))


def _lists(paths: Sequence[Path], n_best: int) -> Iterator[NBest]:
    for number, path in enumerate(paths):
        graph = SearchGraph.load(path)
        found = graph.n_best(n_best) if len(graph) else []
        if found:
            yield NBest(number, tuple(Candidate(each.text, score=each.score) for each in found))
