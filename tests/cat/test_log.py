"""The edit log against a recomputation from raw events that shares nothing with it (acceptance 3 of MateCat)."""

from __future__ import annotations

import csv
import io
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dragoman.cat.log import EditLog, edit_log
from dragoman.cat.process_tables import COLUMNS, tpr_tables
from dragoman.cat.replay import anonymised, frames, jsonl
from dragoman.cat.reports import similarity
from dragoman.cat.work import Draft, fold_work
from dragoman.store.translating.history import Logged

START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


class Recorder:
    """Writes events as a browser sends them, with a clock of its own."""

    def __init__(self, user: str = "ada") -> None:
        self.events: list[Logged] = []
        self.user = user
        self.now = START

    def add(self, name: str, segment: int | None = None, after: float = 0.0, **data: Any) -> None:
        self.now += timedelta(milliseconds=after)
        late = self.now + timedelta(hours=3)  # the server's clock is another
        self.events.append(Logged(len(self.events) + 1, name, segment, self.user, self.now, late, data))


def row(number: int, source: str, target: str | None, state: str = "translated") -> dict[str, Any]:
    words = max(1, len(source.split()))
    return {"id": number, "place": number, "source": source, "target": target, "state": state, "words": words}


def log_of(recorder: Recorder, *rows: dict[str, Any], **more: Any) -> EditLog:
    return edit_log(recorder.events, rows, similarity=similarity, **more)


def test_a_session_by_hand() -> None:
    day = Recorder()
    day.add("segmentOpened", 1, text="")
    top = {"kind": "MT", "name": "de-en", "score": 85, "text": "The dog sleep.", "source": "Der Hund schläft."}
    day.add("suggestionsLoaded", 1, 100, suggestions=[top, {"kind": "TM", "name": "m", "score": 60, "text": "A cat."}])
    day.add("suggestionChosen", 1, 0, **{key: value for key, value in top.items() if key != "name"})
    day.add("text", 1, 0, position=0, deleted="", inserted="The dog sleep.", by="suggestion")
    day.add("mouseDown", 1, 2900)
    day.add("keyDown", 1, 500, key="s")
    day.add("text", 1, 0, position=13, deleted="", inserted="s", by="key")
    day.add("keyDown", 1, 10, key="Shift")
    day.add("segmentClosed", 1, 490)
    day.add("saved", 1, 0, target="The dog sleeps.", state="translated", revision=1, origin=top)
    day.add("keyDown", 1, 60_000, key="x")  # nothing is open: this time is nobody's
    (each,) = (log := log_of(day, row(1, "Der Hund schläft.", "The dog sleeps."))).segments
    assert (each.seconds, each.words, each.seconds_per_word, each.is_valid) == (4.0, 3, pytest.approx(4 / 3), True)
    assert (each.effort, each.edits, each.hter) == (25, 1, pytest.approx(0.25))  # one of four tokens
    assert (each.keys, each.clicks, each.typed_words, each.pauses, each.pause_seconds) == (2, 1, 1, 1, 2.9)
    assert (each.origin, each.user) == ("MT", "ada")
    totals = log.totals()
    assert (totals["ksr"], totals["mar"], totals["ksmr"]) == (
        pytest.approx(200 / 15),
        pytest.approx(100 / 15),
        pytest.approx(300 / 15),
    )
    assert totals["wsr"] == pytest.approx(100 / 3)
    assert (totals["seconds_per_word"], totals["words_per_day"]) == (pytest.approx(4 / 3), pytest.approx(21_600))
    assert (totals["effort"], totals["top_mt"], totals["top_tm"]) == (25, 1, 0)


def test_long_pauses_do_not_count_and_segments_can_be_opened_again() -> None:
    day = Recorder()
    day.add("segmentOpened", 1)
    day.add("keyDown", 1, 300_000, key="a")  # five minutes still do
    day.add("keyDown", 1, 300_001, key="a")
    day.add("segmentOpened", 2, 1000)  # closes the first
    day.add("keyDown", 2, 2000, key="a")
    day.add("segmentOpened", 1, 500)
    day.add("stopSession", None, 250)
    day.add("keyDown", 1, 1000, key="a")
    work = fold_work(day.events)
    assert (work[1].milliseconds, work[2].milliseconds) == (301_250, 2500)
    assert (work[1].pauses, work[1].pause_milliseconds, work[2].pauses) == (2, 301_000, 1)


def test_people_at_the_same_time_are_told_apart() -> None:
    ada, ben = Recorder("ada"), Recorder("ben")
    for day, segment in ((ada, 1), (ben, 2)):
        day.add("segmentOpened", segment)
        day.add("keyDown", segment, 1500, key="a")
    mixed = [event for pair in zip(ada.events, ben.events, strict=True) for event in pair]
    assert {key: each.milliseconds for key, each in fold_work(mixed).items()} == {1: 1500, 2: 1500}


