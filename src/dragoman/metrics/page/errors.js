// The page of labelled words: filters and pages of segments.
import { unpack } from "../../report/static/unpack.js";
import { filterSegments } from "./filters.js";

const PER_PAGE = 25;
const data = await unpack("data");
const byId = (id) => document.getElementById(id);
const DEFAULTS = { kind: "", text: "", least: "0", order: "file", page: "1" };
const given = new URLSearchParams(location.hash.slice(1));
const state = Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, given.get(name) ?? value]));

function made(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A word, with its class above it where it is in error. */
function word(entry) {
  if (!Array.isArray(entry)) return entry;
  const { name, short } = data.classes[entry[1]];
  return made("ruby", { class: `error ${name}`, title: name }, entry[0], made("rt", {}, short));
}

function side(label, words) {
  const line = made("dd", { class: "labelled", dir: "auto" });
  words.forEach((entry, i) => line.append(...(i ? [" "] : []), word(entry)));
  return [made("dt", {}, label), line];
}

function item({ segment, number }) {
  return made(
    "li",
    { id: `segment-${number}`, value: number },
    made("dl", {}, ...side("Hypothesis", segment.hyp), ...side("Reference", segment.ref)),
  );
}

function show() {
  const rows = filterSegments(data.segments, state, data.classes.length);
  const pages = Math.max(1, Math.ceil(rows.length / PER_PAGE));
  const page = Math.min(pages, Math.max(1, Number(state.page) || 1));
  state.page = String(page);
  for (const name of ["kind", "text", "least", "order"]) byId(name).value = state[name];
  byId("count").textContent = `${rows.length} of ${data.segments.length} segments · page ${page} of ${pages}`;
  byId("previous").disabled = page === 1;
  byId("next").disabled = page === pages;
  byId("labelled").replaceChildren(...rows.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(item));
  const changed = Object.entries(state).filter(([name, value]) => value !== DEFAULTS[name]);
  const fragment = new URLSearchParams(changed).toString();
  if (changed.length || location.hash.includes("=")) history.replaceState(null, "", `#${fragment}`);
}

for (const name of ["kind", "text", "least", "order"]) {
  byId(name).addEventListener("input", (event) => {
    Object.assign(state, { [name]: event.target.value, page: "1" });
    show();
  });
}
for (const [id, step] of [
  ["previous", -1],
  ["next", 1],
]) {
  byId(id).addEventListener("click", () => {
    state.page = String(Number(state.page) + step);
    show();
    byId("h-labelled").scrollIntoView();
  });
}
show();
