"""Outputs that come as SGM or XML: read as WMT reads them, put in order, and named where they are hostile."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from dragoman.data.assemble import assemble
from dragoman.data.formats.sgm import SgmFormat
from dragoman.data.formats.wmt_xml import WmtXmlFormat
from dragoman.data.testset import TestSet
from dragoman.files import read_lines
from dragoman.samples import copy_samples
from dragoman.task import SharedTask, SubmissionBox, collect_submissions, read_task, run_task
from dragoman.task.forms import form_of
from dragoman.task.submissions import Submission


@pytest.fixture
def task(tmp_path: Path) -> SharedTask:
    copy_samples(tmp_path / "samples")
    return read_task(tmp_path / "samples" / "task")


def output(task: SharedTask, *, source: bool = False) -> TestSet:
    folder = task.folder.parent / "testset"
    return assemble(
        srcs=folder / "source.de" if source else None,
        systems=[f"north-system={folder / 'systems' / 'dune.en'}"],
        docs=folder / "documents.tsv",
        name="sample",
        source_lang="de",
        target_lang="en",
    )


def submitted(task: SharedTask, text: str, name: str = "out.sgm") -> Submission:
    path = task.folder / name
    path.write_text(text, encoding="utf-8")
    return collect_submissions(task, [f"primary={path}"], team="north", track="news").submissions[0]


def sgm(task: SharedTask, **more: bool) -> str:
    path = task.folder / "made.sgm"
    SgmFormat().write(output(task, **more), path)
    return path.read_text(encoding="utf-8")


def xml(task: SharedTask) -> str:
    path = task.folder / "made.xml"
    WmtXmlFormat().write(output(task, source=True), path)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["sgm", "mteval", "xml"])
def test_markup_counts_as_its_lines_do(task: SharedTask, form: str) -> None:
    text = {"sgm": sgm(task), "mteval": sgm(task, source=True), "xml": xml(task)}[form]
    lines = read_lines(task.folder.parent / "testset" / "systems" / "dune.en")
    taken = submitted(task, text, f"out.{form}")
    assert (taken.state, taken.form, taken.n_lines) == ("accepted", "xml" if form == "xml" else "sgm", 80)
    assert read_lines(taken.text) == lines
    assert Path(taken.path).read_text(encoding="utf-8") == text  # as it came
    again = submitted(task, "".join(f"{line}\n" for line in lines), "out.en")
    assert again.problems == (f"This is what primary has already, submission {taken.id}.",)
    assert SubmissionBox(task).find(taken.id) == taken


def test_findings_have_the_lines_of_a_markup_file(task: SharedTask) -> None:
    submitted(task, sgm(task))
    scores = run_task(task, task.folder / "scores").part("news-scores").table
    values = {row[0]: row[1:] for row in scores.rows}
    assert values["north.primary"] == values["dune"]


def test_documents_are_put_in_the_order_of_the_test_set(task: SharedTask) -> None:
    head, *docs = sgm(task).split("<doc ")
    docs[-1] = docs[-1].replace("</tstset>\n", "")
    taken = submitted(task, "<doc ".join([head, *docs[::-1]]) + "</tstset>\n")
    assert taken.state == "accepted"
    assert read_lines(taken.text) == read_lines(task.folder.parent / "testset" / "systems" / "dune.en")


BILLION = '<?xml version="1.0"?><!DOCTYPE dataset [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><dataset id="x"></dataset>'
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE dataset [<!ENTITY a SYSTEM "file:///etc/passwd">]><dataset id="x"></dataset>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BILLION, "out.sgm:1: the file declares an entity 'a'; for safety that is not read"),
        (OUTSIDE, "out.sgm:1: the file declares an entity 'a'; for safety that is not read"),
        ('<?xml version="1.0"?><dataset id="x"><doc', "not well-formed XML"),
        ("<dataset>" + "<doc>" * 100, "elements are nested more than 64 deep"),
        ('<?xml version="1.0"?>', "not well-formed XML"),
        ("<tstset>", "the tstset that begins here has no end"),
        ('<tstset setid="x" srclang="de" trglang="en"></tstset>', "there is not a single segment"),
        ('<srcset setid="x" srclang="de"><doc docid="d"><seg id="1">x</seg></doc></srcset>', "outputs of 0 systems"),
        ('<tstset><doc sysid="a" docid="d"><seg id="1">x<seg id="2">y</seg></doc></tstset>', "a segment has no end"),
        ('<tstset><doc sysid="a" docid="d"><seg id="1">x</seg></doc></tstset>', "The document 'd' is not of the test"),
    ],
)
def test_hostile_markup_is_refused_by_name(task: SharedTask, text: str, message: str) -> None:
    taken = submitted(task, text)
    assert taken.state == "refused"
    assert message in taken.problems[0]
    assert str(task.folder) not in taken.problems[0]
    assert not Path(taken.text + ".txt").exists()


def test_entities_of_sgm_are_not_expanded(task: SharedTask) -> None:
    text = sgm(task)
    declared = '<!DOCTYPE mteval [<!ENTITY lol "lol"><!ENTITY all "&lol;&lol;">]>\n' + text.replace(
        '<seg id="1">', '<seg id="1">&all; ', 1
    )
    taken = submitted(task, declared)
    assert taken.form == "sgm"
    assert read_lines(taken.text)[0].startswith("&all; ")


def test_what_does_not_fit_the_test_set_is_named(task: SharedTask) -> None:
    text = sgm(task)
    last = text.rindex('<seg id="')
    short = text[:last] + text[text.index("</seg>", last) + len("</seg>\n") :]
    assert "Segments of document" in submitted(task, short).problems[0]
    wrong = text.replace('srclang="de"', 'srclang="fr"')
    assert submitted(task, wrong).problems == ("The file says that it is of fr; the track is de-en.",)
    foreign = sgm(task, source=True)
    start = foreign.index('<seg id="2">')
    other = foreign[:start] + '<seg id="2">Etwas ganz anderes.</seg>' + foreign[foreign.index("</seg>", start) + 6 :]
    assert "The source of segment 2 is not that of the test set" in submitted(task, other).problems[0]
    broken = xml(task).replace("</seg>", "\nmore</seg>")
    assert any("has a line break" in problem for problem in submitted(task, broken, "out.xml").problems)
    two = text.replace("</tstset>", text[text.index("<doc ") : text.index("</tstset>")] + "</tstset>")
    doubled = two[: len(text) // 2] + two[len(text) // 2 :].replace('sysid="north-system"', 'sysid="b"')
    assert submitted(task, doubled).state == "refused"


@pytest.mark.parametrize("piece", ["<!--", "<seg ", "<doc <", "<seg id='1'>x</seg "])
def test_a_file_of_openings_takes_no_longer_than_another(task: SharedTask, piece: str) -> None:
    begun = time.process_time()
    taken = submitted(task, "<tstset>" + piece * 200_000)
    assert taken.state == "refused"
    assert time.process_time() - begun < 10  # the square of a megabyte would be hours


@pytest.mark.parametrize(
    ("head", "form"),
    [
        (b"<tstset trglang='en'>", "sgm"),
        (b"\xef\xbb\xbf\n<!DOCTYPE mteval SYSTEM 'x.dtd'>\n<mteval>", "sgm"),
        (b"<?xml version='1.0'?>\n<!-- by us -->\n<dataset id='x'>", "xml"),
        (b"<?xml version='1.0'?>", "xml"),
        (b"< 5 % of the vote\n", "lines"),
        (b"<b>Bold</b> words\n", "lines"),
        (b"Plain words\n", "lines"),
        (b"\xff\xfe<\x00", "lines"),
    ],
)
def test_the_first_element_tells_the_form(head: bytes, form: str) -> None:
    assert form_of(head) == form
