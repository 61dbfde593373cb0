"""Interactive prediction: keys and clicks for Multi30k's test sentences (de-en), ours against Thot's, same run.

Both are trained on the same 29,000 pairs; ours is an engine's folder (`dragoman smt train`), Thot (`sil-thot` and
`sil-machine` from PyPI) is trained here as its own package trains it, into a folder that is kept. The simulated user is
the same (`cat.simulation`). Bars: KSMR 40 % below typing from scratch, below character post-editing, below Thot's.

    python bench/interactive.py ENGINE THOT_FOLDER [SENTENCES] [DATA]
    python bench/interactive.py        # ours alone: an engine of all captions, 200 sentences
"""

from __future__ import annotations

import gzip
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from queue import PriorityQueue

from needs import caption_engine, real_data, skip

from dragoman.cat.simulation import Effort, Simulation, SimulationRecipe, interactive_effort, simulate
from dragoman.data import TestSet
from dragoman.engines import load_engine


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def thot_completer(data: Path, folder: Path) -> Callable[[str], Callable[[str], str]]:
    """Thot as a function from a source to a function from a prefix to what may follow."""
    import machine
    from machine.corpora import MemoryText, TextRow
    from machine.corpora.dictionary_text_corpus import DictionaryTextCorpus
    from machine.tokenization import LatinWordDetokenizer, LatinWordTokenizer
    from machine.translation import error_correction_word_graph_processor as processor
    from machine.translation.interactive_translator_factory import InteractiveTranslatorFactory
    from machine.translation.thot.thot_smt_model import ThotSmtModel
    from machine.translation.thot.thot_smt_model_trainer import ThotSmtModelTrainer
    from machine.translation.unigram_truecaser import UnigramTruecaser, UnigramTruecaserTrainer

    # Its queue holds so many hypotheses and then waits for ever: here it holds as many as there are.
    processor.PriorityQueue = lambda **_: PriorityQueue()
    tokeniser, detokeniser = LatinWordTokenizer(), LatinWordDetokenizer()
    config, casing = folder / "smt.cfg", folder / "casing.txt"
    if not casing.exists():
        shutil.copytree(Path(machine.__path__[0]) / "jobs" / "thot" / "thot-new-model", folder, dirs_exist_ok=True)

        def corpus(lang: str) -> DictionaryTextCorpus:
            rows = [TextRow("multi30k", n, [text]) for n, text in enumerate(lines(data / f"train.{lang}.gz"))]
            return DictionaryTextCorpus([MemoryText("multi30k", rows)])

        sources, targets = corpus("de"), corpus("en")
        with ThotSmtModelTrainer(
            "hmm",
            sources.align_rows(targets),
            config,
            source_tokenizer=tokeniser,
            target_tokenizer=tokeniser,
            lowercase_source=True,
            lowercase_target=True,
        ) as trainer:
            trainer.train()
            trainer.save()
        truecaser = UnigramTruecaserTrainer(model_path=casing, corpus=targets, tokenizer=tokeniser)
        truecaser.train()
        truecaser.save()
    model = ThotSmtModel(
        "hmm",
        config,
        source_tokenizer=tokeniser,
        target_tokenizer=tokeniser,
        target_detokenizer=detokeniser,
        lowercase_source=True,
        lowercase_target=True,
        truecaser=UnigramTruecaser(casing),
    )
    factory = InteractiveTranslatorFactory(model, tokeniser, detokeniser)

    def completer(source: str) -> Callable[[str], str]:
        translator = factory.create(source)

        def complete(prefix: str) -> str:
            translator.set_prefix(prefix)
            result = next(translator.get_current_results(), None)
            if result is None:
                return ""
            text = result.translation
            if text[: len(prefix)].casefold() == prefix.casefold():
                rest = text[len(prefix) :]
            else:
                tokens = list(result.target_tokens)[len(list(tokeniser.tokenize(prefix))) :]
                rest = ("" if prefix.endswith(" ") else " ") + detokeniser.detokenize(tokens)
            return rest if prefix else rest[:1].upper() + rest[1:]

        return complete

    return completer


def main() -> int:
    if len(sys.argv) == 2:
        skip("name a folder for Thot's model, too, or nothing at all")
    engine = load_engine(sys.argv[1] if sys.argv[1:] else str(caption_engine(pairs=29_000)))
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1000 if sys.argv[1:] else 200
    data = real_data(sys.argv[4] if len(sys.argv) > 4 else None) / "multi30k"
    sources, references = (lines(data / f"test_2016_flickr.{lang}.gz")[:count] for lang in ("de", "en"))
    ours = simulate(engine, TestSet(srcs=sources, refs={"reference": references}), n_threads=2)
    measured = [ours]
    if sys.argv[2:]:
        completer = thot_completer(data, Path(sys.argv[2]))
        efforts: list[Effort] = [
            interactive_effort(completer(source), " ".join(text.split()))
            for source, text in zip(sources, references, strict=True)
        ]
        measured.append(Simulation((("thot", tuple(efforts)),), SimulationRecipe()))
    print(*(each.render() for each in measured), sep="\n")
    values = {(row["mode"], row["measure"]): row["value"] for each in measured for row in each.tables()[0].records()}
    own = values["interactive", "ksmr"]
    bars = {
        "0.6 × typing": 0.6 * values["typing", "ksmr"],
        "post-editing, keys alone": values["post-edit", "ksr"],
    }
    if sys.argv[2:]:
        bars["thot"] = values["thot", "ksmr"]
    for name, bar in bars.items():
        print(f"ksmr {own:6.2f}  {'below' if own < bar else 'NOT below'} {name} {bar:6.2f}")
    return int(any(own >= bar for bar in bars.values()))


if __name__ == "__main__":
    sys.exit(main())
