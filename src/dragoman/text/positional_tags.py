"""Positional tags of Czech (Prague's fifteen characters) made simpler, as two-step translation takes them.

Bojar, Jawaid & Kamran (WMT 2012): MOT1 leaves out what English does not show, MOT2 keeps what agrees; LOF1 is the
lemma, or the form where the lemma says too little.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dragoman.errors import DataError

__all__ = ["TAG_FORMS", "lemma_or_form", "mot1", "mot2"]

_LENGTH = 15
_POS, _SUBPOS, _GENDER, _NUMBER, _CASE, _TENSE, _GRADE, _NEGATION, _VOICE = 0, 1, 2, 3, 4, 8, 9, 10, 11
_INFLECTED = "NPAV"  # have gender and number
_CASED = "NPAR"
_OWN_FORM = ("být", "mít")


def mot1(tag: str) -> str:
    """Kind, number, negation and grade: four characters, `NPA-` of `NNMP1-----A---1`."""
    _check(tag)
    return tag[_SUBPOS] + tag[_NUMBER] + tag[_NEGATION] + tag[_GRADE]


def mot2(tag: str) -> str:
    """Part of speech, gender, number, case, tense or grade, voice or negation: `NMP1-A` of `NNMP1-----A---1`."""
    _check(tag)
    pos = tag[_POS]
    if pos not in _INFLECTED + _CASED:
        return f"{pos}-{tag[_NUMBER]}-{tag[_GRADE]}{tag[_NEGATION]}"
    agreeing = tag[_GENDER] + tag[_NUMBER] if pos in _INFLECTED else "--"
    case = tag[_CASE] if pos in _CASED else "-"
    time = tag[_TENSE] if pos == "V" else tag[_GRADE] if pos == "A" else "-"
    last = tag[_VOICE] if pos == "V" else tag[_NEGATION] if pos in "NA" else "-"
    return pos + agreeing + case + time + last


def lemma_or_form(form: str, lemma: str, tag: str) -> str:
    """LOF1: the lemma; of punctuation, pronouns and the verbs *být* and *mít* the form."""
    _check(tag)
    return form if tag[_POS] in "ZP" or (tag[_POS] == "V" and lemma in _OWN_FORM) else lemma


def _check(tag: str) -> None:
    if len(tag) != _LENGTH:
        raise DataError(f"A positional tag has {_LENGTH} characters, as NNMP1-----A---1; got {tag!r}.")


def _whole(tag: str) -> str:
    return tag


TAG_FORMS: Mapping[str, Callable[[str], str]] = {"whole": _whole, "mot1": mot1, "mot2": mot2}
