"""Quotes and apostrophes: the published example, real text that has lost its directions, and bad input."""

from __future__ import annotations

import gzip
import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, UnknownName
from dragoman.text.quotes import QuoteStyle, normalise_quotes

MARKS = "'\"`´‘’‚‛“”„‟′″‴‵‶‷"
PIECES = [*"aB s.,:5()—«»", *MARKS, "'", '"', "' ", " '", "s ", "Men", "d", "l", "''", "``"]


def quoted(line: str, lang: str = "en", *, style: QuoteStyle = "directed", guillemets: bool = False) -> str:
    return normalise_quotes([line], lang, style=style, guillemets=guillemets)[0]


@pytest.mark.parametrize("mark", ["’", "'", "´", "′"])
def test_the_example_of_zeman_2012_section_3_1(mark: str) -> None:
    line = (
        "As the Wise Men ’ s Report also says , and I quote : ’ It is elementary ’ common sense ’ that the Commission "
        "should have supported the Parliament ’ s decision - making process . ’"
    )
    assert quoted(line.replace("’", mark)) == (
        "As the Wise Men ’ s Report also says , and I quote : “ It is elementary “ common sense ” that the Commission "
        "should have supported the Parliament ’ s decision - making process . ”"
    )


@pytest.mark.parametrize(
    ("lang", "line", "expected"),
    [
        ("en", '"quoted"', "“quoted”"),
        ("en", "He said: \"Don't 'you' go.\"", "He said: “Don’t “you” go.”"),
        ("en", "``Yes,'' she said.", "“Yes,” she said."),
        ("en", "'Tis the boys' club of the '90s, rock 'n' roll", "’Tis the boys’ club of the ’90s, rock ’n’ roll"),
        ("en", "\"'Hello,' he said,\" she said.", "““Hello,” he said,” she said."),
        ("en", '" So , " he said , " it is . "', "“ So , ” he said , “ it is . ”"),
        ("en", 'end." Next', "end.” Next"),
        ("en", 'a ("b") c', "a (“b”) c"),
        ("en", "It 's , do n´t", "It ’s , do n’t"),
        ("de", "„Ja“, sagte er, „das ‚geht‘ so.“", "“Ja”, sagte er, “das “geht” so.”"),
        ("de", "so etwas“, sagte er", "so etwas”, sagte er"),
        ("cs", '"Ano," řekl.', "“Ano,” řekl."),
        ("pl", "„tak”", "“tak”"),
        ("sv", "”ja” och ”nej”", "“ja” och “nej”"),
        ("fr", "l ' art d' aimer l'autre, aujourd´hui", "l ’ art d’ aimer l’autre, aujourd’hui"),
        ("it", "un po' d'acqua dell ' anno", "un po’ d’acqua dell ’ anno"),
        ("nl", "'s avonds in 't huis", "’s avonds in ’t huis"),
        ("en", "no marks at all", "no marks at all"),
        ("en", "", ""),
        ("en", '"', "“"),
        ("en", 'a "', "a ”"),
    ],
)
def test_hard_lines(lang: str, line: str, expected: str) -> None:
    assert quoted(line, lang) == expected
    ascii_form = expected.replace("“", '"').replace("”", '"').replace("’", "'")
    assert quoted(line, lang, style="ascii") == ascii_form


def test_guillemets_only_if_asked_for() -> None:
    assert quoted("Il dit : « oui »", "fr") == "Il dit : « oui »"
    assert quoted("Il dit : « oui »", "fr", guillemets=True) == "Il dit : “ oui ”"
    assert quoted("Er sagt »ja«", "de", guillemets=True) == "Er sagt “ja”"
    assert quoted("Er sagt ›ja‹", "de", guillemets=True) == "Er sagt “ja”"


@given(
    st.lists(st.sampled_from(PIECES), max_size=50).map("".join) | st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["en", "de", "fr", "cs", "sv", "eo"]),
    st.sampled_from(["directed", "ascii"]),
    st.booleans(),
)
def test_properties(line: str, lang: str, style: QuoteStyle, guillemets: bool) -> None:
    once = quoted(line, lang, style=style, guillemets=guillemets)
    assert quoted(once, lang, style=style, guillemets=guillemets) == once
    # Nothing but marks changes, and every mark is one of the allowed.
    strange = f"[{MARKS}ʼ＇＂{'«»‹›' if guillemets else ''}]"
    assert re.sub(strange, "", once) == re.sub(strange, "", line)
    assert set(re.findall(strange, once)) <= set("\"'" if style == "ascii" else "“”’")


