"""An engine whose pieces CTranslate2 decodes, ours or anybody's."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from dragoman.neural.decoding import Output, PieceEngine

__all__ = ["DecodedEngine"]

_BATCH = 1024  # pieces of sources translated together
_SCORED = 4096  # pieces of given translations scored together
_DIGITS = 5  # of scores: the sums of a batch depend in their last bits on who else is in it


class DecodedEngine(PieceEngine):
    """An engine of pieces that has a translator of CTranslate2's."""

    # Pieces that a net wants before and behind every source, and before every translation, and nobody is to see.
    source_marks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    target_marks: tuple[str, ...] = ()

    @abstractmethod
    def translator(self, n_threads: int = 1) -> Any:
        """CTranslate2's, which translates so many batches at a time."""

    def outputs(
        self,
        sources: list[list[str]],
        prefixes: Sequence[list[str]] | None,
        *,
        n_best: int,
        attention: bool,
        alternatives: bool,
        n_threads: int,
    ) -> list[list[Output]]:
        """What the search finds, without marks."""
        beginnings = prefixes or [[]] * len(sources)
        limits = [self.longest(*each) for each in zip(sources, beginnings, strict=True)]
        # A search is limited by its own source alone, whoever else is asked for.
        pending: dict[int, Any] = {}
        for limit in sorted(set(limits)):
            places = [place for place, own in enumerate(limits) if own == limit]
            answers = self.translator(n_threads).translate_batch(
                [self._marked(sources[place]) for place in places],
                target_prefix=[[*self.target_marks, *beginnings[place]] for place in places],
                max_batch_size=_BATCH,
                batch_type="tokens",
                beam_size=max(self.beam, 1 if alternatives else n_best),
                num_hypotheses=n_best,
                return_alternatives=alternatives,
                max_input_length=0,
                max_decoding_length=limit,
                return_scores=True,
                return_attention=attention,
                asynchronous=True,
            )
            pending.update(zip(places, answers, strict=True))
        return [self._unpacked(pending[place].result(), len(source)) for place, source in enumerate(sources)]

    def _unpacked(self, result: Any, n_source: int) -> list[Output]:
        """CTranslate2's hypotheses without marks."""
        looks = result.attention or [()] * len(result.hypotheses)
        return [
            Output(
                pieces[len(self.target_marks) :],
                round(score * self._share(len(pieces)), _DIGITS),
                self._unmarked(attention, n_source),
            )
            for pieces, score, attention in zip(result.hypotheses, result.scores, looks, strict=True)
        ]

    def _share(self, n_pieces: int) -> float:
        """What makes a mean over all pieces and the end, of which marks have no part, one over the others."""
        return (n_pieces + 1) / (n_pieces - len(self.target_marks) + 1)

    def _marked(self, source: list[str]) -> list[str]:
        before, behind = self.source_marks
        return [*before, *source, *behind]

    def _unmarked(self, attention: Sequence[Sequence[float]], n_source: int) -> list[Sequence[float]]:
        """Who looked where, without what is not text."""
        begin = len(self.source_marks[0])
        return [row[begin : begin + n_source] for row in attention[len(self.target_marks) :]]

    def log_probabilities(self, source: list[str], target: list[str]) -> list[float]:
        """Of each piece of a given translation, and last of its end."""
        return self.many_log_probabilities([source], [target])[0]

    def many_log_probabilities(
        self, sources: Sequence[list[str]], targets: Sequence[list[str]], *, n_threads: int = 1
    ) -> list[list[float]]:
        """Of each piece of given translations, and last of their ends; zeros where a side has no piece."""
        logs = [[0.0] * (len(target) + 1) for target in targets]
        full = [place for place, both in enumerate(zip(sources, targets, strict=True)) if all(both)]
        if not full:
            return logs
        results = self.translator(n_threads).score_batch(
            [self._marked(sources[place]) for place in full],
            [[*self.target_marks, *targets[place]] for place in full],
            max_batch_size=_SCORED,
            batch_type="tokens",
            max_input_length=0,
        )
        for place, each in zip(full, results, strict=True):
            logs[place] = list(each.log_probs[len(self.target_marks) :])
        return logs
