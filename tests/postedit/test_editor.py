"""Post-editors: what they mend, what they leave alone, and what they say about it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.engines import ENGINES, Role, Translates, base, capabilities, load_engine, need
from dragoman.errors import DataError
from dragoman.metrics import score
from dragoman.postedit import PostEditor, PostEditRecipe, PostEditTraining, train_post_editor
from dragoman.postedit.editor import prepare_lines
from dragoman.registry import Registry
from dragoman.testing.engines import check_engine
from tests.postedit.rules import Rules, distorted, lines

TRAINED = 480
SRCS, OUTPUTS, REFS = lines(600)


@pytest.fixture(scope="module")
def training() -> PostEditTraining:
    recipe = PostEditRecipe(source_lang="de", target_lang="en", base="rules:")
    return train_post_editor(OUTPUTS[:TRAINED], REFS[:TRAINED], SRCS[:TRAINED], recipe)


@pytest.fixture(scope="module")
def editor(training: PostEditTraining, tmp_path_factory: pytest.TempPathFactory) -> PostEditor:
    return PostEditor.load(training.editor.save(tmp_path_factory.mktemp("editor") / "model"))


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> None:
    wider: Registry[Role] = Registry("engine", {**ENGINES._own, "rules": f"{Rules.__module__}:Rules"})
    monkeypatch.setattr(base, "ENGINES", wider)


def test_mistakes_are_mended_on_lines_that_were_not_seen(editor: PostEditor) -> None:
    edited = editor.apply(OUTPUTS[TRAINED:], SRCS[TRAINED:])
    sheet = score({"before": OUTPUTS[TRAINED:], "after": edited.lines}, [REFS[TRAINED:]], metrics=["bleu"])
    before, after = sheet.values[:, 0, 0]
    assert after > before + 1
    assert edited.n_changed == sum(a != b for a, b in zip(edited.lines, OUTPUTS[TRAINED:], strict=True))
    whole = " ".join(edited.lines)
    assert whole.count("finds itself") < " ".join(OUTPUTS[TRAINED:]).count("finds itself")


def test_what_is_saved_is_loaded(training: PostEditTraining, editor: PostEditor) -> None:
    assert editor.apply(OUTPUTS, SRCS) == training.editor.apply(OUTPUTS, SRCS)
    assert (editor.recipe, editor.report) == (training.editor.recipe, training.editor.report)


def test_threads_change_nothing(editor: PostEditor) -> None:
    assert editor.apply(OUTPUTS[:50], SRCS[:50], n_threads=7) == editor.apply(OUTPUTS[:50], SRCS[:50])


def test_numbers_codes_names_and_unknown_words_are_neither_lost_nor_doubled(editor: PostEditor) -> None:
    extra = ["{name}", "17:30", "zorgblatt", "Zanzibar", "%s", "<b>", "3.50"]
    outputs = [f"{line[:-1]} {extra[n % 7]} as well as {extra[(n + 3) % 7]}." for n, line in enumerate(OUTPUTS)]
    edited = editor.apply(outputs, SRCS)
    assert edited.n_changed > 0
    for before, after in zip(outputs, edited.lines, strict=True):
        counts = [Counter({each: text.count(each) for each in extra}) for text in (before, after)]
        assert counts[0] == counts[1], after


@pytest.mark.parametrize("line", ["", "   ", "  Where  is ￭ it ", "\tqwerty  uiop", "«»—…"])
def test_lines_without_a_change_stay_byte_by_byte(editor: PostEditor, line: str) -> None:
    assert editor.apply([line], ["Wo?"]).lines == (line,)


def test_a_bar_that_none_passes_leaves_every_line(training: PostEditTraining) -> None:
    recipe = PostEditRecipe(target_lang="en", most_changed=0.0)
    shy = train_post_editor(OUTPUTS[:200], REFS[:200], None, recipe).editor
    assert shy.apply(OUTPUTS).lines == tuple(OUTPUTS)
    assert dict(training.rows)["lines changed, held out"] <= 0.55


def test_as_at_promt_what_is_replaced_has_three_to_seven_words() -> None:
    recipe = PostEditRecipe(target_lang="en", shortest=3, longest=7, learner="ridge")
    edited = train_post_editor(OUTPUTS[:300], REFS[:300], None, recipe).editor.apply(OUTPUTS[300:])
    removed = [dict(each.evidence)["removed"] for each in edited.changes if each.made]
    assert removed
    assert all(3 <= each <= 7 for each in removed)


def test_every_change_is_told_with_its_phrases_and_refusals_with_their_reason(editor: PostEditor) -> None:
    edited = editor.apply(OUTPUTS[TRAINED:], SRCS[TRAINED:])
    made = [each for each in edited.changes if each.made]
    assert made
    for each in made:
        assert each.worth > 0
        assert dict(each.evidence)["changes"] >= 2
        assert each.old.lower() in edited.outputs[each.line - 1].lower()
    changed = {n for n, (a, b) in enumerate(zip(edited.outputs, edited.lines, strict=True), start=1) if a != b}
    assert {each.line for each in made} == changed
    reasons = {each.reason for each in edited.changes if not each.made}
    assert reasons <= {"expected to harm", "overlaps a better change", "the line's changes are not worth enough"}
    titles = [table.title for table in edited.tables()]
    assert titles == ["Lines", "Changes", "Refused"]


def test_what_is_missing_is_named(editor: PostEditor) -> None:
    with pytest.raises(DataError, match="looks at the sources; give them, with -s"):
        editor.apply(["a"])
    with pytest.raises(DataError, match="6 lines are too few for 4 folds"):
        train_post_editor(["a"] * 6, ["b"] * 6, None, PostEditRecipe(n_folds=4))
    with pytest.raises(DataError, match="0 changes are too few to learn which are worth it"):
        train_post_editor(REFS[:40], REFS[:40])
    with pytest.raises(DataError, match="has 5 tokens at least and 4 at most"):
        PostEditRecipe(shortest=5, longest=4).check()
    alone = train_post_editor(OUTPUTS[:200], REFS[:200], None, PostEditRecipe(learner="ridge")).editor
    assert capabilities(alone) == ()
    with pytest.raises(DataError, match=r"knows no engine to post-edit\. Train it with --base ENGINE"):
        need(alone, Translates)


@pytest.mark.usefixtures("rules")
def test_with_its_engine_it_is_an_engine(editor: PostEditor, tmp_path: Path) -> None:
    folder = editor.save(tmp_path / "model")
    engine = need(load_engine(f"postedit:{folder}"), Translates)
    check_engine(engine, [*SRCS[TRAINED : TRAINED + 5], "", "zorgblatt 12"])
    assert engine.languages == ("de", "en")
    assert engine.translate(SRCS[TRAINED:]) == list(editor.apply(OUTPUTS[TRAINED:], SRCS[TRAINED:]).lines)
    text = tmp_path / "text"
    text.write_text("\n".join(SRCS[TRAINED:]) + "\n")
    done = CliRunner().invoke(group, ["translate", str(text), "-m", str(folder)])
    assert done.output.splitlines() == engine.translate(SRCS[TRAINED:])


@pytest.mark.usefixtures("rules")
def test_the_commands_train_and_apply(tmp_path: Path) -> None:
    files = {"de": SRCS, "out": OUTPUTS, "en": REFS}
    for name, each in files.items():
        (tmp_path / name).write_text("\n".join(each[:400]) + "\n")
    model = str(tmp_path / "model")

    def run(*words: str) -> Result:
        return CliRunner().invoke(group, ["postedit", *words])

    sides = ["-r", str(tmp_path / "en"), "-s", str(tmp_path / "de")]
    done = run("train", str(tmp_path / "out"), *sides, "--pair", "de-en", "--learner", "ridge", "-m", model)
    assert (done.exit_code, "changes in the table" in done.output) == (0, True)
    applied = run("apply", str(tmp_path / "out"), "-s", str(tmp_path / "de"), "-m", model)
    lines_after = list(PostEditor.load(model).apply(OUTPUTS[:400], SRCS[:400]).lines)
    assert applied.output.splitlines() == lines_after
    asked = ["apply", str(tmp_path / "out"), "-s", str(tmp_path / "de"), "-m", model, "--explain"]
    assert "Refused" in run(*asked).output
    told = json.loads(run(*asked, "--json").output)
    assert told["meta"]["n_changed"] == sum(a != b for a, b in zip(lines_after, OUTPUTS, strict=False))
    assert {"old", "new", "worth", "made", "reason", "evidence"} <= told["meta"]["changes"][0].keys()
    other = str(tmp_path / "other")
    done = run("train", *sides, "--base", "rules:", "--learner", "ridge", "-m", other)
    assert done.exit_code == 0
    assert PostEditor.load(other).recipe.target_lang == "en"
    assert run("train", "-r", str(tmp_path / "en"), "-m", other).exit_code == 2


def test_the_mistakes_are_those_of_rules() -> None:
    assert distorted("It is here and in the house.") == "It finds itself here as well as within of house."


def test_a_change_that_would_glue_two_words_together_is_refused(editor: PostEditor) -> None:
    [line] = prepare_lines(["buyers and -sellers"], frozenset())
    at = line.tokens.index("-")
    assert editor._edited("buyers and -sellers", line, [(at - 1, at + 1, ("and",))]) == "buyers and -sellers"
    assert editor._edited("buyers and -sellers", line, [(0, 1, ("sellers",))]) == "sellers and -sellers"
