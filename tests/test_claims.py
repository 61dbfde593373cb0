"""Printed figures of speed: each is in its document, and a measurement that falls short names both figures."""

from __future__ import annotations

import re
import sys

import pytest

from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "tools"))
from claims import Claim, broken_claims, load_claims

CLAIMS = [claim for claims in load_claims().values() for claim in claims]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.script}: {claim.says}")
def test_a_claim_stands_in_its_document(claim: Claim) -> None:
    text = " ".join((ROOT / claim.document).read_text(encoding="utf-8").split())
    assert claim.says in text
    assert (ROOT / "bench" / f"{claim.script}.py").is_file()
    assert re.compile(claim.figure).groups in (1, 2)
    assert claim.at in ("least", "most")


def test_a_measurement_that_falls_short_is_told_with_both_figures() -> None:
    claim = Claim("first_number", "README.md", "a fifth", r"([\d.]+) ×", 5.0, "least")
    assert broken_claims([claim], "ours 0.1 s, theirs 0.45 s: 4.5 ×") == []
    assert broken_claims([claim], "3.9 ×") == ["README.md says 'a fifth' (5), measured 3.9"]
    assert "the output has no" in broken_claims([claim], "nothing")[0]
    slow = Claim("memory", "x.md", "in 3 ms", r"([\d.]+) ms", 3.0, "most")
    assert broken_claims([slow], "3.5 ms") == []
    fast = Claim("parser", "x.md", "tags 1,000 a second", r"([\d,]+) tokens/s", 1000, "least", 0.5)
    assert broken_claims([fast], "tagging  1,234 tokens/s") == []
    half = Claim("mining", "x.md", "takes half of its time", r"([\d.]+) s, theirs ([\d.]+) s", 0.5, "most")
    assert broken_claims([half], "0.5 s, theirs 1.0 s") == []
    assert broken_claims([half], "0.9 s, theirs 1.0 s") == ["x.md says 'takes half of its time' (0.5), measured 0.9"]
    assert broken_claims([slow], "3.7 ms") == ["x.md says 'in 3 ms' (3), measured 3.7"]


def test_every_benchmark_runs_without_arguments_or_says_why_not() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "bench").glob("*.py"))}
    for path, text in texts.items():
        if '__name__ == "__main__"' not in text:  # a module of the others
            assert any(re.search(rf"^(from|import) {path.stem}\b", each, re.M) for each in texts.values()), path.name
            continue
        assert "required=True" not in text, f"{path.name} cannot run without arguments: use needs.skip"
        asked = re.findall(r'add_argument\("[a-z]\w*"[^)\n]*\)', text)
        assert all("nargs=" in each for each in asked), f"{path.name} cannot run without arguments: {asked}"
        assert "no real data" not in text, f"{path.name}: use needs.real_data"
