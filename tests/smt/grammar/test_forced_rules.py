"""Rules pruned by their use: what leaving one out takes away, what pruning must keep, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.smt import EngineRecipe, ForcedDecoding
from dragoman.smt.grammar import GrammarExtraction, RuleTable
from dragoman.smt.grammar.forced import prune_rules
from dragoman.smt.grammar.rules import Rule
from dragoman.smt.pairs import Linked
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from tests.smt.test_forced import linked

from .test_kinds import EUROPE, bitext

PRUNE = ForcedDecoding(method="prune")
FEW = {"phrase-penalty": 0.5}  # else a rule more costs nothing
WHOLE = GrammarExtraction(counts="whole")


def spelt(rule: Rule) -> tuple[str, str]:
    sides = (
        " ".join(each if isinstance(each, str) else f"[{each.number}]" for each in side)
        for side in (rule.source, rule.target)
    )
    return next(sides), next(sides)


def rules_of(table: RuleTable) -> set[tuple[str, str]]:
    return {spelt(rule) for rule in table}


@pytest.fixture(scope="module")
def text(book: dict[str, list[str]]) -> Linked:
    return linked(book["en"][:150], book["de"][:150])


@pytest.fixture(scope="module")
def path(text: Linked, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "rules"
    GrammarExtraction().extract(text.text, text.source, text.target, path)
    return path


def test_a_rule_that_one_sentence_has_is_not_used_if_others_can_say_it(tmp_path: Path) -> None:
    words = [("a", "A", "0-0"), ("b", "B", "0-0")] * 3
    aligned, source, target = bitext(*words, ("a b", "A B", "0-0 1-1"))
    WHOLE.extract(aligned, source, target, tmp_path / "rules")

    def left(**how: object) -> set[tuple[str, str]]:
        method = replace(PRUNE, margin=0, n_best=1, **how)  # type: ignore[arg-type]
        table, _ = prune_rules(method, tmp_path / "rules", aligned, source, target, rules=WHOLE, weights=FEW)
        return rules_of(table)

    assert left() == {("a", "A"), ("b", "B")}
    assert ("a b", "A B") in left(leave_one_out=False)  # then the longest wins


def test_a_rule_with_a_gap_that_others_have_is_used(tmp_path: Path) -> None:
    """Words change places around `of` in three pairs: each is said by the rule that the two others leave."""
    pairs = [(f"a{i} of b{i}", f"B{i} A{i}", "0-1 2-0") for i in range(3)]
    words = [pair for i in range(3) for pair in [(f"a{i}", f"A{i}", "0-0"), (f"b{i}", f"B{i}", "0-0")] * 2]
    loose = replace(WHOLE, aligned_word=False, tight="none")
    aligned, source, target = bitext(*pairs, *words)
    loose.extract(aligned, source, target, tmp_path / "rules")
    method = replace(PRUNE, margin=0, n_best=1)
    table, report = prune_rules(method, tmp_path / "rules", aligned, source, target, rules=loose, weights=FEW)
    left = rules_of(table)
    assert ("[0] of [1]", "[1] [0]") in left
    assert not [source for source, _ in left if source.startswith("a0 of b")]
    assert (report.n_pairs, report.n_reached, report.n_whole) == (15, 15, 15)


def test_more_derivations_keep_more_and_scores_stay(text: Linked, path: Path) -> None:
    whole, kept = RuleTable.read_rules(path), []
    scores = {spelt(rule): rule.scores for rule in whole}
    for n in (1, 10):
        method = replace(PRUNE, margin=0, n_best=n, restore=0)
        table, report = prune_rules(method, path, text.text, text.source, text.target, n_threads=2)
        kept.append(rules_of(table))
        assert (report.n_before, report.n_left) == (len(whole), len(table))
        assert report.tables()[0].rows[2][0] == "rules left"
    assert kept[0] < kept[1] < set(scores)
    assert all(scores[spelt(rule)] == pytest.approx(rule.scores, rel=1e-4) for rule in table)


def test_every_word_keeps_a_rule_whatever_the_number_of_threads(text: Linked, path: Path) -> None:
    one, two = (
        prune_rules(PRUNE, path, text.text, text.source, text.target, n_threads=n)[0].core.serialised() for n in (1, 2)
    )
    assert one == two
    whole = RuleTable.read_rules(path)
    table, _ = prune_rules(PRUNE, path, text.text, text.source, text.target)
    words = [word for word in whole.source.words() if whole.translations(word)]
    assert words
    assert all(table.translations(word) for word in words)


def test_a_training_prunes_its_rules_if_told(book: dict[str, list[str]], tmp_path: Path) -> None:
    pairs = Bitext.from_lines(book["en"][:150], book["de"][:150], source_lang="en", target_lang="de")
    settings = ["grammar.kind=hiero", "tune.method=none"]
    whole, pruned = (
        train_engine(pairs, changed(EngineRecipe(), [*settings, *more]), work=tmp_path, report=False)
        for more in ([], ["prune.method=prune"])
    )
    tables = [done.engine.models.grammar for done in (whole, pruned)]
    n_rules = [0 if table is None else len(table) for table in tables]
    assert 0 < n_rules[1] < 0.5 * n_rules[0]
    outcome = next(outcome for name, outcome, _, _ in pruned.steps if name == "grammar")
    assert f"{n_rules[1]} left by their use" in outcome
    assert all(pruned.engine.translate(["Good morning.", "flange"]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["prune.method=reestimate", "grammar.kind=hiero"], "re-estimated"),
        (["prune.method=prune", "grammar.kind=dependency"], "without labels and depths"),
        (["prune.method=prune", "grammar.kind=hiero", "grammar.shallow=1"], "without labels and depths"),
    ],
)
def test_what_cannot_be_pruned_is_refused(settings: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        changed(EngineRecipe(), settings).check()


def test_tables_that_were_not_extracted_are_refused(tmp_path: Path) -> None:
    aligned, source, target = bitext(EUROPE)
    (tmp_path / "rules").write_text("celie [X] ||| stand [X] ||| 1 1 1 1 ||| 0-0\n", encoding="utf-8")
    with pytest.raises(DataError, match="needs the counts of extracted rules"):
        prune_rules(PRUNE, tmp_path / "rules", aligned, source, target)
    (tmp_path / "rules").write_text("celie [NN] ||| stand [X] ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n", encoding="utf-8")
    with pytest.raises(DataError, match="needs rules with one label"):
        prune_rules(PRUNE, tmp_path / "rules", aligned, source, target)
