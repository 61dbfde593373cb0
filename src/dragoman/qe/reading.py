"""How a model reads sentences: tokenisers and resources, kept with it, so that text is all it asks for."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from dragoman.errors import DataError, ModelError
from dragoman.notation import finite_number, list_of_texts, parse_json
from dragoman.qe.features.extract import extract_features
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.prediction_measures import LengthLine
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources import Resources, TraceIndex, copy_resources, having_layers, load_resources
from dragoman.text import TOKENISERS

__all__ = ["Reading"]

_FILE = "reading.json"
_FOLDER = "resources"
_LEXICON = "own-lexicon.tsv"


@dataclass(frozen=True)
class Reading:
    """How sentences are cut, and where the features look things up."""

    source_tokeniser: str = "none"
    target_tokeniser: str = "none"
    folder: Path | None = None  # that `build_resources` made
    lexicon: Path | None = None  # in place of the folder's own
    length: LengthLine | None = None  # what the length of the output alone says of the score

    @cached_property
    def resources(self) -> Resources:
        """The resources, opened when they are first asked for."""
        return load_resources(self.folder, lexicon=self.lexicon)

    def cut_sources(self, sources: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Sources as the model sees them, spaces between tokens."""
        return TOKENISERS.make(self.source_tokeniser).tokenise(list(sources), n_threads=n_threads)

    def cut_outputs(self, outputs: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Outputs as the model sees them, spaces between tokens."""
        return TOKENISERS.make(self.target_tokeniser).tokenise(list(outputs), n_threads=n_threads)

    def features(
        self,
        specs: Sequence[str],
        sources: Sequence[str],
        outputs: Sequence[str],
        *,
        layers: Mapping[str, str] | None = None,
        trace: TraceIndex | None = None,
        n_threads: int = 1,
    ) -> FeatureTable:
        """The features of sentences; who makes `layers` takes the place of parsers, taggers and dictionaries."""
        return extract_features(
            sources,
            outputs,
            FeatureRecipe(self.source_tokeniser, self.target_tokeniser, tuple(specs)),
            resources=having_layers(self.resources, layers),
            trace=trace,
            n_threads=n_threads,
        )

    def write(self, folder: Path) -> None:
        """Into a model's folder, the resources with it; those that hold training sentences out have done their work."""
        facts = {
            "source_tokeniser": self.source_tokeniser,
            "target_tokeniser": self.target_tokeniser,
            "length": None if self.length is None else [self.length.intercept, self.length.slope],
        }
        (folder / _FILE).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
        if self.folder is not None:
            if not self.folder.is_dir():
                raise DataError(f"The resources of the model are no longer in {self.folder}.")
            copy_resources(self.folder, folder / _FOLDER)
        if self.lexicon is not None:
            shutil.copyfile(self.lexicon, folder / _LEXICON)

    @classmethod
    def read(cls, folder: Path) -> Reading | None:
        """What `write` wrote; None if a model cannot read text."""
        if not (folder / _FILE).is_file():
            return None
        facts: dict[str, Any] = parse_json((folder / _FILE).read_bytes())
        try:
            length = facts.pop("length")
            line = None if length is None else LengthLine(*map(finite_number, length))
            if set(facts) != {"source_tokeniser", "target_tokeniser"}:
                raise TypeError(f"expected two tokenisers and a length, got {str(facts)[:60]}")
            for spec in list_of_texts(list(facts.values())):
                TOKENISERS.make(spec)
        except (TypeError, AttributeError, LookupError, ValueError) as error:
            raise ModelError(f"{folder / _FILE} does not say how text is read: {error}. Train it again.") from None
        resources, lexicon = folder / _FOLDER, folder / _LEXICON
        return cls(
            **facts,
            folder=resources if resources.is_dir() else None,
            lexicon=lexicon if lexicon.is_file() else None,
            length=line,
        )
