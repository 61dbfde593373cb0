"""What is not language goes around every engine, and stands in its place in every translation."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cat.files import FILE_FORMATS
from dragoman.cat.files.inline import unfit
from dragoman.cat.prediction import Predictor
from dragoman.cat.protection import protected
from dragoman.cat.segmentation import SentenceRules, join, segments_of
from dragoman.cat.segments import Code, Target, code_place
from dragoman.cat.suggestions import machine_translations
from dragoman.cat.terms import Glossary
from dragoman.cat.translating import carried, translate_with_codes
from dragoman.cat.unit_completion import completer_of
from dragoman.cat.unit_translations import stream_with_units
from dragoman.cli.main import group
from dragoman.data.bitext import Bitext
from dragoman.engines import Candidate, Completes, Completion, Request, Translates, Translation, load_engine, need
from dragoman.engines.endpoint import ServiceError
from dragoman.engines.roles import PLAIN
from dragoman.samples import phrasebook
from dragoman.smt import EngineRecipe
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.testing.file_formats import HostileEngine
from tests.fuzz.growth import is_quadratic
from tests.web.cat.engines import WordEngine

# Placeholders, addresses and code by a reading of their own, which knows nothing of the product's.
NAIVE = re.compile(
    r"\{\{\w+\}\}|\$t\(\w+\)|%\{\w+\}|(?<!\{)\{\w+\}|%\(\w+\)s|%\d\$s|%[sd]|https?://\S+\w|`[^`]+`|\w+@\w+\.org|<[^<>]+>|\n"
)
SENTENCE = "Delete {{count}} files of %s, see https://example.org/a?b=1 and run `make all` for %(name)s."
FILES = {
    "csv": f'source,target\n"{SENTENCE}",\nOther,\n'.encode(),
    "tsv": f"source\ttarget\n{SENTENCE}\t\nOther\t\n".encode(),
    "html": f"<p>{SENTENCE}<br>Good <b>{{name}}</b> <code>x = 1</code> morning.</p><p>Other</p>".encode(),
    "json": b'{"a": "Delete {{count}} files of %s", "b": "$t(key) <b>now</b>\\nand {then}", "c": "a\\n\\nb"}',
    "markdown": f"{SENTENCE} A [link](https://example.org) and **bold** `code`.\n\nOther\n".encode(),
    "po": (
        b'#, c-format\nmsgid "Delete %d files\\nof %s\\n"\nmsgstr ""\n\n'
        b'msgid "See https://example.org/x.\\nRun `x`.\\n"\n'
        b'msgstr ""\n'
    ),
    "properties": b"a = Delete {0} files\\nof {name}\nb = Good %s morning\n",
    "srt": (
        b"1\n00:00:01,000 --> 00:00:02,000\nI would like\na room.\n\n"
        b"2\n00:00:03,000 --> 00:00:04,000\n- Bye.\n- <i>Bye</i>.\n"
    ),
    "text": f"{SENTENCE}\nWrite to ada@example.org.\n".encode(),
    "vtt": b"WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>I would\nlike it\n\n00:03.000 --> 00:04.000\n- Bye.\n- Bye.\n",
    "xliff": (
        b'<xliff version="1.2"><file source-language="en" target-language="de" datatype="x" original="a"><body>'
        b'<trans-unit id="1"><source>Delete <x id="1"/> files of <g id="2">{{name}}</g>, %s.</source></trans-unit>'
        b'<trans-unit id="2"><source>Other</source></trans-unit></body></file></xliff>'
    ),
    "yaml": b'a: "Delete %{count} files"\nb: |\n  Good morning.\n\n  - One\n  - {{two}} rooms\nc: x\n',
}


@pytest.fixture(scope="module")
def models(made_once: Callable[[str, Callable[[Path], object]], Path]) -> Callable[[str], Translates]:
    book = phrasebook()

    def make(folder: Path) -> None:
        bitext = Bitext.from_lines(book["en"][:540], book["de"][:540], source_lang="en", target_lang="de")
        for name, wishes in (("phrase", []), ("hiero", ["grammar.kind=hiero", "classes.number=0"])):
            train_engine(bitext, changed(EngineRecipe(), wishes), work=folder / f"{name}-work", output=folder / name)

    folder = made_once("units-engines", make)
    return lambda name: need(load_engine(str(folder / name)), Translates)


def counted(text: str) -> Counter[str]:
    return Counter(NAIVE.findall(text))


@pytest.mark.parametrize("form", FILES)
@pytest.mark.parametrize("engine", ["phrase", "hiero", *sorted(HostileEngine.ways.keys() - {"is silent"})])
def test_units_of_files_are_in_their_translations(engine: str, form: str, models: Callable[[str], Translates]) -> None:
    """Engine × format: each placeholder, address, code and line break of a file is in its translation once."""
    made, content = FILE_FORMATS.make(form), FILES[form]
    units = made.units(content)
    assert units
    translator = models(engine) if engine in ("phrase", "hiero") else HostileEngine(engine)
    targets = {}
    for unit in units:
        segments = segments_of(unit, SentenceRules("en"))
        texts = translate_with_codes(translator, [(each.source, unit.codes) for each in segments])
        for each, text in zip(segments, texts, strict=True):
            assert not unfit(each.source, text, unit.codes)
            assert Counter(filter(code_place_of, each.source)) == Counter(filter(code_place_of, text))
            if engine != "repeats" or not each.source.isalpha():
                assert counted(each.source) == counted(text), (each.source, text)
        targets[unit.key] = Target(join(unit, segments, texts))
    done = made.units(made.fill(content, targets, langs=("en", "de")))
    assert len(done) == len(units)


def code_place_of(char: str) -> bool:
    return code_place(char) is not None


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("{{count}} dogs", "{{count}} DOGS"),
        ("Delete %d files", "DELETE %d FILES"),
        ("the `rm -rf` command", "THE `rm -rf` COMMAND"),
        ("file%s", "FILE%s"),
        ("See (https://x.org/a_(b)) now.", "SEE (https://x.org/a_(b)) NOW."),
        ("See https://x.org/{id}, ok", "SEE https://x.org/{id}, OK"),
        ("100%ige safety at 5 % der", "100%IGE SAFETY AT 5 % DER"),
        ("a &amp; b", "A &amp; B"),
        ("<0>now</0> <b>then</b> %1$s", "<0>NOW</0> <b>THEN</b> %1$s"),
        ("One.\n\n  - two\n  - three\n", "ONE.\n\n  - TWO\n  - THREE\n"),
        ("a sentence that\nruns on", "A SENTENCE THAT\nRUNS ON"),
        ("- Hi.\r\n- Bye.", "- HI.\r\n- BYE."),
        ("a\tb", "A\tB"),
        ("{n, plural, =0 {none} one {# dog of {name}} other {# dogs}} left",
         "{n, plural, =0 {NONE} one {# DOG OF {name}} other {# DOGS}} LEFT"),
        ("{g, select, a {x {n, plural, one {#} other {# y}}} other {z}}",
         "{g, select, a {X {n, plural, one {#} other {# Y}}} other {Z}}"),
        ("We see <0>{n, plural, one {a dog} other {dogs}}</0>.",
         "WE SEE <0>{n, plural, one {A DOG} other {DOGS}}</0>."),
        ("{n, plural, broken {x}", "{N, PLURAL, BROKEN {x}"),
        ("{{count}} / {total}", "{{count}} / {total}"),
        ("xq1 and {x}", "XQ1 AND {x}"),
        ("try <https://a.org/b> or <ada@b.org>.", "TRY <https://a.org/b> OR <ada@b.org>."),
        ("see example.org/docs and ssh://x.org/y", "SEE example.org/docs AND ssh://x.org/y"),
        ("mail müller@bücher.de", "MAIL müller@bücher.de"),
        ("%#@files@ in %2$#@folders@", "%#@files@ IN %2$#@folders@"),
        ("%s%s at %d%% or 100%% of %%name%%", "%s%s AT %d%% OR 100%% OF %%name%%"),
        ("raw {{{html}}} here", "RAW {{{html}}} HERE"),
        ("run ```js x``` <!-- note --> <?php echo ?> now", "RUN ```js x``` <!-- note --> <?php echo ?> NOW"),
        ("<a title='a > b' href=\"c\">here</a>", "<a title='a > b' href=\"c\">HERE</a>"),
        ("a &CounterClockwiseContourIntegral; b", "A &CounterClockwiseContourIntegral; B"),
        ("hi $name, @count dogs, :total cats and \\(place)!", "HI $name, @count DOGS, :total CATS AND \\(place)!"),
        ("$5, US$ 5, note: this, 10:30, a@b and :D", "$5, US$ 5, NOTE: THIS, 10:30, A@B AND :D"),
        ("one.\\nTwo \\r\\n three in C:\\new", "ONE.\\nTWO \\r\\n THREE IN C:\\new"),
        ("%<count>d dogs, %<price>.2f", "%<count>d DOGS, %<price>.2f"),
        ("open app://x/y or jdbc:ab://b/c", "OPEN app://x/y OR jdbc:ab://b/c"),
        ("at localhost:80/x, 10.0.0.1:80 or a.org:8080/y", "AT localhost:80/x, 10.0.0.1:80 OR a.org:8080/y"),
        ("in /etc/a/b.yaml, ~/x or src/a.py; he/she or 1/2", "IN /etc/a/b.yaml, ~/x OR src/a.py; HE/SHE OR 1/2"),
        ("in C:\\Users\\x.txt or \\\\server\\share.", "IN C:\\Users\\x.txt OR \\\\server\\share."),
        ("call foo_bar() or getValue, __init__, MAX_SIZE", "CALL foo_bar() OR getValue, __init__, MAX_SIZE"),
        ("an iPhone, New_York, a _word_", "AN IPHONE, NEW_YORK, A _WORD_"),
        ("in config.json, a_b.tar.gz or Node.js at bbc.co.uk.", "IN config.json, a_b.tar.gz OR Node.js AT bbc.co.uk."),
        ("opened for %name at %date, 100 %ige, 50%ige", "OPENED FOR %name AT %date, 100 %IGE, 50%IGE"),
        ("<b>now</> <1>src/App.js</1> <i>/etc/hosts</i> </>", "<b>NOW</> <1>src/App.js</1> <i>/etc/hosts</i> </>"),
        ("[b]now[/b] [url=x]then[/url] [later]", "[b]NOW[/b] [url=x]THEN[/url] [LATER]"),
        ("hi :smile: #tag @{x}, 10:30:15 and #1", "HI :smile: #tag @{x}, 10:30:15 AND #1"),
        ("{{ a | b:{c: d} }} dogs", "{{ a | b:{c: d} }} DOGS"),
        ("one.\\ntwo, in dir\\new", "ONE.\\nTWO, IN DIR\\NEW"),
        ("``but,'' he said, ``no'' and ``x y``", "``BUT,'' HE SAID, ``NO'' AND ``x y``"),
        ("one.\rTwo.\u2028three\x85four", "ONE.\rTWO.\u2028THREE\x85FOUR"),
        ("<p>one</p><P class='x'>two</P><table><td>a</td><td>b</td></table>",
         "<p>ONE</p><P class='x'>TWO</P><table><td>A</td><td>B</td></table>"),
        ("E&xit, &File and AT&T; a & b, a&amp;b", "E&xit, &FILE AND AT&T; A & B, A&amp;B"),
        ("\x1b[31mred\x1b[0m \\u001b[1mbold\\033[0m \\x1b[2Jx", "\x1b[31mRED\x1b[0m \\u001b[1mBOLD\\033[0m \\x1b[2JX"),
        ("\\section{A \\emph{red} dog} \\cite[p. 5]{dog} \\LaTeX at 5\\% of $x^2 = y$, $5 or $6",
         "\\section{A \\emph{RED} DOG} \\cite[p. 5]{dog} \\LaTeX AT 5\\% OF $x^2 = y$, $5 OR $6"),
        ("\\begin{itemize} \\item one \\end{itemize} `\\emph{x} **y**`",
         "\\begin{itemize} \\item ONE \\end{itemize} `\\emph{x} **y**`"),
        ("a **red [dog](x.html \"y\")** 2**3 ** x", 'A **RED [DOG](x.html "y")** 2**3 ** X'),
        ("**a [b** c](d) \\emph{open", "**A [B** C](D) \\EMPH{OPEN"),
        ("&lt;b&gt;now&lt;/b&gt; &lt;a href='x'&gt;here&lt;/a&gt; 1 &lt; 2",
         "&lt;b&gt;NOW&lt;/b&gt; &lt;a href='x'&gt;HERE&lt;/a&gt; 1 &lt; 2"),
    ],
)  # fmt: skip
def test_units_stay_and_words_change(source: str, target: str) -> None:
    assert translate_with_codes(HostileEngine("shouts"), [(source, ())]) == [target]


def test_addresses_end_where_words_touch_them() -> None:
    """Japanese has no space before or after an address, which is not to take the words around it along."""
    found = protected("詳細はhttps://a.org/x。連絡先はada@b.orgまで、www.c.org（d）", ()).codes
    assert [each.text for each in found] == ["https://a.org/x", "ada@b.org", "www.c.org"]


def test_codes_of_the_file_have_spaces_as_in_the_source() -> None:
    codes = (Code("{{count}}"), Code("<b>", "open", "1"), Code("</b>", "close", "1"), Code("<br/>"))
    cases = {
        "\ue000 dogs": "\ue000 SGOD",
        "dogs of \ue000.": "SGOD FO \ue000.",
        "a \ue000 b": "A \ue000 B",
        "one.\ue003two": "ENO.\ue003OWT",
        "the \ue001{x} dog\ue002 \ue000": "EHT \ue001{x} GOD\ue002 \ue000",
    }

    class Garbler(HostileEngine):
        """Turns the letters of each word, and what it does not know with them."""

        def __init__(self) -> None:
            self.way = lambda words: [re.sub(r"[^\W_]+", lambda word: word[0][::-1].upper(), each) for each in words]

    texts = translate_with_codes(Garbler(), [(source, codes) for source in cases])
    assert dict(zip(cases, texts, strict=True)) == cases


def test_sentences_that_tags_alone_keep_apart_are_translated_one_by_one() -> None:
    codes = [
        Code("<pc>", "open", "1"),
        Code("</pc>", "close", "1"),
        Code("<pc>", "open", "2"),
        Code("</pc>", "close", "2"),
    ]
    heard: list[str] = []

    def ask(lines: Sequence[str]) -> list[list[Candidate]]:
        heard.extend(lines)
        return [[Candidate(line.upper())] for line in lines]

    for source, parts in {
        "\ue000It is 1.\ue001\ue002When?\ue003": ["It is 1.", "When?"],
        "a \ue000dog.\ue001Two": ["a dog.", "Two"],
        "\ue000One dog\ue001\ue002Two\ue003": ["One dog", "Two"],
        "the U.\ue000S.\ue001 army": ["the U.S. army"],
        "\ue000Mac\ue001Donald": ["MacDonald"],
        "\ue000be\ue001\ue002gin\ue003": ["begin"],
    }.items():
        heard.clear()
        (said,) = carried([(source, codes)], ask)
        assert heard == parts
        assert said.text == source.upper() or len(parts) == 1


def test_what_an_engine_loses_is_translated_again_and_named_by_its_segment() -> None:
    heard: list[list[str]] = []

    def ask(lines: Sequence[str]) -> list[list[Candidate]]:
        heard.append(list(lines))
        if len(heard) == 3:
            raise ServiceError("deepl", "translate", 0, 0, "it is away")
        return [[Candidate(line.replace("XQ1", "").upper(), confidence=0.5)] for line in lines]

    (first, second) = carried([("no unit", ()), ("run {x} now", ())], ask)
    assert heard == [["no unit", "run XQ1 now"], ["run now"]]
    assert (first.text, first.confidence) == ("NO UNIT", 0.5)
    assert sorted(second.text.split()) == ["NOW", "RUN", "{x}"]
    with pytest.raises(ServiceError, match="segment 2"):
        carried([("{x}", ()), ("a", ())], ask)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Delete {{count}} files of %s: https://x.org/a, `make`.", "{{count}} %s https://x.org/a `make` la"),
        ("{a} {b}{c}, then {d}.", "{a} {b}{c} {d} la"),
    ],
)
def test_units_that_an_engine_loses_are_not_glued_together(source: str, target: str) -> None:
    """A net that says something else altogether links nothing: all units come together at one place."""
    (said,) = carried([(source, ())], lambda lines: [[Candidate("la")] for _ in lines])
    assert said.text == target


def test_marks_between_a_unit_and_a_word_get_no_spaces() -> None:
    sources = ["{x}/house", "one of {y}/{z}", "a /{x} b", "&File", "the \\emph{red} dog"]
    said = carried(
        [(each, ()) for each in sources],
        lambda lines: [[Candidate(re.sub(r" ?([/$&\\{}]) ?", r" \1 ", line).strip())] for line in lines],
    )
    assert [each.text for each in said] == sources


def test_alternatives_have_their_units_too() -> None:
    def ask(lines: Sequence[str]) -> list[list[Candidate]]:
        return [[Candidate(line), Candidate(line.upper()), Candidate("lost")] for line in lines]

    (said,) = carried([("see {x}.\nAnd go", ())], ask, n_best=3)
    assert said.texts == ("see {x}.\nAnd go", "SEE {x}.\nAND GO")
    assert carried([("a", ())], lambda lines: [[] for _ in lines])[0].text == ""


def test_sentences_are_cut_outside_of_units_alone() -> None:
    heard: list[str] = []

    def ask(lines: Sequence[str]) -> list[list[Candidate]]:
        heard.extend(lines)
        return [[Candidate(line.upper())] for line in lines]

    icu = "{n, plural, one {One dog. It barks.} other {# dogs. They bark.}}  Good."
    link = '<a\ntitle="One. Two">'
    cases = {
        icu: "{n, plural, one {ONE DOG. IT BARKS.} other {# DOGS. THEY BARK.}}  GOOD.",
        "Run `a. B c` now. {{x. Y}} is here.": "RUN `a. B c` NOW. {{x. Y}} IS HERE.",
        f"{link}See. This</a>": f"{link}SEE. THIS</a>",
        "First line\nsecond line": "FIRST LINE\nSECOND LINE",
    }
    texts = [each.text for each in carried([(each, ()) for each in cases], ask, sentences=SentenceRules("en"))]
    assert texts == [*cases.values()]
    assert heard[:5] == ["One dog.", "It barks.", "XQ1 dogs.", "They bark.", "Good."]
    assert heard[-2:] == ["First line", "second line"]  # whoever sends lines gets lines


def test_suggestions_of_engines_have_all_units() -> None:
    class Learned(Translates):
        languages = ("en", "de")  # type: ignore[assignment]
        details = frozenset({"confidence"})

        def translations(
            self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1
        ) -> list[Translation]:
            return [Translation(line, (Candidate(line.upper(), confidence=len(line) / 100),)) for line in lines]

    (made,) = machine_translations(Learned(), "e", [("See {x}.\nGo on", ())], Glossary(()), score=85)
    assert made.text == "SEE {x}.\nGO ON"
    assert 0.05 < made.details["confidence"] < 0.09


_PIECES = st.sampled_from(
    ["word ", "Word", " ", "\n", "\n\n", "- ", "{{x}}", "{y}", "%d", "`c`", "https://a.org/b", ".", "<b>", "</b>",
     "{n, plural, one {# a} other {# b}}", "\\emph{", "\\ref{x}", "}", "**", "[a](b)", "&lt;b&gt;", "&",
     "$x^2$", "/", "\t", "(", ")", "{", "}", "\ue000", "\ue001", "\ue002"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=14), st.sampled_from(sorted(HostileEngine.ways)))
def test_nothing_is_lost_whatever_an_engine_does(pieces: list[str], way: str) -> None:
    codes = (Code("<i>", "open", "1"), Code("</i>", "close", "1"), Code("<x/>"))
    source = "".join(pieces).strip()
    passage = protected(source, codes)
    whole = "".join(f"{part.text}{part.wall}" for part in passage.parts)
    assert passage.written(whole) == source  # what is read is all of it, in order
    (text,) = translate_with_codes(HostileEngine(way), [(source, codes)])
    if not text:
        return
    found = passage.codes[passage.n_own :]
    assert Counter(filter(code_place_of, text)) == Counter(filter(code_place_of, source))
    for code in found:
        assert text.count(code.text) >= sum(other.text == code.text for other in found), (source, text)
    assert text.count("\n") == source.count("\n")


@pytest.mark.parametrize(
    "run",
    [
        "{",
        "}",
        "`",
        "%",
        "<",
        "</a",
        "<a ",
        "\n",
        " ",
        "\t",
        "- ",
        "http://",
        "a@",
        "&",
        "$t(",
        "{a,plural,b{",
        "{a,plural,",
        "www.",
        "<www.",
        "<a@",
        "a.b/",
        "%s",
        "%#@a",
        "<a b='c' ",
        "<a b='",
        "<!--",
        "<?",
        "\\emph{",
        "\\emph{a}",
        "\\cite[",
        "\\a",
        "**",
        "**a",
        "**a** ",
        "[a",
        "[a](",
        "[a](b) ",
        "$a",
        "$^",
        "&lt;a ",
        "&lt;",
        "a&",
        "\x1b[",
        "{{{",
        "```",
        "\\n",
        "\\r",
        "\u2028",
        ".",
        "/a",
        "./",
        "a/",
        "a_",
        "_",
        "aB",
        "C:\\",
        "\\\\a\\",
        ":a",
        ":a:",
        "[b=",
        "#a",
        "a.a",
        "a-",
        "a:1",
        "a()",
        "{{{}",
        "{{a{",
        "a://",
        ".a:11",
        "\ue000",
    ],
)
def test_reading_takes_time_as_its_text_is_long(run: str) -> None:
    def repeated(n: int) -> str:
        return (run * (n // len(run) + 1))[:n]

    assert not is_quadratic(lambda text: protected(text, (Code("<x/>"),)), repeated, 16_000)


def test_the_command_carries_units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.engines.load_engine", lambda *_, **__: HostileEngine("loses"))
    (tmp_path / "text").write_text("one two {{n}} `x`\n\nthree four\n", encoding="utf-8")
    command = ["translate", str(tmp_path / "text"), "-m", "x"]
    assert CliRunner().invoke(group, command).output == "one {{n}} `x`\n\nthree\n"
    assert CliRunner().invoke(group, [*command, "--no-units"]).output == "one {{n}}\n\nthree\n"
    told = CliRunner().invoke(group, [*command, "--json"]).output
    assert [row["translation"] for row in json.loads(told)["rows"]] == ["one {{n}} `x`", "", "three"]
    for other in ("--mbr", "--markup", "--tokenised"):
        refused = CliRunner().invoke(group, [*command, "--units", other])
        assert refused.exit_code == 2
        assert "--units" in refused.output


def test_what_is_told_of_words_leaves_units_whole(models: Callable[[str], Translates]) -> None:
    lines = ["{{count}}house, `rm -rf` is good.", "Good morning."]
    request = Request(2, alignment=True, confidence=True, features=True)
    first, second = stream_with_units(models("phrase"), lines, request)
    assert first.text == translate_with_codes(models("phrase"), [(lines[0], ())])[0]
    assert second == models("phrase").translations(lines[1:], request)[0]
    for each in first.candidates:
        sources, targets = (each.source_tokens or "").split(" "), (each.target_tokens or "").split(" ")
        assert each.text.count("{{count}}") == each.text.count("`rm -rf`") == 1
        assert "`rm␣-rf`" in sources
        assert "`rm␣-rf`" in targets
        assert len(each.word_confidence or ()) == len(targets)
        assert len(each.features or ()) == len(models("phrase").feature_names)
        assert all(s < len(sources) and t < len(targets) for s, t in each.alignment or ())


def test_lines_without_units_are_the_engine_s_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An experiment gets what the engine says: nothing is cut, spaced or asked again."""

    class Echo(HostileEngine):
        def __init__(self) -> None:
            self.way = lambda words: words

        def translations(
            self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1
        ) -> list[Translation]:
            return [Translation(line, (Candidate(f"<{line}>"),)) for line in lines]

    monkeypatch.setattr("dragoman.engines.load_engine", lambda *_, **__: Echo())
    (tmp_path / "text").write_text("  a  b\t.\n see {x} \n10 % of 1 / 2\n", encoding="utf-8")
    said = CliRunner().invoke(group, ["translate", str(tmp_path / "text"), "-m", "x"]).output
    assert said.split("\n")[2] == "<10 % of 1 / 2>"
    assert "{x}" in said.split("\n")[1]


