"""What an engine is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Any, ClassVar

from dragoman.artifact import read_manifest
from dragoman.files import StrPath
from dragoman.lm import ClassModel, LanguageModel
from dragoman.report import Column, Result, Table
from dragoman.smt.bitext_index import BitextIndex
from dragoman.smt.engine import Engine
from dragoman.smt.factor_paths import FactoredPhrases
from dragoman.smt.grammar.table import RuleTable
from dragoman.smt.language_models import MoreModel
from dragoman.smt.models import Phrases
from dragoman.smt.phrase_table import PhrasePair, PhraseTable, TableCombination

__all__ = ["EngineInspection", "PhraseInspection", "inspect_engine", "phrase_finder"]


@dataclass(frozen=True)
class EngineInspection(Result):
    """The parts of an engine and their sizes, its weights, and what its training told."""

    kind: ClassVar[str] = "engine"

    model: str
    parts: tuple[tuple[str, str], ...]
    weights: tuple[tuple[str, float], ...]
    report: dict[str, Any]

    def tables(self) -> list[Table]:
        """Parts, weights, and the ladder if there is one."""
        tables = [
            Table.of(self.model, ["part", "content"], self.parts),
            Table.of("Weights", ["feature", Column("weight", digits=4)], self.weights),
        ]
        rungs = self.report.get("ladder") or []
        if rungs:
            from dragoman.smt.ladder import Ladder, Rung

            tables += Ladder(tuple(Rung(**rung) for rung in rungs)).tables()
        return tables

    def meta(self) -> dict[str, Any]:
        """The weights and the report of the training."""
        return {"model": self.model, "weights": dict(self.weights), "report": self.report}


@dataclass(frozen=True)
class PhraseInspection(Result):
    """How a phrase table translates some phrases."""

    kind: ClassVar[str] = "phrases"

    model: str
    pairs: tuple[PhrasePair, ...]
    missing: tuple[str, ...]  # phrases without a translation
    features: tuple[str, ...] = ()  # of a table of several, by name, as natural logarithms

    def tables(self) -> list[Table]:
        """A row for each translation, the most probable of a phrase first."""
        if self.features:
            return [self._named()]
        names = ("p_source", "lex_source", "p_target", "lex_target")
        columns: list[str | Column] = [
            Column("source", is_text=True),
            Column("target", is_text=True),
            *(Column(n, digits=4) for n in names),
            "count",
            "alignment",
        ]
        rows = [
            (
                pair.source,
                pair.target,
                *(exp(score) for score in pair.scores[:4]),
                round(pair.scores[-3]),
                " ".join(f"{s}-{t}" for s, t in pair.links),
            )
            for pair in self.pairs
        ]
        note = f"No translation: {', '.join(self.missing)}." if self.missing else ""
        return [Table.of(f"Phrases of {self.model}", columns, rows, note=note)]

    def _named(self) -> Table:
        columns: list[str | Column] = [
            Column("source", is_text=True),
            Column("target", is_text=True),
            *(Column(name, digits=3) for name in self.features),
            "alignment",
        ]
        rows = [
            (pair.source, pair.target, *pair.scores[: len(self.features)], " ".join(f"{s}-{t}" for s, t in pair.links))
            for pair in self.pairs
        ]
        note = f"No translation: {', '.join(self.missing)}." if self.missing else ""
        return Table.of(f"Phrases of {self.model}", columns, rows, note=note)

    def meta(self) -> dict[str, Any]:
        """The model, and the phrases it lacks."""
        return {"model": self.model, "missing": list(self.missing)}


def inspect_engine(model: StrPath, phrases: Sequence[str] = ()) -> EngineInspection | PhraseInspection:
    """The parts of an engine; with phrases, their translations in it (of a phrase table's or an index's folder, too).

    Phrases are raw text for an engine and tokens for the others.
    """
    table = _bare_table(model)
    if table is not None:
        return _phrases(table, str(model), [(phrase, phrase) for phrase in phrases])
    engine = Engine.load(model)
    if phrases:
        asked = list(zip(phrases, engine.source.cased(phrases), strict=True))
        return _phrases(engine.models.phrases, str(model), asked)
    recipe, models = engine.recipe, engine.models
    casers = [
        f"{side.lang}: {len(side.truecaser)} words" if side.truecaser else f"{side.lang}: none"
        for side in (engine.source, engine.target)
    ]
    parts = (
        ("languages", f"{recipe.source_lang} → {recipe.target_lang}"),
        *_where(engine),
        ("vocabularies", f"{len(models.phrases.source) - 1} and {len(models.phrases.target) - 1} words"),
        *((_MODELS.get(name, f"language model {name}"), _size(each)) for name, each in models.language_models.items()),
        *((f"table of {name}", f"{len(table.classes)} words") for name, table in models.feature_tables.tables.items()),
        ("truecasers", "; ".join(casers)),
        ("search", ", ".join(f"{name}={value}" for name, value in recipe.search.to_dict().items() if value != ())),
        ("features", ", ".join((*recipe.features, *recipe.given)) or "–"),
        ("size", f"{sum(path.stat().st_size for path in Path(model).rglob('*') if path.is_file())} bytes"),
    )
    return EngineInspection(str(model), parts, tuple(engine.shown_weights()), engine.report)


def phrase_finder(model: StrPath) -> Callable[[str], list[PhrasePair]]:
    """What finds the translations of a phrase in an engine, a phrase table or an index; `inspect_engine` tells how."""
    table = _bare_table(model)
    if table is not None:
        return table.translations
    engine = Engine.load(model)
    return lambda phrase: engine.models.phrases.translations(engine.source.cased([phrase])[0])


def _bare_table(model: StrPath) -> PhraseTable | BitextIndex | None:
    """The table or index that a folder is; None of an engine."""
    kind = read_manifest(model).kind
    if kind not in {PhraseTable.kind, BitextIndex.kind}:
        return None
    return PhraseTable.load(model) if kind == PhraseTable.kind else BitextIndex.load(model)


def _where(engine: Engine) -> list[tuple[str, str]]:
    """Where the phrases are."""
    rows = []
    section = engine.recipe.factors
    if section:
        rows.append(("factors", section.setup + (f", search {section.search}" if section.search else "")))
    if engine.before is not None:
        rows += [(f"{part} before", content) for part, content in _where(engine.before)]
    table, index = engine.models.table, engine.models.index
    if table is not None:
        rows.append(("phrases", f"{len(table)} pairs of {table.n_sources} source phrases"))
        if isinstance(table.recipe, TableCombination):
            rows.append(("tables", f"several, {table.recipe.mode}"))
    if engine.models.grammar is not None:
        grammar = engine.models.grammar
        rows.append(("grammar", f"{len(grammar)} rules, {len(grammar.labels)} labels, {engine.recipe.grammar.kind}"))
    if engine.models.paths is not None:
        for step, each in engine.models.paths.tables.items():
            rows.append((f"phrases {step}", f"{len(each)} pairs of {each.n_sources} source phrases"))
    if index is not None:
        use = "in the place of a phrase table" if table is None else "beside the phrases"
        rows.append(("index", f"{len(index)} sentence pairs, {index.core.n_added} newly learnt, {use}"))
    return rows


def _phrases(table: Phrases, model: str, phrases: Sequence[tuple[str, str]]) -> PhraseInspection:
    translations = [(phrase, table.translations(tokens)) for phrase, tokens in phrases]
    return PhraseInspection(
        model,
        tuple(pair for _, pairs in translations for pair in pairs),
        tuple(phrase for phrase, pairs in translations if not pairs),
        table.features
        if isinstance(table, RuleTable | FactoredPhrases) or isinstance(table.recipe, TableCombination)
        else (),
    )


_MODELS = {"lm": "language model", "class-lm": "class model"}


def _size(model: MoreModel) -> str:
    """How large a language model is, and what of."""
    tokens = model if isinstance(model, LanguageModel) else model.model
    size = f"order {tokens.order}, {sum(tokens.n_ngrams)} n-grams"
    if isinstance(model, LanguageModel):
        return size
    n_types = tokens.n_ngrams[0] - 3  # without <unk>, <s> and </s>
    return f"{size} of {n_types} {'classes' if isinstance(model, ClassModel) else 'words with what they translate'}"
