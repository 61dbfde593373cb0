"""People judge translations: protocols, campaigns, quality control, analysis of what they said."""

from importlib import import_module
from typing import Any

# name → module below this room; imported on first use, so that a command pays for what it needs.
_HOMES = {
    "Agreement": "agreement",
    "AgreementLine": "agreement",
    "Comprehension": "comprehension.scores",
    "ControlAgreement": "controls",
    "ControlPair": "controls",
    "FrameAgreement": "frames.agreement",
    "Hmeant": "frames.scores",
    "ListeningPlan": "comprehension.plan",
    "Reliability": "reliability",
    "agree": "agreement",
    "control_agreement": "controls",
    "control_pairs": "controls",
    "frame_agreement": "frames.agreement",
    "frequency_weights": "frames.sentence",
    "hmeant": "frames.scores",
    "loss_waterfall": "comprehension.scores",
    "plan_listening": "comprehension.plan",
    "score_comprehension": "comprehension.scores",
    "sentence_hmeant": "frames.sentence",
    "spot_random": "reliability",
    "PROTOCOLS": "protocol",
    "Assignment": "protocol",
    "CampaignPlan": "planning",
    "CampaignProgress": "status",
    "Item": "protocol",
    "Manifest": "manifest",
    "Protocol": "protocol",
    "analyse": "analysing",
    "new_campaign": "planning",
    "plan": "planning",
    "progress": "status",
    "read_manifest": "manifest",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"dragoman.human.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'dragoman.human' has no attribute {name!r}")
