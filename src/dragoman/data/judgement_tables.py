"""The readers of judgements under the name they first had; new code imports from `dragoman.data.judgements`."""

from dragoman.data.judgements.direct_assessment import DIRECT_ASSESSMENT
from dragoman.data.judgements.ranking import ranking_schema, read_ranking
from dragoman.data.judgements.reading import read_judgements

__all__ = ["DIRECT_ASSESSMENT", "ranking_schema", "read_judgements", "read_ranking"]
