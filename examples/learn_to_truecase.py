"""Train a truecaser, save it, load it again, use it."""

from pathlib import Path
from tempfile import TemporaryDirectory

from dragoman.samples import phrasebook
from dragoman.text import MosesDetokeniser, MosesTokeniser, Truecaser, TruecaseRecipe

tokenised = MosesTokeniser(lang="de").tokenise(phrasebook()["de"])

with TemporaryDirectory() as folder:
    TruecaseRecipe(lang="de").train(tokenised).save(Path(folder) / "truecaser")
    truecaser = Truecaser.load(Path(folder) / "truecaser")

print(len(truecaser), "words;", "Zug:", truecaser.forms("zug"))
in_true_case = truecaser.apply(tokenised[:3])
print("\n".join(in_true_case))
print("\n".join(MosesDetokeniser(lang="de").detokenise(truecaser.undo(in_true_case))))
