"""Structured logs: one JSON object a line on standard error. Neither bodies, nor queries, nor cookies are logged."""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any

__all__ = ["LOGGER", "JsonFormatter", "clean_path", "configure", "uvicorn_config"]

LOGGER = logging.getLogger("dragoman.web")
_LINK = re.compile(r"(/join/)[^/?\s\"]+")  # an invitation is a secret, and stands in the path


def clean_path(path: str) -> str:
    """A path as it may be logged: the token of an invitation is left out."""
    return _LINK.sub(r"\1…", path)


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON; what was passed as `extra={"fields": {…}}` stands beside the message."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        values: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": clean_path(record.getMessage()),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            values["exception"] = clean_path(self.formatException(record.exc_info))
        return json.dumps(values, ensure_ascii=False)


def configure(level: str) -> None:
    """Let the loggers of server and store write; whoever embeds the app keeps their own logging instead."""
    logger = logging.getLogger("dragoman")
    if not logger.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(JsonFormatter())
        logger.addHandler(handler)
        logger.propagate = False
    logger.setLevel(level.upper())


def uvicorn_config(level: str) -> dict[str, Any]:
    """Uvicorn's own talk in the same form; its access log stays off, ours has the request's number."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "dragoman.web.logs.JsonFormatter"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"}},
        "loggers": {"uvicorn": {"handlers": ["stderr"], "level": level.upper(), "propagate": False}},
    }
