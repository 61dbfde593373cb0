// The editor of a translation project: its parts put together, and what the page as a whole listens to.

import { Denied } from "../judge/api.js";
import { el } from "../judge/dom.js";
import { byId, say, showNotice } from "../judge/page.js";
import { askConsent } from "./consent.js";
import { Desk, OPEN_STATES } from "./desk.js";
import { Filling } from "./filling.js";
import { listenToKeys } from "./keyboard.js";
import { SegmentList } from "./list.js";
import { Opening } from "./opening.js";
import { Templates } from "./pen.js";
import { listenToReplace } from "./replace.js";
import { Reshaping } from "./reshaping.js";
import { Rules } from "./rules.js";
import { Saving } from "./saving.js";
import { Settings } from "./settings.js";
import { ProjectSocket } from "./socket.js";
import { Together } from "./together.js";

const LOCK = 30_000; // ms after which a lock is taken again; it lasts a minute

const desk = new Desk();
const { api, box, project, recorder, store, user } = desk;
const open = (id, options) => desk.opening.open(id, options);
desk.list = new SegmentList(byId("segments"), api, project, { open, known: (row) => saving.overtake(row) });
const kept = `dragoman/${encodeURIComponent(user)}`; // what this person has set
desk.settings = new Settings(store, `${kept}/editor`, () => desk.pane?.refresh());
desk.templates = new Templates(store, `${kept}/strokes`);
desk.rules = new Rules({
  store,
  name: `${kept}/rules ${project.id}`,
  project,
  socket: () => desk.socket,
  pane: () => desk.pane,
});
const together = new Together(desk);
desk.socket = new ProjectSocket(
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/cat/projects/${project.id}/socket`,
  { hear: (name, data) => together.hear(name, data), onOpen: () => together.greet(), onClose: () => together.away() },
);
const saving = new Saving(desk, { open, filling: new Filling(desk) });
const reshaping = new Reshaping(desk);
const keys = listenToKeys({
  settings: desk.settings,
  project,
  pane: () => desk.pane,
  rules: () => desk.rules.open(),
  confirm: () => saving.save("translated") && desk.opening.go(1),
  confirmOpen: () => saving.save("translated") && desk.opening.goOpen(),
  draft: () => saving.save("draft"),
  approve: () => desk.pane?.site.mayReview && saving.save("approved") && desk.opening.go(1),
  reject: () => desk.pane?.site.mayReview && saving.save("rejected") && desk.opening.go(1),
  up: () => desk.opening.go(-1),
  down: () => desk.opening.go(1),
  nextOpen: () => desk.opening.goOpen(),
  split: () => reshaping.askSplit(),
  merge: () => reshaping.merge(),
});
Object.assign(desk, { saving, opening: new Opening(desk, { saving, together, keys }) });
const { list, opening, settings, socket } = desk;
listenToReplace({ api, say, project, reload: () => opening.reload(), leave: () => opening.leave() });

/** Whether the record of the work is kept from now on. */
function agreed(given) {
  recorder.consented = given;
  if (desk.pane) {
    recorder.record("segmentOpened", desk.pane.row.id, { text: desk.pane.text });
    desk.pane.field.area.focus();
  }
}

async function begin() {
  desk.drawProgress();
  askConsent({ api, store, project, user, insist: (attempt) => desk.insist(attempt) }, agreed);
  recorder.start();
  recorder.record("startSession", null, { scheme: settings.values.scheme });
  saving.sender.kick();
  socket.connect();
  const wished = Number(location.hash.slice(1));
  if (wished > 0) {
    await open(wished, { push: false }).catch(() => desk.insist(() => list.start()));
    opening.drawCount();
    return;
  }
  const first = project.jobs.length ? Math.min(...project.jobs.map((job) => job.first)) : 1;
  await desk.insist(() => list.start(first));
  opening.drawCount();
  const row =
    list.rows.find((each) => OPEN_STATES.includes(each.state) && desk.mayEdit(each)) ??
    list.rows.find((each) => desk.mayEdit(each)) ??
    list.rows[0];
  if (row) await open(row.id, { push: false });
  else byId("segments").replaceChildren(el("li", { class: "card empty" }, say("cat.no_files")));
}

const whenSeen = (id, run) =>
  new IntersectionObserver((seen) => {
    if (seen.some((each) => each.isIntersecting)) run();
  }).observe(byId(id));
whenSeen("below", () => list.hasMore && list.later().catch(() => {}));
whenSeen("above", () => list.offset > 0 && list.earlier().catch(() => {}));
setInterval(() => together.lock(), LOCK);
byId("filters").addEventListener("change", () => opening.filter().catch(() => {}));
byId("filters").addEventListener("submit", (event) => {
  event.preventDefault();
  opening.filter().catch(() => {});
});
addEventListener("online", () => {
  saving.sender.kick();
  socket.connect();
});
addEventListener("popstate", () => {
  const id = Number(location.hash.slice(1));
  if (id > 0) open(id, { push: false });
});
for (const kind of ["focus", "blur"]) addEventListener(kind, () => recorder.record(kind, desk.pane?.row.id ?? null));
byId("segments").addEventListener("mousedown", (event) =>
  recorder.record("mouseDown", desk.pane?.row.id ?? null, { x: event.clientX, y: event.clientY }),
);
for (const kind of ["resize", "scrollend"]) addEventListener(kind, () => desk.pane?.recordLayout());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) saving.sender.kick();
});
addEventListener("pagehide", () => {
  saving.saveTouched();
  recorder.record("stopSession", null);
  recorder.keep();
  // A change goes behind the record of how it came about; with one it waits here until the page is opened again.
  const last = box.events().map((event) => event.change);
  if (last.length && !recorder.waiting.length) api.changes(last, { last: true }).catch(() => {});
});
addEventListener("beforeunload", (event) => {
  if (!box.safe) event.preventDefault();
});
begin().catch((error) => {
  if (!(error instanceof Denied)) showNotice(say("editor.broken", { message: error.message }));
});
