// Texts as they change. Pure.

/** What turns one text into another: characters deleted and inserted at a place, in code points; null if nothing. */
export function difference(before, after) {
  const [old, young] = [[...before], [...after]];
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < young.length - start && old.at(-1 - end) === young.at(-1 - end)) end += 1;
  const deleted = old.slice(start, old.length - end).join("");
  const inserted = young.slice(start, young.length - end).join("");
  return deleted || inserted ? { position: start, deleted, inserted } : null;
}

/** A text after edits [[[start, end], text]] of it, places in code points; they do not overlap. */
export function withEdits(text, edits) {
  const points = [...text];
  for (const [[start, end], put] of [...edits].sort((a, b) => b[0][0] - a[0][0]))
    points.splice(start, end - start, put);
  return points.join("");
}

/** A text cut at marks [{start, end, …}], places in code points: [{text, marks}]. */
export function cut(text, marks) {
  const points = [...text];
  const ends = new Set([0, points.length]);
  for (const { start, end } of marks) ends.add(Math.min(start, points.length)).add(Math.min(end, points.length));
  const places = [...ends].sort((a, b) => a - b);
  return places.slice(1).map((end, i) => ({
    text: points.slice(places[i], end).join(""),
    marks: marks.filter((mark) => mark.start <= places[i] && end <= mark.end),
  }));
}

/** The letters of a word that stand before a place; "" if it goes on behind it. */
export function lettersAt(text, place) {
  return /^[\p{L}\p{M}\p{N}]/u.test(text.slice(place)) ? "" : /[\p{L}\p{M}\p{N}]*$/u.exec(text.slice(0, place))[0];
}

const ENDS = /[.!?…。！？؟।]["'”’»)\]]*\s*$/u;

/** Whether a translation ends as its sentence does, so that nothing is to come. */
export const isFinished = (source, target) => ENDS.test(source) && ENDS.test(target);

/** Whether the best suggestion is put into an empty field: a prediction says the same as a machine, word by word. */
export function isPrefilled(best, { prefill }, predicting) {
  return Boolean(best) && prefill && !(predicting && best.kind === "MT");
}

/** Whether a segment can be joined with another: both are parts of one unit. */
export const isPartner = (row, next) => Boolean(next) && next.file === row.file && next.unit === row.unit;

/** How far a project is: words and segments that are translated or approved. */
export function doneOf(progress) {
  const sum = (name, states) => states.reduce((all, state) => all + (progress[state]?.[name] ?? 0), 0);
  const done = ["translated", "approved"];
  const every = Object.keys(progress);
  return {
    done: sum("segments", done),
    total: sum("segments", every),
    words: sum("words", done),
    allWords: sum("words", every),
  };
}

/** A project's progress after a segment went from a state to another. */
export function moved(progress, from, to, words) {
  if (from === to) return progress;
  const shift = (state, by) => ({
    segments: (progress[state]?.segments ?? 0) + by,
    words: (progress[state]?.words ?? 0) + by * words,
  });
  return { ...progress, [from]: shift(from, -1), [to]: shift(to, 1) };
}
