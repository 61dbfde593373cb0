"""Make the sample of post-edits: the outputs of cobalt, the references as post-edits, effort simulated.

Nobody was asked: score, seconds and keystrokes are drawn from the edits, the length and chance.
"""

from __future__ import annotations

from pathlib import Path

from dragoman.metrics import hter
from dragoman.rng import Stream
from dragoman.samples import sample_path
from dragoman.text import TOKENISERS


def main() -> None:
    """Write studies/post-editing/post-edits.tsv beside the samples."""
    samples = Path(sample_path("phrasebook.tsv")).parent
    folder = samples / "testset"
    source, output, edited = (
        (folder / name).read_text(encoding="utf-8").splitlines()
        for name in ("source.de", "systems/cobalt.en", "reference-A.en")
    )
    tokenise = TOKENISERS.make("13a").tokenise
    edits = hter(tokenise(output), tokenise(edited)).values
    chance = Stream(1, "sample post-edits").uniform(3 * len(output)).reshape(-1, 3)
    rows = ["source\toutput\tpost_edit\teffort\tseconds\tkeystrokes"]
    for src, out, post, ter, draw in zip(source, output, edited, edits, chance, strict=True):
        words = len(out.split())
        felt = 5.2 - 3.4 * ter - 0.05 * words + 1.6 * (draw[0] - 0.5)
        score = min(5.0, max(1.0, round(3 * felt) / 3))  # the mean of three judges
        seconds = words * (0.8 + 5.0 * ter) * (0.6 + 0.8 * draw[1])
        keys = 6.0 * words * ter * (0.8 + 0.6 * draw[2])
        rows.append(f"{src}\t{out}\t{post}\t{score:.2f}\t{seconds:.1f}\t{keys:.0f}")
    target = samples / "studies" / "post-editing" / "post-edits.tsv"
    target.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
