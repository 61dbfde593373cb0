"""The contract checks of `dragoman.testing` can fail: a broken entry of each kind is caught, by the rule it breaks."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import dragoman.testing
from dragoman.align.ibm import Ibm1
from dragoman.cat.checks.words import Length
from dragoman.cat.files.text import PlainText
from dragoman.cat.pen.base import Reading, Recogniser, Stroke, Template
from dragoman.corpus.learnt import Model1
from dragoman.corpus.select.moore_lewis import PlainPerplexity
from dragoman.data.formats.lines import LinesFormat
from dragoman.engines import Candidate, Request, Translates, Translation
from dragoman.engines.roles import PLAIN
from dragoman.errors import DataError
from dragoman.human.direct_assessment.protocol import DirectAssessment
from dragoman.learn import SELECTORS, Job, Selector
from dragoman.learn.linear import Ridge
from dragoman.metrics.chrf import Chrf
from dragoman.metrics.references import ScoredText
from dragoman.options import option
from dragoman.qe import FEATURES
from dragoman.qe.features.surface import SourceLength
from dragoman.ranking.win_ratios import WinRatio
from dragoman.registry import Registry
from dragoman.rescoring import CandidateLists
from dragoman.rescoring.words import Length as WordCount
from dragoman.smt.grammar.labels import Constituents
from dragoman.stats.arrays import Floats
from dragoman.stats.segments import Sign
from dragoman.testing.aligners import ALIGNER, AlignerCase
from dragoman.testing.annotators import ANNOTATOR, AnnotatorCase
from dragoman.testing.checks import CHECK
from dragoman.testing.contract import Contract, raises
from dragoman.testing.engines import ENGINE, EngineCase
from dragoman.testing.features import FEATURE, FeatureCase
from dragoman.testing.file_formats import FILE_FORMAT, FileFormatCase
from dragoman.testing.formats import FORMAT, FormatCase, odd_values
from dragoman.testing.labellers import LABELLER
from dragoman.testing.learners import LEARNER
from dragoman.testing.metrics import METRIC
from dragoman.testing.pair_scorers import PAIR_SCORER
from dragoman.testing.paired_tests import PAIRED_TEST
from dragoman.testing.protocols import PROTOCOL, ProtocolCase
from dragoman.testing.rankings import RANKING
from dragoman.testing.recognisers import RECOGNISER
from dragoman.testing.rescoring_features import RESCORING_FEATURE
from dragoman.testing.selection_scores import SELECTION_SCORE
from dragoman.testing.selectors import SELECTOR
from dragoman.testing.tokenisers import TOKENISER
from dragoman.text.annotate.stems import SnowballStems
from dragoman.text.surface import NoTokeniser
from tests.human.protocol_examples import example

CALLS = itertools.count()  # chance that no seed rules


class Averaged(Chrf):
    def batch_rows(self, text: ScoredText, n_threads: int) -> Any:
        return super().batch_rows(text, n_threads) / max(1, len(text.systems[0]))


class Threaded(Chrf):
    def batch_rows(self, text: ScoredText, n_threads: int) -> Any:
        return super().batch_rows(text, n_threads) + n_threads


class Truncated(Chrf):
    def stats(self, hyps: Any, refs: Any, srcs: Any = None, *, n_threads: int = 1) -> Any:
        n = min(len(hyps), *map(len, refs))
        return super().stats(hyps[:n], [ref[:n] for ref in refs], srcs and srcs[:n], n_threads=n_threads)


class Greedy(Chrf):
    def stats(self, hyps: Any, *args: Any, **options: Any) -> Any:
        hyps[0] = "zzz"
        return super().stats(hyps, *args, **options)


class Unbounded(Chrf):
    def values(self, totals: Any) -> Any:
        return 3 * super().values(totals)


class Upside(Chrf):
    higher_is_better: ClassVar[bool] = False


@dataclass(frozen=True)
class Silent(Chrf):
    """An option that its signature does not tell."""

    halved: bool = option(False, text="half the score")


class Skipping(NoTokeniser):
    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        return [line for line in super().tokenise(lines, n_threads=n_threads) if line]


class Certain(Sign):
    def _compare(self, *args: Any) -> Any:
        return [replace(each, p=0.01) for each in super()._compare(*args)]


class Reversed(WinRatio):
    def from_counts(self, wins: Any, ties: Any, **options: Any) -> Any:
        return -super().from_counts(wins, ties, **options)


class Numbering(SnowballStems):
    def _annotate(self, token_lines: Any) -> Any:
        return [[str(number)] * len(tokens) for number, tokens in enumerate(token_lines)]


class Moody(Ridge):
    def fit(self, x: Any, y: Any, setting: Any, job: Any) -> Any:
        return super().fit(x + 0.01 * next(CALLS), y, setting, job)


@dataclass(frozen=True)
class LastColumns(Selector):
    """Takes the columns of noise."""

    name: ClassVar[str] = "last-columns"

    def choose(self, x: Any, y: Any, job: Job) -> Any:
        return np.array([x.shape[1] - 1])


class Endless(SourceLength):
    name: ClassVar[str] = "endless"

    def values(self, batch: Any) -> Any:
        return np.full(len(super().values(batch)), np.inf)


class Contrary(PlainPerplexity):
    def start(self, *args: Any, **options: Any) -> Any:
        scorer = super().start(*args, **options)
        return lambda batch: -scorer(batch)


class Neighbourly(Model1):
    def values(self, models: Any, sources: Any, targets: Any, n_threads: int) -> Any:
        return super().values(models, sources, targets, n_threads) + len(sources)


class Forgetful(Ibm1):
    def find(self, *args: Any, **options: Any) -> Any:
        found = super().find(*args, **options)
        return replace(found, log_p=found.log_p + next(CALLS))


class Chatty(Translates):
    @property
    def languages(self) -> tuple[str, str]:
        return "en", "en"

    def translations(self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1) -> list[Translation]:
        return [Translation(line, (Candidate(f"{line} {len(lines)}"),)) for line in lines]


class Credulous(DirectAssessment):
    def check(self, item: Any, answer: Any) -> None:
        pass


class Leaking(DirectAssessment):
    def tasks(self, test_set: Any, *, seed: int) -> Any:
        def shown(item: Any) -> Any:
            return replace(item, shown={**item.shown, "by": item.system})

        return [replace(task, items=tuple(map(shown, task.items))) for task in super().tasks(test_set, seed=seed)]


class Stripping(LinesFormat):
    def read(self, path: Any) -> Any:
        return tuple(line.strip() for line in super().read(path))


class Careless(LinesFormat):
    def write(self, value: Any, path: Any) -> None:
        Path(path).write_text("".join(f"{line}\n" for line in value), encoding="utf-8")
        super().write(value, path)


class Tidy(PlainText):
    def fill(self, content: bytes, *args: Any, **options: Any) -> bytes:
        return super().fill(content, *args, **options).strip()


class Beyond(Length):
    def finding(self, message: str, source: Any = (), target: Any = ()) -> Any:
        return super().finding(message, source, [(begin, end + 1) for begin, end in target])


def form(cls: type[LinesFormat]) -> FormatCase:
    return FormatCase(cls(), odd_values(cls()))


def protocol(cls: type[DirectAssessment]) -> ProtocolCase:
    manifest = example("da")
    return ProtocolCase(cls(), manifest.test_set)


class Doubling(Recogniser):
    name = "doubling"

    def read(
        self, strokes: Sequence[Stroke], templates: Sequence[Template] = (), *, context: str = "", n: int = 5
    ) -> list[Reading]:
        return [Reading("text", "a", 1.0)] * min(2, n)


class Ranked(WordCount):
    def scores(self, lists: CandidateLists, *, n_threads: int = 1) -> Floats:
        return np.arange(len(lists.texts), dtype=np.float64).reshape(-1, 1)


class Beginnings(Constituents):
    def spans(self, parse: Any, longest: int) -> Any:
        return {(0, end + 1): label for (_, end), label in super().spans(parse, longest).items()}


BROKEN: list[tuple[Contract[Any], Callable[[], Any], str]] = [
    (METRIC, Averaged, "statistics_are_additive"),
    (METRIC, Threaded, "threads_do_not_matter"),
    (METRIC, Truncated, "different_lengths_are_named"),
    (METRIC, Greedy, "input_is_left_as_it_was"),
    (METRIC, Unbounded, "scores_keep_their_bounds"),
    (METRIC, Upside, "nothing_beats_the_reference"),
    (METRIC, Upside, "signature_leads_back_to_the_metric"),
    (METRIC, Silent, "the_signature_records_every_option"),
    (TOKENISER, Skipping, "one_line_out_for_each_line_in"),
    (PAIRED_TEST, Certain, "a_system_does_not_beat_itself"),
    (RANKING, Reversed, "it_finds_the_order_of_clear_judgements"),
    (ANNOTATOR, lambda: AnnotatorCase(Numbering()), "lines_do_not_depend_on_each_other"),
    (LEARNER, Moody, "training_again_gives_the_same_model"),
    (LABELLER, Beginnings, "spans_lie_in_the_sentence"),
    (SELECTOR, lambda: "last-columns", "what_matters_stays"),
    (FEATURE, lambda: FeatureCase("endless"), "every_sentence_has_a_finite_value_of_its_own"),
    (RESCORING_FEATURE, Ranked, "a_candidate_is_judged_by_its_source_and_text_alone"),
    (SELECTION_SCORE, Contrary, "what_is_alike_comes_first"),
    (PAIR_SCORER, Neighbourly, "one_score_a_pair_whatever_the_batch_and_threads"),
    (ALIGNER, lambda: AlignerCase(Forgetful()), "threads_change_nothing"),
    (ENGINE, lambda: EngineCase(Chatty(), ["one", "two"]), "it_translates"),
    (PROTOCOL, lambda: protocol(Credulous), "no_answer_is_refused"),
    (PROTOCOL, lambda: protocol(Leaking), "ids_are_opaque_and_systems_stay_hidden"),
    (FORMAT, lambda: form(Stripping), "what_is_written_is_read_back"),
    (FILE_FORMAT, lambda: FileFormatCase(Tidy(), b"One.\n\nTwo.\n"), "without_targets_nothing_changes"),
    (CHECK, Beyond, "spans_lie_in_their_texts"),
    (RECOGNISER, Doubling, "readings_are_sorted_and_no_value_comes_twice"),
    (FORMAT, lambda: form(Careless), "an_interrupted_write_leaves_nothing"),
]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known by its name alone has one."""
    kinds: list[tuple[Registry[Any], type]] = [(SELECTORS, LastColumns), (FEATURES, Endless)]
    for registry, cls in kinds:
        monkeypatch.setitem(registry._own, cls.name, f"{__name__}:{cls.__name__}")  # type: ignore[attr-defined]


