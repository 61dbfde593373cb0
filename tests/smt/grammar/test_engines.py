"""Engines with grammars: trained as others are, and asked the same."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.engines import Request
from dragoman.engines.results import GUESS
from dragoman.errors import DataError, DoubtfulInput, FormatError
from dragoman.files import write_lines
from dragoman.metrics import score
from dragoman.samples import phrasebook
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.adaptation import adapt_engine
from dragoman.smt.grammar.recipe import GrammarSection
from dragoman.smt.recipe import changed
from dragoman.smt.stream_models import StreamModels
from dragoman.smt.training import Training, train_engine
from dragoman.smt.training_plan import plan_training

BOOK = phrasebook()
HIERO = changed(EngineRecipe(), ["grammar.kind=hiero", "tune.method=none", "classes.number=20"])


@pytest.fixture(scope="module")
def bitext() -> Bitext:
    return Bitext.from_lines(BOOK["en"][:540], BOOK["de"][:540], source_lang="en", target_lang="de")


@pytest.fixture(scope="module")
def dev() -> TestSet:
    return TestSet(srcs=BOOK["en"][540:], refs={"ref": BOOK["de"][540:]})


@pytest.fixture(scope="module")
def model(bitext: Bitext, made_once: Callable[..., Path]) -> Path:
    def train(folder: Path) -> None:
        train_engine(bitext, HIERO, work=folder / "work", output=folder / "engine")

    return made_once("phrasebook-hiero", train) / "engine"


@pytest.fixture(scope="module")
def engine(model: Path) -> Engine:
    return Engine.load(model)


@pytest.fixture(scope="module")
def trees(bitext: Bitext, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Flat trees of both sides as the pipeline tokenises them: a chunk, a chunk, the rest."""
    folder = tmp_path_factory.mktemp("trees")
    tokens = train_engine(bitext, HIERO, work=folder / "work").engine
    files = {}
    for side, lines in (("source", BOOK["en"][:540]), ("target", BOOK["de"][:540])):
        rows = getattr(tokens, side).trained(lines)
        write_lines(folder / side, [_tree(row.split()) for row in rows])
        files[side] = str(folder / side)
    return files


def _tree(words: list[str]) -> str:
    leaves = [f"(W {word})" for word in words]
    chunks = [f"(C {' '.join(leaves[i : i + 2])})" for i in range(0, len(leaves), 2)]
    return f"(S {' '.join(chunks)})"


def translated(engine: Engine, lines: list[str]) -> list[str]:
    return engine.translate(lines)


def test_an_engine_with_a_grammar_is_saved_loaded_and_translates_what_it_has_seen(engine: Engine) -> None:
    srcs, refs = BOOK["en"][:100], BOOK["de"][:100]
    assert score({"own": translated(engine, srcs)}, {"ref": refs}, metrics=("bleu",)).score("own", "bleu").value > 50
    assert engine.models.table is None
    assert engine.models.grammar is not None
    assert {"glue", "unknown", "lm", "word-penalty"} <= set(engine.feature_names)
    assert "phrase-lengths" not in " ".join(engine.feature_names)


def test_it_is_tuned_as_others_are_and_climbs_its_own_ladder(bitext: Bitext, dev: TestSet, tmp_path: Path) -> None:
    recipe = changed(HIERO, ["tune.method=mert:rounds=2", "tune.n_best=20"])
    done = train_engine(bitext, recipe, work=tmp_path, dev=dev)
    assert done.ladder is not None
    assert [rung.rung for rung in done.ladder.rungs] == [
        "rules and language model",
        "+ word classes",
        "+ tuned weights",
    ]
    assert done.tuning is not None


