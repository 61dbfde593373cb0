"""What post-edited translations teach: how such outputs read, which words are kept, which phrases cost editing."""

from __future__ import annotations

from typing import Any

from dragoman.errors import DataError
from dragoman.lm import KneserNey
from dragoman.qe.resources.confidence import ConfidenceRecipe, WordConfidence
from dragoman.qe.resources.declared import Group, Resource, language_model
from dragoman.qe.resources.indicators import IndicatorRecipe, PhraseIndicators
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.material import Material
from dragoman.qe.resources.word_bayes import WordBayes, WordBayesRecipe

__all__ = ["POST_EDITED", "POST_EDITS", "WORD_BAYES"]

POST_EDITED = "--post-edited"


def _post_edits(text: Material) -> dict[str, Any]:
    if not len(text.scores):
        return {}
    outputs = text.judged[1]
    return {
        "output_lm": KneserNey(order=3).train(outputs, n_threads=text.n_threads),
        "confidence": ConfidenceRecipe().train(outputs, text.tags),
        "indicators": IndicatorRecipe().fit(text.phrases, text.scores),
    }


def _word_bayes(text: Material) -> dict[str, Any]:
    if not len(text.tags):
        raise DataError("word-bayes is learnt from post-edited translations, .src .mt and .pe; there are none.")
    lexicon = LexicalTable.of_lexicon(text.built["ibm1"].lexicon("forward"))
    return {"word_bayes": WordBayesRecipe().train(*text.judged, text.tags, lexicon)}


POST_EDITS = Group(
    "post-edits",
    (
        language_model("output_lm", "language model of translations like those to judge", POST_EDITED),
        Resource("confidence", "how often words and phrases were kept", WordConfidence, options=(POST_EDITED,)),
        Resource("indicators", "phrases that go with much editing", PhraseIndicators, options=(POST_EDITED,)),
    ),
    _post_edits,
)
WORD_BAYES = Group(
    "word-bayes",
    (Resource("word_bayes", "p(right) of words, by naive Bayes", WordBayes, options=(POST_EDITED,)),),
    _word_bayes,
    extra=True,
)
