"""The study of post-editing: published stars, measured correlations, files and their faults."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.analysis import PostEdited, PostEditing, analyse_post_editing, mine_contrasts, read_post_edits
from dragoman.analysis.post_editing import Thresholds
from dragoman.analysis.post_editing.study import Correlation
from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError
from dragoman.samples import sample_path

SAMPLE = "studies/post-editing/post-edits.tsv"

# ρ and stars as printed: low TER (n = 74), high TER (n = 70).
PUBLISHED = [
    ("tokens", -0.51, "***", -0.43, "***"),
    ("word match", 0.11, "", 0.14, ""),
    ("form changed", -0.10, "", 0.36, "**"),
    ("word changed", -0.15, "", -0.25, "*"),
    ("pos changed", -0.15, "", -0.28, "*"),
    ("deleted", 0.08, "", 0.14, ""),
    ("inserted", -0.15, "", -0.22, ""),
    ("order same", 0.51, "***", 0.21, ""),
    ("group moved", -0.48, "***", -0.12, ""),
    ("1 word moved", -0.47, "***", -0.34, "**"),
    ("dist 1", -0.37, "**", -0.22, ""),
    ("dist >=2", -0.53, "***", -0.25, "*"),
]


@pytest.mark.parametrize(("category", "low", "low_stars", "high", "high_stars"), PUBLISHED)
def test_koponen_2012_stars_of_the_correlations_follow_from_rho_and_n(
    category: str, low: float, low_stars: str, high: float, high_stars: str
) -> None:
    assert Correlation(low, 74).stars == low_stars
    assert Correlation(high, 70).stars == high_stars


@pytest.fixture(scope="module")
def sample() -> PostEditing:
    return analyse_post_editing(read_post_edits(sample_path(SAMPLE)), layers={"lemma": "simplemma:lang=en"})


def test_shares_of_the_profile_add_up(sample: PostEditing) -> None:
    overall = sample.profile.overall
    assert sum(overall[name] for name in list(overall)[:6]) == pytest.approx(1)
    assert overall["order same"] + overall["group moved"] + overall["1 word moved"] == pytest.approx(1)
    assert overall["distance 1"] + overall["distance ≥2"] == pytest.approx(1 - overall["order same"])


def test_the_effort_that_people_feel_goes_against_the_edits(sample: PostEditing) -> None:
    rows = {(row[0], row[1]): row[2] for row in sample.effort_table().rows}
    assert rows["score", "hter"] < -0.5
    assert rows["keystrokes per word", "hter"] > 0.5


def test_the_page_shows_the_segments_that_disagree(sample: PostEditing) -> None:
    html = sample.html()
    assert "Few edits, much effort" in html
    assert sample.contrasts is not None
    assert sample.contrasts.low_ter.hard


def test_without_scores_there_is_a_profile_only() -> None:
    study = analyse_post_editing(PostEdited(("a b",), ("b a",)))
    assert study.contrasts is None
    assert len(study.tables()) == 2
    assert study.profile.reordered == pytest.approx(0.5)


def test_empty_outputs_have_defined_results() -> None:
    study = analyse_post_editing(PostEdited(("", "a"), ("", ""), score=(1.0, 5.0), seconds=(3.0, 2.0)))
    assert np.isnan(study.measures["seconds per word"][0])
    assert [word.label for word in study.labelled[1]] == ["deleted"]
    assert json.loads(study.render("json"))["kind"] == "post-editing"


def test_contrast_sets_are_what_they_say() -> None:
    score, ter = [1.0, 2.5, 4.0, 5.0, 5.0, 1.0], [0.1, 0.33, 0.2, 0.45, 0.9, 0.8]
    sets = mine_contrasts(score, ter, matched=False)
    assert sets.low_ter.hard == (0, 1)
    assert sets.low_ter.easy == (2,)
    assert sets.high_ter.easy == (4, 3)
    assert sets.high_ter.hard == (5,)


def test_matched_sets_take_the_nearest_in_ter_without_replacement() -> None:
    score, ter = [1.0, 1.0, 5.0, 5.0, 5.0], [0.10, 0.12, 0.11, 0.30, 0.44]
    sets = mine_contrasts(score, ter)
    assert sets.low_ter.hard == (0, 1)
    assert sets.low_ter.easy == (2, 3)
    assert not sets.high_ter.easy


def test_thresholds_must_be_in_order() -> None:
    with pytest.raises(DataError, match=r"A low score \(4\) must lie below a high one \(3\)"):
        mine_contrasts([1.0], [0.2], Thresholds(low_score=4, high_score=3))


def test_segments_without_a_score_are_left_out() -> None:
    sets = mine_contrasts([float("nan"), 1.0], [0.1, 0.1])
    assert sets.low_ter.hard == (1,)
    with pytest.raises(DataError, match="No segment has both"):
        Thresholds.of_quantiles([float("nan")], [0.1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("source\tMT\na\tb\n", "there is no column post_edit or post-edit or pe"),
        ("MT\tPE\na\n", "1 columns; the header names 2"),
        ("MT\tPE\tDA\na\tb\tgood\n", "score is 'good'; expected a number"),
    ],
)
def test_faults_of_a_table_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "table.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_post_edits(path)


def test_impossible_numbers_are_refused() -> None:
    with pytest.raises(DataError, match="Segment 1 has -1 seconds"):
        PostEdited(("a",), ("a",), seconds=(-1.0,))
    with pytest.raises(DataError, match="There are no post-edited segments"):
        PostEdited((), ())


def test_the_command_reads_line_files_and_writes_a_page(tmp_path: Path) -> None:
    for name, text in (("mt", "a b\nc d\n"), ("pe", "b a\nc d\n"), ("scores", "2\n5\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    page = tmp_path / "page.html"
    call = ["post-edits", str(tmp_path / "mt"), str(tmp_path / "pe"), "--scores", str(tmp_path / "scores")]
    done = CliRunner().invoke(group, [*call, "--html", str(page), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["meta"]["n_segments"] == 2
    assert "<html" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--low-score", "2"], "give all of --low-score"),
        (["--seconds", "x"], "go with line files"),
        (["more", "files"], "give one table, or the outputs and their post-edits"),
    ],
)
def test_wrong_calls_are_named(words: list[str], message: str) -> None:
    done = CliRunner().invoke(group, ["post-edits", str(sample_path(SAMPLE)), *words])
    assert done.exit_code == 2
    assert message in done.output


def test_contrasts_need_scores(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("MT\tPE\na\tb\n", encoding="utf-8")
    with pytest.raises(DataError, match="There are no scores to contrast with the edits"):
        CliRunner(catch_exceptions=False).invoke(group, ["post-edits", str(tmp_path / "t"), "--contrasts"])


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("editor", "felt", "time", "length"),
    [
        (0, -0.50, 0.58, -0.20),
        (1, -0.44, 0.62, -0.17),
        (2, -0.54, 0.70, -0.25),
        (3, -0.52, 0.67, -0.24),
        (4, -0.49, 0.61, -0.18),
    ],
)
def test_iwslt2019_score_time_and_length_by_post_editor(
    data_folder: Path, editor: int, felt: float, time: float, length: float
) -> None:
    folder = data_folder / "iwslt2019-pe"
    study = analyse_post_editing(read_post_edits(folder / f"ann{editor}.gz", header=folder / "header.gz"))
    effort = {(row[0], row[1]): row[2] for row in study.effort_table().rows}
    assert effort["score", "hter"] == pytest.approx(felt, abs=0.005)
    assert effort["seconds per word", "hter"] == pytest.approx(time, abs=0.005)
    assert study.category_table().rows[0][1] == pytest.approx(length, abs=0.005)


@pytest.mark.realdata
@pytest.mark.parametrize(("pair", "felt", "length"), [("en-de", -0.164, -0.16), ("ro-en", -0.518, -0.07)])
def test_mlqe_pe_score_and_length(data_folder: Path, pair: str, felt: float, length: float) -> None:
    def lines(archive: str, name: str) -> list[str]:
        with tarfile.open(data_folder / "mlqe-pe" / archive) as tar:
            found = tar.extractfile(name)
            assert found is not None
            return found.read().decode().rstrip("\n").split("\n")

    texts = {
        name: lines(f"post-editing.{pair}-train.tar.gz", f"{pair}-train/train.{name}") for name in ("mt", "pe", "hter")
    }
    table = lines(f"da.{pair}-train.tar.gz", f"{pair}-train/train.{pair.replace('-', '')}.df.short.tsv")
    rows = csv.DictReader(io.StringIO("\n".join(table)), delimiter="\t", quoting=csv.QUOTE_NONE)
    data = PostEdited(
        tuple(texts["mt"]),
        tuple(texts["pe"]),
        score=tuple(float(row["z_mean"]) for row in rows),
        hter=tuple(map(float, texts["hter"])),
    )
    study = analyse_post_editing(data, tokeniser="none")
    assert study.effort_table().rows[0][2] == pytest.approx(felt, abs=0.0005)
    assert study.category_table().rows[0][1] == pytest.approx(length, abs=0.005)


@pytest.mark.realdata
def test_iwslt2019_files_of_all_editors_are_read_whole(data_folder: Path) -> None:
    folder = data_folder / "iwslt2019-pe"
    data = read_post_edits(folder / "ann0.gz", header=folder / "header.gz")
    with gzip.open(folder / "ann0.gz", "rt", encoding="utf-8") as stream:
        assert len(data) == sum(1 for _ in stream)
    assert data.seconds is not None
    assert data.seconds[0] == pytest.approx(119.625)
