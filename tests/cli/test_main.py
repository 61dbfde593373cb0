from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from dragoman import __version__
from dragoman.cli.main import group
from dragoman.cli.tree import LazyGroup, SectionedGroup
from tests.cli.commands import every_command

ALL = list(every_command())
LEAVES = [(name, command) for name, command in ALL if not isinstance(command, click.Group)]
GROUPS = [("", group), *((name, command) for name, command in ALL if isinstance(command, LazyGroup))]
each_command = pytest.mark.parametrize(("name", "command"), ALL, ids=[name for name, _ in ALL])
each_leaf = pytest.mark.parametrize(("name", "command"), LEAVES, ids=[name for name, _ in LEAVES])
each_group = pytest.mark.parametrize(("name", "command"), GROUPS, ids=[name or "dragoman" for name, _ in GROUPS])


@each_group
def test_the_tables_say_what_the_commands_say(name: str, command: LazyGroup) -> None:
    for below, (_, line) in command.table.items():
        found = command.get_command(click.Context(command), below)
        assert found is not None
        assert (found.name, found.get_short_help_str(limit=200)) == (below, line)


@each_group
def test_help_has_a_line_for_each_command_under_its_heading(name: str, command: LazyGroup) -> None:
    shown = CliRunner(env={"COLUMNS": "80"}).invoke(group, [*name.split(), "--help"]).output
    sections = dict(part.split(":\n", 1) for part in shown.split("\n\n") if ":\n" in part)
    for heading, names in command.headings.items():
        lines = sections[heading].splitlines()
        assert [tuple(line.split(maxsplit=1)) for line in lines] == [(each, command.table[each][1]) for each in names]
    assert len(command.table) == sum(map(len, command.headings.values()))


def test_every_command_of_a_campaign_has_its_heading() -> None:
    campaign = group.get_command(click.Context(group), "campaign")
    assert isinstance(campaign, SectionedGroup)
    assert sorted(campaign.list_commands(click.Context(campaign))) == sorted(campaign.commands)
    shown = CliRunner(env={"COLUMNS": "80"}).invoke(group, ["campaign", "--help"]).output
    assert "\nWhile it runs:\n  status      Show how far the annotators of a campaign have come.\n" in shown


def test_help_imports_no_command() -> None:
    code = "import sys; from dragoman.cli.main import group; group.main(['--help'], standalone_mode=False)\n"
    code += "print(*sorted(name for name in sys.modules if name.startswith('dragoman.cli.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "dragoman.cli.main dragoman.cli.tree"


@each_leaf
def test_every_command_takes_json(name: str, command: click.Command) -> None:
    assert "--json" in {option for parameter in command.params for option in parameter.opts}


@each_leaf
def test_help_opens_with_a_line_that_can_be_pasted(name: str, command: click.Command) -> None:
    shown = CliRunner().invoke(group, [*name.split(), "--help"])
    assert shown.exit_code == 0
    assert re.search(rf"\n    .*\bdragoman {name}\b", shown.output)


@each_command
def test_options_explain_themselves(name: str, command: click.Command) -> None:
    silent = [p.name for p in command.params if isinstance(p, click.Option) and not p.help]
    assert not silent


def run(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from dragoman.cli.main import main; main()", *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def test_version() -> None:
    assert run("--version").stdout == f"dragoman {__version__}\n"


def test_a_wrong_call_exits_2_with_the_nearest_command() -> None:
    done = run("inspekt", "x")
    assert done.returncode == 2
    assert "There is no command 'inspekt'. Did you mean 'inspect'?" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tokenize"], "There is no command 'tokenize'. Did you mean 'text tokenize'? See: dragoman --help"),
        (["text", "tokenizer"], "There is no command 'tokenizer'. Did you mean 'tokenize'? See: dragoman text --help"),
        (["rankings", "xyz"], "There is no command 'xyz'. See: dragoman rankings --help"),
    ],
)
def test_a_command_is_found_in_the_group_that_has_it(words: list[str], message: str) -> None:
    done = CliRunner().invoke(group, words, prog_name="dragoman")
    assert done.exit_code == 2
    assert message in done.output


def test_both_spellings_of_tokenising() -> None:
    for name in ("tokenize", "tokenise"):
        assert CliRunner().invoke(group, ["text", name], input="a.\n").output == "a .\n"


def test_wrong_input_exits_1_with_one_line_and_no_traceback(tmp_path: Path) -> None:
    done = run("inspect", str(tmp_path / "none"))
    assert done.returncode == 1
    assert done.stderr == f"dragoman: There is no model folder {tmp_path / 'none'}.\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(shell: str) -> None:
    done = run("completion", shell)
    assert "_DRAGOMAN_COMPLETE" in done.stdout
    assert json.loads(run("completion", shell, "--json").stdout)["rows"][0]["shell"] == shell


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("dragoman ins", ["plain,inspect"]),
        ("dragoman text tok", ["plain,tokenize"]),
        ("dragoman syntax ", ["plain,parser", "plain,grammar", "plain,names", "plain,functions", "plain,nouns"]),
        ("dragoman tokenize sco", ["plain,score"]),  # there is no such command: what follows begins anew
    ],
)
def test_completion_answers_the_shell_and_imports_no_command(words: str, answer: list[str]) -> None:
    code = "import sys; from dragoman.cli.main import main\ntry:\n    main()\nfinally:\n"
    code += "    print(*(name for name in sys.modules if name.startswith('dragoman.cli.')))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"_DRAGOMAN_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))},
        capture_output=True,
        text=True,
        check=False,
    )
    *items, modules = done.stdout.splitlines()
    assert (items, done.stderr) == (answer, "")
    assert sorted(modules.split()) == ["dragoman.cli.main", "dragoman.cli.tree"]


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -c 'from dragoman.cli.main import main; main()' completion bash"
    script = command + " | head -1; exit ${PIPESTATUS[0]}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""
