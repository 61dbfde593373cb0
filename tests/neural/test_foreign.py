"""A folder of CTranslate2's behind the roles: what it says is what the engine says that it was taken from."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from dragoman.engines import Completes, Learns, Request, Searches, Translates, capabilities, load_engine, need
from dragoman.errors import DataError, ModelError
from dragoman.neural import NeuralTraining
from dragoman.neural.foreign import CTranslate2Engine
from dragoman.testing import check_engine
from tests.neural.conftest import sentences


@pytest.fixture(scope="module")
def spec(training: NeuralTraining) -> str:
    folder = Path(str(training.model))
    (folder / "decoder" / "model.spm").write_bytes((folder / "pieces" / "model.spm").read_bytes())
    return f"ctranslate2:{folder / 'decoder'},source=en,target=en,beam={training.engine.beam},compute=int8"


@pytest.fixture(scope="module")
def engine(spec: str) -> CTranslate2Engine:
    return cast("CTranslate2Engine", load_engine(spec))


def test_it_says_what_the_engine_says_that_it_was_taken_from(
    training: NeuralTraining, engine: CTranslate2Engine
) -> None:
    lines = [*sentences()[:20], ""]
    asked = Request(3, alignment=True, confidence=True)
    assert engine.translations(lines, asked) == training.engine.translations(lines, asked)
    for line in lines[:3]:
        assert engine.explain(line) == training.engine.explain(line)
        assert engine.completer(line).complete("The ", n=3) == training.engine.completer(line).complete("The ", n=3)


def test_it_keeps_the_contract_of_engines(engine: CTranslate2Engine) -> None:
    assert capabilities(engine) == ("translates", "completes", "explains")
    check_engine(engine, [*sentences()[:3], "", "Zürich — 北京 📷 xyzzy"])


def test_a_role_that_it_lacks_is_named(engine: CTranslate2Engine) -> None:
    message = r"engine ctranslate2 lacks the role 'learns'; it has: translates, completes, explains. .* phrase"
    with pytest.raises(DataError, match=message):
        need(engine, Learns)
    with pytest.raises(DataError, match="lacks the role 'searches'"):
        need(engine, Searches)
    assert need(engine, Completes) is engine


def test_marks_are_given_to_the_net_and_seen_by_nobody(spec: str, training: NeuralTraining) -> None:
    [[mark, *_]] = training.engine.cut(["The reception"])
    marked = cast("CTranslate2Engine", load_engine(f"{spec},before={mark},behind={mark},begin={mark}"))
    line = "reception is open all night."
    [translation] = marked.translations([line], Request(alignment=True, confidence=True))
    pieces = training.engine.cut([line])[0]
    [[direct]] = training.engine.search([[mark, *pieces, mark]], [[mark]])
    assert training.engine.text(direct.pieces[1:]) == translation.text
    best = translation.candidates[0]
    n_words = len(translation.text.split())
    assert len(best.word_confidence or ()) == n_words
    assert all(s < len(line.split()) and t < n_words for s, t in best.alignment or ())
    check_engine(marked, sentences()[:2])


def test_without_sentencepiece_words_are_pieces(training: NeuralTraining, tmp_path: Path) -> None:
    for path in (Path(str(training.model)) / "decoder").iterdir():
        if path.suffix != ".spm":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    engine = cast("Translates", load_engine(f"ctranslate2:{tmp_path},source=en,target=en"))
    [line] = training.engine.cut(["The reception is open all night."])
    [translation] = engine.translations([" ".join(line)], Request(alignment=True))
    assert (translation.candidates[0].target_tokens or "").split() == translation.text.split()
    own = training.engine.search([line])[0][0].pieces
    assert translation.text == " ".join(own)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ("", DataError, "needs folder and source and target"),
        ("nowhere,source=de,target=en", ModelError, r"nowhere is no folder of CTranslate2's: it has no model\.bin"),
        ("broken,source=de,target=en", ModelError, "CTranslate2 cannot open broken"),
        ("whole,source=de,target=en,spm=none.spm", ModelError, "There is no SentencePiece model none.spm"),
        ("whole,source=de,target=en,spm=broken/model.bin", ModelError, "broken/model.bin is no SentencePiece model"),
        ("whole,source=de,target=en,device=tpu", DataError, "'cpu', 'cuda', 'auto'"),
        ("whole,source=de,target=en,compute=int3", ModelError, "CTranslate2 cannot open whole"),
    ],
)
def test_what_is_wrong_with_a_folder_is_named(
    options: str,
    error: type[Exception],
    message: str,
    training: NeuralTraining,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "whole").symlink_to(Path(str(training.model)).absolute() / "decoder")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "model.bin").write_bytes(b"no model")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=message):
        load_engine(f"ctranslate2:{options}")
