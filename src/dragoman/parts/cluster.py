"""The workers of a Dask cluster as a pool. Dask hands a part of a dead worker to another one by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from dragoman.errors import DataError, NotAvailable
from dragoman.parts.accounts import Account
from dragoman.parts.order import Order, carry_out

__all__ = ["ClusterPool"]

_CONNECT = 10.0  # seconds to find a scheduler
_WORKERS = 30.0  # seconds to wait for the first worker
_AGAIN = "then run the same command again: what is done is kept."


class ClusterPool:
    """Gives orders to the workers of a scheduler, which must see the work directory under the same name."""

    n_at_once = 4

    def __init__(self, address: str) -> None:
        self.address = address
        self.n_lost = 0
        self._client = _connected(address)

    def run(self, orders: Sequence[Order]) -> list[Account]:
        """Carry out all."""
        if not orders:
            return []
        self._need_workers()
        names = [f"dragoman-{order.key}-{uuid4().hex[:8]}" for order in orders]
        futures = [
            self._client.submit(carry_out, order, key=name, pure=False)
            for order, name in zip(orders, names, strict=True)
        ]
        accounts: list[Account] = []
        try:
            done = _distributed().as_completed(futures, loop=self._client.loop, with_results=True, raise_errors=False)
            for future, account in done:
                self._check(future)
                if account:
                    accounts.append(account)
        finally:
            if self._client.status == "running":
                self._client.cancel(futures)
        return accounts

    def _check(self, future: Any) -> None:
        """Raise what became of an order that was not carried out."""
        status = future.status
        if status == "finished":
            return
        if status != "error":
            raise self._lost()
        error = future.exception(timeout=_CONNECT)
        if isinstance(error, _distributed().KilledWorker):
            name = str(error.task).removeprefix("dragoman-").rpartition("-")[0]
            raise DataError(
                f"Workers of {self.address} died again and again at {name}, perhaps for want of memory. Give them "
                f"more, or take smaller parts, {_AGAIN}"
            )
        if isinstance(error, ImportError):
            raise DataError(f"A worker of {self.address} cannot load dragoman ({error}). Install it there, {_AGAIN}")
        raise error

    def _lost(self) -> DataError:
        return DataError(f"The Dask scheduler at {self.address} was lost. Start it and its workers again, {_AGAIN}")

    def _need_workers(self) -> None:
        try:
            if self._client.status == "running":
                self._client.wait_for_workers(1, timeout=_WORKERS)
        except (TimeoutError, OSError, ValueError):
            if self._client.status != "running":
                raise self._lost() from None
            raise DataError(
                f"The Dask scheduler at {self.address} has no workers. Start some with: dask worker {self.address}"
            ) from None
        if self._client.status != "running":
            raise self._lost()

    def stop(self) -> None:
        """Leave the cluster at once: who waits for it learns that it is gone."""
        self.close()

    def close(self) -> None:
        """Leave the cluster; it goes on."""
        self._client.close(timeout=2)


def _distributed() -> Any:
    """Dask's package, whose functions have no types."""
    try:
        import distributed
    except ImportError:
        raise NotAvailable.package("A cluster", package="distributed", extra="scale") from None
    return distributed


def _connected(address: str) -> Any:
    try:
        return _distributed().Client(address, timeout=_CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        reason = str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__
        raise DataError(f"There is no Dask scheduler at {address} ({reason}). Start one with: dask scheduler") from None
