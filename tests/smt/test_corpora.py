"""Corpora by role: what each text is used for, and what is said of roles, files and weights that cannot be."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, DragomanError, FormatError
from dragoman.files import write_lines
from dragoman.lm import Interpolation, KneserNey, learn_weights
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.class_model import WordClassing
from dragoman.smt.corpora import CORPUS_ROLES, Corpora, corpora_of, read_corpus_tables
from dragoman.smt.training import Training, train_engine
from dragoman.smt.training_plan import plan_training
from dragoman.smt.tuning import Tuning

RECIPE = EngineRecipe(source_lang="en", target_lang="de", tune=Tuning(method="none"), classes=WordClassing(number=0))


@pytest.fixture(scope="module")
def folder(book: dict[str, list[str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two bitexts, a tuning set, and text of the target language."""
    folder = tmp_path_factory.mktemp("corpora")
    for name, part in (("a", slice(0, 200)), ("b", slice(200, 300)), ("dev", slice(540, 600))):
        for lang in ("en", "de"):
            write_lines(folder / f"{name}.{lang}", book[lang][part])
    write_lines(folder / "more.de", book["de"][300:540])
    return folder


def made(folder: Path, *specs: str) -> Corpora:
    return corpora_of([CORPUS_ROLES.make(spec).from_folder(folder) for spec in specs])


def states(done: Training) -> dict[str, str]:
    return {name: "kept" if kept else "made" for name, _, _, kept in done.steps}


def test_a_corpus_for_everything_is_the_bitext_of_old(folder: Path, tmp_path: Path) -> None:
    corpora = made(folder, "all:src=a.en,tgt=a.de", "all:src=b.en,tgt=b.de")
    first = train_engine(Corpora.of(*corpora.bitexts), RECIPE, work=tmp_path)
    again = train_engine(corpora, RECIPE, work=tmp_path)
    assert not corpora.mixed
    assert set(states(again).values()) == {"kept"}
    assert again.engine.data == first.engine.data == {"train": first.engine.data["train"]}
    assert again.engine.weights == first.engine.weights


def test_the_language_model_is_the_mixture_of_the_texts(folder: Path, tmp_path: Path) -> None:
    specs = ("all:src=a.en,tgt=a.de", "phrases:src=b.en,tgt=b.de", "lm:path=more.de", "tune:src=dev.en,tgt=dev.de")
    done = train_engine(made(folder, *specs), RECIPE, work=tmp_path / "work", output=tmp_path / "engine")
    side = done.engine.target
    lines = {name: (folder / name).read_text().splitlines() for name in ("a.de", "more.de", "dev.de")}
    parts = [KneserNey().train(side.cased(lines[name])) for name in ("a.de", "more.de")]
    held_out = side.cased(lines["dev.de"])
    weights = learn_weights(parts, held_out)
    expected = Interpolation(weights=weights).combine(parts)
    lm = Engine.load(tmp_path / "engine").models.lm
    assert lm.recipe.weights == pytest.approx(weights)  # type: ignore[attr-defined]
    assert lm.score(held_out).tolist() == expected.score(held_out).tolist()
    outcomes = {name: outcome for name, outcome, _, _ in done.steps}
    assert outcomes["lm"].endswith(f"weights {weights[0]:.3f} {weights[1]:.3f}")
    assert outcomes["tokens"] == "300 pairs"
    assert set(done.engine.data) == {"train", f"lm {folder / 'more.de'}"}
    assert done.ladder is not None  # measured on the tuning set


def test_weights_that_are_given_are_taken_and_steps_are_kept_by_them(folder: Path, tmp_path: Path) -> None:
    texts = "all:src=a.en,tgt=a.de,weight=3", "lm:tgt=more.de,weight=1"
    done = train_engine(made(folder, *texts), RECIPE, work=tmp_path)
    assert done.engine.models.lm.recipe.weights == (0.75, 0.25)  # type: ignore[attr-defined]
    other = states(train_engine(made(folder, texts[0], "lm:tgt=more.de,weight=3"), RECIPE, work=tmp_path))
    assert [name for name, state in other.items() if state == "made"] == ["lm"]
    longer = replace(RECIPE, lm=KneserNey(order=3))
    changed = states(train_engine(made(folder, *texts), longer, work=tmp_path))
    assert [name for name, state in changed.items() if state == "made"] == ["lm-1", "lm-2", "lm"]
    text = folder / "more.de"
    before = text.read_text()
    try:
        text.write_text(before + "Noch ein Satz .\n")
        renewed = states(train_engine(made(folder, *texts), RECIPE, work=tmp_path))
    finally:
        text.write_text(before)
    assert [name for name, state in renewed.items() if state == "made"] == ["lm-2", "lm"]
    plan = plan_training(made(folder, *texts), RECIPE, work=tmp_path)
    assert all(plan.done)


