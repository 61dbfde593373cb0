"""TMX into memories and out of them: whole transactions, going on, what a unit carries."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.cat.memory import MemoryShelf, Penalised, export_tmx, import_tmx
from dragoman.errors import DataError, FormatError
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.refusals import Conflict
from dragoman.store.translating import memories as kept
from dragoman.store.translating.memories import Memory, NewUnit

HEAD = '<?xml version="1.0"?>\n<tmx version="1.4"><header srclang="en"/><body>\n'


def unit(source: str, target: str, lang: str = "de") -> str:
    variants = f'<tuv xml:lang="en"><seg>{source}</seg></tuv><tuv xml:lang="{lang}"><seg>{target}</seg></tuv>'
    return f"<tu>{variants}</tu>\n"


def write(path: Path, *units: str, end: str = "</body></tmx>") -> Path:
    path.write_text(HEAD + "".join(units) + end, encoding="utf-8")
    return path


def new_memory(store: Store, name: str = "m") -> Memory:
    with store.write() as connection:
        return kept.create_memory(connection, name, "en", "de", actor=COMMAND_LINE)


def texts(store: Store, memory: Memory) -> list[tuple[str, str]]:
    with store.read() as connection:
        return [(unit.source, unit.target) for unit in kept.units_of(connection, memory)]


def test_units_come_back_as_they_went(store: Store, tmp_path: Path) -> None:
    memory, other = new_memory(store), new_memory(store, "other")
    units = [
        NewUnit("a < \ue000b\ue001 & c", "\ue000B\ue001 <A>", "", "next & so on"),
        NewUnit("x\ue000", "X\ue001\ue000", None, ""),
    ]
    with store.write() as connection:
        kept.add_units(connection, memory, units, origin="by hand")
    assert export_tmx(store, memory, tmp_path / "m.tmx") == 2
    assert import_tmx(store, other, tmp_path / "m.tmx", actor=COMMAND_LINE).added == 2
    with store.read() as connection:
        sides = [list(kept.units_of(connection, each)) for each in (memory, other)]
    for before, after in zip(*sides, strict=True):
        assert (after.source, after.target) == (before.source, before.target)
        assert (after.previous, after.next) == (before.previous, before.next)
        assert after.created == before.created.replace(microsecond=0)
        assert after.origin == "m.tmx"


def test_codes_of_source_and_target_are_the_same(light_store: Store, tmp_path: Path) -> None:
    memory = new_memory(light_store)
    pair = '<bpt i="1">&lt;b&gt;</bpt>Hi<ept i="1">&lt;/b&gt;</ept> <ph x="2"/>'
    write(tmp_path / "a.tmx", unit(pair, '<ph x="2"/><bpt i="1">*</bpt>Hallo<ept i="1">*</ept>'))
    import_tmx(light_store, memory, tmp_path / "a.tmx", actor=COMMAND_LINE)
    assert texts(light_store, memory) == [("\ue000Hi\ue001 \ue002", "\ue002\ue000Hallo\ue001")]


def test_characters_that_xml_has_not_are_left_out(light_store: Store, tmp_path: Path) -> None:
    memory = new_memory(light_store)
    with light_store.write() as connection:
        units = [NewUnit("\x1b[31mone", "\x1b[31meins", "a\x0bb", "\ufffe"), NewUnit("two", "zwei")]
        kept.add_units(connection, memory, units, origin="project p")
    assert export_tmx(light_store, memory, tmp_path / "m.tmx") == 2
    other = new_memory(light_store, "other")
    import_tmx(light_store, other, tmp_path / "m.tmx", actor=COMMAND_LINE)
    assert texts(light_store, other) == [("[31mone", "[31meins"), ("two", "zwei")]


def test_a_broken_file_leaves_whole_transactions_and_can_be_gone_on_with(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dragoman.cat.memory.exchange._BATCH", 3)
    memory = new_memory(store)
    units = [unit(f"s{n}", f"t{n}") for n in range(8)]
    path = write(tmp_path / "a.tmx", *units[:7], end="<tu><tuv>")
    with pytest.raises(FormatError, match=r"a\.tmx:10: .*without xml:lang") as caught:
        import_tmx(store, memory, path, actor=COMMAND_LINE)
    assert caught.value.__notes__ == ["6 units of a.tmx are in the memory 'm'; --resume goes on behind them."]
    assert len(texts(store, memory)) == 6
    write(path, *units)
    with pytest.raises(Conflict, match=r"The memory 'm' has 6 units of a\.tmx already: go on .* --resume"):
        import_tmx(store, memory, path, actor=COMMAND_LINE)
    done = import_tmx(store, memory, path, actor=COMMAND_LINE, known="resume")
    assert (done.added, done.skipped) == (2, 6)
    assert texts(store, memory) == [(f"s{n}", f"t{n}") for n in range(8)]
    assert import_tmx(store, memory, path, actor=COMMAND_LINE, known="resume").added == 0
    assert import_tmx(store, memory, path, actor=COMMAND_LINE, known="again").added == 8


def test_an_interrupted_import_says_how_to_go_on(
    light_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dragoman.cat.memory.exchange._BATCH", 2)
    memory = new_memory(light_store)
    path = write(tmp_path / "a.tmx", *(unit(f"s{n}", f"t{n}") for n in range(9)))

    def stop(added: int) -> None:
        if added == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        import_tmx(light_store, memory, path, actor=COMMAND_LINE, progress=stop)
    assert caught.value.__notes__ == ["4 units of a.tmx are in the memory 'm'; --resume goes on behind them."]
    assert import_tmx(light_store, memory, path, actor=COMMAND_LINE, known="resume").added == 5


def test_a_file_in_other_languages_is_refused(light_store: Store, tmp_path: Path) -> None:
    memory = new_memory(light_store)
    path = write(tmp_path / "a.tmx", unit("a", "b", lang="fr"))
    with pytest.raises(DataError, match=r"a\.tmx has no unit in en and de, the languages of 'm'"):
        import_tmx(light_store, memory, path, actor=COMMAND_LINE)
    mixed = write(tmp_path / "b.tmx", unit("a", "b", lang="fr"), unit("a", "c", lang="de-AT"))
    import_tmx(light_store, memory, mixed, actor=COMMAND_LINE)
    shelf = MemoryShelf(light_store)
    assert [match.target for match in shelf.matches([Penalised(memory)], "a")] == ["c"]


IMPORTER = """
import sys
from dragoman.cat.memory import exchange
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.translating.memories import find_memory

exchange._BATCH = 7
store = Store(sys.argv[1])
with store.read() as connection:
    memory = find_memory(connection, "m")
exchange.import_tmx(store, memory, sys.argv[2], actor=COMMAND_LINE, progress=lambda n: print(n, flush=True))
"""


def test_a_killed_import_leaves_whole_transactions(database: str, tmp_path: Path) -> None:
    store = Store(database)
    memory = new_memory(store)
    path = write(tmp_path / "a.tmx", *(unit(f"s{n}", f"t{n}") for n in range(3000)))
    words = [sys.executable, "-c", IMPORTER, database, str(path)]
    importer = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert importer.stdout is not None
    while int(importer.stdout.readline()) < 21:
        pass
    importer.send_signal(signal.SIGKILL)
    importer.communicate()
    n_left = len(texts(store, memory))
    assert n_left >= 21
    assert n_left % 7 == 0
    assert import_tmx(store, memory, path, actor=COMMAND_LINE, known="resume").added == 3000 - n_left
    assert texts(store, memory) == [(f"s{n}", f"t{n}") for n in range(3000)]
    store.close()
