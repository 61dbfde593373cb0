"""The repairer whole: what it mends and leaves, on its own and from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, UnknownName
from dragoman.repair import RULES, Repairer, RepairRecipe, ablate_rules, mend_injected, train_repairer
from dragoman.repair.injection import inject_errors
from dragoman.syntax import Parser
from tests.repair.language import SOURCE, bitext


@pytest.fixture(scope="module")
def repairer(parser: Parser, tmp_path_factory: pytest.TempPathFactory) -> Repairer:
    trained = train_repairer(*bitext(), parser, RepairRecipe(order=3, aligner="ibm1"))
    return Repairer.load(trained.save(tmp_path_factory.mktemp("repairer") / "model"))


def test_an_error_of_agreement_is_mended_and_explained(repairer: Repairer) -> None:
    result = repairer.apply(["Muž v  modrý tričku hraje."], [SOURCE])
    assert result.lines == ("Muž v  modrém tričku hraje.",)  # white space is kept
    (repair,) = [each for each in result.repairs if each.made]
    assert (repair.rule, repair.old, repair.new) == ("noun-attribute", "modrý", "modrém")
    assert "becomes “modrém”" in repair.reason
    assert repair.gain > repairer.recipe.gain
    left = repairer.apply(["Muž v  modrý tričku hraje."], [SOURCE], without=("noun-attribute",))
    assert left.lines == left.outputs


def test_what_is_right_or_not_known_stays_byte_by_byte(repairer: Repairer) -> None:
    lines = [
        "Muž v modrém tričku hraje.",
        "",
        "   ",
        "Xyzzy v plugh.\u00a0Foo.",
        "😀 ...",
        "A\x00b .",
        "slovo " * 10_000,
    ]
    result = repairer.apply(lines, [SOURCE, "", SOURCE, SOURCE, SOURCE, SOURCE, "word"])
    assert result.lines == tuple(lines)
    assert result.n_changed == 0


def test_low_confidence_leaves_the_word(repairer: Repairer) -> None:
    result = repairer.apply(["Muž v modrý tričku hraje."], [SOURCE])
    stubborn = Repairer(
        RepairRecipe(order=3, aligner="ibm1", gain=90.0),
        repairer.lexicon,
        repairer.aligner,
        repairer.lm,
        repairer.parser,
    )
    refused = stubborn.apply(["Muž v modrý tričku hraje."], [SOURCE])
    assert refused.lines == refused.outputs != result.lines
    assert [each.made for each in refused.repairs] == [False] * len(refused.repairs) != []


def test_wrong_lengths_and_names_are_named(repairer: Repairer, parser: Parser) -> None:
    with pytest.raises(DataError, match="outputs=1, sources=2"):
        repairer.apply(["a"], ["a", "b"])
    with pytest.raises(UnknownName, match="No repair rule is called 'case'"):
        repairer.apply(["a"], ["a"], only=("case",))
    with pytest.raises(DataError, match="nothing to learn from"):
        train_repairer(["", "a"], ["b", ""], parser)
    with pytest.raises(DataError, match="no line to put errors into"):
        mend_injected(repairer, [], [])


def test_errors_are_put_in_and_mended(repairer: Repairer) -> None:
    sources, references = [SOURCE] * 12, ["Muž v modrém tričku hraje."] * 12
    pairs = repairer.pairs(references, repairer.parse(sources))
    injections = inject_errors(pairs, seed=3)
    assert injections == inject_errors(pairs, seed=3)
    assert injections
    assert all(each.old != each.new for each in injections)
    result = mend_injected(repairer, references, sources, seed=3)
    assert result.n_good_changed == 0
    assert result.mended > 50
    assert sum(each.injected for each in result.kinds) == len(injections)


def test_an_ablation_has_a_row_for_each_rule(repairer: Repairer) -> None:
    lines, references = ["Muž v modrý tričku hraje.", "Žena hraje."], ["Muž v modrém tričku hraje.", "Žena hraje."]
    result = ablate_rules(repairer, lines, [SOURCE, "A woman plays."], references)
    effects = {each.rule: each for each in result.effects}
    assert len(effects) == len(RULES.names()) == 26
    assert (effects["noun-attribute"].changed, effects["noun-attribute"].improved) == (1, 1)
    assert effects["negation"].changed == 0
    assert result.before is not None
    assert result.after is not None
    assert result.before < result.after == pytest.approx(100)
    assert ablate_rules(repairer, lines, [SOURCE, "A woman plays."]).after is None


def test_the_commands(parser: Parser, tmp_path: Path) -> None:
    sources, targets = bitext()
    files = {"train.en": sources, "train.cs": targets, "mt.cs": ["Muž v modrý tričku hraje."], "src.en": [SOURCE]}
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    parser.save(tmp_path / "parser")
    path = {name: str(tmp_path / name) for name in [*files, "parser", "model"]}

    def run(*words: str) -> str:
        done = CliRunner().invoke(group, ["repair", *words, "-m", path["model"]])
        assert done.exit_code == 0, done.output
        return done.output

    options = ["--order", "3", "--aligner", "ibm1"]
    run("train", path["train.en"], path["train.cs"], "--parser", path["parser"], *options)
    assert run("apply", path["mt.cs"], "-s", path["src.en"]) == "Muž v modrém tričku hraje.\n"
    assert "noun-attribute" in run("apply", path["mt.cs"], "-s", path["src.en"], "--explain")
    rows = json.loads(run("ablate", path["mt.cs"], "-s", path["src.en"], "--json"))["rows"]
    assert {row["rule"] for row in rows if row["changed"]} >= {"noun-attribute"}
    meta = json.loads(run("evaluate", path["mt.cs"], "-s", path["src.en"], "--json"))["meta"]
    assert meta["lines"] == 1
