"""Grammars of one bitext by what their gaps are called: rules, labels, seconds (the table of Weese et al. 2012).

    python bench/grammar_labels.py --source-parses de.parser --target-parses en.parser [--pairs 29000] [--kinds …]

The bitext is Multi30k de-en of the real data, tokenised and aligned as engines do. Parses are files beside the text
or, as here, models of `dragoman syntax train`. A kind is `hiero`, `dependency`, `ghkm`, or a labeller's name:
hierarchical rules whose unlabelled phrases are left out, as in the paper.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from needs import real_data, skip

from dragoman.files import iter_lines, read_lines
from dragoman.smt.grammar import GrammarExtraction, GrammarKind, ParsedText, extract_grammar, parse_text
from dragoman.smt.pairs import Linked, TokenisedPairs, align_pairs, clean_pairs
from dragoman.smt.preparation import TextSide
from dragoman.smt.recipe import EngineRecipe

KINDS = ["hiero", "constituents", "ccg-best", "ccg", "samt", "heads", "dependency", "ghkm"]
TREES = ("hiero", "dependency", "ghkm")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--source-parses")
    options.add_argument("--target-parses")
    options.add_argument("--pairs", type=int, default=29_000)
    options.add_argument("--kinds", nargs="+", default=KINDS)
    asked = options.parse_args()
    if not (asked.source_parses and asked.target_parses):
        skip("name the parses of both sides (--source-parses, --target-parses)")
    recipe = EngineRecipe(source_lang="de", target_lang="en")
    pairs = tokenised(recipe, asked.pairs)
    linked = align_pairs(pairs, recipe, 1)
    parses = {}
    for side, path in (("source", asked.source_parses), ("target", asked.target_parses)):
        begin = time.process_time()
        parses[side] = parse_text(path, [line.split() for line in getattr(pairs, side)])
        print(
            f"parses of the {side}: {time.process_time() - begin:.1f} s, {parses[side].n_missing} missing", flush=True
        )
    print(f"{'':14}{'rules':>12}{'with gaps':>12}{'labels':>8}{'seconds':>9}")
    for name in asked.kinds:
        measure(name, linked, parses)


def tokenised(recipe: EngineRecipe, n_pairs: int) -> TokenisedPairs:
    folder = real_data() / "multi30k"
    sides = []
    for lang in (recipe.source_lang, recipe.target_lang):
        lines = read_lines(folder / f"train.{lang}.gz")[:n_pairs]
        sides.append(TextSide(lang, recipe.text, None).prepare(lines))
    return clean_pairs(TokenisedPairs(*sides), recipe)


def measure(name: str, linked: Linked, parses: dict[str, ParsedText]) -> None:
    kind = GrammarKind(kind=name) if name in TREES else GrammarKind(labels=name, unlabelled="discard")
    rules = GrammarExtraction(translations_per_source=0)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "rules"
        begin = time.process_time()
        made = extract_grammar(linked.text, linked.source, linked.target, table, kind=kind, rules=rules, parses=parses)
        seconds = time.process_time() - begin
        wholes = (line.split(" ||| ", 2)[:2] for line in iter_lines(table))
        labels = {(source.rpartition(" ")[2], target.rpartition(" ")[2]) for source, target in wholes}
    n_gapped = made.n_written - made.n_lexical
    print(f"{name:14}{made.n_written:12,}{n_gapped:12,}{len(labels):8,}{seconds:9.1f}", flush=True)


if __name__ == "__main__":
    main()
