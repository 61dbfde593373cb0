"""What cannot be written is not confirmed, not remembered and not delivered; all else is."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import dragoman
from dragoman.cat.delivery import NotWritable
from dragoman.cat.files.base import FILE_FORMATS
from dragoman.cat.files.inline import misfit, unfit
from dragoman.cat.memory.exchange import read_tmx
from dragoman.cat.packing import pack, unpack
from dragoman.cat.projects import export_file, import_file, new_project
from dragoman.cat.rehearsal import rehearse_project
from dragoman.cat.repetitions import fill_repetitions
from dragoman.cat.saving import find_and_replace, history_of, save
from dragoman.cat.segmentation import SentenceRules, join, segments_of
from dragoman.cat.segments import Code, Unit, code_char
from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.columns import now
from dragoman.store.people.accounts import add_user, find_user
from dragoman.store.translating import tables as work
from dragoman.store.translating.jobs import access_of
from dragoman.store.translating.memories import find_memory, units_of
from dragoman.store.translating.projects import Project
from dragoman.store.translating.saving import Change, Outcome
from dragoman.store.translating.segments import list_segments
from tests.cat.files.samples import SAMPLES
from tests.web.cat.engines import WordEngine

OPEN, CLOSE, BREAK = "\ue000", "\ue001", "\ue002"
CODES = (Code("<b>", "open", "1", "b"), Code("</b>", "close", "1", "/b"), Code("<br/>", shown="br"))
PAGE = "<p>Press <b>Start</b>.</p><p>One<br>two.</p><p>Press <b>Start</b>.</p>"


def make(store: Store, content: str = PAGE, name: str = "page.html", **settings: Any) -> Project:
    with store.write() as connection:
        project = new_project(connection, "p", "en", "de", actor=COMMAND_LINE, settings=settings)
        import_file(connection, project, name, content.encode(), actor=COMMAND_LINE)
    return project


def rows(store: Store, project: Project) -> list[dict[str, Any]]:
    with store.read() as connection:
        return list_segments(connection, project.id, limit=10**6)[1]


def confirm(store: Store, project: Project, place: int, target: str, state: str = "translated") -> Outcome:
    row = rows(store, project)[place - 1]
    key = f"k{place}.{row['revision']}.{state}.{target}"
    with store.write() as connection:
        access = access_of(connection, project.id, find_user(connection, "the-manager"))
        return save(connection, access, [Change(key, row["id"], row["revision"], target, state)])[0]


def break_it(store: Store, place: int, target: str, state: str = "translated") -> None:
    """A confirmed target as databases have it from before confirmations were checked."""
    segments = work.segments
    with store.write() as connection:
        connection.execute(
            sa.update(segments).where(segments.c.place == place).values(target=target, state=state, revision=9)
        )


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        (f"{OPEN}a{CLOSE}", f"{OPEN}A", "the code 'b' is not closed"),
        (f"{OPEN}a{CLOSE}", f"A{CLOSE}", "the code '/b' closes what is not open there"),
        (f"{OPEN}a{CLOSE}", f"{CLOSE}A{OPEN}", "the code '/b' closes what is not open there"),
        (f"{OPEN}a{CLOSE}", "A\ue009", "it has the code number 10, and there are 3"),
        (f"{OPEN}a{CLOSE}{BREAK}", f"A{BREAK}{OPEN}{CLOSE}", ""),
        (f"{OPEN}a{CLOSE}{BREAK}", "A", ""),  # whole pairs may go
        (f"{OPEN}one.", f"{OPEN}eins.", ""),  # the other half is in the next sentence
        (f"{OPEN}one.", "eins.", "it lacks the code 'b', whose other half is in another segment"),
        (f"{OPEN}one.", f"{OPEN}eins{CLOSE}.", "it lacks the code 'b', whose other half is in another segment"),
        (f"{OPEN}one.", "", "it lacks the code 'b', whose other half is in another segment"),
    ],
)
def test_what_cannot_be_written_has_a_reason(source: str, target: str, reason: str) -> None:
    assert unfit(source, target, CODES) == reason


def test_halves_of_pairs_that_need_not_nest_are_told_too() -> None:
    stars = (Code("**", "open", "**", "**"), Code("**", "close", "**", "/**"))
    assert unfit(f"{OPEN}a{CLOSE}", f"{OPEN}a", stars) == "the code '**' is not closed"
    crossed = tuple(Code(f"<ept id='{k // 2}'/>", ("open", "close")[k % 2], str(k // 2)) for k in range(4))  # type: ignore[arg-type]
    assert unfit("\ue000a\ue001\ue002b\ue003", "\ue000a\ue002b\ue001\ue003", crossed) == ""


_PIECES = st.lists(st.sampled_from(["<b>", "</b>", "<i>", "</i>", "<br/>", "Go. ", "Stop. ", "now "]), max_size=12)


@given(_PIECES, st.data())
def test_segments_that_can_be_confirmed_make_units_that_can_be_written(pieces: list[str], data: st.DataObject) -> None:
    codes: list[Code] = []
    source, open_tags = "", list[tuple[str, str]]()
    for piece in pieces:
        name = piece.strip("</>")
        if piece.startswith("</"):
            if not open_tags or open_tags[-1][0] != name:
                continue
            codes.append(Code(piece, "close", open_tags.pop()[1]))
        elif piece.startswith("<") and name != "br":
            open_tags.append((name, str(len(codes))))
            codes.append(Code(piece, "open", open_tags[-1][1]))
        elif piece.startswith("<"):
            codes.append(Code(piece))
        source += code_char(len(codes) - 1) if piece.startswith("<") else piece
    for name, pair in reversed(open_tags):
        codes.append(Code(f"</{name}>", "close", pair))
        source += code_char(len(codes) - 1)
    unit = Unit("u", source, tuple(codes))
    assert misfit(source, codes) == ""
    segments = segments_of(unit, SentenceRules("en"))
    targets = []
    for each in segments:
        letters = data.draw(st.permutations(each.source))
        target = "".join(data.draw(st.sampled_from([letters, list(each.source), letters[1:]])))
        targets.append(each.source if unfit(each.source, target, codes) else target)
    assert misfit(join(unit, segments, targets), codes) == ""


def test_a_broken_pair_is_a_draft_and_no_more(store: Store) -> None:
    """On both databases: nothing is lost, and the answer says what to do, however often it is asked."""
    project = make(store)
    refused = confirm(store, project, 1, f"Drücke {OPEN}Start.")
    assert (refused.saved, refused.revision) == (False, None)
    assert refused.message == (
        "Segment 1 cannot be confirmed: the code 'b' is not closed. Correct it, or save it as a draft."
    )
    assert confirm(store, project, 1, f"Drücke {OPEN}Start.") == refused  # sent again
    row = rows(store, project)[0]
    assert (row["target"], row["state"], row["revision"]) == (None, "new", 0)
    with store.read() as connection:
        versions = history_of(connection, project.id, row["id"])
        assert [*units_of(connection, find_memory(connection, "p"))] == []
    assert [(each.kind, each.target) for each in versions] == [("refused", f"Drücke {OPEN}Start.")]
    assert confirm(store, project, 1, f"Drücke {OPEN}Start.", "draft").saved
    assert not confirm(store, project, 1, f"Drücke {OPEN}Start.", "approved").saved
    assert confirm(store, project, 1, f"{OPEN}Start{CLOSE} drücken.").saved
    with store.read() as connection:
        assert [each.target for each in units_of(connection, find_memory(connection, "p"))] == [
            "\ue000Start\ue001 drücken."
        ]


def test_what_is_replaced_cannot_break_what_is_confirmed(light_store: Store) -> None:
    project = make(light_store)
    assert confirm(light_store, project, 1, f"Drücke {OPEN}Start{CLOSE}.").saved
    with light_store.write() as connection:
        access = access_of(connection, project.id, find_user(connection, "the-manager"))
        ((_, _, outcome),) = find_and_replace(connection, access, f"Start{CLOSE}", "Los", key="r")
    assert outcome is not None
    assert not outcome.saved
    assert rows(light_store, project)[0]["target"] == f"Drücke {OPEN}Start{CLOSE}."


def test_every_way_to_save_checks_what_is_confirmed() -> None:
    """Only `cat.saving` saves changes; each of its calls says what is unfit."""
    root = Path(dragoman.__file__).parent
    calls = []
    for path in root.rglob("*.py"):
        if "save_changes" not in (text := path.read_text(encoding="utf-8")):
            continue
        calls += [
            (path.relative_to(root).as_posix(), "unfit" in [each.arg for each in node.keywords])
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "save_changes"
        ]
    assert len(calls) >= 3
    assert set(calls) == {("cat/saving.py", True)}


def test_a_file_that_cannot_be_written_names_its_segments(light_store: Store) -> None:
    project = make(light_store)
    break_it(light_store, 1, f"Drücke {OPEN}Start.")
    break_it(light_store, 3, f"Start{CLOSE} drücken.")
    with light_store.read() as connection, pytest.raises(NotWritable) as found:
        export_file(connection, project, 1)
    assert str(found.value) == (
        "page.html cannot be written: segment 1: the code 'b' is not closed; segment 3: the code '/b' closes what is "
        "not open there. Correct these segments, then export the file again."
    )
    assert [each.segment for each in found.value.faults] == [1, 3]


def test_other_reasons_of_formats_are_told_with_the_segment(light_store: Store) -> None:
    project = make(light_store, "one\ntwo\nthree\n", "a.txt")
    with light_store.write() as connection:
        connection.execute(sa.update(work.project_files).values(format="text:encoding=cp1252"))
        second = sa.update(work.segments).where(work.segments.c.place == 2)
        connection.execute(second.values(target="δύο", state="draft"))
        with pytest.raises(NotWritable, match=r"a\.txt cannot be written: segment 2: .* in cp1252, which has no 'δ'"):
            export_file(connection, project, 1)


def test_a_character_that_the_file_cannot_have_is_not_confirmed(light_store: Store) -> None:
    project = make(light_store, "one\ntwo\n", "a.txt")
    with light_store.write() as connection:
        connection.execute(sa.update(work.project_files).values(format="text:encoding=cp1252", digest="of another"))
    refused = confirm(light_store, project, 1, "δύο")
    assert refused.message.startswith(
        "Segment 1 cannot be confirmed: the file is in cp1252, which has no 'δ' (U+03B4)."
    )
    assert confirm(light_store, project, 1, "δύο", "draft").saved
    assert confirm(light_store, project, 2, "zwölf").saved
    assert [FILE_FORMATS.make(name).charset(SAMPLES[name]) for name in ("properties", "html", "tmx", "po")] == [""] * 4


def test_a_character_that_no_such_file_can_have_is_not_confirmed(light_store: Store) -> None:
    xliff = (
        '<xliff version="1.2"><file original="a" source-language="en" target-language="de" datatype="plaintext"><body>'
        '<trans-unit id="1"><source>one</source></trans-unit><trans-unit id="2"><source>two</source></trans-unit>'
        "</body></file></xliff>"
    )
    project = make(light_store, xliff, "a.xlf")
    refused = confirm(light_store, project, 1, "aus Word\x0bkopiert")
    assert refused.message.startswith(
        "Segment 1 cannot be confirmed: it has a character that such a file cannot have, U+000B after 'aus Word'."
    )
    assert confirm(light_store, project, 1, "eins").saved
    assert confirm(light_store, project, 2, "zwei\x1b", "draft").saved
    with light_store.read() as connection, pytest.raises(NotWritable, match=r"segment 2: XML cannot hold .* U\+001B"):
        export_file(connection, project, 1)
    break_it(light_store, 2, "zwei\x1b")
    with light_store.write() as connection, pytest.raises(DataError, match=r"segment 2 .*cannot have, U\+001B after"):
        unpack(connection, pack(connection, project), actor=COMMAND_LINE, name="again")


def test_colours_of_terminals_are_confirmed_where_the_file_can_have_them(light_store: Store) -> None:
    project = make(light_store, '{"a": "\\u001b[31mone"}', "a.json")
    assert confirm(light_store, project, 1, "\x1b[31meins").saved
    with light_store.read() as connection:
        assert export_file(connection, project, 1) == ("a.json", b'{"a": "\\u001b[31meins"}')


def test_like_segments_are_not_filled_with_what_does_not_fit(light_store: Store) -> None:
    project = make(light_store, repetitions="empty")
    broken = Outcome("k", 1, True, 1, 1, f"Drücke {OPEN}Start.", "translated", fresh=True)
    whole = Outcome("k", 1, True, 1, 1, f"Drücke {OPEN}Start{CLOSE}.", "translated", fresh=True)
    with light_store.write() as connection:
        access = access_of(connection, project.id, find_user(connection, "the-manager"))
        assert fill_repetitions(connection, access, [broken]) == []
        assert [each.place for each in fill_repetitions(connection, access, [whole])] == [3]


def test_a_package_with_confirmed_segments_that_cannot_be_written_is_refused(light_store: Store) -> None:
    project = make(light_store)
    break_it(light_store, 1, f"Drücke {OPEN}Start.")
    break_it(light_store, 3, f"Drücke {OPEN}Start.", "draft")
    with light_store.write() as connection:
        package = pack(connection, project)
        told = r"page\.html has confirmed segments .*: segment 1 \('Press Start\.'\): the code 'b' is not closed\. Cor"
        with pytest.raises(DataError, match=told):
            unpack(connection, package, actor=COMMAND_LINE, name="again")
    break_it(light_store, 1, f"Drücke {OPEN}Start.", "draft")
    with light_store.write() as connection:
        assert unpack(connection, pack(connection, project), actor=COMMAND_LINE, name="more").name == "more"


def test_a_rehearsal_does_not_go_on_without_its_confirmations(light_store: Store) -> None:
    project = make(light_store)
    texts = dict.fromkeys((row["source"] for row in rows(light_store, project)), f"{OPEN}x")
    with light_store.write() as connection, pytest.raises(DataError, match="Segment 1 cannot be confirmed"):
        rehearse_project(connection, project, "sim", WordEngine(), texts, begun=now())


def test_memories_of_others_lose_halves_of_pairs(tmp_path: Path) -> None:
    path = tmp_path / "m.tmx"
    half = '<bpt i="1">&lt;b&gt;</bpt>Halt'
    path.write_text(
        '<?xml version="1.0"?><tmx version="1.4"><header srclang="en" adminlang="en" segtype="sentence" '
        'datatype="html" o-tmf="x" creationtool="y" creationtoolversion="1"/><body><tu><tuv xml:lang="en"><seg>'
        f'{half.replace("Halt", "Stop")}<ept i="1">&lt;/b&gt;</ept></seg></tuv>'
        f"<tuv xml:lang='de'><seg>{half}</seg></tuv></tu></body></tmx>"
    )
    assert [(each.source, each.target) for each in read_tmx(path, "en", "de")] == [("\ue000Stop\ue001", "Halt")]


def test_the_command_writes_what_can_be_written_and_names_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [f"page{number:02}.html" for number in range(1, 16)]
    for name in names:
        Path(name).write_text(PAGE)
    assert CliRunner().invoke(group, ["cat", "new", "p", *names, "-l", "en-de"]).exit_code == 0
    store = Store(tmp_path / "dragoman.db")
    with store.write() as connection:
        add_user(connection, "ada", "annotator", "correct horse battery", actor=COMMAND_LINE)
    break_it(store, 1, f"Drücke {OPEN}Start.")
    break_it(store, 3, f"{OPEN}Start drücken.")
    break_it(store, 8, f"Eins{BREAK}{CLOSE}")
    store.close()
    done = CliRunner().invoke(group, ["cat", "export", "p", "-o", "out"])
    assert done.exit_code == 1
    assert str(done.exception).startswith("2 of 15 files were not written.\npage01.html cannot be written: segment 1: ")
    assert "; segment 3: " in str(done.exception)
    assert "\npage03.html cannot be written: segment 8: " in str(done.exception)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        name for name in names if name not in ("page01.html", "page03.html")
    ]
    assert "page02.html" in done.stdout
    assert "page01.html" not in done.stdout
