from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.files import read_lines
from dragoman.metrics import as_test_set, best_reference, collect, error_profile
from dragoman.metrics.bleu import Bleu
from dragoman.metrics.buckets import by_label
from dragoman.metrics.comparison import Comparison
from dragoman.metrics.error_rates import Wer
from dragoman.metrics.word_files import read_counts, read_tags
from dragoman.report.packing import unpack
from dragoman.samples import sample_path
from dragoman.stats import effect_size, paired_test, sign_test, smallest_difference
from tests.metrics.comparisons import compare

NAMES = ("cobalt", "atlas", "ember")
SYSTEMS = {name: read_lines(sample_path(f"testset/systems/{name}.en")) for name in NAMES}
REFS = {name: read_lines(sample_path(f"testset/reference-{name}.en")) for name in "AB"}
SRCS = read_lines(sample_path("testset/source.de"))


@pytest.fixture(scope="module")
def made() -> Comparison:
    return compare(SYSTEMS, REFS, srcs=SRCS, metrics=["bleu", "wer"], trials=300, seed=7, target_lang="en")


def test_the_rows_are_those_of_every_other_system_against_the_baseline(made: Comparison) -> None:
    rows = made.to_dict()["rows"]
    assert [(row["baseline"], row["system"], row["metric"]) for row in rows] == [
        ("cobalt", "atlas", "bleu"),
        ("cobalt", "ember", "bleu"),
        ("cobalt", "atlas", "wer"),
        ("cobalt", "ember", "wer"),
    ]
    for row in rows:
        expected = made.score(row["system"], row["metric"]).score - made.score("cobalt", row["metric"]).score
        assert row["delta"] == pytest.approx(expected, abs=1e-12)
        assert row["low"] <= row["delta"] <= row["high"]


def test_the_json_object_has_all_that_the_text_has(made: Comparison) -> None:
    meta = json.loads(made.render("json"))["meta"]
    assert [(each["by"], each["measure"]) for each in meta["breakdowns"]] == [
        ("length", "BLEU"),
        ("length", "WER"),
        ("frequency", "F of words"),
    ]
    assert set(meta["breakdowns"][0]["rows"][0]) == {"length", "segments", "cobalt", "atlas", "ember"}
    assert [(each["left"], each["right"]) for each in meta["ngrams"]] == [("cobalt", "atlas"), ("cobalt", "ember")]
    assert len(meta["all_pairs"]) == 6


def test_the_error_classes_are_those_of_the_profile(made: Comparison) -> None:
    expected = error_profile(as_test_set(SYSTEMS, REFS))
    assert made.errors is not None
    np.testing.assert_array_equal(made.errors.totals, expected.totals)
    titles = [table.title for table in made.tables()]
    assert [title for title in titles if "rror" in title] == [
        "Word rate by error class",
        *(table.title for table in expected.tables()),
    ]
    assert json.loads(made.render("json"))["meta"]["errors"]["rows"] == expected.to_dict()["rows"]
    for form in ("text", "latex", "markdown"):
        assert "inflection" in made.render(form)
    assert "Base forms: the first four letters" in made.render("text")
    assert [figure.title for figure in made.figures()][-1] == "Word rate by error class"
    assert ">Error classes</h2>" in made.html()


def test_several_references_are_told_apart(made: Comparison) -> None:
    expected = best_reference(as_test_set(SYSTEMS, REFS), "bleu")
    assert [each.metric for each in made.references] == ["bleu", "wer"]
    np.testing.assert_array_equal(made.references[0].alone, expected.alone)
    assert json.loads(made.render("json"))["meta"]["references"][0]["rows"] == expected.to_dict()["rows"]
    page = made.html()
    assert ">By reference</h2>" in page
    assert "bleu with each reference alone" in page
    alone = compare(SYSTEMS, [REFS["A"]], metrics=["bleu"], trials=20)
    assert alone.references == ()
    assert "By reference" not in alone.html()


def test_references_without_a_name_are_numbered() -> None:
    found = compare(SYSTEMS, list(REFS.values()), metrics=["bleu"], trials=20)
    assert found.references[0].references == ("Reference 1", "Reference 2")


