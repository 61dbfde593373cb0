"""Tokens: random ones for sessions, signed ones for links that expire."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from typing import Any

from dragoman.store.refusals import NotFound

__all__ = ["digest", "new_token", "read_signed", "sign"]


def new_token() -> str:
    """256 random bits for a cookie or a link."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What the database keeps of a token: whoever reads the database cannot use it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def sign(values: dict[str, Any], *, secret: bytes, purpose: str, expires: float) -> str:
    """A token that carries these values until the moment `expires` (seconds since 1970)."""
    body = base64.urlsafe_b64encode(json.dumps([values, int(expires)], separators=(",", ":")).encode()).rstrip(b"=")
    return f"{body.decode()}.{_seal(body, secret, purpose)}"


def read_signed(token: str, *, secret: bytes, purpose: str) -> dict[str, Any]:
    """The values of a token that `sign` made for this purpose; a changed, foreign or old one raises."""
    body, _, seal = token.partition(".")
    try:
        raw = body.encode("ascii")
        if not hmac.compare_digest(seal.encode("ascii"), _seal(raw, secret, purpose).encode()):
            raise NotFound("This link is not valid. Copy the whole of it, or ask for a new one.")
    except UnicodeEncodeError:
        raise NotFound("This link is not valid. Copy the whole of it, or ask for a new one.") from None
    values, expires = json.loads(base64.urlsafe_b64decode(raw + b"=" * (-len(raw) % 4)))
    if time.time() >= expires:
        raise NotFound("This link has expired; ask for a new one.")
    found: dict[str, Any] = values
    return found


def _seal(body: bytes, secret: bytes, purpose: str) -> str:
    made = hmac.new(secret, purpose.encode() + b"\x00" + body, hashlib.sha256).digest()
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()
