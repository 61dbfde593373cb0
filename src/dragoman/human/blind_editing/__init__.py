"""Understandability: outputs edited without the source, and reviewed with it (WMT 2009–2013)."""
