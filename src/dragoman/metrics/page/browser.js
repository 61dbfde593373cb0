// The segment browser of the comparison page: any two systems side by side, by keyboard or mouse.
import { unpack } from "../../report/static/unpack.js";
import { nearest, omissions, runs } from "./diff.js";
import { VIEW, drawHistogram, drawScatter, histogram } from "./plots.js";
import { SORTS, fromColumns, readState, select, shownNumber, toTsv, writeState } from "./segments.js";

const PER_PAGE = 25;
const data = await unpack("data");
data.segments = fromColumns(data);
const words = JSON.parse(document.getElementById("words").textContent);
const fallback = { left: data.systems[0], right: data.systems[1] ?? data.systems[0], metric: data.metrics[0].name };
const byId = (id) => document.getElementById(id);
const controls = [
  "left",
  "right",
  "metric",
  "sort",
  "text",
  "doc",
  "origlang",
  "domain",
  "min",
  "from",
  "to",
  "differ",
];
let state = known(readState(location.hash, fallback));
let rows = [];

/** The state, with systems and a metric that there are: an address may come from another report. */
function known(read) {
  const metrics = data.metrics.map((metric) => metric.name);
  for (const [name, choices] of [
    ["left", data.systems],
    ["right", data.systems],
    ["metric", metrics],
  ]) {
    if (!choices.includes(read[name])) read[name] = fallback[name];
  }
  return read;
}

