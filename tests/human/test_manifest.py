"""Manifests: what they may say, and the line of what they may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import DragomanError, FormatError
from dragoman.human.direct_assessment.protocol import DirectAssessment
from dragoman.human.manifest import read_manifest
from dragoman.human.planning import new_campaign, plan, read_plan, write_plan
from dragoman.samples import copy_samples

GOOD = """\
name = "demo"
protocol = "da"
redundancy = 2
annotators = ["ada", "ben"]
controls = {bad = 0.1, repeat = 0.1}

[test_set]
target_lang = "en"
refs = "samples/testset/reference-A.en"
systems = {first = "samples/testset/systems/atlas.en", second = "samples/testset/systems/ember.en"}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("campaign")
    copy_samples(made / "samples")
    return made


def written(folder: Path, text: str) -> Path:
    path = folder / "demo.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_manifest_is_read(folder: Path) -> None:
    manifest = read_manifest(written(folder, GOOD))
    assert manifest.protocol == DirectAssessment(redundancy=2, controls={"bad": 0.1, "repeat": 0.1})
    assert manifest.annotators == ("ada", "ben")
    assert list(manifest.test_set.systems) == ["first", "second"]
    assert list(manifest.test_set.refs) == ["reference-A"]
    assert (manifest.name, manifest.seed, len(manifest.test_set)) == ("demo", 1, 80)


def test_annotators_may_be_counted(folder: Path) -> None:
    text = GOOD.replace('["ada", "ben"]', "12").replace('name = "demo"\n', "")
    manifest = read_manifest(written(folder, text))
    assert manifest.annotators[0] == "annotator-01"
    assert len(manifest.annotators) == 12
    assert manifest.name == "demo"  # the file's


def test_a_test_set_may_be_a_path(folder: Path) -> None:
    from dragoman.data import TestSet, write_test_set

    write_test_set(TestSet(srcs=["a"], systems={"s": ["b"]}), folder / "set.jsonl", format="testset-jsonl")
    text = GOOD.partition("[test_set]")[0] + '[test_set]\npath = "set.jsonl"\n'
    assert list(read_manifest(written(folder, text)).test_set.systems) == ["s"]
    with pytest.raises(FormatError, match=r"demo\.toml:9: path and refs cannot both be given\.$"):
        read_manifest(written(folder, text + 'refs = "a"\n'))


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('name = "demo"', "name = ", 1, "this is no TOML: Invalid value."),
        ("systems = {", "systems = {{", 10, "this is no TOML: "),
        ('name = "demo"', 'name = "a/b"', 1, "'a/b' cannot name a campaign; use letters, digits"),
        ('"da"', '"dda"', 2, "No protocol is called 'dda'. Did you mean 'da'? Known: adequacy-fluency, "),
        ('"da"', "3", 2, "protocol is 3; expected text."),
        ('protocol = "da"\n', "", None, "protocol is missing."),
        ("redundancy = 2", "redundancy = 0", 3, "redundancy is 0; every item is judged by at least one annotator."),
        ("redundancy = 2", 'redundancy = "2"', 3, "redundancy is '2'; expected a whole number."),
        ("redundancy = 2", "redundance = 2", 3, "the protocol 'da' has no option 'redundance'. Known: name, protocol"),
        ("redundancy = 2", 'attribute = "beauty"', 3, "attribute is 'beauty'; expected adequacy or fluency."),
        ("redundancy = 2", "seed = -1", 3, "seed is -1; expected a whole number from 0 on."),
        ("redundancy = 2", "overlap = true", 3, "overlap is True; expected a number."),
        ("redundancy = 2", "overlap = 2", 3, "overlap is 2; expected a share from 0 to 1."),
        ("redundancy = 2", "gold = 3", 3, "gold is '3'; expected a list of tables."),
        ("redundancy = 2", "title = 3", 3, "title is 3; expected text."),
        ("redundancy = 2", "seed = 1.5", 3, "seed is 1.5; expected a whole number."),
        ('["ada", "ben"]', "[]", 4, "annotators is []; expected names, or how many there will be."),
        ('["ada", "ben"]', "[1]", 4, "annotators is [1]; expected names, or how many there will be."),
        ('annotators = ["ada", "ben"]\n', "", None, "annotators is missing; give their names, or how many"),
        ("bad = 0.1", "good = 0.1", 5, "There is no control 'good'. Known: bad, repeat, reference."),
        ("bad = 0.1", "bad = 0.15", 5, "The control 'bad' has the share 0.15, which is no whole number of items"),
        ("bad = 0.1", 'bad = "all"', 5, "the share of bad is 'all'; expected a number from 0 to 1."),
        ("{bad = 0.1, repeat = 0.1}", "0.3", 5, "controls is 0.3; expected a table of shares."),
        ('target_lang = "en"', 'lang = "en"', 8, "a test set has no 'lang'. Known: path, srcs, refs"),
        ('target_lang = "en"', "target_lang = 7", 8, "target_lang is 7; expected text."),
        ('refs = "samples/testset/reference-A.en"', "refs = []", 9, "refs is []; expected paths, as a list or as a"),
        ("systems = {", "# {", 7, "the test set needs systems, or the path of one that has them."),
    ],
)
def test_what_is_wrong_has_its_line(folder: Path, old: str, new: str, line: int | None, message: str) -> None:
    assert old in GOOD
    path = written(folder, GOOD.replace(old, new, 1))
    with pytest.raises(FormatError) as found:
        read_manifest(path)
    assert found.value.line == line
    assert found.value.message.startswith(message)


