"""Campaigns: made, dealt, answered, decided, ranked, exported, archived."""
