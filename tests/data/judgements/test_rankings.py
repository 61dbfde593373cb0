"""Relative rankings: WMT's CSV, pairs, Appraise's XML; what is wrong with them, and what they hold together."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from dragoman.data import FORMATS, Judgements, compare_pairwise, read_judgements
from dragoman.data.judgements import ranking_schema, read_ranking, screens
from dragoman.data.judgements.appraise_xml import AppraiseRanking
from dragoman.data.judgements.pairs import PairwiseRanking
from dragoman.errors import DataError, FormatError
from dragoman.ranking import RankingRecipe, rank

FIXED = "srclang,trglang,srcIndex,documentId,segmentId,judgeId"
WMT = f"{FIXED},system1Id,system2Id,system3Id,system1rank,system2rank,system3rank\n"
PAIRS = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"


def write(tmp_path: Path, text: str, name: str = "x.csv") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_a_system_ranked_twice_is_refused_or_dropped(tmp_path: Path) -> None:
    good = "Czech,English,7,d,7,anna,a,b,c,1,2,2\n"
    path = write(tmp_path, WMT + good + "Czech,English,7,d,7,anna,a,b,a,1,2,3\n" + good)
    with pytest.raises(
        FormatError, match=r"x\.csv:3: the system 'a' stands twice in one ranking task; .* with on_bad=drop\.$"
    ):
        read_ranking(path)
    table = read_judgements(path, on_bad="drop")
    assert len(table) == 2
    assert table.n_dropped == 1
    assert (table.files[0].path, table.files[0].format, table.files[0].rows) == (str(path), "wmt-ranking", 2)
    assert table["item"] == ("1", "3")  # the number of the row stays
    # Several blanks are no system ranked twice.
    blanks = write(tmp_path, WMT + "Czech,English,7,d,7,anna,a,blank,blank,1,-1,-1\n")
    assert list(screens(read_ranking(blanks))) == [[("a", 1)]]


def test_unknown_columns_are_named_or_left_out(tmp_path: Path) -> None:
    path = write(tmp_path, WMT.replace("judgeId", "judgeId,colour") + "Czech,English,7,d,7,anna,red,a,b,c,1,2,2\n")
    with pytest.raises(
        FormatError, match=r"x\.csv:1: a relative-ranking table of WMT's has no column colour\. Take it"
    ):
        read_ranking(path)
    assert len(read_ranking(path, on_bad="drop")) == 1


def test_headers_of_other_years(tmp_path: Path) -> None:
    header = "srclang,trglang,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank\n"
    (row,) = read_judgements(write(tmp_path, header + "cze,eng,12,j1,a,2,b,1\n")).rows()
    assert (row["source_lang"], row["target_lang"], row["segment"], row["annotator"]) == ("cs", "en", 12, "j1")
    assert (row["system1"], row["rank1"], row["system2"], row["rank2"]) == ("a", 2, "b", 1)
    seven = ",".join(f"system{n}Id,system{n}rank" for n in range(1, 8))
    cells = ",".join(f"s{n},{n}" for n in range(1, 8))
    table = read_judgements(write(tmp_path, f"{FIXED},{seven}\nCzech,English,1,d,1,anna,{cells}\n"))
    assert table.schema == ranking_schema(7)
    assert table["rank7"] == (7,)


def test_pairs_become_screens_again(tmp_path: Path) -> None:
    # The example of WMT14's findings, §3.2: B is best, then H, A and F tie, J is worst; every pair is a row.
    ranks = {"A": 3, "B": 1, "F": 3, "H": 2, "J": 4}
    rows = [f"cze,eng,7,7,j1,{a},{ranks[a]},{b},{ranks[b]},1\n" for a, b in combinations("ABFHJ", 2)]
    table = read_judgements(write(tmp_path, PAIRS + "".join(rows)))
    assert table.files[0].format == "pairwise-ranking"
    assert [dict(screen) for screen in screens(table)] == [ranks]
    assert table["item"] == ("1",)
    found = compare_pairwise(table)
    outcomes = {
        found.systems[a] + {1: "<", 0: "=", -1: ">"}[int(o)] + found.systems[b]  # < stands for the smaller rank
        for a, b, o in zip(found.first, found.second, found.outcome, strict=True)
    }
    assert outcomes == {"A>B", "A=F", "A>H", "A<J", "B<F", "B<H", "B<J", "F>H", "F<J", "H<J"}


def test_joint_names_are_taken_apart(tmp_path: Path) -> None:
    path = write(tmp_path, PAIRS + "de,en,1,1,j,a+b,1,c,2,9\n")
    assert [dict(screen) for screen in screens(read_judgements(path))] == [{"a": 1, "b": 1, "c": 2}]
    together = PairwiseRanking(split_merged=False).read(path)
    assert [dict(screen) for screen in screens(together)] == [{"a+b": 1, "c": 2}]
    with pytest.raises(DataError, match=r"The system 'a\+b' has a \+ in its name"):
        PairwiseRanking().write(together, tmp_path / "y.csv")
    PairwiseRanking(split_merged=False).write(together, tmp_path / "y.csv")


def test_screens_that_lack_pairs_stay_pairs(tmp_path: Path) -> None:
    whole = "de,en,1,1,j,a,1,b,2,1\nde,en,1,1,j,a,1,c,3,1\nde,en,1,1,j,b,2,c,3,1\n"
    part = "de,en,2,2,j,a,1,b,2,2\nde,en,2,2,j,a,1,c,3,2\n"
    table = read_judgements(write(tmp_path, PAIRS + whole + part))
    assert [dict(screen) for screen in screens(table)] == [{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 2}, {"a": 1, "c": 3}]
    assert len(set(table["item"])) == 3
    assert len(compare_pairwise(table)) == 5  # as many as there are rows


def test_numbers_that_begin_anew_name_no_screen(tmp_path: Path) -> None:
    path = write(tmp_path, PAIRS + "de,en,1,1,j,a,1,b,2,1\ncs,en,1,1,j,a,1,b,2,1\n")
    assert read_judgements(path)["item"] == ("de-en:1:j:1", "cs-en:1:j:1")


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        ("de,en,1,1,j,a,1,a,2,1\n", 2, "the system 'a' stands twice in one pair"),
        ("de,en,1,1,j,a+b,1,b+c,2,1\n", 2, "the system 'b' stands twice in one pair"),
        ("de,en,1,1,j,a,1,b,2,1\nde,en,1,1,j,b,2,a,1,1\n", 3, "the pair 'b', 'a' is there twice in ranking '1'"),
        (
            "de,en,1,1,j,a,1,b,2,1\nde,en,1,1,j,a,3,c,2,1\n",
            3,
            "the system 'a' has rank 3 here and 1 before in ranking '1'",
        ),
        (
            "de,en,1,1,j,a,-1,b,2,1\nde,en,1,1,j,a,3,c,2,1\n",
            3,
            "the system 'a' has rank 3 here and a blank before in ranking '1'",
        ),
        ("de,en,1,1,j,a,0,b,2,1\n", 2, "rank of system1 is '0'; expected a rank from 1 on, or -1"),
        ("de,en,one,1,j,a,1,b,2,1\n", 2, "segment is 'one'; expected a whole number"),
        ("xx1,en,1,1,j,a,1,b,2,1\n", 2, "'xx1' is no language tag"),
        ("de,en,1,1,j,a,1\n", 2, "the line has 7 cells for 10 columns"),
    ],
)
def test_wrong_pairs_are_named(tmp_path: Path, rows: str, line: int, message: str) -> None:
    path = write(tmp_path, PAIRS + rows)
    with pytest.raises(FormatError, match=rf"x\.csv:{line}: {message}"):
        read_judgements(path)
    table = read_judgements(path, on_bad="drop")
    assert table.n_dropped == 1
    assert len(table) == rows.count("\n") - 1


def test_tables_that_are_no_pairs_are_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"x\.csv:1: this is no table of ranked pairs: it lacks srclang, .*rankingID"):
        PairwiseRanking().read(write(tmp_path, "a,b\n"))
    extra = write(tmp_path, PAIRS.replace("rankingID", "rankingID,mood") + "de,en,1,1,j,a,1,b,2,1,good\n")
    with pytest.raises(FormatError, match=r"x\.csv:1: a table of ranked pairs has no column mood"):
        read_judgements(extra)
    assert len(read_judgements(extra, on_bad="drop")) == 1
    assert len(read_judgements(write(tmp_path, PAIRS))) == 0


RESULTS = """<WMT15-results>
<HIT hit-id="1" source-language="deu" block-id="-1" target-language="eng">
<ranking-task id="17">
  <ranking-result duration="00:00:35.337000" user="jo">
    <translation system="ref" rank="1"/>
    <translation system="a,b" rank="2" />
    <translation system="c" rank="-1"/>
  </ranking-result>
