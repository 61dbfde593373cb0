"""The calls of `base_calls`, where every way to the network is shut: which of them tried one.

`python -m tests.cli.offline FOLDER`
"""

from __future__ import annotations

import io
import json
import socket
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from tests.cli import base_calls

TRIED: dict[str, list[str]] = {}
CURRENT = [""]


def shut(what: str) -> Any:
    """A function of sockets that notes who called it, and fails as where there is no network."""
    kept = getattr(socket.socket, what, None) or getattr(socket, what)

    def refused(*given: Any, **more: Any) -> Any:
        if given and getattr(given[0], "family", None) == getattr(socket, "AF_UNIX", None):
            return kept(*given, **more)  # within this machine
        TRIED.setdefault(CURRENT[0], []).append(what)
        raise OSError("The network is shut.")

    return refused


def main(folder: Path) -> None:
    """Shut the network, make all calls, and print who tried to reach it."""
    for name in ("connect", "connect_ex", "sendto", "sendmsg"):
        setattr(socket.socket, name, shut(name))
    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "create_connection"):
        setattr(socket, name, shut(name))
    made = base_calls.call

    def call(words: list[str]) -> dict[str, Any]:
        CURRENT[0] = " ".join(words)
        return made(words)

    base_calls.call = call
    told = io.StringIO()
    with redirect_stdout(told):
        base_calls.main(folder)
    CURRENT[0] = "the shut network"
    try:
        socket.create_connection(("localhost", 9), timeout=1)
    except OSError as error:
        json.dump({"tried": TRIED, "calls": json.loads(told.getvalue()), "shut": str(error)}, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
