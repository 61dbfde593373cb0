"""What every check of translations promises."""

from __future__ import annotations

from dragoman.cat.checks.base import CHECKS, Check, Finding, Pair
from dragoman.cat.segments import Code
from dragoman.testing.contract import Contract

__all__ = ["CHECK", "check_check"]

CHECK: Contract[Check] = Contract("translation check")

CODES = (Code("<b>", "open", "b"), Code("</b>", "close", "b"), Code("<br/>"))
CLEAN = Pair("The house is \ue000red\ue001.", "Das Haus ist \ue000rot\ue001.", CODES, None, "en", "de")
ODD = [
    "",
    " ",
    "\ue002\ue001\ue000\ue000",
    "the the 3,000.50 €  (%s {0} — 99 %\t\n",
    "The house is red",
    "猫が「いる」。",
    "مرحبا ١٢٣؟",
    "e\u0301\u200b\U0001f600\uf8ff",
    "x" * 300,
]


def check_check(check: Check | str) -> None:
    """Check a check, given as an object or by its name and options."""
    check = CHECKS.make(check) if isinstance(check, str) else check
    CHECK.check(check, check.name)


def _findings(check: Check) -> list[tuple[Pair, Finding]]:
    pairs = [Pair(source, target, CODES, 9, "en", "de") for source in ODD for target in ODD]
    return [(pair, each) for pair, some in zip(pairs, check.find_all(pairs), strict=True) for each in some]


@CHECK.rule
def it_has_the_name_it_is_found_by(check: Check) -> None:
    assert CHECKS.get(check.name) is type(check)


@CHECK.rule
def a_clean_pair_is_clean(check: Check) -> None:
    assert check.find_all([CLEAN]) == [[]]


@CHECK.rule
def a_pair_without_a_target_is_left_alone(check: Check) -> None:
    assert check.find_all([Pair(text, "", CODES) for text in ODD]) == [[] for _ in ODD]


@CHECK.rule
def findings_name_their_check_and_say_a_sentence(check: Check) -> None:
    for _, finding in _findings(check):
        assert finding.check == check.name
        assert finding.severity in {"error", "warning", "note"}
        assert len(finding.message.split()) > 2


@CHECK.rule
def spans_lie_in_their_texts(check: Check) -> None:
    for pair, finding in _findings(check):
        for text, spans in ((pair.source, finding.source), (pair.target, finding.target)):
            assert all(0 <= begin < end <= len(text) for begin, end in spans)


@CHECK.rule
def asking_again_finds_the_same(check: Check) -> None:
    assert _findings(check) == _findings(check)


@CHECK.rule
def a_pair_is_judged_alike_alone_and_among_others(check: Check) -> None:
    others = [Pair(f"{text} {number}", f"{text} {number}", CODES) for number, text in enumerate(ODD)]
    assert check.find_all([*others, CLEAN])[-1] == check.find_all([CLEAN])[0]
