"""Statistical post-editing of rule-based engines: phrases that are changed where a model believes in the change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.postedit.editor import PostEditor
    from dragoman.postedit.recipe import PostEditRecipe
    from dragoman.postedit.result import Change, PostEdited
    from dragoman.postedit.training import PostEditTraining, train_post_editor
else:
    offer(__name__)

__all__ = ["Change", "PostEditRecipe", "PostEditTraining", "PostEdited", "PostEditor", "train_post_editor"]
