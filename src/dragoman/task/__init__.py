"""The shared task in a box: test sets, teams, submissions, scores, rankings, and the tables of a findings paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.task.campaign import TaskCampaign, campaign_of
    from dragoman.task.collecting import Collection, collect_submissions
    from dragoman.task.findings import Findings, write_findings
    from dragoman.task.manifest import QualityTrack, SharedTask, Team, Track, TranslationTrack, read_task
    from dragoman.task.new import NewTask, new_task
    from dragoman.task.running import TaskRun, run_task
    from dragoman.task.status import TaskStatus, task_status
    from dragoman.task.submissions import Submission, SubmissionBox
else:
    offer(__name__)

__all__ = [
    "Collection",
    "Findings",
    "NewTask",
    "QualityTrack",
    "SharedTask",
    "Submission",
    "SubmissionBox",
    "TaskCampaign",
    "TaskRun",
    "TaskStatus",
    "Team",
    "Track",
    "TranslationTrack",
    "campaign_of",
    "collect_submissions",
    "new_task",
    "read_task",
    "run_task",
    "task_status",
    "write_findings",
]
