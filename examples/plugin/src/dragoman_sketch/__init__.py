"""What a package needs to add to Dragoman: classes that keep its contracts, and lines in `pyproject.toml`."""
