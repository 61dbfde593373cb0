"""The recipe of an engine: what every step of its training is told, readable from a TOML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_text
from dragoman.lm import KneserNey
from dragoman.notation import parse_toml
from dragoman.options import Recipe, option, options_of, read_options
from dragoman.smt.alternatives import AlternativeSection
from dragoman.smt.bitext_index import PhraseSampling
from dragoman.smt.class_model import WordClassing
from dragoman.smt.constraints import LATTICE
from dragoman.smt.factors import FactorSection, model_name
from dragoman.smt.forced import ForcedDecoding
from dragoman.smt.grammar.recipe import GrammarSection, ParseSection
from dragoman.smt.language_models import NamedModel
from dragoman.smt.ordering import ReorderSection
from dragoman.smt.phrase_table import PhraseExtraction, TableCombination
from dragoman.smt.preparation import Preparation
from dragoman.smt.search import SearchLimits
from dragoman.smt.simpler_verbs import VerbSection
from dragoman.smt.splitting import CompoundSection, MorphemeSection
from dragoman.smt.tuning import Tuning
from dragoman.smt.word_alignment import WordAlignment

__all__ = ["Cleaning", "EngineRecipe", "changed", "differing", "with_tables"]

_WITHOUT: dict[str, dict[str, Any]] = {"text": {"related": False, "whole": ()}, "classes": {"number": 0}}


_OF_PHRASES = {"phrase-lengths"}


def differing(section: Recipe) -> list[str]:
    """The options of a section that are not its defaults."""
    usual = type(section)()
    return [each.name for each in fields(section) if getattr(section, each.name) != getattr(usual, each.name)]


@dataclass(frozen=True)
class Cleaning(Recipe):
    """Which sentence pairs an engine is trained on, counted in tokens."""

    longest: int = option(80, low=1, high=1000, text="longer sentences are left out, with their partner")
    ratio: float = option(9.0, low=1, text="so is a pair whose longer side has more than so many times the tokens")


def _refuse_tables(names: Sequence[str]) -> None:
    """Refuse settings of phrase tables beside a grammar."""
    named = ", ".join(f"tables.{name}" for name in names)
    raise DataError(
        f"{named} is of phrase tables; an engine with a grammar has one table of rules, of all its texts together. "
        "Leave it out, or set grammar.kind=none."
    )


@dataclass(frozen=True)
class EngineRecipe(Recipe):
    """Languages and, section by section, the recipe of each step."""

    source_lang: str = option("en", text="BCP 47 tag of the language translated from")
    target_lang: str = option("de", text="BCP 47 tag of the language translated into")
    text: Preparation = field(default=Preparation(), metadata={"text": "normalising, tokenising, casing"})
    clean: Cleaning = field(default=Cleaning(), metadata={"text": "which sentence pairs are used"})
    align: WordAlignment = field(default=WordAlignment(), metadata={"text": "word alignment"})
    lm: KneserNey = field(default=KneserNey(), metadata={"text": "language model of the target side"})
    mixture: bool = option(
        False,
        choices=(False, True),
        text="a language model of each text, mixed by weights learnt on the tuning set; else one of all texts, unless "
        "a corpus asks for it",
    )
    classes: WordClassing = field(default=WordClassing(), metadata={"text": "language model of word classes"})
    models: tuple[NamedModel, ...] = field(default=(), metadata={"text": "further language models, by name"})
    phrases: PhraseExtraction = field(default=PhraseExtraction(), metadata={"text": "phrase table"})
    prune: ForcedDecoding = field(default=ForcedDecoding(), metadata={"text": "pruning of the phrase table by its use"})
    tables: TableCombination = field(default=TableCombination(), metadata={"text": "phrase tables of several texts"})
    index: PhraseSampling = field(default=PhraseSampling(), metadata={"text": "phrases looked up while translating"})
    grammar: GrammarSection = field(
        default=GrammarSection(), metadata={"text": "rules with gaps, in the place of phrases"}
    )
    parse: ParseSection = field(default=ParseSection(), metadata={"text": "parses for the grammar"})
    compounds: CompoundSection = field(default=CompoundSection(), metadata={"text": "compounds cut into their parts"})
    morphemes: MorphemeSection = field(default=MorphemeSection(), metadata={"text": "words cut into morphemes"})
    verbs: VerbSection = field(default=VerbSection(), metadata={"text": "verbs without person and number"})
    factors: FactorSection = field(default=FactorSection(), metadata={"text": "words with tags or lemmas"})
    reorder: ReorderSection = field(
        default=ReorderSection(), metadata={"text": "the order in which the source is read"}
    )
    alternatives: AlternativeSection = field(
        default=AlternativeSection(), metadata={"text": "layers in which the source is read, as a lattice"}
    )
    tune: Tuning = field(default=Tuning(), metadata={"text": "tuning of the weights"})
    search: SearchLimits = field(default=SearchLimits(), metadata={"text": "limits of translating"})
    # With word classes, weights for phrase lengths bring 0.00 and 0.11 BLEU (en-de, two seeds) and 0.65 (de-en, one) on
    # Multi30k's validation set, and 0.05, -0.07 and 0.24 on 1,499 pairs held out of its training text: little for one
    # direction and nothing certain for the other. Families of words fit the tuning set alone.
    features: tuple[str, ...] = option(
        ("phrase-lengths",),
        text="decoder features beyond those that every engine has, by name, with their tables",
    )
    layers: tuple[str, ...] = option((), text="who annotates source words for features that ask: source.pos=hanta")
    given: tuple[str, ...] = option((), text="names of features that terms from outside and lattices bring")

    def check(self) -> Self:
        """Return the recipe if it and all its sections keep their rules."""
        super().check()
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, Recipe):
                value.check()
        names = [model.check().name for model in self.models]
        if len(set(names)) < len(names):
            raise DataError(f"Each language model needs a name of its own, got {', '.join(names)}.")
        if self.align.is_annotated and self.index.use != "none":
            raise DataError(
                "An engine that learns links words as they are: align.source_words and target_words go with "
                "index.use=none."
            )
        if self.grammar:
            self._check_grammar()
        elif self.search.grow:
            raise DataError("Only engines with grammars grow cubes: leave search.grow off, or set grammar.kind.")
        if self.factors:
            self._check_factors(names)
        if self.reorder:
            self._check_order()
        if self.reorder.labels:
            self._check_labels()
        if self.alternatives:
            self._check_layers()
        return self

    def _check_factors(self, names: Sequence[str]) -> None:
        """What does not know of factors is refused beside them."""
        if self.grammar or self.index.use != "none":
            raise DataError(
                "Factors are of phrases in a table: set grammar.kind=none and index.use=none beside [factors]."
            )
        if {self.compounds.side, self.morphemes.side} != {"none"} or self.verbs:
            raise DataError(
                "Factors are of whole words: set compounds.side=none and morphemes.side=none beside [factors], and "
                "leave out [verbs]."
            )
        if self.text.endings or any(model.kind == "bilingual" for model in self.models):
            raise DataError("Beside [factors] there are no text.endings and no bilingual models.")
        if self.factors.is_assembled or self.factors.is_series:
            self._check_assembled()
        taken = next((name for name in names if name in map(model_name, self.factors.models)), None)
        if taken:
            raise DataError(f"{taken} is the name of a factor's language model; give the one of [[models]] another.")

    def _check_assembled(self) -> None:
        """Phrases that are put together for each text have no numbers, counts or uses of their own."""
        others = [each for each in self.features if each not in _OF_PHRASES]
        if self.prune.method != "none" or self.text.numbers or self.text.cognates or self.search.walls or others:
            raise DataError(
                f"Beside {self.factors.setup}, whose phrases are put together while translating, there are no "
                "prune.method, text.numbers, text.cognates, search.walls, and no features but phrase-lengths."
            )

    def _check_order(self) -> None:
        """What reads the source as it stands does not go with another order."""
        if self.index.use != "none":
            raise DataError("An engine that looks phrases up in its text reads it as it stands: set index.use=none.")
        if self.factors:
            raise DataError("Factors are of source words as they stand: leave out the section reorder.")
        if self.grammar.parsed_side == "source" or (self.grammar and self.reorder.use == "lattice"):
            raise DataError(
                "A grammar over parses of the source reads it as it stands, and none reads it as a lattice of orders. "
                "Leave out the section reorder, or set reorder.use=best."
            )

    def _check_layers(self) -> None:
        """Lattices of layers are of whole words in phrases of a table."""
        others = self.reorder or self.reorder.labels or self.grammar or self.factors or self.index.use != "none"
        if others or self.compounds.side in ("source", "both") or self.morphemes.side in ("source", "both"):
            raise DataError(
                "Layers are of whole source words, with phrases in a table: beside [alternatives] there is no grammar, "
                "no index, no reorder and no factors, and compounds and morphemes of the source stay whole."
            )
        if any(model.kind == "bilingual" for model in self.models) or self.prune.method != "none":
            raise DataError(
                "Bilingual models and pruning by use read words as they stand; leave them out beside [alternatives]."
            )

    def _check_labels(self) -> None:
        """Orientation by labels is that of phrases in a table."""
        if self.grammar or self.index.use != "none" or self.factors or self.phrases.orientation == "none":
            raise DataError(
                "Orientation by labels is of phrases in a table: beside reorder.labels set grammar.kind=none, "
                "index.use=none and phrases.orientation=word, and leave out factors."
            )

    def _check_grammar(self) -> None:
        """A grammar stands in the place of phrases: what is of phrases alone is refused."""
        if self.index.use != "none":
            raise DataError(
                "An engine with a grammar has no index of phrases: set index.use=none, or grammar.kind=none."
            )
        if self.tables != TableCombination():
            _refuse_tables(differing(self.tables))
        plain = self.grammar.kind == "hiero" and not self.grammar.labels and not self.grammar.shallow
        if self.prune.method == "reestimate" or (self.prune.method != "none" and not plain):
            raise DataError(
                "Of grammars, rules of kind hiero without labels and depths are pruned by their use, and none are "
                "re-estimated: set prune.method=prune and grammar.kind=hiero alone, or prune.method=none."
            )
        bilingual = [model.name for model in self.models if model.kind == "bilingual"]
        if bilingual:
            raise DataError(f"The bilingual model {bilingual[0]} reads phrases in their order; a grammar has none.")

    @property
    def decoder_features(self) -> tuple[str, ...]:
        """The features that the decoder has: with a grammar, none of those that look at phrases."""
        return tuple(each for each in self.features if not (self.grammar and each in _OF_PHRASES))

    @property
    def given_features(self) -> tuple[str, ...]:
        """The features that come from outside: those that are named, and what orders are worth in a lattice."""
        reads_lattices = (self.reorder and self.reorder.use == "lattice") or self.factors.search > 1
        named = LATTICE in self.given or not reads_lattices
        return self.given if named else (LATTICE, *self.given)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The recipe with these values; a section is a mapping of its options."""
        sections = {each.name: type(each.default) for each in fields(cls) if isinstance(each.default, Recipe)}
        plain = dict(values)
        for name, section in sections.items():
            if name not in plain:
                continue
            if not isinstance(plain[name], Mapping):
                raise DataError(f"{name!r} is a section of options, got {plain[name]!r}.")
            plain[name] = section.from_dict(plain[name])
        models = plain.get("models", ())
        if not isinstance(models, list | tuple) or not all(isinstance(each, Mapping | NamedModel) for each in models):
            raise DataError(f"'models' are tables of options, [[models]] in TOML; got {models!r}.")
        plain["models"] = tuple(each if isinstance(each, NamedModel) else NamedModel.from_dict(each) for each in models)
        return super().from_dict(plain)

    @classmethod
    def of_manifest(cls, values: Mapping[str, Any]) -> Self:
        """The recipe that an engine was saved with; what an older one does not tell of, it was made without."""
        whole = {**values, "features": values.get("features", ())}
        for section, without in _WITHOUT.items():
            whole[section] = {**without, **values.get(section, {})}
        if (values.get("grammar") or {}).get("kind", "none") != "none":
            whole.pop("tables", None)  # older versions took it beside a grammar, and did not look at it
        return cls.from_dict(whole)

    @classmethod
    def read(cls, path: StrPath) -> Self:
        """The recipe in a TOML file: `source_lang`, `target_lang`, and a table for each section that differs.

        Tables `[[corpus]]` name texts to train on, `[[rung]]` the steps of a ladder; they are no part of the recipe
        (see `read_corpus_tables`, `read_rungs`).
        """
        values = parse_toml(read_text(path), path=path)
        for others in ("corpus", "rung"):
            values.pop(others, None)
        try:
            return cls.from_dict(values)
        except DataError as error:
            raise FormatError(str(error), path=path) from None


