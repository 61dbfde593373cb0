"""Lemmas and forms: learnt from treebanks, made for words that they do not have."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError
from dragoman.syntax.annotator import ParserAnnotator
from dragoman.syntax.inflection import InflectionRecipe, Inflector, Slot, evaluate_inflection, read_slots
from dragoman.syntax.lemmas import LemmaTable, scripts_of
from dragoman.syntax.parser import Parser, ParserRecipe
from dragoman.text.conllu import Sentence, Word, read_conllu, write_conllu

STEMS = ["skol", "knih", "zen", "vod", "ryb", "hlav", "ruk", "cest", "stran", "rok", "krav", "slam"]
ENDINGS = {"Case=Nom|Number=Sing": "a", "Case=Gen|Number=Sing": "y", "Case=Dat|Number=Plur": "ám"}


def sentences(stems: list[str]) -> list[Sentence]:
    return [
        Sentence(
            (
                Word(1, stem + ending, f"{stem}a", "NOUN", feats=feats, head=2, deprel="nsubj"),
                Word(2, "vidí", "vidět", "VERB", feats="Person=3", head=0, deprel="root"),
            )
        )
        for stem in stems
        for feats, ending in ENDINGS.items()
    ]


def test_forms_of_lemmas_never_seen_are_made_and_those_seen_remembered() -> None:
    model = InflectionRecipe().train([*sentences(STEMS), *sentences(["mouch"])[:1]])
    dative = "Case=Dat|Number=Plur"
    assert model.inflect([Slot("moucha", "NOUN", dative), Slot("kniha", "NOUN", dative)]) == [
        ("mouchám", "script", pytest.approx(model.inflect([Slot("moucha", "NOUN", dative)])[0].margin)),
        ("knihám", "seen", None),
    ]
    # Features that were never met together stand for those that share most.
    assert model.inflect([Slot("moucha", "NOUN", f"{dative}|Polarity=Pos")])[0].form == "mouchám"
    assert model.inflect([]) == []


def test_what_is_not_sure_is_left() -> None:
    genitive = "Case=Gen|Number=Sing"
    others = [
        Sentence((Word(1, f"{stem}u", stem, "NOUN", feats=genitive, head=0, deprel="root"),))
        for stem in ("most", "hrad", "les", "strom")
    ]
    model = InflectionRecipe().train([*sentences(STEMS), *others])
    slot = Slot("moucha", "NOUN", genitive)
    margin = model.inflect([slot])[0].margin
    assert margin is not None
    assert model.inflect([slot], least_margin=margin + 1)[0][:2] == ("moucha", "left")


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    model = InflectionRecipe(epochs=2).train(sentences(STEMS))
    loaded = Inflector.load(model.save(tmp_path / "model"))
    slots = [Slot("moucha", "NOUN", feats) for feats in ENDINGS]
    assert loaded.inflect(slots) == model.inflect(slots)
    assert (loaded.forms, loaded.recipe, loaded.seed) == (model.forms, model.recipe, 1)


def test_hidden_forms_are_counted() -> None:
    found = evaluate_inflection(sentences(STEMS), hidden=0.2, seed=3)
    (pos, n, right, same), *_ = [row for row in found.rows if row[0] == "NOUN"]
    assert (pos, n + sum(row[1] for row in found.rows if row[0] != "NOUN")) == ("NOUN", 7)
    assert right >= same
    with pytest.raises(DataError, match="between 0 and 1 is hidden, got 1"):
        evaluate_inflection(sentences(STEMS), hidden=1)


def test_what_cannot_be_learnt_or_read_is_named() -> None:
    bare = [Sentence((Word(1, "a"),))]
    with pytest.raises(DataError, match="no words with lemmas"):
        InflectionRecipe().train(bare)
    with pytest.raises(DataError, match="No change from lemma to form is made by 2 words"):
        InflectionRecipe().train_forms({Slot("go", "VERB"): Counter(["went"])})
    with pytest.raises(FormatError, match=r"words.tsv.*2.*expected a lemma, a part of speech and features"):
        read_slots(["muž\tNOUN\tCase=Gen", "muž"], "words.tsv")
    with pytest.raises(DataError, match="Word 1 lacks a lemma"):
        InflectionRecipe().train(sentences(STEMS)).inflect([Slot("", "NOUN")])
    assert read_slots(["muž\tNOUN", "a\tX\t"]) == [Slot("muž", "NOUN"), Slot("a", "X")]


def test_a_parser_learns_lemmas(tmp_path: Path) -> None:
    recipe = ParserRecipe(lemmas=True, epochs=1, runs=1, folds=2)
    parser = recipe.train(sentences(STEMS))
    lines = [["mouchám", "vidí"], [], ["Knihy", "vidí"]]
    parsed = parser.parse(lines)
    assert [[word.lemma for word in each.words] if each else None for each in parsed] == [
        ["moucha", "vidět"],
        None,
        ["kniha", "vidět"],
    ]
    loaded = Parser.load(parser.save(tmp_path / "parser"))
    assert loaded.parse(lines) == parsed
    annotator = ParserAnnotator(str(tmp_path / "parser"), give="lemma")
    assert annotator.annotate(lines) == [["moucha", "vidět"], [], ["kniha", "vidět"]]


def test_a_parser_without_lemmas_says_so(tmp_path: Path) -> None:
    parser = ParserRecipe(epochs=1, runs=1, folds=2).train(sentences(STEMS))
    assert parser.parse([["a"]])[0].words[0].lemma == "_"  # type: ignore[union-attr]
    parser.save(tmp_path / "parser")
    with pytest.raises(DataError, match="has learnt no lemmas"):
        ParserAnnotator(str(tmp_path / "parser"), give="lemma").annotate([["a"]])


def test_a_treebank_without_lemmas_gives_forms() -> None:
    plain = [Sentence((Word(1, "a", upos="X", head=0, deprel="root"),))] * 4
    parser = ParserRecipe(lemmas=True, epochs=1, runs=1, folds=2).train(plain)
    assert parser.parse([["b"]])[0].words[0].lemma == "b"  # type: ignore[union-attr]
    assert scripts_of(["went", "a", "b"], ["go", "a", "b"])[0] == ("=|0||0|", "_")
    assert LemmaTable.count([("a", "X", "_")]).lemmas == {}


def test_commands_train_apply_and_evaluate(tmp_path: Path) -> None:
    treebank, model = str(tmp_path / "bank.conllu"), str(tmp_path / "model")
    write_conllu(treebank, sentences(STEMS))
    run = CliRunner().invoke
    assert run(group, ["inflect", "train", treebank, "-m", model, "--json"]).exit_code == 0
    (tmp_path / "words").write_text("moucha\tNOUN\tCase=Gen|Number=Sing\n", encoding="utf-8")
    done = run(group, ["inflect", "apply", str(tmp_path / "words"), "-m", model])
    assert (done.exit_code, done.output) == (0, "mouchy\n")
    table = run(group, ["inflect", "evaluate", treebank, "--hide", "0.2", "--json"])
    assert json.loads(table.output)["rows"][-1]["pos"] == "all"


@pytest.mark.realdata
def test_of_5_percent_hidden_forms_of_czech_30_percent_are_right(data_folder: Path) -> None:
    bank = read_conllu(data_folder / "ud" / "cs_cltt-ud-train.conllu.gz")
    found = evaluate_inflection(bank, hidden=0.05, seed=1)
    n, right = sum(row[1] for row in found.rows), sum(row[2] for row in found.rows)
    assert n > 100
    assert right / n > 0.8  # 86 % were; the bar is 30
