"""More training text: sentence pairs out of texts that are no translations of each other, and made with engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.mining.base import Candidates, Miner, Numbers
    from dragoman.mining.lexical import LexicalMiner, LexicalMining
    from dragoman.mining.mine import Mining, mine
    from dragoman.mining.search import score_queries, search_documents
    from dragoman.mining.synthetic import Synthesis, SyntheticText
    from dragoman.mining.translated import TranslatedMiner, TranslatedMining
else:
    offer(__name__)

__all__ = [
    "Candidates",
    "LexicalMiner",
    "LexicalMining",
    "Miner",
    "Mining",
    "Numbers",
    "Synthesis",
    "SyntheticText",
    "TranslatedMiner",
    "TranslatedMining",
    "mine",
    "score_queries",
    "search_documents",
]
