"""The checker of language: the sentences of the papers, its rules as data, its faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError
from dragoman.qe import Resources, extract_features
from dragoman.qe.checks import CHECKS, check_text, rules_of
from dragoman.qe.checks.rules import read_rules
from dragoman.qe.recipes import FeatureRecipe
from dragoman.text.conllu import write_conllu
from tests.qe.parsed import given, sentence

# Felice & Specia's sentences: wrong as an engine wrote them, and put right.
STARRED = {
    "number": (
        "Algunas/PRON/6/nsubj/Gender=Fem|Number=Plur de/ADP/4/case estas/DET/4/det/Gender=Fem|Number=Plur "
        "personas/NOUN/1/nmod/Gender=Fem|Number=Plur se/PRON/6/expl:pv/Person=3 "
        "convertirá/VERB/0/root/Mood=Ind|Number=Sing|Person=3|VerbForm=Fin",
        "Algunas/PRON/6/nsubj/Gender=Fem|Number=Plur de/ADP/4/case estas/DET/4/det/Gender=Fem|Number=Plur "
        "personas/NOUN/1/nmod/Gender=Fem|Number=Plur se/PRON/6/expl:pv/Person=3 "
        "convertirán/VERB/0/root/Mood=Ind|Number=Plur|Person=3|VerbForm=Fin",
        "subject-verb",
    ),
    "gender": (
        "Barricadas/NOUN/3/nsubj:pass/Gender=Fem|Number=Plur fueron/AUX/3/aux:pass/Number=Plur|Person=3|VerbForm=Fin "
        "creados/VERB/0/root/Gender=Masc|Number=Plur|VerbForm=Part",
        "Barricadas/NOUN/3/nsubj:pass/Gender=Fem|Number=Plur fueron/AUX/3/aux:pass/Number=Plur|Person=3|VerbForm=Fin "
        "creadas/VERB/0/root/Gender=Fem|Number=Plur|VerbForm=Part",
        "subject-verb",
    ),
    "noun phrase": (
        "Buena/ADJ/2/amod/Gender=Fem|Number=Sing mentirosos/NOUN/4/nsubj/Gender=Masc|Number=Plur "
        "están/AUX/4/cop/Number=Plur|Person=3|VerbForm=Fin cualificados/ADJ/0/root/Gender=Masc|Number=Plur",
        "Buenos/ADJ/2/amod/Gender=Masc|Number=Plur mentirosos/NOUN/4/nsubj/Gender=Masc|Number=Plur "
        "están/AUX/4/cop/Number=Plur|Person=3|VerbForm=Fin cualificados/ADJ/0/root/Gender=Masc|Number=Plur",
        "noun-phrase",
    ),
}
# Avramidis': an adjective in the wrong number.
REDUCED = (
    "han/AUX/2/aux/Number=Plur|Person=3|VerbForm=Fin descrito/VERB/0/root/Gender=Masc|Number=Sing|VerbForm=Part "
    "como/ADP/4/case deducciones/NOUN/2/obl/Gender=Fem|Number=Plur {}"
)
POLITICAL = "político/ADJ/4/amod/Gender=Masc|Number=Sing", "políticas/ADJ/4/amod/Gender=Fem|Number=Plur"


def words(parse: str) -> str:
    return " ".join(entry.split("/")[0] for entry in parse.split())


def hits(line: str, language: str = "es", parse: str | None = None) -> list[tuple[str, str]]:
    found = check_text([line], language=language, parser=given(parse) if parse is not None else None)
    return [(check, shown) for _, check, shown, _, _ in found.hits]


def feature(spec: str, output: str, *, languages: str = "en-es", parse: str | None = None) -> float:
    resources = Resources.of(target_parser=given(parse)) if parse is not None else None
    found = extract_features(["x"], [output], FeatureRecipe(features=(spec,), languages=languages), resources=resources)
    return float(found.values[0, 0])


@pytest.mark.parametrize("name", sorted(STARRED))
def test_starred_sentences_are_flagged_and_right_ones_are_not(name: str) -> None:
    wrong, right, check = STARRED[name]
    assert [found for found, _ in hits(words(wrong), parse=wrong)] == [check]
    assert hits(words(right), parse=right) == []
    assert feature(f"checks:kind={check}", words(wrong), parse=wrong) == 1
    assert feature(f"checks:kind={check},value=share", words(wrong), parse=wrong) > 0
    assert feature(f"checks:kind={check}", words(right), parse=right) == 0
    assert feature("checks:kind=all", words(wrong), parse=wrong) == 1


def test_what_disagrees() -> None:
    wrong = STARRED["gender"][0]
    assert feature("checks:kind=subject-verb,feature=Gender", words(wrong), parse=wrong) == 1
    assert feature("checks:kind=subject-verb,feature=Number", words(wrong), parse=wrong) == 0
    # Subject and verb, subject and participle: one of the two pairs is wrong.
    assert feature("checks:kind=subject-verb,value=share", words(wrong), parse=wrong) == 0.5
    assert feature("checks:kind=subject-verb,value=characters", words(wrong), parse=wrong) == len("Barricadascreados")
    reduced = REDUCED.format(POLITICAL[0])
    assert hits(words(reduced), parse=reduced) == [("noun-phrase", "deducciones político")]
    assert feature("checks:kind=noun-phrase,feature=Number", words(reduced), parse=reduced) == 1
    right = REDUCED.format(POLITICAL[1])
    assert hits(words(right), parse=right) == []


def test_what_may_differ() -> None:
    # The participle of a perfect tense does not agree, and two singulars are a plural.
    perfect = (
        "Ellas/PRON/3/nsubj/Gender=Fem|Number=Plur|Person=3 han/AUX/3/aux/Number=Plur|Person=3|VerbForm=Fin "
        "comido/VERB/0/root/Gender=Masc|Number=Sing|VerbForm=Part"
    )
    assert hits(words(perfect), parse=perfect) == []
    both = (
        "Ana/PROPN/4/nsubj/Number=Sing y/CCONJ/3/cc Luis/PROPN/1/conj/Number=Sing "
        "cantan/VERB/0/root/Number=Plur|Person=3|VerbForm=Fin"
    )
    assert hits(words(both), parse=both) == []
    either = "el/DET/2/det/Gender=Masc artista/NOUN/0/root/Gender=Fem,Masc"
    assert hits(words(either), parse=either) == []
    unmarked = "the/DET/2/det dogs/NOUN/3/nsubj/Number=Plur ran/VERB/0/root/VerbForm=Fin"
    assert hits(words(unmarked), "en", unmarked) == []


def test_determiners_without_a_noun() -> None:
    dangling = "la/DET/2/det corre/VERB/0/root/VerbForm=Fin"
    assert hits(words(dangling), parse=dangling) == [("dangling-determiner", "la")]
    assert feature("checks:kind=dangling-determiner", words(dangling), parse=dangling) == 1
    bound = "la/DET/2/det casa/NOUN/0/root"
    assert hits(words(bound), parse=bound) == []


def test_patterns_of_words() -> None:
    assert hits("La articular y ideológicamente correcta") == [("word-form", "y ideológicamente")]
    assert hits("agua y hielo") == []
    assert hits("siete o ocho") == [("word-form", "o ocho")]
    assert hits("va a el parque de el Retiro de El Salvador") == [
        ("split-contraction", "a el"),
        ("split-contraction", "de el"),
    ]
    assert hits("va al parque del Retiro") == []
    assert hits("the the cat , , sat ..", "en") == [
        ("word-repeat", "the the"),
        ("double-punctuation", ", ,"),
        ("double-punctuation", ".."),
    ]
    assert hits("the cat , sat . . .", "en")[-1] == ("double-punctuation", ". .")
    assert hits("that that is is not 5 5 — —", "en") == []
    assert hits("die die", "de") == []
    assert hits("Die die Katze", "en") == [("word-repeat", "Die die")]
    assert hits("an cat and a apple , an hour and a university", "en") == [
        ("word-form", "an cat"),
        ("word-form", "a apple"),
    ]
    assert hits("de le chien mais de le faire", "fr") == [("split-contraction", "de le chien")]
    assert check_text(["a el"], language="es").hits[0][4] == "al"
    assert check_text([], language="es").hits == ()
    assert check_text(["", " "], language="es").meta()["n_lines"] == 2


def test_rules_of_a_language_are_not_those_of_another() -> None:
    assert feature("checks:kind=word-form", "y ideas") == 1
    assert feature("checks:kind=word-form,value=characters", "y ideas") == 6
    assert feature("checks:kind=word-form,value=share", "y ideas de casa") == pytest.approx(1 / 6)  # of two rules
    for languages in ("en-de", "en-sw", "en-xx", ""):
        assert feature("checks:kind=word-form", "y ideas", languages=languages) == 0
    assert feature("checks", "ideas ideas", languages="") == 1
    assert feature("deictics", "hoy allí tú Hoy casa") == 4
    assert feature("deictics:per=length", "hoy casa") == 0.5
    assert feature("deictics", "hoy", languages="en-mt") == 0


def test_the_sides_of_a_pair_have_languages_of_their_own() -> None:
    values = extract_features(
        ["now and there"],
        ["ahora"],
        FeatureRecipe(
            features=("deictics:on=source", "deictics:on=difference"),
            languages="en-es",
        ),
    ).values
    assert values.tolist() == [[2, 1]]


def test_every_file_of_rules_can_be_read() -> None:
    folder = Path(__file__).parents[2] / "src" / "dragoman" / "qe" / "checks" / "rules"
    languages = sorted(path.stem for path in folder.glob("*.json"))
    assert {"any", "de", "en", "es", "fr"} <= set(languages)
    for language in languages:
        rules = rules_of(language)
        assert {rule.name for rule in rules.rules} <= set(CHECKS)
        assert language == "any" or rules.deictics
        assert all(word == word.lower() for word in rules.deictics)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"pattern": []}, "rules have no 'pattern'"),
        ({"patterns": [{"name": "spelling", "text": "", "tokens": []}]}, "no check is called 'spelling'"),
        ({"patterns": [{"name": "word-form", "text": ""}]}, "a rule is not as rules are: 'tokens'"),
        ({"agreement": [{"name": "x", "text": "", "relations": [], "features": [], "with": "verb"}]}, "with 'verb'"),
        ({"attachment": [{"name": "x", "tag": "DET"}]}, "a rule is not as rules are"),
    ],
)
def test_wrong_rules_are_named(part: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_rules({"own.json": part})


def test_one_text_is_no_lines() -> None:
    with pytest.raises(DataError, match="got one str"):
        check_text("a b")


def test_the_command_shows_what_is_wrong(tmp_path: Path) -> None:
    wrong, right, _ = STARRED["number"]
    (tmp_path / "mt").write_text(f"{words(wrong)}\n{words(right)}\na el\n", encoding="utf-8")
    write_conllu(tmp_path / "mt.conllu", [sentence(wrong), sentence(right), sentence("a/ADP/2/case el/DET/0/root")])
    run = CliRunner()
    plain = run.invoke(group, ["qe", "check", str(tmp_path / "mt"), "--language", "es"])
    assert plain.exit_code == 0
    assert "split-contraction" in plain.output
    assert "Agreement is not looked at" in plain.output
    parsed = run.invoke(
        group,
        ["qe", "check", str(tmp_path / "mt"), "--language", "es", "--parses", str(tmp_path / "mt.conllu"), "--json"],
    )
    assert parsed.exit_code == 0
    assert '"subject-verb": 1' in parsed.output
    assert '"dangling-determiner": 1' in parsed.output
    both = run.invoke(
        group, ["qe", "check", str(tmp_path / "mt"), "--parser", str(tmp_path), "--parses", str(tmp_path / "mt.conllu")]
    )
    assert both.exit_code == 2
