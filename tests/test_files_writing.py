from __future__ import annotations

import io
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.files import atomic_folder, atomic_path, iter_lines, open_writer, read_lines, write_lines

SUFFIXES = ["", ".gz", ".xz", ".zst"]

each_suffix = pytest.mark.parametrize("suffix", SUFFIXES)
each_compressed = pytest.mark.parametrize("suffix", SUFFIXES[1:])


class Standard:
    """A stand-in for `sys.stdout` on bytes."""

    def __init__(self) -> None:
        self.buffer = io.BytesIO()

    def flush(self) -> None:
        pass


def killed_while_writing(folder: Path, how: str) -> None:
    """A process that is killed, as a power cut would, between the first byte and the last."""
    code = (
        "import os, signal, sys; from pathlib import Path; from dragoman.files import *\n"
        f"with {how} as path:\n"
        "    (path / 'part' if path.is_dir() else path).write_text('half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize("how", ["atomic_path('a')", "atomic_folder('a')", "staging_folder('.')"])
def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path, how: str) -> None:
    killed_while_writing(tmp_path, how)
    (left,) = leftovers(tmp_path)
    (tmp_path / ".dragoman-notes.tmp").write_text("not named as ours are")
    (tmp_path / left.replace(left[-12:-4], "0badcafe")).write_text("of a process on another machine")
    (tmp_path / left.replace(left.split("-")[1], str(os.getppid()))).write_text("of a process that runs")
    before = set(leftovers(tmp_path))
    write_lines(tmp_path / "next", ["whole"])
    assert set(leftovers(tmp_path)) == before - {left}


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


LINE = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\n"), max_size=30)


@given(st.lists(LINE.filter(lambda line: not line.endswith("\r")), max_size=20), st.sampled_from(SUFFIXES))
def test_lines_come_back_as_they_went(tmp_path_factory: pytest.TempPathFactory, lines: list[str], suffix: str) -> None:
    path = tmp_path_factory.mktemp("lines") / f"file{suffix}"
    assert write_lines(path, iter(lines)) == len(lines)
    assert read_lines(path) == lines
    assert list(iter_lines(path)) == lines


@each_compressed
def test_the_suffix_compresses_and_equal_content_gives_equal_bytes(tmp_path: Path, suffix: str) -> None:
    lines = ["the same line again"] * 2000
    for name in ("one", "two"):
        write_lines(tmp_path / (name + suffix), lines)
    assert (tmp_path / f"one{suffix}").stat().st_size < 2000
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("two\nlines", "Item 5001 for {path} has a line break inside: 'two\\nlines'."),
        ("end\r", "Item 5001 for {path} ends in a carriage return: 'end\\r'."),
        (
            "\ud800",
            "Cannot write {path}: the text has a lone surrogate, U+D800, after 'line 4998\\nline 4999\\n'. "
            "Decode it again from its bytes.",
        ),
    ],
)
@pytest.mark.parametrize("more", [0, 1])
def test_what_cannot_be_a_line_is_refused(tmp_path: Path, bad: str, message: str, more: int) -> None:
    path = tmp_path / "out.txt"
    with pytest.raises(DataError) as caught:
        write_lines(path, [*(f"line {i}" for i in range(5000)), bad, *(["more"] * more)])
    assert str(caught.value) == message.format(path=path)
    assert list(tmp_path.iterdir()) == []


@each_suffix
def test_control_c_in_the_middle_leaves_the_old_file_and_nothing_else(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"out{suffix}"

    def interrupted() -> Iterator[str]:
        yield from (f"line {i}" for i in range(20_000))
        assert leftovers(tmp_path), "the new file is under way"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(path, interrupted())
    assert list(tmp_path.iterdir()) == []

    write_lines(path, ["old"])
    with pytest.raises(KeyboardInterrupt):
        write_lines(path, interrupted())
    assert read_lines(path) == ["old"]
    assert leftovers(tmp_path) == []


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    def lines() -> Iterator[str]:
        yield "x"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_lines(tmp_path / "a", lines())
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        write_lines(tmp_path, ["a"])
    assert str(caught.value) == f"{tmp_path} is a directory; name a file to write."
    with pytest.raises(DataError) as caught:
        write_lines(tmp_path / "none" / "a.txt", ["a"])
    assert (
        str(caught.value) == f"Cannot write {tmp_path}/none/a.txt: there is no folder {tmp_path}/none. Make it first."
    )


def test_a_folder_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match=r"Cannot write .*a: this user may not write in "):
        write_lines(tmp_path / "a", ["a"])
    monkeypatch.setattr(Path, "mkdir", refuse)
    with (
        pytest.raises(DataError, match=r"Cannot write .*b: this user may not write in "),
        atomic_folder(tmp_path / "b"),
    ):
        pass