</ranking-task>
</HIT>
</WMT15-results>
"""


def test_the_xml_of_appraise(tmp_path: Path) -> None:
    path = write(tmp_path, RESULTS, "x.xml")
    table = read_judgements(path)
    (row,) = table.rows()
    assert (row["annotator"], row["source_lang"], row["target_lang"], row["segment"]) == ("jo", "de", "en", 17)
    assert list(screens(table)) == [[("a", 2), ("b", 2), ("c", None)]]
    kept = AppraiseRanking(split_merged=False, references=True).read(path)
    assert list(screens(kept)) == [[("ref", 1), ("a+b", 2), ("c", None)]]
    with pytest.raises(DataError, match="The system 'ref' would be read as a reference"):
        AppraiseRanking().write(kept, tmp_path / "y.xml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('rank="2"', 'rank="x"', r"x\.xml:4: rank of a translation is 'x'; expected a rank from 1 on"),
        ('"a,b"', '"c,b"', r"x\.xml:4: the system 'c' stands twice in one ranking task"),
        (' user="jo"', "", r"x\.xml:4: <ranking-result> has no attribute 'user'"),
        ('id="17"', 'id="q"', r"x\.xml:4: segment is 'q'; expected a whole number"),
        ('"deu"', '"klingonese"', r"x\.xml:2: 'klingonese' is no language tag"),
    ],
)
def test_wrong_xml_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_judgements(write(tmp_path, RESULTS.replace(old, new), "x.xml"))


def test_names_that_a_file_cannot_hold_are_refused(tmp_path: Path) -> None:
    row = {"annotator": "a", "item": "1", "source_lang": "de", "target_lang": "en", "segment": 1, "rank1": 1}
    blank = Judgements.of(ranking_schema(2), [row | {"system1": "blank"}])
    with pytest.raises(DataError, match="A system called 'blank' is an empty place in a wmt-ranking file"):
        FORMATS.make("wmt-ranking").write(blank, tmp_path / "x.csv")
    comma = Judgements.of(ranking_schema(2), [row | {"system1": "a,b"}])
    with pytest.raises(DataError, match="The system 'a,b' has a comma in its name"):
        FORMATS.make("appraise-ranking").write(comma, tmp_path / "x.xml")
    with pytest.raises(DataError, match="The format mqm holds error-spans judgements, not relative-ranking"):
        FORMATS.make("mqm").write(comma, tmp_path / "x.tsv")
    with pytest.raises(DataError, match="rank2 is 3, but there is no system2"):
        Judgements.of(ranking_schema(2), [row | {"system1": "a", "rank2": 3}])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("name", "screens_", "judges", "systems", "blanks"),
    [
        ("wmt12.RNK_results", 12_339, 230, 39, 355),  # Findings 2012, Table 2: 61,695 labels
        ("wmt13.fr-en.train", 9_996, 218, 13, 0),
    ],
)
def test_released_rankings_survive_every_format(
    data_folder: Path, tmp_path: Path, name: str, screens_: int, judges: int, systems: int, blanks: int
) -> None:
    table = read_judgements(data_folder / "wmt-judgments" / f"{name}.csv.gz")
    assert len(table) == screens_
    assert len(set(table["annotator"])) == judges
    labels = Counter(rank is None for screen in screens(table) for _, rank in screen)
    assert labels == {False: 5 * screens_ - blanks, True: blanks} if blanks else {False: 5 * screens_}
    assert len({system for screen in screens(table) for system, _ in screen}) == systems
    for format_ in ("wmt-ranking", "pairwise-ranking", "appraise-ranking", "judgement-table", "judgement-log"):
        form = FORMATS.make(format_)
        form.write(table, tmp_path / f"x{form.suffixes[0]}")
        again = read_judgements(tmp_path / f"x{form.suffixes[0]}")
        assert again.files[0].format == format_
        assert list(screens(again)) == list(screens(table))
        assert again["segment"] == table["segment"]
        assert again["annotator"] == table["annotator"]


def test_lines_that_end_in_two_carriage_returns(tmp_path: Path) -> None:
    """As WMT released its rankings in 2015: they are told, read and counted by line as any others."""
    text = PAIRS + "fin,eng,7,7,anna,a,1,b,2,9\nfin,eng,7,7,anna,a,1,c,2,9\nfin,eng,7,7,anna,b,2,c,2,9\n"
    plain = read_judgements(write(tmp_path, text, "plain.csv"))
    odd = tmp_path / "odd.csv"
    odd.write_bytes(text.replace("\n", "\r\r\n").encode())
    assert read_judgements(odd) == plain
    odd.write_bytes((text + "fin,eng,7,7,anna,a,x,c,2,9\n").replace("\n", "\r\r\n").encode())
    with pytest.raises(FormatError, match=r"odd\.csv:5: "):
        read_judgements(odd)


@pytest.mark.realdata
@pytest.mark.parametrize("name", ["wmt15.fin-eng.csv", "wmt15.fin-eng.collapsed.csv.gz"])
def test_released_rankings_of_2015(data_folder: Path, tmp_path: Path, name: str) -> None:
    path = data_folder / "peers-2026" / "wmt15" / name
    content = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
    assert content.count(b"\r\r\n") == content.count(b"\n") > 1000
    plain = tmp_path / "plain.csv"
    plain.write_bytes(content.replace(b"\r\r\n", b"\n"))
    told = read_judgements(path)
    assert told == read_judgements(plain)
    assert len({(row["annotator"], row["segment"]) for row in told.rows()}) > 300
    ranking = rank(told, RankingRecipe(method="expected-wins"))
    assert "online-B" in ranking.rows[0].system, "the official winner"


@pytest.mark.realdata
def test_an_excerpt_that_ends_within_a_ranking_keeps_its_pairs(data_folder: Path) -> None:
    """The excerpt has 6,000 pairs of 369 rankings, the last of them cut after 7 pairs: 368 are whole, and each of the
    seven pairs stands on a screen of its own, as nobody can say which other systems were on it."""
    path = data_folder / "peers-2026/wmt15/wmt15.fin-eng.csv"
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream.read().replace("\r\r\n", "\n").splitlines()))
    pairs = Counter((row["judgeID"], row["rankingID"]) for row in rows)
    (cut,) = [key for key, n in pairs.items() if n not in {k * (k - 1) // 2 for k in range(2, 20)}]
    assert (len(rows), len(pairs), pairs[cut], (rows[-1]["judgeID"], rows[-1]["rankingID"])) == (6000, 369, 7, cut)
    sizes = Counter(len(ranked) for ranked in screens(read_judgements(path)))
    assert (sizes.total(), sizes[2]) == (375, 7)
    assert sum(size * (size - 1) // 2 * n for size, n in sizes.items()) == 6000
