"""`python -m dragoman`: the command line of this interpreter."""

from __future__ import annotations

from dragoman.cli.main import main

if __name__ == "__main__":
    main()