@given(
    st.text(st.sampled_from("abcÉя"), min_size=1),
    st.sampled_from("'’´`‘′"),
    st.text(st.sampled_from("abcÉя"), min_size=1),
)
def test_a_mark_between_letters_is_an_apostrophe(left: str, mark: str, right: str) -> None:
    assert quoted(f'"{left}{mark}{right}"', "eo") == f"“{left}’{right}”"


def directed_lines(folder: Path) -> list[tuple[str, str, list[bool | None]]]:
    """Real lines with their language, and for each character whether it is a quote that opens, or None."""

    def read(path: str) -> list[str]:
        with gzip.open(folder / path, "rt", encoding="utf-8") as file:
            lines = file.read().split("\n")
        return [
            line.removeprefix("# text = ") for line in lines if "conllu" not in path or line.startswith("# text = ")
        ]

    sources = {
        "de": [
            "ud/de_pud-ud-test.conllu.gz",
            "multi30k/train.de.gz",
            "newstest2013/en-de/newstest2013.en-de.online-C.gz",
        ],
        "cs": [f"ud/cs_cltt-ud-{part}.conllu.gz" for part in ("train", "dev", "test")],
        "en": [
            "newstest2013/es-en/newstest2013.es-en.rbmt-1.gz",
            "newstest2013/fr-en/newstest2013.fr-en.rbmt-1.gz",
            "newstest2013/es-en/newstest2013.es-en.cu-zeman.2734.gz",
            "indian/bn-en/training.bn-en.en.gz",
        ],
    }
    found = []
    for lang, paths in sources.items():
        opens = {"„": True, "“": lang == "en", "”": False}
        for line in (line for path in paths for line in read(path)):
            marks = [opens.get(char) for char in line]
            # A few lines are wrong themselves; the others tell what is right.
            told = [mark for mark in marks if mark is not None]
            if told and told == [True, False] * (len(told) // 2):
                found.append((lang, line, marks))
    return found


@pytest.mark.realdata
@pytest.mark.parametrize(("before", "behind"), [("", ""), (" ", " ")], ids=["as-written", "blanks-around"])
@pytest.mark.parametrize("mark", ['"', "'"], ids=["double", "single"])
def test_directions_are_restored_on_real_text(data_folder: Path, mark: str, before: str, behind: str) -> None:
    lines = directed_lines(data_folder)
    degraded = []
    for lang, line, marks in lines:
        plain = (c.translate(str.maketrans("‘’", "''")) for c in line)
        pieces = (c if opens is None else before + mark + behind for c, opens in zip(plain, marks, strict=True))
        degraded.append((lang, "".join(pieces)))
    right = total = 0
    for (lang, line), (_, _, marks) in zip(degraded, lines, strict=True):
        told = [opens for opens in marks if opens is not None]
        restored = [c == "“" for c in quoted(line, lang) if c in "“”"]
        total += len(told)
        right += sum(a == b for a, b in zip(told, restored, strict=True)) if len(told) == len(restored) else 0
    assert total > 5000
    assert right / total >= 0.98


@pytest.mark.realdata
@pytest.mark.parametrize("lang", ["cs", "de", "en", "es", "fr"])
def test_no_apostrophe_becomes_a_quote_on_real_text(data_folder: Path, lang: str) -> None:
    with gzip.open(data_folder / f"newstest2013/references/newstest2013.{lang}.gz", "rt", encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if "''" not in line]
    n_apostrophes = 0
    for line, got in zip(lines, normalise_quotes(lines, lang), strict=True):
        for match in re.finditer(r"(?<=\w)'(?=\w)|(?<=\bboys)'(?= )", line):
            n_apostrophes += 1
            assert got[match.start()] == "’", line
    assert n_apostrophes > {"en": 400, "fr": 3500}.get(lang, 5)


@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_threads_change_nothing(n_threads: int) -> None:
    lines = ["".join(PIECES[i:] + PIECES[:i]) for i in range(len(PIECES))]
    assert normalise_quotes(lines, "en", n_threads=n_threads) == [quoted(line) for line in lines]


@pytest.mark.parametrize("piece", ["'", '"', "' ", "a'", '" ', "“x”"])
def test_a_line_of_many_marks_takes_its_time_and_no_more(piece: str) -> None:
    start = time.process_time()
    quoted(piece * (200_000 // len(piece)))
    assert time.process_time() - start < 5


def test_bad_input_is_named() -> None:
    assert normalise_quotes([], "en") == []
    with pytest.raises(DataError, match=r"There is no quote style 'curly'\. Known: directed, ascii\."):
        normalise_quotes(["a"], "en", style="curly")  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"Line 1 holds a lone surrogate"):
        quoted("\ud83d")
    with pytest.raises(UnknownName, match=r"'e' is no language tag"):
        quoted("a", "e")
