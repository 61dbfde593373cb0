"""People judge translations: protocols, campaigns, quality control, analysis of what they said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.human.agreement import Agreement, AgreementRecipe, agree
    from dragoman.human.agreement_lines import AgreementLine
    from dragoman.human.analysing import analyse
    from dragoman.human.blind_editing.plan import BlindEditingPlan, plan_blind_editing
    from dragoman.human.blind_editing.scores import Understandability, new_references, understandability
    from dragoman.human.completion import completion_code, is_completion_code
    from dragoman.human.comprehension.plan import ListeningPlan, plan_listening
    from dragoman.human.comprehension.scores import Comprehension, loss_waterfall, score_comprehension
    from dragoman.human.controls import ControlAgreement, ControlPair, control_agreement, control_pairs
    from dragoman.human.crowd.bar import HumanBar, human_bar
    from dragoman.human.crowd.controls import ControlCheck, check_controls
    from dragoman.human.crowd.splits import DocumentSplit, split_documents
    from dragoman.human.crowd.votes import (
        Selection,
        VoteSupport,
        select_translations,
        tally_votes,
        vote_support,
        voter_weights,
        votes_among,
    )
    from dragoman.human.crowd.workers import WorkerReview, monotone_gloss, review_workers
    from dragoman.human.dynamic import Choice, Standing, next_task, standing
    from dragoman.human.error_spans import SpanAnalysis, analyse_spans
    from dragoman.human.frames.agreement import FrameAgreement, frame_agreement
    from dragoman.human.frames.scores import Hmeant, hmeant
    from dragoman.human.frames.sentence import frequency_weights, sentence_hmeant
    from dragoman.human.manifest import Manifest, read_manifest
    from dragoman.human.parts import PartsAnalysis
    from dragoman.human.planning import CampaignPlan, new_campaign, plan
    from dragoman.human.post_edits import PostEdits, analyse_post_edits
    from dragoman.human.protocol import PROTOCOLS, Assignment, Item, Protocol, Task
    from dragoman.human.quality import AnnotatorQuality, QualityReport, leave_out, quality_of_annotators
    from dragoman.human.reliability import Reliability, spot_random
    from dragoman.human.simulated import simulate_answers, simulate_judges
    from dragoman.human.status import CampaignProgress, progress
else:
    offer(__name__)

__all__ = [
    "PROTOCOLS",
    "Agreement",
    "AgreementLine",
    "AgreementRecipe",
    "AnnotatorQuality",
    "Assignment",
    "BlindEditingPlan",
    "CampaignPlan",
    "CampaignProgress",
    "Choice",
    "Comprehension",
    "ControlAgreement",
    "ControlCheck",
    "ControlPair",
    "DocumentSplit",
    "FrameAgreement",
    "Hmeant",
    "HumanBar",
    "Item",
    "ListeningPlan",
    "Manifest",
    "PartsAnalysis",
    "PostEdits",
    "Protocol",
    "QualityReport",
    "Reliability",
    "Selection",
    "SpanAnalysis",
    "Standing",
    "Task",
    "Understandability",
    "VoteSupport",
    "WorkerReview",
    "agree",
    "analyse",
    "analyse_post_edits",
    "analyse_spans",
    "check_controls",
    "completion_code",
    "control_agreement",
    "control_pairs",
    "frame_agreement",
    "frequency_weights",
    "hmeant",
    "human_bar",
    "is_completion_code",
    "leave_out",
    "loss_waterfall",
    "monotone_gloss",
    "new_campaign",
    "new_references",
    "next_task",
    "plan",
    "plan_blind_editing",
    "plan_listening",
    "progress",
    "quality_of_annotators",
    "read_manifest",
    "review_workers",
    "score_comprehension",
    "select_translations",
    "sentence_hmeant",
    "simulate_answers",
    "simulate_judges",
    "split_documents",
    "spot_random",
    "standing",
    "tally_votes",
    "understandability",
    "vote_support",
    "voter_weights",
    "votes_among",
]
