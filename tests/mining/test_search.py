"""Search with translated queries: runs, judgements, and where translation and retrieval disagree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.retrieval import Qrels, Run, read_documents, read_qrels, read_run, write_qrels, write_run
from dragoman.errors import DataError, FormatError
from dragoman.metrics.retrieval import score_runs
from dragoman.mining import score_queries, search_documents

DOCUMENTS = {"d1": "heart attack symptoms", "d2": "broken leg", "d3": "heart surgery", "d4": "the best of all things"}
REFERENCE = ["the best heart attack of all", "broken leg"]
QUERIES = {"fluent": ["the best of all", "broken leg"], "terms": ["attack heart", "leg broken"]}
QRELS = Qrels({"t1": {"d1": 2, "d3": 1, "d4": 0}, "t2": {"d2": 1}})


def test_documents_are_found_by_their_words() -> None:
    runs = search_documents(DOCUMENTS, QUERIES, ["t1", "t2"])
    assert [run.ranking("t1")[0] for run in runs] == ["d4", "d1"]
    assert [run.ranking("t2") for run in runs] == [["d2"], ["d2"]]


def test_the_better_translation_may_find_less() -> None:
    runs = search_documents(DOCUMENTS, QUERIES, ["t1", "t2"])
    scores = score_queries(runs, QRELS, QUERIES, REFERENCE, metric="chrf")
    assert scores.disagreements == (("fluent", "terms"),)
    assert "fluent is the better translation, by MAP terms finds more" in scores.render("text")
    with pytest.raises(DataError, match="TER counts errors"):
        score_queries(runs, QRELS, QUERIES, REFERENCE, metric="ter")


def test_topics_without_an_answer_count() -> None:
    scores = score_runs([Run("half", {"t2": {"d2": 1.0}})], QRELS)
    assert scores.values[0]["MAP"] == 0.5
    assert scores.n_relevant == 3


def test_equal_scores_are_ordered_as_trec_eval_does() -> None:
    assert Run("r", {"t": {"a": 1.0, "c": 1.0, "b": 2.0}}).ranking("t") == ["b", "c", "a"]


def test_files_are_read_back_as_written(tmp_path: Path) -> None:
    runs = search_documents(DOCUMENTS, QUERIES, ["t1", "t2"])
    write_run(runs[1], tmp_path / "terms.run")
    write_qrels(QRELS, tmp_path / "qrels")
    assert read_run(tmp_path / "terms.run", name="terms") == runs[1]
    assert read_qrels(tmp_path / "qrels") == QRELS


@pytest.mark.parametrize(
    ("reader", "text", "message"),
    [
        (read_qrels, "t1 0 d1 1\nt1 0 d2\n", r"file:2: expected topic, iteration, document and relevance, got 3"),
        (read_qrels, "t1 0 d1 yes\n", r"file:1: the relevance is 'yes'"),
        (read_qrels, "t1 0 d1 1\nt1 0 d1 0\n", r"file:2: 'd1' was judged for topic 't1' before"),
        (read_run, "t1 Q0 d1 1 high tag\n", r"file:1: the score is 'high'"),
        (read_run, "t1 Q0 d1 1 nan tag\n", r"file:1: the score is 'nan'"),
        (read_run, "t1 Q0 d1 1 2 tag\nt1 Q0 d1 2 1 tag\n", r"file:2: 'd1' was found for topic 't1' before"),
        (read_documents, "d1 no tab\n", r"file:1: expected the document's name, a tab"),
        (read_documents, "d1\ta\nd1\tb\n", r"file:2: the document 'd1' stood there before"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, reader: object, text: str, message: str) -> None:
    (tmp_path / "file").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        reader(tmp_path / "file")  # type: ignore[operator]


def test_what_cannot_be_scored_is_named() -> None:
    with pytest.raises(DataError, match="No topic has a relevant document"):
        score_runs([Run("r", {})], Qrels({"t": {"d": 0}}))
    with pytest.raises(DataError, match="'r' has no topic of the judgements; theirs are t1, t2"):
        score_runs([Run("r", {"x": {"d": 1.0}})], QRELS)
    with pytest.raises(DataError, match="names of their own"):
        score_runs([Run("r", {"t1": {}}), Run("r", {"t1": {}})], QRELS)
    with pytest.raises(DataError, match="no documents"):
        search_documents({}, QUERIES, ["t1", "t2"])
    with pytest.raises(DataError, match="one name"):
        search_documents(DOCUMENTS, QUERIES, ["t1", "t1"])


def test_the_commands(tmp_path: Path) -> None:
    files = {
        "fluent.en": "\n".join(QUERIES["fluent"]),
        "terms.en": "\n".join(QUERIES["terms"]),
        "ref.en": "\n".join(REFERENCE),
        "documents.tsv": "\n".join(f"{name}\t{text}" for name, text in DOCUMENTS.items()),
        "topics": "t1\nt2",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    write_qrels(QRELS, tmp_path / "qrels")
    at = {name: str(tmp_path / name) for name in (*files, "qrels")}

    def told(*words: str) -> dict[str, object]:
        return json.loads(CliRunner(catch_exceptions=False).invoke(group, [*words, "--json"]).output)  # type: ignore[no-any-return]

    common = ["--documents", at["documents.tsv"], "--qrels", at["qrels"], "--topics", at["topics"]]
    whole = told(
        "metric",
        "search",
        at["fluent.en"],
        at["terms.en"],
        "-r",
        at["ref.en"],
        "-m",
        "chrf",
        *common,
        "--runs",
        f"{tmp_path}/",
    )
    assert [row["run"] for row in whole["rows"]] == ["reference", "fluent", "terms"]  # type: ignore[index, attr-defined]
    again = told("metric", "retrieval", f"terms={tmp_path}/terms.run", "--qrels", at["qrels"])
    rows = [{k: v for k, v in row.items() if k != "translation"} for row in whole["rows"]]  # type: ignore[attr-defined]
    assert again["rows"] == rows[2:]
    alone = told("metric", "search", at["terms.en"], *common)
    assert alone["rows"] == rows[2:]
