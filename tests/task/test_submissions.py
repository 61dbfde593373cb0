"""What falls into the box: what is wrong is named, nothing is lost, teams learn nothing of each other."""

from __future__ import annotations

import gzip
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest

from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.samples import copy_samples
from dragoman.task import SharedTask, Submission, SubmissionBox, collect_submissions, read_task, task_status
from dragoman.task import checking as checks
from dragoman.task import submissions as boxes

DEADLINE = datetime(2050, 5, 17, 12, tzinfo=UTC)


@pytest.fixture
def task(tmp_path: Path) -> SharedTask:
    copy_samples(tmp_path / "samples")
    return read_task(tmp_path / "samples" / "task")


@pytest.fixture
def lines(task: SharedTask) -> list[str]:
    return (task.folder.parent / "testset" / "systems" / "cobalt.en").read_text(encoding="utf-8").splitlines()


def sent(task: SharedTask, content: bytes, *, team: str = "north", track: str = "news", system: str = "primary",
         file: str = "out.en", **rest: object) -> Submission:  # fmt: skip
    path = task.folder / "arriving"
    path.write_bytes(content)
    return SubmissionBox(task).receive(path, team=team, track=track, system=system, file=file, by="nora", **rest)  # type: ignore[arg-type]


def text(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def test_a_right_file_is_accepted_and_kept_as_it_came(task: SharedTask, lines: list[str]) -> None:
    packed = gzip.compress(text(lines))
    mine = sent(task, packed)
    assert (mine.state, mine.n_lines, mine.name) == ("accepted", 80, "north.primary")
    assert Path(mine.path).read_bytes() == packed
    assert SubmissionBox(task).all() == [mine]


@pytest.mark.parametrize(
    ("spoilt", "problem"),
    [
        (lambda lines: text(lines[:-1]), "Lines: 79. Segments of the test set: 80."),
        (lambda _: b"", "out.en is empty."),
        (lambda _: b"\n\n \n", "out.en is empty."),
        (lambda lines: text(lines).decode().encode("utf-16"), "out.en"),
        (lambda lines: text(lines[:4]) + "Größe\n".encode("latin-1") + text(lines[5:]), "out.en:5: "),
        (lambda lines: text([*lines[:6], "a\x00b", *lines[7:]]), "Line 7 has control characters"),
        (lambda lines: gzip.compress(text(lines))[:-20], "the compressed data is damaged or cut short"),
        (lambda lines: text([*lines[:2], "By north, with love", *lines[3:]]), "Line 3 names north"),
        (lambda lines: text([*lines[:2], "nora@north.example", *lines[3:]]), "Line 3 names nora"),
        (lambda lines: text([*lines[:2], "Ask someone@mt.example", *lines[3:]]), "Line 3 names someone@mt.example"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_and_the_file_is_kept(task: SharedTask, lines: list[str], spoilt, problem: str) -> None:  # type: ignore[no-untyped-def]
    content = spoilt(lines)
    mine = sent(task, content)
    assert mine.state == "refused"
    assert problem in mine.problems[0]
    assert str(task.folder) not in mine.problems[0]
    assert Path(mine.path).read_bytes() == content
    assert SubmissionBox(task).counted("news", "translation") == []


def test_a_name_that_the_source_has_is_no_sign_of_the_author(task: SharedTask, lines: list[str]) -> None:
    sources = Path(task.translation_tracks()[0].source)
    texts = sources.read_text(encoding="utf-8").splitlines()
    sources.write_text("".join(f"{line}\n" for line in ["north", *texts[1:]]), encoding="utf-8")
    assert sent(task, text(["To the North", *lines[1:]])).is_accepted


def test_a_bomb_is_unpacked_no_further_than_the_bound(task: SharedTask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MOST_BYTES", 1 << 20)
    bomb = gzip.compress(b"\n" * (8 << 20))
    assert len(bomb) < 20_000
    assert sent(task, bomb).problems == ("out.en is longer than 1 MiB when it is unpacked.",)


def test_no_other_user_of_the_machine_reads_what_was_submitted(task: SharedTask, lines: list[str]) -> None:
    umask = os.umask(0o022)
    try:
        sent(task, text(lines))
    finally:
        os.umask(umask)
    assert (task.folder / "submissions").stat().st_mode & 0o077 == 0


def test_too_long_a_file_is_not_kept(task: SharedTask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes, "MOST_BYTES", 1 << 20)
    with pytest.raises(DataError, match=r"out\.en is longer than 1 MiB"):
        sent(task, b"x" * ((1 << 20) + 1))
    assert SubmissionBox(task).all() == []


@pytest.mark.parametrize("system", ["../../etc/passwd", "a/b", "", ".", "a b", "x" * 65, "ünï", "a\nb", "-rf"])
def test_a_name_that_is_a_path_names_no_system(task: SharedTask, lines: list[str], system: str) -> None:
    with pytest.raises(DataError, match="cannot name a system"):
        sent(task, text(lines), system=system)
    assert SubmissionBox(task).all() == []


def test_a_file_is_shown_by_its_last_name_and_opened_by_none(task: SharedTask, lines: list[str]) -> None:
    for file, shown in (("../../etc/passwd", "passwd"), ("C:\\x\\out\x1b.en", "out�.en"), ("", "file")):
        assert sent(task, text([*lines[:-1], file]), file=file).file == shown
    assert sorted(path.name for path in task.folder.iterdir()) == [
        "adequacy.gold", "arriving", "length.estimates", "submissions", "task.toml",
    ]  # fmt: skip


def test_who_and_what_is_not_there_is_named(task: SharedTask, lines: list[str]) -> None:
    with pytest.raises(UnknownName, match=r"no team 'west'\. Known: north, south"):
        sent(task, text(lines), team="west")
    with pytest.raises(UnknownName, match="no track 'poems'"):
        sent(task, text(lines), track="poems")
    with pytest.raises(DataError, match="The track adequacy takes no metrics; it takes quality"):
        sent(task, text(lines), track="adequacy", kind="metrics")


def test_the_last_accepted_file_of_a_system_counts(task: SharedTask, lines: list[str]) -> None:
    first, other = sent(task, text(lines)), sent(task, text(["Other.", *lines[1:]]), system="contrastive")
    broken, last = sent(task, text(lines[:3])), sent(task, text(["Hello.", *lines[1:]]))
    box = SubmissionBox(task)
    assert box.counted("news", "translation") == [other, last]
    assert box.all() == [first, other, broken, last]


def test_what_a_team_has_submitted_is_refused_and_what_another_has_is_not_told(
    task: SharedTask, lines: list[str]
) -> None:
    mine = sent(task, text(lines))
    again = sent(task, gzip.compress(text(lines)), system="second")
    assert again.problems == (f"This is what primary has already, submission {mine.id}.",)
    theirs = sent(task, text(lines), team="south")
    assert theirs.state == "accepted"
    assert SubmissionBox(task).of_team("south") == [theirs]
    with pytest.raises(UnknownName, match="There is no submission"):
        SubmissionBox(task).find(mine.id, ["south"])
    # The organiser is told.
    assert task_status(task).twins == ((mine.id, again.id, theirs.id),)


def test_late_is_what_was_not_whole_at_the_deadline(task: SharedTask, lines: list[str]) -> None:
    second = timedelta(seconds=1)
    early = sent(task, text(lines), begun=DEADLINE - second, now=DEADLINE)
    during = sent(task, text(["Other.", *lines[1:]]), system="b", begun=DEADLINE - second, now=DEADLINE + second)
    after = sent(task, text(["x", *lines[1:]]), system="c", now=DEADLINE + second)
    assert [each.state for each in (early, during, after)] == ["accepted", "late", "late"]
    assert during.notes == ("The deadline, 2050-05-17 12:00 UTC, passed while the file came.",)
    assert after.notes == ("It came after the deadline, 2050-05-17 12:00 UTC.",)
    assert Path(during.path).read_bytes() == text(["Other.", *lines[1:]])
    assert SubmissionBox(task).counted("news", "translation") == [early]
    assert SubmissionBox(replace(task, late="accept")).counted("news", "translation") == [early, during, after]


def test_many_at_once_lose_nothing(task: SharedTask, lines: list[str]) -> None:
    paths = []
    for number in range(8):
        path = task.folder / f"arriving-{number}"
        path.write_bytes(text([str(number), *lines[1:]]))
        paths.append(path)

    def send(number: int) -> None:
        SubmissionBox(task).receive(
            paths[number], team=("north", "south")[number % 2], track="news", system=f"s{number}", file="x", by="x"
        )

    threads = [Thread(target=send, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {each.system for each in SubmissionBox(task).all()} == {f"s{number}" for number in range(8)}


def test_a_team_may_submit_so_much(task: SharedTask, lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes, "MOST_SUBMISSIONS", 2)
    sent(task, text(lines))
    assert sent(task, text([*lines[:-1], "Another."])).problems == ()
    with pytest.raises(DataError, match="north has submitted 2 files to news already"):
        sent(task, text(lines[2:]))
    assert sent(task, text(lines), team="south").is_accepted


def test_what_is_refused_has_a_quota_of_its_own(
    task: SharedTask, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxes, "MOST_REFUSED", 2)
    monkeypatch.setattr(boxes, "MOST_SUBMISSIONS", 2)
    for _ in range(2):
        assert not sent(task, b"one line\n").is_accepted
    monkeypatch.setattr(boxes, "check_submission", None)  # nothing more is looked at
    with pytest.raises(DataError, match="2 files of north to news were refused within a day; try again tomorrow"):
        sent(task, b"one line\n")
    monkeypatch.undo()
    monkeypatch.setattr(boxes, "MOST_REFUSED", 3)
    monkeypatch.setattr(boxes, "MOST_SUBMISSIONS", 1)
    assert sent(task, text(lines)).is_accepted, "what was refused does not count among what was accepted"
    assert len(SubmissionBox(task).all()) == 3


def test_metrics_and_estimates_have_their_own_rules(task: SharedTask) -> None:
    scores = b"metric\tsystem\tscore\nm\tatlas\t1\nm\tdune\t0.5\n"
    assert sent(task, scores, kind="metrics", system="sharp").is_accepted
    two = sent(task, scores + b"k\tdune\t0.5\n", kind="metrics", system="two")
    assert two.problems == ("out.en has the scores of 2 metrics; submit each by itself.",)
    assert "out.en:1: expected a header line" in sent(task, b"hello\n", kind="metrics", system="no").problems[0]
    gold = (task.folder / "adequacy.gold").read_bytes()
    assert sent(task, gold, track="adequacy").is_accepted
    assert sent(task, b"1\n2\n", track="adequacy").problems == ("out.en: sentences: 2, of the test set: 80.",)
    assert "out.en:1: " in sent(task, b"good\n", track="adequacy").problems[0]


def test_a_log_that_was_spoilt_is_named(task: SharedTask, lines: list[str]) -> None:
    sent(task, text(lines))
    with (task.folder / "submissions" / "log.jsonl").open("a") as log:
        log.write('{"id": 3}\n')
    with pytest.raises(FormatError, match=r"log.jsonl:2: this is no entry of the log"):
        SubmissionBox(task).all()


def test_the_rest_of_a_crash_is_put_aside(task: SharedTask, lines: list[str]) -> None:
    first = sent(task, text(lines))
    log = task.folder / "submissions" / "log.jsonl"
    with log.open("a") as stream:
        stream.write('{"id": "half')
    assert SubmissionBox(task).all() == [first]
    assert log.with_suffix(".rest").read_text() == '{"id": "half\n'
    second = sent(task, text(["Other.", *lines[1:]]))
    assert SubmissionBox(task).all() == [first, second]


def test_files_that_came_by_mail(task: SharedTask, lines: list[str], tmp_path: Path) -> None:
    (tmp_path / "my system.en").write_bytes(text(lines))
    (tmp_path / "b.en").write_bytes(text(lines[1:]))
    done = collect_submissions(
        task, [tmp_path / "my system.en", f"second={tmp_path / 'b.en'}"], team="south", track="news",
        received=DEADLINE + timedelta(hours=1),
    )  # fmt: skip
    assert [(each.system, each.state) for each in done.submissions] == [("my-system", "late"), ("second", "refused")]
    assert done.meta() == {"task": "sample-task", "refused": 1}
    with pytest.raises(DataError, match="There is no file"):
        collect_submissions(task, [tmp_path / "c.en"], team="south", track="news")
