from __future__ import annotations

import json
import sys
from pathlib import Path
from types import FrameType

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.metrics import METRICS
from dragoman.samples import sample_path

SYSTEMS = [str(sample_path(f"testset/systems/{name}.en")) for name in ("atlas", "ember")]
REFS = ["-r", str(sample_path("testset/reference-A.en")), "-r", str(sample_path("testset/reference-B.en"))]


def plain(*words: str) -> str:
    return run(*words).output.replace("\n", " ")


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(group, ["score", *words], input=stdin)


def test_scores_are_sacrebleus() -> None:
    from sacrebleu.metrics import BLEU, CHRF, TER

    rows = json.loads(run(*SYSTEMS, *REFS, "-m", "bleu", "-m", "chrf", "-m", "ter", "--json").output)["rows"]
    refs = [Path(path).read_text(encoding="utf-8").splitlines() for path in REFS[1::2]]
    hyps = {Path(path).stem: Path(path).read_text(encoding="utf-8").split("\n")[:80] for path in SYSTEMS}
    peers = {"bleu": BLEU(), "chrf": CHRF(), "ter": TER()}
    for row in rows:
        expected = peers[row["metric"]].corpus_score(hyps[row["system"]], refs).score
        assert row["score"] == pytest.approx(expected, abs=1e-9)
        assert (row["low"], row["high"]) == (None, None)
    assert len(rows) == 6


def test_intervals_hold_the_score_and_are_the_same_every_time() -> None:
    words = [*SYSTEMS, *REFS, "-m", "bleu", "-m", "ter", "--ci", "--trials", "200", "--json"]
    first = run(*words).output
    assert first == run(*words, "--threads", "2").output
    for row in json.loads(first)["rows"]:
        assert row["low"] < row["score"] < row["high"]
        assert "|bs:200|seed:12345|" in row["signature"]


@pytest.mark.parametrize("words", [[], ["--ci", "--trials", "20"], ["--segments"], ["--by-reference"], ["-m", "ter"]])
def test_texts_are_checked_once_at_the_door(words: list[str]) -> None:
    checks: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is check_parallel.__code__ and frame.f_back is not None:
            checks.append(frame.f_back.f_code.co_qualname)

    sys.setprofile(note)
    try:
        assert run(*SYSTEMS, *REFS, *words, "--threads", "1").exit_code == 0
    finally:
        sys.setprofile(None)
    assert checks == ["TestSet.__post_init__"]


def test_standard_input_is_scored_where_no_system_is_named() -> None:
    text = Path(SYSTEMS[0]).read_text(encoding="utf-8")
    named = json.loads(run(SYSTEMS[0], *REFS, "--json").output)["rows"][0]
    piped = json.loads(run(*REFS, "--json", stdin=text).output)["rows"][0]
    assert piped["score"] == named["score"]
    assert piped["system"] == "stdin"


def test_segments_and_documents() -> None:
    rows = json.loads(run(SYSTEMS[1], *REFS, "--segments", "--json").output)["rows"]
    assert [row["segment"] for row in rows] == list(range(1, 81))
    assert rows[62]["score"] == 0.0  # the empty segment
    docs = str(sample_path("testset/documents.tsv"))
    rows = json.loads(run(SYSTEMS[1], *REFS, "--documents", "--docs", docs, "--json").output)["rows"]
    assert len(rows) == 10


def test_another_segmentation_is_cut_like_the_reference(tmp_path: Path) -> None:
    lines = Path(SYSTEMS[0]).read_text(encoding="utf-8").splitlines()
    joined = tmp_path / "joined.en"
    joined.write_text("\n".join(" ".join(lines[i : i + 2]) for i in range(0, 80, 2)) + "\n", encoding="utf-8")
    row = json.loads(run(str(joined), *REFS, "--resegment", "--json").output)["rows"][0]
    assert "|seg:mwer|" in row["signature"]
    assert row["score"] == pytest.approx(json.loads(run(SYSTEMS[0], *REFS, "--json").output)["rows"][0]["score"], abs=3)


def test_wrong_calls_say_what_is_missing() -> None:
    assert "Name a reference with -r: SYSTEM... -r REF. (REF -i SYSTEM... is `dragoman sacrebleu`.)" in plain(*SYSTEMS)
    assert "There is no file chrf. As a metric it has its own -m: -m chrf." in plain(
        *SYSTEMS, *REFS, "-m", "ter", "chrf"
    )
    assert "--ci is for the score of the whole corpus" in run(*SYSTEMS, *REFS, "--ci", "--segments").output
    assert "No metric is called 'blue'. Did you mean 'bleu'?" in run(*SYSTEMS, *REFS, "-m", "blue").output
    two = run(SYSTEMS[0], SYSTEMS[0], *REFS)
    assert isinstance(two.exception, DataError)
    assert "Two systems are called 'atlas'" in str(two.exception)


def test_the_list_names_every_metric() -> None:
    assert [row["name"] for row in json.loads(run("--list", "--json").output)["rows"]] == METRICS.names()


def test_text_is_a_matrix_best_first_with_each_signature_once() -> None:
    text = run(*SYSTEMS, *REFS, "-m", "ter", "-m", "bleu").output
    head, _, *rows = text.split("\n")[2:6]
    assert head.split() == ["system", "TER", "BLEU"]
    assert [float(row.split()[1]) for row in rows] == sorted(float(row.split()[1]) for row in rows)
    assert text.count("TER|") == text.count("BLEU|") == 1
    assert "interval" not in text
    assert "95% interval" in run(*SYSTEMS, *REFS, "--ci", "--trials", "20").output


def test_a_metric_is_the_same_in_capitals() -> None:
    assert run(*SYSTEMS, *REFS, "-m", "BLEU", "--json").output == run(*SYSTEMS, *REFS, "-m", "bleu", "--json").output