/** Whether the address names a section of the page (`#s2`) rather than a state. */
function atSection() {
  return location.hash.length > 1 && !location.hash.includes("=");
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function fill(id, values, { blank, labels } = {}) {
  const options = values.map((value, i) => element("option", { value }, labels?.[i] ?? value));
  if (blank) options.unshift(element("option", { value: "" }, blank));
  byId(id).replaceChildren(...options);
}

function distinct(name) {
  return [...new Set(data.segments.map((segment) => segment[name]).filter(Boolean))];
}

function marked(text, other, kind) {
  const line = element("p", { dir: "auto" });
  if (text === null || text === undefined) line.append(element("em", {}, words.missing));
  else if (text === "") line.append(element("em", {}, words.empty));
  else
    for (const run of other ? runs(text, other) : [{ text, same: true }]) {
      line.append(run.same ? run.text : element("mark", { class: kind }, run.text));
    }
  return line;
}

function row(label, lang, line) {
  line.setAttribute("lang", lang ?? "");
  return element("div", { class: "pair" }, element("h4", {}, label), line);
}

/** A name that may run from right to left, kept from turning its neighbours round. */
function isolated(name) {
  return `\u2068${name}\u2069`;
}

function chosenMetric() {
  return data.metrics.find((each) => each.name === state.metric) ?? data.metrics[0];
}

function number(value) {
  return shownNumber(value, chosenMetric().power);
}

/**
 * A reference, with the words marked that an output lacks whose nearest reference it is: L the left's, R the right's.
 */
function reference(i, segment) {
  const outputs = [state.left, state.right].map((name) => segment.hyps[name]);
  const [left, right] = outputs.map((text) => (text && nearest(text, segment.refs) === i ? text : null));
  const line = marked(segment.refs[i]);
  if (!segment.refs[i] || (left === null && right === null)) return row(data.references[i], data.targetLang, line);
  line.replaceChildren(
    ...omissions(segment.refs[i], left, state.right === state.left ? null : right).map((run) => {
      if (run.lack === "") return run.text;
      return element(
        "mark",
        { class: "lacking", title: words.lacking[run.lack] },
        run.text,
        element("sup", { "aria-hidden": "true" }, run.lack),
      );
    }),
  );
  return row(data.references[i], data.targetLang, line);
}

/**
 * A system's output, with the words marked that its nearest reference does not have, which is named if there are
 * several.
 */
function output(label, text, segment) {
  const near = text ? nearest(text, segment.refs) : -1;
  const made = row(label, data.targetLang, marked(text, near < 0 ? "" : segment.refs[near], "extra"));
  if (near >= 0 && data.references.length > 1) {
    made.firstElementChild.append(element("small", {}, ` ${words.nearest} ${isolated(data.references[near])}`));
  }
  return made;
}

function card({ segment, delta }) {
  const scores = segment.scores[state.metric] ?? {};
  const [left, right] = [segment.hyps[state.left], segment.hyps[state.right]];
  const place = [segment.doc, segment.domain, segment.origlang].filter(Boolean).join(" · ");
  const told = [state.left, state.right].map((name) => `${isolated(name)} ${number(scores[name])}`);
  const made = element(
    "article",
    { tabindex: "-1", "aria-labelledby": `seg-${segment.id}` },
    element("h3", { id: `seg-${segment.id}` }, `${words.segment} ${segment.id}`, element("small", {}, ` ${place}`)),
    element("p", { class: "scores" }, [...told, `${words.gain} ${number(delta)}`].join(" · ")),
  );
  if (segment.src !== null) made.append(row(words.source, data.sourceLang, marked(segment.src)));
  segment.refs.forEach((_, i) => made.append(reference(i, segment)));
  made.append(output(state.left, left, segment));
  if (state.right !== state.left) made.append(output(state.right, right, segment));
  const others = data.systems.filter((name) => name !== state.left && name !== state.right);
  if (others.length) {
    made.append(
      element(
        "details",
        {},
        element("summary", {}, words.others),
        ...others.map((name) => output(`${isolated(name)} ${number(scores[name])}`, segment.hyps[name], segment)),
      ),
    );
  }
  return made;
}

function show(focus) {
  rows = select(data.segments, state, chosenMetric().higherIsBetter);
  const pages = Math.max(1, Math.ceil(rows.length / PER_PAGE));
  const page = Math.min(pages, Math.max(1, Number(state.page) || 1));
  state.page = String(page);
  for (const name of controls) {
    const control = byId(name);
    if (control.type === "checkbox") control.checked = state[name] === "1";
    else control.value = state[name];
  }
  byId("count").textContent = `${rows.length} / ${data.segments.length} · ${words.page} ${page} / ${pages}`;
  byId("previous").disabled = page === 1;
  byId("next").disabled = page === pages;
  byId("cards").replaceChildren(...rows.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(card));
  plot();
  const fragment = writeState(state, fallback);
  const untouched = atSection() && fragment === "";
  if (!untouched && location.hash.slice(1) !== fragment) history.replaceState(null, "", `#${fragment}`);
  if (focus) byId("cards").firstElementChild?.focus();
}

function drawing(id, title, body) {
  const figure = byId(id);
  figure.querySelector("figcaption").textContent = title;
  const svg = figure.querySelector("svg");
  svg.setAttribute("viewBox", VIEW);
  svg.setAttribute("aria-label", title);
  svg.innerHTML = body; // numbers only, see plots.js
}

/** The histogram of gains and the scatter of scores of what is shown. */
function plot() {
  const there = rows.filter((each) => each.delta !== null);
  const gains = there.map((each) => each.delta);
  const [better, worse] = [gains.filter((gain) => gain > 0).length, gains.filter((gain) => gain < 0).length];
  const [left, right] = [isolated(state.left), isolated(state.right)];
  const counts = [`${right} ${better}`, `${left} ${worse}`, `${words.equal} ${gains.length - better - worse}`];
  drawing("histogram", `${words.gains} ${state.metric}: ${counts.join(", ")}`, drawHistogram(histogram(gains)));
  const points = there.map(({ segment }) => ({
    id: segment.id,
    x: segment.scores[state.metric][state.left],
    y: segment.scores[state.metric][state.right],
  }));
  drawing("scatter", `${state.metric}: ${left} → ${right} ↑`, drawScatter(points));
}

/** Show one segment, whatever was filtered. */
function visit(id) {
  state = {
    ...state,
    text: "",
    doc: "",
    origlang: "",
    domain: "",
    min: "0",
    from: "",
    to: "",
    differ: "",
    sort: "segment",
    page: String(Math.ceil(id / PER_PAGE)),
  };
  show();
  byId(`seg-${id}`).closest("article").focus();
}

function turn(step) {
  state.page = String(Number(state.page) + step);
  show(true);
}

/** The next or previous segment takes the focus; without one in focus, the first. */
function move(step) {
  const cards = [...byId("cards").children];
  const here = cards.findIndex((each) => each.contains(document.activeElement));
  cards[Math.min(cards.length - 1, Math.max(0, here + step))]?.focus();
}

function save() {
  const blob = new Blob([toTsv(rows, state, data.references.length > 1 ? data.references : undefined)], {
    type: "text/tab-separated-values",
  });
  const link = element("a", { href: URL.createObjectURL(blob), download: `${state.left}-${state.right}.tsv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  n: () => turn(1),
  p: () => turn(-1),
  "/": () => byId("text").focus(),
  x: () => {
    [state.left, state.right] = [state.right, state.left];
    show();
  },
  e: save,
  "?": () => byId("help").showModal(),
};

// Only while a segment has the focus: elsewhere they scroll.
const ARROWS = { ArrowDown: KEYS.j, ArrowUp: KEYS.k };

fill("left", data.systems);
fill("right", data.systems);
fill(
  "metric",
  data.metrics.map((metric) => metric.name),
);
fill("sort", SORTS, { labels: SORTS.map((name) => words.orders[name]) });
for (const name of ["doc", "origlang", "domain"]) {
  const values = distinct(name);
  fill(name, values, { blank: words.any });
  byId(name).closest("label").hidden = values.length < 2;
}
for (const name of controls) {
  byId(name).addEventListener("input", (event) => {
    state[name] = event.target.type === "checkbox" ? (event.target.checked ? "1" : "") : event.target.value;
    state.page = "1";
    show();
  });
}
byId("histogram").addEventListener("click", ({ target }) => {
  if (!target.dataset.low) return;
  [state.from, state.to, state.page] = [target.dataset.low, target.dataset.high, "1"];
  show();
});
byId("scatter").addEventListener("click", ({ target }) => target.dataset.id && visit(Number(target.dataset.id)));
byId("previous").addEventListener("click", () => turn(-1));
byId("next").addEventListener("click", () => turn(1));
byId("export").addEventListener("click", save);
byId("keys").addEventListener("click", KEYS["?"]);
addEventListener("hashchange", () => {
  if (atSection()) return;
  state = known(readState(location.hash, fallback));
  show();
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.target.matches("input, select, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const arrow = event.target.matches("article") ? ARROWS[event.key] : undefined;
  const action = arrow ?? KEYS[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
});
show();
