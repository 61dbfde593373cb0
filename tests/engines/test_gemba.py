"""Judging by a chat model: what it is asked, what of its answers is taken, and what is refused at which segment."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data import read_judgements
from dragoman.engines.endpoint import ServiceError
from dragoman.engines.gemba import GembaDA, GembaMQM, _model
from dragoman.errors import DataError
from dragoman.human.direct_assessment.machine_judge import judge_plan
from dragoman.human.protocol import Assignment, Item, Task
from dragoman.metrics import Metric, make_metric
from dragoman.testing.metrics import METRIC
from tests.engines.service import FakeService, chat_reply

SRCS, HYPS, REFS = ["Der Hund bellt.", "Ja."], ["The dog barks.", "No."], ["The dog is barking.", "Yes."]
# Rules that score a pair without its source are none for metrics that need it; a long line is the service's matter.
LEFT_OUT = ("a_matrix_holds_the_scores_of_all_pairs", "a_long_line_has_a_score_or_a_named_error")
RULES = [rule for rule in METRIC.rules if rule.__name__ not in LEFT_OUT]


def judge(body: Any) -> bytes:
    """A model that likes translations that are like the reference, and finds capitals major errors."""
    *_, question = (each["content"] for each in body["messages"] if each["role"] == "user")
    said = dict(re.findall(r'^\w+ (source|human reference|translation): "(.*?)"$', question, re.MULTILINE | re.DOTALL))
    if question.endswith("Score:"):
        other = said.get("human reference", said["source"])
        return chat_reply(str(round(100 * SequenceMatcher(None, said["translation"], other, autojunk=False).ratio())))
    words = [word for word in said["translation"].split() if word.isupper()]
    return chat_reply(json.dumps([{"span": word, "category": "style", "severity": "major"} for word in words]))


@pytest.fixture(scope="module")
def running() -> Iterator[FakeService]:
    with FakeService() as service:
        yield service


@pytest.fixture
def service(running: FakeService, monkeypatch: pytest.MonkeyPatch) -> FakeService:
    running.requests.clear()
    running.faults.clear()
    monkeypatch.setattr(running, "answer", judge)
    monkeypatch.setattr("dragoman.engines.endpoint.time.sleep", lambda _: None)
    _model.cache_clear()
    return running


def metric(name: str, service: FakeService, *more: str, cache: str = "no") -> Metric:
    chat = f"(url={service.url},model=m,retries=1,cache={cache})"
    return make_metric(":".join((name, ",".join((chat, "languages=de-en", *more)))))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_direct_assessment_keeps_the_contract_of_metrics(
    rule: Callable[[Metric], None], service: FakeService, tmp_path: Path
) -> None:
    rule(metric("gemba-da", service, cache=str(tmp_path)))


@pytest.mark.parametrize("name", ["gemba-da", "gemba-mqm"])
def test_a_signature_leads_back(name: str, service: FakeService) -> None:
    rules = {rule.__name__: rule for rule in METRIC.rules}
    for rule in ("signature_leads_back_to_the_metric", "statistics_are_additive", "scores_keep_their_bounds"):
        rules[rule](metric(name, service))


def test_the_question_shows_what_there_is_to_see(service: FakeService) -> None:
    scores = metric("gemba-da", service).segments(HYPS, [REFS], SRCS)
    asked = service.requests[0][2]["messages"][-1]["content"]
    for part in ("from German into English", 'source: "Der Hund bellt."', 'reference: "The dog is barking."'):
        assert part in asked
    assert scores[0] > scores[1]
    metric("gemba-da", service, "reference=no").segments(HYPS, [REFS], SRCS)
    assert "reference" not in service.requests[-1][2]["messages"][-1]["content"]
    with pytest.raises(DataError, match="needs the sources"):
        metric("gemba-da", service).segments(HYPS, [REFS])


def test_errors_weigh_by_severity_and_twenty_five_is_the_worst(service: FakeService) -> None:
    mqm = cast("GembaMQM", metric("gemba-mqm", service))
    assert mqm.segments(["Fine.", "A BAD day", "A B C D E F G"], [["x"] * 3], ["x"] * 3).tolist() == [0, -10, -25]
    assert [each.span for each in mqm.errors(0, "x", "A BAD day")] == ["A", "BAD"]
    messages = service.requests[-1][2]["messages"]
    assert [each["role"] for each in messages] == ["system", *["user", "assistant"] * 3, "user"]
    answer = [{"span": "a", "category": "Accuracy/Omission", "severity": s} for s in ("minor", "Major", "critical")]
    service.faults = [(200, chat_reply(f"```json\n{json.dumps(answer)}\n```"), {})]
    assert [each.severity for each in mqm.errors(0, "x", "y")] == ["minor", "major", "critical"]
    n_asked = len(service.requests)
    assert mqm.segments([" "], [["x"]], ["x"]).tolist() == [-25]  # no translation, no question
    assert len(service.requests) == n_asked


@pytest.mark.parametrize(
    ("name", "answer", "message"),
    [
        ("gemba-da", "About 80, I think", "no number from 0 to 100: 'About 80, I think'"),
        ("gemba-da", "101", "no number from 0 to 100: '101'"),
        ("gemba-da", "-5", "no number from 0 to 100"),
        ("gemba-da", "85.5", "no number from 0 to 100"),
        ("gemba-mqm", "no-error", "no list of errors: 'no-error'"),
        ("gemba-mqm", '{"span": "a"}', "no list of errors"),
        ("gemba-mqm", '[{"span": "a", "category": "style"}]', "no list of errors"),
        (
            "gemba-mqm",
            '[{"span": "a", "category": "style", "severity": "bad"}]',
            "severity is 'bad'; expected critical",
        ),
        ("gemba-mqm", '[{"span": "a", "category": "taste", "severity": "minor"}]', "category is 'taste'; expected acc"),
    ],
)
def test_an_answer_that_is_none_is_refused_at_its_segment(
    name: str, answer: str, message: str, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lying(body: Any) -> bytes:
        return chat_reply(answer) if "Ja." in body["messages"][-1]["content"] else judge(body)

    monkeypatch.setattr(service, "answer", lying)
    with pytest.raises(ServiceError, match=rf"did not judge segment 2 after 2 tries: .*{re.escape(message)}"):
        metric(name, service).segments(HYPS, [REFS], SRCS)


@pytest.mark.parametrize("answer", ["85", " 85\n", "85/100", "Score: 85", "85.", "85.0"])
def test_a_number_is_a_number(answer: str, service: FakeService) -> None:
    service.faults = [(200, chat_reply(answer), {})]
    assert cast("GembaDA", metric("gemba-da", service)).judged(0, "x", "y", "z") == 85


def test_nothing_is_asked_twice(service: FakeService, tmp_path: Path) -> None:
    first = metric("gemba-da", service, cache=str(tmp_path)).segments(HYPS, [REFS], SRCS)
    n_asked = len(service.requests)
    _model.cache_clear()
    again = cast("GembaDA", metric("gemba-da", service, cache=str(tmp_path)))
    assert (again.segments(HYPS, [REFS], SRCS) == first).all()
    assert len(service.requests) == n_asked
    assert again.model().bill.n_kept == 2


def test_the_command_line_scores_with_it_and_says_what_is_missing(service: FakeService, tmp_path: Path) -> None:
    for name, lines in (("src", SRCS), ("hyp", HYPS), ("ref", REFS)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    command = ["score", str(tmp_path / "hyp"), "-r", str(tmp_path / "ref"), "-s", str(tmp_path / "src"), "--json", "-m"]
    done = CliRunner().invoke(group, [*command, metric("gemba-mqm", service).spec()])
    assert done.exit_code == 0, done.output
    assert "GEMBA-MQM" in done.output
    for text, message in [
        ("gemba-da", "asks a chat model: -m 'gemba-da:"),
        ("gemba-da:(url=http://x,model=m)", "asks a chat model"),
        ("gemba-da:(url=http://x,model=m),languages=deutsch", "deutsch"),
        ("gemba-da:(url=http://x),languages=de-en", "needs model"),
    ]:
        with pytest.raises(DataError, match=re.escape(message)):
            make_metric(text)


def test_as_an_annotator_it_is_called_simulated(
    service: FakeService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = [{"source": src, "text": hyp} for src, hyp in zip(SRCS, HYPS, strict=True)]
    items = tuple(Item(f"i{k}", "TGT", "a", k + 1, None, each) for k, each in enumerate(shown))
    plan = [Assignment("ada", Task("t", items))]
    monkeypatch.setattr("dragoman.human.planning.read_plan", lambda _: plan)
    judge, out = metric("gemba-da", service, "reference=no").spec(), tmp_path / "told.csv"
    done = CliRunner().invoke(group, ["campaign", "simulate", "plan", "--judge", judge, "-o", str(out)])
    assert done.exit_code == 0, done.output + str(done.exception)
    assert "SIMULATED: a chat model, no person, made these 2 judgements" in " ".join(done.output.split())
    rows = read_judgements(out)
    assert set(rows["annotator"]) == {"simulated:m"}
    assert [row["score"] for row in rows.rows()] == [
        cast("GembaDA", make_metric(judge)).judged(k, each["source"], each["text"], None)
        for k, each in enumerate(shown)
    ]
    plan[0] = Assignment("ada", Task("t", (Item("i", "TGT", "a", 1, None, {"text": "x", "reference": "y"}),)))
    with pytest.raises(DataError, match="Item 1 of the plan shows no source and output; plan it with against=source"):
        judge_plan(plan, cast("GembaDA", make_metric(judge)))
    done = CliRunner().invoke(group, ["campaign", "simulate", "plan", "--judge", "bleu", "-o", str(out)])
    assert "does not judge as annotators do" in str(done.exception)
