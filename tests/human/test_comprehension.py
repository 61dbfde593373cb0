from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import group
from dragoman.data.judgements import Judgements, Row
from dragoman.data.questionnaires import (
    ANSWERS,
    PRESENCE,
    QUESTIONS,
    RATINGS,
    Questionnaire,
    questionnaire_of,
    read_questionnaire,
)
from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.human import loss_waterfall, plan_listening, score_comprehension
from dragoman.human.comprehension.scores import PassageScore


@given(st.integers(2, 4), st.data())
def test_a_plan_is_balanced(n_conditions: int, data: st.DataObject) -> None:
    n_passages = data.draw(st.integers(n_conditions, 9))
    n_annotators = data.draw(st.integers(1, 25))
    passages = [f"p{n}" for n in range(n_passages)]
    conditions = [f"c{n}" for n in range(n_conditions)]
    plan = plan_listening(passages, n_annotators, conditions=conditions, seed=data.draw(st.integers(0, 5)))
    for annotator in {hearing.annotator for hearing in plan.hearings}:
        own = [hearing for hearing in plan.hearings if hearing.annotator == annotator]
        assert sorted(hearing.passage for hearing in own) == sorted(passages)
        assert [hearing.place for hearing in own] == list(range(1, n_passages + 1))
        shares = Counter(hearing.condition for hearing in own)
        assert {shares[c] for c in conditions} <= {n_passages // n_conditions, -(-n_passages // n_conditions)}
    cells = set(plan.coverage().values())
    assert cells <= {n_annotators // n_conditions, -(-n_annotators // n_conditions)}
    assert sum(plan.coverage().values()) == n_passages * n_annotators


def test_deals_are_not_repeated_before_all_were_used() -> None:
    plan = plan_listening(list("abcd"), 6)
    deals = Counter(
        tuple(h.condition for h in sorted(plan.hearings, key=lambda h: h.passage) if h.annotator == who)
        for who in map(str, range(1, 7))
    )
    assert len(deals) == 6
    assert len(plan_listening(list("abcd"), 60).hearings) == 240


def test_a_plan_repeats_with_its_seed() -> None:
    assert plan_listening(list("abcdef"), 20, seed=7) == plan_listening(list("abcdef"), 20, seed=7)
    assert plan_listening(list("abcdef"), 20, seed=7) != plan_listening(list("abcdef"), 20, seed=8)
    many = plan_listening([f"p{n}" for n in range(40)], 4, seed=1)  # more deals than can be listed
    assert set(many.coverage().values()) == {2}
    assert many.meta()["least_hearings"] == 2


def test_plans_that_cannot_be() -> None:
    with pytest.raises(DataError, match="A plan needs at least 1 passage, got 0"):
        plan_listening([], 3)
    with pytest.raises(DataError, match="A plan needs at least 1 annotator, got 0"):
        plan_listening(["a", "b"], 0)
    with pytest.raises(DataError, match="A plan needs at least 2 conditions, got 1"):
        plan_listening(["a", "b"], 3, conditions=["x"])
    with pytest.raises(DataError, match="The passage 'a' is named twice"):
        plan_listening(["a", "a"], 3)
    with pytest.raises(DataError, match="1 passages cannot show 2 conditions to everybody"):
        plan_listening(["a"], 3)


QUESTION = {"passage": "p", "question": "1", "type": "factual"}


def answer(who: str, correct: bool, **changed: object) -> Row:
    return {"annotator": who, "passage": "p", "condition": "system", "question": "1", "correct": correct} | changed


def made(
    answers: list[Row], questions: list[Row] | None = None, ratings: Sequence[Row] = (), presence: Sequence[Row] = ()
) -> Questionnaire:
    return Questionnaire(
        Judgements.of(QUESTIONS, questions or [QUESTION]),
        Judgements.of(ANSWERS, answers),
        Judgements.of(RATINGS, ratings),
        Judgements.of(PRESENCE, presence),
    )


def test_percentages_and_what_is_missing() -> None:
    questions = [QUESTION, QUESTION | {"question": "2", "type": "list"}]
    answers = [answer("a", True), answer("a", False, question="2"), answer("b", True)]  # b has no row for question 2
    result = score_comprehension(made(answers, questions))
    passage, mean = result.scores
    assert (passage.subjective, passage.n_missing, passage.n_annotators) == (pytest.approx(200 / 3), 1, 2)
    assert (mean.subjective, mean.quality, mean.stages) == (passage.subjective, None, {})
    assert result.meta()["n_missing"] == 1
    # Question 2 has one answer only: the agreement is that on question 1.
    assert [(a.n_items, a.n_judges, a.value) for a in result.agreement] == [(1, 2, None)]


def test_the_last_word_counts() -> None:
    assert score_comprehension(made([answer("a", False), answer("a", True)])).scores[0].subjective == 100


def test_conditions_without_answers_are_absent_not_zero() -> None:
    presence = [{"passage": "p", "condition": "human", "question": "1", "stage": "audio", "present": True}]
    questions = [QUESTION, QUESTION | {"passage": "q"}]
    result = score_comprehension(made([answer("a", True)], questions, presence=presence))
    assert [(s.condition, s.passage, s.subjective) for s in result.scores] == [
        ("system", "p", 100.0),
        ("system", "q", None),
        ("system", None, 100.0),
    ]
    with pytest.raises(UnknownName, match=r"No condition is called 'human'. Known: system"):
        result.mean("human")


def test_a_listener_who_answers_otherwise_stands_first() -> None:
    questions = [QUESTION | {"question": str(n)} for n in range(6)]
    answers = [
        answer(who, (n % 2 == 0) != (who == "odd"), question=str(n)) for n in range(6) for who in ("a", "b", "odd")
    ]
    result = score_comprehension(made(answers, questions))
    assert (result.listeners[0].annotator, result.listeners[0].kappa, result.listeners[0].n_peers) == ("odd", -1, 2)
    assert result.agreement[0].value == pytest.approx(-1 / 3)
    assert (result.agreement[0].n_right_by_all, result.agreement[0].n_wrong_by_all) == (0, 0)


def test_losses_without_stages_fall_to_listening_and_may_be_gains() -> None:
    bare = PassageScore("s", None, 40.0, {}, None, 1, 1, 0)
    assert [(loss.stage, loss.lost) for loss in loss_waterfall(bare)] == [("listening", 60.0)]
    gain = PassageScore("s", None, 80.0, {"slt": 60.0, "audio": 70.0}, None, 1, 1, 0)
    assert [(loss.stage, loss.lost) for loss in loss_waterfall(gain)] == [
        ("translation", 40.0),
        ("speaking", -10.0),
        ("listening", -10.0),
    ]
    assert sum(loss.lost for loss in loss_waterfall(gain)) == 20


def test_what_is_refused() -> None:
    with pytest.raises(DataError, match="The questionnaire has no answers"):
        score_comprehension(made([]))
    with pytest.raises(DataError, match="The questionnaire has no questions"):
        Questionnaire(Judgements.of(QUESTIONS), Judgements.of(ANSWERS))
    with pytest.raises(DataError, match="Question 1 has the type 'open'; expected factual, yes-no, list"):
        made([], [QUESTION | {"type": "open"}])
    with pytest.raises(DataError, match="Row 1 of the answers: the passage 'q' has no questions"):
        made([answer("a", True, passage="q")])
    with pytest.raises(DataError, match="Row 2 of the answers: the passage 'p' has no question '9'"):
        made([answer("a", True), answer("a", True, question="9")])
    with pytest.raises(DataError, match="The passage 'q' was rated but has no questions"):
        made([], ratings=[{"annotator": "a", "passage": "q", "condition": "system", "quality": 3}])
    with pytest.raises(DataError, match="a heard the passage 'p' twice, as system and as human"):
        made([answer("a", True), answer("a", True, condition="human")])
    mark = {"passage": "p", "condition": "system", "question": "1", "stage": "tts", "present": True}
    with pytest.raises(DataError, match=r"No stage is called tts. Known: asr, slt, audio"):
        score_comprehension(made([answer("a", True)], presence=[mark]))
    with pytest.raises(DataError, match="No question is marked as answerable from the audio of 'human'"):
        score_comprehension(made([answer("a", True)]), restrict_to="human")
    with pytest.raises(DataError, match="Stage asr of system is marked for 1 of the 2 questions of the passage 'p'"):
        score_comprehension(
            made([answer("a", True)], [QUESTION, QUESTION | {"question": "2"}], presence=[mark | {"stage": "asr"}])
        )


def test_files_are_read_or_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no questions\.tsv or questions\.csv"):
        read_questionnaire(tmp_path)
    (tmp_path / "questions.tsv").write_text("passage\tquestion\ttype\np\t1\tfactual\n")
    with pytest.raises(DataError, match=r"has no answers\.tsv or answers\.csv"):
        read_questionnaire(tmp_path)
    head = "annotator,passage,condition,question,correct\n"
    (tmp_path / "answers.csv").write_text(head + "a,p,system,1,maybe\n")
    with pytest.raises(FormatError, match=r"answers\.csv:2: correct is 'maybe'; expected true or false"):
        read_questionnaire(tmp_path)
    (tmp_path / "answers.csv").write_text(head + "a,p,system,1,true\n")
    (tmp_path / "ratings.tsv").write_text("annotator\tpassage\tcondition\tquality\na\tp\tsystem\t6\n")
    with pytest.raises(FormatError, match=r"ratings\.tsv:2: quality is '6'; expected a whole number from 1 to 5"):
        read_questionnaire(tmp_path)
    (tmp_path / "ratings.tsv").unlink()
    assert score_comprehension(read_questionnaire(tmp_path)).scores[0].subjective == 100


def test_one_table_of_judgements_will_do(tmp_path: Path) -> None:
    head = ["annotator", "item", "excerpt", "condition", "question", "type", "is_correct", "quality"]
    lines = [
        ("a", "1", "p", "system", "1", "list", "true", ""),
        ("a", "2", "p", "system", "2", "", "false", ""),
        ("a", "3", "p", "system", "", "", "", "4"),
        ("v", "4", "p", "asr", "1", "", "true", ""),
        ("v", "5", "p", "asr", "2", "", "true", ""),
        ("v", "6", "p", "fair", "1", "", "true", ""),
        ("v", "7", "p", "fair", "2", "", "false", ""),
        ("b", "8", "p", "human", "1", "list", "", ""),
    ]
    (tmp_path / "answers.tsv").write_text("".join("\t".join(line) + "\n" for line in [head, *lines]))
    result = score_comprehension(read_questionnaire(tmp_path / "answers.tsv"))
    mean = result.mean("system")
    assert (mean.subjective, dict(mean.stages), mean.quality) == (50, {"asr": 100, "audio": 50}, 4)
    assert dict(result.question_types) == {"list": 100}
    assert result.meta()["file"] == "answers.tsv"
    with pytest.raises(DataError, match="of kind 'question'; expected 'comprehension'"):
        questionnaire_of(Judgements.of(QUESTIONS))


def test_the_command_wants_names_or_a_number() -> None:
    done = CliRunner().invoke(group, ["study", "comprehension", "plan", "a", "b"])
    assert done.exit_code == 2
    assert "Name the listeners with -a, or give their number with -n." in done.output
    assert CliRunner().invoke(group, ["study", "comprehension", "plan", "a", "b", "-a", "x", "-a", "y"]).exit_code == 0
