"""The samples as files in a folder of the user's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from dragoman.errors import DataError
from dragoman.files import StrPath, read_lines, write_lines
from dragoman.report import Table
from dragoman.report.result import Result
from dragoman.samples.loading import PHRASEBOOK_LANGS, phrasebook, sample_path

__all__ = ["SampleFiles", "copy_samples"]

# What is copied, and what it is.
_FILES = {
    "phrasebook.tsv": "600 sentences, each in English, German, Spanish and French, with id and domain",
    "testset/README.md": "what is in the test set and how it was made",
    "testset/source.de": "80 German segments in ten documents",
    "testset/reference-A.en": "English reference, the closer one",
    "testset/reference-B.en": "English reference, the freer one",
    "testset/documents.tsv": "document, domain and original language of each segment",
    "testset/systems/atlas.en": "output in the manner of a strong neural system",
    "testset/systems/borealis.en": "output in the manner of a good neural system",
    "testset/systems/cobalt.en": "output in the manner of a phrase-based system",
    "testset/systems/dune.en": "output in the manner of a rule-based system",
    "testset/systems/ember.en": "output in the manner of a weak small engine",
    "testset/quality.tsv": "one opinion on the adequacy of every output, 0–100",
    "testset/judgements/ranking.csv": "simulated five-way rankings, WMT format",
    "testset/judgements/da.csv": "simulated direct assessments with control items",
    "testset/campaign.toml": "manifest of a campaign that judges the five systems",
    "testset/parsed.de.conllu": "dependency trees of the first 12 source segments",
    "testset/parsed.en.conllu": "dependency trees of the first 24 segments of reference A",
    "task/task.toml": "a shared task on the test set: teams, a deadline, a test set, a subtask of quality",
    "task/adequacy.gold": "the opinions on dune, a line a segment: gold standard of the subtask",
    "task/length.estimates": "estimates of them that look at the length of the output alone",
    "ladder.toml": "a recipe with the rungs of a ladder, for engines de-en",
    "recipes/medical-interpolated.toml": "an engine of a field's text and other text: models and tables interpolated",
    "recipes/medical-selected.toml": "the same with what was selected of the other text",
    "recipes/medical-numbers.toml": "the same filled up, with numbers as one word, a dictionary and more target text",
    "recipes/medical-queries.toml": "an engine for queries: terms first, words in order",
    "names.en.bio": "150 English sentences whose names are marked: persons, places, organisations, others",
    "treebank.es.conllu": "dependency trees of 24 Spanish sentences, with multiword tokens",
    "studies/frames/sentences": "semantic frames for HMEANT: six segments, two systems, two annotators",
    "studies/frames/sentences_text": "their tokens",
    "studies/frames/annotations": "who annotated which text",
    "studies/frames/actions": "the actions, one token each",
    "studies/frames/slots": "the fillers of their roles",
    "studies/frames/action_aligns": "links between actions of reference and output",
    "studies/frames/slot_aligns": "links between fillers",
    "studies/crowd/translations.tsv": "twelve segments, each translated by four simulated workers",
    "studies/crowd/votes.tsv": "simulated votes of five people on the best translation",
    "studies/crowd/machine.tsv": "machine translations of the same segments",
    "studies/crowd/answers.tsv": "simulated answers of three workers to dictionary items",
    "studies/crowd/keys.tsv": "right answers to those that are controls",
    "studies/post-editing/post-edits.tsv": "outputs and post-edits with simulated effort, seconds and keystrokes",
    "studies/understandability/reviews.tsv": "simulated edits made without the source, and their reviews",
    "studies/comprehension/questions.tsv": "a comprehension test: 16 questions on four passages",
    "studies/comprehension/answers.tsv": "simulated marks of six listeners' answers",
    "studies/comprehension/ratings.tsv": "what they thought of the quality, 1–5",
    "studies/comprehension/presence.tsv": "whether the answer was there after each stage of the system",
}


@dataclass(frozen=True)
class SampleFiles(Result):
    """The sample files that were written."""

    kind: ClassVar[str] = "samples"

    folder: str
    files: tuple[tuple[str, int, str], ...]  # path below the folder, lines, what it is

    def tables(self) -> list[Table]:
        """One row per file."""
        return [Table.of(f"Samples in {self.folder}", ["file", "lines", "content"], self.files)]


def copy_samples(folder: StrPath) -> SampleFiles:
    """Write the samples into a folder, the phrasebook also as one line file per language.

    Files that are there already are replaced if they are samples, and nothing else is touched.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise DataError(f"{target} is a file; name a folder for the samples.")
    rows = []
    for name, content in _FILES.items():
        rows.append((name, _write(target / name, read_lines(sample_path(name))), content))
    sentences = phrasebook()
    for lang in PHRASEBOOK_LANGS:
        name = f"phrasebook.{lang}"
        rows.append((name, _write(target / name, sentences[lang]), f"the phrasebook's column {lang}, one line each"))
    return SampleFiles(str(target), tuple(rows))


def _write(path: Path, lines: list[str]) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_lines(path, lines)
