"""What every public function returns: a frozen result that knows its tables, its figures and how it was made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from dragoman import __version__
from dragoman.errors import UnknownName
from dragoman.lazy import later
from dragoman.report.figure import Figure
from dragoman.report.render import RENDERERS, ROW_FORMS, render
from dragoman.report.table import Table, plain_mapping
from dragoman.report.terminal import PLAIN, Screen, paragraph

if TYPE_CHECKING:
    import json
else:
    json = later("json")

__all__ = ["Result"]


class Result(ABC):
    """The base of all results. Subclasses are frozen dataclasses with plain Python numbers.

    The first table is the main one: its rows are the rows of the JSON object. `meta` carries what is needed to repeat
    the work: signature, seed, counts, what was left out.
    """

    kind: ClassVar[str]

    @abstractmethod
    def tables(self) -> list[Table]:
        """The tables of the result, the main one first."""

    def answer(self) -> str:
        """What the result says in a sentence or two, for those who read no table; empty if there is none."""
        return ""

    def shown_tables(self) -> list[Table]:
        """The tables that people see, where they are not those of programs."""
        return self.tables()

    def figures(self) -> list[Figure]:
        """The figures of the result."""
        return []

    def meta(self) -> dict[str, Any]:
        """What is needed to repeat the work, beyond the rows."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """`{"kind": …, "rows": […], "meta": {…}}`, the object that `--json` prints."""
        meta = {**plain_mapping(self.meta()), "dragoman": __version__}
        return {"kind": self.kind, "rows": self.tables()[0].records(), "meta": meta}

    def render(self, form: str = "text", *, raw: bool = False, screen: Screen = PLAIN) -> str:
        """The result as text, TSV, CSV, JSON, Markdown, LaTeX or HTML; row formats show the main table only.

        In those, a text that a spreadsheet would calculate with has a quote before it, unless it is `raw`. Text is as
        wide as it is, or as wide as the `screen`.
        """
        if form == "json":
            return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        if form in ROW_FORMS or form not in RENDERERS:
            return render(self.tables()[0], form, raw=raw)
        answer = [paragraph(self.answer(), screen) + "\n"] if form == "text" and self.answer() else []
        return "\n".join([*answer, *(render(table, form, screen=screen) for table in self.shown_tables())])

    def to_pandas(self, table: int | str = 0) -> Any:
        """A table, by its place or title, as a `pandas.DataFrame`."""
        from dragoman.report.frames import to_pandas

        return to_pandas(self._table(table))

    def to_polars(self, table: int | str = 0) -> Any:
        """A table, by its place or title, as a `polars.DataFrame`."""
        from dragoman.report.frames import to_polars

        return to_polars(self._table(table))

    def __str__(self) -> str:
        from dragoman.report.notebook import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from dragoman.report.notebook import as_html

        return as_html(self)

    def _table(self, wanted: int | str) -> Table:
        tables = self.tables()
        titles = [table.title for table in tables]
        if isinstance(wanted, str):
            if wanted not in titles:
                raise UnknownName(f"There is no table {wanted!r}. Known: {', '.join(titles)}.")
            return tables[titles.index(wanted)]
        if not 0 <= wanted < len(tables):
            raise UnknownName(f"There is no table {wanted}; there are {len(tables)}: {', '.join(titles)}.")
        return tables[wanted]
