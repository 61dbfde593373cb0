// Key schemes: which keys do what. MateCat's is the default; CASMACAT's and OmegaT's can be chosen. Pure.

const COMMON = {
  confirm: ["Ctrl+Enter"],
  confirmOpen: ["Ctrl+Shift+Enter"],
  draft: ["Ctrl+S"],
  up: ["Ctrl+ArrowUp"],
  down: ["Ctrl+ArrowDown"],
  nextOpen: ["Alt+U"],
  copySource: ["Ctrl+I"],
  code: ["Alt+T"],
  nbsp: ["Ctrl+Shift+Space"],
  split: ["Alt+S"],
  merge: ["Alt+J"],
  match1: ["Ctrl+1"],
  match2: ["Ctrl+2"],
  match3: ["Ctrl+3"],
  term: ["Alt+G"],
  word: ["Tab", "Forward"],
  all: ["End"],
  better: ["Alt+ArrowUp"],
  other: ["Alt+ArrowDown"],
  refuse: ["Alt+R"],
  hide: ["Escape"],
  complete: ["Alt+W"],
  rules: ["Alt+L"],
  predict: ["Alt+P"],
  hole: ["Ctrl+Space"],
  align: ["Alt+M"],
  confidence: ["Alt+C"],
  approve: ["Alt+A"],
  reject: ["Alt+X"],
  check: ["Alt+N"],
  fix: ["Alt+Y"],
  concordance: ["Alt+K"],
  search: ["Ctrl+Shift+F"],
  help: ["Alt+H", "?"],
};

// What a browser keeps for itself (Ctrl+N, Ctrl+T, Ctrl+W) no page can have: OmegaT's Ctrl+N and Ctrl+P are with Alt
// here.
export const SCHEMES = {
  matecat: COMMON,
  casmacat: { ...COMMON, draft: ["Enter", "Ctrl+S"], predict: ["Escape"], hide: [], align: ["Ctrl+M"] },
  omegat: {
    ...COMMON,
    nextOpen: ["Ctrl+U"],
    down: ["Alt+N", "Ctrl+ArrowDown"],
    up: ["Alt+P", "Ctrl+ArrowUp"],
    match1: ["Ctrl+R", "Ctrl+1"],
    copySource: ["Ctrl+Shift+R"],
    predict: ["Ctrl+M"],
    term: ["Ctrl+Shift+G"],
    check: ["Alt+V"],
    search: ["Ctrl+F"],
    concordance: ["Ctrl+Shift+F"],
  },
};

/** The groups of the sheet of keys, in order. */
export const GROUPS = {
  move: ["confirm", "confirmOpen", "draft", "up", "down", "nextOpen"],
  write: ["copySource", "code", "nbsp", "split", "merge", "match1", "match2", "match3", "term"],
  predict: [
    "word",
    "all",
    "better",
    "other",
    "refuse",
    "hide",
    "complete",
    "predict",
    "hole",
    "rules",
    "align",
    "confidence",
  ],
  review: ["approve", "reject", "check", "fix", "concordance", "search", "help"],
};

/** The name of a pressed key. Letters and digits go by their place on the board where Alt would make other signs. */
export function pressed(event, direction = "ltr") {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  const plain = /^(?:Key([A-Z])|Digit(\d))$/.exec(event.code ?? "");
  const sign = [...event.key].length === 1;
  const isModified = parts.length > 0;
  if (event.shiftKey && (isModified || !sign)) parts.push("Shift");
  const forward = direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (event.key === " ") parts.push("Space");
  else if (event.key === forward && !parts.length) parts.push("Forward");
  else if (isModified && plain)
    parts.push(plain[1] && /^[a-z]$/i.test(event.key) ? event.key.toUpperCase() : (plain[1] ?? plain[2]));
  else parts.push(sign && isModified ? event.key.toUpperCase() : event.key);
  return parts.join("+");
}

/**
 * The keys of a scheme with those of one's own in their place; a key that one has given to something else is gone
 * there.
 */
export function keysWith(scheme, own = {}) {
  const base = SCHEMES[scheme] ?? COMMON;
  const mine = Object.fromEntries(Object.entries(own).filter(([action]) => action in base));
  const taken = new Set(Object.values(mine).flat());
  return Object.fromEntries(
    Object.entries(base).map(([action, keys]) => [action, mine[action] ?? keys.filter((key) => !taken.has(key))]),
  );
}

// What browsers do not give away, and what a person needs to write and to move.
const KEPT = new Set(
  ["N", "T", "W", "Shift+N", "Shift+T", "Shift+W", "C", "V", "X", "A", "Z", "Shift+Z"].map((key) => `Ctrl+${key}`),
);
const ALONE = /^(Shift\+)?(Tab|End|Enter|Escape|Forward|F\d+|PageUp|PageDown|Home|Insert)$/;

/** Why a key cannot be given to an action: "kept" by the browser, "plain" as it writes; "" if it can. */
export function hindrance(key) {
  if (KEPT.has(key)) return "kept";
  return /^(Ctrl|Alt)\+/.test(key) || ALONE.test(key) ? "" : "plain";
}

/** One's own keys after a key was given to an action, and taken from the one that had it. */
export function rebound(scheme, own, action, key) {
  const keys = keysWith(scheme, own);
  const before = actionOf(keys, key);
  const lost = before && before !== action ? { [before]: keys[before].filter((each) => each !== key) } : {};
  return { ...own, ...lost, [action]: [key] };
}

/** What a key does in a scheme; undefined if nothing. */
export function actionOf(scheme, name) {
  return Object.keys(scheme).find((action) => scheme[action].includes(name));
}

/** Keys as the sheet shows them. */
export const shownKeys = (keys, direction = "ltr") =>
  keys.map((name) => (name === "Forward" ? (direction === "rtl" ? "ArrowLeft" : "ArrowRight") : name));