def test_completions_have_units_as_they_are(models: Callable[[str], Translates]) -> None:
    words = completer_of(WordEngine(), "Der Hund {{x}} schläft https://a.org/b")
    said = words.complete("The dog ")[0]
    assert said.text == "{{x}} sleeps https://a.org/b."
    assert said.tokens == ("{{x}}", "sleeps", "https://a.org/b", ".")
    assert words.complete("The dog {{")[0].text == "x}} sleeps https://a.org/b."
    assert words.complete("The dog {{x}} sleeps http")[0].text == "s://a.org/b."
    assert words.complete("The dog {{x}} ", " https://a.org/b.")[0].text == "sleeps"
    assert type(completer_of(WordEngine(), "Der Hund")).__name__ == "_Completer"
    phrase = completer_of(need(models("phrase"), Completes), "I would like _1_ rooms and `x_1`.")
    assert "`x_1`" in phrase.complete("")[0].text
    assert phrase.complete("Zimmer `x")[0].text.startswith("_1`")


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Der Hund schläft.\nDer Hund {{x}} schläft.", "The dog sleeps.\nThe dog {{x}} sleeps."),
        ("Der Hund\nschläft", "The dog\nsleeps."),
        ("- Der Hund\n- {{x}}\n- schläft", "- The dog.\n- {{x}}\n- sleeps."),
        ("Der Hund<br>schläft %s", "The dog<br>sleeps %s."),
        ("a{{b}}c Hund", "a{{b}}c dog."),
        ("<b>Hund</b> schläft", "<b>dog</b> sleeps."),
        ("{{x}}", "{{x}}"),
    ],
)
def test_completions_go_over_line_breaks_and_tags_from_every_letter(source: str, target: str) -> None:
    completer = completer_of(WordEngine(), source)
    for place in range(len(target) + 1):
        said = completer.complete(target[:place], confidence=True)[0]
        assert target[:place] + said.text == target
        assert len(said.word_confidence or ()) == len(said.tokens or ())


