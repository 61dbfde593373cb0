"""Comprehension tests: who hears what, what they could answer, where answers were lost."""