@pytest.mark.realdata
def test_four_references_of_indian_from_files_to_page(data_folder: Path, tmp_path: Path) -> None:
    folder = data_folder / "indian" / "bn-en"
    refs = [folder / f"test.bn-en.en.{number}.gz" for number in range(4)]
    # There are no systems' outputs: people stand in for them, against the others.
    words = [
        "compare",
        f"first={refs[0]}",
        f"second={refs[1]}",
        "-r",
        str(refs[2]),
        "-r",
        str(refs[3]),
        "-s",
        str(folder / "test.bn-en.bn.gz"),
        "-m",
        "bleu",
        "--trials",
        "50",
        "--langs",
        "bn-en",
        "--html",
        str(tmp_path / "page.html"),
        "--json",
    ]
    done = CliRunner().invoke(group, words)
    assert done.exit_code == 0, done.output
    meta = json.loads(done.stdout)["meta"]
    assert meta["signatures"]["bleu"].startswith("BLEU|nrefs:2|")
    (by_reference,) = meta["references"]
    assert [row["reference"] for row in by_reference["rows"]] == ["test.bn-en.en.2", "test.bn-en.en.3"] * 2
    for row in by_reference["rows"]:
        assert row["score"] < row["score_all"] == pytest.approx(meta["scores"]["bleu"][row["system"]])
    assert meta["errors"]["meta"]["nrefs"] == 2
    data = embedded((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert len(data["texts"]) == 5 * meta["n_segments"] == 5 * 1001
    assert len(data["references"]) == 2


def test_base_forms_of_error_classes_are_named() -> None:
    found = compare(SYSTEMS, REFS, metrics=["bleu"], trials=50, layers={"stem": "snowball+lang=en"})
    assert found.errors is not None
    assert "Base forms: by snowball+lang=en." in found.errors.tables()[0].note
    expected = error_profile(as_test_set(SYSTEMS, REFS, layers={"stem": "snowball+lang=en"}))
    np.testing.assert_array_equal(found.errors.totals, expected.totals)


def test_a_segment_too_long_to_align_leaves_only_the_error_classes_out() -> None:
    text = "w " * 9000
    found = compare({"a": [text, "x"], "b": ["w", "x"]}, [[text, "x"]], metrics=["bleu"], trials=20)
    assert found.errors is None
    assert "No error classes: segment 1 of a is too long to align with its reference." in found.pair_table().note
    assert found.to_dict()["meta"]["left_out"] in found.pair_table().note
    assert "Error classes" not in found.html()


def test_parts_of_speech_come_from_a_tagger() -> None:
    two = {"cobalt": SYSTEMS["cobalt"], "atlas": SYSTEMS["atlas"]}
    found = compare(two, REFS, metrics=["bleu"], trials=50, layers={"pos": "hanta:lang=en"})
    (tags,) = [each for each in found.breakdowns if each.by == "part of speech"]
    assert {"NOUN", "VERB", "PUNCT"} <= set(tags.groups)
    assert "hanta" in tags.note
    assert ">By part of speech</h2>" in found.html()


def test_p_values_are_those_of_the_stats_room(made: Comparison) -> None:
    (statistics,) = collect(as_test_set({"a": SYSTEMS["atlas"], "b": SYSTEMS["cobalt"]}, REFS), ["bleu"])
    a, b = statistics.rows
    direct = paired_test("bootstrap", trials=300, seed=7).compare(a, b, statistics.metric.values)
    pair = made.pair("atlas", "cobalt", "bleu")
    assert pair.p == direct.p
    effect = effect_size(a, b, statistics.metric.values, trials=300, seed=7)
    assert (pair.low, pair.high) == (effect.low, effect.high)
    assert pair.standardised == pytest.approx(effect.standardised)
    least = smallest_difference(a, b, statistics.metric.values, trials=300, seed=7)
    assert pair.smallest == pytest.approx(least.difference)


def test_lower_is_better_for_error_rates(made: Comparison) -> None:
    wer, bleu = made.pair("atlas", "cobalt", "wer"), made.pair("atlas", "cobalt", "bleu")
    assert wer.delta < 0 < bleu.delta
    assert wer.better == bleu.better == "atlas"
    worse = made.pair("ember", "cobalt", "wer")
    assert worse.delta > 0
    assert worse.better == "cobalt"
    assert "Lower is better: wer." in made.pair_table().note


def test_one_sided_tests_ask_whether_the_system_is_better_whatever_the_metric() -> None:
    two = {"cobalt": SYSTEMS["cobalt"], "atlas": SYSTEMS["atlas"]}
    found = compare(two, REFS, metrics=["bleu", "wer"], test="bootstrap:sides=1", trials=300, breakdowns=False)
    assert [pair.p < 0.05 for pair in found.pairs] == [True, True]
    turned = compare(
        two, REFS, metrics=["bleu", "wer"], test="bootstrap:sides=1", trials=300, baseline="atlas", breakdowns=False
    )
    assert [pair.p > 0.9 for pair in turned.pairs] == [True, True]
    assert turned.baseline == "atlas"


def test_a_system_never_beats_itself() -> None:
    same = {"one": SYSTEMS["atlas"], "two": list(SYSTEMS["atlas"])}
    for test in ("bootstrap", "randomisation", "sign"):
        for pair in compare(same, REFS, metrics=["bleu", "wer"], test=test, breakdowns=False).pairs:
            assert (pair.delta, pair.p, pair.better, pair.standardised) == (0.0, 1.0, None, None)
            assert "they score the same" in pair.sentence


def test_tests_on_segments_use_the_rule_for_segments() -> None:
    two = {"cobalt": SYSTEMS["cobalt"], "atlas": SYSTEMS["atlas"]}
    found = compare(two, REFS, metrics=["bleu", "wer"], test="sign", breakdowns=False)
    for number, (pair, metric) in enumerate(zip(found.pairs, (Bleu(), Wer()), strict=True)):
        base, new = (metric.segments(lines, REFS) for lines in two.values())
        np.testing.assert_allclose(found.segments.scores[number], [base, new])
        gains = new - base if metric.higher_is_better else base - new
        assert (pair.wins, pair.losses) == (int(np.sum(gains > 1e-9)), int(np.sum(gains < -1e-9)))
        assert pair.p == sign_test(pair.wins, pair.losses)


def test_all_pairs_and_their_matrix() -> None:
    found = compare(SYSTEMS, REFS, metrics=["bleu"], all_pairs=True, trials=200, breakdowns=False)
    assert [(p.baseline, p.system) for p in found.pairs] == [
        ("cobalt", "atlas"),
        ("cobalt", "ember"),
        ("atlas", "ember"),
    ]
    (matrix,) = found.matrices()
    cells = {(row[0], name): cell for row in matrix.rows for name, cell in zip(found.systems, row[1:], strict=True)}
    assert cells["atlas", "atlas"] is None
    assert str(cells["atlas", "cobalt"]).startswith("+")
    assert str(cells["cobalt", "atlas"])[1:] == str(cells["atlas", "cobalt"])[1:]
    assert str(cells["cobalt", "atlas"]).startswith("−")


@pytest.mark.parametrize("correction", ["none", "holm", "bh", "max-t"])
def test_more_pairs_are_corrected_more(correction: str) -> None:
    options = {"metrics": ["bleu"], "trials": 200, "correction": correction, "breakdowns": False}
    some, every = compare(SYSTEMS, REFS, **options), compare(SYSTEMS, REFS, all_pairs=True, **options)  # type: ignore[arg-type]
    for pair in some.pairs:
        other = every.pair(pair.system, pair.baseline, "bleu")
        assert pair.p == other.p
        assert pair.p <= pair.p_adjusted + 1e-12 or correction == "max-t"
        assert pair.p_adjusted <= other.p_adjusted + 1e-12


def test_threads_do_not_change_the_result(made: Comparison) -> None:
    again = compare(
        SYSTEMS,
        REFS,
        srcs=SRCS,
        metrics=["bleu", "wer"],
        trials=300,
        seed=7,
        source_lang="de",
        target_lang="en",
        n_threads=3,
    )
    assert again.render("text") == made.render("text")


@dataclass(frozen=True)
class NotAdditive(Wer):
    name: ClassVar[str] = "not-additive"
    additive: ClassVar[bool] = False


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": [NotAdditive()]}, "No paired test can be made with not-additive.*not additive"),
        ({"systems": {"one": SYSTEMS["atlas"]}}, "at least two systems, got 1"),
        ({"refs": []}, "There are no references"),
        ({"refs": [REFS["A"][:3]]}, "3"),
        ({"docs": ["d"]}, "docs=1"),
        ({"alpha": float("nan")}, "alpha must lie between 0 and 1, got nan"),
        ({"level": 1.5}, "level must lie between 0 and 1"),
        ({"metrics": []}, "There are no metrics"),
        ({"correction": "bonferoni"}, "must be one of 'none', 'holm', 'bh', 'max-t'. Got 'bonferoni' instead"),
        ({"trials": 0}, "The 'trials' option of ComparisonRecipe must be at least 1. Got 0 instead"),
        ({"test": "sign", "trials": 10}, "The test 'sign' has no option trials"),
        ({"test": paired_test("bootstrap"), "seed": 1}, "made already"),
        ({"systems": {"a": ["x"], "b": ["y"]}, "refs": [["x"]]}, "One segment cannot be resampled"),
        ({"systems": {"a": ["\ud800", "x"], "b": ["y", "z"]}, "refs": [["x", "y"]]}, "surrogate"),
        ({"layers": {"pos": "simplemma:lang=en"}}, "The annotator simplemma gives lemma, not pos"),
        ({"layers": {"lemma": "snowball"}}, "The annotator snowball gives stem, not lemma"),
        ({"metrics": ["worderrcats:base=lemma"]}, "worderrcats asks for the layer lemma, which nobody makes: --layer"),
        ({"tags": [None] * 80}, "no segment of the reference is annotated"),
    ],
)
def test_what_cannot_be_compared_is_named(options: dict[str, object], message: str) -> None:
    call = {"systems": SYSTEMS, "refs": REFS, "metrics": ["bleu"], **options}
    with pytest.raises(DataError, match=message):
        compare(**call)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "nobody"}, "No system is called 'nobody'. Known: cobalt, atlas, ember."),
        ({"metrics": ["blue"]}, "Did you mean 'bleu'?"),
        ({"test": "bootstarp"}, "Did you mean 'bootstrap'?"),
        ({"tokeniser": "14a"}, "No tokeniser is called '14a'"),
    ],
)
def test_unknown_names_get_a_suggestion(options: dict[str, object], message: str) -> None:
    with pytest.raises(UnknownName, match=re.escape(message)):
        compare(SYSTEMS, REFS, **options)  # type: ignore[arg-type]


