"""The desk: scoring, comparing, ranking and meta-evaluation of files that people bring along."""

from dragoman.web.desk.jobs import SLOTS, Job, Shown, Upload
from dragoman.web.desk.options import OPTIONS, Option, checked_options
from dragoman.web.desk.process import Desk

__all__ = ["OPTIONS", "SLOTS", "Desk", "Job", "Option", "Shown", "Upload", "checked_options"]
