"""Models of the `transformers` library: a tiny Marian with chance weights keeps the contract of engines."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any, cast

import pytest

from dragoman.engines import Request, capabilities, load_engine
from dragoman.errors import DataError, ModelError, NotAvailable
from dragoman.neural.pretrained import TransformersEngine
from dragoman.testing import check_engine
from dragoman.text.subword_training import SubwordRecipe
from tests.neural.conftest import sentences

HERE = all(importlib.util.find_spec(name) for name in ("torch", "transformers", "sentencepiece"))
needs_transformers = pytest.mark.skipif(not HERE, reason="torch and transformers are not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch
    from transformers import MarianConfig, MarianMTModel

    folder: Path = tmp_path_factory.mktemp("marian")
    pieces = SubwordRecipe(vocab_size=120).train(sentences())
    pieces.save(folder / "pieces")
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes((folder / "pieces" / "model.spm").read_bytes())
    own = ["</s>", "<unk>", *(piece for piece in pieces.pieces if piece not in ("<unk>", "<s>", "</s>")), "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({piece: place for place, piece in enumerate(own)}))
    settings = {"source_lang": "en", "target_lang": "en", "tokenizer_class": "MarianTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    torch.manual_seed(1)
    torch.set_num_threads(1)
    config = MarianConfig(
        vocab_size=len(own), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=32, decoder_ffn_dim=32, max_position_embeddings=256,
        pad_token_id=len(own) - 1, eos_token_id=0, decoder_start_token_id=len(own) - 1, forced_eos_token_id=None,
        init_std=0.5,
    )  # fmt: skip
    net = MarianMTModel(config)
    net.final_logits_bias[0, 0] = 2.0  # it comes to an end
    net.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def engine(folder: Path) -> TransformersEngine:
    return cast("TransformersEngine", load_engine(f"transformers:{folder},source=en,target=en"))


@pytest.mark.slow  # at every letter typed it goes on in several ways
@needs_transformers
@pytest.mark.filterwarnings("default")  # the library's own
def test_it_keeps_the_contract_of_engines(engine: TransformersEngine) -> None:
    assert capabilities(engine) == ("translates", "completes", "explains")
    check_engine(engine, ["Thank you.", ""])


@needs_transformers
@pytest.mark.filterwarnings("default")
def test_scores_are_those_of_the_library(engine: TransformersEngine, folder: Path) -> None:
    import torch

    line = sentences()[0]
    tokeniser, net = engine._loaded
    [translation] = engine.translations([line], Request(3))
    best = translation.candidates[0]
    source = tokeniser(line, return_tensors="pt")
    target = tokeniser(text_target=best.text, return_tensors="pt")["input_ids"]
    assert engine.cut([line])[0] == tokeniser.convert_ids_to_tokens(source["input_ids"][0])[:-1]
    [pieces] = engine.cut_targets([best.text])
    with torch.no_grad():
        loss = float(net(**source, labels=target).loss)  # the mean of the pieces and the end
    logs = engine.log_probabilities(engine.cut([line])[0], pieces)
    assert sum(logs) / len(logs) == pytest.approx(-loss, abs=1e-4)


@needs_transformers
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ("", DataError, "needs folder and source and target"),
        ("nowhere,source=de,target=en", ModelError, r"nowhere is no folder of a model: it has no config\.json"),
        ("broken,source=de,target=en", ModelError, "transformers cannot open broken"),
        ("whole,source=de,target=en,target_code=xx_Latn", DataError, "knows no language 'xx_Latn'"),
    ],
)
def test_what_is_wrong_with_a_folder_is_named(
    options: str, error: type[Exception], message: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "whole").symlink_to(folder.absolute())
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=message):
        load_engine(f"transformers:{options}")


def test_without_the_library_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    modules: dict[str, Any] = {"transformers": None}
    monkeypatch.setitem(__import__("sys").modules, "transformers", modules["transformers"])
    with pytest.raises(NotAvailable, match=r'pip install "dragoman\[transformers\]"'):
        load_engine("transformers:nowhere,source=de,target=en")
