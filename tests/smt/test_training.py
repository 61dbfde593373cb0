"""Training: steps kept by content, resumed after an interruption, with what was wrong with the data told."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError
from dragoman.files import write_lines
from dragoman.smt import Cleaning, Engine, EngineRecipe, PhraseExtraction, Preparation
from dragoman.smt.class_model import WordClassing
from dragoman.smt.recipe import changed
from dragoman.smt.training import Training, train_engine
from dragoman.smt.training_plan import plan_training
from dragoman.smt.tuning import Tuning
from dragoman.smt.work import PlannedStep, Work, fingerprint

EN_DE = EngineRecipe(source_lang="en", target_lang="de", tune=Tuning(method="none"))


def states(done: Training) -> dict[str, str]:
    return {name: "kept" if kept else "made" for name, _, _, kept in done.steps}


def test_a_second_run_keeps_every_step_and_gives_the_same_engine(bitext: Bitext, dev: TestSet, tmp_path: Path) -> None:
    first = train_engine(bitext, EN_DE, work=tmp_path / "work", dev=dev, output=tmp_path / "a")
    again = train_engine(bitext, EN_DE, work=tmp_path / "work", dev=dev, output=tmp_path / "b", n_threads=2)
    assert set(states(first).values()) == {"made"}
    assert set(states(again).values()) == {"kept"}
    assert again.ladder == first.ladder
    for name in ("phrases/phrases.bin", "lm/lm.bin", "weights.tsv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_changed_setting_redoes_what_hangs_on_it_and_nothing_else(bitext: Bitext, tmp_path: Path) -> None:
    train_engine(bitext, EN_DE, work=tmp_path)
    shorter = replace(EN_DE, phrases=PhraseExtraction(longest=3))
    assert states(train_engine(bitext, shorter, work=tmp_path)) == {
        "tokens": "kept",
        "truecase": "kept",
        "clean": "kept",
        "align": "kept",
        "lm": "kept",
        "classes": "kept",
        "phrases": "made",
    }
    uncased = replace(EN_DE, text=Preparation(truecase=False))
    assert states(train_engine(bitext, uncased, work=tmp_path))["tokens"] == "kept"
    assert states(train_engine(bitext, uncased, work=tmp_path))["truecase"] == "kept"
    assert set(states(train_engine(bitext, EN_DE, work=tmp_path)).values()) == {"kept"}


def test_how_unknown_words_are_read_concerns_translating_alone(bitext: Bitext, dev: TestSet, tmp_path: Path) -> None:
    train_engine(bitext, EN_DE, work=tmp_path, dev=dev)
    plain = replace(EN_DE, text=Preparation(related=False))
    found = states(train_engine(bitext, plain, work=tmp_path, dev=dev))
    assert [name for name, state in found.items() if state == "made"] == ["report"]


def test_an_engine_without_word_classes_has_one_language_model(bitext: Bitext, tmp_path: Path) -> None:
    plain = replace(EN_DE, classes=WordClassing(number=0))
    done = train_engine(bitext, plain, work=tmp_path / "work", output=tmp_path / "plain")
    assert "classes" not in states(done)
    assert done.engine.models.classes is None
    assert [name for name in done.engine.weights if name.endswith("lm")] == ["lm"]
    assert Engine.load(tmp_path / "plain").models.classes is None
    whole = train_engine(bitext, EN_DE, work=tmp_path / "work", output=tmp_path / "whole").engine
    assert [name for name in whole.weights if name.endswith("lm")] == ["lm", "class-lm"]
    loaded = Engine.load(tmp_path / "whole")
    assert loaded.models.classes is not None
    assert loaded.models.classes.model.n_ngrams[0] == 200 + 3
    tokens = whole.source.prepare(dev_lines := ["Where is the station?"])
    found = whole.decode(tokens, features=True)
    text, at = found.texts[0], whole.feature_names.index("class-lm")
    of_classes = loaded.models.classes.model.score(loaded.models.classes.classes.map_lines([text]))[0]
    assert found.features[0, at] == pytest.approx(of_classes * math.log(10), rel=1e-5)
    assert loaded.translate(dev_lines) == whole.translate(dev_lines)


def test_other_data_is_other_work(bitext: Bitext, book: dict[str, list[str]], tmp_path: Path) -> None:
    train_engine(bitext, EN_DE, work=tmp_path)
    other = Bitext.from_lines(book["en"][1:540], book["de"][1:540])
    assert set(states(train_engine(other, EN_DE, work=tmp_path)).values()) == {"made"}


def test_threads_do_not_change_the_engine(bitext: Bitext, tmp_path: Path) -> None:
    for n in (1, 2, 7):
        train_engine(bitext, EN_DE, work=tmp_path / f"work{n}", output=tmp_path / str(n), n_threads=n)
    for name in ("phrases/phrases.bin", "lm/lm.bin", "phrases/source.vocabulary", "truecaser.target/truecase.tsv"):
        assert len({(tmp_path / n / name).read_bytes() for n in ("1", "2", "7")}) == 1


def test_a_killed_training_goes_on_where_it_stopped(book: dict[str, list[str]], tmp_path: Path) -> None:
    for lang in ("en", "de"):
        write_lines(tmp_path / f"train.{lang}", [f"{line} {i}" for i in range(8) for line in book[lang]])
    code = "import time, dragoman.cli.main, dragoman.smt.training as training\n{}dragoman.cli.main.main()"
    endless = "training.align_pairs = lambda *_: time.sleep(600)\n"  # the step after those that are to be kept
    words = [
        "smt",
        "train",
        "--src",
        str(tmp_path / "train.en"),
        "--tgt",
        str(tmp_path / "train.de"),
        "-o",
        str(tmp_path / "engine"),
        "--json",
    ]
    work = tmp_path / "engine.work"
    running = subprocess.Popen([sys.executable, "-c", code.format(endless), *words], stdout=subprocess.DEVNULL)
    try:
        while not list(work.glob("clean-*")) and running.poll() is None:
            time.sleep(0.005)
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    assert not (tmp_path / "engine").exists()
    again = subprocess.run([sys.executable, "-c", code.format(""), *words], capture_output=True, check=True)
    done = json.loads(again.stdout)
    made = {row["step"]: row["state"] for row in done["rows"]}
    assert [made[name] for name in ("tokens", "truecase", "clean")] == ["kept"] * 3
    assert made["phrases"] == "made"
    assert Engine.load(tmp_path / "engine").translate(["hotel"])
    whole = train_engine(
        Bitext.from_files(tmp_path / "train.en", tmp_path / "train.de"),
        EN_DE,
        work=tmp_path / "other",
        output=tmp_path / "whole",
    )
    assert set(states(whole).values()) == {"made"}
    for name in ("phrases/phrases.bin", "lm/lm.bin"):
        assert (tmp_path / "engine" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_damaged_step_is_made_again(bitext: Bitext, tmp_path: Path) -> None:
    train_engine(bitext, EN_DE, work=tmp_path)
    [links] = tmp_path.glob("align-*/links.npy")
    links.write_bytes(links.read_bytes()[:-100])
    [table] = tmp_path.glob("phrases-*/phrases/phrases.bin")
    content = bytearray(table.read_bytes())
    content[-1] ^= 1  # same size
    table.write_bytes(content)
    found = states(train_engine(bitext, EN_DE, work=tmp_path))
    assert found["align"] == found["phrases"] == "made"
    assert found["lm"] == "kept"


def test_a_plan_says_what_is_done_and_does_nothing(bitext: Bitext, dev: TestSet, tmp_path: Path) -> None:
    plan = plan_training(bitext, EN_DE, work=tmp_path / "work", dev=dev)
    assert [step.name for step in plan.steps] == [
        "tokens",
        "truecase",
        "clean",
        "align",
        "lm",
        "classes",
        "phrases",
        "report",
    ]
    assert not any(plan.done)
    assert not (tmp_path / "work").exists()
    train_engine(bitext, EN_DE, work=tmp_path / "work")
    assert plan_training(bitext, EN_DE, work=tmp_path / "work", dev=dev).done == (True,) * 7 + (False,)
    assert "to do" in plan.render("text")


def test_progress_rises_to_the_whole(bitext: Bitext, tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    train_engine(bitext, EN_DE, work=tmp_path, progress=lambda *step: told.append(step))
    counts = [done for done, _, _ in told]
    assert counts == sorted(counts)
    assert told[-1][0] == told[-1][1]


def test_the_ladder_compares_each_rung_with_the_one_below(bitext: Bitext, dev: TestSet, tmp_path: Path) -> None:
    done = train_engine(bitext, EN_DE, work=tmp_path / "work", dev=dev, test=dev, output=tmp_path / "engine")
    assert done.ladder is not None
    rungs = [rung for rung in done.ladder.rungs if rung.test == "test"]
    assert [rung.rung for rung in rungs] == [
        "phrases and language model",
        "+ reordering",
        "+ orientation",
        "+ word classes",
    ]
    assert rungs[0].delta is None
    assert rungs[1].delta == pytest.approx(rungs[1].bleu - rungs[0].bleu)
    assert all(0 < rung.p <= 1 for rung in rungs[1:] if rung.p is not None)
    from dragoman.metrics import score

    hyps = done.engine.translate(dev.srcs)
    assert rungs[-1].bleu == pytest.approx(score({"e": hyps}, dev.refs, metrics=["bleu"]).score("e", "bleu").value)
    loaded = Engine.load(tmp_path / "engine")
    assert loaded.report["ladder"][0]["rung"] == "phrases and language model"
    assert done.meta()["ladder"] == loaded.report["ladder"]


def test_characters_are_counted_where_words_have_no_spaces(tmp_path: Path) -> None:
    recipe = replace(EN_DE, target_lang="ja")
    bitext = Bitext.from_lines(["a cat", "two dogs"] * 3, ["猫 が いる よ", "犬 が 二 匹 いる"] * 3)
    dev = TestSet(srcs=["a cat", "two dogs"], refs={"ref": ["猫 が いる よ", "犬 が 二 匹 いる"]})
    for state in ("made", "kept"):
        done = train_engine(bitext, recipe, work=tmp_path, dev=dev)
        assert states(done)["report"] == state
        assert done.ladder is not None
        assert done.ladder.metrics[0] == "bleu:tokeniser=char"
        assert done.ladder.rungs[-1].bleu == pytest.approx(100)
        assert "count characters" in done.render("text")


def test_tuning_is_a_step_whose_weights_the_engine_has(bitext: Bitext, dev: TestSet, tmp_path: Path) -> None:
    few = TestSet(srcs=(dev.srcs or ())[:20], refs={"ref": dev.ref("ref")[:20]})
    recipe = replace(EN_DE, tune=Tuning(method="mira:rounds=2", n_best=20, pop_limit=50))
    first = train_engine(bitext, recipe, work=tmp_path / "work", dev=few, output=tmp_path / "a")
    assert first.tuning is not None
    assert first.engine.weights == first.tuning.weights
    assert first.ladder is not None
    assert first.ladder.rungs[-1].rung == "+ tuned weights"
    again = train_engine(bitext, recipe, work=tmp_path / "work", dev=few)
    assert states(again)["tune"] == "kept"
    assert again.engine.weights == first.engine.weights
    loaded = Engine.load(tmp_path / "a")
    assert loaded.weights == first.engine.weights
    assert loaded.report["tuning"]["kind"] == "tuned weights"
    untuned = train_engine(bitext, EN_DE, work=tmp_path / "work", dev=few)
    assert "tune" not in states(untuned)
    assert states(untuned)["phrases"] == "kept"


def test_a_tuning_set_out_of_the_training_text_is_warned_of(book: dict[str, list[str]], tmp_path: Path) -> None:
    bitext = Bitext.from_lines(book["en"], book["de"])
    same = TestSet(srcs=book["en"][:20], refs={"A": ["other"] * 20, "B": book["de"][:20]})
    done = train_engine(bitext, EN_DE, work=tmp_path, dev=same)
    assert done.warnings[0].startswith("20 of 20 segments of the dev set stand in the training data")
    assert "Beware: 20 of 20" in done.render("text")


def test_sides_of_different_length_are_named(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.en", ["one", "two"])
    write_lines(tmp_path / "a.de", ["eins"])
    with pytest.raises(DataError, match=r"a.en has 2 lines, .*a.de has 1"):
        train_engine(Bitext.from_files(tmp_path / "a.en", tmp_path / "a.de"), EN_DE, work=tmp_path / "work")


@pytest.mark.parametrize(
    ("held_out", "message"),
    [
        (TestSet(srcs=["a"]), "needs a reference"),
        (TestSet(refs={"ref": ["a"]}), "needs a source"),
        (TestSet(srcs=[], refs={"ref": []}), "is empty"),
    ],
)
def test_what_a_tuning_or_test_set_lacks_is_named(
    bitext: Bitext, tmp_path: Path, held_out: TestSet, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        train_engine(bitext, EN_DE, work=tmp_path, dev=held_out)
    with pytest.raises(DataError, match=message):
        plan_training(bitext, EN_DE, work=tmp_path, test=held_out)


def test_empty_and_endless_sentences_are_left_out_and_counted(book: dict[str, list[str]], tmp_path: Path) -> None:
    odd = [("", "leer"), ("empty", ""), ("word " * 1000, "Wort " * 1000), ("a b c d e f g h i j", "zehn")]
    bitext = Bitext.from_lines([*book["en"][:50], *(s for s, _ in odd)], [*book["de"][:50], *(t for _, t in odd)])
    done = train_engine(bitext, EN_DE, work=tmp_path)
    assert {name: outcome for name, outcome, *_ in done.steps}["clean"] == "50 of 54 pairs left"


def test_nothing_left_to_train_on_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="nothing to train on: pairs in memory has no sentence pairs"):
        train_engine(Bitext.from_lines([], []), EN_DE, work=tmp_path)
    with pytest.raises(DataError, match=r"None of 1 sentence pairs is left after cleaning. .* \[clean\]"):
        train_engine(Bitext.from_lines(["a"], [""]), EN_DE, work=tmp_path)


def test_one_pair_makes_an_engine(tmp_path: Path) -> None:
    done = train_engine(Bitext.from_lines(["good morning"], ["guten Morgen"]), EN_DE, work=tmp_path)
    assert done.engine.translate(["good morning"]) == ["Guten Morgen"]


def test_scripts_without_case_are_left_as_they_are(tmp_path: Path) -> None:
    recipe = EngineRecipe(source_lang="ja", target_lang="zh")
    done = train_engine(
        Bitext.from_lines(["猫 が いる"] * 3, ["有 猫"] * 3), recipe, work=tmp_path, output=tmp_path / "e"
    )
    assert {name: outcome for name, outcome, *_ in done.steps}["truecase"] == "case as it is"
    assert Engine.load(tmp_path / "e").source.truecaser is None


def test_a_file_in_place_of_the_work_folder_is_named(bitext: Bitext, tmp_path: Path) -> None:
    (tmp_path / "work").write_text("")
    with pytest.raises(DataError, match="is a file; name a folder for the work"):
        train_engine(bitext, EN_DE, work=tmp_path / "work")


def test_keys_hang_on_name_settings_and_inputs() -> None:
    step = PlannedStep("lm", "models", {"order": 5}, ("a",), 1)
    others = [replace(step, name="x"), replace(step, settings={"order": 4}), replace(step, inputs=("b",))]
    assert len({step.key, *(other.key for other in others)}) == 4
    assert replace(step, text="otherwise", cost=9).key == step.key
    assert fingerprint(["ab", "c"]) != fingerprint(["a", "bc"])
    assert not Work("nowhere").has(step)


def test_recipes_are_read_from_toml(tmp_path: Path) -> None:
    file = tmp_path / "recipe.toml"
    file.write_text('source_lang = "fr"\n[lm]\norder = 3\nprune = [0, 0, 1]\n[clean]\nlongest = 40\n')
    recipe = EngineRecipe.read(file)
    assert (recipe.source_lang, recipe.target_lang) == ("fr", "de")
    assert (recipe.lm.order, recipe.lm.prune, recipe.clean) == (3, (0, 0, 1), Cleaning(longest=40))
    assert EngineRecipe.from_dict(json.loads(json.dumps(recipe.to_dict()))) == recipe


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lm = 3", "'lm' is a section of options, got 3"),
        ("[lm\n", "this is no TOML: Expected .]. at the end"),
        ("[lm]\norder = 0", "The 'order' option of KneserNey must be at least 1 and at most 9"),
        ("[lm]\nsize = 0", "KneserNey has no option size"),
        ("[speed]\nfast = true", "EngineRecipe has no option speed"),
    ],
)
def test_wrong_recipes_are_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "recipe.toml"
    file.write_text(text)
    with pytest.raises(FormatError, match=f"recipe.toml(:1)?: {message}"):
        EngineRecipe.read(file)


def test_settings_change_a_recipe() -> None:
    recipe = changed(EN_DE, ["phrases.longest=5", "align.symmetrisation=grow-diag", "target_lang=fr", "lm.prune=0+1"])
    assert (recipe.phrases.longest, recipe.align.symmetrisation) == (5, "grow-diag")
    assert (recipe.target_lang, recipe.lm.prune) == ("fr", (0, 1))
    with pytest.raises(DataError, match=r"'phrases.longest' is no setting"):
        changed(EN_DE, ["phrases.longest"])
    with pytest.raises(DataError, match=r"no section 'phrase'. Known: text, clean, align"):
        changed(EN_DE, ["phrase.longest=5"])
    with pytest.raises(DataError, match=r"The option 'longest' is a whole number, got 'five'"):
        changed(EN_DE, ["phrases.longest=five"])
    with pytest.raises(DataError, match=r"The section 'phrases' has no option 'long'. Known: longest"):
        changed(EN_DE, ["phrases.long=5"])
    for setting in ("models=x", "text=x"):
        with pytest.raises(DataError, match=r"is a table of options; write it in a recipe's file"):
            changed(EN_DE, [setting])
