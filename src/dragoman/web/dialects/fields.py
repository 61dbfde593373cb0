"""The fields of a request, be it a form, a query or JSON: services take them all."""

from __future__ import annotations

from email.message import Message
from typing import Any, TypeVar
from urllib.parse import parse_qs

from fastapi import Request
from pydantic import BaseModel, ValidationError

from dragoman.errors import DataError
from dragoman.utf8 import text_encoding

__all__ = ["fields_of"]

B = TypeVar("B", bound=BaseModel)


_MOST_FIELDS = 1000


def _query(request: Request) -> dict[str, list[str]]:
    """The fields of the address, which is in UTF-8."""
    try:
        text = request.scope["query_string"].decode("utf-8")
        return parse_qs(text, keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise DataError(
            f"The query of the address is not in UTF-8, or has more than {_MOST_FIELDS:,} fields. Send it in UTF-8."
        ) from None


async def _form(request: Request) -> dict[str, list[str]]:
    """The fields of a form in its own character set, UTF-8 if it names none; some clients send text as it is."""
    kind = Message()
    kind["Content-Type"] = request.headers.get("content-type", "")
    named = str(kind.get_param("charset") or "utf-8")
    charset = text_encoding(named) or ""
    try:
        text = (await request.body()).decode(charset)
        return parse_qs(text, keep_blank_values=True, encoding=charset, errors="strict", max_num_fields=_MOST_FIELDS)
    except (LookupError, ValueError):
        raise DataError(
            f"The form is not in {named[:40]}, or has more than {_MOST_FIELDS:,} fields. Send it in UTF-8."
        ) from None


async def fields_of(request: Request, body: type[B], *, lists: tuple[str, ...] = ()) -> B:
    """The fields of the query and the body together; of `lists` a form may have several values."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    values: dict[str, Any] = {name: found if name in lists else found[-1] for name, found in _query(request).items()}
    if kind == "application/json":
        try:
            content = await request.json()
        except (ValueError, RecursionError) as error:
            raise DataError(f"The body is no JSON that can be read: {type(error).__name__}.") from None
        if not isinstance(content, dict):
            raise DataError("The body is not a JSON object.")
        values |= content
    elif kind == "application/x-www-form-urlencoded":
        own = await _form(request)
        values |= {name: found if name in lists else found[-1] for name, found in own.items()}
    elif request.method == "POST":
        form = await request.form(max_fields=1000, max_files=0)
        values |= {name: form.getlist(name) if name in lists else form[name] for name in form}
    try:
        return body.model_validate(values)
    except ValidationError as error:
        problems = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()[:20]]
        raise DataError("; ".join(problems) + ".") from None