@pytest.mark.parametrize(("seconds", "valid"), [(0.25, False), (0.26, True), (29.9, True), (30.0, False)])
def test_too_fast_and_too_slow_is_not_valid(seconds: float, valid: bool) -> None:
    day = Recorder()
    day.add("segmentOpened", 1)
    day.add("segmentClosed", 1, 1000 * seconds)
    log = log_of(day, row(1, "Wort", "word"))
    assert log.segments[0].is_valid is valid
    totals = log.totals()
    assert (totals["too_slow_words"], totals["too_fast_words"]) == (float(seconds == 30), float(seconds == 0.25))
    assert (totals["seconds_per_word"] is None) is not valid


def test_slowest_first_and_weighted_by_words() -> None:
    day = Recorder()
    for segment, seconds, effort in ((1, 10, "a b"), (2, 30, "a x")):
        day.add("segmentOpened", segment)
        day.add("segmentClosed", segment, 1000 * seconds)
        day.add("saved", segment, target="a b", state="draft", revision=1, origin={"kind": "TM", "text": effort})
    log = log_of(day, row(1, "eins", "a b"), row(2, "eins zwei drei vier", "a b"))
    assert [each.segment for each in log.segments] == [1, 2]  # 10 and 7.5 seconds a word
    totals = log.totals()
    assert totals["seconds_per_word"] == pytest.approx(40 / 5)
    assert totals["effort"] == pytest.approx((1 * 0 + 4 * 50) / 5)


def test_a_segment_without_suggestion_has_no_effort() -> None:
    day = Recorder()
    day.add("saved", 1, target="word", state="draft", revision=1, origin=None)
    (each,) = log_of(day, row(1, "Wort", "word"), row(2, "nie", None, "new")).segments
    assert (each.effort, each.hter, each.origin) == (None, None, None)


def test_typed_words_are_not_told_of_a_record_with_gaps() -> None:
    day = Recorder()
    day.add("text", 1, position=5, deleted="xyz", inserted="a", by="key")
    day.add("saved", 1, target="a word", state="draft", revision=1, origin=None)
    assert log_of(day, row(1, "Wort", "a word")).segments[0].typed_words is None


@pytest.mark.parametrize(
    "data", [{}, {"position": "1"}, {"position": -1}, {"position": 9}, {"position": 0, "inserted": 5}]
)
def test_wrong_text_events_change_nothing(data: dict[str, Any]) -> None:
    draft = Draft("abc", [True] * 3)
    draft.follow(Logged(1, "text", 1, "ada", START, START, data))
    assert (draft.text, draft.typed, draft.misfits) == ("abc", [True] * 3, 1)


def test_csv_has_matecats_columns() -> None:
    day = Recorder()
    day.add("segmentOpened", 7)
    day.add("suggestionsLoaded", 7, suggestions=[{"kind": "TM", "source": "a;b", "text": '"q"', "score": 99.0}])
    day.add("segmentClosed", 7, 1234)
    origin = {"kind": "TM", "name": "mem", "score": 99.0, "text": "=cmd"}
    day.add("saved", 7, target="x", state="draft", revision=1, origin=origin)
    text = log_of(day, row(7, "eins zwei", "x"), jobs=[(3, "ada", "translator", 1, 9)]).csv()
    head, line = csv.reader(io.StringIO(text), delimiter=";")
    assert head == (
        "Job ID;Segment ID;Suggestion Source;Words;Match percentage;Time-to-edit;Post-editing effort;Segment;"
        "Suggestion;Translation;ID translator;"
        + ";".join(f"Suggestion{k}-{w}" for k in (1, 2, 3) for w in ("source", "translation", "match", "origin"))
    ).split(";")
    first = ["3", "7", "mem", "2", "99.0", "1234", "100", "eins zwei", "'=cmd", "x", "ada"]
    assert line == [*first, "a;b", '"q"', "99.0", "TM", *[""] * 8]


def recomputed(events: list[Logged], rows: list[dict[str, Any]]) -> dict[int, tuple[float, float, bool, int | None]]:
    """Time, seconds per word, validity and effort of each segment, the slow way: a day cut into a person's stays."""
    found = {}
    for each in rows:
        total = 0.0
        for user in {event.user for event in events}:
            mine = [event for event in events if event.user == user]
            for begin, event in enumerate(mine):
                if event.kind != "segmentOpened" or event.segment != each["id"]:
                    continue
                stay = [event]
                for later in mine[begin + 1 :]:
                    stay.append(later)
                    if later.kind in ("segmentOpened", "segmentClosed", "stopSession"):
                        break
                gaps = [
                    (stay[i + 1].at - stay[i].at).total_seconds()  # type: ignore[operator]
                    for i in range(len(stay) - 1)
                ]
                total += sum(gap for gap in gaps if gap <= 300)
        saved = [event for event in events if event.kind == "saved" and event.segment == each["id"]]
        if not saved and not total:
            continue
        origins = [event.data["origin"] for event in saved if event.data["origin"]]
        effort = None
        if origins:
            effort = round(100 * (1 - _by_definition(origins[-1]["text"], each["target"])))
        pace = total / len(each["source"].split())
        found[each["id"]] = (total, pace, 0.25 < pace < 30, effort)
    return found


