"""Tokens: random ones for sessions, signed ones for links that expire."""

from __future__ import annotations

import hashlib
import secrets
import time
from typing import Any

from itsdangerous import BadData, URLSafeSerializer

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
    return _serializer(secret, purpose).dumps([values, int(expires)])


def read_signed(token: str, *, secret: bytes, purpose: str) -> dict[str, Any]:
    """The values of a token that `sign` made for this purpose; a changed, foreign or old one raises."""
    values: dict[str, Any]
    try:
        values, expires = _serializer(secret, purpose).loads(token)
    except (BadData, UnicodeEncodeError):  # the latter: half a character in an address
        raise NotFound("This link is not valid. Copy the whole of it, or ask for a new one.") from None
    if time.time() >= expires:
        raise NotFound("This link has expired; ask for a new one.")
    return values


def _serializer(secret: bytes, purpose: str) -> URLSafeSerializer:
    return URLSafeSerializer(
        secret, salt=purpose, signer_kwargs={"key_derivation": "hmac", "digest_method": hashlib.sha256}
    )
