"""Results shown: tables and figures as text, TSV, CSV, Markdown, LaTeX, JSON and HTML."""