def with_tables(recipe: EngineRecipe, tables: Mapping[str, Any]) -> EngineRecipe:
    """The recipe with what tables of TOML say: options of sections replaced, further language models added."""
    values = recipe.to_dict()
    for name, value in tables.items():
        if name == "models":
            values[name] = [*values[name], *value]
        else:
            values[name] = {**values.get(name, {}), **value} if isinstance(value, Mapping) else value
    return EngineRecipe.from_dict(values).check()


def changed(recipe: EngineRecipe, settings: Sequence[str]) -> EngineRecipe:
    """The recipe with settings `option=value` or `section.option=value`, values written as in specifications."""
    parts = {each.name: getattr(recipe, each.name) for each in fields(recipe)}
    sections: dict[str, Any] = {name: part for name, part in parts.items() if isinstance(part, Recipe)}
    for setting in settings:
        path, equals, text = setting.partition("=")
        section, dot, name = path.rpartition(".")
        if not equals:
            raise DataError(f"{setting!r} is no setting; write section.option=value, as phrases.longest=5.")
        if section not in sections and dot:
            raise DataError(f"A recipe has no section {section!r}. Known: {', '.join(sections)}.")
        holder = sections[section] if dot else recipe
        if name in options_of(type(holder)) and not options_of(type(holder))[name].kind:
            raise DataError(f"{name!r} is a table of options; write it in a recipe's file.")
        values = read_options(type(holder), {name: text}, title=f"The section {section!r}" if dot else "A recipe")
        if dot:
            sections[section] = replace(holder, **values)
        else:
            recipe = replace(recipe, **values)
    made = replace(recipe, **sections).check()
    of_tables = [setting.partition("=")[0].partition(".")[2] for setting in settings if setting.startswith("tables.")]
    if made.grammar and of_tables:  # what is asked for is refused, the default too
        _refuse_tables(of_tables)
    return made