def _by_definition(one: str, other: str) -> float:
    """1 - edits / longer, by the table of edit distances; 99 per cent where only case differs."""
    if one == other:
        return 1.0
    a, b = one.lower().split(), other.lower().split()
    if a == b:
        return 0.99
    table = [[i + j if not i * j else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            change = table[i - 1][j - 1] + (a[i - 1] != b[j - 1])
            table[i][j] = min(change, table[i - 1][j] + 1, table[i][j - 1] + 1)
    return 1 - table[-1][-1] / max(len(a), len(b))


@pytest.mark.parametrize("seed", range(5))
def test_the_log_equals_a_recomputation_from_raw_events(seed: int) -> None:
    draw = random.Random(seed)
    words = ["der", "die", "das", "Haus", "Hund", "geht", "steht", "rot", "blau", "sehr"]
    rows = [row(n, " ".join(draw.choices(words, k=draw.randint(1, 9))), None) for n in range(1, 9)]
    people = [Recorder("ada"), Recorder("ben")]
    order: list[Logged] = []
    for _ in range(300):
        day = draw.choice(people)
        each = draw.choice(rows)
        kind = draw.choice(["segmentOpened", "keyDown", "text", "segmentClosed", "saved", "stopSession", "mouseDown"])
        data: dict[str, Any] = {}
        if kind == "saved":
            each["target"] = " ".join(draw.choices(words, k=draw.randint(1, 9)))
            text = " ".join(draw.choices(words, k=draw.randint(1, 9))).upper()
            origin = draw.choice([None, {"kind": "MT", "text": text}])
            data = {"target": each["target"], "state": "draft", "revision": 1, "origin": origin}
        day.add(kind, each["id"], draw.choice([50, 900, 2000, 20_000, 301_000]), **data)
        order.append(day.events[-1])
    log = edit_log(order, rows, similarity=similarity)
    ours = {s.segment: (s.seconds, s.seconds_per_word, s.is_valid, s.effort) for s in log.segments}
    expected = recomputed(order, rows)
    assert ours.keys() == expected.keys()
    for number, values in expected.items():
        assert ours[number] == (pytest.approx(values[0]), pytest.approx(values[1]), *values[2:])
    valid = [number for number, values in expected.items() if values[2]]
    if valid:
        lengths = {each["id"]: each["words"] for each in rows}
        pace = sum(expected[n][0] for n in valid) / sum(lengths[n] for n in valid)
        assert log.totals()["seconds_per_word"] == pytest.approx(pace)


def test_replay_gives_the_states_over_time() -> None:
    day = Recorder()
    day.add("segmentOpened", 1, text="old")
    day.add("text", 1, 500, position=3, deleted="", inserted="er", by="key")
    day.add("gaze", None, 100, x=3, y=4)
    day.add("saved", 1, 400, target="older!", state="draft", revision=1, origin=None)
    shown = list(frames(day.events))
    assert [(each["time"], each["kind"], each.get("text")) for each in shown] == [
        (0, "segmentOpened", "old"),
        (500, "text", "older"),
        (600, "gaze", None),
        (1000, "saved", "older!"),
    ]
    assert shown[2]["data"] == {"x": 3, "y": 4}


def test_an_anonymous_log_names_nobody() -> None:
    ada, ben = Recorder("ada"), Recorder("ben")
    ben.add("keyDown", 1, key="x")
    ada.add("saved", 1, target="x", state="draft", revision=1, origin=None)
    ada.add("comment", 1, text="Call me, ada")
    ada.add("issue", 1, span={"start": 0, "end": 1, "severity": "minor"}, note="ben knows better")
    ada.add("ignored", 1, check="numbers", message="7 is lacking.", reason="ben said so")
    lines = list(jsonl(anonymised([*ben.events, *ada.events])))
    assert len(lines) == 4
    assert '"severity": "minor"' in lines[2]
    assert '"message": "7 is lacking."' in lines[3]
    assert '"user": "T1"' in lines[0]
    assert '"user": "T2"' in lines[1]
    assert not any(name in line for name in ("ada", "ben") for line in lines)


def test_tables_of_the_process_database() -> None:
    day = Recorder("T1")
    day.add("segmentOpened", 4)
    day.add("text", 4, 250, position=2, deleted="x", inserted="a ", by="key")
    day.add("segmentClosed", 4, 250)
    tables = tpr_tables(day.events, [row(4, "ein Wort", "abc"), row(5, "nie", None)])
    keys = [line.split("\t") for line in tables["kd"].splitlines()]
    assert keys == [
        ["Id", "Time", "Type", "Cursor", "Char", "User", "TTseg"],
        ["1", "250", "D", "2", "x", "T1", "4"],
        ["2", "250", "I", "2", "a", "T1", "4"],
        ["3", "250", "I", "3", "_", "T1", "4"],
    ]
    (head, line) = [line.split("\t") for line in tables["sg"].splitlines()]
    assert dict(zip(head, line, strict=True)) | {"Dur": "500", "Mins": "2", "Mdel": "1", "TokS": "2"} == dict(
        zip(head, line, strict=True)
    )


def looking(day: Recorder) -> None:
    """Open segment 4, look at the second word of its source, then at the first of its target, then away."""
    day.add("segmentOpened", 4)
    words = {"source": [[0, 3, 0, 0, 40, 20], [4, 8, 50, 0, 40, 20]], "target": [[0, 1, 0, 100, 20, 20]]}
    day.add("layout", 4, 10, view=[200, 400], source=[0, 0, 100, 90], target=[0, 100, 100, 90], words=words)
    samples = [[20 * k, 60 + k % 3, 10] for k in range(10)] + [[300 + 20 * k, 5, 110 + k % 2] for k in range(8)]
    day.add("gaze", 4, 40, samples=[*samples, [460, 190, 390], ["x"], [1, 2]])
    day.add("fixation", 4, 600, x=190, y=10, duration=150)
    for _ in range(3):
        day.add("gaze", 4, 60, x=90, y=180)
    day.add("stroke", 4, 10, points=[[0, 0, 0], [5, 5, 20]], area=[200, 50])
    day.add("text", 4, 400, position=0, deleted="", inserted="ab", by="key")
    day.add("text", 4, 1500, position=1, deleted="b", inserted="", by="key")
    day.add("segmentClosed", 4, 100)


def records(table: str) -> list[dict[str, str]]:
    head, *lines = [line.split("\t") for line in table.splitlines()]
    return [dict(zip(head, line, strict=True)) for line in lines]


def test_gaze_becomes_fixations_on_words() -> None:
    day = Recorder("T1")
    looking(day)
    tables = {name: records(text) for name, text in tpr_tables(day.events, [row(4, "ein Wort", "a")]).items()}
    looks = [(each["Time"], each["Dur"], each["Win"], each["Cursor"]) for each in tables["fd"]]
    last = ("710", "120", "2", "---")  # in the target, beside its word
    assert looks == [("50", "180", "1", "4"), ("350", "140", "2", "0"), ("650", "150", "0", "---"), last]
    assert [(each["Win"], each["FixN"]) for each in tables["fu"]] == [("1", "1"), ("2", "1"), ("0", "1"), ("2", "1")]
    seen = [(each["SToken"], each["FixN"], each["FixDur"]) for each in tables["st"]]
    assert seen == [("ein", "0", "0"), ("Wort", "1", "180")]
    assert [(each["TToken"], each["FixDur"]) for each in tables["tt"]] == [("a", "140")]
    units = [(each["Ins"], each["Del"], each["Pause"], each["Edit"]) for each in tables["pu"]]
    assert units == [("2", "0", "---", "ab"), ("0", "1", "1500", "[b]")]
    (session,) = tables["ss"]
    assert (session["User"], session["SegN"], session["Nstroke"], session["FixN"]) == ("T1", "1", "1", "4")
    assert (tables["sg"][0]["FixS"], tables["sg"][0]["FixT"]) == ("1", "2")
    assert "au" not in tables


def test_tables_have_the_columns_they_are_said_to_have_and_alignment_units_where_there_are_links() -> None:
    day = Recorder()
    looking(day)
    formulas = tpr_tables(day.events, [row(4, "=2+3", "@x")], links=lambda *_: [((0, 4), (0, 2))])
    assert formulas["au"].splitlines()[1].split("\t") == ["1", "4", "0", "0", "'=2+3", "'@x"]
    tables = tpr_tables(day.events, [row(4, "ein Wort", "a\tword")], links=lambda *_: [((4, 8), (2, 6))])
    assert {name: tuple(text.splitlines()[0].split("\t")) for name, text in tables.items()} == COLUMNS
    assert tables["au"].splitlines()[1].split("\t") == ["1", "4", "4", "2", "Wort", "word"]
    for name, text in tables.items():
        assert {len(line.split("\t")) for line in text.splitlines()} == {len(COLUMNS[name])}
