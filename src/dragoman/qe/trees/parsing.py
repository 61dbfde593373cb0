"""Trees of sources and translations, made by parsers and grammars, under the names that a model knows them by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from dragoman.artifact import MANIFEST, checksum
from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.syntax import Grammar, Parser
from dragoman.text.trees import Tree, dependency_tree

__all__ = ["PHRASES", "TreeMakers"]

DEPENDENCIES = "dependencies"
PHRASES = "phrases"


@dataclass(frozen=True, eq=False)
class TreeMakers:
    """What makes trees of each side; at least one is there."""

    source_parser: Parser | None = None
    target_parser: Parser | None = None
    source_grammar: Grammar | None = None
    target_grammar: Grammar | None = None
    digests: Mapping[str, str] | None = None  # of the folders they came from: name → SHA-256 of the manifest

    @classmethod
    def load(cls, **folders: StrPath | None) -> Self:
        """From folders of trained parsers and grammars, by the names of the fields."""
        paths = {name: Path(folder) for name, folder in folders.items() if folder is not None}
        makers = {name: (Parser if name.endswith("parser") else Grammar).load(folder) for name, folder in paths.items()}
        digests = {name.replace("_", "-"): checksum(folder / MANIFEST) for name, folder in paths.items()}
        return cls(**makers, digests=digests)  # type: ignore[arg-type]  # each loaded by its own class

    def trees(self, sources: Sequence[str], outputs: Sequence[str], *, n_threads: int = 1) -> dict[str, list[Tree]]:
        """Trees of tokenised sentences: `source-dependencies`, `target-phrases` …, as there are parsers and grammars.

        An empty line has a tree without nodes; what cannot be parsed as a whole is glued from its parts.
        """
        check_parallel({"sources": sources, "outputs": outputs})
        trees: dict[str, list[Tree]] = {}
        for side, lines in (("source", sources), ("target", outputs)):
            token_lines = [line.split() for line in lines]
            parser: Parser | None = getattr(self, f"{side}_parser")
            grammar: Grammar | None = getattr(self, f"{side}_grammar")
            if parser is not None:
                trees[f"{side}-{DEPENDENCIES}"] = [
                    Tree((), ()) if sentence is None else dependency_tree(sentence)
                    for sentence in parser.parse(token_lines, n_threads=n_threads)
                ]
            if grammar is not None:
                parsed = grammar.parse(token_lines, n_threads=n_threads)
                trees[f"{side}-{PHRASES}"] = [each.tree for each in parsed]
        if not trees:
            raise DataError("There is neither a parser nor a grammar to make trees with.")
        return trees

    def check_same(self, digests: Mapping[str, str]) -> None:
        """Raise if a model was trained on trees of other parsers or grammars."""
        for name, digest in (self.digests or {}).items():
            if name in digests and digests[name] != digest:
                raise DataError(
                    f"The model was trained on trees of another {name}. Give the one it was trained with, or train it "
                    "again."
                )
