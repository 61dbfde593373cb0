"""Prompts that come with the package."""
