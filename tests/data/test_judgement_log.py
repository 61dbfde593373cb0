from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from dragoman.data.judgement_log import JudgementLog, Receipt, Recovery
from dragoman.data.judgements import Field, Schema
from dragoman.errors import DataError, FormatError

SCHEMA = Schema("demo", (Field("annotator"), Field("item"), Field("score", "number", required=False)))


def row(item: str, score: float | None = None, annotator: str = "anna") -> dict[str, str | float | None]:
    return {"annotator": annotator, "item": item, "score": score}


def test_events_are_numbered_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    log = JudgementLog(path, SCHEMA)
    assert log.append([row("1", 30), row("2")], ids=["a", "b"]) == [Receipt("a", 1, True), Receipt("b", 2, True)]
    assert log.append([row("1", 60)]) == [Receipt(log.events()[2].id, 3, True)]
    again = JudgementLog(path, SCHEMA)
    assert again.events() == log.events()
    assert [event.seq for event in again.events()] == [1, 2, 3]
    assert again.judgements()["score"] == (30.0, None, 60.0)
    assert again.latest()["score"] == (None, 60.0)
    lines = path.read_text().splitlines()
    assert json.loads(lines[0]) == {"log": "judgements", "format": 1, "schema": SCHEMA.to_dict()}
    event = json.loads(lines[2])
    assert (event["seq"], event["id"], event["row"]) == (2, "b", {"annotator": "anna", "item": "2"})
    assert event["time"].endswith("+00:00")


def test_an_event_sent_twice_is_one_event(tmp_path: Path) -> None:
    log = JudgementLog(tmp_path / "x.log", SCHEMA)
    log.append([row("1", 30)], ids=["a"])
    assert log.append([row("1", 30), row("2", 5)], ids=["a", "b"]) == [Receipt("a", 1, False), Receipt("b", 2, True)]
    assert log.append([row("3"), row("3")], ids=["c", "c"]) == [Receipt("c", 3, True), Receipt("c", 3, False)]
    assert len(log.events()) == 3
    size = log.path.stat().st_size
    with pytest.raises(DataError, match=r"The event 'a' is in .*x\.log already, as number 1, with another judgement"):
        log.append([row("9"), row("1", 31)], ids=["new", "a"])
    with pytest.raises(DataError, match="A demo judgement is wrong: annotator is missing"):
        log.append([row("9"), {"item": "1"}], ids=["new", "newer"])
    with pytest.raises(DataError, match="Every row has an id, got 2 rows and 1 ids"):
        log.append([row("9"), row("8")], ids=["new"])
    assert log.path.stat().st_size == size


def test_two_objects_see_what_the_other_appends(tmp_path: Path) -> None:
    one, two = (JudgementLog(tmp_path / "x.log", SCHEMA) for _ in range(2))
    one.append([row("1")], ids=["a"])
    assert two.append([row("2")], ids=["b"])[0].seq == 2
    assert two.append([row("1")], ids=["a"]) == [Receipt("a", 1, False)]
    assert [event.id for event in one.events()] == ["a", "b"]


def test_a_line_torn_anywhere_is_put_aside_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    log = JudgementLog(path, SCHEMA)
    log.append([row("1", 1)], ids=["a"])
    whole = path.stat().st_size
    log.append([row("zweĩ", 2)], ids=["b"])
    bytes_of_log = path.read_bytes()
    for cut in range(whole + 1, len(bytes_of_log)):
        path.write_bytes(bytes_of_log[:cut])
        aside = tmp_path / "x.log.torn"
        aside.unlink(missing_ok=True)
        found = JudgementLog(path, SCHEMA)
        assert [event.id for event in found.events()] == ["a"]
        assert found.recoveries == [Recovery(1, cut - whole, str(aside))]
        assert aside.read_bytes() == bytes_of_log[whole:cut] + b"\n"
        assert found.append([row("zweĩ", 2)], ids=["b"])[0].is_new
        assert path.read_bytes()[:whole] == bytes_of_log[:whole]
        assert len(JudgementLog(path, SCHEMA).events()) == 2


def test_a_torn_head_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    path.write_bytes(b'{"log": "judg')
    log = JudgementLog(path, SCHEMA)
    assert log.recoveries[0].n_bytes == 13
    assert log.append([row("1")])[0].seq == 1


