from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dragoman.data import TestSet, read_test_set
from dragoman.data.formats import mtme
from dragoman.data.formats.mtme import MetricsEvalFormat, language_pairs
from dragoman.data.formats.mtme_scores import Scores, find_scores, read_scores, write_scores
from dragoman.errors import DataError, FormatError


def small(**changes: Any) -> TestSet:
    values: dict[str, Any] = {
        "name": "wmt22",
        "source_lang": "en",
        "target_lang": "de",
        "srcs": ["one", "two", "three"],
        "refs": {"refA": ["eins", "zwei", "drei"], "refB": ["Eins", "", "Drei"]},
        "systems": {"online-B": ["1", "2", "3"], "refA": ["eins", "zwei", "drei"]},
        "docs": ["d/1", "d/1", "d2"],
        "domains": ["news", "news", None],
    }
    return TestSet(**{**values, **changes})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    MetricsEvalFormat().write(small(), tmp_path / "wmt22")
    return tmp_path / "wmt22"


def files(folder: Path) -> list[str]:
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())


def refused(folder: Path, form: MetricsEvalFormat | None = None) -> str:
    with pytest.raises(DataError) as caught:
        (form or MetricsEvalFormat()).read(folder)
    return str(caught.value)


# Texts


def test_the_folder_as_it_stands(folder: Path) -> None:
    assert files(folder) == [
        "documents/en-de.docs",
        "references/en-de.refA.txt",
        "references/en-de.refB.txt",
        "sources/en-de.txt",
        "system-outputs/en-de/online-B.txt",
        "system-outputs/en-de/refA.txt",
    ]
    assert (folder / "documents" / "en-de.docs").read_text() == "news\td/1\nnews\td/1\nNone\td2\n"
    assert read_test_set(folder) == small()


def test_text_is_kept_to_the_letter(tmp_path: Path) -> None:
    odd = small(srcs=[" padded ", "NUL \x00 and tab \t", "&amp; <b>\u2028"], docs=None, domains=None)
    MetricsEvalFormat().write(odd, tmp_path / "wmt22")
    assert read_test_set(tmp_path / "wmt22") == odd


def test_several_pairs_in_one_folder(folder: Path) -> None:
    other = small(source_lang="zh", target_lang="pt-BR")
    MetricsEvalFormat().write(other, folder)
    assert language_pairs(folder) == ["en-de", "zh-pt_BR"]
    assert refused(folder) == (
        f"{folder} has several language pairs: en-de, zh-pt_BR. Name the source file of one, for example "
        f"{folder}/sources/en-de.txt"
    )
    assert read_test_set(folder / "sources" / "zh-pt_BR.txt") == other
    assert MetricsEvalFormat(pair="en-de").read(folder) == small()
    assert refused(folder, MetricsEvalFormat(pair="en-fr")) == (
        f"{folder} has no language pair 'en-fr'. Known: en-de, zh-pt_BR."
    )


def test_a_pair_is_never_replaced(folder: Path) -> None:
    before = files(folder)
    with pytest.raises(DataError) as caught:
        MetricsEvalFormat().write(small(), folder)
    assert str(caught.value) == (
        f"{folder} already has documents/en-de.docs; remove the pair there, or name another folder."
    )
    assert files(folder) == before


def test_an_interrupted_addition_leaves_the_folder_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(folder)
    rename = Path.rename

    def interrupt(self: Path, target: Path) -> Path:
        if target.parent.name == "sources":
            assert (folder / "references" / "fr-de.refA.txt").exists(), "the source comes last"
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        MetricsEvalFormat().write(small(source_lang="fr"), folder)
    assert files(folder) == before


