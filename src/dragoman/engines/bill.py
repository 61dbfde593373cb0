"""What asking costs: requests, tokens and money, where a service counts them."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

__all__ = ["Bill"]


@dataclass
class Bill:
    """What was asked so far; prices are for a million tokens. Threads may add to it."""

    price_in: float = 0.0
    price_out: float = 0.0
    n_requests: int = 0
    n_kept: int = 0  # answers that were on disk and cost nothing
    tokens_in: int = 0
    tokens_out: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    def add(self, tokens_in: int, tokens_out: int) -> None:
        """One more request was answered."""
        with self._lock:
            self.n_requests += 1
            self.tokens_in += tokens_in
            self.tokens_out += tokens_out

    def add_kept(self) -> None:
        """One more answer was on disk."""
        with self._lock:
            self.n_kept += 1

    @property
    def cost(self) -> float:
        """In whatever money the prices are."""
        return (self.tokens_in * self.price_in + self.tokens_out * self.price_out) / 1e6

    def __str__(self) -> str:
        parts = [f"requests: {self.n_requests}", f"tokens: {self.tokens_in} in, {self.tokens_out} out"]
        parts += [f"cost: {self.cost:.4f}"] if self.price_in or self.price_out else []
        parts += [f"answers that were on disk: {self.n_kept}"] if self.n_kept else []
        return "; ".join(parts)
