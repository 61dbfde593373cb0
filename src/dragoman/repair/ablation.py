"""What each rule does: all rules beside all but one (DEPFIX 2012, Table 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.parallel import check_parallel
from dragoman.metrics.bleu import Bleu
from dragoman.repair.repairer import Repairer
from dragoman.repair.rules import rules_in_order
from dragoman.report import Column, Result, Table

__all__ = ["RuleAblation", "RuleEffect", "ablate_rules"]


@dataclass(frozen=True)
class RuleEffect:
    """The lines that differ without a rule, and in how many of them the rule brings them nearer to the reference."""

    rule: str
    kind: str
    changed: int
    improved: int | None
    worsened: int | None
    bleu: float | None  # of all lines without the rule


@dataclass(frozen=True)
class RuleAblation(Result):
    """All rules beside all but one, rule by rule."""

    kind: ClassVar[str] = "rule ablation"

    effects: tuple[RuleEffect, ...]
    n_lines: int
    n_changed: int  # by all rules
    before: float | None  # BLEU of the lines as they were
    after: float | None  # with all rules

    def answer(self) -> str:
        """BLEU before and after, if there are references."""
        changed = f"{self.n_changed} of {self.n_lines} lines are changed by all rules"
        if self.before is None or self.after is None:
            return f"{changed}."
        return f"{changed}; BLEU {self.before:.2f} before, {self.after:.2f} after."

    def tables(self) -> list[Table]:
        """A row for each rule, in their order."""
        columns = [Column("rule"), Column("kind"), Column("changed"), Column("improved"), Column("worsened")]
        columns += [Column("indefinite"), Column("bleu", "BLEU without", digits=2)]
        rows = [(e.rule, e.kind, e.changed, e.improved, e.worsened, _rest(e), e.bleu) for e in self.effects]
        note = "Changed: lines that differ from those of all rules. Improved: nearer to the reference, by its words."
        return [Table.of("Rules", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Lines and BLEU."""
        return {"lines": self.n_lines, "changed": self.n_changed, "before": self.before, "after": self.after}


def ablate_rules(
    repairer: Repairer,
    outputs: Sequence[str],
    sources: Sequence[str],
    references: Sequence[str] | None = None,
    *,
    n_threads: int = 1,
) -> RuleAblation:
    """Repair with all rules, and again without each."""
    check_parallel({"outputs": outputs, "sources": sources, "references": references})
    trees = repairer.parse(sources, n_threads=n_threads)
    whole = repairer.mend(outputs, trees)
    at_work = {each.rule for each in whole.repairs if each.made}
    effects = []
    for rule in rules_in_order():
        # A rule of analysis leaves no trace of its own; one that proposed nothing cannot have changed a line.
        idle = rule.kind != "analysis" and rule.name not in at_work
        lines = whole.lines if idle else repairer.mend(outputs, trees, without=(rule.name,)).lines
        effects.append(_effect(rule.name, rule.kind, whole.lines, lines, references))
    before, after = _bleu(outputs, references), _bleu(whole.lines, references)
    return RuleAblation(tuple(effects), len(outputs), whole.n_changed, before, after)


def _effect(
    name: str, kind: str, whole: Sequence[str], lines: Sequence[str], references: Sequence[str] | None
) -> RuleEffect:
    differing = [n for n, (a, b) in enumerate(zip(whole, lines, strict=True)) if a != b]
    if references is None:
        return RuleEffect(name, kind, len(differing), None, None, None)
    gains = [_matches(whole[n], references[n]) - _matches(lines[n], references[n]) for n in differing]
    return RuleEffect(
        name, kind, len(differing), sum(g > 0 for g in gains), sum(g < 0 for g in gains), _bleu(lines, references)
    )


def _matches(line: str, reference: str) -> int:
    return (Counter(line.split()) & Counter(reference.split())).total()


def _bleu(lines: Sequence[str], references: Sequence[str] | None) -> float | None:
    return None if references is None else Bleu().corpus_value(list(lines), [list(references)])


def _rest(effect: RuleEffect) -> int | None:
    if effect.improved is None or effect.worsened is None:
        return None
    return effect.changed - effect.improved - effect.worsened
