"""Error spans (MQM, ESA), semantic frames, comprehension: what only these kinds have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data import FORMATS, Judgements, read_judgements
from dragoman.data.judgements.comprehension import COMPREHENSION
from dragoman.data.judgements.esa import read_spans, spans_json
from dragoman.data.judgements.frame_json import parse_frames
from dragoman.data.judgements.semantic_frames import FRAMES
from dragoman.data.judgements.spans import ERROR_SPANS, marked, unmarked
from dragoman.errors import DataError, FormatError

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def write(tmp_path: Path, text: str, name: str) -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


@given(st.text(), st.data())
def test_marks_come_off_as_they_went_on(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if "<v>" in text or "</v>" in text:
        with pytest.raises(DataError, match="The text holds tags of its own"):
            marked(text, start, end)
        return
    assert unmarked(marked(text, start, end)) == (text, start, end)
    assert unmarked(text) == (text, None, None)


def test_an_mqm_table(tmp_path: Path) -> None:
    rows = (
        "A\tnews\t1\t7\tr1\tDer Hund bellt.\tThe <v>cat</v> barks.\tAccuracy/Mistranslation\tMajor\n"
        "A\tnews\t1\t7\tr1\tDer <v>alte</v> Hund\tThe dog\tAccuracy/Omission\tMinor\n"
        "A\tnews\t2\t8\tr1\tJa.\tYes.\tNo-error\tno-error\n"
    )
    table = read_judgements(write(tmp_path, HEADER + rows, "x.tsv"))
    assert table.kind == "error-spans"
    first, second, third = table.rows()
    assert (first["target"], first["start"], first["end"], first["source_start"]) == ("The cat barks.", 4, 7, None)
    assert (second["source"], second["source_start"], second["source_end"]) == ("Der alte Hund", 4, 8)
    assert (second["start"], second["item"]) == (None, "A/7.2")
    assert (third["category"], third["start"], third["segment"]) == ("No-error", None, 8)
    newer = HEADER.replace("doc_id\tseg_id", "docSegId\tglobalSegId").replace("severity", "severity\tmetadata")
    again = read_judgements(write(tmp_path, newer + rows.replace("\n", "\t{}\n"), "y.tsv"))
    assert again == table
    FORMATS.make("mqm").write(again, tmp_path / "z.tsv")
    assert (tmp_path / "z.tsv").read_text() == HEADER + rows


@pytest.mark.parametrize("cell", ["<v>The</v> <v>cat</v>", "The</v> <v>cat", "The</v> cat</v>", "<v>The <v>cat"])
def test_several_marks_are_named(tmp_path: Path, cell: str) -> None:
    good = "A\tnews\t1\t7\tr1\tHund\tdog\tx\tMajor\n"
    path = write(tmp_path, HEADER + good + f"A\tnews\t1\t7\tr1\tHund\t{cell}\tx\tMajor\n", "x.tsv")
    with pytest.raises(FormatError, match=r"x\.tsv:3: a text has one span at most; found several tags"):
        read_judgements(path)
    assert read_judgements(path, on_bad="drop").n_dropped == 1


def test_tables_that_are_not_mqm(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"this is no MQM table: it lacks system, doc"):
        FORMATS.make("mqm").read(write(tmp_path, "a\n", "x.tsv"))
    path = write(tmp_path, HEADER.replace("severity", "severity\tmood"), "x.tsv")
    with pytest.raises(FormatError, match=r"x\.tsv:1: an MQM table has no column mood"):
        read_judgements(path)
    assert len(read_judgements(path, on_bad="drop")) == 0


SPAN = {"start_i": 4, "end_i": 6, "severity": "major", "category": None}


def test_spans_that_include_their_last_character_become_half_open() -> None:
    (row,) = read_spans([SPAN])
    assert (row["start"], row["end"]) == (4, 7)
    (missing,) = read_spans([{"start_i": "missing", "end_i": "missing", "severity": "minor"}])
    assert missing == {"category": None, "severity": "minor", "is_omission": True}
    assert read_spans([]) == [{}]
    full = {"is_omission": None, "start": None, "end": None, "severity": None, "category": None}
    assert spans_json([{**full, **row}]) == [SPAN]
    assert spans_json([{**full, **missing}])[0]["start_i"] == "missing"
    assert spans_json([full]) == []
    with pytest.raises(DataError, match="A span of no characters cannot be written"):
        spans_json([{**full, "start": 3, "end": 3}])
    with pytest.raises(DataError, match="An error that was marked at no place of the output"):
        spans_json([{**full, "severity": "minor"}])


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ({}, "the spans are '{}'; expected a list of objects"),
        ([1], "expected a list of objects"),
        ([{"start_i": "missing", "end_i": 4}], "an omission has 'missing' in both"),
        ([{"start_i": 5, "end_i": 4}], "a span begins at 5 and ends at 4; expected whole numbers"),
        ([{"start_i": None, "end_i": 4}], "a span begins at None and ends at 4"),
    ],
)
def test_wrong_spans_are_named(spans: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_spans(spans)


def test_esa_from_appraise_is_read_as_spans_or_as_scores(tmp_path: Path) -> None:
    spans = json.dumps([SPAN, SPAN | {"start_i": "missing", "end_i": "missing"}]).replace('"', '""')
    rows = f'jo,A,1,TGT,eng,deu,70,d,False,"{spans}",0,9.5\njo,A,2,TGT,eng,deu,100,d,False,[],9.5,12\n'
    path = write(tmp_path, rows, "x.csv")
    table = read_judgements(path, kind="error-spans")
    assert table["item"] == ("1.1", "1.2", "2.1")
    assert table["start"] == (4, None, None)
    assert table["is_omission"] == (None, True, None)
    assert table["score"] == (70.0, 70.0, 100.0)
    scores = read_judgements(path, kind="direct-assessment")
    assert scores["score"] == (70.0, 100.0)
    broken = write(tmp_path, rows.replace("[],", "nonsense,"), "y.csv")
    with pytest.raises(FormatError, match=r"y\.csv:2: the spans are 'nonsense'; expected a list in JSON"):
        read_judgements(broken, kind="error-spans")
    plain = write(tmp_path, "jo,A,1,TGT,eng,deu,70,0,9.5\n", "z.csv")
    with pytest.raises(FormatError, match="there is no column of spans; read the file as appraise-da"):
        FORMATS.make("appraise-esa").read(plain)
    with pytest.raises(FormatError, match=r"these are direct-assessment judgements \(appraise-da\), not error-spans"):
        read_judgements(plain, kind="error-spans")
    typeless = Judgements.of(ERROR_SPANS, [dict(row, type=None) for row in table.rows()])
    with pytest.raises(DataError, match="The type None is none of Appraise's"):
        FORMATS.make("appraise-esa").write(typeless, tmp_path / "q.csv")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": 2}, "start is 2, end None; a span has both"),
        ({"start": 3, "end": 2}, "start is 3, behind end, 2"),
        ({"start": 0, "end": 4, "target": "dog"}, "end is 4, but the text has 3 characters"),
        ({"source_start": 0, "source_end": 5, "source": "Hund"}, "source_end is 5, but the text has 4 characters"),
        ({"start": 0, "end": 1, "is_omission": True}, "an omission is marked at no place of the output"),
    ],
)
def test_spans_that_cannot_be(change: dict[str, object], message: str) -> None:
    row = {"annotator": "a", "item": "1", "segment": 1, "system": "s"}
    with pytest.raises(DataError, match=message):
        Judgements.of(ERROR_SPANS, [row | change])  # type: ignore[list-item]


FRAME = {
    "annotator": "a",
    "item": "1",
    "sentence": "s",
    "language": "en",
    "unit": "0",
    "number": "0",
    "version": "01",
    "is_reference": False,
    "text": "he sold it",
    "reference": "0",
}


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ("x", "frames is 'x'; expected a list in JSON"),
        ("{}", "frames is '{}'; expected a list in JSON"),
        ("[1]", "a frame is '1'; expected an object with head, link, roles"),
        ('[{"head": -1}]', "a frame has the head -1; expected the number of a token"),
        ('[{"head": 1, "roles": 2}]', "the frame at token 1 has roles '2'; expected a list"),
        ('[{"head": 1, "roles": [{"type": "WHO"}]}]', "the frame at token 1 has a role 'WHO'; known: AGENT"),
        ('[{"head": 1, "roles": [{"type": "AGENT", "start": 2, "end": 2}]}]', "spans 2 to 2; expected tokens"),
        ('[{"head": 1, "link": [0, "half"]}]', r"a link is \"\[0, 'half'\]\"; expected the place in the reference"),
        ('[{"head": 3}]', "a frame reaches to token 3, but the sentence has 3 tokens"),
    ],
)
def test_wrong_frames_are_named(frames: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Judgements.of(FRAMES, [FRAME | {"frames": frames}])
    unlinked = FRAME | {"frames": '[{"head": 1, "link": [0, "full"]}]', "reference": None}
    with pytest.raises(DataError, match="frames are linked, but no reference is named"):
        Judgements.of(FRAMES, [unlinked])


def test_tables_of_frames_that_do_not_join(tmp_path: Path) -> None:
    rows = [
        FRAME | {"item": "0", "is_reference": True, "reference": None, "frames": '[{"head": 1}]'},
        FRAME | {"frames": '[{"head": 1, "link": [0, "full"]}]'},
    ]
    form = FORMATS.make("hmeant")
    form.write(Judgements.of(FRAMES, rows), tmp_path / "good")
    for name, old, new, message in (
        ("actions", "0\t0\t1", "0\t9\t1", "actions:2: '9' leads nowhere: annotations has no such id"),
        ("actions", "0\t0\t1", "0\t0\tx", "actions:2: tokens is 'x'; expected numbers"),
        ("actions", "0\t0\t1", "0\t0\t1,1" + "0" * 5000, "actions:2: tokens is '1,10{57}'; expected numbers"),
        ("actions", "0\t0\t1", "0\t0\t1,1" + "0" * 16, "actions:2: tokens is '1,10{16}'; expected neighbouring"),
        ("actions", "1\t1\t1", "0\t1\t1", "actions:3: the id '0' is there a second time, first on line 2"),
        ("action_aligns", "full", "half", "action_aligns:2: type is 'half'; expected full, partial"),
        ("annotations", "sentence_id", "sentence", "annotations:1: the columns are id, sentence, annotator, ref_id"),
        ("annotations", "\tNULL", "", "annotations:2: the line has 3 cells for 4 columns"),
    ):
        (tmp_path / "bad").mkdir(exist_ok=True)
        for path in (tmp_path / "good").iterdir():
            text = path.read_text()
            (tmp_path / "bad" / path.name).write_text(text.replace(old, new, 1) if path.name == name else text)
        with pytest.raises(FormatError, match=message):
            form.read(tmp_path / "bad")
    with pytest.raises(DataError, match="A link of the annotation '1' leads to nothing in its reference"):
        form.write(Judgements.of(FRAMES, [rows[0] | {"frames": "[]"}, rows[1]]), tmp_path / "x")
    with pytest.raises(DataError, match="names the reference '0', which is not there"):
        form.write(Judgements.of(FRAMES, rows[1:]), tmp_path / "x")
    with pytest.raises(DataError, match="Two annotations have the same item"):
        form.write(Judgements.of(FRAMES, [rows[0], rows[0]]), tmp_path / "x")


def test_comprehension_rows() -> None:
    row = {"annotator": "a", "item": "1", "excerpt": "L043-1", "condition": "system"}
    table = Judgements.of(
        COMPREHENSION, [row | {"question": "1", "answer": "yes", "type": "yes-no"}, row | {"quality": 3}]
    )
    assert len(table) == 2
    with pytest.raises(DataError, match="there is an answer, but no question"):
        Judgements.of(COMPREHENSION, [row | {"is_correct": True}])
    with pytest.raises(DataError, match="type is 'odd'; expected factual, yes-no, list"):
        Judgements.of(COMPREHENSION, [row | {"question": "1", "type": "odd"}])


@pytest.mark.realdata
def test_the_released_frames(data_folder: Path, tmp_path: Path) -> None:
    table = read_judgements(data_folder / "hmeant-wmt13")
    assert len(table) == 2954
    frames = [parse_frames(str(text)) for text in table["frames"]]
    assert sum(map(len, frames)) == 5544
    assert sum(len(frame.roles) for found in frames for frame in found) == 16_442
    assert sum(frame.link is not None for found in frames for frame in found) == 1691
    assert sum(role.link is not None for found in frames for frame in found for role in frame.roles) == 5026
    FORMATS.make("hmeant").write(table, tmp_path / "again")
    assert read_judgements(tmp_path / "again") == table
