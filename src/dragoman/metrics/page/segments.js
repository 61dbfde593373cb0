// What the segment browser shows: filtering, sorting, and the state as a URL fragment. Pure functions.

export const DEFAULTS = {
  left: "",
  right: "",
  metric: "",
  sort: "delta",
  text: "",
  doc: "",
  origlang: "",
  domain: "",
  min: "0",
  from: "",
  to: "",
  differ: "",
  page: "1",
};

/** The segments out of the columns of a page, numbered from 1. */
export function fromColumns(data) {
  const [first, width] = [
    Number(data.hasSource),
    Number(data.hasSource) + data.references.length + data.systems.length,
  ];
  const named = (values) => Object.fromEntries(data.systems.map((name, s) => [name, values[s]]));
  return Array.from({ length: data.texts.length / width }, (_, i) => {
    const texts = data.texts.slice(i * width, (i + 1) * width);
    return {
      id: i + 1,
      doc: data.docs?.[i] ?? null,
      domain: data.domains?.[i] ?? null,
      origlang: data.origlangs?.[i] ?? null,
      src: data.hasSource ? texts[0] : null,
      refs: texts.slice(first, first + data.references.length),
      hyps: named(texts.slice(first + data.references.length)),
      scores: Object.fromEntries(
        data.metrics.map(({ name, power }, m) => [
          name,
          named(data.scores[m].map((values) => (power < 0 ? values[i] / 10 ** -power : values[i] * 10 ** power))),
        ]),
      ),
    };
  });
}

/** The state in a URL fragment such as `#left=A&sort=segment`; names that are unknown are ignored. */
export function readState(fragment, fallback) {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const state = { ...DEFAULTS, ...fallback };
  for (const name of Object.keys(DEFAULTS)) if (given.has(name)) state[name] = given.get(name);
  return state;
}

/** The fragment of a state; what has its default is left out. */
export function writeState(state, fallback) {
  const rest = Object.keys(DEFAULTS).filter((name) => state[name] !== { ...DEFAULTS, ...fallback }[name]);
  return new URLSearchParams(rest.map((name) => [name, state[name]])).toString();
}

/** Right minus left, signed so that positive means the right system is better; null where a score is missing. */
export function delta(segment, state, higherIsBetter) {
  const scores = segment.scores[state.metric] ?? {};
  const [left, right] = [scores[state.left], scores[state.right]];
  if (left === undefined || right === undefined || left === null || right === null) return null;
  return higherIsBetter ? right - left : left - right;
}

/** A score or a difference: digits by the metric's scale, and where it is not nought, a figure that is none. */
export function shownNumber(value, power) {
  if (value === null || value === undefined) return "–";
  const kept = Math.abs(value) < 10 ** power / 2 ? 0 : value; // less is noise: `power` is the last digit of the scores
  const first = kept === 0 ? 0 : -Math.floor(Math.log10(Math.abs(kept)) + 1e-9);
  return kept.toFixed(Math.max(1, -3 - power, first)).replace("-", "−");
}

const ORDERS = {
  segment: () => 0,
  delta: (a, b) => Math.abs(b.delta ?? 0) - Math.abs(a.delta ?? 0),
  wins: (a, b) => (b.delta ?? -Infinity) - (a.delta ?? -Infinity),
  losses: (a, b) => (a.delta ?? Infinity) - (b.delta ?? Infinity),
  length: (a, b) => b.segment.refs[0]?.length - a.segment.refs[0]?.length,
};
export const SORTS = Object.keys(ORDERS);

/** The segments a state selects, in its order: [{segment, delta}]. */
export function select(segments, state, higherIsBetter) {
  const wanted = state.text.toLowerCase();
  const least = Number(state.min) || 0;
  const rows = segments
    .filter((s) => !state.doc || s.doc === state.doc)
    .filter((s) => !state.origlang || s.origlang === state.origlang)
    .filter((s) => !state.domain || s.domain === state.domain)
    .filter((s) => !state.differ || s.hyps[state.left] !== s.hyps[state.right])
    .filter((s) => !wanted || searched(s, state).some((text) => text.toLowerCase().includes(wanted)))
    .map((segment) => ({ segment, delta: delta(segment, state, higherIsBetter) }))
    .filter((row) => Math.abs(row.delta ?? 0) >= least)
    .filter((row) => inRange(row.delta, state));
  return rows.sort(ORDERS[state.sort] ?? ORDERS.segment);
}

function inRange(value, state) {
  if (state.from === "" && state.to === "") return true;
  return (
    value !== null &&
    value >= (state.from === "" ? -Infinity : Number(state.from)) &&
    value <= (state.to === "" ? Infinity : Number(state.to))
  );
}

function searched(segment, state) {
  return [
    segment.src ?? "",
    ...segment.refs.map((r) => r ?? ""),
    segment.hyps[state.left] ?? "",
    segment.hyps[state.right] ?? "",
  ];
}

/** The selected rows as TSV, all of them and in the order shown, with a column for each reference. */
export function toTsv(rows, state, references = ["reference"]) {
  const clean = (value) => String(value ?? "").replace(/[\t\r\n]/g, " ");
  const head = [
    "segment",
    "doc",
    "domain",
    "origlang",
    "source",
    ...references,
    state.left,
    state.right,
    `${state.metric}:${state.left}`,
    `${state.metric}:${state.right}`,
    "delta",
  ];
  const body = rows.map(({ segment, delta: difference }) => [
    segment.id,
    segment.doc,
    segment.domain,
    segment.origlang,
    segment.src,
    ...references.map((_, i) => segment.refs[i]),
    segment.hyps[state.left],
    segment.hyps[state.right],
    segment.scores[state.metric]?.[state.left],
    segment.scores[state.metric]?.[state.right],
    difference,
  ]);
  return [head, ...body].map((row) => row.map(clean).join("\t") + "\n").join("");
}
