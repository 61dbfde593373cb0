"""What is spelt alike means the same in every command: a walk through the tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.samples import copy_samples
from tests.cli.commands import every_command

COMMANDS = [(name, command) for name, command in every_command() if not isinstance(command, click.Group)]
OWN_WORDS = {"sacrebleu"}  # which takes the command lines of another program


def options() -> Iterator[tuple[str, click.Option]]:
    """All options that the help shows, with their commands."""
    for name, command in COMMANDS:
        if name not in OWN_WORDS:
            yield from ((name, each) for each in command.params if isinstance(each, click.Option) and not each.hidden)


def with_letter(letter: str) -> dict[str, click.Option]:
    return {name: each for name, each in options() if letter in each.opts}


def test_m_is_a_model_or_a_metric() -> None:
    other = {name: each.opts for name, each in with_letter("-m").items() if not {"--model", "--metric"} & {*each.opts}}
    assert other == {}


def test_o_is_where_the_result_goes() -> None:
    other = {name for name, each in with_letter("-o").items() if "--output" not in each.opts}
    assert other == {"combine train", "neural train", "smt train"}  # whose result is the model: -m, and -o as ever


@pytest.mark.parametrize(
    ("letter", "long"), [("-e", "--encoding"), ("-r", "--ref"), ("-s", "--src"), ("-t", "--tokeniser")]
)
def test_a_letter_is_short_for_one_word(letter: str, long: str) -> None:
    assert {name for name, each in with_letter(letter).items() if long not in each.opts} == set()


@pytest.mark.parametrize("long", ["--bitext", "--pair", "--seed", "--threads", "--form", "--raw", "--encoding"])
def test_an_option_takes_the_same_arguments_everywhere(long: str) -> None:
    shapes = {(each.nargs, each.metavar, each.is_flag) for _, each in options() if long in each.opts}
    assert len(shapes) == 1, shapes


def test_choices_and_names_may_be_written_in_any_case() -> None:
    strict = [
        (name, each.opts)
        for name, each in options()
        if isinstance(each.type, click.Choice) and each.type.case_sensitive
    ]
    assert strict == []


def test_a_result_can_be_had_as_json_and_in_a_file() -> None:
    forms = {name for name, each in options() if "--form" in each.opts}
    files = {name for name, each in options() if "--output" in each.opts or "-o" in each.opts}
    no_file = {"cat assign", "cat import", "cat memory delete", "cat memory export", "cat new"}
    assert forms - files <= no_file | {name for name in forms if name.startswith("cat ")}


def test_an_old_spelling_works_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_samples(tmp_path)
    monkeypatch.chdir(tmp_path)
    words = ["rank", "testset/judgements/ranking.csv", "--json"]
    old = CliRunner().invoke(group, [*words, "-m", "lopez"])
    assert "-m of group rank is now --method." in old.stderr
    assert old.stdout == CliRunner().invoke(group, [*words, "--method", "Lopez"]).stdout


def test_a_bitext_is_two_files_or_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_samples(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "both.tsv").write_text("ein Haus\ta house\n", encoding="utf-8")
    for files in (["phrasebook.de", "phrasebook.en"], ["both.tsv"]):
        words = [
            "smt",
            "train",
            "--bitext",
            *files,
            "--lang-src",
            "de",
            "--lang-tgt",
            "en",
            "-m",
            "engine",
            "--explain",
        ]
        done = CliRunner().invoke(group, words)
        assert done.exit_code == 0, done.output


# Words that are spelt as Python spells its parameters.
_PARAMETER = re.compile(r"\b(?:[a-z]+_[a-z_]+\b|[A-Z][a-z]+Recipe\b|srcs\b|tgts\b|hyps\b)")


def wrong_values(option: click.Option) -> list[str]:
    if option.is_flag or option.count:
        return []
    return (
        ["-1", "1e9"] if isinstance(option.type, click.types.IntParamType | click.types.FloatParamType) else ["no:x=1"]
    )


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_messages_name_options_not_parameters(
    name: str, command: click.Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if name in OWN_WORDS | {"serve"}:
        pytest.skip("another program's words, or runs on")
    told = []
    for option in (each for each in command.params if isinstance(each, click.Option) and each.nargs == 1):
        for value in wrong_values(option):
            done = CliRunner().invoke(
                group, [*name.split(), *needed(command, option), option.opts[-1], value], input=""
            )
            message = done.output if done.exit_code == 2 else str(done.exception or "")
            error = message.partition("Error: ")[2] or message
            choices = getattr(option.type, "choices", ())
            words = [word for word in _PARAMETER.findall(error) if word not in choices]
            told += [(option.opts[-1], value, words, error[:200])] if done.exit_code and words else []
    assert told == []


def needed(command: click.Command, besides: click.Option) -> list[str]:
    """What the command asks for at least: files that are not there."""
    words: list[str] = []
    for each in command.params:
        if isinstance(each, click.Argument) and each.required:
            words += ["nothing-here"] * max(each.nargs, 1)
        elif each.required and each is not besides:
            words += [each.opts[-1], *["nothing-here"] * each.nargs]
    return words


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["compare", "a", "b", "-r", "c", "--alpha", "2"], "--alpha must lie between 0 and 1, got 2.0."),
        (["score", "a", "-r", "c", "--documents"], "--documents needs --docs"),
        (["score", "a", "-r", "c", "--trials", "0"], "Invalid value for '--trials'"),
    ],
)
def test_a_broken_rule_is_told_in_the_words_of_the_command_line(words: list[str], message: str) -> None:
    done = CliRunner().invoke(group, words)
    assert done.exit_code == 2
    assert message in done.output