@pytest.mark.parametrize(("contract", "entry", "rule"), BROKEN, ids=[f"{c.kind}-{rule}" for c, _, rule in BROKEN])
def test_a_broken_entry_is_caught(contract: Contract[Any], entry: Callable[[], Any], rule: str) -> None:
    only: Contract[Any] = Contract(contract.kind)
    only.rules = [each for each in contract.rules if each.__name__ == rule]
    with pytest.raises(
        AssertionError, match=f"breaks 1 of the 1 rules of its contract:\n- {rule.replace('_', ' ')}: ."
    ):
        only.check(entry(), "x")


def test_every_contract_has_a_broken_entry_here() -> None:
    checks = [getattr(dragoman.testing, name) for name in dragoman.testing.__all__ if name.startswith("check_")]
    values = [value for check in checks for value in vars(sys.modules[check.__module__]).values()]
    contracts = {value for value in values if isinstance(value, Contract)}
    assert contracts == {contract for contract, _, _ in BROKEN}
    assert len(contracts) == len(checks)


def test_all_broken_rules_are_named_at_once() -> None:
    with pytest.raises(AssertionError) as caught:
        dragoman.testing.check_tokeniser(Skipping())
    first, *rules = str(caught.value).splitlines()
    assert first.startswith(f"The tokeniser none breaks {len(rules)} of the {len(TOKENISER.rules)} rules")
    assert rules[0].startswith("- it has the name it is found by: ")
    assert any(line.startswith("- nothing in nothing out: ") for line in rules)
    assert dragoman.testing.check_tokeniser("none") is None


