// The replay of a record: the text of each segment as it was at a moment, by the slider or as time goes by.

import { el } from "../judge/dom.js";
import { announce, byId, say, showDenial } from "../judge/page.js";
import { ProjectApi } from "./api.js";
import { drawn } from "./field.js";
import { difference } from "./texts.js";
import { clock, framesOf, placeAt } from "./frames.js";
import { samplesOf } from "./gaze.js";
import { drawTrail } from "./trail.js";

const AROUND = 12; // events shown before the present one
const LONGEST = 2_000; // ms that a pause lasts in a replay

const project = JSON.parse(byId("project").textContent);
const api = new ProjectApi(project.id, "");
const segments = new Map();
let frames = [];
let samples = [];
let at = 0;
let timer = null;

async function begin() {
  const [record, listed] = await Promise.all([api.replay({}), api.segments({ limit: 1000 })]);
  for (const row of listed.segments) segments.set(row.id, row);
  frames = framesOf(record.frames);
  samples = samplesOf(record.frames);
  byId("gaze").hidden = !samples.length;
  byId("replay-empty").hidden = frames.length > 0;
  byId("replay").hidden = !frames.length;
  byId("slider").max = Math.max(0, frames.length - 1);
  const wished = Number(location.hash.slice(1));
  show(
    Math.max(
      0,
      frames.findIndex((frame) => frame.segment === wished),
    ),
  );
}

function show(place) {
  at = Math.max(0, Math.min(frames.length - 1, place));
  const frame = frames[at];
  if (!frame) return;
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", clock(frame.time));
  byId("moment").textContent = `${clock(frame.time)} / ${clock(frames.at(-1).time)}`;
  const row = segments.get(frame.segment);
  byId("where").textContent = row ? say("editor.segment", { n: row.place }) : "";
  byId("who").textContent = frame.user ?? "";
  byId("source").replaceChildren(...(row ? drawn(row.source, row.codes) : []));
  byId("text").replaceChildren(...drawnChange(frame, row));
  drawGaze();
  byId("events").replaceChildren(
    ...frames
      .slice(Math.max(0, at - AROUND), at + 1)
      .reverse()
      .map((each, i) =>
        el(
          "tr",
          { class: i ? "" : "now" },
          el("td", { class: "number" }, clock(each.time)),
          el("td", {}, each.kind),
          el("td", { class: "text", dir: "auto" }, told(each.data)),
        ),
      ),
  );
}

/** Where the person looked, if the record has it and it is wanted. */
function drawGaze() {
  const isWanted = byId("show-gaze").checked && samples.length;
  byId("trail").replaceChildren();
  if (!isWanted) return;
  const n = drawTrail(byId("trail"), { source: byId("source"), target: byId("text") }, samples, frames[at], {
    warmth: byId("warmth").checked,
  });
  byId("trail").setAttribute("aria-label", say("editor.n_gazes", { n }));
}

/** The text with what the last event put into it marked. */
function drawnChange(frame, row) {
  if (!row) return [];
  const before = frames.slice(0, at).findLast((each) => each.segment === frame.segment)?.text ?? "";
  const change = difference(before, frame.text ?? "");
  const marks =
    change?.inserted && frame.kind === "text"
      ? [{ start: change.position, end: change.position + [...change.inserted].length, kind: "new" }]
      : [];
  return drawn(frame.text ?? "", row.codes, marks);
}

function told(data) {
  if (data.inserted !== undefined)
    return [data.deleted ? `−${data.deleted}` : "", data.inserted ? `+${data.inserted}` : "", data.by ?? ""]
      .filter(Boolean)
      .join(" ");
  return data.key ?? data.text ?? data.target ?? "";
}

function play() {
  if (timer) return stop();
  if (at >= frames.length - 1) show(0);
  byId("play").textContent = say("editor.pause");
  step();
  return undefined;
}

function stop() {
  clearTimeout(timer);
  timer = null;
  byId("play").textContent = say("editor.play");
}

function step() {
  if (at >= frames.length - 1) {
    stop();
    announce(say("editor.replay_end"));
    return;
  }
  const wait = Math.min(LONGEST, Math.max(0, frames[at + 1].time - frames[at].time)) / Number(byId("speed").value);
  timer = setTimeout(() => {
    show(at + 1);
    step();
  }, wait);
}

byId("slider").addEventListener("input", () => {
  stop();
  show(Number(byId("slider").value));
});
for (const id of ["show-gaze", "warmth"]) byId(id).addEventListener("change", drawGaze);
addEventListener("resize", () => frames.length && drawGaze());
byId("play").addEventListener("click", play);
for (const [id, by] of [
  ["earlier", -1],
  ["later", 1],
])
  byId(id).addEventListener("click", () => {
    stop();
    show(at + by);
  });
byId("moments").addEventListener("submit", (event) => {
  event.preventDefault();
  stop();
  show(placeAt(frames, 1000 * Number(byId("second").value)));
});
begin().catch(showDenial);
