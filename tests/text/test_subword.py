"""The subword tokeniser against sacreBLEU's, and its error messages."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM

from dragoman.errors import ModelError, NotAvailable
from dragoman.text.subword import SubwordTokeniser

TEXT = ["the cat sat on the mat", "a dog and a cat ran", "the rat ate the malt in the house", "cats and dogs sat"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    content = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT), model_writer=content, vocab_size=40, hard_vocab_limit=False, minloglevel=2
    )
    path = tmp_path_factory.mktemp("spm") / "cats.model"
    path.write_bytes(content.getvalue())
    return path


@given(st.lists(st.one_of(st.text(), st.text(alphabet="the catdogsmn\t\n▁.")), max_size=5))
def test_pieces_are_those_of_sacrebleu(model: Path, lines: list[str]) -> None:
    peer = TokenizerSPM.__new__(TokenizerSPM)  # its constructor downloads a model
    peer.sp = sentencepiece.SentencePieceProcessor(model_file=str(model))
    assert SubwordTokeniser(model).tokenise(lines) == [peer(line) for line in lines]


def test_the_signature_says_which_model(model: Path) -> None:
    assert SubwordTokeniser().signature() == "spm"
    signature = SubwordTokeniser(str(model)).signature()
    assert signature.startswith("spm+model=cats.model@")
    assert len(signature.split("@")[1]) == 8


def test_a_model_written_anew_is_read_anew(model: Path, tmp_path: Path) -> None:
    changing = tmp_path / "changing.model"
    changing.write_bytes(model.read_bytes())
    before = SubwordTokeniser(changing).tokenise(["the cat"])
    content = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["xyz zyx"] * 9),
        model_writer=content,
        vocab_size=9,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    changing.write_bytes(content.getvalue())
    assert SubwordTokeniser(changing).tokenise(["the cat"]) != before


def test_without_a_model_the_option_is_named() -> None:
    with pytest.raises(NotAvailable, match=r"needs a sentencepiece model: name its file in the option 'model'\."):
        SubwordTokeniser().tokenise(["a"])


def test_a_missing_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"There is no sentencepiece model .*none\.model\."):
        SubwordTokeniser(tmp_path / "none.model").tokenise(["a"])


@pytest.mark.parametrize("content", [b"", b"<unk>\t0\n<s>\t0\n", b"\0" * 100])
def test_what_is_no_model_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "wrong.model"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"wrong\.model is not a sentencepiece model\. Name the \.model file"):
        SubwordTokeniser(path).tokenise(["a"])


def test_the_missing_package_is_named_with_its_extra(
    model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "other.model"
    other.write_bytes(model.read_bytes())
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    with pytest.raises(NotAvailable, match=r'needs the package sentencepiece\. .* pip install "dragoman\[spm\]"'):
        SubwordTokeniser(other).tokenise(["a"])
