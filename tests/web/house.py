"""A small house: an account for each role, and a campaign of direct assessment that two annotators share."""

from __future__ import annotations

from pathlib import Path

from argon2 import PasswordHasher

from dragoman.human.manifest import read_manifest
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.people.accounts import add_user
from dragoman.store.people.passwords import HashedPassword
from tests.web.client import PASSWORD

__all__ = ["CAMPAIGN", "FILES", "MANIFEST", "ROLES", "SYSTEMS", "fill"]

ROLES = ("admin", "manager", "annotator", "viewer")
SYSTEMS = ("kestrel-nine", "wagtail-two")  # names that no sentence has
CAMPAIGN = "birds"
# A hash says by itself how much work it takes to check: signing in costs the tests next to nothing.
CHEAP = HashedPassword(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD))
N_SEGMENTS = 20

# Tasks of ten items, four of them, each for two of three annotators.
MANIFEST = """
name = "birds"
protocol = "da"
redundancy = 2
seed = 7
annotators = ["ada", "ben", "chloe"]
section_size = 2
controls = {bad = 0.5}

[test_set]
source_lang = "de"
target_lang = "en"
srcs = "source.de"
refs = ["reference.en"]
systems = {kestrel-nine = "one.en", wagtail-two = "two.en"}
"""
FILES = {
    "source.de": "".join(f"Der Vogel {n} singt am frühen Morgen im Garten.\n" for n in range(1, N_SEGMENTS + 1)),
    "reference.en": "".join(f"Bird {n} sings in the garden early in the day.\n" for n in range(1, N_SEGMENTS + 1)),
    "one.en": "".join(f"The bird {n} sings early in the garden.\n" for n in range(1, N_SEGMENTS + 1)),
    "two.en": "".join(f"Bird {n} is singing at dawn, in the yard.\n" for n in range(1, N_SEGMENTS + 1)),
}


def write_manifest(folder: Path, text: str = MANIFEST) -> Path:
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    path = folder / "manifest.toml"
    path.write_text(text, encoding="utf-8")
    return path


def fill(store: Store) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, store.write() as connection:
        for role in ROLES:
            add_user(connection, f"the-{role}", role, CHEAP, actor=COMMAND_LINE)
        for name in ("ada", "ben"):
            add_user(connection, name, "annotator", CHEAP, actor=COMMAND_LINE)
        create_campaign(connection, read_manifest(write_manifest(Path(folder))), actor=COMMAND_LINE)
