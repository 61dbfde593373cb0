from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import DataError, NotAvailable
from dragoman.syntax import Parser
from dragoman.text.annotate import ANNOTATORS

LINE = ["the", "old", "dog", "sees", "a", "cat", "."]


def test_layers_come_from_the_parser(toy_parser: Parser, tmp_path: Path) -> None:
    toy_parser.save(tmp_path / "parser")
    for give, expected in {
        "pos": ["DET", "ADJ", "NOUN", "VERB", "DET", "NOUN", "PUNCT"],
        "xpos": ["det", "adj", "noun", "verb", "det", "noun", "punct"],
        "deprel": ["det", "amod", "nsubj", "root", "det", "obj", "punct"],
    }.items():
        annotator = ANNOTATORS.make(f"parser:model={tmp_path / 'parser'},give={give}")
        assert annotator.annotate([LINE, []]) == [expected, []]
    feats = ANNOTATORS.make(f"parser:{tmp_path / 'parser'},give=feats").annotate([LINE])
    assert feats[0][0] == "Definite=Def"


def test_the_model_is_asked_for() -> None:
    with pytest.raises(DataError, match=r"The annotator parser needs a model folder: parser:model=FOLDER\."):
        ANNOTATORS.make("parser")
    with pytest.raises(
        NotAvailable, match=r"needs the parser nowhere\. Install it with: dragoman syntax parser train TREEBANK"
    ):
        ANNOTATORS.make("parser:model=nowhere").annotate([LINE])
