// Which words of a translation stand in the reference, and which of the reference are missing: a longest common
// subsequence over tokens. Pure functions, run by node --test as well as by the page.

const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Khmer", "Lao", "Myanmar"]; // written without spaces
const UNSPACED = `[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}]\\p{M}*`;
const TOKEN = new RegExp(`${UNSPACED}|[\\p{L}\\p{N}\\p{M}]+|[^\\s\\p{L}\\p{N}\\p{M}]`, "gu");

/** The tokens of a text with their places: [{text, start, end}], in code units. Unspaced scripts go by character. */
export function tokens(text) {
  return [...text.matchAll(TOKEN)].map((m) => ({ text: m[0], start: m.index, end: m.index + m[0].length }));
}

/** Pairs [i, j] of a longest common subsequence of two token lists, compared without regard to case. */
export function commonTokens(a, b) {
  const x = a.map((t) => t.text.toLowerCase());
  const y = b.map((t) => t.text.toLowerCase());
  const length = Array.from({ length: x.length + 1 }, () => new Uint16Array(y.length + 1));
  for (let i = x.length - 1; i >= 0; i--) {
    for (let j = y.length - 1; j >= 0; j--) {
      length[i][j] = x[i] === y[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < x.length && j < y.length;) {
    if (x[i] === y[j]) pairs.push([i++, j++]);
    else if (length[i + 1][j] >= length[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}

// Cells of the table of lengths beyond which order is not looked at: 2,000 words against 2,000 are 8 MB.
const MOST_CELLS = 4_000_000;

/** Pairs [i, j] of equal tokens in any order, each token used once: for texts too long for `commonTokens`. */
function sharedTokens(a, b) {
  const places = new Map();
  b.forEach((token, j) => {
    const key = token.text.toLowerCase();
    if (places.has(key)) places.get(key).push(j);
    else places.set(key, [j]);
  });
  return a.flatMap((token, i) => {
    const free = places.get(token.text.toLowerCase());
    return free?.length ? [[i, free.pop()]] : [];
  });
}

/** Pairs of the tokens that two texts share, in order where they are short enough. */
function shared(own, others) {
  return (own.length * others.length > MOST_CELLS ? sharedTokens : commonTokens)(own, others);
}

/** Which of several texts (null: none) is nearest, by the share of tokens in common; the first of equals, or -1. */
export function nearest(text, others) {
  const own = tokens(text);
  const there = others.flatMap((other, i) => (other === null ? [] : [i]));
  if (there.length < 2) return there[0] ?? -1;
  let [best, most] = [-1, -1];
  there.forEach((i) => {
    const theirs = tokens(others[i]);
    const share = (2 * shared(own, theirs).length) / Math.max(1, own.length + theirs.length);
    if (share > most) [best, most] = [i, share];
  });
  return best;
}

/** A text cut where the status of its tokens changes: [{text, status}], which joined give the text again. */
function cut(text, own, statuses, plain) {
  const result = [];
  let place = 0;
  const add = (end, status) => {
    if (end <= place) return;
    const last = result.at(-1);
    if (last && last.status === status) last.text += text.slice(place, end);
    else result.push({ text: text.slice(place, end), status });
    place = end;
  };
  own.forEach((token, i) => {
    // White space between two words of one status belongs to it, so that a marked phrase reads as one.
    add(token.start, statuses[i] === result.at(-1)?.status ? statuses[i] : plain);
    add(token.end, statuses[i]);
  });
  add(text.length, plain);
  return result;
}

/** Runs of a text that are or are not in the other: [{text, same}], which joined give the text again. */
export function runs(text, other) {
  const own = tokens(text);
  const kept = new Set(shared(own, tokens(other)).map(([i]) => i));
  const statuses = own.map((_, i) => kept.has(i));
  return cut(text, own, statuses, true).map((run) => ({ text: run.text, same: run.status }));
}

/**
 * Runs of a reference by who lacks them: [{text, lack}], `lack` being "", "L", "R" or "LR". A side that is null lacks
 * nothing.
 */
export function omissions(reference, left, right) {
  const own = tokens(reference);
  const [inLeft, inRight] = [left, right].map((output) =>
    output === null ? null : new Set(shared(own, tokens(output)).map(([i]) => i)),
  );
  const statuses = own.map((_, i) => (inLeft && !inLeft.has(i) ? "L" : "") + (inRight && !inRight.has(i) ? "R" : ""));
  return cut(reference, own, statuses, "").map((run) => ({ text: run.text, lack: run.status }));
}
