"""A project filled before anybody opens it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import pytest

from dragoman.cat.memory import MemoryShelf
from dragoman.cat.pretranslation import STEP, Pretranslator
from dragoman.cat.projects import export_file, import_file, new_project
from dragoman.engines import Request, Translation, load_engine
from dragoman.engines.endpoint import ServiceError
from dragoman.engines.roles import PLAIN
from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import find_user
from dragoman.store.translating.jobs import access_of
from dragoman.store.translating.memories import NewUnit, add_units, find_memory
from dragoman.store.translating.projects import Project
from dragoman.store.translating.saving import Change, save_changes
from dragoman.store.translating.segments import list_segments
from tests.engines.service import FakeService
from tests.web.cat.engines import WordEngine

FILE = """<xliff version="1.2"><file source-language="de" target-language="en" datatype="plaintext" original="a"><body>
<trans-unit id="1"><source>Der <g id="1">Hund</g> schläft.</source></trans-unit>
<trans-unit id="2"><source>Es <x id="1"/>regnet.</source><alt-trans match-quality="90%"><target>It pours.</target>
 </alt-trans></trans-unit>
<trans-unit id="3"><source>Wir <g id="1">Hund</g>.</source></trans-unit>
<trans-unit id="4"><source>Ende.</source></trans-unit>
<trans-unit id="5"><source>Gut.</source><target>Fine.</target></trans-unit>
</body></file></xliff>"""


class Broken(WordEngine):
    """An engine that fails at the second call."""

    n_calls = 0

    def translations(
        self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1
    ) -> Sequence[Translation]:
        self.n_calls += 1
        if self.n_calls > 1:
            raise DataError("the engine is gone")
        return super().translations(lines, request, n_threads=n_threads)


def make(store: Store, name: str, content: str) -> Project:
    with store.write() as connection:
        project = new_project(connection, "p", "de", "en", actor=COMMAND_LINE)
        import_file(connection, project, name, content.encode(), actor=COMMAND_LINE)
        memory = find_memory(connection, "p")
        add_units(connection, memory, [NewUnit("Der Hund schläft.", "The dog is asleep.")], origin="test")
    return project


def rows(store: Store, project: Project) -> list[dict[str, Any]]:
    with store.read() as connection:
        return list_segments(connection, project.id, limit=10**6)[1]


def pretranslator(store: Store, project: Project, engine: Any = None, **more: Any) -> Pretranslator:
    lent = None if engine is None else lambda: nullcontext(engine)
    return Pretranslator(store, project, MemoryShelf(store), lent, "words", **more)


def test_memory_file_engine_in_this_order_with_all_codes(store: Store) -> None:
    project = make(store, "a.xlf", FILE)
    with store.write() as connection:
        access = access_of(connection, project.id, find_user(connection, "the-manager"))
        fourth = list_segments(connection, project.id)[1][3]["id"]
        save_changes(connection, access, [Change("k", fourth, 0, "The end.")])
    result = pretranslator(store, project, WordEngine()).run()
    assert result.rows == (("TM", 1, 3), ("file", 1, 2), ("MT", 1, 2), ("empty", 0, 0))
    found = rows(store, project)
    assert [row["target"] for row in found] == [
        "The \ue000dog is\ue001 asleep.",  # by their places: no links are told
        "It \ue000pours.",
        "\ue000We dog.\ue001",
        "The end.",
        "Fine.",
    ]
    assert [row["state"] for row in found] == ["draft", "draft", "draft", "draft", "translated"]
    assert [row["origin"] and (row["origin"]["kind"], row["origin"]["score"]) for row in found] == [
        ("TM", 99),
        ("file", 90),
        ("MT", 85),
        None,
        None,
    ]
    assert [row["changed_by"] for row in found] == [None, None, None, "the-manager", None]
    with store.read() as connection:
        _, content = export_file(connection, project, 1)
    assert 'The <g id="1">dog is</g> asleep.' in content.decode()
    assert pretranslator(store, project, WordEngine()).run().rows[:3] == (("TM", 0, 0), ("file", 0, 0), ("MT", 0, 0))


def test_without_an_engine_what_no_memory_has_stays_empty(light_store: Store) -> None:
    project = make(light_store, "a.txt", "Der Hund schläft.\nDer Hund bellt.\n")
    result = pretranslator(light_store, project, least=100).run()
    assert [row["target"] for row in rows(light_store, project)] == ["The dog is asleep.", None]
    assert result.rows[-1] == ("empty", 1, 3)
    pretranslator(light_store, project, least=50).run()
    assert rows(light_store, project)[1]["target"] == "The dog is asleep."  # a poor match, as asked for
    with pytest.raises(DataError, match="take 0 to 101"):
        pretranslator(light_store, project, least=102)


def test_what_was_stopped_is_gone_on_with(light_store: Store) -> None:
    project = make(light_store, "a.txt", "".join(f"Es regnet {number} Mal.\n" for number in range(2 * STEP + 3)))
    heard: list[tuple[int, int]] = []
    with pytest.raises(DataError, match="the engine is gone"):
        pretranslator(light_store, project, Broken()).run(lambda done, total, _: heard.append((done, total)))
    assert heard == [(STEP, 2 * STEP + 3)]
    assert sum(row["target"] is not None for row in rows(light_store, project)) == STEP
    result = pretranslator(light_store, project, WordEngine()).run()
    assert result.rows[2:] == (("MT", STEP + 3, 4 * (STEP + 3)), ("empty", 0, 0))
    assert rows(light_store, project)[-1]["target"] == f"It rains {2 * STEP + 2} Mal."


def test_a_chat_model_fills_a_project_and_its_failure_names_the_segment(light_store: Store) -> None:
    project = make(light_store, "a.txt", "Der Hund schläft.\nDer Hund bellt.\n\nEs regnet.\n")
    with FakeService() as service:
        engine = load_engine(f"chat:url={service.url},model=m,source=de,target=en,cache=no,batch=1,retries=0")
        service.faults = [(400, b"", {})]
        with pytest.raises(ServiceError, match="did not translate segment 2: it answers 400"):
            pretranslator(light_store, project, engine).run()
        result = pretranslator(light_store, project, engine).run()
    assert result.rows[:3] == (("TM", 1, 3), ("file", 0, 0), ("MT", 2, 5))
    assert [row["target"] for row in rows(light_store, project)][1:] == ["DER HUND BELLT.", "ES REGNET."]
