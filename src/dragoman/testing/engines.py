"""What every engine promises by its roles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.engines import (
    ROLES,
    Completes,
    Explains,
    Learns,
    Request,
    Role,
    Searches,
    Translates,
    capabilities,
    check_details,
    load_engine,
    need,
)
from dragoman.errors import DataError
from dragoman.testing.contract import Contract, raises

__all__ = ["ENGINE", "EngineCase", "check_engine"]


@dataclass(frozen=True)
class EngineCase:
    """An engine, lines that it translates, and a pair that is news to it."""

    engine: Role
    lines: Sequence[str]
    pair: tuple[str, str] = ("zorgblatt", "Zorgelblatt")


ENGINE: Contract[EngineCase] = Contract("engine")


def check_engine(engine: Role | str, lines: Sequence[str], pair: tuple[str, str] = EngineCase.pair) -> None:
    """Check what an engine promises by each of the roles that it has; it may be given as `-m` takes it."""
    engine = load_engine(engine) if isinstance(engine, str) else engine
    ENGINE.check(EngineCase(engine, lines, pair), type(engine).__name__)


@ENGINE.rule
def it_translates(case: EngineCase) -> None:
    assert isinstance(case.engine, Translates), "every engine has the role Translates"
    check_translates(case.engine, case.lines)


# Each with what must be in the translation as often, byte for byte.
_UNITS = (
    ("{{count}} houses", ("{{count}}",)),
    ("Where is %d?", ("%d",)),
    ("See https://example.org/a?b=1&c={x}, %(name)s!", ("https://example.org/a?b=1&c={x}", "%(name)s")),
    ("Open `rm -rf` for ${user} and {0}.", ("`rm -rf`", "${user}", "{0}")),
    ("Write to ada@example.org.\n\n- One house\n- Two houses", ("ada@example.org", "\n\n- ", "\n- ")),
    ("I would like\na house with\na view.", ("\n",) * 2),
    ("{n, plural, one {# house} other {# houses}}", ("{n, plural, one {", "} other {", "}}", "#", "#")),
    ("<b>Good</b> morning&nbsp;$t(you) %1$s", ("<b>", "</b>", "&nbsp;", "$t(you)", "%1$s")),
)


@ENGINE.rule
def what_is_not_language_goes_through_it_as_units(case: EngineCase) -> None:
    from dragoman.cat.translating import translate_with_codes

    assert isinstance(case.engine, Translates)
    texts = translate_with_codes(case.engine, [(source, ()) for source, _ in _UNITS])
    for (source, units), text in zip(_UNITS, texts, strict=True):
        for unit in units:
            wanted, found = units.count(unit), text.count(unit)
            if "\n" not in unit:
                assert found >= wanted, f"{unit!r} of {source!r} is lost in {text!r}"
            assert found <= source.count(unit), f"{unit!r} of {source!r} stands too often in {text!r}"
        assert text.count("\n") == source.count("\n"), f"line breaks of {source!r} are lost in {text!r}"


@ENGINE.rule
def a_role_that_it_lacks_is_named(case: EngineCase) -> None:
    roles = capabilities(case.engine)
    for name, role in ROLES.items():
        if name in roles:
            assert need(case.engine, role) is case.engine
            continue
        reason = case.engine.lacks(role) if isinstance(case.engine, role) else None
        with raises(DataError, match=re.escape(reason or f"lacks the role {name!r}; it has: {', '.join(roles)}.")):
            need(case.engine, role)


@ENGINE.rule
def a_detail_that_it_does_not_tell_is_named(case: EngineCase) -> None:
    assert isinstance(case.engine, Translates)
    asked = {
        "n-best": Request(2),
        "alignment": Request(alignment=True),
        "confidence": Request(confidence=True),
        "features": Request(features=True),
        "glossary": Request(glossary=(("a", "b"),)),
    }
    assert case.engine.details <= asked.keys()
    for name in asked.keys() - case.engine.details:
        with raises(DataError, match=f"does not tell {name}"):
            check_details(case.engine, asked[name])


@ENGINE.rule
def who_searches_leaves_a_trace(case: EngineCase) -> None:
    if "searches" in capabilities(case.engine):
        check_searches(need(case.engine, Searches), case.lines)


@ENGINE.rule
def who_completes_keeps_what_was_typed(case: EngineCase) -> None:
    if "completes" in capabilities(case.engine):
        check_completes(need(case.engine, Completes), case.lines)


@ENGINE.rule
def who_learns_uses_a_pair_at_once_and_forgets_it_when_told(case: EngineCase) -> None:
    if "learns" in capabilities(case.engine):
        check_learns(need(case.engine, Learns), *case.pair)


@ENGINE.rule
def who_explains_gives_parts_that_add_up(case: EngineCase) -> None:
    if "explains" in capabilities(case.engine):
        check_explains(need(case.engine, Explains), case.lines)


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
            completions = completer.complete(prefix, suffix, n=3, confidence=True)
            assert 1 <= len(completions) <= 3
            assert len({each.text for each in completions}) == len(completions)
            for each in completions:
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
            explanation = engine.explain(line, target)
            assert explanation is not None
            assert abs(sum(part.score for part in explanation.parts) - explanation.score) < 1e-3
            places = [place for part in explanation.parts for place in range(*part.target)]
            assert places == list(range(len(explanation.target_tokens)))
            assert all(
                0 <= a <= b <= len(explanation.source_tokens) for a, b in (part.source for part in explanation.parts)
            )
            if target is None:
                score = own.candidates[0].score
                assert score is None or abs(explanation.score - score) < 1e-3
                assert explanation.target_tokens == tuple((own.candidates[0].target_tokens or "").split())
        assert explanation is not None
        assert explanation.artificial >= 1  # the word that nobody says
