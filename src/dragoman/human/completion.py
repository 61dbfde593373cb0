"""Completion codes: what an annotator shows a crowd platform to be paid. A code says nothing and cannot be guessed."""

from __future__ import annotations

import hmac
from base64 import b32encode
from hashlib import sha256

from dragoman.errors import DataError

__all__ = ["completion_code", "is_completion_code"]

_LEAST_SECRET = 16  # bytes


def completion_code(campaign: str, annotator: str, *, secret: bytes, passed: bool = True) -> str:
    """The code of an annotator who finished a campaign: `K3QX-7M2A-PD5R`.

    Whoever did not pass the controls gets another one, which looks the same, so that nobody learns it from the code.
    """
    if len(secret) < _LEAST_SECRET:
        raise DataError(f"The secret of completion codes has {len(secret)} bytes; expected at least {_LEAST_SECRET}.")
    # Lengths keep ("ab", "c") and ("a", "bc") apart.
    message = "\x00".join((str(len(campaign)), campaign, annotator, "passed" if passed else "failed"))
    text = b32encode(hmac.new(secret, message.encode(), sha256).digest()).decode()[:12]
    return "-".join(text[start : start + 4] for start in range(0, 12, 4))


def is_completion_code(code: str, campaign: str, annotator: str, *, secret: bytes) -> bool | None:
    """Whether a code is that of an annotator who passed (True) or failed (False); None if it is neither.

    Case, spaces and dashes do not matter.
    """
    letters = "".join(letter for letter in code.upper() if letter.isalnum())
    for passed in (True, False):
        expected = completion_code(campaign, annotator, secret=secret, passed=passed).replace("-", "")
        if hmac.compare_digest(letters.encode(), expected.encode()):
            return passed
    return None
