"""What a task.toml may say, and what is said of one that is wrong."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from dragoman.errors import DataError, FormatError
from dragoman.samples import copy_samples
from dragoman.task import SharedTask, new_task, read_task, run_task

TRACK = '[[translation]]\nname = "news"\npair = "de-en"\nsource = "a.de"\nreferences = ["a.en"]\n'


def declared(folder: Path, text: str) -> SharedTask:
    (folder / "task.toml").write_text(text, encoding="utf-8")
    return read_task(folder)


def test_the_sample_says_what_it_asks(tmp_path: Path) -> None:
    copy_samples(tmp_path)
    task = read_task(tmp_path / "task")
    assert [team.name for team in task.teams] == ["north", "south"]
    assert [track.name for track in task.tracks] == ["news", "adequacy"]
    assert task.deadline == datetime(2050, 5, 17, 12, tzinfo=UTC)
    assert len(task.translation_tracks()[0].systems) == 5
    assert task.teams_of("nora") == (task.team("north"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"there is no \[\[translation\]\] and no \[\[quality\]\]"),
        (TRACK + "sauce = 1", "has no entry 'sauce'. Known: name, pair, source"),
        (TRACK.replace("de-en", "deen"), "pair of a \\[\\[translation\\]\\]"),
        (TRACK.replace('name = "news"', 'name = "../news"'), "'../news' cannot name a \\[\\[translation\\]\\]"),
        (TRACK.replace('["a.en"]', "[]"), "references of a .* expected a list of texts"),
        (TRACK + 'systems = ["none/*.en"]', "no file fits none/\\*.en"),
        (TRACK + 'source_ = ""', "has no entry"),
        (TRACK.replace("a.de", "$NO_SUCH_PLACE/a.de"), "needs the variable NO_SUCH_PLACE of the environment"),
        (TRACK + 'views = ["domain=x"]', "need documents"),
        (TRACK + 'views = ["colour=x"]', "Segments have no field 'colour'"),
        (TRACK + 'metrics = ["blue"]', "metrics of a .*blue"),
        (TRACK + 'style = "wmt99"', "style of a .* expected one of wmt12, wmt13"),
        ('deadline = "soon"\n' + TRACK, "deadline is soon; expected a day and an hour"),
        ("seed = -1\n" + TRACK, "seed of the task is -1"),
        ('late = "never"\n' + TRACK, "late of the task is 'never'"),
        ('[[team]]\nname = "Ex"\n[[team]]\nname = "ex"\n' + TRACK, "two teams have one name, 'Ex' and 'ex'"),
        ('[[team]]\nname = "ex"\n[[team]]\nname = "ex"\n' + TRACK, "two teams have one name, 'ex'"),
        ('[[team]]\nname = "a.b"\n' + TRACK, "'a.b' cannot name a \\[\\[team\\]\\]"),
        (TRACK + TRACK, "two tracks have one name"),
        ("team = 3\n" + TRACK, "team of the task is 3; expected tables"),
        ('[[quality]]\nname = "q"\ngold = "g"\nsubtask = "taste"\n', "subtask of a .* is 'taste'"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        declared(tmp_path, text)


def test_a_folder_without_a_task_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Begin a task with: dragoman task new"):
        read_task(tmp_path)


def test_a_deadline_without_a_zone_is_in_utc(tmp_path: Path) -> None:
    task = declared(tmp_path, "deadline = 2026-05-17T12:00:00\n" + TRACK)
    assert task.deadline == datetime(2026, 5, 17, 12, tzinfo=UTC)


def test_a_new_task_can_be_read_and_names_files_from_its_own_folder(tmp_path: Path) -> None:
    for name in ("a.de", "a.en", "one.en", "two.en", "three.en"):
        (tmp_path / name).write_text("x\n")
    systems: list[str | Path] = [tmp_path / "one.en", tmp_path / "two.en", f"third={tmp_path / 'three.en'}"]
    done = new_task(
        tmp_path / "deep" / "task", pair="de-en", source=tmp_path / "a.de", references=[tmp_path / "a.en"],
        systems=systems, teams=["north"],
    )  # fmt: skip
    track = read_task(tmp_path / "deep" / "task").translation_tracks()[0]
    assert Path(track.source).resolve() == tmp_path / "a.de"
    assert track.systems[2].startswith("third=")
    assert "../../a.de" in Path(done.file).read_text()
    with pytest.raises(DataError, match="is there already and not empty"):
        new_task(tmp_path / "deep" / "task", pair="de-en", source="a.de", references=["a.en"])


def test_nothing_is_left_of_a_new_task_that_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="two teams have one name"):
        new_task(tmp_path / "task", pair="de-en", source="a.de", references=["a.en"], teams=["a", "A"])
    assert not (tmp_path / "task").exists()


def test_a_new_task_has_teams_a_deadline_and_says_what_it_waits_for(tmp_path: Path) -> None:
    (tmp_path / "a.de").write_text("x\n")
    done = new_task(
        tmp_path / "task",
        pair="de-en",
        source=tmp_path / "a.de",
        references=[tmp_path / "a.en"],
        teams=["north=The institute, in the north", "south"],
        track="news-2026",
        deadline=datetime(2026, 5, 17, 12, tzinfo=UTC),
    )
    task = read_task(tmp_path / "task")
    assert [(team.name, team.institution) for team in task.teams] == [
        ("north", "The institute, in the north"),
        ("south", ""),
    ]
    assert (task.tracks[0].name, task.deadline) == ("news-2026", datetime(2026, 5, 17, 12, tzinfo=UTC))
    assert done.missing == (str(tmp_path / "a.en"),)
    assert f"Not there yet: {tmp_path / 'a.en'}" in done.tables()[0].note
    with pytest.raises(DataError, match=r"names files that are not there: .*a\.en\. Put them there, or take them out"):
        run_task(task, tmp_path / "scores")


def test_a_wrong_new_task_is_named_as_it_would_be_called(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"task/task\.toml: metrics of a .* No metric is called 'bleeu'"):
        new_task(tmp_path / "task", pair="de-en", source="a.de", references=["a.en"], metrics=["bleeu"])
    assert list(tmp_path.iterdir()) == []


def test_paths_have_no_detours_unless_a_link_makes_them_matter(tmp_path: Path) -> None:
    (tmp_path / "deep" / "task").mkdir(parents=True)
    text = '[[quality]]\nname = "q"\ngold = "../gold"\n'
    (tmp_path / "deep" / "task" / "task.toml").write_text(text)
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "task")
    (tmp_path / "deep" / "gold").write_text("1\n")
    assert read_task(tmp_path / "deep" / "task").quality_tracks()[0].gold == str(tmp_path / "deep" / "gold")
    assert Path(read_task(tmp_path / "link").quality_tracks()[0].gold).read_text() == "1\n"
