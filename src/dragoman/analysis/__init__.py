"""Studies of translations and of those who make them."""

from dragoman.analysis.post_editing import (
    ContrastSets,
    EditProfile,
    PostEdited,
    PostEditing,
    analyse_post_editing,
    mine_contrasts,
    profile_edits,
    read_post_edits,
)

__all__ = [
    "ContrastSets",
    "EditProfile",
    "PostEdited",
    "PostEditing",
    "analyse_post_editing",
    "mine_contrasts",
    "profile_edits",
    "read_post_edits",
]