def test_text_of_the_target_language_alone_can_be_the_language_model(folder: Path, tmp_path: Path) -> None:
    done = train_engine(made(folder, "phrases:src=a.en,tgt=a.de", "lm:path=more.de"), RECIPE, work=tmp_path)
    side = done.engine.target
    lines = side.cased((folder / "more.de").read_text().splitlines())
    assert done.engine.models.lm.n_ngrams == KneserNey().train(lines).n_ngrams


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        (["al:src=a.en,tgt=a.de"], "No corpus role is called 'al'. Did you mean 'all'? Known: all, lm, phrases, tune."),
        (["all:src=a.en"], "A corpus of role 'all' has two sides: name src and tgt, or path; got src="),
        (["all:"], "name src and tgt, or path; got none of them"),
        (["phrases:path=x.tmx,tgt=a.de"], "A corpus of role 'phrases' has two sides"),
        (["lm:src=a.en"], "A corpus of role 'lm' has the target side alone: name it as path or tgt; got src="),
        (["phrases:src=a.en,tgt=a.de,weight=2"], "The corpus role 'phrases' has no option 'weight'"),
        (["lm:path=more.de,weight=0"], "The weight of a corpus is a number above 0, got 0.0 for path="),
        (["lm:path=more.de,weight=-1"], "a number above 0, got -1.0"),
        (["lm:path=more.de,weight=much"], "The option 'weight' is a number, got 'much'"),
        (["lm:path=more.de,weight=inf"], "a number above 0, got inf"),
        (["lm:path=more.de"], "There are no sentence pairs to train on. Name a corpus of role 'all' or 'phrases'."),
        (
            ["phrases:src=a.en,tgt=a.de"],
            "There is no text for the language model. Name a corpus of role 'all' or 'lm'.",
        ),
        (
            ["all:src=a.en,tgt=a.de", "lm:path=a.de"],
            "a.de is named twice, by corpus 1 and corpus 2 (role 'all' and 'lm').",
        ),
        (["all:src=a.en,tgt=a.en"], "a.en is named twice, by corpus 1 and corpus 1 (role 'all')."),
        (["all:src=a.en,tgt=a.de,weight=1", "lm:path=more.de"], "1 of 2 texts of the language model have a weight"),
        (["all:src=a.en,tgt=a.de", "tune:src=dev.en,tgt=dev.de", "tune:src=b.en,tgt=b.de"], "There are 2 tuning sets"),
        (["all:src=a.en,tgt=a.de", "lm:path=none.de"], "none.de"),
        (["all:src=a.en,tgt=a.de", "lm:path=more.de"], "2 language models are mixed by weights that are learnt"),
    ],
)
def test_what_cannot_be_is_named(folder: Path, tmp_path: Path, specs: list[str], message: str) -> None:
    with pytest.raises((DragomanError, FileNotFoundError)) as caught:
        train_engine(made(folder, *specs), RECIPE, work=tmp_path)
    assert message in str(caught.value)


def test_recipes_name_corpora_from_their_folder(folder: Path, tmp_path: Path) -> None:
    recipe = folder / "recipe.toml"
    recipe.write_text(
        'source_lang = "en"\ntarget_lang = "de"\n[tune]\nmethod = "none"\n[classes]\nnumber = 0\n'
        '[[corpus]]\nsrc = "a.en"\ntgt = "a.de"\nweight = 1\n'
        '[[corpus]]\nrole = "lm"\npath = "more.de"\nweight = 3.0\n'
    )
    assert EngineRecipe.read(recipe) == RECIPE
    call = ["smt", "train", "--recipe", str(recipe), "-o", str(tmp_path / "engine"), "--json"]
    done = CliRunner().invoke(group, call)
    assert done.exit_code == 0, done.output
    rows = {row["step"]: row["outcome"] for row in json.loads(done.stdout)["rows"]}
    assert rows["lm"].endswith("weights 0.250 0.750")
    more = CliRunner().invoke(group, [*call, "--corpus", f"lm:path={folder / 'b.de'},weight=4"])
    assert "weights 0.125 0.375 0.500" in more.output
    twice = CliRunner().invoke(group, [*call, "--corpus", f"lm:path={folder / 'more.de'},weight=4"])
    assert twice.exit_code == 1
    assert "named twice, by corpus 2 and corpus 3" in (twice.output or str(twice.exception))
    nothing = CliRunner().invoke(group, ["smt", "train", "-o", str(tmp_path / "none")])
    assert nothing.exit_code == 2
    assert "--corpus" in nothing.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[corpus]\npath = 'a'", "a corpus is a table of its own: write [[corpus]]"),
        ("[[corpus]]\nrole = 'lm'\nfile = 'a'", "[[corpus]] 1: TargetCorpus has no option file"),
        ("[[corpus]]\nsrc = 'a'\ntgt = 'b'\n[[corpus]]\nrole = 'tuning'", "[[corpus]] 2: No corpus role is called"),
        ("[[corpus]]\nrole = 'lm'\npath = 'a'\nweight = 'x'", "[[corpus]] 1: The 'weight' option of TargetCorpus must"),
        ("[[corpus]]\nrole = 'lm'\npath = 7", "[[corpus]] 1: The 'path' option of TargetCorpus must be text. Got 7"),
    ],
)
def test_tables_that_are_wrong_are_named(tmp_path: Path, text: str, message: str) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_corpus_tables(recipe)
    assert str(caught.value).startswith(f"{recipe}: ")
    assert message in str(caught.value)


def test_two_tuning_sets_are_one_too_many(folder: Path) -> None:
    tuning = made(folder, "all:src=a.en,tgt=a.de", "tune:src=dev.en,tgt=dev.de").dev
    with pytest.raises(DataError, match="There are 2 tuning sets"):
        corpora_of([CORPUS_ROLES.make("tune:src=x,tgt=y")], made(folder, "all:src=a.en,tgt=a.de").bitexts, tuning)
