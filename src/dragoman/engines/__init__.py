"""Engines by role: what any engine can be asked, what it answers, and how one is opened."""

from dragoman.engines.base import ENGINES, capabilities, check_details, load_engine, need
from dragoman.engines.results import (
    Candidate,
    Completion,
    Explanation,
    Part,
    Request,
    Step,
    Translation,
    WordAlignment,
)
from dragoman.engines.roles import ROLES, Completer, Completes, Explains, Learns, Role, Searches, Translates

__all__ = [
    "ENGINES",
    "ROLES",
    "Candidate",
    "Completer",
    "Completes",
    "Completion",
    "Explains",
    "Explanation",
    "Learns",
    "Part",
    "Request",
    "Role",
    "Searches",
    "Step",
    "Translates",
    "Translation",
    "WordAlignment",
    "capabilities",
    "check_details",
    "load_engine",
    "need",
]
