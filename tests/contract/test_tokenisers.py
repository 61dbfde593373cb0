"""Every tokeniser of the registry keeps the contract of tokenisers."""

from __future__ import annotations

import io

import pytest

from dragoman.testing.tokenisers import LINES, TOKENISER
from dragoman.text import TOKENISERS, Tokeniser


@pytest.fixture(scope="session")
def subword_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny sentencepiece model, trained here."""
    import sentencepiece

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(line for line in LINES if line.strip()),
        model_writer=model,
        vocab_size=200,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    path = tmp_path_factory.mktemp("spm") / "tiny.model"
    path.write_bytes(model.getvalue())
    return str(path)


@pytest.fixture(params=TOKENISERS.names())
def tokeniser(request: pytest.FixtureRequest) -> Tokeniser:
    """A tokeniser, with the options without which it cannot work."""
    name: str = request.param
    options = {"model": request.getfixturevalue("subword_model")} if name == "spm" else {}
    return TOKENISERS.get(name)(**options)


def test_it_keeps_the_contract(tokeniser: Tokeniser) -> None:
    TOKENISER.check(tokeniser, tokeniser.name)
