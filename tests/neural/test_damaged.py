"""Neural engines changed under fitting checksums: each translates, or is refused before CTranslate2 reads it."""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path

import pytest

from dragoman.artifact import MANIFEST
from dragoman.errors import ModelError
from dragoman.neural import NeuralEngine, NeuralTraining
from tests.fuzz.mutator import Trial, mutant, rounds
from tests.fuzz.sealing import reseal
from tests.fuzz.structure import restructured


def use(folder: Path) -> None:
    engine = NeuralEngine.load(folder)
    engine.translate(["A man is sleeping.", "zebra"])
    engine.explain("A man", "A man")


@pytest.mark.filterwarnings("ignore")  # numbers of another size overflow
@pytest.mark.parametrize("n", [4, pytest.param(200, marks=pytest.mark.slow)])
def test_damaged_engines_are_used_or_refused(training: NeuralTraining, tmp_path: Path, n: int) -> None:
    whole, trial = Path(str(training.model)), Trial()
    for file in sorted(path for path in whole.rglob("*") if path.is_file()):
        name = file.relative_to(whole)
        for round_ in rounds(n):
            folder = tmp_path / "damaged"
            shutil.copytree(whole, folder)
            change = restructured if round_ % 2 else mutant
            (folder / name).write_bytes(change(file.read_bytes(), f"engine/{name}", round_))
            if name.name != MANIFEST:
                reseal(folder)
            trial.attempt(f"{name}, round {round_}", lambda folder=folder: use(folder))  # type: ignore[misc]
            shutil.rmtree(folder)
    assert trial.n_read
    assert trial.n_refused
    trial.check()


def test_more_layers_than_can_be_listed_are_refused(training: NeuralTraining, tmp_path: Path) -> None:
    folder = shutil.copytree(str(training.model), tmp_path / "deep")
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["recipe"]["decoder_layers"] = 2**32
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="fewer arrays than its recipe has layers"):
        NeuralEngine.load(folder)


def changed(whole: Path, folder: Path, name: str, content: bytes) -> Path:
    shutil.copytree(whole, folder)
    (folder / name).write_bytes(content)
    reseal(folder)
    return folder


def test_a_decoder_of_another_net_is_refused_with_what_differs(training: NeuralTraining, tmp_path: Path) -> None:
    whole = Path(str(training.model))
    model = (whole / "decoder" / "model.bin").read_bytes()
    heads = model.index(b"decoder/num_heads\0") + len(b"decoder/num_heads\0") + 6  # behind rank, type and size
    settings = json.loads((whole / "decoder" / "config.json").read_text())
    cases = {
        "decoder/model.bin": [
            (model[:heads] + struct.pack("<h", 3) + model[heads + 2 :], "decoder/num_heads is not 4"),
            (model[: len(model) // 2], "model.bin is cut off"),
            (model + b"x", "goes on behind its end"),
            (b"", "model.bin is cut off"),
        ],
        "decoder/config.json": [
            (json.dumps({**settings, "add_source_eos": 1}).encode(), "config.json sets 'add_source_eos'"),
            (b"{}", "config.json sets 'add_source_bos'"),
            (b"[]", "config.json holds no settings"),
        ],
        "decoder/shared_vocabulary.json": [(b'["<unk>"]', "shared_vocabulary.json has other pieces")],
        "pieces/model.spm": [(b"", "This is no model of sentencepiece's"), (b"x" * 50, "no model of sentencepiece's")],
    }
    for name, contents in cases.items():
        for number, (content, told) in enumerate(contents):
            folder = changed(whole, tmp_path / f"{Path(name).name}-{number}", name, content)
            with pytest.raises(ModelError, match=told):
                NeuralEngine.load(folder)


def test_a_decoder_that_ctranslate2_refuses_is_named(training: NeuralTraining, tmp_path: Path) -> None:
    whole = Path(str(training.model))
    model = (whole / "decoder" / "model.bin").read_bytes()
    newer, other = struct.pack("<I", 200) + model[4:], model.replace(b"TransformerSpec", b"TransformezSpec")
    for number, (content, told) in enumerate([(newer, "Unsupported model"), (other, "Unknown model TransformezSpec")]):
        engine = NeuralEngine.load(changed(whole, tmp_path / str(number), "decoder/model.bin", content))
        with pytest.raises(ModelError, match=f"CTranslate2 cannot open the decoder: {told}"):
            engine.translate(["A man"])
