"""Unknown words are read as known ones of the same stem or parts."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cat.session import PredictionSession
from dragoman.cli.main import group
from dragoman.engines import Request
from dragoman.engines.results import GUESS, Candidate
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
    return reader("read")


def reader(capitals: str, lang: str = "") -> RelatedWords:
    known = Vocabulary(COUNTS, unk=" ").freeze()
    return RelatedWords(known, lambda word: COUNTS.get(word, 0), capitals=capitals, lang=lang)


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


@pytest.mark.parametrize(
    ("word", "stays", "by_parts"),
    [
        ("Ampeln", "Ampeln", "Ampeln"),
        ("Spieler", "Spieler", "Spieler"),  # a name, perhaps; not "Spiel"
        ("Regenwald", "Regenwald", "Regen Wald"),
        ("Gemüsehändlers", "Gemüsehändlers", "Gemüsehändlers"),  # its last part is not known as it is
        ("Giants-Trikot", "Giants-Trikot", "Giants Trikot"),
        ("Halbnackter", "Halbnackter", "Halbnackter"),  # known
        ("Blaue", "blaue", "blaue"),  # known, in another case
        ("spielte", "spielt", "spielt"),  # no name
    ],
)
def test_unknown_words_with_a_capital_stay_unless_told_otherwise(word: str, stays: str, by_parts: str) -> None:
    assert " ".join(reader("stay").read(word)) == stays
    assert " ".join(reader("compounds").read(word)) == by_parts
    assert Preparation().capitals == "stay"


@pytest.mark.parametrize(
    ("lang", "line", "read", "guesses"),
    [
        ("en", "a blaue Regen", "a blaue Regen", set()),
        ("en", "von Blaue frei", "von Blaue frei", set()),  # a name, as Apple is beside apple
        ("de", "von Blaue frei", "von blaue frei", set()),  # nouns have capitals, and so has what is used as one
        ("en", "Blaue Regen", "blaue Regen", set()),  # a sentence's start has one anyway
        ("en", "frei : „ Blaue frei", "frei : „ blaue frei", set()),
        ("en", "VON BLAUE FREI", "VON blaue frei", set()),  # written in capitals
        ("en", "Von Gelb In Blaue Frei", "Von gelb In blaue frei", set()),  # a headline
    ],
)
def test_a_word_with_a_capital_inside_a_line_may_be_a_name(lang: str, line: str, read: str, guesses: set[int]) -> None:
    related = reader("stay", lang)
    assert related.rewrite(line) == read
    assert related.guesses(line) == guesses
    assert related.with_capitals(line, line) == line


def test_names_keep_capitals_that_a_truecaser_takes() -> None:
    line, cased = "Von Blaue und Rot frei . Blaue Regen", "von blaue und rot frei . blaue Regen"
    assert reader("stay", "en").with_capitals(line, cased) == "von Blaue und Rot frei . blaue Regen"
    assert reader("stay", "de").with_capitals(line, cased) == cased
    asked = reader("read", "en")  # reads it as before, but as a guess; "Rot" is too short for that
    assert asked.with_capitals(line, cased) == "von Blaue und rot frei . blaue Regen"
    assert asked.rewrite("von Blaue und rot") == "von blaue und rot"
    assert asked.guesses("von Blaue und rot") == {1}
    assert reader("stay", "en").with_capitals("VON BLAUE", "von blaue") == "von blaue"
    assert reader("stay", "en").with_capitals("A B", "ab") == "ab"  # other tokens


def test_engines_leave_names_that_are_words_in_small_letters(engine: Engine) -> None:
    """The sample's engine knows `station`, and no `Station`: inside a sentence that is a name."""
    (name,) = engine.translations(["We see Mr. Station there."], Request(confidence=True))
    assert "Station" in name.candidates[0].text
    assert "Bahnhof" not in name.candidates[0].text
    assert "Bahnhof" in engine.translate(["Station"])[0]
    assert "BAHNHOF" in engine.translate(["WHERE IS THE STATION"])[0].upper()


def test_guesses_are_told_from_what_is_known(related: RelatedWords) -> None:
    line = "Ampel Ampeln halbnackter gelb-blaue Regenwald Equinox"
    read = related.rewrite(line).split()
    assert read == ["Ampel", "Ampel", "Halbnackter", "gelb", "blaue", "Regen", "Wald", "Equinox"]
    assert related.guesses(line) == {1, 5, 6}


def test_names_stay_and_no_guess_is_as_sure_as_a_known_word(engine: Engine) -> None:
    """`Stations` may be a name; `stations` is read as `station`, and translated with a doubt in every way."""
    assert "Stations" in engine.translate(["We see Stations there."])[0]
    known, guess = "The station is closed.", "The stations is closed."
    for request in (Request(confidence=True), Request(5, confidence=True, alignment=True)):
        for lines in ([known, guess], [guess, known]):
            said = {each.source: each.candidates[0] for each in engine.translations(lines, request)}
            (place,) = [n for n, word in enumerate((said[guess].target_tokens or "").split()) if word == "Bahnhof"]
            assert said[guess].guessed == (place,)
            assert said[known].guessed == ()
            assert said[guess].target_tokens == said[known].target_tokens
            assert sure(said[guess])[place] == pytest.approx(GUESS * sure(said[known])[place], rel=1e-4)
        (alone,) = engine.translations([guess], request)  # by the graph
        assert sure(alone.candidates[0])[place] == pytest.approx(sure(said[guess])[place], rel=1e-4)
    (completion,) = engine.completer(guess).complete("Der ", confidence=True)
    typed = dict(zip(completion.tokens or (), completion.word_confidence or (), strict=True))
    assert typed["Bahnhof"] <= GUESS
    session = PredictionSession(lambda: nullcontext(engine))
    told = [
        session.confidences({"source": text, "target": "Der Bahnhof ist"})["confidences"] for text in (known, guess)
    ]
    assert told[1][1] <= GUESS < told[0][1]


def test_a_word_that_is_copied_is_no_translation(engine: Engine) -> None:
    """A name, a number and a term of a glossary are; what the engine never met in small letters is not."""
    line = "The zorblax of Zorblax is closed at 17."
    for lines in ([line], [line, "Good morning."]):
        said = engine.translations(lines, Request(confidence=True))[0].candidates[0]
        tokens = (said.target_tokens or "").split()
        told = dict(zip(tokens, sure(said), strict=True))
        assert said.guessed == (tokens.index("zorblax"),)
        assert told["zorblax"] <= GUESS < min(told["Zorblax"], told["17"])
    (completion,) = engine.completer(line).complete("Der ", confidence=True)
    assert dict(zip(completion.tokens or (), completion.word_confidence or (), strict=True))["zorblax"] <= GUESS
    given = Request(confidence=True, glossary=(("zorblax", "Glocke"),), hard_glossary=True)
    (term,) = engine.translations([line], given)[0].candidates
    assert "Glocke" in term.text
    assert term.guessed == ()


def sure(candidate: Candidate) -> tuple[float, ...]:
    assert candidate.word_confidence is not None
    return candidate.word_confidence


def test_translate_tells_guesses(model: Path, tmp_path: Path) -> None:
    (tmp_path / "in").write_text("The stations is closed.\n", encoding="utf-8")
    done = CliRunner().invoke(group, ["translate", str(tmp_path / "in"), "-m", str(model), "--confidence", "--json"])
    assert done.exit_code == 0, done.output
    (details,) = json.loads(done.stdout)["meta"]["details"]
    (place,) = details["guessed"]
    assert details["target_tokens"].split()[place] == "Bahnhof"
    assert details["confidence"][place] <= GUESS


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
