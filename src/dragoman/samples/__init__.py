"""Sample data that the package carries, written for this project."""
