"""A translation model of the `transformers` library from a local folder: Marian, M2M-100, NLLB, T5 and their like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.neural.decoding import Output, PieceEngine
from dragoman.options import check_options, option
from dragoman.text.encoders import load_pretrained

__all__ = ["TransformersEngine"]

_DIGITS = 5  # of scores
_BATCH = 16  # sources of one length at a time


@dataclass(frozen=True)
class TransformersEngine(PieceEngine):
    """A net that translates, in a folder as `save_pretrained` writes it: `transformers:FOLDER,source=de,target=en`.

    The folder has the tokeniser, too; nothing is downloaded. A net of many languages is told which by the codes that it
    was trained with: NLLB `source_code=deu_Latn,target_code=eng_Latn`, M2M-100 `source_code=de,target_code=en`; T5 by
    an `instruction`.
    """

    name: ClassVar[str] = "transformers"

    folder: str = option("", positional=True, text="folder with config.json, weights and tokeniser")
    source: str = option("", text="language translated from")
    target: str = option("", text="language translated into")
    source_code: str = option("", text="what the net calls the source language")
    target_code: str = option("", text="what the net calls the target language")
    instruction: str = option("", text="text before every source: translate English to German:")
    beam: int = option(4, low=1, high=1000, text="hypotheses that the search follows")
    max_length: int = option(200, low=2, text="pieces of a source at most; a longer one is translated in parts")
    device: str = option("cpu", choices=("cpu", "cuda"), text="where it is decoded")

    def __post_init__(self) -> None:
        check_options(self)
        missing = [name for name in ("folder", "source", "target") if not getattr(self, name)]
        if missing:
            raise DataError(
                f"The engine transformers needs {' and '.join(missing)}: transformers:FOLDER,source=de,target=en."
            )
        _ = self._marks  # the folder and the codes are looked at before any work

    @property
    def languages(self) -> tuple[str, str]:
        """As they were given."""
        return self.source, self.target

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """The tokeniser and the net."""
        tokeniser, net = load_pretrained(self.folder, "AutoModelForSeq2SeqLM")
        if self.source_code:
            tokeniser.src_lang = self.source_code
        if self.target_code and hasattr(tokeniser, "tgt_lang"):
            tokeniser.tgt_lang = self.target_code
        return tokeniser, net.to(self.device)

    @cached_property
    def _marks(self) -> list[int]:
        """What the decoder begins with: its start, and the code of the target language."""
        tokeniser, net = self._loaded
        start = [net.config.decoder_start_token_id]
        if not self.target_code:
            return start
        code = tokeniser.convert_tokens_to_ids(self.target_code)
        if code in (None, tokeniser.unk_token_id):
            code = tokeniser.convert_tokens_to_ids(f"__{self.target_code}__")  # as M2M-100 writes them
        if code in (None, tokeniser.unk_token_id):
            raise DataError(f"The net in {self.folder} knows no language {self.target_code!r}.")
        return [*start, code]

    def cut(self, lines: Sequence[str]) -> list[list[str]]:
        """Sources in pieces."""
        return [list(self._loaded[0].tokenize(line)) for line in lines]

    def cut_targets(self, lines: Sequence[str]) -> list[list[str]]:
        """Translations in pieces."""
        tokeniser, _ = self._loaded
        ids = [tokeniser(text_target=line, add_special_tokens=False)["input_ids"] if line else [] for line in lines]
        return [list(tokeniser.convert_ids_to_tokens(each)) for each in ids]

    def text(self, pieces: Sequence[str]) -> str:
        """Pieces of a translation as text."""
        tokeniser, _ = self._loaded
        ids = tokeniser.convert_tokens_to_ids(list(pieces))
        return str(tokeniser.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)).strip()

    def outputs(
        self,
        sources: list[list[str]],
        prefixes: Sequence[list[str]] | None,
        *,
        n_best: int,
        attention: bool,
        alternatives: bool,
        n_threads: int,  # noqa: ARG002, torch has its own
    ) -> list[list[Output]]:
        """What the search finds: each at the mean log-probability of its pieces, best first."""
        found: list[list[Output]] = [[] for _ in sources]
        beginnings = prefixes or [[]] * len(sources)
        for places in self._batches(sources, beginnings):
            # Those of a batch are of one length, so that none is filled up and none depends on the others.
            lists = self._searched([sources[k] for k in places], [beginnings[k] for k in places], n_best, alternatives)
            for place, hypotheses in zip(places, lists, strict=True):
                outputs = [self._output(sources[place], pieces, attention) for pieces in hypotheses]
                found[place] = sorted(outputs, key=lambda each: -each.score)[:n_best]
        return found

    @staticmethod
    def _batches(sources: Sequence[list[str]], prefixes: Sequence[list[str]]) -> list[list[int]]:
        by_length: dict[tuple[int, int], list[int]] = {}
        for place, (source, prefix) in enumerate(zip(sources, prefixes, strict=True)):
            by_length.setdefault((len(source), len(prefix)), []).append(place)
        return [places[k : k + _BATCH] for places in by_length.values() for k in range(0, len(places), _BATCH)]

    def _searched(
        self, sources: list[list[str]], prefixes: list[list[str]], n_best: int, alternatives: bool
    ) -> list[list[list[str]]]:
        """The pieces of the hypotheses of each source, behind its prefix."""
        if alternatives:
            return [self._alternatives(*each, n_best) for each in zip(sources, prefixes, strict=True)]
        _, net = self._loaded
        n_beams = max(self.beam, n_best)
        longest = self.longest(sources[0], prefixes[0])
        ids = net.generate(
            input_ids=self._tensor([self._source_ids(source) for source in sources]),
            decoder_input_ids=self._tensor([self._target_ids(prefix) for prefix in prefixes]),
            num_beams=n_beams,
            num_return_sequences=n_beams,
            max_length=None,
            max_new_tokens=max(1, longest - len(prefixes[0])),
            do_sample=False,
            forced_bos_token_id=None,
            length_penalty=1.0,
        ).tolist()
        pieces = [self._unmarked(row) for row in ids]
        return [_different(pieces[k : k + n_beams]) for k in range(0, len(pieces), n_beams)]

    def _unmarked(self, ids: list[int]) -> list[str]:
        """The pieces before the end."""
        tokeniser, net = self._loaded
        ids = ids[len(self._marks) :]
        ends = [place for place, each in enumerate(ids) if each in (net.config.eos_token_id, net.config.pad_token_id)]
        return list(tokeniser.convert_ids_to_tokens(ids[: ends[0]] if ends else ids))

    def _alternatives(self, source: list[str], prefix: list[str], n: int) -> list[list[str]]:
        """The best way on with each of the `n` likeliest next pieces."""
        tokeniser, net = self._loaded
        logs, _ = self._forced(source, prefix)
        likeliest = logs[-1].topk(min(n, logs.shape[-1])).indices.tolist()
        ways = []
        for piece in likeliest:
            if piece in (net.config.eos_token_id, net.config.pad_token_id):
                ways.append(list(prefix))
            else:
                begun = [*prefix, tokeniser.convert_ids_to_tokens(piece)]
                ways.append(self._searched([source], [begun], 1, False)[0][0])
        return _different(ways)

    def _output(self, source: list[str], pieces: list[str], attention: bool) -> Output:
        logs, looks = self._log_probabilities(source, pieces)
        if len(pieces) >= self.longest(source, []):
            logs = logs[:-1]  # the search was stopped, and its end is no part of its score
        return Output(pieces, round(sum(logs) / max(1, len(logs)), _DIGITS), looks if attention else ())

    def log_probabilities(self, source: list[str], target: list[str]) -> list[float]:
        """Of each piece of a given translation, and last of its end."""
        if not source or not target:
            return [0.0] * (len(target) + 1)
        return self._log_probabilities(source, target)[0]

    def _log_probabilities(self, source: list[str], target: list[str]) -> tuple[list[float], list[list[float]]]:
        tokeniser, net = self._loaded
        logs, looks = self._forced(source, target)
        ids = [*tokeniser.convert_tokens_to_ids(target), net.config.eos_token_id]
        return [float(row[each]) for row, each in zip(logs, ids, strict=True)], looks

    def _forced(self, source: list[str], target: list[str]) -> tuple[Any, list[list[float]]]:
        """Of each place of a target and its end: the log-probabilities of all pieces, and who looked at which piece."""
        import torch

        _, net = self._loaded
        given = self._source_ids(source)
        with torch.no_grad():
            answer = net(
                input_ids=self._tensor([given]),
                decoder_input_ids=self._tensor([self._target_ids(target)]),
                output_attentions=True,
            )
        first = len(self._marks) - 1
        # The mean over layers and heads; the pieces of the source stand where the tokeniser put nothing of its own.
        looks = torch.stack(answer.cross_attentions).mean(dim=(0, 2))[0]
        begin = self._source_begin(given, source)
        rows = looks[first:, begin : begin + len(source)].tolist()
        return answer.logits[0, first:].float().log_softmax(-1), rows

    def _source_ids(self, source: list[str]) -> list[int]:
        tokeniser, _ = self._loaded
        instruction = tokeniser.tokenize(self.instruction) if self.instruction else []
        ids = tokeniser.convert_tokens_to_ids([*instruction, *source])
        return list(tokeniser.build_inputs_with_special_tokens(ids))

    def _source_begin(self, given: list[int], source: list[str]) -> int:
        ids = self._loaded[0].convert_tokens_to_ids(source)
        fitting = (place for place in range(len(given) - len(ids), -1, -1) if given[place : place + len(ids)] == ids)
        return next(fitting, 0)

    def _target_ids(self, prefix: list[str]) -> list[int]:
        return [*self._marks, *self._loaded[0].convert_tokens_to_ids(prefix)]

    def _tensor(self, rows: list[list[int]]) -> Any:
        import torch

        return torch.tensor(rows, device=self.device)


def _different(hypotheses: list[list[str]]) -> list[list[str]]:
    """Each once, in order."""
    return [list(each) for each in dict.fromkeys(map(tuple, hypotheses))]
