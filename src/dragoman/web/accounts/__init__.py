"""Signing in, and the accounts of others: interface (`_api`) and pages."""
