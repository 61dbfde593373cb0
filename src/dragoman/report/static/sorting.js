// Tables that sort by any column. Pure functions here; page.js puts the buttons in.

const MISSING = "–";

/** What a cell is sorted by: a number where it begins with one, null where it says that there is nothing. */
export function sortKey(text) {
  const plain = text.trim();
  if (plain === "" || plain === MISSING) return null;
  const number = parseFloat(plain.replace(/^−/, "-"));
  return Number.isNaN(number) ? plain : number;
}

/** The places of cells in order; what is missing comes last either way, and equals stay as they are. */
export function sortedPlaces(texts, descending) {
  const keys = texts.map(sortKey);
  const numeric = keys.every((key) => key === null || typeof key === "number");
  const sign = descending ? -1 : 1;
  const compare = (a, b) => (numeric ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true }));
  return [...keys.keys()].sort((i, j) => {
    if (keys[i] === null || keys[j] === null) return (keys[i] === null) - (keys[j] === null);
    return sign * compare(keys[i], keys[j]);
  });
}

/**
 * What a press leads to: numbers begin with the largest, names with the first; the third press is the order as written.
 */
export function nextOrder(order, numeric) {
  const orders = numeric ? ["descending", "ascending", "none"] : ["ascending", "descending", "none"];
  return orders[(orders.indexOf(order ?? "none") + 1) % 3];
}
