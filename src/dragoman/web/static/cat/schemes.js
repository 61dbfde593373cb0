// Key schemes: which keys do what. MateCat's is the default; CASMACAT's and OmegaT's can be chosen. Pure.

const COMMON = {
  confirm: ["Ctrl+Enter"], confirmOpen: ["Ctrl+Shift+Enter"], draft: ["Ctrl+S"], up: ["Ctrl+ArrowUp"], down: ["Ctrl+ArrowDown"],
  nextOpen: ["Alt+U"], copySource: ["Ctrl+I"], code: ["Alt+T"], nbsp: ["Ctrl+Shift+Space"],
  split: ["Alt+S"], merge: ["Alt+J"],
  match1: ["Ctrl+1"], match2: ["Ctrl+2"], match3: ["Ctrl+3"], term: ["Alt+G"],
  word: ["Tab", "Forward"], all: ["End"], better: ["Alt+ArrowUp"], other: ["Alt+ArrowDown"], refuse: ["Alt+R"], hide: ["Escape"],
  predict: ["Alt+P"], hole: ["Ctrl+Space"], align: ["Alt+M"], confidence: ["Alt+C"],
  approve: ["Alt+A"], reject: ["Alt+X"], check: ["Alt+N"], concordance: ["Alt+K"], search: ["Ctrl+Shift+F"], help: ["Alt+H", "?"],
};

// What a browser keeps for itself (Ctrl+N, Ctrl+T, Ctrl+W) no page can have: OmegaT's Ctrl+N and Ctrl+P are with Alt here.
export const SCHEMES = {
  matecat: COMMON,
  casmacat: { ...COMMON, draft: ["Enter", "Ctrl+S"], predict: ["Escape"], hide: [], align: ["Ctrl+M"] },
  omegat: { ...COMMON, nextOpen: ["Ctrl+U"], down: ["Alt+N", "Ctrl+ArrowDown"], up: ["Alt+P", "Ctrl+ArrowUp"], match1: ["Ctrl+R", "Ctrl+1"],
    copySource: ["Ctrl+Shift+R"], predict: ["Ctrl+M"], term: ["Ctrl+Shift+G"], check: ["Alt+V"], search: ["Ctrl+F"], concordance: ["Ctrl+Shift+F"] },
};

/** The groups of the sheet of keys, in order. */
export const GROUPS = {
  move: ["confirm", "confirmOpen", "draft", "up", "down", "nextOpen"],
  write: ["copySource", "code", "nbsp", "split", "merge", "match1", "match2", "match3", "term"],
  predict: ["word", "all", "better", "other", "refuse", "hide", "predict", "hole", "align", "confidence"],
  review: ["approve", "reject", "check", "concordance", "search", "help"],
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
  else if (isModified && plain) parts.push(plain[1] && /^[a-z]$/i.test(event.key) ? event.key.toUpperCase() : plain[1] ?? plain[2]);
  else parts.push(sign && isModified ? event.key.toUpperCase() : event.key);
  return parts.join("+");
}

/** What a key does in a scheme; undefined if nothing. */
export function actionOf(scheme, name) {
  return Object.keys(scheme).find((action) => scheme[action].includes(name));
}

/** Keys as the sheet shows them. */
export const shownKeys = (keys, direction = "ltr") => keys.map((name) => (name === "Forward" ? (direction === "rtl" ? "ArrowLeft" : "ArrowRight") : name));
