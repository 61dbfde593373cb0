"""Clean a bitext and count what is left."""

from dragoman.corpus import clean, corpus_statistics
from dragoman.data.bitext import Bitext
from dragoman.samples import phrasebook
from dragoman.text import TOKENISERS

sentences = phrasebook()
bitext = Bitext.from_lines(sentences["es"], sentences["fr"], source_lang="es", target_lang="fr")

cleaning = clean(bitext, ["length:high=12", "ratio:high=1.6"])
print(cleaning.render())

tokenisers = {lang: TOKENISERS.make(f"moses:lang={lang}") for lang in ("es", "fr")}
print(corpus_statistics(cleaning.kept, tokeniser=tokenisers).render())
