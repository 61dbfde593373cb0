"""How good frames by rules are, and MEANT by them: against the people of the HMEANT study of WMT 2013.

    python bench/frames.py [--data FOLDER]

For each language a parser is trained on the treebanks at hand. Agreement of the rules with each person is counted as
that of people with each other (Birch et al. 2013); τ is Kendall's between a metric and HMEANT (lo12) over all outputs.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from itertools import chain

from needs import real_data

from dragoman.data.frame_tables import read_frames
from dragoman.data.frames import Frame, FrameAnnotation, FrameStudy, ReferenceFrames
from dragoman.files import read_lines, write_lines
from dragoman.human import frame_agreement, sentence_hmeant
from dragoman.human.frames.scores import sentence_bleu
from dragoman.metrics import make_metric
from dragoman.metrics.meant import FramedSentence, Meant
from dragoman.stats.correlation import kendall
from dragoman.syntax import Parser, ParserRecipe
from dragoman.syntax.predicates import sentence_frames
from dragoman.text import TOKENISERS
from dragoman.text.conllu import read_conllu

TREEBANKS = {
    "en": ["en_lines-ud-train", "en_partut-ud-train"],
    "de": ["de_gsd-ud-dev", "de_gsd-ud-test", "de_pud-ud-test"],
}
TEXTS = {
    "en": ["news-commentary-sample/nc-5k.en.gz", "newstest2013/references/newstest2013.en.gz", "lm-fixture/text.en.gz"],
    "de": ["newstest2013/references/newstest2013.de.gz", "multi30k/train.de.gz"],
}
STAGES = ("action identification", "role identification", "role classification")
Text = tuple[str, str, str | None]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data")
    asked = options.parse_args()
    data = real_data(asked.data)
    study = read_frames(data / "hmeant-wmt13")
    for lang, names in TREEBANKS.items():
        trees = chain.from_iterable(read_conllu(data / "ud" / f"{name}.conllu.gz") for name in names)
        parser = ParserRecipe(xpos=False).train(trees)
        show_agreement(study, lang, parser)
        with tempfile.TemporaryDirectory() as folder:
            parser.save(f"{folder}/parser")
            lines = list(chain.from_iterable(read_lines(data / name) for name in TEXTS[lang]))
            write_lines(f"{folder}/text", TOKENISERS.make("13a").tokenise(lines))
            show_correlations(study, lang, folder)


def show_agreement(study: FrameStudy, lang: str, parser: Parser) -> None:
    texts = [key for key in study.texts if key[0] == lang]
    parses = parser.parse([study.texts[key] for key in texts])
    frames = {key: sentence_frames(tree) if tree else () for key, tree in zip(texts, parses, strict=True)}
    people = frame_agreement(study)
    print(f"{lang}: F1 of rules with people, of people with each other")
    for side in ("reference", "output"):
        for stage in STAGES:
            theirs = people.stage(lang, stage, side).f1
            print(f"  {side:10}{stage:22} {with_people(study, frames, lang, stage, side):.3f} {theirs:.3f}")


def with_people(study: FrameStudy, frames: Mapping[Text, tuple[Frame, ...]], lang: str, stage: str, side: str) -> float:
    """F1 of the rules with every person, pooled."""
    matches = labels = 0
    for person in sorted({each.annotator for each in study.annotations if each.lang == lang}):
        outputs = [each for each in study.annotations if each.lang == lang and each.annotator == person]
        refs = [each for each in study.references if each.lang == lang and each.annotator == person]
        ruled = [
            FrameAnnotation("rules", lang, each.segment, each.system, (), frames[lang, each.segment, each.system])
            for each in outputs
        ]
        told = [ReferenceFrames("rules", lang, each.segment, frames[lang, each.segment, None]) for each in refs]
        both = FrameStudy((*outputs, *ruled), (*refs, *told))
        found = frame_agreement(both).stage(lang, stage, side)  # type: ignore[arg-type]
        matches, labels = matches + found.matches, labels + found.n_first + found.n_second
    return 2 * matches / labels


def show_correlations(study: FrameStudy, lang: str, folder: str) -> None:
    outputs = [each for each in study.annotations if each.lang == lang]
    human = [sentence_hmeant(each, definition="lo12").score for each in outputs]
    hyp_words = [study.texts[lang, each.segment, each.system] for each in outputs]
    ref_words = [study.texts[lang, each.segment, None] for each in outputs]
    hyps, refs = [" ".join(words) for words in hyp_words], [" ".join(words) for words in ref_words]
    tau = {
        "bleu+1": kendall(human, sentence_bleu(hyps, refs)),
        "chrf": kendall(human, make_metric("chrf").segments(hyps, [refs])),
    }
    pairs = [
        (FramedSentence(h, each.hyp), FramedSentence(r, each.ref))
        for each, h, r in zip(outputs, hyp_words, ref_words, strict=True)
    ]
    for spec in specs(folder):
        metric = make_metric(f"meant:tokeniser=none,frames=parser+model={folder}/parser,{spec}")
        assert isinstance(metric, Meant)
        matcher = metric.matcher()
        shown = spec.replace(f",corpus={folder}/text", "")
        tau[f"people's frames, {shown}"] = kendall(human, [matcher.score(*pair) for pair in pairs])
        tau[f"frames by rules, {shown}"] = kendall(human, metric.segments(hyps, [refs]))
    print(f"{lang}: τ with HMEANT, {len(outputs)} outputs")
    for name, value in tau.items():
        print(f"  {name:64} {value:.3f}")


def specs(folder: str) -> Sequence[str]:
    contexts = f"similarity=minmax-mi,corpus={folder}/text"
    return [
        f"{similarity},pairs={pairs},align_by={by}"
        for similarity in ("similarity=exact", "similarity=dice", contexts)
        for pairs in ("all", "aligned")
        for by in ("action", "mean")
    ]


if __name__ == "__main__":
    main()
