"""Translations by a crowd: votes, selection, a review of the workers, controls, splits by document."""
