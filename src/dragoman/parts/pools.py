"""Who carries out orders: this process, several on this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from threading import Lock
from typing import Protocol

from dragoman.errors import DataError
from dragoman.parts.accounts import Account
from dragoman.parts.order import Order, carry_out

__all__ = ["RETRIES", "InProcess", "LocalProcesses", "Pool", "open_pool"]

RETRIES = 3  # how often workers may die without a part being done


class Pool(Protocol):
    """Carries out orders, in any order; those that are done stay done when one fails."""

    n_lost: int  # workers that died
    n_at_once: int  # threads that may ask it at a time

    def run(self, orders: Sequence[Order]) -> list[Account]:
        """Carry out all, or raise what the first that failed raised; what they took, as far as anybody lived to say."""

    def stop(self) -> None:
        """Give up what is being done: nobody waits for it any more."""

    def close(self) -> None:
        """Let the workers go."""


class InProcess:
    """One part after the other, here."""

    n_at_once = 1

    def __init__(self) -> None:
        self.n_lost = 0

    def run(self, orders: Sequence[Order]) -> list[Account]:
        """Carry out all."""
        return [account for order in orders if (account := carry_out(order))]

    def stop(self) -> None:
        """Nobody works."""

    def close(self) -> None:
        """Nobody waits."""


class LocalProcesses:
    """Processes of this machine, started when the first order comes."""

    n_at_once = 4

    def __init__(self, n_workers: int) -> None:
        if n_workers < 1:
            raise DataError(f"There must be at least one worker, got {n_workers}.")
        self.n_workers = n_workers
        self.n_lost = 0
        self._pool: ProcessPoolExecutor | None = None
        self._lock = Lock()
        self._is_stopped = False

    def run(self, orders: Sequence[Order]) -> list[Account]:
        """Carry out all; when a process dies, the parts that are not done go to new ones."""
        waiting = list(orders)
        accounts: list[Account] = []
        deaths = 0  # since a part was last done
        while waiting:
            before = len(waiting)
            pool = self._started()
            try:
                _carry_out_all(pool, waiting, accounts)
            except BrokenProcessPool:
                if self._is_stopped:
                    raise DataError("The work was stopped; what is done is kept.") from None
                self._bury(pool)
            waiting = [order for order in waiting if not order.done]
            deaths = deaths + 1 if len(waiting) == before else 0
            if deaths >= RETRIES:
                raise DataError(
                    f"A worker process was killed {deaths} times at {waiting[0].name}, perhaps for want of memory. "
                    "Take fewer workers or smaller parts, then run the same command again: what is done is kept."
                )
        return accounts

    def _started(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                # Not forked: a fork of a process that has threads may hang.
                self._pool = ProcessPoolExecutor(self.n_workers, mp_context=multiprocessing.get_context("spawn"))
            return self._pool

    def _bury(self, pool: ProcessPoolExecutor) -> None:
        """Let go of processes one of which died; whoever sees it first does."""
        with self._lock:
            if self._pool is pool:
                self.n_lost += 1
                self._pool = None
        pool.shutdown(cancel_futures=True)

    def stop(self) -> None:
        """End the processes in the middle of their parts, which are made again in a next run."""
        with self._lock:
            self._is_stopped = True
            processes = list(self._pool._processes.values()) if self._pool is not None else []
        for process in processes:
            process.terminate()

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _carry_out_all(pool: ProcessPoolExecutor, orders: Sequence[Order], accounts: list[Account]) -> None:
    with _uninterrupted():  # the processes start as they are needed
        futures = [pool.submit(carry_out, order) for order in orders]
    try:
        accounts += (account for future in as_completed(futures) if (account := future.result()))
    finally:
        for future in futures:
            future.cancel()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes that are started inside do not hear Ctrl-C, which the terminal sends to all: this one ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def open_pool(n_workers: int = 0, cluster: str | None = None) -> Iterator[Pool | None]:
    """The pool of a command's options: none for 0 workers and no cluster."""
    pool: Pool | None = None
    if cluster is not None:
        from dragoman.parts.cluster import ClusterPool

        pool = ClusterPool(cluster)
    elif n_workers:
        pool = LocalProcesses(n_workers)
    try:
        yield pool
    except KeyboardInterrupt:
        if pool is not None:
            pool.stop()
        raise
    finally:
        if pool is not None:
            pool.close()
