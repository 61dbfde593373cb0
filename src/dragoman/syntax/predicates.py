"""Who did what to whom, by rules over a dependency tree: a light stand-in for a semantic role labeller.

Every verb is an action, and so is a copula. What depends on it fills a role by its relation (Universal Dependencies),
and adjuncts by their preposition, conjunction or adverb. A verb that shares the subject of the verb it hangs on, or
describes a noun, has that subject or noun as a filler.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from dragoman.data.frames import Filler, Frame
from dragoman.text.conllu import Sentence, Word

__all__ = ["sentence_frames"]

_CORE = {
    "nsubj": "agent",
    "csubj": "agent",
    "nsubj:pass": "experiencer-patient",
    "csubj:pass": "experiencer-patient",
    "obj": "experiencer-patient",
    "ccomp": "experiencer-patient",
    "xcomp": "experiencer-patient",
    "iobj": "beneficiary",
    "obl:arg": "beneficiary",
    "obl:agent": "agent",
    "obl:tmod": "temporal",
    "aux": "modal",
    "aux:pass": "modal",
}
_SUBJECTS = {"nsubj", "nsubj:pass", "csubj", "csubj:pass"}
_SHARED = {"conj", "xcomp"}  # a verb with this relation has the subject of the verb above, if none of its own
_CLAUSE = {"aux", "cop", "nsubj", "csubj", "obl", "advmod", "advcl", "mark", "cc", "conj", "parataxis", "punct", "expl"}

# Prepositions, conjunctions and adverbs that tell a role: English, German, French, Spanish, in this order.
_OBLIQUE = {
    "temporal": """during since until till after before ago seit während nach vor bis pendant depuis avant après durante
        desde""",
    "locative": """in at on under over near above below behind beside between among around inside outside within across
        through into onto from auf an unter über neben zwischen hinter bei im am vom zum zur aus dans sur sous chez
        entre vers en sobre bajo hacia""",
    "beneficiary": "for to für à pour para a",
    "purpose": "because due despite wegen trotz dank malgré por",
    "manner": "with without by via mit ohne durch avec sans par con sin",
    "degree-extent": "than about als ungefähr environ",
}
_CLAUSES = {
    "temporal": """when while after before until since once als wenn während nachdem bevor bis quand lorsque cuando
        mientras""",
    "purpose": "because so that to um damit weil da pour parce porque para",
}
_ADVERBS = {
    "negation": "not n't never no nicht nie niemals kein ne pas jamais nunca",
    "temporal": """now then today tomorrow yesterday already still often always soon ever again later recently currently
        once jetzt nun dann heute morgen gestern bereits schon oft immer bald wieder später erst noch derzeit bisher
        maintenant aujourd'hui hier demain déjà toujours souvent encore ahora hoy ayer mañana ya siempre todavía""",
    "locative": "here there everywhere away abroad home hier dort überall da ici là aquí allí",
    "degree-extent": """very only just even almost nearly too quite rather really about more most at least sehr nur
        sogar fast beinahe zu ganz ziemlich mehr am kaum très seulement presque trop plus muy sólo casi más""",
    "other": "also however therefore thus auch aber jedoch daher deshalb also aussi donc también además",
}
_NOUNS = {
    "temporal": """monday tuesday wednesday thursday friday saturday sunday january february march april may june july
        august september october november december second seconds minute minutes hour hours day days week weeks month
        months year years decade century morning evening night time times montag dienstag mittwoch donnerstag freitag
        samstag sonntag januar februar märz mai juni juli oktober dezember minuten stunde stunden tag tage tagen woche
        wochen monat monate monaten jahr jahre jahren jahres abend nacht zeit zeiten jahrhundert mal jour jours semaine
        mois an ans année années heure heures fois día días semana mes meses año años hora horas vez""",
}


def _roles(table: dict[str, str]) -> dict[str, str]:
    return {word: role for role, words in table.items() for word in words.split()}


_BY_PREPOSITION, _BY_CONJUNCTION, _BY_ADVERB, _BY_NOUN = map(_roles, (_OBLIQUE, _CLAUSES, _ADVERBS, _NOUNS))


def sentence_frames(sentence: Sentence) -> tuple[Frame, ...]:
    """The frames of a parsed sentence, in the order of their actions; tokens are its words, counted from 0."""
    return _Tree(sentence.words).frames()