def test_an_interrupted_new_folder_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(mtme, "_write", interrupt)
    with pytest.raises(KeyboardInterrupt):
        MetricsEvalFormat().write(small(), tmp_path / "wmt22")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source_lang": None}, "mtme names its files by language pair; this test set does not know its languages."),
        ({"srcs": None}, "mtme needs the source; this test set has none."),
        (
            {"refs": {"ref-A": ["a", "b", "c"]}},
            "mtme cannot have a reference called 'ref-A': no dots, dashes or spaces, and neither 'all' nor 'src'.",
        ),
        (
            {"refs": {"all": ["a", "b", "c"]}},
            "mtme cannot have a reference called 'all': no dots, dashes or spaces, and neither 'all' nor 'src'.",
        ),
        (
            {"refs": {"A": ["a", None, "c"]}},
            "Reference 'A' lacks segment 2; mtme cannot say so. Write testset-jsonl or testset-tsv instead.",
        ),
        (
            {"docs": ["my doc", "my doc", "d2"]},
            "mtme cannot have a document or domain called 'my doc': no spaces, and not 'None'.",
        ),
        (
            {"domains": ["None", "None", "x"]},
            "mtme cannot have a document or domain called 'None': no spaces, and not 'None'.",
        ),
        (
            {"domains": ["x", "y", None]},
            "Document 'd/1' has more than one entry in domains: x and y. mtme keeps one per document.",
        ),
    ],
)
def test_what_cannot_be_written(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as caught:
        MetricsEvalFormat().write(small(**changes), tmp_path / "wmt22")
    assert str(caught.value) == message
    assert list(tmp_path.iterdir()) == []


def test_what_has_no_place() -> None:
    assert MetricsEvalFormat().loses(small()) == []
    assert MetricsEvalFormat().loses(small(origlangs=["en"] * 3, docs=None)) == ["origlangs", "domains"]


def test_folders_that_are_wrong(folder: Path, tmp_path: Path) -> None:
    assert refused(tmp_path / "none") == f"There is no folder {tmp_path}/none."
    (tmp_path / "empty").mkdir()
    assert refused(tmp_path / "empty") == (
        f"{tmp_path}/empty: the folder has no sources/SRC-TGT.txt; is it one of mt-metrics-eval's?"
    )
    (folder / "documents" / "en-de.docs").write_text("news d\nnews d x\n")
    assert refused(folder) == f"{folder}/documents/en-de.docs:2: expected a domain and a document, got 3 words."
    (folder / "documents" / "en-de.docs").write_text("news d\n")
    (folder / "system-outputs" / "en-de" / "online-B.txt").write_text("1\n2\n")
    assert refused(folder) == (
        f"{folder}: Streams must have one line per segment, got sources/en-de.txt=3, references/en-de.refA.txt=3, "
        "references/en-de.refB.txt=3, system-outputs/en-de/online-B.txt=2, system-outputs/en-de/refA.txt=3, "
        "documents/en-de.docs=1."
    )
    (folder / "references" / "en-de.src.txt").write_text("1\n2\n3\n")
    assert refused(folder).startswith(f"{folder}/references/en-de.src.txt: mtme cannot have a reference called 'src'")
    assert refused(folder / "sources" / "en-fr.txt") == f"There is no file {folder}/sources/en-fr.txt."


# Scores

SEGMENTS = Scores("mqm", "seg", {"online-B": [0.0, None, -5.25], "refA": [-1.0, -0.1, 0.30000000000000004]})
METRIC = Scores("BLEU-4.b", "sys", {"online-B": [31.4]}, refs="refA.refB")
DOMAINS = Scores("wmt-z", "domain", {"a": [1.0, None], "b": [0.5, 2.0]}, domains=["news", "talk"])


@pytest.mark.parametrize(
    ("scores", "name", "text"),
    [
        (
            SEGMENTS,
            "human-scores/en-de.mqm.seg.score",
            "online-B\t0.0\nonline-B\tNone\nonline-B\t-5.25\nrefA\t-1.0\nrefA\t-0.1\nrefA\t0.30000000000000004\n",
        ),
        (METRIC, "metric-scores/en-de/BLEU-4.b-refA.refB.sys.score", "online-B\t31.4\n"),
        (DOMAINS, "human-scores/en-de.wmt-z.domain.score", "news\ta\t1.0\ntalk\ta\tNone\nnews\tb\t0.5\ntalk\tb\t2.0\n"),
    ],
)
def test_scores_as_they_are_written_and_read(folder: Path, scores: Scores, name: str, text: str) -> None:
    path = write_scores(scores, folder, "en-de")
    assert path == folder / name
    assert path.read_text() == text
    assert read_scores(path) == scores
    assert find_scores(folder, "en-de") == [path]
    assert find_scores(folder, "en-fr") == []


def test_human_scores_come_first(folder: Path) -> None:
    for scores in (METRIC, DOMAINS, SEGMENTS):
        write_scores(scores, folder, "en-de")
    found = [read_scores(path).scorer for path in find_scores(folder, "en-de")]
    assert found == ["mqm", "wmt-z", "BLEU-4.b"]


def test_domains_may_come_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "en-de.x.domain.score").write_text("news a 1\ntalk a 2\ntalk b 3\nnews b 4\n")
    found = read_scores(tmp_path / "en-de.x.domain.score", human=True)
    assert dict(found.by_system) == {"a": (1.0, 2.0), "b": (4.0, 3.0)}


