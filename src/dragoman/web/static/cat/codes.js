// Inline codes: the k-th code of a segment stands in its texts as the character U+E000 + k. Pure.

const FIRST = 0xe000;
const LAST = 0xf8ff;

/** The number of the code that a character stands for; null of any other character. */
export function codeNumber(char) {
  const point = char.codePointAt(0);
  return point >= FIRST && point <= LAST ? point - FIRST : null;
}

/** A text cut at its codes: [{text}] and [{code: k}]. */
export function pieces(text) {
  const found = [];
  for (const char of text) {
    const code = codeNumber(char);
    if (code !== null) found.push({ code, text: char });
    else if (found.length && found.at(-1).code === undefined) found.at(-1).text += char;
    else found.push({ text: char });
  }
  return found;
}

export const withoutCodes = (text) => text.replace(/[\ue000-\uf8ff]/g, "");

/** The source as an engine gets it: without codes; what a code alone kept apart stays apart. */
export function spoken(source, codes) {
  const kept = [...source].map((char) => {
    const code = codeNumber(char);
    return code === null ? char : !codes[code] || codes[code][1] === "alone" ? " " : "";
  });
  return kept.join("").split(/\s+/u).filter(Boolean).join(" ");
}

/** The first code of the source that the target does not have yet; "" if it has all. */
export function nextCode(source, target) {
  const missing = [...target].filter((char) => codeNumber(char) !== null);
  for (const char of source) {
    if (codeNumber(char) === null) continue;
    const place = missing.indexOf(char);
    if (place < 0) return char;
    missing.splice(place, 1);
  }
  return "";
}

/** What the chip of a code says: `b`, `1`, `%s`. */
export function label(codes, number) {
  const [text = "", , pair = "", shown = ""] = codes[number] ?? [];
  return shown || pair || text || String(number + 1);
}

/** A code's kind: open, close or alone. */
export const kindOf = (codes, number) => codes[number]?.[1] ?? "alone";
