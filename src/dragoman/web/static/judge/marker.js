// A text in which places are marked, by mouse, finger or keyboard. Marks are of whole words; whoever holds Alt while
// dragging marks letters. The text is never changed and never cut inside a letter; marks have no width of their own, so
// that joined scripts stay joined.

import { el } from "./dom.js";
import { direction } from "./languages.js";
import { boundaries, nudge, pieces, pointAt, rangeOf, slicePoints, step, tidy, unitAt, words } from "./spans.js";

/** A text cut at its marks [{start, end, kind}], each piece that has any in an element of its kinds. */
export function markedPieces(text, marks, selected = null) {
  const points = [...text];
  return pieces(points.length, marks, selected).map((piece) => {
    const content = points.slice(piece.start, piece.end).join("");
    if (!piece.marks.length && !piece.selected) return document.createTextNode(content);
    const kinds = piece.marks.flatMap((number) => [
      `kind-${marks[number].kind}`,
      ...(marks[number].proposed ? ["proposed"] : []),
    ]);
    return el(
      "mark",
      {
        class: [...kinds, piece.selected ? "selected" : ""].filter(Boolean).join(" "),
        "data-mark": piece.marks.at(-1) ?? "",
      },
      content,
    );
  });
}

/**
 * Options: text, lang, label, describedby, units (words, if not given), wholeUnits (no part of a unit can be chosen),
 * onSelect(range|null), onOpen(mark number), announce(text).
 */
export class Marker {
  constructor({ text, lang, label, describedby, units, wholeUnits = false, onSelect, onOpen, announce, empty }) {
    Object.assign(this, { text, lang, wholeUnits, onSelect, onOpen, announce });
    this.units = units ?? words(text, lang);
    this.cuts = boundaries(text, lang);
    this.marks = []; // [{start, end, kind, number}]
    this.selection = null; // {anchor, head}
    this.element = el("p", {
      class: text.trim() ? "text marker" : "text marker nothing",
      lang,
      dir: direction(lang),
      tabIndex: 0,
      role: "textbox",
      "aria-readonly": "true",
      "aria-multiline": "true",
      "aria-label": label,
      "aria-describedby": describedby,
    });
    this.empty = empty;
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("pointerup", (event) => this.#pointer(event));
    this.draw();
  }

  get range() {
    return rangeOf(this.selection);
  }

  /** The text of a range. */
  of(range) {
    return slicePoints(this.text, range.start, range.end);
  }

  setMarks(marks) {
    this.marks = marks;
    this.draw();
  }

  clear() {
    this.select(null);
  }

  select(selection, { silent = false } = {}) {
    this.selection = selection;
    this.draw();
    const range = this.range;
    if (range) this.announce?.(this.of(range));
    if (!silent) this.onSelect?.(range);
  }

  selectRange(range) {
    this.select(range && { anchor: range, head: range });
  }

  focus() {
    this.element.focus();
  }

  draw() {
    if (!this.text.trim()) {
      this.element.textContent = this.empty ?? "";
      return;
    }
    this.element.replaceChildren(...markedPieces(this.text, this.marks, this.range));
  }

  /** The code point at a place in the document. */
  #point(node, offset) {
    const before = document.createRange();
    before.selectNodeContents(this.element);
    before.setEnd(node, offset);
    return pointAt(this.text, before.toString().length);
  }

  #pointer(event) {
    if (!this.text.trim()) return;
    const chosen = getSelection();
    const inside =
      chosen.rangeCount && this.element.contains(chosen.anchorNode) && this.element.contains(chosen.focusNode);
    if (inside && !chosen.isCollapsed) {
      const a = this.#point(chosen.anchorNode, chosen.anchorOffset);
      const b = this.#point(chosen.focusNode, chosen.focusOffset);
      chosen.removeAllRanges();
      this.#choose(Math.min(a, b), Math.max(a, b), event.altKey && !this.wholeUnits);
      return;
    }
    const at = caretAt(event.clientX, event.clientY);
    if (!at || !this.element.contains(at.node)) return;
    const point = this.#point(at.node, at.offset);
    const mark = event.target.closest?.("mark[data-mark]")?.dataset.mark;
    if (mark && !this.selection) {
      this.onOpen?.(Number(mark));
      return;
    }
    const unit = unitAt(this.units, point);
    if (!unit) return;
    // A second click widens what the first began, so that a phone needs no dragging.
    const range = this.range;
    if (range && !(range.start <= unit.start && unit.end <= range.end))
      this.select({
        anchor:
          unit.start < range.start
            ? { start: range.end - 1, end: range.end }
            : { start: range.start, end: range.start + 1 },
        head: unit,
      });
    else if (range) this.clear();
    else this.select({ anchor: unit, head: unit });
  }

  #choose(start, end, letters) {
    const range = tidy(this.text, this.lang, start, end);
    if (!range) return;
    if (letters) {
      this.selectRange(range);
      return;
    }
    const inside = this.units.filter((unit) => unit.start < range.end && range.start < unit.end);
    if (inside.length) this.select({ anchor: inside[0], head: inside.at(-1) });
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || !this.text.trim()) return;
    const rtl = getComputedStyle(this.element).direction === "rtl";
    const by = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && event.altKey && !this.wholeUnits) {
      const range = this.range;
      if (range) this.selectRange(nudge(this.cuts, range, event.shiftKey ? "start" : "end", by));
    } else if (by !== undefined) this.select(step(this.units, this.selection, by, event.shiftKey));
    else if ((event.key === "]" || event.key === "[") && this.selection) this.#grow(event.key === "]" ? 1 : -1);
    else if (event.key === "Home" || event.key === "End") {
      const unit = this.units.at(event.key === "Home" ? 0 : -1);
      this.select({ anchor: event.shiftKey && this.selection ? this.selection.anchor : unit, head: unit });
    } else if (event.key === "Escape" && this.selection) this.clear();
    else return;
    event.preventDefault();
  }

  #grow(by) {
    const range = this.range;
    const last = this.units.findLastIndex((unit) => unit.start < range.end);
    const next = this.units[last + by];
    const first = this.units.find((unit) => range.start < unit.end);
    if (next && next.end > range.start && (by > 0 || last > this.units.indexOf(first)))
      this.select({ anchor: { start: range.start, end: range.start + 1 }, head: next });
  }
}

function caretAt(x, y) {
  const found = document.caretPositionFromPoint?.(x, y);
  if (found) return { node: found.offsetNode, offset: found.offset };
  const range = document.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}
