"""What every engine promises by its roles: plain functions that take an engine and some lines, and assert."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.engines import Request, Searches, Translates


def check_translates(engine: Translates, lines: Sequence[str]) -> None:
    """One translation a line, in order; what is asked for and had is there, and of the right shape."""
    plain = engine.translations(lines)
    assert [each.source for each in plain] == list(lines)
    assert [each.text for each in plain] == engine.translate(lines)
    assert list(engine.translations([])) == []
    assert [len(each.candidates) for each in engine.translations([""])] == [1]
    assert all(isinstance(lang, str) and lang for lang in engine.languages)
    assert list(engine.translations(lines[:1])) == list(plain[:1])  # a line does not depend on its neighbours
    for n_threads in (2, 7):
        assert list(engine.translations(lines, n_threads=n_threads)) == list(plain)
    _check_details(engine, lines)


def _check_details(engine: Translates, lines: Sequence[str]) -> None:
    asked = Request(4, alignment=True, confidence=True, features=True)
    for each, plain in zip(engine.translations(lines, asked), engine.translations(lines), strict=True):
        assert 1 <= len(each.candidates) <= (4 if "n-best" in engine.details else 1)
        assert each.text == plain.text
        scores = [one.score for one in each.candidates if one.score is not None]
        assert scores == sorted(scores, reverse=True)
        for one in each.candidates:
            n_source, n_target = (len((text or "").split()) for text in (one.source_tokens, one.target_tokens))
            assert (one.alignment is not None) == ("alignment" in engine.details)
            assert all(0 <= s < n_source and 0 <= t < n_target for s, t in one.alignment or ())
            assert (one.word_confidence is not None) == ("confidence" in engine.details)
            assert len(one.word_confidence or ()) in (0, n_target)
            assert all(0 <= value <= 1 for value in (*(one.word_confidence or ()), one.confidence or 0))
            assert (one.features is not None) == ("features" in engine.details)
            assert len(one.features or ()) == len(engine.feature_names)
        for one in plain.candidates:
            assert (one.alignment, one.word_confidence, one.confidence, one.features) == (None, None, None, None)


def check_searches(engine: Searches, lines: Sequence[str]) -> None:
    """A trace for each line, whose best is the translation; fewer hypotheses are another engine's business."""
    assert isinstance(engine, Translates)
    traces = list(engine.traces(lines, outputs=engine.translate(lines), n_best=3))
    assert [each.source for each in traces] == list(lines)
    assert engine.restore([each.best for each in traces]) == engine.translate(lines)
    assert all(each.forced is not None for each in traces)
    assert type(engine.with_pop_limit(5)) is type(engine)
