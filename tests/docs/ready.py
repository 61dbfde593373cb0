"""`dragoman` without its start: a process that has imported everything forks for each command.

A guide has a dozen commands, and most of the time of each goes into imports. `program(folder)` starts such a process
and gives the folder of a `dragoman` that asks it: what a shell sees (streams, working folder, environment, exit code)
is that of the real program. Whether the real program starts is shown by the documents that use it, and at night by all.
A command that reaches for another machine ends with 97.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import ipaddress
import marshal
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

__all__ = ["program"]

# What commands use of others, as far as it starts no threads of its own.
OTHERS = ("alembic.command", "fastapi", "httpx", "scipy.optimize", "scipy.sparse", "scipy.stats", "uvicorn")
# These have more to import than most commands need.
NOT = ("dragoman.neural", "dragoman.testing")

ASK = """#!{python} -IS
import _socket, marshal, os, sys
asked = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
asked.connect({address!r})
body = marshal.dumps((sys.argv[1:], os.getcwd(), dict(os.environ)))
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
asked.sendmsg([len(body).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
asked.sendall(body)
code = int.from_bytes(asked.recv(4), "big", signed=True)
if code < 0:
    os.kill(os.getpid(), -code)
os._exit(code)
"""


@contextmanager
def program(folder: Path, environment: dict[str, str]) -> Iterator[Path]:
    """The folder of a `dragoman` whose commands are run by a process that is ready for them."""
    address = str(folder / "ready")
    command = [sys.executable, "-m", __name__, address]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        script = folder / "bin" / "dragoman"
        script.parent.mkdir()
        script.write_text(ASK.format(python=sys.executable, address=address))
        script.chmod(0o755)
        try:
            yield script.parent
        finally:
            server.kill()


def serve(address: str) -> None:
    """Fork for whoever asks, until killed."""
    import dragoman

    for module in pkgutil.walk_packages(dragoman.__path__, "dragoman."):
        if not module.name.startswith(NOT):
            with suppress(ImportError):
                importlib.import_module(module.name)
    for name in OTHERS:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(address)
        listener.listen()
        print("ready", flush=True)  # noqa: T201 - this is what is waited for
        while True:
            asked, _ = listener.accept()
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass  # the one that looked after an earlier command
            if os.fork() == 0:
                listener.close()
                answer(asked)
            asked.close()


def answer(asked: socket.socket) -> None:
    """Run a command in a process of its own, say how it ended, end it if whoever asked is gone."""
    length, streams, *_ = socket.recv_fds(asked, 8, 3)
    body = b""
    while len(body) < int.from_bytes(length, "big"):
        body += asked.recv(1 << 20)
    command = os.fork()
    if command == 0:
        asked.close()
        run(streams, *marshal.loads(body))
    for stream in streams:
        os.close(stream)

    def follow() -> None:
        if not asked.recv(1):
            with suppress(ProcessLookupError):
                os.kill(command, signal.SIGTERM)

    threading.Thread(target=follow, daemon=True).start()
    _, status = os.waitpid(command, 0)
    with suppress(OSError):
        asked.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))
    os._exit(0)


def run(streams: list[int], words: list[str], folder: str, environment: dict[str, str]) -> None:
    """Be the program."""
    from dragoman.cli.main import main

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [str(Path(sys.executable).with_name("dragoman")), *words]
    stay_on_this_machine()
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(ValueError, OSError):  # closed by whoever reads no more
            stream.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def stay_on_this_machine() -> None:
    """End the process with a word where something other than this machine is asked for."""
    names = {None, "", b"", "localhost", b"localhost", "0.0.0.0", "::", socket.gethostname()}

    def check(host: object) -> None:
        try:
            own = host in names or ipaddress.ip_address(str(host)).is_loopback
        except ValueError:
            own = False
        if not own:
            os.write(2, f"A guide reaches for {host}.\n".encode())
            os._exit(97)

    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def checked(method: Any) -> Any:
        def call(self: socket.socket, address: Any) -> Any:
            if self.family != socket.AF_UNIX:
                check(address[0])
            return method(self, address)

        return call

    def checked_look_up(host: Any, *given: Any, **more: Any) -> Any:
        check(host)
        return look_up(host, *given, **more)

    socket.socket.connect = checked(connect)  # type: ignore[method-assign]
    socket.socket.connect_ex = checked(connect_ex)  # type: ignore[method-assign]
    socket.getaddrinfo = checked_look_up


if __name__ == "__main__":
    serve(sys.argv[1])