def test_what_was_not_compared_is_said(made: Comparison) -> None:
    with pytest.raises(UnknownName, match="cobalt was not compared with atlas by bleu"):
        made.pair("cobalt", "atlas", "bleu")
    with pytest.raises(UnknownName, match="'nobody' was not scored by 'bleu'"):
        made.score("nobody", "bleu")


def test_empty_outputs_are_worse_not_wrong() -> None:
    found = compare({"a": SYSTEMS["atlas"], "nothing": [""] * 80}, REFS, metrics=["bleu"], trials=100)
    assert found.score("nothing", "bleu").score == 0
    assert found.pairs[0].better == "a"


def test_groups_of_segments_are_scored_from_their_own_sums() -> None:
    (statistics,) = collect(as_test_set(SYSTEMS, REFS), ["bleu"])
    labels = ["x" if i % 3 else None for i in range(80)]
    found = by_label(statistics, labels, by="domain")
    kept = [i for i in range(80) if i % 3]
    refs = {name: [lines[i] for i in kept] for name, lines in REFS.items()}
    systems = {name: [lines[i] for i in kept] for name, lines in SYSTEMS.items()}
    (part,) = collect(as_test_set(systems, refs), ["bleu"])
    assert found.groups == ("x",)
    assert found.counts == (len(kept),)
    np.testing.assert_allclose(found.values[:, 0], part.scores())


