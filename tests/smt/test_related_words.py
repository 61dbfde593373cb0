"""Unknown words are read as known ones of the same stem or parts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dragoman.smt import Engine, Preparation
from dragoman.smt.related_words import RelatedWords
from dragoman.text.vocabulary import Vocabulary

COUNTS = {
    "Halbnackter": 1,
    "Ampel": 9,
    "ungewöhnlichen": 2,
    "Regen": 20,
    "Wald": 30,
    "Hochzeit": 9,
    "Kuss": 3,
    "blaue": 50,
    "gelb": 40,
    "Giants": 0,
    "Trikot": 7,
    "Händler": 4,
    "Gemüse": 5,
    "Müll": 2,
    "Sack": 3,
    "Plastik": 8,
    "string": 6,
    "Spiel": 10,
    "spielt": 90,
    "spielen": 80,
    "frei": 5,
    "Reg": 1,
}


@pytest.fixture
def related() -> RelatedWords:
    return RelatedWords(Vocabulary(COUNTS, unk=" ").freeze(), lambda word: COUNTS.get(word, 0))


@pytest.mark.parametrize(
    ("word", "read"),
    [
        ("halbnackter", "Halbnackter"),  # another case
        ("Ampeln", "Ampel"),  # another ending
        ("ungewöhnliche", "ungewöhnlichen"),
        ("stringing", "string"),
        ("spielte", "spielt"),  # the least change, though others are as frequent
        ("gelb-blaue", "gelb blaue"),  # parts at hyphens
        ("Giants-Trikot", "Giants Trikot"),  # a part may stay unknown
        ("Regenwald", "Regen Wald"),  # parts of a compound
        ("Hochzeitskuss", "Hochzeit Kuss"),  # linked by s
        ("Gemüsehändlers", "Gemüse Händler"),  # whose last part has another ending
        ("Plastikmüllsack", "Plastik Müll Sack"),
        ("Equinox", "Equinox"),  # nothing known about it
        ("Giants", "Giants"),  # in the vocabulary, if only in phrases
        ("zoo", "zoo"),  # too short to tell
        ("x-y", "x-y"),
        ("http://regen-wald.de", "http://regen-wald.de"),  # no word
        ("1234", "1234"),
        ("-", "-"),
        ("", ""),
        ("string" * 1000, "string" * 1000),
    ],
)
def test_a_word_is_read_as(related: RelatedWords, word: str, read: str) -> None:
    assert " ".join(related.read(word)) == read


def test_lines_keep_what_is_known(related: RelatedWords) -> None:
    assert related.rewrite("Regen im Regenwald") == "Regen im Regen Wald"
    assert related.rewrite("") == ""


def test_an_engine_reads_unknown_words_so_unless_told_not_to(engine: Engine) -> None:
    assert engine.source.prepare(["The stations are closed."])[0].startswith("the station are")
    assert "Stations" not in engine.translate(["The stations are closed."])[0]
    plain = replace(engine.recipe, text=Preparation(related=False))
    other = Engine(plain, engine.models, truecasers=(engine.source.truecaser, engine.target.truecaser))
    assert other.source.prepare(["The stations are closed."])[0].startswith("the stations are")


def test_words_are_counted_by_their_own_translations(engine: Engine) -> None:
    assert engine.models.phrases.count("station") > 0
    assert engine.models.phrases.count("zorgblatt") == 0
