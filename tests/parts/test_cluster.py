"""A Dask cluster of real processes as a pool."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from dragoman.errors import DataError, NotAvailable
from dragoman.parts import Workshop, order
from dragoman.parts.cluster import ClusterPool
from tests.parts import jobs
from tests.parts.clusters import Cluster, running_cluster


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("dask"), 2) as running:
        yield running


def test_workers_carry_out_orders_and_one_killed_costs_its_part(cluster: Cluster, tmp_path: Path) -> None:
    pool = ClusterPool(cluster.address)
    shop = Workshop(tmp_path / "shop", pool)
    mark = str(tmp_path / "mark")
    folders = shop.map(jobs.die_once, [{"number": n, "mark": mark} for n in range(6)])
    assert [(folder / "number.txt").read_text() for folder in folders] == ["0", "2", "4", "6", "8", "10"]
    assert (tmp_path / "mark").exists()
    shop.map(jobs.double, [{"number": 7}])
    with pytest.raises(DataError, match=r"The disk of .*shop is full"):
        shop.map(jobs.fill_disk, [{"number": 1}])
    assert not list(shop.folder.glob("fill*"))
    pool.close()
    dead = [worker for worker in cluster.workers if worker.poll() is not None]
    assert len(dead) == 1
    cluster.add_worker()


def test_workers_of_another_version_are_named(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = ClusterPool(cluster.address)
    monkeypatch.setattr(order.Order.__init__, "__defaults__", (False, "0.0.1"))
    with pytest.raises(DataError, match=r"The worker on .* has dragoman .*, who asks it 0\.0\.1\. Install the same"):
        Workshop(tmp_path, pool).map(jobs.double, [{"number": 7}])
    pool.close()


def test_a_lost_scheduler_is_named_and_the_rest_done_by_another(tmp_path: Path) -> None:
    with running_cluster(tmp_path / "dask", 1) as cluster:
        pool = ClusterPool(cluster.address)
        shop = Workshop(tmp_path / "shop", pool)
        shop.map(jobs.double, [{"number": 1}])
        assert cluster.scheduler is not None
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        with pytest.raises(
            DataError, match=r"The Dask scheduler at tcp://\S+ was lost\. Start it and its workers again"
        ):
            shop.map(jobs.double, [{"number": n} for n in range(4)])
        pool.close()
    again = Workshop(tmp_path / "shop")
    again.map(jobs.double, [{"number": n} for n in range(4)])
    assert again.n_done == 3


def test_an_address_that_nobody_answers_is_named() -> None:
    with pytest.raises(DataError, match=r"There is no Dask scheduler at tcp://127\.0\.0\.1:9 \(.*dask scheduler"):
        ClusterPool("tcp://127.0.0.1:9")
    with pytest.raises(DataError, match=r"There is no Dask scheduler at nonsense"):
        ClusterPool("nonsense")


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NotAvailable, match=r'pip install "dragoman\[scale\]"'):
        ClusterPool("tcp://127.0.0.1:9")
