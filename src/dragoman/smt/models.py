"""The models of an engine: what it knows of phrases, of the target language, and of links between words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from dragoman.align import Aligner
from dragoman.artifact import Artifact
from dragoman.errors import DataError, ModelError
from dragoman.lm import ClassModel, LanguageModel
from dragoman.reorder.model import Reorderer
from dragoman.smt.alternatives import Alternatives
from dragoman.smt.bitext_index import BitextIndex
from dragoman.smt.factor_paths import FactoredPhrases
from dragoman.smt.feature_tables import FeatureTables
from dragoman.smt.grammar.parses import InputParser, read_parser
from dragoman.smt.grammar.table import RuleTable
from dragoman.smt.language_models import MoreModel, read_model
from dragoman.smt.phrase_table import PhraseTable
from dragoman.smt.splitting import WHOLE, Splitter, Splitters
from dragoman.text.vocabulary import Vocabulary

__all__ = ["Models", "Phrases"]

T = TypeVar("T", bound=Artifact)
Phrases = PhraseTable | BitextIndex | RuleTable | FactoredPhrases


@dataclass(frozen=True, eq=False)
class Models:
    """Phrases in a table, in a text that is searched while translating, or in both; or the rules of a grammar.

    And models of the target side.
    """

    lm: LanguageModel
    table: PhraseTable | None = None
    index: BitextIndex | None = None
    classes: ClassModel | None = None  # whose model of classes is the second language model
    aligner: Aligner | None = None  # links the words of what is to be learnt
    more: Mapping[str, MoreModel] = field(default_factory=dict)  # further language models by name
    feature_tables: FeatureTables = field(default_factory=FeatureTables)
    grammar: RuleTable | None = None  # in the place of phrases
    parser: InputParser | None = None  # of what is translated, where rules ask for it
    splitters: Splitters = WHOLE  # of source and target: words in pieces
    reorderer: Reorderer | None = None  # says in which order the source is read
    paths: FactoredPhrases | None = None  # in the place of a table: those of a factored setup's steps
    alternatives: Alternatives | None = None  # reads the source in several layers

    def __post_init__(self) -> None:
        table, index = self.table, self.index
        if table is None and index is None and self.grammar is None and self.paths is None:
            raise DataError("An engine needs phrases: a phrase table, an index, or both; or a grammar.")
        if table is None or index is None:
            return
        if index.target.words()[: len(table.target)] != table.target.words():
            raise DataError("The index and the phrase table number their words differently. Make them of one text.")
        if table.labelled:
            raise DataError("An index has no orientations of labels; take a phrase table without them beside it.")
        if index.orientation != table.orientation:
            raise DataError(
                f"The index has orientations of the kind {index.orientation}, the phrase table of the kind "
                f"{table.orientation}. Make them with the same."
            )

    @property
    def phrases(self) -> Phrases:
        """Where phrases are: the table, or the index if there is none; or the rules of a grammar."""
        return self._first(self.table, self.index, self.grammar, self.paths)

    @property
    def known(self) -> Phrases:
        """What has all words and counts as of now: the index, which may have learnt more than the table."""
        return self._first(self.index, self.table, self.grammar, self.paths)

    @staticmethod
    def _first(*places: Phrases | None) -> Phrases:
        return next(each for each in places if each is not None)

    @property
    def source(self) -> Vocabulary:
        """The words of the source side, as of now."""
        return self.known.source

    @property
    def target(self) -> Vocabulary:
        """The words of the target side, as of now."""
        return self.known.target

    @property
    def language_models(self) -> dict[str, MoreModel]:
        """All language models by the name of their feature, in the order of the weights."""
        classes = {} if self.classes is None else {"class-lm": self.classes}
        return {"lm": self.lm, **classes, **{name: self.more[name] for name in sorted(self.more)}}

    def write(self, folder: Path) -> None:
        """Save each model as a folder of its name."""
        self.feature_tables.write(folder)
        for name, splitter in zip(("source", "target"), self.splitters, strict=True):
            splitter.save(folder, name)
        for name, each in self.more.items():
            each.save(folder / f"{_MORE}{name}")
        for name in _KINDS:
            model = getattr(self, name)
            if isinstance(model, Artifact):  # parses that are given for some lines are no model
                model.save(folder / _FOLDERS.get(name, name))

    @classmethod
    def read(cls, folder: Path) -> Models:
        """What `write` wrote, in a folder whose checksums have been checked."""
        lm, grammar = _read(LanguageModel, folder / "lm"), _read(RuleTable, folder / "grammar")
        table, index = _read(PhraseTable, folder / _FOLDERS["table"]), _read(BitextIndex, folder / "index")
        paths = _read(FactoredPhrases, folder / "paths")
        if lm is None or (table is None and index is None and grammar is None and paths is None):
            lacks = "a language model" if lm is None else "a phrase table, an index, or a grammar"
            raise ModelError(f"{folder} lacks {lacks}. Train it again or copy it whole.")
        classes, aligner = _read(ClassModel, folder / "classes"), _read(Aligner, folder / "aligner")
        more = {each.name.removeprefix(_MORE): read_model(each) for each in sorted(folder.glob(f"{_MORE}*"))}
        parser = read_parser(folder / "parser") if (folder / "parser").is_dir() else None
        splitters = Splitter.load(folder, "source"), Splitter.load(folder, "target")
        tables, reorderer = FeatureTables.read(folder), _read(Reorderer, folder / "reorderer")
        alternatives = _read(Alternatives, folder / "alternatives")
        return cls(
            lm,
            table,
            index,
            classes,
            aligner,
            more,
            tables,
            grammar,
            parser,
            splitters,
            reorderer,
            paths,
            alternatives,
        )


_KINDS = ("lm", "table", "index", "classes", "aligner", "grammar", "parser", "reorderer", "paths", "alternatives")
_MORE = "lm."  # before the name of a further language model
_FOLDERS = {"table": "phrases"}  # of models whose folder is not called as they are


def _read(kind: type[T], folder: Path) -> T | None:
    return kind.read_part(folder) if folder.is_dir() else None
