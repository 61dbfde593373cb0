"""Ask a database of advisories (OSV) whether a weakness is known of any package in this environment: `make audit`.

Ends with 0 if none is known, with 1 if one is, and with 2 if it could not look: no answer is not a good answer.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib.metadata import distributions
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

DATABASE = "https://api.osv.dev/v1/querybatch"
CLEAN, FOUND, DID_NOT_LOOK = 0, 1, 2
_BATCH = 500  # packages asked for at once; the database takes 1,000
_PATIENCE = 30  # seconds


class NoAnswer(Exception):
    """The database was not reached, or said something else than which advisories there are."""


def installed() -> list[tuple[str, str]]:
    """Name and version of every package of this environment but Dragoman itself."""
    found = {each.metadata["Name"].lower(): each.version for each in distributions() if each.metadata["Name"]}
    return sorted((name, version) for name, version in found.items() if name != "dragoman")


def advisories(packages: list[tuple[str, str]], database: str) -> dict[tuple[str, str], list[str]]:
    """The names of the advisories about each package that has some."""
    found = {}
    for first in range(0, len(packages), _BATCH):
        batch = packages[first : first + _BATCH]
        results = _ask(batch, database).get("results")
        if not isinstance(results, list) or len(results) != len(batch):
            raise NoAnswer("the answer is not one result for each package")
        for package, result in zip(batch, results, strict=True):
            if result.get("vulns"):
                found[package] = [str(each["id"]) for each in result["vulns"]]
    return found


def _ask(batch: list[tuple[str, str]], database: str) -> dict[str, Any]:
    queries = [{"package": {"name": name, "ecosystem": "PyPI"}, "version": version} for name, version in batch]
    request = Request(
        database, data=json.dumps({"queries": queries}).encode(), headers={"Content-Type": "application/json"}
    )
    try:
        with urlopen(request, timeout=_PATIENCE) as answer:
            told = json.load(answer)
    except (URLError, OSError, ValueError) as error:
        raise NoAnswer(str(error)) from None
    if not isinstance(told, dict):
        raise NoAnswer("the answer is no object")
    return told


def main() -> int:
    """Look, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", default=DATABASE, help="the address that is asked")
    database = parser.parse_args().database
    packages = installed()
    try:
        found = advisories(packages, database)
    except NoAnswer as error:
        print(f"COULD NOT LOOK: {database} gave no answer about {len(packages)} packages ({error}).", file=sys.stderr)
        return DID_NOT_LOOK
    for (name, version), names in found.items():
        print(f"{name} {version}: {', '.join(names)}")
    print(f"{len(packages)} packages, {len(found)} with known weaknesses.")
    return FOUND if found else CLEAN


if __name__ == "__main__":
    sys.exit(main())
