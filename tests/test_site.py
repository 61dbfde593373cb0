"""A whole evaluation as one site."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.samples import copy_samples
from dragoman.site import write_site


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    copy_samples(folder)
    return folder


def test_every_page_is_there_and_linked(samples: Path, tmp_path: Path) -> None:
    told: list[str] = []
    site = write_site(
        tmp_path / "site",
        title="A & B",
        test_set=samples / "testset",
        metrics=["chrf", "worderrcats:base=stem"],
        layers=["stem=snowball:lang=en"],
        judgements=[samples / "testset/judgements/ranking.csv", samples / "testset/judgements/da.csv"],
        post_edits=[samples / "studies/post-editing/post-edits.tsv"],
        progress=told.append,
    )
    index = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert "A &amp; B" in index
    # It opens with what was found, in words and figures.
    assert "By chrf, \u2068atlas\u2069 scores best" in index
    assert "people prefer \u2068atlas\u2069; then \u2068borealis\u2069" in index
    assert "Agreement among annotators: kappa = 0.36 (fair)." in index
    assert "Of 4 annotators, 1 agrees with the others no more than by chance." in index
    assert "Post-editors edited 30% of the words in 80 segments." in index
    assert index.index("scores best") < index.index("<svg") < index.index('href="comparison.html"')
    linked = re.findall(r'href="([a-z0-9-]+\.html)"', index)
    assert linked == [page.file for page in site.pages]
    assert linked == [
        "comparison.html",
        "ranking-1.html",
        "people-1.html",
        "ranking-2.html",
        "people-2.html",
        "post-editing.html",
    ]
    for file in linked:
        text = (tmp_path / "site" / file).read_text(encoding="utf-8")
        assert "<html" in text
        assert not re.search(r'(?:src|href)="https?://', text)
    assert "worderrcats:base=snowball+lang=en" in (tmp_path / "site/comparison.html").read_text(encoding="utf-8")
    assert told


def test_a_ranking_counts_whom_the_analysis_beside_it_keeps(samples: Path, tmp_path: Path) -> None:
    """The ranking counted everybody, and the next page left one of four out."""
    write_site(tmp_path / "site", judgements=[samples / "testset/judgements/da.csv"])
    index, ranking = ((tmp_path / "site" / name).read_text(encoding="utf-8") for name in ("index.html", "ranking.html"))
    assert "Of 4 annotators, 1 fails quality control." in index
    assert "Not counted: judgements 100, people 1, by quality control." in index
    assert "<td>judgements.judgements</td><td>300</td>" in ranking
    assert "<td>judgements.annotators</td><td>3</td>" in ranking


def test_nothing_is_left_of_a_site_that_cannot_be_finished(samples: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.tsv").write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(DataError):
        write_site(
            tmp_path / "site",
            judgements=[samples / "testset/judgements/ranking.csv"],
            post_edits=[tmp_path / "bad.tsv"],
        )
    assert not (tmp_path / "site").exists()


def test_what_cannot_be_reported_is_named(samples: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="There is nothing to report"):
        write_site(tmp_path / "site")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").write_text("x", encoding="utf-8")
    with pytest.raises(DataError, match="is there already and not empty"):
        write_site(tmp_path / "full", test_set=samples / "testset")


def test_the_command_prints_the_pages(samples: Path, tmp_path: Path) -> None:
    call = [
        "report",
        "--to",
        str(tmp_path / "site"),
        "--post-edits",
        str(samples / "studies/post-editing/post-edits.tsv"),
    ]
    done = CliRunner(catch_exceptions=False).invoke(group, [*call, "--json"])
    assert done.exit_code == 0
    assert [row["page"] for row in json.loads(done.stdout)["rows"]] == ["post-editing.html"]
