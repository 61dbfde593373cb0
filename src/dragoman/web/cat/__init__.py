"""The translator's workbench over HTTP: its interface (`_api`), the socket of those who work together, its pages."""
