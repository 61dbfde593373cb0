"""The command `dragoman`: the tree of commands, and how it ends when something is wrong."""

from __future__ import annotations

import errno
import os
import signal
import sys
import warnings
from functools import partial
from typing import TextIO

import click

from dragoman import __version__
from dragoman.cli.tree import SECTIONS, LazyGroup
from dragoman.errors import DoubtfulInput, DragomanError, MendedInput

__all__ = ["group", "main"]


@click.group(cls=LazyGroup, sections=SECTIONS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dragoman", message="%(prog)s %(version)s")
@click.pass_context
def group(ctx: click.Context) -> None:
    """The machine-translation workbench.

    \b
    Try it on the samples that come with it:
      dragoman demo demo-output
    """
    from dragoman.cli.telling import told_on_terminal

    ctx.with_resource(warnings.catch_warnings())
    warnings.simplefilter("always", MendedInput)
    warnings.simplefilter("always", DoubtfulInput)
    warnings.showwarning = _show_warning
    ctx.with_resource(told_on_terminal())


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,  # noqa: ARG001 - Python's signature
    line: str | None = None,
) -> None:
    """Our own warnings as a line, others as Python shows them."""
    if issubclass(category, (MendedInput, DoubtfulInput)):
        click.echo(f"dragoman: beware: {message}", err=True)
    else:
        click.echo(warnings.formatwarning(message, category, filename, lineno, line), err=True, nl=False)


# The disk is full, the user's share of it, or the largest file that is allowed.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 the input is wrong, 2 the call is wrong."""
    _unwind_when_ended()
    try:
        group.main(prog_name="dragoman", standalone_mode=True)
    except DragomanError as error:
        _stop(str(error))
    except BrokenPipeError:
        # The reader of our output left (`| head`); what it wanted, it has.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.errno in _NO_ROOM:
            _stop(f"There is no room on the disk ({error}). Nothing was left half-written: make room and run it again.")
        _stop(str(error))
    except MemoryError:
        _stop(
            "There is not enough memory for this; nothing was left half-written. Take less text at a time, fewer "
            "--threads or, for language models, less --memory."
        )


def _unwind_when_ended() -> None:
    """Let a command that is ended from outside take away what it had half-written, as it does at Ctrl-C."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_DFL:
            continue  # `nohup`, or whoever runs us has other plans

        def end(received: int, frame: object) -> None:  # noqa: ARG001 - the signature of handlers
            signal.signal(received, signal.SIG_IGN)  # the way out is not to be interrupted
            sys.exit(128 + received)

        signal.signal(number, end)
        os.register_at_fork(after_in_child=partial(signal.signal, number, signal.SIG_DFL))


def _stop(message: str) -> None:
    from dragoman.cli.screen import has_colour
    from dragoman.report.terminal import Screen

    name = Screen(colour=has_colour(sys.stderr)).paint("dragoman:", "bad")
    click.echo(f"{name} {message}", err=True, color=True)
    sys.exit(1)
