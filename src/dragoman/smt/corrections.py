"""Word links from corrections: between an output and its correction, and hence between source and correction.

Formiga et al. (TALP-UPC, WMT 2012): words that the shortest edits leave as they are are linked; each other word of the
output goes to the word of the correction that is most like it, by its form, its neighbours and the engine's lexicon;
and a source word is linked to a word of the correction if both are linked to one word of the output.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dragoman.metrics.traces import Trace, ter_trace
from dragoman.options import Recipe, option

__all__ = ["CorrectionLinks", "Links", "composed"]

Links = list[tuple[int, int]]
Lexicon = Callable[[str, str], float]  # p(target word | source word)


@dataclass(frozen=True)
class CorrectionLinks(Recipe):
    """What makes a word of an output like one of its correction; the paper does not say how much each counts."""

    identical: float = option(1.0, low=0, text="both are the same word, somewhere else")
    neighbours: float = option(0.5, low=0, text="the words before them, or behind, are linked to each other")
    lexical: float = option(1.0, low=0, text="times p(correction | source) of the source words of the output's word")

    def link(
        self,
        sources: Sequence[str],
        outputs: Sequence[str],
        corrections: Sequence[str],
        output_links: Sequence[Links],
        lexicon: Lexicon,
        *,
        n_threads: int = 1,
    ) -> list[Links]:
        """Links between tokenised sources and corrections, of outputs whose links to the sources are known."""
        traces = ter_trace(outputs, [corrections], case_sensitive=True, n_threads=n_threads)
        return [
            composed(links, self.of_trace(trace, source.split(), links, lexicon))
            for source, links, trace in zip(sources, output_links, traces, strict=True)
        ]

    def of_trace(self, trace: Trace, source: Sequence[str], output_links: Links, lexicon: Lexicon) -> Links:
        """Links between an output and its correction."""
        links = {
            (step.hyp, step.ref)
            for step in trace.steps()
            if step.operation == "match" and step.hyp is not None and step.ref is not None
        }
        kept_hyp, kept_ref = {h for h, _ in links}, {r for _, r in links}
        free = [place for place in range(len(trace.ref)) if place not in kept_ref]
        said = {h: [source[s] for s, t in output_links if t == h] for h in range(len(trace.hyp))}
        for h in range(len(trace.hyp)):
            if h in kept_hyp or not free:
                continue
            scored = [(self._likeness(trace, h, r, said[h], links, lexicon), -r) for r in free]
            best, place = max(scored)
            if best > 0:
                links.add((h, -place))
        return sorted(links)

    def _likeness(
        self, trace: Trace, h: int, r: int, said: Sequence[str], links: set[tuple[int, int]], lexicon: Lexicon
    ) -> float:
        same = trace.hyp[h] == trace.ref[r]
        beside = (h - 1, r - 1) in links or (h + 1, r + 1) in links
        lexical = max((lexicon(word, trace.ref[r]) for word in said), default=0.0)
        return self.identical * same + self.neighbours * beside + self.lexical * lexical


def composed(first: Links, second: Links) -> Links:
    """Links a-c where some b is linked to both."""
    of_middle: dict[int, list[int]] = {}
    for b, c in second:
        of_middle.setdefault(b, []).append(c)
    return sorted({(a, c) for a, b in first for c in of_middle.get(b, ())})
