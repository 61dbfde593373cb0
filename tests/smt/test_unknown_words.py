"""Numbers, unknown forms of known words, and cognates in an engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.hidden_forms import evaluate_endings
from dragoman.smt.morphology import EndingTransfer, change, ending_pairs
from dragoman.smt.number_tags import NumberTags, shown, tagged
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.smt.unknown_words import UnknownWordRules, cognate

NOUNS = {"Tisch": "table", "Stuhl": "stool", "Hund": "hound", "Brief": "letter", "Schuh": "shoe"}
PAIRS = [
    *((f"der {source} ist alt", f"the {target} is old") for source, target in NOUNS.items()),
    *((f"die {source}e sind alt", f"the {target}s are old") for source, target in NOUNS.items() if source != "Schuh"),
    *((f"das kostet {n} Euro", f"that costs {n} euros") for n in ("35", "47", "160", "999")),
    *((f"das kostet {n}.500,{n} Euro", f"that costs {n},500.{n} euros") for n in ("12", "14")),
    *((f"hier sind {n}.500 Leute", f"here are {n},500 people") for n in ("12", "14", "77")),
    *zip(
        ["der", "die", "das", "ist", "sind", "alt", "kostet", "Euro", "hier", "Leute", "."],
        ["the", "the", "that", "is", "are", "old", "costs", "euros", "here", "people", "."],
        strict=True,
    ),
] * 4


def trained(folder: Path, *settings: str) -> Engine:
    recipe = changed(
        EngineRecipe(source_lang="de", target_lang="en"),
        ["classes.number=0", "lm.order=3", "tune.method=none", "search.pop_limit=30", "align.method=ibm1", *settings],
    )
    return train_engine(Bitext.from_pairs(PAIRS), recipe, work=folder).engine


@pytest.fixture(scope="module")
def engine(made_once: Callable[..., Path]) -> Engine:
    def train(folder: Path) -> None:
        settings = ("text.numbers=true", "text.endings=2", "text.cognates=true")
        trained(folder / "work", *settings).save(folder / "engine")

    return Engine.load(made_once("numbers-and-endings", train) / "engine")


def test_numbers_never_seen_are_translated_in_context(engine: Engine) -> None:
    assert engine.translate(["das kostet 83 Euro"]) == ["That costs 83 euros"]
    assert "1,234,567.89" in engine.translate(["das kostet 1.234.567,89 Euro"])[0]
    assert engine.models.source.get("@@NUM") is not None
    assert engine.models.source.get("160") is None
    assert engine.models.target.get("@@DEC") is not None


def test_graphs_and_lists_have_values_too(engine: Engine) -> None:
    (tokens,) = engine.source.prepare(["das kostet 4.321 Euro"])
    assert tokens == "das kostet 4.321 Euro"
    assert "4,321" in engine.decode([tokens], n_best=5).texts[0].split()
    assert "4,321" in engine.graph(tokens).n_best(1)[0].text.split()


def test_unknown_forms_and_cognates(engine: Engine) -> None:
    assert engine.translate(["die Schuhe sind alt"]) == ["The shoes are old"]  # Schuhe was never seen
    (candidate,) = engine.translations(["die Schuhe sind alt"])[0].candidates
    assert candidate.guessed == (1,)
    assert "mosaique" in engine.translate(["die mosaïque ist alt"])[0].lower()
    assert "Mosaïque" in engine.translate(["die Mosaïque ist alt"])[0]  # a name


def test_without_them_nothing_changes(engine: Engine) -> None:
    plain = replace(engine.recipe, text=replace(engine.recipe.text, numbers=False, endings=0, cognates=False))
    other = Engine(plain, engine.models, truecasers=(engine.source.truecaser, engine.target.truecaser))
    assert other.translate(["die Schuhe sind alt"]) == ["The Schuhe are old"]  # it may be a name
    reading_all = replace(plain, text=replace(plain.text, capitals="read"))
    other = Engine(reading_all, engine.models, truecasers=(engine.source.truecaser, engine.target.truecaser))
    assert other.translate(["die Schuhe sind alt"])[0].lower() == "the shoe are old"  # read as a related word
    assert "mosaïque" in other.translate(["die mosaïque ist alt"])[0].lower()
    told, _, reading = plain.text.by_step()
    assert set(told) == {"normalise", "dashes", "whole"}
    assert set(reading) == {"related", "capitals"}


def test_tags_keep_their_places() -> None:
    tags = NumberTags("en", "fr")
    assert tags.tag(["it costs 32,000 or 0.5"]) == ["it costs @@NUM or @@DEC"]
    filled = tags._filled("@@DEC ou @@NUM ou @@NUM", [(2, "32,000"), (4, "0.5"), (5, "99")], [(5, 2)])
    assert filled == "0,5 ou 99 ou 32_000"
    assert tags._filled("@@NUM", [], []) == "@@NUM"
    assert shown("@@NUM ou 32_000 @@DEC") == "ou 32 000"
    assert shown("a_b") == "a_b"
    assert tagged("no digits", "en") == "no digits"


def test_endings_that_change_together() -> None:
    assert change("Kamin", "Kaminen", 4) == ("", "en")
    assert change("chimney", "chimneys", 3) == ("", "s")
    assert change("Hund", "Katze", 4) is None
    assert change("Haus", "Häuser", 4) is None
    lexicon = {"Tisch": "table", "Tische": "tables", "Brief": "letter", "Briefe": "letters", "Hunde": "dogs"}
    assert ending_pairs(lexicon)[("", "e"), ("", "s")] == 2
    assert ending_pairs(lexicon)[("e", ""), ("s", "")] == 2
    known = {*lexicon.values(), "dog"}
    transfer = EndingTransfer(lexicon, lexicon.get, known.__contains__, least=2)
    assert transfer.translations("Hund") == ("dog",)  # the ending goes
    assert transfer.translations("Hundes") == ()
    assert transfer.translations("Tisch") == ()  # known
    assert EndingTransfer(lexicon, lexicon.get, known.__contains__, least=3).translations("Hund") == ()


def test_the_first_rule_that_knows_is_believed() -> None:
    rules = UnknownWordRules(lambda word: ("first",) if word == "élan" else (), cognate)
    assert rules("élan") == ("first",)
    assert rules("élite") == ("elite",)
    assert rules("Élite") == rules("plain") == ()


def test_an_engine_without_a_table_refuses_endings(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"text\.endings needs a phrase table"):
        trained(tmp_path, "text.endings=2", "index.use=only")


def test_hidden_forms_are_translated_by_the_endings_of_others(engine: Engine) -> None:
    table = engine.models.table
    assert table is not None
    found = evaluate_endings(table, hidden=0.5, least=1, seed=1)
    assert len(found.forms) == round(0.5 * found.n_inflected)
    by_form = {form: (best, given) for form, best, given, _ in found.forms}
    assert any(best == given for best, given in by_form.values())
    assert found.n_right == sum(best == given for best, given in by_form.values())
    assert found.tables()[0].records()[0]["count"] == len(found.forms)
    with pytest.raises(DataError, match="between 0 and 1 is hidden, got 0"):
        evaluate_endings(table, hidden=0)
