"""Sample data that the package carries, written for this project: a phrasebook in four languages and a test set."""

from dragoman.samples.copying import SampleFiles, copy_samples
from dragoman.samples.loading import PHRASEBOOK_LANGS, phrasebook, sample_path

__all__ = ["PHRASEBOOK_LANGS", "SampleFiles", "copy_samples", "phrasebook", "sample_path"]
