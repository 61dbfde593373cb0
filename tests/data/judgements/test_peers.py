"""Files as other tools wrote them, read as they are: Appraise's exports, WMT's releases, Google's MQM."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data import FORMATS, Judgements, read_judgements
from dragoman.errors import FormatError, MendedInput
from tests.conftest import real_data

MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"


def peer(name: str) -> Path:
    folder = real_data()
    assert folder is not None
    return folder / "peers" / name


def write(tmp_path: Path, text: str, name: str) -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("cell", "span", "rule"),
    [
        ("The <v>cat", (4, 7), "<v> is never closed: the span is taken to reach to the end of the text."),
        ("The</v> cat", (0, 3), "</v> closes nothing: the span is taken to begin with the text."),
    ],
)
def test_a_lone_mark_is_read_by_a_rule(tmp_path: Path, cell: str, span: tuple[int, int], rule: str) -> None:
    good = "A\tnews\t1\t7\tr1\tHund\tdog\tx\tMajor\n"
    wrong = f"A\tnews\t1\t7\tr1\tHund\t{cell}\tx\tMajor\n"
    path = write(tmp_path, MQM + good + wrong + good + wrong, "x.tsv")
    with pytest.warns(MendedInput) as caught:
        table = read_judgements(path)
    assert [str(each.message) for each in caught] == [f"{path}:3: {rule} There are 2 such lines: 3, 5."]
    rows = list(table.rows())
    assert (rows[1]["target"], rows[1]["start"], rows[1]["end"]) == ("The cat", *span)
    assert (table.files[0].rows, table.files[0].dropped, table.files[0].mended) == (4, 0, 2)


def test_strict_commands_refuse_what_others_mend(tmp_path: Path) -> None:
    path = write(tmp_path, MQM + "A\tnews\t1\t7\tr1\tHund\tThe <v>cat\tx\tMajor\n", "x.tsv")
    done = CliRunner().invoke(group, ["inspect", str(path)])
    assert done.exit_code == 0
    assert done.stderr.startswith(f"dragoman: beware: {path}:2: <v> is never closed")
    assert "mended" in done.stdout
    refused = CliRunner().invoke(group, ["inspect", str(path), "--strict"])
    assert isinstance(refused.exception, MendedInput)
    linted = CliRunner().invoke(group, ["lint", str(path), "--json"])
    assert [row["check"] for row in json.loads(linted.stdout)["rows"]][:1] == ["mended-rows"]
    assert not linted.stderr


APPRAISE = "ann,sys,{n},TGT,eng,deu,70{rest}\n"


@pytest.mark.parametrize(
    ("rest", "seconds"),
    [
        ([""] * 2, None),  # the times cut off
        ([",None,None", ",10,12.5"], 2.5),
        ([",None,None", ",serious-semantic-error1,None"], None),  # the errors of pairwise tasks
        ([",None,None,0,1", ",None,error-in-source-text,10,12.5"], 2.5),
        ([",news,False", ",news,False"], None),
    ],
)
def test_exports_of_appraise_in_all_widths(tmp_path: Path, rest: list[str], seconds: float | None) -> None:
    text = "".join(APPRAISE.format(n=n, rest=each) for n, each in enumerate(rest))
    rows = list(read_judgements(write(tmp_path, text, "x.csv")).rows())
    assert [row["score"] for row in rows] == [70, 70]
    assert rows[1]["seconds"] == seconds


@pytest.mark.parametrize(
    ("spans", "n"),
    [
        ("{'start_i': 0, 'end_i': 5, 'severity': 'major'}", 1),
        ("[{'start_i': 0, 'end_i': 5, 'severity': 'major'}, {'start_i': 'missing', 'end_i': 'missing'}]", 2),
    ],
)
def test_spans_as_python_writes_them(tmp_path: Path, spans: str, n: int) -> None:
    path = write(tmp_path, f'ann,sys,1,TGT,eng,deu,70,news,False,"{spans}"\n', "x.csv")
    rows = list(read_judgements(path, kind="error-spans").rows())
    assert len(rows) == n
    assert (rows[0]["start"], rows[0]["end"], rows[0]["severity"]) == (0, 6, "major")
    with pytest.raises(FormatError, match=r"x\.csv:1: the spans are .* expected a list in JSON"):
        read_judgements(write(tmp_path, path.read_text().replace("5", "exit()"), "x.csv"), kind="error-spans")


RELEASED = "HITId\tWorkerId\tInput.src\tInput.trg\tInput.item\thit\tsys_id\trid\ttype\tsid\tscore\ttime\n"


def test_a_release_of_wmt_mixes_tabs_and_blanks(tmp_path: Path) -> None:
    rows = 'NA\te3\thi\tbn ad NA\t"Online-G.7" NA SYSTEM\thi-bn-0-46.2_2\t30\t0\nH1 e4 hi bn fl 5 x 9 REPEAT 17 NA 4\n'
    table = read_judgements(write(tmp_path, RELEASED + rows, "x.csv"))
    first, second = table.rows()
    assert (first["system"], first["doc"], first["segment"], first["score"]) == ("Online-G.7", "hi-bn-0-46", 2, 30)
    assert (first["type"], first["seconds"], first["task"], first["attribute"]) == ("TGT", None, None, "adequacy")
    assert (second["type"], second["doc"], second["segment"], second["score"]) == ("CHK", None, 17, None)
    assert (second["seconds"], second["task"]) == (4, "H1")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("H1 e4 hi bn fl 5 x 9 REPEAT 17 70", r"x\.csv:2: the line has 11 cells for 12 columns"),
        ("H1 e4 hi bn fl 5 x 9 ODD 17 70 4", r"x\.csv:2: type is 'ODD'; expected system, repeat"),
        ("H1 e4 hi bn fl 5 x 9 REPEAT 17 170 4", r"x\.csv:2: .*score is '170'; expected a number from 0 to 100"),
        ("H1 e4 hi bn fl 5 x 9 REPEAT here 70 4", r"x\.csv:2: segment is 'here'; expected a whole number"),
    ],
)
def test_wrong_rows_of_a_release_are_named(tmp_path: Path, row: str, message: str) -> None:
    path = write(tmp_path, RELEASED + row + "\n", "x.csv")
    with pytest.raises(FormatError, match=message):
        read_judgements(path)
    assert read_judgements(path, on_bad="drop").n_dropped == 1
    with pytest.raises(FormatError, match=r"no table of WMT's direct assessments: expected the columns HITId"):
        FORMATS.make("wmt-da").read(write(tmp_path, "HITId\n", "y.csv"))


def assessed(path: str, kind: str | None = None) -> Judgements:
    return read_judgements(peer(path), kind=kind)


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "n"), [("direct", 11), ("pairwise", 17), ("pairwise_document", 18), ("pairwise_errors", 17), ("mqmesa", 5)]
)
def test_exports_of_appraise_itself(name: str, n: int) -> None:
    table = assessed(f"appraise/{name}.scores.csv", "direct-assessment")
    assert len(table) == n
    assert set(table["source_lang"]) == {"en"}
    if name == "mqmesa":
        spans = list(assessed("appraise/mqmesa.scores.csv", "error-spans").rows())
        assert [(row["start"], row["end"], row["severity"]) for row in spans] == [(0, 51, "major")] * 5


@pytest.mark.realdata
@pytest.mark.parametrize(("name", "systems", "segments"), [("direct", 3, 10), ("document", 3, 6), ("pairwise", 3, 24)])
def test_batches_of_appraise_itself(name: str, systems: int, segments: int) -> None:
    test_set = FORMATS.make("appraise-batches:common=yes").read(peer(f"appraise/{name}/batches.json.gz"))
    assert (len(test_set.systems), len(test_set)) == (systems, segments)


@pytest.mark.realdata
@pytest.mark.parametrize("name", ["esa", "mqm"])
def test_batches_whose_systems_share_no_segment_say_so(name: str) -> None:
    path = peer(f"appraise/mqm-esa/batches_{name}.json.gz")
    with pytest.raises(FormatError, match=r"there is not a single segment that every system translated\.$"):
        FORMATS.make("appraise-batches:common=yes").read(path)


@pytest.mark.realdata
def test_the_mqm_of_ted_loads_but_for_one_mended_line() -> None:
    with pytest.warns(MendedInput, match=r":9622: <v> is never closed.* There is one such line\.$"):
        table = assessed("mqm-ted-zhen/mqm_ted_zhen.tsv.gz")
    assert (len(table), table.files[0].mended) == (9915, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", MendedInput)
        with pytest.raises(MendedInput):
            assessed("mqm-ted-zhen/mqm_ted_zhen.tsv.gz")
