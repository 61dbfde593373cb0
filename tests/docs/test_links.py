"""Links between pages: the file is there, and so is the heading; `make docs` sees neither README nor CONTRIBUTING."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from markdown.extensions.toc import slugify

from tests.conftest import ROOT

DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
NAVIGATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
GENERATED = set(re.findall(r"\breference/\S+\.md", NAVIGATION))  # by tools/reference.py
LINK = re.compile(r"(?<!\\)\]\(<?([^)\s>]+)>?(?: +\"[^\"]*\")?\)")


def prose(text: str) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^( *)(```+|~~~+).*?^\1\2 *$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as the site makes them."""
    found: Counter[str] = Counter()
    names = set()
    for title in re.findall(r"^#+ +(.+?) *#*$", prose(text), flags=re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").replace("*", "")
        name = slugify(plain, "-")
        names.add(f"{name}_{found[name]}" if found[name] else name)
        found[name] += 1
    return names


def broken_links(page: Path, text: str) -> list[str]:
    """Return the links of a page that lead nowhere."""
    wrong = []
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(text))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        generated = target.is_relative_to(DOCS) and target.relative_to(DOCS).as_posix() in GENERATED
        if generated or (target.parent.name == "notebooks" and target.with_suffix(".ipynb").is_file()):
            continue
        if not target.exists():
            wrong.append(f"{link}: file not found")
        elif anchor and anchor not in anchors(text if target == page else target.read_text(encoding="utf-8")):
            wrong.append(f"{link}: heading not found")
    return wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page, page.read_text(encoding="utf-8")) == []


def test_what_leads_nowhere_is_found() -> None:
    text = (
        "# Speed\n\n## `serve`, *twice*\n\n[a](#speed) [b](#serve-twice) [c](install.md) [d](https://example.org/x.md)\n"
        "[e](#slow) [f](nothing.md) [g](testing.md#nothing)\n\n```md\n[h](hidden.md)\n# Hidden\n```\n`[i](hidden.md)`\n"
    )
    assert broken_links(DOCS / "index.md", text) == [
        "#slow: heading not found",
        "nothing.md: file not found",
        "testing.md#nothing: heading not found",
    ]
    assert anchors("# One\n# One\n") == {"one", "one_1"}
