"""The contract of file formats, and the table of those we have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.files import StrPath, plain_name
from dragoman.registry import Registry

__all__ = ["FORMATS", "Format"]


@dataclass(frozen=True)
class Format(ABC):
    """Reads a file (or folder) into one of the data room's types, checked, and writes it back.

    A problem in the file raises `FormatError` with path and line. Writing is atomic. What is written is read back
    equal, but for what `loses` names; text that the format cannot hold raises `DataError` instead of being bent.
    """

    name: ClassVar[str]
    holds: ClassVar[type]  # TestSet, Bitext, …
    suffixes: ClassVar[tuple[str, ...]] = ()  # with the dot, compression not counted
    writable: ClassVar[bool] = True

    @classmethod
    def is_named_by(cls, path: StrPath) -> bool:
        """Whether the suffix of `path` is one of this format's, compression not counted."""
        return bool(cls.suffixes) and plain_name(path).lower().endswith(cls.suffixes)

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """Whether `path` can be read as this format: by its suffix, or for a folder by what is in it."""
        return cls.is_named_by(path)

    def ready(self) -> None:  # noqa: B027 - for subclasses
        """Raise `NotAvailable` if a package is missing; asked before any work."""

    @abstractmethod
    def read(self, path: StrPath) -> Any:
        """The content of `path` as an object of type `holds`."""

    def passes_over(self, path: StrPath) -> list[str]:  # noqa: ARG002 - for subclasses
        """What stands in the file and not in what `read` gives."""
        return []

    def write(self, value: Any, path: StrPath) -> None:  # noqa: ARG002 - for subclasses
        """Write `value` to `path`."""
        raise DataError(f"The format {self.name} can be read but not written.")

    def loses(self, value: Any) -> list[str]:  # noqa: ARG002 - for subclasses
        """The fields of `value` that this format has no place for."""
        return []


FORMATS: Registry[Format] = Registry(
    "format",
    {
        # test sets
        "appraise-batches": "dragoman.data.formats.batches:AppraiseBatches",
        "mtme": "dragoman.data.formats.mtme:MetricsEvalFormat",
        "pearmut-campaign": "dragoman.data.formats.pearmut_campaign:PearmutCampaign",
        "sgm": "dragoman.data.formats.sgm:SgmFormat",
        "testset-jsonl": "dragoman.data.formats.testset_tables:TestSetJsonl",
        "testset-lines": "dragoman.data.formats.testset_lines:TestSetLines",
        "testset-tsv": "dragoman.data.formats.testset_tables:TestSetTsv",
        "wmt-xml": "dragoman.data.formats.wmt_xml:WmtXmlFormat",
        # bitexts
        "bitext-jsonl": "dragoman.data.formats.bitext_tables:BitextJsonl",
        "bitext-lines": "dragoman.data.formats.bitext_lines:BitextLines",
        "bitext-tsv": "dragoman.data.formats.bitext_tables:BitextTsv",
        "tmx": "dragoman.data.formats.tmx:TmxFormat",
        # lists, alignments, annotations
        "conllu": "dragoman.data.formats.conllu:ConlluFormat",
        "moses-graph": "dragoman.data.formats.moses_graph:MosesGraph",
        "nbest": "dragoman.data.formats.nbest:NBestFormat",
        "pharaoh": "dragoman.data.formats.pharaoh:PharaohFormat",
        "trace": "dragoman.data.formats.trace:TraceFormat",
        # judgements
        "appraise-da": "dragoman.data.judgements.appraise:AppraiseScores",
        "appraise-esa": "dragoman.data.judgements.esa:AppraiseEsa",
        "appraise-ranking": "dragoman.data.judgements.appraise_xml:AppraiseRanking",
        "crowd-votes": "dragoman.data.judgements.crowd:CrowdVotes",
        "effort-scores": "dragoman.data.judgements.scales:EffortScores",
        "hmeant": "dragoman.data.judgements.hmeant:HmeantFolder",
        "judgement-lines": "dragoman.data.judgements.records:JudgementLines",
        "judgement-log": "dragoman.data.judgements.own:JudgementLogFormat",
        "judgement-parquet": "dragoman.data.judgements.records:JudgementParquet",
        "judgement-table": "dragoman.data.judgements.own:JudgementTable",
        "mlqe-da": "dragoman.data.judgements.crowd_scores:MlqeScores",
        "mqm": "dragoman.data.judgements.spans:MqmTable",
        "mturk-da": "dragoman.data.judgements.crowd_scores:MturkBatch",
        "pairwise-ranking": "dragoman.data.judgements.pairs:PairwiseRanking",
        "pearmut": "dragoman.data.judgements.pearmut_log:PearmutLog",
        "wmt-da": "dragoman.data.judgements.wmt_scores:WmtScores",
        "wmt-ranking": "dragoman.data.judgements.ranking:WmtRanking",
        # plain tables of any content
        "csv": "dragoman.data.formats.tables:CsvFormat",
        "jsonl": "dragoman.data.formats.tables:JsonlFormat",
        "lines": "dragoman.data.formats.lines:LinesFormat",
        "parquet": "dragoman.data.formats.tables:ParquetFormat",
        "tsv": "dragoman.data.formats.tables:TsvFormat",
    },
)