@dataclass(frozen=True, eq=False)
class _Tree:
    words: tuple[Word, ...]

    @cached_property
    def children(self) -> dict[int, list[Word]]:
        children: dict[int, list[Word]] = {word.id: [] for word in self.words}
        for word in self.words:
            if word.head:
                children[word.head].append(word)
        return children

    def frames(self) -> tuple[Frame, ...]:
        frames = []
        for word in self.words:
            clause = self.clause(word)
            if clause is not None:
                fillers = {(each.start, each.end): each for each in reversed(self.fillers(word, clause))}
                frames.append(Frame(word.id - 1, tuple(sorted(fillers.values(), key=lambda each: each.start))))
        return tuple(frames)

    def clause(self, word: Word) -> Word | None:
        """The head of the clause that a word is the action of; None where it is none."""
        if word.deprel == "cop" and word.head:
            return self.words[word.head - 1]
        if word.upos == "VERB" and word.deprel not in {"amod", "compound", "case", "fixed", "aux", "aux:pass"}:
            return word
        return word if word.upos == "AUX" and not word.deprel.startswith("aux") else None

    def fillers(self, action: Word, clause: Word) -> list[Filler]:
        fillers = []
        for child in self.children[clause.id]:
            role = self.role(child)
            if role and child is not action:
                fillers += self.filler(role, self.subtree(child), child)
        if clause is not action:
            fillers += self.filler("experiencer-patient", self.nominal(clause), clause)
        if not any(child.deprel in _SUBJECTS for child in self.children[clause.id]):
            fillers += self.shared(clause)
        return _joined(fillers)

    def role(self, child: Word) -> str | None:
        """The role of a word that depends on an action; None where it has none."""
        relation, form = child.deprel, child.form.lower()
        kind = relation.partition(":")[0]
        if relation in _CORE or kind in _CORE:
            return _CORE.get(relation, _CORE.get(kind))
        if kind == "advmod":
            return _BY_ADVERB.get(form, "manner")
        if kind == "obl":
            return _BY_NOUN.get(form) or self._by_marker(child, "case", _BY_PREPOSITION)
        return self._by_marker(child, "mark", _BY_CONJUNCTION) if kind == "advcl" else None

    def _by_marker(self, child: Word, relation: str, table: dict[str, str]) -> str:
        markers = [each.form.lower() for each in self.children[child.id] if each.deprel == relation]
        return next((table[marker] for marker in markers if marker in table), "other")

    def shared(self, clause: Word) -> list[Filler]:
        """The subject of the verb above, or the noun that a verb without a subject describes."""
        if not clause.head:
            return []
        above = self.words[clause.head - 1]
        if clause.deprel == "acl":
            role = "agent" if "Tense=Past" not in clause.feats else "experiencer-patient"
            return self.filler(role, self.subtree(above, without=clause.id), above)
        if clause.deprel in _SHARED:
            subjects = [child for child in self.children[above.id] if child.deprel in _SUBJECTS]
            return [each for child in subjects for each in self.filler("agent", self.subtree(child), child)]
        return []

    def subtree(self, word: Word, *, without: int = 0) -> set[int]:
        """The ids of a word and all below it."""
        ids: set[int] = set()
        waiting = [word.id]
        while waiting:
            each = waiting.pop()
            ids.add(each)
            waiting += [child.id for child in self.children[each] if child.id != without]
        return ids

    def nominal(self, clause: Word) -> set[int]:
        """What a copula says of its subject: the head of the clause with all that is the head's own."""
        ids = {clause.id}
        for child in self.children[clause.id]:
            if child.deprel.partition(":")[0] not in _CLAUSE:
                ids |= self.subtree(child)
        return ids

    def filler(self, role: str, ids: Iterable[int], head: Word) -> list[Filler]:
        """The stretch of neighbouring words around a head, without the punctuation at its ends."""
        there = set(ids)
        first = last = head.id
        while first - 1 in there:
            first -= 1
        while last + 1 in there:
            last += 1
        while first < last and self.words[first - 1].upos == "PUNCT":
            first += 1
        while first < last and self.words[last - 1].upos == "PUNCT":
            last -= 1
        return [Filler(role, first - 1, last)]


def _joined(fillers: list[Filler]) -> list[Filler]:
    """Auxiliaries that stand side by side fill their role together."""
    joined: list[Filler] = []
    for each in sorted(fillers, key=lambda filler: (filler.role, filler.start)):
        if joined and each.role == "modal" == joined[-1].role and joined[-1].end == each.start:
            joined[-1] = Filler("modal", joined[-1].start, each.end)
        else:
            joined.append(each)
    return joined