def test_steps_are_kept_and_the_span_concerns_translating_alone(bitext: Bitext, tmp_path: Path) -> None:
    train_engine(bitext, HIERO, work=tmp_path)
    wider = train_engine(bitext, changed(HIERO, ["grammar.span=5"]), work=tmp_path)
    assert _states(wider)["grammar"] == "kept"
    deeper = train_engine(bitext, changed(HIERO, ["grammar.shallow=1"]), work=tmp_path)
    assert _states(deeper)["grammar"] == "made"
    assert _states(deeper)["align"] == "kept"
    names = [name for pair in deeper.engine.models.grammar.labels for name in pair]  # type: ignore[union-attr]
    assert set(names) == {"X0", "X1"}


def _states(done: Training) -> dict[str, str]:
    return {name: "kept" if kept else "made" for name, _, _, kept in done.steps}


@pytest.mark.parametrize(
    ("settings", "side"),
    [
        (["grammar.kind=ghkm"], "target"),
        (["grammar.kind=ghkm", "grammar.side=source"], "source"),
        (["grammar.labels=constituents"], "target"),
        (["grammar.labels=samt"], "target"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else value,
)
def test_parses_of_a_file_name_the_rules(
    settings: list[str], side: str, bitext: Bitext, trees: dict[str, str], tmp_path: Path
) -> None:
    recipe = changed(HIERO, [*settings, f"parse.{side}={trees[side]}"])
    if side == "source":
        with pytest.raises(DataError, match=r"is no parser's model"):
            train_engine(bitext, recipe, work=tmp_path)
        return
    done = train_engine(bitext, recipe, work=tmp_path)
    names = {pair[1] for pair in done.engine.models.grammar.labels}  # type: ignore[union-attr]
    assert "C" in names
    assert all(translated(done.engine, BOOK["en"][:20]))


def test_classes_of_words_are_labels_without_a_parser(bitext: Bitext, tmp_path: Path) -> None:
    recipe = changed(HIERO, ["grammar.labels=classes", "grammar.classes=4"])
    done = train_engine(bitext, recipe, work=tmp_path)
    assert 4 <= len(done.engine.models.grammar.labels) <= 21  # type: ignore[union-attr]
    assert all(translated(done.engine, BOOK["en"][:20]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["grammar.kind=ghkm"], "needs parses of the target.*--set parse.target=PATH"),
        (["grammar.kind=hiero", "index.use=beside"], "no index of phrases"),
        (["grammar.kind=hiero", "grammar.labels=classes", "grammar.shallow=1"], "labels=classes"),
        (["grammar.kind=ghkm", "grammar.labels=samt"], "called by their trees"),
        (["grammar.kind=hiero", "tables.mode=back-off"], "^tables.mode is of phrase tables"),
        (["grammar.kind=hiero", "tables.mode=fill-up"], "^tables.mode is of phrase tables"),  # the default, asked for
        (["grammar.kind=hiero", "tables.mode=either", "tables.provenance=true"], "^tables.mode, tables.provenance is"),
        (["search.grow=true"], "Only engines with grammars grow cubes"),
        (["grammar.kind=ghkm", "parse.target=nowhere"], "There are no parses nowhere"),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
def test_what_does_not_go_together_is_refused_before_any_work(
    settings: list[str], message: str, bitext: Bitext, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=message):
        plan_training(bitext, changed(EngineRecipe(), settings), work=tmp_path)


@pytest.mark.parametrize(
    ("settings", "ignored"),
    [
        (["grammar.kind=hiero", "phrases.longest=5", "search.distortion_limit=3"], "phrases.longest, search.distor"),
        (["grammar.gaps=1", "grammar.longest=7"], "grammar.longest, grammar.gaps (grammar.kind=none)"),
        (["grammar.kind=hiero", "grammar.longest=7", "search.pop_limit=50"], ""),
        (["phrases.longest=5", "search.distortion_limit=3"], ""),
        (["tables.mode=both"], "tables.mode (there is one text)"),
        (["prune.margin=3"], "prune.margin (prune.method=none)"),
        (["index.samples=7"], ""),  # `smt stream` reads it
        (["prune.method=prune", "prune.margin=3", "prune.tuner=none"], ""),
        (["index.use=only", "index.samples=7", "phrases.longest=5"], "phrases.longest (index.use=only)"),
        (["alternatives.layers=split", "compounds.shortest=3"], ""),
        (["compounds.shortest=3", "morphemes.words=9"], "compounds.shortest (compounds.side=none); morphemes.words ("),
        (["verbs.epochs=3", "factors.order=2"], "verbs.epochs (verbs.parser names none); factors.order (factors."),
        (["reorder.use=lattice", "reorder.label_share=0.2"], "reorder.use, reorder.label_share (reorder.model names"),
        (["alternatives.n_best=3", "classes.number=0", "classes.order=3"], "classes.order (classes.number=0)"),
        (["alternatives.layers=split", "alternatives.n_best=3"], "alternatives.n_best (alternatives.forced=no)"),
        (["tune.method=none", "tune.n_best=7"], "tune.n_best (tune.method=none)"),
        (["parse.target=nowhere"], "parse.target (nothing asks for parses)"),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
def test_settings_without_effect_are_named(settings: list[str], ignored: str, bitext: Bitext, tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        plan_training(bitext, changed(EngineRecipe(), settings), work=tmp_path)
    assert [each.category for each in told] == [DoubtfulInput] * bool(ignored)
    assert all(ignored in str(each.message) for each in told)


def test_an_engine_of_before_that_was_given_modes_of_tables_opens() -> None:
    """Version 0.1.0 took them beside a grammar and did not look at them."""
    recipe = EngineRecipe.of_manifest({"grammar": {"kind": "hiero"}, "tables": {"mode": "back-off"}})
    assert recipe.tables == EngineRecipe().tables


def test_parses_of_another_text_are_named_by_their_line(bitext: Bitext, trees: dict[str, str], tmp_path: Path) -> None:
    lines = Path(trees["target"]).read_text(encoding="utf-8").splitlines()
    write_lines(tmp_path / "odd", [*lines[:7], _tree(["a"] * 60), *lines[8:]])
    recipe = changed(HIERO, ["grammar.kind=ghkm", f"parse.target={tmp_path / 'odd'}"])
    with pytest.raises(FormatError, match="the parse of line 8 has 60 tokens"):
        train_engine(bitext, recipe, work=tmp_path / "work")
    write_lines(tmp_path / "short", lines[:-1])
    recipe = changed(HIERO, ["grammar.kind=ghkm", f"parse.target={tmp_path / 'short'}"])
    with pytest.raises(DataError, match="no parse for line 540"):
        train_engine(bitext, recipe, work=tmp_path / "work")


def test_lines_without_a_parse_are_counted(bitext: Bitext, trees: dict[str, str], tmp_path: Path) -> None:
    lines = Path(trees["target"]).read_text(encoding="utf-8").splitlines()
    write_lines(tmp_path / "trees", ["", "", *lines[2:]])
    recipe = changed(HIERO, ["grammar.kind=ghkm", f"parse.target={tmp_path / 'trees'}"])
    done = train_engine(bitext, recipe, work=tmp_path / "work")
    outcome = next(outcome for name, outcome, _, _ in done.steps if name == "grammar")
    assert "2 lines without a parse" in outcome


def test_details_of_a_translation_are_those_of_other_engines(engine: Engine) -> None:
    line = BOOK["en"][3]
    (best,) = engine.translations([line], Request(n_best=5, alignment=True, confidence=True, features=True))
    assert 1 < len(best.candidates) <= 5
    first = best.candidates[0]
    assert first.alignment
    assert first.word_confidence
    assert all(0 <= value <= 1 + 1e-6 for value in first.word_confidence)
    values = zip(engine.feature_names, first.features or (), strict=True)
    weighted = sum(engine.weights[name] * value for name, value in values)
    assert weighted == pytest.approx(first.score, abs=1e-3)


def test_a_word_without_a_rule_of_its_own_is_a_guess_where_it_is_copied(engine: Engine) -> None:
    """Such a word was met, in rules with others; where these do not apply it is copied, as one never met."""
    grammar = engine.models.grammar
    assert grammar is not None
    words = [word for word in grammar.source.words() if word.isalpha() and word == word.lower()]
    met = [word for word in words if grammar.count(word) and not grammar.translates(word)]
    said = [each.candidates[0] for each in engine.translations(met, Request(confidence=True))]
    copied = [one for word, one in zip(met, said, strict=True) if one.target_tokens == word]
    assert copied
    assert all(one.guessed == (0,) and (one.word_confidence or (1.0,))[0] <= GUESS for one in copied)


def test_a_derivation_is_told_as_text_and_as_a_picture(model: Path, tmp_path: Path) -> None:
    text = tmp_path / "text"
    write_lines(text, [BOOK["en"][3]])
    shown = CliRunner().invoke(group, ["translate", "-m", str(model), str(text), "--derivation"])
    assert shown.exit_code == 0, shown.output
    assert "→" in shown.output
    pictured = CliRunner().invoke(
        group, ["translate", "-m", str(model), str(text), "--derivation", "--html", str(tmp_path / "page.html")]
    )
    assert pictured.exit_code == 0, pictured.output
    assert "<svg" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_completion_goes_on_from_what_is_typed(engine: Engine) -> None:
    line = BOOK["en"][3]
    best = translated(engine, [line])[0]
    typed = best[: len(best) // 2]
    (completion, *_) = engine.completer(line).complete(typed)
    assert completion.edits == 0
    assert typed + completion.text == best


def test_a_trace_has_what_quality_estimation_asks_for(engine: Engine) -> None:
    lines = BOOK["en"][:3]
    traces = list(engine.traces(lines, outputs=translated(engine, lines), n_best=5))
    assert [trace.forced is not None for trace in traces] == [True] * 3
    assert all(trace.phrases and trace.graph for trace in traces)


def test_inspection_shows_rules_of_an_engine(model: Path) -> None:
    shown = CliRunner().invoke(group, ["smt", "inspect", str(model), "--json"])
    assert shown.exit_code == 0, shown.output
    (grammar,) = [row for row in json.loads(shown.output)["rows"] if row.get("part") == "grammar"]
    assert "hiero" in str(grammar)
    found = CliRunner().invoke(group, ["smt", "inspect", str(model), "station"])
    assert found.exit_code == 0, found.output
    assert "Bahnhof" in found.output


def test_learning_is_refused_with_the_reason(engine: Engine) -> None:
    for teach in (lambda: engine.learn("a", "b"), lambda: adapt_engine(engine, ["a"], ["b"])):
        with pytest.raises(DataError, match="train it anew") as refused:
            teach()
        assert "grammar.kind=none" in str(refused.value)  # an index beside a grammar is refused
    with pytest.raises(DataError, match=r"this one has a grammar: train one with grammar\.kind=none"):
        StreamModels(engine)


def test_odd_lines_are_translated(engine: Engine) -> None:
    odd = ["", "zorgblatt", " ", "Where " * 300, "[X] ||| &#91;"]
    outputs = translated(engine, odd)
    assert outputs[0] == outputs[2] == ""
    assert outputs[1] == "Zorgblatt"
    assert outputs[3]
    assert outputs[4] == "[X] | | | &#91;"


def test_nothing_depends_on_threads(engine: Engine) -> None:
    lines = BOOK["en"][:30]
    one = engine.decode(engine.source.prepare(lines), n_best=5, features=True)
    seven = engine.decode(engine.source.prepare(lines), n_best=5, features=True, n_threads=7)
    assert one.texts == seven.texts
    assert one.scores.tolist() == seven.scores.tolist()


def test_a_recipe_without_a_grammar_says_nothing_of_it() -> None:
    assert not GrammarSection()
    assert replace(EngineRecipe(), features=("phrase-lengths",)).decoder_features == ("phrase-lengths",)
    assert HIERO.decoder_features == ()
