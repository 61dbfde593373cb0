"""Which language a line is in, guessed from its bytes (py3langid, extra `lid`)."""

from __future__ import annotations

from dragoman.errors import DataError, NotAvailable
from dragoman.text.languages import base_language

__all__ = ["LanguageGuesser", "alike", "language_guesser_available"]

# Languages that the model, and often a reader, cannot tell apart in one sentence.
_ALIKE = [{"hr", "bs", "sr"}, {"id", "ms"}, {"nb", "nn", "no", "da"}, {"cs", "sk"}, {"hi", "mr", "ne"}, {"gl", "pt"}]


def language_guesser_available() -> bool:
    """Whether the package is there."""
    from importlib.util import find_spec

    return find_spec("py3langid") is not None


class LanguageGuesser:
    """The model of py3langid, with probabilities."""

    def __init__(self) -> None:
        if not language_guesser_available():
            raise NotAvailable.package("Telling languages apart", package="py3langid", extra="lid")
        from py3langid.langid import MODEL_FILE, LanguageIdentifier

        self._model = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
        self._known = set(self._model.labels)

    def check_knows(self, lang: str) -> None:
        """Raise if the model has never seen the language."""
        if not self.knows(lang):
            raise DataError(f"The language model of py3langid does not know {lang!r}; leave the language filter out.")

    def knows(self, lang: str) -> bool:
        """Whether the model can tell this language."""
        return base_language(lang) in self._known

    def guess(self, line: str) -> tuple[str, float]:
        """The likeliest language and its probability."""
        lang, probability = self._model.classify(line)
        return str(lang), float(probability)

    def is_other(self, line: str, lang: str, *, sure: float) -> bool:
        """Whether the line is, with probability `sure` or more, in a language that nobody takes for `lang`."""
        guess, probability = self.guess(line)
        return probability >= sure and not alike(guess, lang)


def alike(guess: str, lang: str) -> bool:
    """Whether a guess is the language, or one that is easily taken for it."""
    expected = base_language(lang)
    return guess == expected or any({guess, expected} <= group for group in _ALIKE)
