"""A whole file of every kind that is read, and its reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.data import FORMATS, Format, assemble, read_judgements
from dragoman.data.bitext import Bitext
from dragoman.data.crowd import read_documents, read_votes
from dragoman.data.questionnaires import read_questionnaire
from dragoman.data.records import Records
from dragoman.files import read_bytes
from dragoman.samples import sample_path

__all__ = ["Seed", "seeds"]


@dataclass(frozen=True)
class Seed:
    """Files by name, the one to read first among them, and how it is read."""

    name: str
    files: dict[str, bytes]
    read: Callable[[Path], object]


def _head(path: str, n: int) -> bytes:
    return b"".join((sample_path(path).read_bytes().splitlines(keepends=True))[:n])


def _all(value: Any) -> object:
    """Everything that a reader hands out when it is iterated."""
    return list(value) if hasattr(value, "__iter__") else value


def _format(name: str) -> Callable[[Path], object]:
    return lambda path: _all(FORMATS.make(name).read(path))


def _test_set(folder: Path) -> Any:
    for name in ("source.de", "reference-A.en", "systems/atlas.en", "systems/ember.en"):
        target = folder / Path(name).name
        target.write_bytes(_head(f"testset/{name}", 4))
    (folder / "docs").write_text("one\none\ntwo\ntwo\n")
    return assemble(
        srcs=folder / "source.de",
        refs=[folder / "reference-A.en"],
        docs=folder / "docs",
        name="toy",
        systems=[folder / "atlas.en", folder / "ember.en"],
        source_lang="de",
        target_lang="en",
    )


def _written(folder: Path) -> dict[str, bytes]:
    """What the formats that are written make of the samples, cut short."""
    test_set = _test_set(folder)
    ranking = FORMATS.make("wmt-ranking").read(_put(folder / "r.csv", _head("testset/judgements/ranking.csv", 6)))
    table = Records(("a", "b", "c"), [(1, "x", 0.5), (None, "y, z", 2.0), (3, None, None)])
    bitext = Bitext.from_pairs([("ein Haus", "a house"), ("& <b>", "é")], source_lang="de", target_lang="en")
    values: dict[str, Any] = {
        **dict.fromkeys(("pearmut-campaign", "sgm", "testset-jsonl", "testset-tsv", "wmt-xml"), test_set),
        **dict.fromkeys(("bitext-jsonl", "bitext-tsv", "tmx"), bitext),
        **dict.fromkeys(("csv", "jsonl", "tsv", "parquet"), table),
        **dict.fromkeys(
            (
                "appraise-ranking",
                "pairwise-ranking",
                "judgement-lines",
                "judgement-log",
                "judgement-parquet",
                "judgement-table",
            ),
            ranking,
        ),
    }
    found = {}
    for name, value in values.items():
        form: Format = FORMATS.make(name)
        path = folder / f"value{next(iter(form.suffixes), '')}"
        form.write(value, path)
        found[name] = path.read_bytes()
    return found


def _put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


_MTURK = (
    b"HITId,WorkerId,AcceptTime,SubmitTime,Input.src,Input.trg,Input.item,Input.sys_id_0,Input.sid_0,Input.tst_0,"
    b"Input.rid_0,Answer.Q1\n"
    b"H,W,Fri May 29 09:55:29 PDT 2015,Fri May 29 09:56:29 PDT 2015,cs,en,ad,a,1,system,r,0_r_80\n"
)
_GRAPH = (
    b"0 hyp=0 stack=0 forward=1 fscore=-3\n"
    b"0 hyp=1 stack=1 back=0 score=-1 transition=-1 forward=3 fscore=-3 covered=0-0"
    b' scores="LM0= -1 TM0= -2 -3" out="das|the"\n2 hyp=0 stack=0\n'
)
_TRACE = (
    b'{"source": "das Haus", "tokens": "das Haus", "nbest": [{"text": "the house", "score": -1.5, "features": '
    b'{"lm": [-1.0]}}], "phrases": [[0, 1, 0, 1]], "links": "0-0", "graph": {"nodes": 2, "dead": 0, "arcs": 1, '
    b'"spreads": {"lm": [-1, 4, -3, 1]}}}\n'
)
_ARPA = (
    b"\\data\\\nngram 1=4\nngram 2=2\n\n\\1-grams:\n-1.0\t<unk>\n0\t<s>\t-0.3\n-1.0\t</s>\n-0.5\ta\t-0.2\n\n"
    b"\\2-grams:\n-0.3\t<s> a\n-0.2\ta </s>\n\n\\end\\\n"
)
_RECIPE = b'source_lang = "fr"\n[lm]\norder = 3\nprune = [0, 0, 1]\n[clean]\nlongest = 40\n'
_PEARMUT = (
    b'{"campaign": "c", "user_id": "u", "item_i": 0, "start_time": 1.5, "end_time": 3.5, "item": [{"src": "a", "tgt": '
    b'{"s": "b"}}], "annotation": [{"s": {"score": 70, "error_spans": [{"start_i": 0, "end_i": 0, "severity": "minor", '
    b'"category": "x"}]}}]}\n'
)
_WMT_DA = (
    b"HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time\n"
    b'"H"\t"W" cs en ad 1 a r system 10 77 5\nH W cs en ad 1 a r system doc.3_3 7 NA\n'
)
_FEATURES = b"x\ty\n1\t2.5\n-3\t4e-2\n"
_BATCHES = (
    b'[{"items": [{"itemID": 1, "itemType": "TGT", "documentID": "d", "sourceText": "a", "targetText": "b",'
    b' "targetID": "s", "sourceID": "x"}], "task": {"sourceLanguage": "deu", "targetLanguage": "eng"}}]'
)
_ESA = b'jo,sysA,12,TGT,eng,deu,77,doc,False,"[{""start_i"": 0, ""end_i"": 2, ""severity"": ""minor""}]",1.5,2.5\n'
_MQM = (
    b"system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    b"a\td\t1\t1\tr\tx\tthe <v>house</v>\tFluency/Grammar\tMinor\n"
)
_TBX = (
    b'<tbx><text><body><conceptEntry id="c1"><note>n</note><langSec xml:lang="en"><termSec><term>disk</term></termSec>'
    b'</langSec><langSec xml:lang="de"><termSec><term>Platte</term><termNote type="administrativeStatus">'
    b"admittedTerm-admn-sts</termNote></termSec></langSec></conceptEntry></body></text></tbx>"
)
_MEMORY = (
    b'<tmx version="1.4"><header srclang="en"/><body><tu><prop type="x-context-pre">p</prop><tuv xml:lang="en">'
    b'<seg><bpt i="1">b</bpt>a<ept i="1"/> &amp;<ph x="2"/></seg></tuv>'
    b'<tuv xml:lang="de" changedate="20240131T120000Z"><seg><ph x="2"/>c</seg></tuv></tu></body></tmx>'
)
_RULES = (
    b"[X][X] von [X][Y] [X] ||| [X][Y] 's [X][X] [S] ||| 1 0.5 1 0.125 ||| 0-2 1-1 2-0 ||| 1 1 1\n"
    b"a [X] ||| b [NP] ||| 0.5 ||| 0-0 ||| 2 1 1 ||| Rare 0.5\n"
)
_THRAX = (
    b"[X] ||| [X,1] von [X^Y,2] ||| [X^Y,2] 's [X,1] ||| p(f|e)=0 Lex(f|e)=0.7 p(e|f)=0 Lex(e|f)=2.1 ||| 1-1\n"
    b"[NP] ||| a ||| b ||| 0.5 1 2 Rare=3\n"
)
_MLQE = b"index\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\n0\ta\tb\t[70, 85.5]\t77.75\t[0.1, -0.1]\t0\n"


def _readers() -> list[Seed]:
    from dragoman.analysis.post_editing.data import read_post_edits
    from dragoman.cat.analysis import read_weights as read_volume_weights
    from dragoman.cat.memory import read_tmx
    from dragoman.cat.term_files import read_glossary
    from dragoman.data.frame_tables import read_frames
    from dragoman.human.manifest import read_manifest
    from dragoman.lm import LanguageModel, WordClasses
    from dragoman.metrics.meta.reading import read_score_file
    from dragoman.metrics.word_files import read_counts
    from dragoman.qe.features.table import read_features
    from dragoman.qe.files import read_label_lines, read_labels, read_scores, read_tags
    from dragoman.qe.submission import read_estimates, read_submission
    from dragoman.smt.grammar import MosesRules, ThraxRules, inspect_rules
    from dragoman.smt.recipe import EngineRecipe
    from dragoman.smt.weights import read_weights
    from dragoman.syntax import read_named
    from dragoman.text.conllu import read_conllu
    from dragoman.text.hunspell import read_dictionary
    from dragoman.text.trees import read_trees
    from dragoman.text.vocabulary import Vocabulary

    frames = {path.name: path.read_bytes() for path in sample_path("studies/frames/actions").parent.iterdir()}
    studies = {
        path.name: path.read_bytes() for path in sample_path("studies/comprehension/answers.tsv").parent.iterdir()
    }
    campaign = {
        path.name: path.read_bytes()
        for path in sample_path("testset/campaign.toml").parent.rglob("*")
        if path.suffix in (".en", ".de", ".tsv")
    }
    campaign |= {f"systems/{name}": text for name, text in campaign.items()}
    toml = sample_path("testset/campaign.toml").read_bytes()
    return [
        Seed("arpa", {"x.arpa": _ARPA}, lambda path: LanguageModel.from_arpa(path).score(["a b"])),
        Seed("campaign", {"campaign.toml": toml, **campaign}, read_manifest),
        Seed("recipe", {"recipe.toml": _RECIPE}, EngineRecipe.read),
        Seed("rules-moses", {"rules": _RULES}, lambda path: list(MosesRules().read(path))),
        Seed("rules-thrax", {"rules": _THRAX}, lambda path: list(ThraxRules().read(path))),
        Seed("rules-inspected", {"rules": _RULES}, lambda path: (inspect_rules(path), inspect_rules(path, ["a"]))),
        Seed("weights", {"weights.tsv": b"feature\tweight\nlm\t0.5\ntable.1\t-2e-3\n"}, read_weights),
        Seed("word-classes", {"classes.tsv": b"a\t1\nb\t2\n"}, WordClasses.read),
        Seed("word-list", {"words.txt": b"a\t3\nb\t2\n"}, lambda path: Vocabulary.read_words(path)),
        Seed("trees", {"trees.txt": b"(S (NP (D the) (N house)) (VP (V is)))\n(S (X a))\n"}, read_trees),
        Seed("treebank", {"x.conllu": _sentences("treebank.es.conllu", 3)}, read_conllu),
        Seed("named", {"x.bio": _head("names.en.bio", 40)}, read_named),
        Seed(
            "hunspell",
            {"x.dic": b"3\nfoo/A\nbar\nbaz/AB\n", "x.aff": b"SET UTF-8\nSFX A Y 1\nSFX A 0 s .\n"},
            lambda path: read_dictionary(path.with_suffix("")),
        ),
        Seed(
            "affixes",
            {
                "x.aff": b"SET UTF-8\nFLAG num\nAF 1\nAF 1,2\nSFX 1 Y 2\nSFX 1 0 s [^s]\nSFX 1 y ies y\n"
                b"MAP 1\nMAP ab\nCOMPOUNDRULE 1\nCOMPOUNDRULE (1)*(2)\n",
                "x.dic": b"2\nfoo/1\nbar\n",
            },
            lambda path: read_dictionary(path.with_suffix("")),
        ),
        Seed("qe-scores", {"x.hter": b"0.5\n1\n0.25\n"}, read_scores),
        Seed("qe-tags", {"x.tags": b"OK BAD OK\nOK OK OK OK OK\n"}, read_tags),
        Seed("qe-labels", {"x.tsv": b"1.1\t0\tthe\tOK\tOK\tOK\n1.1\t1\tcat\tFluency\tFluency\tBAD\n"}, read_labels),
        Seed("qe-label-lines", {"x.labels": b"OK BAD\nOK\n"}, read_label_lines),
        Seed("qe-submission", {"x.submission": b"m\t1\t0.5\t2\nm\t2\t0.25\t1\n"}, read_submission),
        Seed("qe-estimates", {"x.predictions": b"0.5\n0.25\n"}, read_estimates),
        Seed("qe-features", {"x.features": _FEATURES}, read_features),
        Seed("glossary", {"x.tbx": _TBX}, lambda path: read_glossary(path, "en", "de")),
        Seed("glossary-table", {"x.csv": b'source,target,status\n"a b",c,forbidden\nd,e\n'}, read_glossary),
        Seed("memory", {"x.tmx": _MEMORY}, lambda path: list(read_tmx(path, "en", "de"))),
        Seed("volume-weights", {"x.toml": b'"75-84" = 50\nmt = 72.5\n'}, read_volume_weights),
        Seed("counts", {"x.tsv": b"the\t12\ncat\t3\n"}, read_counts),
        Seed("scores", {"x.tsv": b"system\tsegment\tscore\na\t1\t0.5\nb\t1\t0.25\n"}, read_score_file),
        Seed("post-edits", {"x.tsv": _head("studies/post-editing/post-edits.tsv", 5)}, read_post_edits),
        Seed("votes", {"votes.xx": b"17_3\t5\tfirst\t4\tsecond\t1\n"}, read_votes),
        Seed("documents", {"documents.tsv": b"d1\tTitel\tTitle\tnews\nd2\tT\tU\tweb\n"}, read_documents),
        Seed("frames", {"actions": frames["actions"], **frames}, lambda path: read_frames(path.parent)),
        Seed(
            "questionnaire",
            {"answers.tsv": studies["answers.tsv"], **studies},
            lambda path: read_questionnaire(path.parent),
        ),
        Seed("judgements", {"x.csv": _head("testset/judgements/da.csv", 6)}, read_judgements),
        Seed("gzip", {"x.gz": _compressed()}, read_bytes),
    ]


def _sentences(path: str, n: int) -> bytes:
    return b"\n\n".join(sample_path(path).read_bytes().split(b"\n\n")[:n]) + b"\n\n"


def _compressed() -> bytes:
    import gzip

    return gzip.compress(b"some lines\n" * 20, mtime=0)


_READ_ONLY = {
    "appraise-batches": {"x.json": _BATCHES},
    "appraise-da": {"x.csv": b"jo,sysA,12,TGT,eng,deu,77,1000.5,1012.0\njo,a+b,3,BAD,eng,deu,7,1000.5,1012.0\n"},
    "appraise-esa": {"x.esa.csv": _ESA},
    "conllu": {"x.conllu": b"1\ta\ta\tDET\t_\t_\t2\tdet\t_\t_\n2\tb\tb\tNOUN\t_\tA=B\t0\troot\t_\t_\n\n"},
    "crowd-votes": {"votes.xx": b"17_3\t5\tfirst\t4\tsecond\t1\n"},
    "effort-scores": {"x.effort3scores": b"5\t4\n3\t2\n"},
    "lines": {"x.txt": b"one\ntwo\r\n"},
    "mlqe-da": {"x.tsv": _MLQE},
    "moses-graph": {"x.osgx": _GRAPH},
    "mqm": {"x.mqm.tsv": _MQM},
    "mturk-da": {"x.mturk.csv": _MTURK},
    "nbest": {"x.nbest": b"0 ||| the house ||| LM0= -1.5 TM0= -1 -2 ||| -4.5 ||| 0-0 1-1\n1 ||| a ||| lm: 1 ||| 0\n"},
    "pearmut": {"x.jsonl": _PEARMUT},
    "pharaoh": {"x.align": b"0-0 1p2\n\n2-1\n"},
    "trace": {"x.trace": _TRACE},
    "wmt-da": {"x.ad.csv": _WMT_DA},
    "wmt-ranking": {"x.csv": _head("testset/judgements/ranking.csv", 6)},
}


def seeds(folder: Path) -> list[Seed]:
    """All of them; what formats write is written in the folder."""
    written = {
        name: Seed(name, {f"value{next(iter(FORMATS.get(name).suffixes), '')}": content}, _format(name))
        for name, content in _written(folder).items()
    }
    read = {name: Seed(name, files, _format(name)) for name, files in _READ_ONLY.items()}
    return [*written.values(), *read.values(), *_readers()]
