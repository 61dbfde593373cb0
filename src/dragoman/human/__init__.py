"""People judge translations: protocols, campaigns, quality control, analysis of what they said."""

from importlib import import_module
from typing import Any

# name → module below this room; imported on first use, so that a command pays for what it needs.
_HOMES = {
    "PROTOCOLS": "protocol",
    "Agreement": "agreement",
    "AgreementLine": "agreement",
    "Assignment": "protocol",
    "BlindEditingPlan": "blind_editing.plan",
    "CampaignPlan": "planning",
    "CampaignProgress": "status",
    "Comprehension": "comprehension.scores",
    "ControlAgreement": "controls",
    "ControlCheck": "crowd.controls",
    "ControlPair": "controls",
    "DocumentSplit": "crowd.splits",
    "FrameAgreement": "frames.agreement",
    "Hmeant": "frames.scores",
    "HumanBar": "crowd.bar",
    "Item": "protocol",
    "ListeningPlan": "comprehension.plan",
    "Manifest": "manifest",
    "Protocol": "protocol",
    "Reliability": "reliability",
    "Selection": "crowd.votes",
    "Understandability": "blind_editing.scores",
    "VoteSupport": "crowd.votes",
    "WorkerReview": "crowd.workers",
    "agree": "agreement",
    "analyse": "analysing",
    "check_controls": "crowd.controls",
    "control_agreement": "controls",
    "control_pairs": "controls",
    "frame_agreement": "frames.agreement",
    "frequency_weights": "frames.sentence",
    "hmeant": "frames.scores",
    "human_bar": "crowd.bar",
    "loss_waterfall": "comprehension.scores",
    "monotone_gloss": "crowd.workers",
    "new_campaign": "planning",
    "new_references": "blind_editing.scores",
    "plan": "planning",
    "plan_blind_editing": "blind_editing.plan",
    "plan_listening": "comprehension.plan",
    "progress": "status",
    "read_manifest": "manifest",
    "review_workers": "crowd.workers",
    "score_comprehension": "comprehension.scores",
    "select_translations": "crowd.votes",
    "sentence_hmeant": "frames.sentence",
    "split_documents": "crowd.splits",
    "spot_random": "reliability",
    "tally_votes": "crowd.votes",
    "understandability": "blind_editing.scores",
    "vote_support": "crowd.votes",
    "voter_weights": "crowd.votes",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"dragoman.human.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'dragoman.human' has no attribute {name!r}")
