"""Text that an engine makes up, with where it comes from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.engines.results import Candidate, Request, Translation
from dragoman.engines.roles import PLAIN, Translates
from dragoman.errors import DataError
from dragoman.mining.synthetic import Synthesis


class Shouting(Translates):
    """English into louder English, the longer the surer; nothing for a line of dots."""

    def __init__(self, scores: bool = True) -> None:
        self.scores = scores

    @property
    def languages(self) -> tuple[str, str]:
        return "en", "de"

    def translations(
        self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1
    ) -> Sequence[Translation]:
        texts = ["" if line == "..." else line.upper() for line in lines]
        return [
            Translation(
                line, (Candidate(text, score=float(-len(lines) if "bad" in line else -1.0) if self.scores else None),)
            )
            for line, text in zip(lines, texts, strict=True)
        ]


def test_backwards_the_source_is_made_up() -> None:
    text = Synthesis().make(Shouting(), ["a b", "", "...", "c"], model="shouting")
    assert list(text.bitext) == [("A B", "a b"), ("C", "c")]
    assert (text.bitext.source_lang, text.bitext.target_lang) == ("de", "en")
    assert text.meta()["synthetic"] == "source"
    assert text.meta()["fingerprint"] == text.bitext.fingerprint()


def test_forwards_the_target_is() -> None:
    text = Synthesis(synthetic="target").make(Shouting(), ["a b"])
    assert list(text.bitext) == [("a b", "A B")]
    assert text.languages == ("en", "de")


def test_the_best_a_word_are_kept_in_their_order() -> None:
    lines = ["bad one", "fine", "very fine", "bad two"]
    assert [tgt for _, tgt in Synthesis(share=0.5).make(Shouting(), lines).bitext] == ["fine", "very fine"]
    with pytest.raises(DataError, match=r"does not score its translations.*Keep all"):
        Synthesis(share=0.5).make(Shouting(scores=False), lines)


def test_a_text_without_words_is_refused() -> None:
    with pytest.raises(DataError, match="no words"):
        Synthesis().make(Shouting(), ["", " "])


def test_the_command_writes_the_bitext_and_its_provenance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.engines.base.load_engine", lambda spec: Shouting())
    (tmp_path / "news.en").write_text("a b\nc\n", encoding="utf-8")
    words = [
        "corpus",
        "backtranslate",
        str(tmp_path / "news.en"),
        "-m",
        "any",
        "--to",
        str(tmp_path / "made"),
        "--json",
    ]
    told = json.loads(CliRunner(catch_exceptions=False).invoke(group, words).output)
    assert told["meta"]["pairs"] == 2
    assert (tmp_path / "made.de").read_text() == "A B\nC\n"
    provenance = json.loads((tmp_path / "made.provenance.json").read_text())
    assert provenance["engine"] == "any"
    assert provenance["synthetic"] == "source"
