"""Post-editing: what editors did, what it cost them, and where the two disagree (Koponen, WMT 2012)."""

from dragoman.analysis.post_editing.contrasts import Case, ContrastSets, Thresholds, mine_contrasts
from dragoman.analysis.post_editing.data import PostEdited, read_post_edits
from dragoman.analysis.post_editing.labels import Edited, Words, label_words
from dragoman.analysis.post_editing.profile import EditProfile, profile_edits
from dragoman.analysis.post_editing.study import PostEditing, analyse_post_editing

__all__ = [
    "Case",
    "ContrastSets",
    "EditProfile",
    "Edited",
    "PostEdited",
    "PostEditing",
    "Thresholds",
    "Words",
    "analyse_post_editing",
    "label_words",
    "mine_contrasts",
    "profile_edits",
    "read_post_edits",
]