def test_the_word_between_others_is_completed_in_its_line() -> None:
    completer = completer_of(WordEngine(), "Der Hund schläft.\nDer Hund {{x}} schläft.")
    assert completer.complete("The ", " sleeps.\nThe dog {{x}} sleeps.")[0].text == "dog"
    assert completer.complete("The dog sleeps.\nThe dog ", " sleeps.")[0].text == "{{x}}"


def test_what_a_net_makes_of_the_words_for_units_is_not_offered() -> None:
    class Mangler(WordEngine):
        def completer(self, source: str) -> Any:
            assert "XQ1" in source
            tokens = ("the", "XQ17", "dog", "XQXQ2", "xq1", "sleeps", "XQ")
            said = Completion("the XQ 17 dog XQXQ2 xq1 sleeps XQ", tokens)
            told = replace(said, word_confidence=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7))
            return SimpleNamespace(complete=lambda *_, **__: [told])

    (said,) = completer_of(Mangler(), "Der Hund {{x}}").complete("")
    assert said.text == "the dog {{x}} sleeps "
    assert said.tokens == ("the", "dog", "{{x}}", "sleeps")
    assert said.word_confidence == (0.1, 0.3, 0.5, 0.6)
    (line,) = carried([("see {x} now", ())], lambda lines: [[Candidate(f"{each} XQ")] for each in lines])
    assert line.text == "see {x} now XQ"  # from the second time, without such words


@pytest.mark.parametrize("typed", ["Guten Morgen!\nWo ist der %", "Guten Morgen!\nWo ist der "])
def test_words_behind_a_unit_that_was_begun_have_their_confidence(
    models: Callable[[str], Translates], typed: str
) -> None:
    completer = completer_of(need(models("phrase"), Completes), "Good morning!\nWhere is the %d station?")
    for said in Predictor(completer).predict(typed, n=2, confidence=True):
        words = [said.text[begin:end] for begin, end, _ in said.words]
        assert words[0] in ("d", "%d", "Bahnhof", "?")
        assert all(sure is not None for *_, sure in said.words), said.words
        assert "Bahnhof" in words


def test_units_that_lose_the_comma_between_them_are_not_glued(models: Callable[[str], Translates]) -> None:
    completer = completer_of(need(models("phrase"), Completes), "See {{n}} houses at https://x.org/a, `rm -rf`, ({y}).")
    (said,) = completer.complete("")
    for unit in ("{{n}}", "https://x.org/a", "`rm -rf`"):
        before, behind = said.text.split(unit)
        assert not before or before[-1] in " (", said.text
        assert behind[:1] in " ,).", said.text
    assert "({y}" in said.text
