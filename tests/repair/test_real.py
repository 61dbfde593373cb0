"""Czech captions of Multi30k: the bars of automatic correction (references, errors put in)."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.files import read_lines
from dragoman.repair import mend_injected, train_repairer
from dragoman.syntax import ParserRecipe
from dragoman.text.conllu import read_conllu

pytestmark = [pytest.mark.realdata, pytest.mark.slow]


def test_errors_of_agreement_in_czech_captions(data_folder: Path) -> None:
    quick = ParserRecipe(runs=1, epochs=3, tag_epochs=3, folds=2, xpos=False)
    parser = quick.train(read_conllu(data_folder / "ud" / "en_ewt-ud-dev.conllu.gz"), n_threads=2)
    text = {
        (part, lang): read_lines(data_folder / "multi30k" / f"{part}.{lang}.gz")
        for part in ("train", "test_2016_flickr")
        for lang in ("en", "cs")
    }
    repairer = train_repairer(text["train", "en"], text["train", "cs"], parser, n_threads=2)
    result = mend_injected(repairer, text["test_2016_flickr", "cs"], text["test_2016_flickr", "en"])
    assert result.good_changed <= 5
    assert result.mended >= 50
    assert result.precision >= 70
