// Which labelled segments are shown, and in which order. Pure functions.

/** How many words of each class a segment has, both sides together. */
export function countClasses(segment, nClasses) {
  const counts = new Array(nClasses).fill(0);
  for (const word of [...segment.hyp, ...segment.ref]) if (Array.isArray(word)) counts[word[1]]++;
  return counts;
}

const textOf = (words) => words.map((word) => (Array.isArray(word) ? word[0] : word)).join(" ");

/**
 * The segments with an error of the class (none: of any kind), the text, and so many errors: [{segment, number,
 * errors}].
 */
export function filterSegments(segments, { kind, text, least, order }, nClasses) {
  const wanted = text.toLowerCase();
  const rows = segments
    .map((segment, i) => {
      const counts = countClasses(segment, nClasses);
      return {
        segment,
        number: i + 1,
        errors: kind === "" ? counts.reduce((sum, n) => sum + n, 0) : counts[Number(kind)],
      };
    })
    .filter((row) => row.errors >= Math.max(Number(least) || 0, kind === "" ? 0 : 1))
    .filter(
      ({ segment }) =>
        !wanted || [segment.hyp, segment.ref].some((words) => textOf(words).toLowerCase().includes(wanted)),
    );
  return order === "errors" ? rows.sort((a, b) => b.errors - a.errors) : rows;
}