def test_a_crash_is_a_broken_rule() -> None:
    only: Contract[int] = Contract("number")

    @only.rule
    def it_is_not_zero(number: int) -> None:
        assert 1 / number

    only.check(1, "one")
    with pytest.raises(AssertionError, match=r"The number zero breaks 1 .*\n- it is not zero: ZeroDivisionError: div"):
        only.check(0, "zero")


def test_a_refusal_must_come_and_say_what_is_wrong() -> None:
    with raises(DataError, match="wrong"):
        raise DataError("It is wrong.")
    with (
        pytest.raises(AssertionError, match="DataError was to be raised, saying 'wrong'; nothing was"),
        raises(match="wrong"),
    ):
        pass
    with pytest.raises(AssertionError, match="was to say 'wrong', it said 'Right'"), raises(match="wrong"):
        raise DataError("Right")


def test_values_that_are_not_at_hand_are_asked_for() -> None:
    with pytest.raises(DataError, match="no values of the type Alignments at hand; pass some to `check_format`"):
        dragoman.testing.check_format("pharaoh")


def test_checks_need_no_test_runner() -> None:
    program = (
        "import sys; from dragoman.testing import check_tokeniser; check_tokeniser('13a'); "
        "assert not {'pytest', 'hypothesis'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    refused = subprocess.run([sys.executable, "-O", "-c", program], capture_output=True, text=True)
    assert "RuntimeError: Python was started with -O, which leaves assertions out" in refused.stderr