def test_a_full_disk_leaves_the_log_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = JudgementLog(tmp_path / "x.log", SCHEMA)
    log.append([row("1")], ids=["a"])
    before = log.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        log.append([row("2")], ids=["b"])
    assert log.path.read_bytes() == before
    monkeypatch.undo()
    assert log.append([row("2")], ids=["b"]) == [Receipt("b", 2, True)]


def test_an_append_is_on_disk_before_it_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = JudgementLog(tmp_path / "x.log", SCHEMA)
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_size))
    log.append([row("1")])
    assert synced == [log.path.stat().st_size]


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        (lambda lines: [lines[0], lines[1], "{", lines[3]], 3, "this is no event of a log"),
        (lambda lines: [lines[0], lines[1], lines[3]], 3, "event 2 is missing; found 3"),
        (lambda lines: [lines[0], lines[1], '{"seq": 2}', lines[3]], 3, r"this is no event of a log \('id'\)"),
        (lambda lines: [lines[0], lines[1].replace("anna", ""), "[]"], 3, "this is no event of a log"),
        (lambda lines: ["{}", *lines[1:]], 1, "this is no log of judgements"),
        (lambda lines: [lines[0].replace('"format": 1', '"format": 2'), *lines[1:]], 1, "the log has format 2; this"),
        (lambda lines: [lines[0].replace("demo", "other"), *lines[1:]], 1, "the log is of kind 'other', not 'demo'"),
        (
            lambda lines: [lines[0].replace('"score"', '"mark"'), *lines[1:]],
            1,
            "the log is of kind 'demo' with other fields: annotator, item, mark",
        ),
    ],
)
def test_a_damaged_log_is_named_with_its_line(tmp_path: Path, change, line: int, message: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "x.log"
    JudgementLog(path, SCHEMA).append([row("1"), row("2"), row("3")])
    path.write_text("".join(each + "\n" for each in change(path.read_text().splitlines())))
    with pytest.raises(FormatError, match=rf"x\.log:{line}: {message}"):
        JudgementLog(path, SCHEMA)


def test_a_log_that_shrinks_is_noticed(tmp_path: Path) -> None:
    log = JudgementLog(tmp_path / "x.log", SCHEMA)
    log.append([row("1")])
    log.path.write_text("")
    with pytest.raises(FormatError, match="the log has become shorter; something else has written to it"):
        log.events()


def test_wrong_places_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is a directory; name a file for the log"):
        JudgementLog(tmp_path, SCHEMA)
    with pytest.raises(DataError, match=r"there is no folder .*none\. Make it first"):
        JudgementLog(tmp_path / "none" / "x.log", SCHEMA)


WRITER = """
import sys
from tests.data.test_judgement_log import SCHEMA, row
from dragoman.data.judgement_log import JudgementLog
log = JudgementLog(sys.argv[1], SCHEMA)
for n in range(int(sys.argv[3])):
    (receipt,) = log.append([row(str(n), n, sys.argv[2])], ids=[f"{sys.argv[2]}-{n}"])
    print(receipt.id, flush=True)
"""


def writer(path: Path, name: str, n: int) -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(n)], cwd=root, stdout=subprocess.PIPE, text=True
    )


def test_processes_and_threads_append_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    log = JudgementLog(path, SCHEMA)
    others = [writer(path, name, 20) for name in ("b", "c")]

    def append(name: str) -> None:
        for n in range(20):
            log.append([row(str(n), n, name)], ids=[f"{name}-{n}"])

    threads = [threading.Thread(target=append, args=(name,)) for name in ("d", "e")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for other in others:
        other.communicate(timeout=60)
        assert other.returncode == 0
    events = JudgementLog(path, SCHEMA).events()
    assert [event.seq for event in events] == list(range(1, 81))
    for name in "bcde":
        assert [event.id for event in events if event.row["annotator"] == name] == [f"{name}-{n}" for n in range(20)]


def test_what_was_confirmed_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "x.log"
    process = writer(path, "b", 100_000)
    assert process.stdout is not None
    first = [process.stdout.readline().strip() for _ in range(5)]
    process.send_signal(signal.SIGKILL)
    confirmed = [*first, *process.stdout.read().split("\n")]
    process.wait()
    process.stdout.close()
    whole = [name for name in confirmed if name][:-1]  # the last line may be cut short
    log = JudgementLog(path, SCHEMA)
    ids = [event.id for event in log.events()]
    assert len(whole) >= 4
    assert ids[: len(whole)] == whole
    assert log.append([row("1", 1, "b")], ids=["b-1"])[0].is_new is False
