from __future__ import annotations

import io
import sys
import threading

import pytest

from dragoman.cli import progress
from dragoman.cli.progress import shown_progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_nobody_looks_nothing_is_shown() -> None:
    with shown_progress() as report:
        assert report is None


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", 3600.0)
    with shown_progress() as report:
        assert report is not None
        report(1, 2, "scoring")
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


def test_long_work_shows_each_thing_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    with shown_progress() as report:
        assert report is not None
        report(1, 2, "scoring")
        report(2, 2, "scoring")
        report(0, 3, "testing")
    shown = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert "scoring" in shown
    assert "testing" in shown
    assert capsys.readouterr().out == ""


def test_an_error_takes_the_bar_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)

    def work() -> None:
        with shown_progress() as report:
            assert report is not None
            report(1, 2, "scoring")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    for thread in threading.enumerate():
        if "_RefreshThread" in repr(thread):
            thread.join(timeout=60)
            assert not thread.is_alive()
