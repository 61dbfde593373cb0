"""Every command called once, in the folder that is given: what became of each, as JSON.

`python -m tests.cli.base_calls FOLDER`
"""

from __future__ import annotations

import io
import json
import os
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from shutil import copy
from typing import Any

import click

from dragoman.cli.main import group
from dragoman.errors import DragomanError, NotAvailable
from dragoman.samples import phrasebook, sample_path
from tests.cli.commands import every_command

# Files by what parameters are called; what is not here is a text.
FILES = {
    "judgements": "testset/judgements/ranking.csv",
    "manifest": "testset/campaign.toml",
    "treebanks": "treebank.es.conllu",
    "treebank": "treebank.es.conllu",
    "trees": "treebank.es.conllu",
    "reviews": "studies/understandability/reviews.tsv",
    "human": "testset/judgements/da.csv",
    "systems": "testset/systems/atlas.en",
    "refs": "testset/reference-A.en",
    "ref": "testset/reference-A.en",
}
WORDS = {
    "langs": "en-de",
    "pair": "en-de",
    "spec": "bleu",
    "specs": "bleu",
    "names": "en",
    "notation": "tF-F",
    "role": "manager",
}
MADE = {"model", "to", "target", "folder", "work", "site", "engine"}  # what does not exist yet
# What a call needs beyond its required parameters to do anything.
MORE = {
    "score": ["atlas.en", "-r", "reference-A.en", "--no-cache"],
    "neural train": [
        "--src",
        "text.en",
        "--tgt",
        "text.en",
        "--dev-src",
        "text.en",
        "--dev-ref",
        "text.en",
        "--lang-src",
        "en",
        "--lang-tgt",
        "de",
    ],
    "text tokenize": ["text.en"],
    "text detokenize": ["text.en"],
    "text normalize": ["text.en", "--nfc"],
    "text split-sentences": ["text.en", "--lang", "en"],
    "lint": ["text.en"],
    "meta evaluate": ["atlas.en", "ember.en", "-r", "reference-A.en", "--human", "da.csv"],
    "serve": ["--help"],
    "demo": ["--help"],
}


def value_of(param: click.Parameter, folder: Path) -> str:
    """Something that a parameter takes."""
    name, kind = param.name or "", param.type
    if isinstance(kind, click.Choice):
        return str(kind.choices[0])
    if isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        return str(getattr(kind, "min", None) or 1)
    if name in FILES:
        copy(sample_path(FILES[name]), folder)
        return Path(FILES[name]).name
    if name in WORDS or (name.startswith("lang") and not isinstance(kind, click.Path)):
        return WORDS.get(name, "en")
    if isinstance(kind, click.Path) and not kind.exists and name in MADE:
        return f"made-{name}"
    return "text.en"


def words_of(command: click.Command, folder: Path) -> list[str]:
    """What a command cannot do without."""
    options, arguments = [], []
    for param in command.params:
        if not param.required:
            continue
        n = param.nargs if param.nargs > 0 else 2
        values = [value_of(param, folder) for _ in range(n)]
        if isinstance(param, click.Option):
            options += [param.opts[0], *values]
        else:
            arguments += values
    return [*options, *arguments]


def call(words: list[str]) -> dict[str, Any]:
    """How a command ends: 0, 1 or 2 and what it says, or the exception that it should not have ended with."""
    talk = io.StringIO()
    try:
        with redirect_stdout(talk), redirect_stderr(talk):
            group.main(words, prog_name="dragoman", standalone_mode=False)
    except click.ClickException as error:
        return {"code": error.exit_code, "told": error.format_message()}
    except NotAvailable as error:
        return {"code": 1, "told": str(error), "extra": True}
    except (DragomanError, OSError) as error:
        return {"code": 1, "told": str(error)}
    except click.Abort:  # it asked for a password, and nobody answered
        return {"code": 1, "told": "Aborted!"}
    except SystemExit as error:
        return {"code": error.code, "told": ""}
    except BaseException as error:  # what this looks for
        return {"code": None, "told": f"{type(error).__name__}: {error}"}
    return {"code": 0, "told": ""}


def main(folder: Path) -> None:
    """Call all of them."""
    warnings.simplefilter("ignore")
    os.environ["DRAGOMAN_HOME"] = str(folder / "home")
    os.chdir(folder)
    for name in ("systems/atlas.en", "systems/ember.en", "reference-A.en", "judgements/da.csv"):
        copy(sample_path(f"testset/{name}"), folder)
    Path("text.en").write_text("\n".join(phrasebook()["en"][:20]) + "\n", encoding="utf-8")
    ended = {}
    for name, command in every_command():
        if not isinstance(command, click.Group):
            words = [*words_of(command, folder), *MORE.get(name, [])]
            ended[name] = {"words": words, **call([*name.split(), *words])}
    json.dump(ended, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
