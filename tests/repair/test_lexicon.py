"""Grammars as data, and which words follow which paradigm by the text alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import FormatError, ModelError, UnknownName
from dragoman.repair.grammar import grammar_names, load_grammar, read_grammar
from dragoman.repair.lexicon import Lexicon, learn_lexicon
from dragoman.repair.pairs import pair_of
from dragoman.repair.rules import RULES
from dragoman.text.conllu import Sentence, Word
from tests.repair.language import lexicon, source

GOOD = """
language = "xx"
[slots]
noun = ["Number=Sing,Plur"]
[changes]
"^i" = [["k$", "ci"], ["$", "i"]]
[[paradigm]]
name = "vlk"
upos = "NOUN"
tables.noun = "0 ^i"
[agreement]
attribute = ["Number"]
"""


def test_stems_change_before_some_endings(tmp_path: Path) -> None:
    (tmp_path / "xx.toml").write_text(GOOD, encoding="utf-8")
    grammar = load_grammar(str(tmp_path / "xx.toml"))
    assert [grammar.form("vlk", ending) for ending, _ in grammar.paradigms[0].endings] == ["vlk", "vlci"]
    czech = load_grammar("cs")
    assert (czech.form("velk", "^í"), czech.form("knih", "^e"), czech.form("dívk", "^0")) == ("velcí", "knize", "dívek")
    assert czech.cases("Ve") == ("Loc", "Acc")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"0 ^i"', '"0"', "the table 'noun' of 'vlk' has 1 endings for 2 slots"),
        ('"0 ^i"', '"0 ^a"', "'\\^a', which \\[changes\\] lacks"),
        ("tables.noun", "tables.verb", "a table 'verb' without slots; known: noun"),
        ("[agreement]", "[other]", "the grammar does not fit: 'agreement'"),
        ('"k$"', '"(k"', "the grammar does not fit"),
        ("[slots]", "[slots", "this is no TOML"),
    ],
)
def test_what_does_not_fit_is_named(old: str, new: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_grammar(tmp_path / "bad.toml")


def test_languages_are_known_by_name() -> None:
    assert {"cs", "de", "es"} <= set(grammar_names())
    with pytest.raises(UnknownName, match="no grammar of 'xx'"):
        load_grammar("xx")


def test_text_tells_paradigms_apart() -> None:
    readings = {(each.upos, each.feats.get("Gender"), each.feats.get("Case")) for each in lexicon().analyses("Ženě")}
    assert readings == {("NOUN", "Fem", "Dat"), ("NOUN", "Fem", "Loc")}
    assert {each.upos for each in lexicon().analyses("modrém")} == {"ADJ"}
    assert lexicon().analyses("zebra") == ()


def test_a_treebank_adds_words_and_a_lexicon_is_kept(tmp_path: Path) -> None:
    word = Word(1, "Unie", "unie", "NOUN", "_", "Animacy=Inan|Case=Gen|Gender=Masc|Number=Sing", 0, "root")
    learnt = learn_lexicon(load_grammar("cs"), [], [Sentence((word,))])
    (reading,) = learnt.analyses("unie")
    assert (learnt.name(reading), reading.feats["Gender"]) == ("unie", "Masc+Inan")
    learnt.write(tmp_path / "lexicon.jsonl")
    assert Lexicon.read(tmp_path / "lexicon.jsonl").analyses("unie")[0].feats == reading.feats


def test_a_second_language_has_rules_by_its_grammar_alone() -> None:
    grammar = load_grammar("es")
    text = (
        "casa casas rojo roja rojos rojas gato gatos la las el los libro libros hablar hablo habla hablan cantar cantan"
    )
    words = learn_lexicon(grammar, [text.split()] * 3)
    tree = source("red/ADJ/2/amod house/NOUN/0/root")
    pair = pair_of("los casas rojo", tree, [(1, 1), (0, 2)], grammar, words)
    rule = RULES.make("noun-attribute")
    assert [fix.form for fix in rule.applies(pair, 2)] == ["rojas"]
    assert "las" in [fix.form for fix in rule.applies(pair, 0)]
    assert not RULES.make("subject").applies(pair, 1)


@pytest.mark.parametrize("text", ["[]\n", '{"a": "b"}\n', '{}\n["a", "NOUN", [[1, "x"]]]\n'])
def test_a_damaged_lexicon_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "lexicon.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match="Train the repairer again"):
        Lexicon.read(tmp_path / "lexicon.jsonl")


def test_a_language_without_paradigms_takes_forms_from_a_treebank() -> None:
    rows = [(f"{stem}e", f"{stem}", "Plur") for stem in ("Hund", "Tisch", "Berg", "Brief", "Stein", "Wein", "Zug")]
    rows += [(f"{stem}", f"{stem}", "Sing") for stem in ("Hund", "Tisch", "Berg", "Brief", "Stein", "Wein", "Freund")]
    sentences = [
        Sentence((Word(1, form, lemma, "NOUN", "_", f"Case=Nom|Gender=Masc|Number={number}", 0, "root"),))
        for form, lemma, number in rows
    ]
    words = learn_lexicon(load_grammar("de"), [["Hund", "Hunde"]], sentences)
    (reading,) = words.analyses("Freunde")  # the treebank has the singular alone
    assert (words.name(reading), reading.feats["Number"]) == ("Freund", "Plur")
    assert "freunde" not in words.counts  # it is proposed only where no form that text has would do
