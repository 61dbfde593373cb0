"""The translator's workbench in the database: projects, files, segments, jobs, what reviewers say, and who may what."""
