"""Layers: asked for by name, made once for each sentence, kept where it pays, and what is missing named first."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from dragoman.cache import ContentFolder
from dragoman.errors import DataError, NotAvailable, UnknownName
from dragoman.options import option
from dragoman.text import ANNOTATORS, layers
from dragoman.text.annotate import Annotator
from dragoman.text.layers import (
    annotate_once,
    asked_layers,
    keep_layers,
    layer_annotators,
    make_annotator,
    read_layers,
    with_layers,
)

calls: list[tuple[str, ...]] = []


@dataclass(frozen=True)
class Counted(Annotator[Any]):
    """Says which sentences it works on; its values depend on the sentence."""

    name: ClassVar[str] = "counted"
    layers: ClassVar[tuple[str, ...]] = ("pos", "dependencies")

    lang: str = option("en", positional=True, text="")
    give: str = option("pos", text="")
    model: str = option("one", text="")

    def fingerprint(self) -> str | None:
        return f"{self.signature()} {self.model}"

    def _annotate(self, token_lines: Sequence[Sequence[str]]) -> list[list[Any]]:
        calls.extend(map(tuple, token_lines))
        if self.give == "dependencies":
            return [[(place - 1, token) for place, token in enumerate(line)] for line in token_lines]
        return [[f"{token}/{len(line)}" for token in line] for line in token_lines]


@dataclass(frozen=True)
class Asker:
    """Wants tags of the output, and perhaps of the source."""

    name: ClassVar[str] = "asker"

    tags: str = option("pos", layers=("pos",), text="")
    source_tags: str = option("", layers=("source.pos",), text="")
    base: str = option("prefix", layers=("lemma", "stem"), text="")


@pytest.fixture(autouse=True)
def _counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    calls.clear()
    make_annotator.cache_clear()
    entries = ANNOTATORS._entries() | {"counted": f"{__name__}:Counted"}
    monkeypatch.setattr(ANNOTATORS, "_all", entries)
    yield
    make_annotator.cache_clear()


A, B = ("a", "b"), ("c",)


def test_a_sentence_is_worked_on_once_whoever_asks() -> None:
    first = make_annotator("counted:lang=en", ("pos",))
    assert annotate_once(first, [A, B, A]) == [["a/2", "b/2"], ["c/1"], ["a/2", "b/2"]]
    assert calls == [A, B]
    again = make_annotator("counted:lang=en", ("pos",))
    assert annotate_once(again, [["c"], ["d"], []]) == [["c/1"], ["d/1"], []]
    assert calls == [A, B, ("d",), ()]
    annotate_once(make_annotator("counted+lang=en", ("dependencies",)), [B])
    assert calls[4:] == [B]  # another layer is other work


def test_an_answer_that_is_changed_changes_no_other() -> None:
    tagger = make_annotator("counted:lang=en", ("pos",))
    annotate_once(tagger, [A])[0].clear()
    assert annotate_once(tagger, [A]) == [["a/2", "b/2"]]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "_MOST_TOKENS", 3)
    tagger = make_annotator("counted:lang=en", ("pos",))
    for _ in range(2):
        assert annotate_once(tagger, [A]) == [["a/2", "b/2"]]
        assert annotate_once(tagger, [("d", "e")]) == [["d/2", "e/2"]]
    assert calls == [A, ("d", "e")] * 2


def test_values_that_do_not_fit_name_the_line_of_the_text() -> None:
    class Short(Counted):
        def _annotate(self, token_lines: Sequence[Sequence[str]]) -> list[list[str]]:
            return [["x"] for _ in token_lines]

    tagger = Short()
    annotate_once(tagger, [B])
    with pytest.raises(DataError, match="Line 3 has 2 tokens, but counted gave 1 values"):
        annotate_once(tagger, [B, B, A])
    with pytest.raises(DataError, match="Line 1 is a str"):
        annotate_once(tagger, ["one string"])  # type: ignore[list-item]


def test_a_file_is_of_one_text(tmp_path: Path) -> None:
    rows = "1\ta\ta\tNOUN\t_\t_\t0\troot\t_\t_\n\n1\ta\ta\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "text.conllu").write_text(rows, encoding="utf-8")
    tagger = make_annotator(f"conllu:{tmp_path / 'text.conllu'}", ("pos",))
    for _ in range(2):  # the same words, the second time with another tag
        assert annotate_once(tagger, [["a"], ["a"]]) == [["NOUN"], ["VERB"]]
    with pytest.raises(DataError, match="the file goes on with sentence 2, but the text has 1 lines"):
        annotate_once(tagger, [["a"]])


def test_dependencies_of_a_file_are_of_tokens_as_written(tmp_path: Path) -> None:
    rows = [
        "1-2\tau\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tà\tà\tADP\t_\t_\t3\tcase\t_\t_",
        "2\tle\tle\tDET\t_\t_\t3\tdet\t_\t_",
        "3\tlit\tlit\tNOUN\t_\t_\t0\troot\t_\t_",
    ]
    path = tmp_path / "text.conllu"
    path.write_text("\n".join(rows) + "\n\n", encoding="utf-8")
    maker = make_annotator(f"conllu:{path}", ("dependencies",))
    assert annotate_once(maker, [["au", "lit"]]) == [[(1, "case"), (-1, "root")]]
    words = make_annotator(f"conllu:{path},unit=word", ("dependencies",))
    assert annotate_once(words, [["à", "le", "lit"]]) == [[(2, "case"), (2, "det"), (-1, "root")]]
    path.write_text("1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"text.conllu.*1.*'a' has no head"):
        annotate_once(maker, [["a"]])


def test_long_work_is_kept_and_an_interruption_costs_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "_LEAST_SECONDS", 0.0)
    monkeypatch.setattr(layers, "_PART", 2)
    text = [("s", str(number)) for number in range(5)]
    spec = "counted:lang=en,give=dependencies"

    class Stop(Exception):
        pass

    def stopped(self: Counted, token_lines: Sequence[Sequence[str]]) -> list[list[Any]]:
        if ("s", "4") in token_lines:
            raise Stop
        return annotate(self, token_lines)

    annotate = Counted._annotate
    with keep_layers(ContentFolder(tmp_path)):
        with monkeypatch.context() as patch:
            patch.setattr(Counted, "_annotate", stopped)
            with pytest.raises(Stop):
                annotate_once(make_annotator(spec, ("dependencies",)), text)
        assert len(calls) == 4
        make_annotator.cache_clear()  # as a new run
        found = annotate_once(make_annotator(spec, ("dependencies",)), text)
        assert calls[4:] == [text[4]]
        assert found == [[(-1, "s"), (0, str(number))] for number in range(5)]
        for file in tmp_path.glob("??/*"):  # damaged: made again
            file.write_bytes(file.read_bytes()[:-1] + b"!")
        make_annotator.cache_clear()
        assert annotate_once(make_annotator(spec, ("dependencies",)), text) == found
        assert len(calls) == 10
        # A model that was trained anew is another one.
        annotate_once(make_annotator(f"{spec},model=two", ("dependencies",)), text)
        assert len(calls) == 15
    make_annotator.cache_clear()
    annotate_once(make_annotator(spec, ("dependencies",)), text)
    assert len(calls) == 20  # outside, nothing is kept


def test_the_command_line_says_who_makes_a_layer() -> None:
    found = read_layers(["lemma=simplemma:lang=de", "source.pos=counted:fr"])
    assert found == {"lemma": "simplemma+lang=de", "source.pos": "counted+lang=fr"}
    known = read_layers(["stem=snowball", "source.pos=counted"], source_lang="fr", target_lang="de-AT")
    assert known == {"stem": "snowball+lang=de-AT", "source.pos": "counted+lang=fr"}
    assert make_annotator(known["stem"], ("stem",)).annotate([["Häuser"]]) == [["haus"]]


@pytest.mark.parametrize(
    ("specs", "message"),
    [
        (["pos"], r"'pos' names no annotator; write LAYER=ANNOTATOR"),
        (["=hanta"], "names no annotator"),
        (["pos=counted:en", "pos=hanta:en"], "The layer pos is given twice"),
        (["pos=hanta"], "The layer pos=hanta is of which language\\? Say it: pos=hanta:lang=de"),
        (["stem=snowball:lang=de"], "is for de, but the text is in en"),
        (["pos=snowball:lang=en"], "The annotator snowball gives stem, not pos, which conllu, counted, hanta, parser"),
        (["pos=hanta:lang=en,give=lemma"], "The annotator hanta gives lemma, not pos"),
        (["moods=hanta:lang=en"], "not moods, which no annotator can give"),
        (["pos=hanta:lang=en,model=x"], "The annotator 'hanta' has no option 'model'"),
    ],
)
def test_what_cannot_be_is_named(specs: list[str], message: str) -> None:
    lang = "en" if "snowball:lang=de" in specs[0] else None
    with pytest.raises(DataError, match=message):
        read_layers(specs, target_lang=lang)


def test_what_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownName, match=r"No annotator is called 'hantu'\. Did you mean 'hanta'"):
        read_layers(["pos=hantu"])
    monkeypatch.setitem(sys.modules, "HanTa", None)
    monkeypatch.setitem(sys.modules, "simplemma", None)
    with pytest.raises(NotAvailable, match="2 things are missing"):
        read_layers(["pos=hanta:lang=en", "lemma=simplemma:lang=en"])
    with pytest.raises(
        NotAvailable, match=r"the parser nowhere. Install it with: dragoman syntax parser train TREEBANK"
    ):
        read_layers(["pos=parser:nowhere"])


def test_who_asks_gets_the_annotator_into_its_options() -> None:
    assert asked_layers(Asker()) == {"tags": "pos"}
    (found,) = with_layers([Asker()], {"pos": "counted+lang=de", "lemma": "simplemma+lang=de"})
    assert found == Asker(tags="counted+lang=de")  # nobody asked for lemmas
    assert asked_layers(found) == {}
    assert {name: each.signature() for name, each in layer_annotators(found).items()} == {"tags": "counted+lang=de"}
    (found,) = with_layers([Asker(base="lemma", tags="hanta")], {"lemma": "simplemma+lang=de"})
    assert (found.tags, found.base) == ("hanta", "simplemma+lang=de")


def test_all_that_nobody_makes_is_named_with_the_option_that_cures_it() -> None:
    askers = [Asker(), Asker(source_tags="source.pos")]
    with pytest.raises(DataError) as caught:
        with_layers(askers, {})
    assert str(caught.value) == (
        "asker and asker ask for the layer pos, which nobody makes: --layer pos=conllu:… (or counted, hanta, parser, "
        "spacy, stanza, udpipe). asker asks for the layer source.pos, which nobody makes: --layer source.pos=conllu:… "
        "(or counted, hanta, parser, spacy, stanza, udpipe)."
    )
    with pytest.raises(DataError, match="lemma is asked for, which nobody makes: --layer lemma="):
        make_annotator("lemma", ("lemma", "stem"))
