"""Orders carried out here and by processes: results by name, deaths, full disks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.errors import DataError
from dragoman.parts import InProcess, LocalProcesses, Order, Workshop, carry_out, open_pool
from tests.parts import jobs


def numbers(folders: list[Path]) -> list[int]:
    return [int((folder / "number.txt").read_text()) for folder in folders]


def test_results_come_in_the_order_of_arguments_and_are_made_once(tmp_path: Path) -> None:
    shop = Workshop(tmp_path / "shop")
    asked = [{"number": n} for n in (3, 1, 3)]
    folders = shop.map(jobs.double, asked)
    assert numbers(folders) == [6, 2, 6]
    assert (folders[0] == folders[2], shop.n_done) == (True, 2)
    again = Workshop(tmp_path / "shop")
    assert (again.map(jobs.double, asked), again.n_done) == (folders, 0)
    shop.clear()
    assert not (tmp_path / "shop").exists()


def test_processes_give_what_one_gives_and_a_killed_one_costs_its_part(tmp_path: Path) -> None:
    with open_pool(2) as pool:
        assert isinstance(pool, LocalProcesses)
        shop = Workshop(tmp_path / "shop", pool)
        mark = str(tmp_path / "mark")
        folders = shop.map(jobs.die_once, [{"number": n, "mark": mark} for n in range(4)])
        assert numbers(folders) == [0, 2, 4, 6]
        assert pool.n_lost == 1
        with pytest.raises(DataError, match=r"killed 3 times at die, perhaps for want of memory.*what is done is kept"):
            shop.map(jobs.die, [{"number": 1}])
        assert numbers(shop.map(jobs.double, [{"number": 5}])) == [10]


def test_nothing_half_done_is_left_by_a_full_disk(tmp_path: Path) -> None:
    shop = Workshop(tmp_path / "shop")
    with pytest.raises(DataError, match=r"The disk of .*shop is full \(fill-disk, .*Make room, then run the same"):
        shop.map(jobs.fill_disk, [{"number": 1}])
    assert [path.name for path in shop.folder.iterdir()] == ["shared.txt"]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.txt: No such file or directory \(miss, "):
        Workshop(tmp_path).map(jobs.miss, [{"path": str(tmp_path / "nowhere.txt")}])


def test_workers_of_another_version_or_with_another_disk_refuse(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    shop.map(jobs.double, [])
    seal = (tmp_path / "shared.txt").read_text()
    order = Order(jobs.double, {"number": 1}, str(tmp_path), seal)
    with pytest.raises(DataError, match=r"has dragoman [\d.]+.*, who asks it 0\.0\. Install the same version"):
        carry_out(replace(order, version="0.0"))
    with pytest.raises(DataError, match=r"does not see the work directory .*Put it \(--work\) on a disk that all"):
        carry_out(replace(order, seal="another"))
    with pytest.raises(DataError, match="does not see the work directory"):
        carry_out(replace(order, results=str(tmp_path / "elsewhere")))
    carry_out(order)
    assert order.done


def test_no_workers_are_no_pool_and_less_are_refused() -> None:
    with open_pool() as pool:
        assert pool is None
    with pytest.raises(DataError, match="at least one worker, got 0"):
        LocalProcesses(0)
    InProcess().close()
