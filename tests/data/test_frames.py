from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dragoman.data.frame_tables import judgements_of, read_frames, study_of, write_frames
from dragoman.data.frames import ActionLink, Filler, FillerLink, Frame, FrameAnnotation, FrameStudy
from dragoman.data.judgements import DIRECT_ASSESSMENT, Judgements
from dragoman.errors import DataError, FormatError
from dragoman.samples import copy_samples

REF = (Frame(0, (Filler("agent", 1, 3),)),)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copy_samples(tmp_path)
    return tmp_path / "studies" / "frames"


def test_the_sample_reads_and_is_written_back_equal(folder: Path, tmp_path: Path) -> None:
    study = read_frames(folder)
    assert (len(study.annotations), len(study.references), len(study.texts)) == (24, 12, 18)
    assert (study.langs, study.systems("en")) == (("en",), ("atlas", "cobalt"))
    write_frames(study, tmp_path / "again")
    again = read_frames(tmp_path / "again")
    assert (again.annotations, again.references, again.texts) == (study.annotations, study.references, study.texts)


def test_rows_and_studies_are_two_forms_of_one_thing(folder: Path, tmp_path: Path) -> None:
    study = read_frames(folder)
    rows = judgements_of(study)
    assert (rows.schema.kind, len(rows)) == ("semantic-frames", 12 + 2 * 24)
    again = study_of(rows, name="frames")
    assert again == study
    bare = study_of(judgements_of(FrameStudy(study.annotations, study.references)))
    assert (bare.texts, bare.annotations) == ({}, study.annotations)
    with pytest.raises(DataError, match="of kind 'direct-assessment'; expected 'semantic-frames'"):
        study_of(Judgements.of(DIRECT_ASSESSMENT))
    lost = [row for row in rows.rows() if row["item"] != "12"]
    with pytest.raises(DataError, match="The annotation '13' names the reference '12', which is not there"):
        study_of(Judgements.of(rows.schema, lost))


def test_versions_get_names(folder: Path) -> None:
    assert read_frames(folder, systems={"atlas": "A"}).systems("en") == ("A", "cobalt")
    with pytest.raises(DataError, match=r"No annotation is of version 07. Known: 00, atlas, cobalt"):
        read_frames(folder, systems={"07": "seven"})


@pytest.mark.parametrize(
    ("table", "line", "cells", "message"),
    [
        ("slots", 2, "0\t0\tWHERE\t0", r"slots:2: type is 'WHERE'; expected AGENT, "),
        ("slots", 2, "0\t999\tAGENT\t0", r"slots:2: '999' leads nowhere"),
        ("actions", 2, "0\t999\t1", r"actions:2: '999' leads nowhere"),
        ("action_aligns", 2, "0\t0\t999\tfull", r"action_aligns:2: '999' leads nowhere"),
        ("action_aligns", 2, "0\t0\t13\thalf", r"action_aligns:2: type is 'half'; expected full, partial"),
    ],
)
def test_a_wrong_line_is_named(folder: Path, table: str, line: int, cells: str, message: str) -> None:
    path = folder / table
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line - 1] = cells
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_frames(folder)


def test_a_missing_table_is_named(folder: Path) -> None:
    shutil.move(folder / "action_aligns", folder / "elsewhere")
    with pytest.raises(DataError, match="the folder has no table action_aligns"):
        read_frames(folder)


def test_empty_tables_of_links_are_a_study_without_links(folder: Path) -> None:
    for name in ("action_aligns", "slot_aligns"):
        path = folder / name
        path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    assert not any(each.action_links or each.filler_links for each in read_frames(folder).annotations)


def annotation(**changed: object) -> FrameAnnotation:
    values = {"annotator": "a", "lang": "en", "segment": "1.1", "system": "s", "ref": REF, "hyp": REF} | changed
    return FrameAnnotation(**values)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(DataError, match=r"No role is called 'who'. Known: agent"):
        Filler("who", 0, 1)
    with pytest.raises(DataError, match="at least one token, counted from 0; got 2 to 2"):
        Filler("agent", 2, 2)
    with pytest.raises(DataError, match="Tokens are counted from 0; the action is -1"):
        Frame(-1)
    with pytest.raises(DataError, match="Tokens 1 to 2 fill two roles of the action at token 0"):
        Frame(0, (Filler("agent", 1, 3), Filler("modal", 1, 3)))
    with pytest.raises(DataError, match=r"a's annotation of s, segment 1.1: token 0 is the action of two frames"):
        annotation(hyp=(Frame(0), Frame(0)))
    with pytest.raises(DataError, match=r"an action link leads to \(1,\) in the output, where nothing is marked"):
        annotation(action_links=(ActionLink(0, 1),))
    with pytest.raises(DataError, match=r"a filler link leads to \(0, 1\) in the reference, where nothing is marked"):
        annotation(filler_links=(FillerLink((0, 1), (0, 0)),))
    with pytest.raises(DataError, match="linked already; links are one to one"):
        annotation(hyp=(Frame(0), Frame(4)), action_links=(ActionLink(0, 0), ActionLink(0, 1)))
    with pytest.raises(DataError, match=r"There are two annotations of a / en / 1.1 / s; keep one"):
        FrameStudy((annotation(), annotation()))
    with pytest.raises(DataError, match=r"a marked token 2 of s, segment 1.1, which has 2 tokens, counted from 0"):
        FrameStudy((annotation(),), texts={("en", "1.1", "s"): ("x", "y")})
    with pytest.raises(DataError, match=r"A segment is written as unit.number in these tables; got '11'"):
        write_frames(FrameStudy((annotation(segment="11"),)), "unused")


def test_tokens_of_a_frame_are_counted_once() -> None:
    assert Frame(1, (Filler("agent", 0, 3), Filler("modal", 2, 4))).n_tokens == 4