def test_controls_may_be_a_table_of_their_own(folder: Path) -> None:
    text = GOOD.replace("controls = {bad = 0.1, repeat = 0.1}\n", "") + "[controls]\nbad = 0.1\nrepeat = true\n"
    with pytest.raises(FormatError, match=r"demo\.toml:12: the share of repeat is True; expected a number"):
        read_manifest(written(folder, text))


def test_missing_files_are_named(folder: Path) -> None:
    with pytest.raises(DragomanError, match=r"^There is no file .*nothing\.en"):
        read_manifest(written(folder, GOOD.replace("reference-A.en", "nothing.en")))
    with pytest.raises(DragomanError, match=r"^There is no file .*none\.toml"):
        read_manifest(folder / "none.toml")


def test_a_plan_is_written_and_read_back(folder: Path, tmp_path: Path) -> None:
    planned = plan(read_manifest(written(folder, GOOD)))
    done = write_plan(planned, tmp_path / "plan")
    assert read_plan(tmp_path / "plan") == list(planned.assignments)
    assert done.to_dict()["meta"]["folder"] == str(tmp_path / "plan")
    public = (tmp_path / "plan" / "tasks.jsonl").read_text(encoding="utf-8")
    assert "first" not in {word for line in public.splitlines() for word in line.split('"')}
    assert "TGT" not in public
    assert "BAD" not in public
    with pytest.raises(DragomanError, match=r"plan is there already and not empty; name a new folder for the plan\.$"):
        write_plan(planned, tmp_path / "plan")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("tasks.jsonl", "[1]\n", r"tasks\.jsonl:1: this is no item of a plan\.$"),
        ("key.tsv", "task\titem\n", r"key\.tsv:1: expected the columns task, position, item"),
        (
            "assignments.tsv",
            "annotator\ttask\nada\ttask-9\n",
            r"assignments\.tsv:2: there is no task task-9 in key\.tsv",
        ),
    ],
)
def test_damaged_plans_are_named(folder: Path, tmp_path: Path, name: str, text: str, message: str) -> None:
    write_plan(plan(read_manifest(written(folder, GOOD))), tmp_path / "plan")
    (tmp_path / "plan" / name).write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_plan(tmp_path / "plan")


def test_a_campaign_has_a_log(folder: Path, tmp_path: Path) -> None:
    from dragoman.data import JudgementLog

    manifest = read_manifest(written(folder, GOOD))
    new_campaign(manifest, tmp_path / "demo")
    log = JudgementLog(tmp_path / "demo" / "judgements.jsonl", manifest.protocol.schema)
    assignment = read_plan(tmp_path / "demo")[0]
    log.append(manifest.protocol.record(assignment, assignment.task.items[0], {"score": 3}))
    assert log.latest()["score"] == (3.0,)


def test_the_example_plans() -> None:
    planned = plan(read_manifest(Path(__file__).parents[2] / "examples" / "da" / "manifest.toml"))
    assert len(planned.tasks) == 6
    assert set(planned.coverage().values()) == {2}
