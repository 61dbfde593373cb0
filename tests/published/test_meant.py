"""MEANT against HMEANT on the annotations of WMT 2013, and by the decisions that Lo, Tumuluru & Wu (WMT 2012) print."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest

from dragoman.data.frame_tables import read_frames
from dragoman.data.frames import FrameAnnotation, FrameStudy
from dragoman.files import read_lines
from dragoman.human import sentence_hmeant
from dragoman.human.frames.scores import sentence_bleu
from dragoman.metrics import make_metric
from dragoman.metrics.contexts import ContextVectors, dice, exact
from dragoman.metrics.meant import FramedSentence, FrameMatcher
from dragoman.stats.correlation import kendall
from dragoman.syntax import ParserRecipe
from dragoman.text import TOKENISERS
from dragoman.text.conllu import read_conllu

pytestmark = pytest.mark.realdata

TEXTS = {
    "en": ["news-commentary-sample/nc-5k.en.gz", "newstest2013/references/newstest2013.en.gz", "lm-fixture/text.en.gz"],
    "de": ["newstest2013/references/newstest2013.de.gz", "multi30k/train.de.gz"],
}


@pytest.fixture(scope="module")
def study(data_folder: Path) -> FrameStudy:
    return read_frames(data_folder / "hmeant-wmt13")


def outputs(study: FrameStudy, lang: str) -> tuple[list[FrameAnnotation], list[float]]:
    annotations = [each for each in study.annotations if each.lang == lang]
    return annotations, [sentence_hmeant(each, definition="lo12").score for each in annotations]


def tau(study: FrameStudy, lang: str, matcher: FrameMatcher) -> float:
    annotations, human = outputs(study, lang)
    scores = [
        matcher.score(
            FramedSentence(study.texts[lang, each.segment, each.system], each.hyp),
            FramedSentence(study.texts[lang, each.segment, None], each.ref),
        )
        for each in annotations
    ]
    return kendall(human, scores)


def contexts(data: Path, lang: str) -> Callable[[str, str], float]:
    lines = list(chain.from_iterable(read_lines(data / name) for name in TEXTS[lang]))
    token_lines = [line.split() for line in TOKENISERS.make("13a").tokenise(lines)]
    return ContextVectors(token_lines, window=3, measure="minmax-mi")


@pytest.mark.parametrize(("lang", "n", "equal", "letters"), [("en", 429, 0.274, 0.361), ("de", 837, 0.412, 0.489)])
def test_words_by_equality_and_letters_agree_with_people_as_the_prototype(
    study: FrameStudy, lang: str, n: int, equal: float, letters: float
) -> None:
    assert len(outputs(study, lang)[0]) == n
    assert tau(study, lang, FrameMatcher(exact, "all")) == pytest.approx(equal, abs=0.003)
    assert tau(study, lang, FrameMatcher(dice)) == pytest.approx(letters, abs=0.003)


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "de"])
def test_contexts_agree_with_people_better_than_equal_words(study: FrameStudy, data_folder: Path, lang: str) -> None:
    assert tau(study, lang, FrameMatcher(contexts(data_folder, lang), "all")) > tau(
        study, lang, FrameMatcher(exact, "all")
    )


@pytest.mark.slow
def test_frames_by_rules_beat_bleu_in_german(study: FrameStudy, data_folder: Path, tmp_path: Path) -> None:
    names = ("de_gsd-ud-dev", "de_pud-ud-test")
    trees = chain.from_iterable(read_conllu(data_folder / "ud" / f"{name}.conllu.gz") for name in names)
    quick = ParserRecipe(runs=1, epochs=3, tag_epochs=3, folds=2, xpos=False)
    quick.train(trees, n_threads=2).save(tmp_path / "parser")
    annotations, human = outputs(study, "de")
    hyps = [" ".join(study.texts["de", each.segment, each.system]) for each in annotations]
    refs = [" ".join(study.texts["de", each.segment, None]) for each in annotations]
    metric = make_metric(f"meant:tokeniser=none,frames=parser+model={tmp_path / 'parser'}")
    assert kendall(human, metric.segments(hyps, [refs])) > kendall(human, sentence_bleu(hyps, refs)) + 0.03
