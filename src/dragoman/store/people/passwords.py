"""Passwords, kept as argon2id with the parameters OWASP recommends (19 MiB, two passes, one lane)."""

from __future__ import annotations

from dataclasses import dataclass

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError

from dragoman.errors import DataError

__all__ = ["HashedPassword", "check_password", "hash_password", "password_fits"]

_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, type=Type.ID)
_LEAST, _MOST = 10, 200
# A hash that no password has: an unknown name costs as much time as a wrong password, so names cannot be probed.
_NOBODY = _HASHER.hash("\x00nobody")


@dataclass(frozen=True)
class HashedPassword:
    """What is kept of a password. Making it is slow on purpose, so it is made before others wait for a transaction."""

    value: str


def check_password(password: str) -> None:
    """Raise if this is too short or too long for a password, or no text."""
    if not _LEAST <= len(password) <= _MOST:
        raise DataError(f"A password has {_LEAST} to {_MOST} characters; this one has {len(password)}.")
    try:
        password.encode()
    except UnicodeEncodeError:
        raise DataError("A password is text; this one has a lone surrogate.") from None


def hash_password(password: str | HashedPassword) -> HashedPassword:
    """What is kept of a password; of one that was hashed before, the same."""
    if isinstance(password, HashedPassword):
        return password
    check_password(password)
    return HashedPassword(_HASHER.hash(password))


def password_fits(hashed: str | None, password: str) -> bool:
    """Whether this is the password; takes the same time where nobody has one."""
    try:
        fits = _HASHER.verify(hashed or _NOBODY, password)
    except (VerificationError, InvalidHashError, UnicodeEncodeError):
        return False
    return fits and hashed is not None
