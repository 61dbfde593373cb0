"""What every engine promises by its roles: plain functions that take an engine and some lines, and assert."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.engines import Completes, Explains, Learns, Request, Searches, Translates


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


def check_completes(engine: Completes, lines: Sequence[str]) -> None:
    """Whatever was typed stays; what is added agrees with the engine where the engine agrees with it."""
    assert isinstance(engine, Translates)
    for line, best in zip(lines, engine.translate(lines), strict=True):
        completer = engine.completer(line)
        assert completer.source == line
        assert completer.complete("")[0].text == best
        for cut in range(len(best)):
            first = completer.complete(best[:cut])[0]
            assert first.edits in (0, None)  # the engine itself would have said this beginning
            assert not first.text.startswith(" ") or not best[:cut].endswith(" ")
        for prefix, suffix in (("", "zzz"), ("zzz", ""), ("zz z", "z zz"), (" ", " "), ('"', ")")):
            found = completer.complete(prefix, suffix, n=3, confidence=True)
            assert 1 <= len(found) <= 3
            assert len({each.text for each in found}) == len(found)
            for each in found:
                if each.word_confidence is not None:
                    assert len(each.word_confidence) == len(each.tokens or ())
                    assert all(0 <= value <= 1 + 1e-6 for value in each.word_confidence)


def check_learns(engine: Learns, source: str, target: str) -> None:
    """A pair is used at once; a rollback leaves no trace of it."""
    assert isinstance(engine, Translates)
    before, n_pairs = engine.translate([source]), engine.n_pairs
    assert engine.learn(source, target) == engine.n_pairs == n_pairs + 1
    taught = engine.translations([source])
    assert [each.text for each in taught] != before
    assert engine.learn([source, source], [target, target]) == n_pairs + 3
    assert engine.translations([source]) != taught
    assert engine.rollback(n_pairs + 1) == 2
    assert engine.translations([source]) == taught
    assert engine.rollback(n_pairs) == 1
    assert engine.n_pairs == n_pairs
    assert engine.translate([source]) == before
    assert engine.rollback(n_pairs) == 0


def check_explains(engine: Explains, lines: Sequence[str]) -> None:
    """Parts stand in the order of the target, make up all of it, and add up to the score."""
    assert isinstance(engine, Translates)
    lines = [line for line in lines if line]
    for line, own in zip(lines, engine.translations(lines), strict=True):
        for target in (None, own.text, f"{own.text} zzz"):
            told = engine.explain(line, target)
            assert told is not None
            assert abs(sum(part.score for part in told.parts) - told.score) < 1e-3
            places = [place for part in told.parts for place in range(*part.target)]
            assert places == list(range(len(told.target_tokens)))
            assert all(0 <= a <= b <= len(told.source_tokens) for a, b in (part.source for part in told.parts))
            if target is None:
                score = own.candidates[0].score
                assert score is None or abs(told.score - score) < 1e-3
                assert told.target_tokens == tuple((own.candidates[0].target_tokens or "").split())
        assert told is not None
        assert told.artificial >= 1  # the word that nobody says
