"""A phrase engine and a neural one together: rescoring and minimum Bayes risk over both their lists.

    python bench/together.py --pair de-en --phrase engine --net net --reverse net.en-de --data multi30k --work lists

Lists and features of val and test_2016_flickr are kept in the work folder. Weights are chosen on val alone; BLEU is
sacreBLEU's, cased, and p that of the paired bootstrap against the better single engine.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from needs import skip

from dragoman.data.formats.nbest import NBestFormat
from dragoman.engines import Request, Translates, load_engine, need
from dragoman.engines.translation import n_best_lists, stream_translations
from dragoman.files import read_lines
from dragoman.metrics import make_metric
from dragoman.rescoring import (
    CandidateLists,
    Rescoring,
    add_features,
    merged_lists,
    read_lists,
    train_rescorer,
    tune_consensus,
)
from dragoman.stats import PAIRED_TESTS

SETS = ("val", "test_2016_flickr")
ENGINES = ("phrase", "net")


def listed(args: argparse.Namespace, name: str, part: str, sources: list[str]) -> CandidateLists:
    """One engine's lists of one set, kept on disk."""
    path = args.work / f"{part}.{args.pair}.{name}.nbest"
    if not path.exists():
        engine = need(load_engine(str(getattr(args, name))), Translates)
        request = Request(args.nbest, features="features" in engine.details)
        translated = stream_translations(engine, sources, request, n_threads=args.threads)
        NBestFormat().write(n_best_lists(translated, engine.feature_names), path)
    return read_lists(path, sources)


def lm(args: argparse.Namespace) -> tuple[str, ...]:
    """Features that take no time."""
    return "length", f"lm:{args.phrase}/lm,cut={args.phrase}"


def both_lists(args: argparse.Namespace, part: str, sources: list[str]) -> CandidateLists:
    """Both engines' lists as one."""
    return merged_lists({name: listed(args, name, part, sources) for name in ENGINES})


def candidates(args: argparse.Namespace, part: str, lists: CandidateLists) -> CandidateLists:
    """The lists with all features, kept on disk."""
    path = args.work / f"{part}.{args.pair}.features.nbest"
    if not path.exists():
        specs = [*lm(args), f"neural:{args.net}", *args.feature]
        specs += [f"neural:{args.reverse},reverse=yes"] if args.reverse else []
        whole = add_features(lists, specs, n_threads=args.threads)
        NBestFormat().write(whole.n_best(np.zeros(len(whole.texts))), path)
    return read_lists(path, lists.sources)


def rescored(lists: CandidateLists, scores: np.ndarray) -> CandidateLists:
    """The lists with one score for all candidates."""
    kept = lists.chosen([name for name in lists.names if name != "score"])
    return kept.with_columns(["score"], scores.reshape(-1, 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pair", help="languages, as de-en")
    parser.add_argument("--phrase", type=Path)
    parser.add_argument("--net", type=Path)
    parser.add_argument("--reverse", type=Path, help="a net that translates back")
    parser.add_argument("--data", type=Path, help="Multi30k")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--nbest", type=int, default=60)
    parser.add_argument("--feature", action="append", default=[], help="one more rescoring feature")
    parser.add_argument("--tuner", action="append", default=[])
    parser.add_argument("--features", action="store_true", help="rescore, too; forced scores take minutes")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    if not (args.pair and args.phrase and args.net and args.data and args.work):
        skip("name the pair, both engines, Multi30k and a folder (--pair, --phrase, --net, --data, --work)")
    args.work.mkdir(parents=True, exist_ok=True)
    source, target = args.pair.split("-")
    text = {
        (part, lang): list(read_lines(args.data / f"{part}.{lang}.gz")) for part in SETS for lang in (source, target)
    }
    val, test = (both_lists(args, part, text[part, source]) for part in SETS)
    ref, test_ref = ([text[part, target]] for part in SETS)
    consensus = tune_consensus(val, ref, ENGINES)
    print(consensus)
    outputs = {name: _best(test, name) for name in ENGINES}
    outputs["least risk"] = consensus.consensus.choose(test)
    _report(outputs, test_ref)
    trained = train_rescorer(
        val, ref, Rescoring(features=lm(args), agreement=("bleu", "chrf"), own="score", tuners=("pro", "mert"))
    )
    print(trained)
    outputs["agreement"] = test.best(trained.rescorer.rescore(test)[1])
    _report({name: outputs[name] for name in (*ENGINES, "agreement")}, test_ref)
    if args.features:
        _report(outputs | rescore(args, val, test, ref), test_ref)


def rescore(
    args: argparse.Namespace, val: CandidateLists, test: CandidateLists, ref: list[list[str]]
) -> dict[str, list[str]]:
    """Test outputs by rescoring alone, and by least risk with the rescored scores as one more opinion."""
    val, test = (candidates(args, part, lists) for part, lists in zip(SETS, (val, test), strict=True))
    own = [name for name in val.names if name != "score"]
    trained = train_rescorer(val.chosen(own), ref, Rescoring(tuners=tuple(args.tuner) or ("mira",)))
    print(trained)
    (_, val_scores), (_, scores) = (trained.rescorer.rescore(lists.chosen(own)) for lists in (val, test))
    consensus = tune_consensus(rescored(val, val_scores), ref, ["score", *ENGINES])
    print(consensus)
    return {"rescored": test.best(scores), "rescored, risk": consensus.consensus.choose(rescored(test, scores))}


def _best(lists: CandidateLists, name: str) -> list[str]:
    """An engine's own first choice."""
    return lists.best(np.where(lists.column(name) > 0, lists.column(f"{name}.score"), -np.inf))


def _report(outputs: dict[str, list[str]], refs: list[list[str]]) -> None:
    bleu = make_metric("bleu")
    rows = {name: bleu.stats(lines, refs) for name, lines in outputs.items()}
    values = {name: bleu.value(each.sum(axis=0)) for name, each in rows.items()}
    single = max(ENGINES, key=lambda name: values[name])
    test = PAIRED_TESTS.make("bootstrap")
    for name, value in values.items():
        line = f"{name:14} {value:6.2f}"
        if name not in ENGINES:
            p = test.compare(rows[single], rows[name], bleu.values).p
            line += f"  {value - values[single]:+.2f} over {single}, p = {p:.4f}"
        print(line)


if __name__ == "__main__":
    main()
