// Pen strokes and the words that they are drawn over: places of words are rectangles {left, top, right, bottom}. Pure.

/** The rectangle around strokes, each a list of points [x, y, …]. */
export function boxOf(strokes) {
  const points = strokes.flat();
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** Where strokes lead to: the point that is farthest from the first, the tip of an arrow or the end of a tail. */
export function tipOf(strokes) {
  const [[x, y]] = strokes[0];
  const distance = (point) => Math.hypot(point[0] - x, point[1] - y);
  return strokes.flat().reduce((a, b) => (distance(b) > distance(a) ? b : a));
}

const middle = ({ left, right }) => (left + right) / 2;

/**
 * The numbers of the words that a rectangle covers: those whose middle lies in it, on its lines; else the nearest one.
 */
export function coveredWords(rects, box) {
  const isOn = ({ top, bottom }) => top + (bottom - top) / 6 <= box.bottom && box.top <= bottom - (bottom - top) / 6;
  const inside = rects.flatMap((rect, i) =>
    isOn(rect) && box.left <= middle(rect) && middle(rect) <= box.right ? [i] : [],
  );
  if (inside.length) return inside;
  const near = wordAt(rects, [middle(box), (box.top + box.bottom) / 2]);
  return near === null ? [] : [near];
}

/** The number of the word at a point: the nearest on its line; null if there is no word. */
export function wordAt(rects, [x, y]) {
  const away = ({ left, top, right, bottom }) =>
    4 * Math.max(top - y, y - bottom, 0) + Math.max(left - x, x - right, 0);
  const best = rects.reduce((a, rect, i) => (a === null || away(rect) < away(rects[a]) ? i : a), null);
  return best;
}

/** A text without some of its words (places in code points, side by side), and without the space that one leaves. */
export function withoutWords(text, words, first, last) {
  const points = [...text];
  const [start, end] = [words[first].start, words[last].end];
  const before = points.slice(0, start).join("");
  const behind = points.slice(end).join("");
  if (!before.trim()) return before + behind.trimStart();
  return /\s$/u.test(before) && /^(\s|\p{P}|$)/u.test(behind) ? before.trimEnd() + behind : before + behind;
}

/** A text with one of its words moved to the place of another; those between make room. */
export function withWordMoved(text, words, from, to) {
  const order = words.map((_, i) => i).filter((i) => i !== from);
  order.splice(to, 0, from);
  const points = [...text];
  const said = (i) => points.slice(words[i].start, words[i].end).join("");
  // What stands between words stays where it is: the first gap is still the first.
  const gaps = words.map((word, i) => points.slice(word.end, words[i + 1]?.start ?? points.length).join(""));
  return points.slice(0, words[0].start).join("") + order.map((i, place) => said(i) + gaps[place]).join("");
}
