"""The comparison page in a real browser, opened from disk: by keyboard, at phone width, filtered, exported."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from dragoman.files import read_lines
from dragoman.metrics import Comparison
from dragoman.report import render
from dragoman.samples import sample_path
from tests.metrics.comparisons import compare

REF = read_lines(sample_path("testset/reference-A.en"))
SYSTEMS = ("cobalt", "atlas", "ember")
ARABIC = "قطارنا إلى فيينا يغادر غدا <b>"


@pytest.fixture(scope="module")
def made() -> Comparison:
    systems = {name: read_lines(sample_path(f"testset/systems/{name}.en")) for name in SYSTEMS}
    systems["atlas"][0] = ARABIC
    docs = [f"doc{number // 20}" for number in range(len(REF))]
    return compare(systems, [REF], metrics=["bleu", "wer"], trials=50, source_lang="de", target_lang="en", docs=docs)


@pytest.fixture(scope="module")
def address(made: Comparison, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "comparison.html"
    path.write_text(made.html(), encoding="utf-8")
    return path.as_uri()


def shown(page: Any) -> list[int]:
    found: list[int] = page.eval_on_selector_all(
        "#cards article", "all => all.map((a) => Number(a.getAttribute('aria-labelledby').slice(4)))"
    )
    return found


def test_the_segments_are_shown_page_by_page(page: Any, address: str) -> None:
    page.goto(f"{address}#sort=segment")
    assert shown(page) == list(range(1, 26))
    assert page.inner_text("#count") == "80 / 80 · page 1 / 4"
    assert ARABIC in page.inner_text("#cards article")  # text stays text
    assert "largest difference first" in page.inner_text("#sort")
    page.click("#next")
    assert shown(page) == list(range(26, 51))


def test_the_address_chooses_systems_filters_and_order(page: Any, address: str) -> None:
    page.goto(f"{address}#left=ember&right=atlas&metric=wer&text=printer&sort=segment")
    wanted = [i for i, line in enumerate(REF, start=1) if "printer" in line.lower()]
    assert set(wanted) <= set(shown(page))
    assert len(shown(page)) < 25
    scores = page.inner_text("#cards article .scores")
    assert re.search(r"\u2068ember\u2069 \d+\.\d · \u2068atlas\u2069 \d+\.\d · gain of the right", scores)


def test_an_address_of_a_section_or_of_another_report_does_no_harm(page: Any, address: str) -> None:
    page.goto(f"{address}#s2")
    assert len(shown(page)) == 25
    page.goto(f"{address}#left=nobody&metric=unknown")
    assert page.input_value("#left") == "cobalt"


def test_any_two_systems_stand_side_by_side(page: Any, address: str) -> None:
    page.goto(address)
    for left, right in permutations(SYSTEMS, 2):
        page.select_option("#left", left)
        page.select_option("#right", right)
        labels = page.eval_on_selector_all(
            "#cards article:first-child > .pair > h4", "all => all.map((h) => h.innerText)"
        )
        assert labels == ["Reference 1", left, right]
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("x")
    assert (page.input_value("#left"), page.input_value("#right")) == (right, left)


def test_filters_are_kept_in_the_address_and_survive_a_reload(page: Any, address: str) -> None:
    page.goto(address)
    page.select_option("#left", "ember")
    page.select_option("#metric", "wer")
    page.select_option("#sort", "losses")
    page.select_option("#doc", "doc1")
    page.fill("#text", "the")
    page.fill("#min", "5")
    page.check("#differ")
    before = (shown(page), page.inner_text("#count"))
    assert 0 < len(before[0]) < 20
    controls = ("left", "right", "metric", "sort", "doc", "text", "min")
    values = [page.input_value(f"#{name}") for name in controls]
    page.reload()
    assert (shown(page), page.inner_text("#count")) == before
    assert [page.input_value(f"#{name}") for name in controls] == values
    assert page.is_checked("#differ")


def test_what_is_saved_is_what_is_filtered(page: Any, address: str, made: Comparison, tmp_path: Path) -> None:
    page.goto(f"{address}#left=atlas&right=ember&metric=wer&text=the&min=1&sort=wins")
    ids = list(shown(page))
    while page.is_enabled("#next"):
        page.click("#next")
        ids += shown(page)
    with page.expect_download() as waiting:
        page.click("#export")
    waiting.value.save_as(tmp_path / "rows.tsv")
    assert waiting.value.suggested_filename == "atlas-ember.tsv"
    head, *rows = [line.split("\t") for line in read_lines(tmp_path / "rows.tsv")]
    assert [int(row[0]) for row in rows] == ids
    assert len(ids) == int(page.inner_text("#count").split(" / ")[0])
    assert 25 < len(ids) < len(REF)
    texts = made.segments.test_set.systems
    for row in rows:
        cells, i = dict(zip(head, row, strict=True)), int(row[0]) - 1
        assert (cells["reference"], cells["atlas"], cells["ember"]) == (REF[i], texts["atlas"][i], texts["ember"][i])
        assert float(cells["wer:ember"]) == pytest.approx(made.segments.scores[1, 2, i], abs=1e-4)


def test_right_to_left_segments_run_from_the_right(page: Any, address: str) -> None:
    page.goto(f"{address}#sort=segment")
    directions = page.eval_on_selector_all(
        "#cards article:first-child > .pair > p", "all => all.map((p) => getComputedStyle(p).direction)"
    )
    assert directions == ["ltr", "ltr", "rtl"]
    languages = page.eval_on_selector_all("#cards article:first-child > .pair > p", "all => all.map((p) => p.lang)")
    assert languages == ["en", "en", "en"]


def test_words_are_marked_by_the_nearest_of_several_references(page: Any, tmp_path: Path) -> None:
    refs = {"first": ["a b c d", "x y"], "second": ["a b e f", "x z"], "third": ["q", None]}
    found = compare({"one": ["a b e f", "x y"], "two": ["a b c g", "x z"]}, refs, metrics=["bleu"], trials=20)
    (tmp_path / "page.html").write_text(found.html(), encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri() + "#sort=segment")
    by = page.eval_on_selector_all("#cards h4 small", "all => all.map((small) => small.innerText.trim())")
    assert by == [f"marked by \u2068{name}\u2069" for name in ("second", "first", "first", "second")]
    assert page.eval_on_selector_all("#cards mark.extra", "all => all.map((mark) => mark.innerText)") == ["g"]
    with page.expect_download() as waiting:
        page.click("#export")
    waiting.value.save_as(tmp_path / "rows.tsv")
    head, first, second = [line.split("\t") for line in read_lines(tmp_path / "rows.tsv")]
    assert head[5:8] == ["first", "second", "third"]
    assert (first[5:8], second[5:8]) == (["a b c d", "a b e f", "q"], ["x y", "x z", ""])


def test_a_phone_needs_no_sideways_scrolling(browser: Any, address: str) -> None:
    phone = browser.new_page(viewport={"width": 390, "height": 844})
    phone.goto(address)
    phone.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    # A wide table scrolls in its own region, by the arrow keys as well.
    wide = phone.locator(".scroll", has_text="Paired comparisons").first
    wide.focus()
    assert wide.evaluate("(region) => region.scrollWidth > region.clientWidth")
    phone.keyboard.press("ArrowRight")
    phone.wait_for_function("document.activeElement.scrollLeft > 0")
    assert phone.evaluate("document.documentElement.scrollLeft") == 0
    phone.close()


STOP = """() => {
  const here = document.activeElement;
  if (here === document.body) return null;
  const style = getComputedStyle(here);
  const box = here.getBoundingClientRect();
  return {
    tag: here.tagName, id: here.id, text: (here.innerText || here.getAttribute("aria-label") || "").trim(),
    ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
    inside: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight,
    order: [...document.querySelectorAll("*")].indexOf(here),
  };
}"""


def test_the_tab_key_goes_everywhere_in_order_and_is_seen(page: Any, address: str) -> None:
    page.goto(address)
    stops = []
    for _ in range(400):
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None:
            break
        stops.append(stop)
        if stop["id"] == "export":
            break
    assert stops[0]["text"] == "Skip to the segments"
    assert [stop["text"] for stop in stops[1:4]] == ["Scores", "Paired tests", "By length"]
    assert [stop for stop in stops if not stop["ring"] or not stop["inside"]] == []
    assert [stop["order"] for stop in stops] == sorted(stop["order"] for stop in stops)
    reached = {stop["id"] for stop in stops}
    assert {"left", "right", "metric", "sort", "text", "doc", "min", "differ", "next", "export", "keys"} <= reached


def test_the_whole_browser_of_segments_works_by_keyboard(page: Any, address: str) -> None:
    page.goto(address)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skip to the segments
    page.wait_for_function("location.hash === '#segments'")

    def focused() -> str:
        found: str = page.evaluate("document.activeElement.getAttribute('aria-labelledby') ?? ''")
        return found

    first, second, third = (f"seg-{number}" for number in shown(page)[:3])
    for key, expected in (("j", first), ("j", second), ("ArrowDown", third), ("ArrowUp", second), ("k", first)):
        page.keyboard.press(key)
        assert focused() == expected
    page.keyboard.press("n")
    assert "page 2" in page.inner_text("#count")
    assert focused() == f"seg-{shown(page)[0]}"
    page.keyboard.press("p")
    page.keyboard.press("/")
    page.keyboard.type("printer")
    assert 0 < len(shown(page)) < 25
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.evaluate("document.getElementById('help').open")
    page.keyboard.press("Escape")
    assert not page.evaluate("document.getElementById('help').open")


# Rules of WCAG 2 that a program can check: names, roles, headings, references of ids, contrast of 4.5 : 1.
FAULTS = (Path(__file__).parents[1] / "js" / "accessibility.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_people_who_cannot_see_or_see_badly_can_use_it(browser: Any, address: str, scheme: str) -> None:
    opened = browser.new_page(color_scheme=scheme)
    opened.goto(address)
    opened.evaluate("document.querySelectorAll('details').forEach((each) => each.open = true)")
    assert opened.evaluate(FAULTS) == []
    opened.close()


def test_every_figure_is_a_table_too_and_every_table_can_be_saved(page: Any, address: str, made: Comparison) -> None:
    page.goto(address)
    sections = page.eval_on_selector_all(
        "main > section:not(#segments)",
        """all => all.map((section) => ({
          heading: section.querySelector("h2").innerText,
          figures: [...section.querySelectorAll("figure")].map((figure) => ({
            title: figure.querySelector("svg").getAttribute("aria-label"),
            tables: [...figure.querySelectorAll("table")].map((table) => table.caption.textContent),
          })),
          tables: [...section.querySelectorAll(".scroll:not(:has(.verdicts))")].map((region) => ({
            title: region.querySelector("caption").textContent,
            links: [...region.nextElementSibling.querySelectorAll("a[download]")].map((a) => [a.download, a.href]),
          })),
        }))""",
    )
    assert [section["heading"] for section in sections] == [
        "Scores",
        "Paired tests",
        "By length",
        "By frequency",
        "By document",
        "Error classes",
        "N-grams won and lost",
    ]
    figures = [figure for section in sections for figure in section["figures"]]
    assert [figure["title"] for figure in figures] == [figure.title for figure in made.figures()]
    assert all(len(figure["tables"]) == 1 for figure in figures)
    tables = [table for section in sections for table in section["tables"]]
    everything = [*made.tables(), *(figure.table for figure in made.figures())]
    assert sorted(table["title"] for table in tables) == sorted(table.title for table in everything)
    for table in tables:
        (tsv, tsv_data), (tex, tex_data) = table["links"]
        assert tsv.endswith(".tsv")
        assert tex.endswith(".tex")
        # A figure may be called like the table beside it, which says the same in another order.
        same = [each for each in everything if each.title == table["title"]]
        assert unquote(tsv_data.partition(",")[2]) in [render(each, "tsv") for each in same]
        assert unquote(tex_data.partition(",")[2]) in [render(each, "latex") for each in same]


def test_words_that_an_output_lacks_are_marked_in_the_reference(page: Any, tmp_path: Path) -> None:
    found = compare({"one": ["a b", "x"], "two": ["b c <i>", "x"]}, [["a b c <i>", "x"]], metrics=["wer"], trials=20)
    (tmp_path / "page.html").write_text(found.html(), encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri() + "#sort=segment")
    marks = page.eval_on_selector_all(
        "#cards mark.lacking", "all => all.map((mark) => [mark.firstChild.textContent, mark.title])"
    )
    assert marks == [["a", "missing on the right"], ["c <i>", "missing on the left"]]


def test_the_histogram_and_the_scatter_lead_to_segments(page: Any, address: str, made: Comparison) -> None:
    page.goto(f"{address}#left=cobalt&right=ember&metric=wer")
    gains = made.segments.scores[1, 0] - made.segments.scores[1, 2]  # fewer errors are better
    title = page.inner_text("#histogram figcaption")
    counts = [int(number) for number in re.findall(r"\d+", title)]
    assert counts == [(gains > 0).sum(), (gains < 0).sum(), (gains == 0).sum()]
    bar = page.locator("#histogram rect").last
    low, high = float(bar.get_attribute("data-low")), float(bar.get_attribute("data-high"))
    bar.click()
    assert set(shown(page)) == {int(i) + 1 for i in ((gains >= low) & (gains <= high)).nonzero()[0]}
    assert page.locator("#scatter circle").count() == len(shown(page))
    chosen = page.locator("#scatter circle").first.get_attribute("data-id")
    page.locator("#scatter circle").first.dispatch_event("click")
    assert page.evaluate("document.activeElement.getAttribute('aria-labelledby')") == f"seg-{chosen}"
    assert page.input_value("#from") == ""


def test_twenty_one_systems_have_findings_verdicts_and_charts_that_can_be_read(page: Any, tmp_path: Path) -> None:
    systems = {
        f"system {k:02} <b>": [line if i % 21 < k else "nothing" for i, line in enumerate(REF)] for k in range(21)
    }
    made = compare(systems, [REF], metrics=["bleu"], trials=50, all_pairs=True)
    (tmp_path / "page.html").write_text(made.html(), encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    assert page.inner_text("h1") == "21 systems compared"
    (finding,) = page.locator(".findings li").all_inner_texts()
    assert finding.startswith("By bleu, \u2068system 20 <b>\u2069 scores best")
    assert "of 210 pairs" in finding
    names = [name.split(maxsplit=1)[1] for name in page.locator(".verdicts tbody th").all_inner_texts()]
    assert names == sorted(systems, reverse=True)
    signs = page.locator(".verdicts tbody tr").first.locator("td").all_inner_texts()[1:]
    better = {pair.baseline for pair in made.all_pairs if pair.better == "system 20 <b>"}
    assert [sign == "▲" for sign in signs] == [name in better for name in names]
    # Names stand beneath each other, and no text is cut by the edge of its drawing.
    outside = page.evaluate(
        """() => [...document.querySelectorAll("main > section:not(#segments) svg.chart")].flatMap((svg) => {
          const frame = svg.getBoundingClientRect();
          return [...svg.querySelectorAll("text")].map((text) => text.getBoundingClientRect())
            .filter((box) => box.left < frame.left - 1 || box.right > frame.right + 1);
        }).length"""
    )
    assert outside == 0


def column(page: Any, place: int) -> list[str]:
    cells: list[str] = page.eval_on_selector_all(
        f"#s1 > .scroll > table tbody td:nth-child({place})", "all => all.map((cell) => cell.innerText)"
    )
    return cells


def test_tables_sort_by_mouse_and_keyboard(page: Any, address: str) -> None:
    page.goto(address)
    written = column(page, 3)
    score = page.locator("#s1 > .scroll th", has_text="score")
    score.locator("button").click()
    assert score.get_attribute("aria-sort") == "descending"
    assert column(page, 3) == sorted(written, key=float, reverse=True)
    page.locator("#s1 > .scroll th button").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert score.get_attribute("aria-sort") == "ascending"
    assert column(page, 3) == sorted(written, key=float)
    page.keyboard.press("Enter")
    assert score.get_attribute("aria-sort") is None
    assert column(page, 3) == written


def test_the_contents_stay_and_say_what_is_read(page: Any, address: str) -> None:
    page.goto(address)
    page.evaluate("document.getElementById('s3').scrollIntoView()")
    page.wait_for_function("document.querySelector('.contents a[aria-current]')?.hash === '#s3'")
    assert page.evaluate("document.querySelector('.contents').getBoundingClientRect().top") >= 0


def test_the_check_finds_what_keeps_people_out(browser: Any) -> None:
    opened = browser.new_page()
    opened.set_content(
        """<main><h1>One</h1><h3 id=a>Three</h3><p style="color: #999; background: #fff">pale</p><button></button>
        <a href="#nowhere" id=a>x</a><table><tr><th>y</th></tr></table></main>"""
    )
    said = " ".join(opened.evaluate(FAULTS))
    opened.close()
    for fault in (
        "no language",
        "no title",
        "not one header",
        "two elements have the id a",
        "it has no name: <button>",
        "the link leads nowhere",
        "level 3 follows one of level 1",
        "no caption",
        "no scope",
        "no headings",
        "the contrast is 2.85 : 1",
    ):
        assert fault in said