def test_counts_and_tags_are_read(tmp_path: Path) -> None:
    (tmp_path / "counts.tsv").write_text("the\t12\ncat\t3\n", encoding="utf-8")
    assert read_counts(tmp_path / "counts.tsv") == {"the": 12, "cat": 3}
    for text, message in (
        ("the 12\n", "expected a word, a tab and a count"),
        ("the\t" + "9" * 5000, "expected a word, a tab and a count"),
        ("a\t1\na\t2\n", "a second time"),
    ):
        (tmp_path / "bad.tsv").write_text(text, encoding="utf-8")
        with pytest.raises(FormatError, match=message):
            read_counts(tmp_path / "bad.tsv")
    tags = read_tags(sample_path("testset/parsed.en.conllu"), 80)
    assert sum(segment is not None for segment in tags) == 24
    assert tags[0] is not None
    assert tags[0][:2] == [("Our", "PRON"), ("train", "NOUN")]
    with pytest.raises(FormatError, match="belongs to segment 4, but there are 3 segments"):
        read_tags(sample_path("testset/parsed.en.conllu"), 3)


def embedded(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="text/plain" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = unpack(found[1])
    return data


def test_the_page_stands_alone(made: Comparison) -> None:
    page = made.html()
    assert not re.search(r'(src|href)="(?!#|data:)', page)
    assert "import {" not in page
    assert "\nexport " not in page
    assert '<html lang="en">' in page
    data = embedded(page)
    assert data["systems"] == ["cobalt", "atlas", "ember"]
    assert data["texts"][:6] == [SRCS[0], REFS["A"][0], REFS["B"][0], *(SYSTEMS[name][0] for name in data["systems"])]
    assert len(data["texts"]) == 80 * 6
    for heading in ("Scores", "Paired tests", "By length", "By frequency", "N-grams won and lost", "Segments"):
        assert f">{heading}</h2>" in page


def test_a_right_to_left_name_does_not_turn_its_neighbours_round() -> None:
    systems = {"סלמה": SYSTEMS["cobalt"], "atlas": SYSTEMS["atlas"]}
    page = compare(systems, REFS, metrics=["bleu"], trials=50, breakdowns=False).html()
    assert "<h1>\u2068atlas\u2069 against \u2068סלמה\u2069</h1>" in page
    assert "\u2068atlas\u2069 − \u2068סלמה\u2069 = +" in page


def test_every_table_can_be_saved(made: Comparison) -> None:
    page = made.html()
    n_tables = len(made.tables()) + len(made.figures())
    assert (
        page.count('as TSV">') == page.count('as LaTeX">') == page.count("<table>") == n_tables
    )  # beside the verdicts


def test_text_cannot_break_out_of_the_page() -> None:
    evil = "</script><script>alert(1)</script>\u2028"
    systems = {"a<b>": [evil, "x"], 'b"&': ["y", "z"]}
    page = compare(systems, [[evil, "x"]], metrics=["bleu"], trials=50).html(title="<i>")
    assert "<script>alert" not in page
    assert "&lt;i&gt;" in page
    assert embedded(page)["texts"][1] == evil


def test_ragged_references_reach_the_page() -> None:
    refs = [[REFS["A"][0], None, *REFS["A"][2:]], REFS["B"]]
    data = embedded(compare(SYSTEMS, refs, metrics=["bleu"], trials=50).html())
    assert data["texts"][5:7] == [None, REFS["B"][1]]
    assert data["references"] == ["Reference 1", "Reference 2"]


def test_the_script_of_the_page_parses(made: Comparison, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    script = re.findall(r'<script type="module">(.*?)</script>', made.html(), re.DOTALL)
    (tmp_path / "page.mjs").write_text(script[0], encoding="utf-8")
    done = subprocess.run([node, "--check", str(tmp_path / "page.mjs")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_scripts_pass_their_own_tests() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    tests = sorted(map(str, (Path(__file__).parents[1] / "js").glob("*.test.mjs")))
    done = subprocess.run([node, "--test", *tests], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_left_out_is_left_out() -> None:
    bare = compare(SYSTEMS, REFS, metrics=["bleu"], trials=50, breakdowns=False)
    assert bare.breakdowns == ()
    assert bare.ngrams == ()
    assert "By length" not in bare.html()
    assert replace(bare, test_note="A quirk.").pair_table().note.endswith("A quirk.")


@pytest.mark.realdata
def test_the_page_of_21_systems_stays_below_five_megabytes(newstest2013: Any) -> None:
    ref, systems = newstest2013("en-de")
    page = compare(systems, [ref], metrics=["bleu", "chrf"], trials=20, all_pairs=True).html()
    assert len(systems) == 21
    assert len(page.encode()) < 5_000_000
    assert len(embedded(page)["texts"]) == 3000 * 22