def test_a_link_is_followed_and_the_mode_kept(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    real = tmp_path / "there" / "real.txt"
    real.write_text("old\n")
    real.chmod(0o640)
    link = tmp_path / "link.txt"
    link.symlink_to(real)
    write_lines(link, ["new"])
    assert link.is_symlink()
    assert real.read_text() == "new\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_new_file_has_the_mode_of_any_other(tmp_path: Path) -> None:
    write_lines(tmp_path / "a", ["a"])
    (tmp_path / "b").write_text("b")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_a_name_as_long_as_the_file_system_takes(tmp_path: Path) -> None:
    write_lines(tmp_path / ("x" * 255), ["a"])
    assert read_lines(tmp_path / ("x" * 255)) == ["a"]


def test_pipes_and_devices_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_lines(pipe, ["through the pipe"])
    reader.join()
    assert got == [b"through the pipe\n"]
    assert pipe.is_fifo()
    write_lines("/dev/null", ["away"])
    assert not Path("/dev/null").is_file()


def test_two_writers_of_one_file_do_not_meet(tmp_path: Path) -> None:
    with open_writer(tmp_path / "a") as one, open_writer(tmp_path / "a") as two:
        one.write("one\n")
        two.write("two\n")
    assert read_lines(tmp_path / "a") == ["one"]  # the outer block ends last
    assert leftovers(tmp_path) == []


def test_standard_output_is_utf8_whatever_the_locale_says() -> None:
    # In ASCII: the locale may not know how to read the command itself.
    lines = ascii(["ü 東京", "\ufeff"])
    code = f"from dragoman.files import write_lines; print('first'); write_lines('-', {lines}); print('last')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
        capture_output=True,
        check=True,
    )
    assert done.stdout == "first\nü 東京\n\ufeff\nlast\n".encode()


def test_standard_output_that_takes_text_only(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    write_lines("-", ["ü"])
    assert stream.getvalue() == "ü\n"


def test_standard_output_stays_open_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout = Standard()
    monkeypatch.setattr(sys, "stdout", stdout)
    with pytest.raises(DataError):
        write_lines("-", ["a\nb"])
    assert not stdout.buffer.closed


# Paths and folders


def test_atomic_path_gives_a_path_beside(tmp_path: Path) -> None:
    with atomic_path(tmp_path / "a.bin") as temporary:
        assert temporary.parent == tmp_path
        temporary.write_bytes(b"x")
        assert not (tmp_path / "a.bin").exists()
    assert (tmp_path / "a.bin").read_bytes() == b"x"


def test_atomic_folder_appears_whole(tmp_path: Path) -> None:
    with atomic_folder(tmp_path / "set") as folder:
        (folder / "a").write_text("a")
        assert not (tmp_path / "set").exists()
    assert (tmp_path / "set" / "a").read_text() == "a"
    with atomic_folder(tmp_path / "set") as folder:
        (folder / "b").write_text("b")
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["b"]
    assert leftovers(tmp_path) == []


def test_an_interrupted_folder_leaves_the_old_one(tmp_path: Path) -> None:
    def interrupted() -> None:
        with atomic_folder(tmp_path / "set") as folder:
            (folder / "half").write_text("x")
            raise KeyboardInterrupt

    for before in ([], ["set"]):
        with pytest.raises(KeyboardInterrupt):
            interrupted()
        assert [path.name for path in tmp_path.iterdir()] == before
        (tmp_path / "set").mkdir(exist_ok=True)


def test_an_interrupt_between_the_renames_puts_the_old_folder_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "old").write_text("old")
    calls = []
    rename = Path.rename

    def second_fails(self: Path, target: Path) -> Path:
        calls.append(self)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", second_fails)
    with pytest.raises(KeyboardInterrupt), atomic_folder(tmp_path / "set") as folder:
        (folder / "new").write_text("new")
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["old"]
    assert leftovers(tmp_path) == []


def test_where_no_folder_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError) as caught, atomic_folder(tmp_path / "file"):
        pass
    assert str(caught.value) == f"{tmp_path}/file is a file; name a folder to write."
    with pytest.raises(DataError, match="there is no folder"), atomic_folder(tmp_path / "a" / "b"):
        pass
