"""HTTP with limits on heads: one that is too large or does not come closes the connection before it costs anything."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["LimitedProtocol"]


class LimitedProtocol(HttpToolsProtocol):
    """Uvicorn's HTTP with a limit on the size of request line and headers, and on the time that they may take.

    Bodies have limits of their own (`middleware.BodyLimits`), and idle connections are closed by uvicorn.
    """

    most_bytes = 64 << 10
    most_seconds = 20.0

    _n_bytes = 0
    _in_head = True
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a head. What is written goes out at once.

        asyncio sees to that itself, but not on the socket that several workers share: it does not name its protocol.
        There, a short message behind another one waited 40 ms for the client's acknowledgement.
        """
        super().connection_made(transport)
        wire = transport.get_extra_info("socket")
        if wire is not None and wire.family in (socket.AF_INET, socket.AF_INET6):
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._in_head = False
        self._wait()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes; those that leave the head open count against its limit."""
        super().data_received(data)
        if not self._in_head:
            return
        self._n_bytes += len(data)
        if self._timer is None:
            self._wait()
        if self._n_bytes > self.most_bytes:
            self._refuse(b"431 Request Header Fields Too Large", f"more than {self.most_bytes:,} bytes of headers")

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._in_head, self._n_bytes = True, 0

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._in_head = False
        self._wait()
        super().on_headers_complete()

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._in_head:
            message = f"no request within {self.most_seconds:g} seconds"
            self._timer = self.loop.call_later(self.most_seconds, self._refuse, b"408 Request Timeout", message)

    def _refuse(self, status: bytes, message: str) -> None:
        self._in_head = False
        self._wait()
        if not self.transport.is_closing():
            body = message.encode()
            self.transport.write(
                b"HTTP/1.1 " + status + b"\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
                b"content-length: " + str(len(body)).encode() + b"\r\n\r\n" + body
            )
            self.transport.close()
