"""Rules in parts: the bytes of the whole, however the text is cut."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.align import align
from dragoman.cli.smt_grammar import grammar
from dragoman.errors import DataError
from dragoman.parts import Account, InProcess, Order, Workshop
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.grammar import GrammarExtraction, GrammarKind, class_labels, extract_grammar
from dragoman.smt.grammar import rule_parts as room
from dragoman.smt.grammar.extraction import RULE_FEATURES
from dragoman.smt.grammar.parses import ParsedText
from dragoman.smt.pairs import encode
from dragoman.text.trees import parse_tree
from dragoman.text.vocabulary import Vocabulary
from tests.examples import examples
from tests.smt.test_extraction import Sentence, aligned, sentence_pairs

Text = tuple[AlignedText, Vocabulary, Vocabulary]


@pytest.fixture(scope="module")
def text(book: dict[str, list[str]]) -> Text:
    srcs, tgts = ([line.lower() for line in book[lang][:90]] for lang in ("en", "de"))
    found = align(srcs, tgts, method="ibm1:rounds=2")
    source, target = Vocabulary(unk="<unk>"), Vocabulary(unk="<unk>")
    ids = encode(source, srcs), encode(target, tgts)
    return AlignedText(*ids, found.links, found.offsets), source, target


def both(text: Text, folder: Path, part: int, kind: GrammarKind | None = None, **how: Any) -> tuple[Any, Any]:
    """What is reported of the whole and of parts, whose tables are the same."""
    kind = kind or GrammarKind()
    whole = extract_grammar(*text, folder / "whole", kind=kind, **how)
    shop = Workshop(folder / f"shop{part}")
    parts = extract_grammar(*text, folder / "parts", kind=kind, shop=shop, part=part, **how)
    assert (folder / "parts").read_bytes() == (folder / "whole").read_bytes()
    assert whole.n_written > 0
    return whole, parts


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"smoothing": "good-turing", "features": ("rarity", "swap", "boundary", "unaligned-target"), "counts": "whole"},
        {"smoothing": "kneser-ney", "significance": "keep-once", "least_count": 2, "tight": "none"},
        {"shallow": 1, "translations_per_source": 3, "gaps": 1, "symbols": 4},
        {"gaps": 4, "symbols": 9, "adjacent_gaps": True, "aligned_word": False, "longest": 5},
    ],
    ids=str,
)
def test_parts_give_the_table_of_the_whole(text: Text, tmp_path: Path, options: dict[str, Any]) -> None:
    whole, parts = both(text, tmp_path, 37, rules=GrammarExtraction(**options))
    assert vars(parts) == {**vars(whole), "path": str(tmp_path / "parts")}


def test_small_ranges_labels_and_a_test_text(text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_GROUP", 20_000)
    aligned_text, source, target = text
    classes = {word: "AB"[len(word) % 2] for word in target}
    labels = {"target_labels": class_labels(aligned_text.target, target, classes, longest=10)}
    test = encode(source.freeze(), ["i would like a coffee", "where is the station"])
    both(text, tmp_path, 37, labels=labels, test=test)
    assert len(list((tmp_path / "shop37").glob("merge-range-*"))) > 5
    assert len(list((tmp_path / "shop37").glob("add-up-shards-*"))) > 5
    both(text, tmp_path, 1, labels=labels, test=test)


def test_trees(text: Text, tmp_path: Path) -> None:
    """Right-branching trees over the target, as good as any here; every third line has none."""
    aligned_text, _, target = text
    words = list(target)
    lines = []
    for number, ids in enumerate(aligned_text.target):
        spelt = [words[each].strip("()") or "x" for each in ids]
        shape = "".join(f"(X{place % 3} (W {word}) " for place, word in enumerate(spelt))
        lines.append(parse_tree(shape + ")" * len(spelt)) if number % 3 else None)
    whole, parts = both(text, tmp_path, 37, GrammarKind(kind="ghkm"), parses={"target": ParsedText(tuple(lines))})
    assert vars(parts) == {**vars(whole), "path": str(tmp_path / "parts")}


@examples(15)
@given(st.lists(sentence_pairs(), min_size=1, max_size=5), st.integers(1, 3))
def test_any_text(tmp_path_factory: pytest.TempPathFactory, sentences: list[Sentence], part: int) -> None:
    folder = tmp_path_factory.mktemp("rules")
    how = {"kind": GrammarKind(), "rules": GrammarExtraction(symbols=9)}  # longer than a key has room for
    extract_grammar(*aligned(sentences), folder / "whole", **how)
    extract_grammar(*aligned(sentences), folder / "parts", **how, shop=Workshop(folder / "shop"), part=part)
    assert (folder / "parts").read_bytes() == (folder / "whole").read_bytes()


class Stopped(InProcess):
    """A pool that stops before orders of a name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def run(self, orders: Sequence[Order]) -> list[Account]:
        accounts = []
        for order in orders:
            if order.name == self.name:
                raise KeyboardInterrupt
            accounts += super().run([order])
        return accounts


def test_an_extraction_that_was_stopped_goes_on(text: Text, tmp_path: Path) -> None:
    how = {"kind": GrammarKind(), "part": 40}
    with pytest.raises(KeyboardInterrupt):
        extract_grammar(*text, tmp_path / "rules", shop=Workshop(tmp_path / "shop", Stopped("merge-range")), **how)
    shop = Workshop(tmp_path / "shop")
    extract_grammar(*text, tmp_path / "rules", shop=shop, **how)
    assert shop.n_done == 5  # merged, links and counts added up, targets, scores; not the three parts


def test_weights_are_refused(text: Text, tmp_path: Path) -> None:
    weighted = AlignedText(
        text[0].source, text[0].target, text[0].links, text[0].link_offsets, np.ones(len(text[0].source), np.float32)
    )
    with pytest.raises(DataError, match="weighted sentence pairs are not extracted in parts"):
        extract_grammar(weighted, *text[1:], tmp_path / "rules", kind=GrammarKind(), shop=Workshop(tmp_path / "shop"))


def test_scores_that_ask_for_the_whole_text_are_refused(text: Text, tmp_path: Path) -> None:
    for name in sorted(set(RULE_FEATURES) - room._OF_RULES - {"tree"}):
        how = {"kind": GrammarKind(), "rules": GrammarExtraction(features=(name,)), "shop": Workshop(tmp_path / "shop")}
        with pytest.raises(DataError, match=f"The score {name} of rules asks for the whole text"):
            extract_grammar(*text, tmp_path / "rules", **how)


def test_the_command_takes_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in {
        "de": "der hund bellt\nder hund",
        "en": "the dog barks\nthe dog",
        "links": "0-0 1-1 2-2\n0-0 1-1",
    }.items():
        Path(name).write_text(f"{lines}\n", encoding="utf-8")
    tables = []
    for more in ([], ["--workers", "2", "--part", "1"]):
        command = ["extract", "de", "en", "links", "-m", "rules", "--json", *more]
        result = CliRunner(catch_exceptions=False).invoke(grammar, command)
        tables.append((json.loads(result.stdout)["rows"], Path("rules").read_bytes()))
    assert tables[0] == tables[1]
    assert not Path("dragoman.work").exists()
