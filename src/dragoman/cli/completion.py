"""`dragoman completion`."""

from __future__ import annotations

import json

import click

__all__ = ["completion"]


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"], case_sensitive=False))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: kind, rows, meta.")
def completion(shell: str, as_json: bool) -> None:
    """Print the completion script for your shell.

    \b
      dragoman completion bash >> ~/.bashrc
      dragoman completion zsh  >> ~/.zshrc
      dragoman completion fish > ~/.config/fish/completions/dragoman.fish
    """
    from click.shell_completion import get_completion_class

    from dragoman.cli.main import group

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"No completion for {shell}.")
    script = kind(group, {}, "dragoman", "_DRAGOMAN_COMPLETE").source()
    answer = {"kind": "completion", "rows": [{"shell": shell, "script": script}], "meta": {}}
    click.echo(json.dumps(answer) if as_json else script)