def test_scores_as_tables() -> None:
    assert METRIC.to_records().to_dicts() == [{"system": "online-B", "score": 31.4}]
    assert SEGMENTS.to_records().rows[1] == ("online-B", 2, None)
    assert DOMAINS.to_records().to_dicts()[3] == {"system": "b", "domain": "talk", "score": 2.0}
    documents = Scores("mqm", "doc", {"online-B": [1.0, 2.0]})
    assert documents.to_records().rows == (("online-B", 1, 1.0), ("online-B", 2, 2.0))
    assert documents.to_records(small()).rows == (("online-B", "d/1", 1.0), ("online-B", "d2", 2.0))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("en-de.mqm.sys.score", "a 1\na 2\n", ":2: system 'a' has a second score."),
        ("en-de.mqm.seg.score", "a 1\na\n", ":2: expected system and score, got 1 words."),
        ("en-de.mqm.domain.score", "a 1\n", ":1: expected domain, system and score, got 2 words."),
        ("en-de.mqm.domain.score", "n a 1\nn a 1\n", ":2: system 'a' has a second score for 'n'."),
        ("en-de.mqm.domain.score", "n a 1\nt b 1\n", ": system 'b' has scores for other domains than the first."),
        ("en-de.mqm.seg.score", "a 1\na x\n", ":2: the score is 'x'; expected a number, or None for a missing one."),
        ("en-de.mqm.seg.score", "a nan\n", ":1: the score is 'nan'; expected a number, or None for a missing one."),
        ("en-de.mqm.seg.score", "a 1\na 2\nb 1\n", ": mqm: system 'b' has 1 scores, 2 were expected."),
        ("en-de.mqm.seg.score", "", ": the file is empty; expected scores."),
        (
            "en-de.mqm.word.score",
            "a 1\n",
            ": the name must have the form SRC-TGT.SCORER.LEVEL.score, LEVEL one of sys, domain, doc, seg.",
        ),
    ],
)
def test_score_files_that_are_wrong(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / "human-scores").mkdir()
    file = tmp_path / "human-scores" / name
    file.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_scores(file)
    assert str(caught.value) == f"{file}{message}"


def test_metric_files_that_are_wrong(tmp_path: Path) -> None:
    folder = tmp_path / "metric-scores" / "en-de"
    folder.mkdir(parents=True)
    (folder / "BLEU-refA.seg.score").write_text("a None\n")
    with pytest.raises(FormatError, match="BLEU: a metric must score all; entry 1 of 'a' is missing"):
        read_scores(folder / "BLEU-refA.seg.score")
    (folder / "BLEU.seg.score").write_text("a 1\n")
    with pytest.raises(FormatError, match=r"the name must have the form SCORER-REFS\.LEVEL\.score"):
        read_scores(folder / "BLEU.seg.score")
    (tmp_path / "BLEU-refA.seg.score").write_text("a 1\n")
    with pytest.raises(DataError, match="lies neither in human-scores/ nor in metric-scores/PAIR/; say whether it is"):
        read_scores(tmp_path / "BLEU-refA.seg.score")
    assert read_scores(tmp_path / "BLEU-refA.seg.score", human=False).refs == "refA"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"level": "word"}, "'word' is no level of scores. Known: sys, domain, doc, seg."),
        ({"level": "domain"}, "Scores name their domains if, and only if, their level is 'domain'."),
        ({"scorer": "my metric"}, "'my metric' cannot stand in a score file; a name has no spaces and no slash."),
        ({"by_system": {"": [1.0]}}, "'' cannot stand in a score file; a name has no spaces and no slash."),
        ({"refs": "ref-A"}, "'ref-A' cannot name references in a score file: it has a dash."),
        ({"level": "sys", "by_system": {"a": [1.0, 2.0]}}, "x: system 'a' has 2 scores, 1 were expected."),
        ({"by_system": {"a": [float("inf")]}}, "x: entry 1 of 'a' is inf, which is no score."),
    ],
)
def test_scores_that_are_wrong(values: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as caught:
        Scores(**{"scorer": "x", "level": "seg", "by_system": {"a": [1.0]}, **values})
    assert str(caught.value) == message


def test_scores_must_fit_the_test_set() -> None:
    SEGMENTS.check(small())
    with pytest.raises(DataError, match="wmt-z scores a, b, which the test set 'wmt22' lacks"):
        DOMAINS.check(small())
    with pytest.raises(DataError, match="mqm has 1 scores of 'online-B' for 3 segments"):
        Scores("mqm", "seg", {"online-B": [1.0]}).check(small())
    with pytest.raises(DataError, match="mqm has 3 scores of 'online-B' for 2 docs"):
        Scores("mqm", "doc", {"online-B": [1.0] * 3}).check(small())
    METRIC.check(small())  # refA was its reference, so it need not be scored
    Scores("BLEU", "sys", {"online-B": [1.0]}, refs="all").check(small())
    with pytest.raises(DataError, match="BLEU has no scores of refA; a metric must score every system"):
        Scores("BLEU", "sys", {"online-B": [1.0]}, refs="refB").check(small())
