// Places in text as code points of the logical order, whatever the script and however it is drawn. Pure.

/** How many code points a text has. */
export const pointLength = (text) => [...text].length;

/** The code point at which a UTF-16 place stands. */
export const pointAt = (text, unit) => [...text.slice(0, unit)].length;

/** The part of a text between two places in code points. */
export const slicePoints = (text, start, end) => [...text].slice(start, end).join("");

function segments(text, lang, granularity) {
  let cutter;
  try {
    cutter = new Intl.Segmenter(lang || undefined, { granularity });
  } catch {
    cutter = new Intl.Segmenter(undefined, { granularity });
  }
  let at = 0;
  return Array.from(cutter.segment(text), ({ segment }) => {
    const start = at;
    at += pointLength(segment);
    return { start, end: at, text: segment };
  });
}

/** Words and marks of punctuation, without the spaces between them: [{start, end}]. */
export function words(text, lang) {
  return segments(text, lang, "word")
    .filter((part) => part.text.trim())
    .map(({ start, end }) => ({ start, end }));
}

/** The places between which no letter is cut in two: after every grapheme. */
export function boundaries(text, lang) {
  return [0, ...segments(text, lang, "grapheme").map((part) => part.end)];
}

/** A range widened to whole graphemes and without blanks at its ends; null if nothing is left. */
export function tidy(text, lang, start, end) {
  const cuts = boundaries(text, lang);
  let [from, to] = [cuts.findLast((cut) => cut <= start) ?? 0, cuts.find((cut) => cut >= end) ?? cuts.at(-1)];
  const points = [...text];
  while (from < to && !points[from].trim()) from += 1;
  while (to > from && !points[to - 1].trim()) to -= 1;
  return from < to ? { start: from, end: to } : null;
}

/** The unit that holds a place, or the next one; the last if there is none after it. */
export function unitAt(units, point) {
  return units.find((unit) => point < unit.end) ?? units.at(-1) ?? null;
}

/** Move a selection by one unit; with `extend` its anchor stays. A selection is {anchor, head}, both units. */
export function step(units, selection, by, extend) {
  if (!units.length) return null;
  if (!selection) return { anchor: units.at(by > 0 ? 0 : -1), head: units.at(by > 0 ? 0 : -1) };
  const at = units.findIndex((unit) => selection.head.start < unit.end);
  const next = units[Math.min(units.length - 1, Math.max(0, (at < 0 ? units.length - 1 : at) + by))];
  return { anchor: extend ? selection.anchor : next, head: next };
}

/** The range that a selection covers. */
export function rangeOf(selection) {
  if (!selection) return null;
  const { anchor, head } = selection;
  return { start: Math.min(anchor.start, head.start), end: Math.max(anchor.end, head.end) };
}

/** Move one end of a range to the neighbouring cut; the range keeps at least one grapheme. */
export function nudge(cuts, { start, end }, edge, by) {
  const place = cuts.indexOf(edge === "start" ? start : end) + by;
  const cut = cuts[Math.min(cuts.length - 1, Math.max(0, place))];
  const moved = edge === "start" ? { start: cut, end } : { start, end: cut };
  return moved.start < moved.end ? moved : { start, end };
}

/** The text cut at every beginning and end of a mark: [{start, end, marks: [indices], selected}]. */
export function pieces(length, marks, selected = null) {
  const cuts = new Set([0, length]);
  for (const { start, end } of [...marks, ...(selected ? [selected] : [])]) cuts.add(start).add(end);
  const order = [...cuts].filter((cut) => cut >= 0 && cut <= length).sort((a, b) => a - b);
  const covers = (range, start) => range.start <= start && start < range.end;
  return order.slice(0, -1).map((start, i) => ({
    start,
    end: order[i + 1],
    marks: marks.flatMap((mark, number) => (covers(mark, start) ? [number] : [])),
    selected: Boolean(selected && covers(selected, start)),
  }));
}
