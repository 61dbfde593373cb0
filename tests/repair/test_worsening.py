"""Treebanks made worse, and the parser that learns from one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.repair import Repairer, RepairRecipe, count_form_errors, load_grammar, train_repairer, worsen_treebank
from dragoman.repair.rules.analysis import TargetTree
from dragoman.syntax import Parser, ParserRecipe
from dragoman.text.conllu import Sentence, Word, read_conllu, write_conllu
from tests.repair.language import SOURCE, bitext, lexicon, pair, source

NOMINATIVE, GENITIVE = "Case=Nom|Gender=Fem|Number=Sing", "Case=Gen|Gender=Fem|Number=Sing"


def treebank(n: int = 40) -> list[Sentence]:
    """Women who work, in every case."""
    forms = {"žena": NOMINATIVE, "ženy": GENITIVE}
    return [
        Sentence(
            (
                Word(1, form.capitalize(), "žena", "NOUN", feats=feats, head=2, deprel="nsubj"),
                Word(2, "dělá", "dělat", "VERB", feats="Number=Sing|Person=3", head=0, deprel="root"),
            )
        )
        for _ in range(n)
        for form, feats in forms.items()
    ]


def test_errors_of_form_are_counted_by_maximum_likelihood() -> None:
    errors = count_form_errors(lexicon(), ["ženu dělá", "žena dělá", "pes dělá"], ["žena dělá"] * 3)
    said = errors.counts["NOUN", "Case=Nom|Gender=Fem|Number=Sing"]
    assert said == pytest.approx({"Case=Nom|Gender=Fem|Number=Sing": 1, "Case=Acc|Gender=Fem|Number=Sing": 1})
    slot = ("NOUN", NOMINATIVE)
    assert [errors.drawn(slot, chance) for chance in (0.0, 0.49, 0.51, 0.99)] == [
        "Case=Acc|Gender=Fem|Number=Sing",
        "Case=Acc|Gender=Fem|Number=Sing",
        NOMINATIVE,
        NOMINATIVE,
    ]
    assert errors.drawn(("NOUN", "Case=Voc"), 0.5) == "Case=Voc"  # never met: never wrong
    with pytest.raises(DataError, match="give the output of an engine"):
        count_form_errors(lexicon(), ["žena"], ["žena"])
    with pytest.raises(DataError, match="outputs=1, references=2"):
        count_form_errors(lexicon(), ["žena"], ["žena", "žena"])


def test_a_treebank_has_as_many_errors_and_the_same_trees() -> None:
    errors = count_form_errors(lexicon(), ["ženy"] + ["žena"] * 3, ["žena"] * 4)
    bank = treebank(100)
    result = worsen_treebank(load_grammar("cs"), bank, errors)
    assert result.sentences == worsen_treebank(load_grammar("cs"), bank, errors).sentences
    changed = [(a, b) for a, b in zip(bank, result.sentences, strict=True) if a != b]
    assert len(changed) == result.n_changed
    assert 13 < len(changed) < 37  # one of four nominatives; those of the genitive were never wrong
    for old, new in changed:
        assert (old.words[0].form, new.words[0].form) == ("Žena", "Ženy")
        assert new.words[0].feats != NOMINATIVE
        assert [(w.head, w.deprel) for w in old.words] == [(w.head, w.deprel) for w in new.words]
    assert result.answer().endswith("of 400 words in 200 sentences have another form.")
    assert result.tables()[0].rows


def test_words_without_links_hang_where_the_parser_hangs_them() -> None:
    tree = source("žena/NOUN/3/nsubj malá/ADJ/1/amod dělá/VERB/0/root")
    one = pair("žena malá dělá", "woman/NOUN/2/nsubj works/VERB/0/root", "1-2")
    one.tree = tree
    TargetTree().analyse(one)
    assert [(node.head, node.relation) for node in one.nodes] == [(2, ""), (0, "amod"), (None, "")]


def test_a_repairer_keeps_its_second_parser_and_treebanks_are_worsened_by_command(
    parser: Parser, tmp_path: Path
) -> None:
    recipe = RepairRecipe(order=3, aligner="ibm1")
    own = ParserRecipe(runs=1, epochs=2, tag_epochs=2, folds=2, xpos=False).train(treebank())
    folder = train_repairer(*bitext(), parser, recipe, target_parser=own).save(tmp_path / "model")
    loaded = Repairer.load(folder)
    assert loaded.target_parser is not None
    assert loaded.apply(["Muž v modrý tričku hraje."], [SOURCE]).lines == ("Muž v modrém tričku hraje.",)
    write_conllu(tmp_path / "bank.conllu", treebank())
    (tmp_path / "said").write_text("ženu\nžena\n", encoding="utf-8")
    (tmp_path / "ref").write_text("žena\nžena\n", encoding="utf-8")
    paths = {name: str(tmp_path / name) for name in ("bank.conllu", "said", "ref", "model", "worse.conllu")}
    call = ["repair", "worsen", paths["bank.conllu"], "--said", paths["said"], "-r", paths["ref"], "-m", paths["model"]]
    called = CliRunner().invoke(group, [*call, "--to", paths["worse.conllu"], "--json"])
    assert called.exit_code == 0, called.output
    assert json.loads(called.output)["meta"]["words"] == 160


def test_the_written_treebank_can_be_read(tmp_path: Path) -> None:
    errors = count_form_errors(lexicon(), ["ženy"], ["žena"])
    result = worsen_treebank(load_grammar("cs"), treebank(5), errors)
    write_conllu(tmp_path / "worse.conllu", result.sentences)
    assert [s.words for s in read_conllu(tmp_path / "worse.conllu")] == [s.words for s in result.sentences]
