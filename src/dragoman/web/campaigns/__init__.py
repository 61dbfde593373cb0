"""Campaigns for managers, viewers and annotators: interface (`_api`) and pages."""
