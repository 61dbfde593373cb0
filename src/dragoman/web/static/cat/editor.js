// The editor of a translation project: the list of segments, the open one, saving, and who else is there.

import { Denied } from "../judge/api.js";
import { browserStorage, delay, newKey } from "../judge/outbox.js";
import { el } from "../judge/dom.js";
import { announce, byId, say, showDenial, showNotice } from "../judge/page.js";
import { Sender } from "../judge/sender.js";
import { ProjectApi } from "./api.js";
import { ChangeBox, poster } from "./changes.js";
import { showConflict } from "./conflict.js";
import { askConsent } from "./consent.js";
import { drawExtras } from "./extras.js";
import { listenToKeys } from "./keyboard.js";
import { SegmentList } from "./list.js";
import { Pane } from "./pane.js";
import { Recorder } from "./recorder.js";
import { listenToReplace } from "./replace.js";
import { Settings } from "./settings.js";
import { ProjectSocket } from "./socket.js";
import { doneOf, moved } from "./texts.js";

const AUTOSAVE = 3_000; // ms without a key until a draft is sent
const LOCK = 30_000; // ms after which a lock is taken again; it lasts a minute
const OPEN_STATES = ["new", "draft", "rejected"];

const user = byId("editor").dataset.user;
const project = JSON.parse(byId("project").textContent);
const store = browserStorage();
const api = new ProjectApi(project.id, document.querySelector('meta[name="csrf-token"]')?.content ?? "");
const box = new ChangeBox(store, user, project.id);
const recorder = new Recorder(store, `dragoman/${encodeURIComponent(user)}/log ${project.id}`, (events) => api.events(events),
  { consented: project.consented, oldest: () => box.events()[0]?.order ?? Infinity });
const sender = new Sender(box, poster(box, api, (order) => recorder.flush(order).catch((error) => { if (!(error instanceof Denied)) throw error; })), hear);
const list = new SegmentList(byId("segments"), api, project, { open });
const settings = new Settings(store, () => pane?.refresh());
const socket = new ProjectSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/cat/projects/${project.id}/socket`,
  { hear: hearLive, onOpen: greet, onClose: () => { byId("live").dataset.state = "away"; byId("live").textContent = say("editor.alone"); } });
let pane = null;
let progress = project.progress;
let turn = 0; // counts openings, so that a late answer does not open an older segment
let autosave = null;

const jobsAt = (row) => project.jobs.filter((job) => job.first <= row.place && row.place <= job.last);
const mayEdit = (row) => project.role === "manager" || jobsAt(row).length > 0;
const mayReview = (row) => project.role === "manager" || jobsAt(row).some((job) => job.role === "reviewer");

/* --- saving --- */

function hear(news) {
  for (const outcome of news.saved ?? []) settle(outcome);
  for (const outcome of news.refused ?? []) refuse(outcome, news.sent);
  const status = byId("save-state");
  status.dataset.state = news.state;
  if (news.state === "denied") showDenial(news.error);
  if (news.state === "saved" && !news.waiting) {
    status.textContent = say("editor.saved");
    if (byId("notice").dataset.kind === "offline") byId("notice").replaceChildren();
  } else if (news.state === "sending") status.textContent = say("editor.saving");
  else status.textContent = say("editor.waiting", { n: news.waiting });
  if (news.state === "waiting" && !box.safe) showNotice(say("editor.unsafe"));
}

function settle(outcome) {
  const row = list.find(outcome.segment);
  if (row) row.revision = Math.max(row.revision, outcome.revision);
  const draft = box.draft(outcome.segment);
  if (draft) box.keepDraft(outcome.segment, { ...draft, revision: outcome.revision });
}

/** What the server would not take stays as a draft: beside the text of whoever was quicker, or with the reason. */
function refuse(outcome, sent) {
  const lost = sent.find((event) => event.key === outcome.key);
  const text = box.draft(outcome.segment)?.text ?? box.giveUp(outcome.segment) ?? lost.answer;
  box.giveUp(outcome.segment);
  box.keepDraft(outcome.segment, { text, revision: lost.change.revision, origin: lost.change.origin });
  const row = list.find(outcome.segment);
  if (outcome.revision === null) {
    showNotice(say("editor.refused", { message: outcome.message }));
    api.segment(outcome.segment).then((fresh) => become(row, fresh)).catch(() => {});
    return;
  }
  become(row, outcome);
  if (pane?.row.id === outcome.segment) conflict(text, outcome);
  else showNotice(say("editor.conflict_elsewhere", { name: outcome.changed_by ?? "—" }),
    el("button", { type: "button", onclick: () => open(outcome.segment) }, say("editor.look")));
}

/** Somebody else has saved what I was changing: both texts, and a choice. */
function conflict(mine, theirs) {
  const mayChoose = pane;
  clearTimeout(autosave);
  showConflict(pane.message, { mine, theirs: theirs.target ?? "", who: theirs.changed_by ?? theirs.user, row: pane.row, project }, {
    keepMine: () => { if (pane === mayChoose) save("draft", { force: true }); },
    takeTheirs: () => { if (pane === mayChoose) { pane.field.become(pane.row.target ?? "", "key"); drop(pane.row.id); } },
  });
  announce(say("editor.conflict", { name: theirs.changed_by ?? theirs.user ?? "—" }));
}

function drop(id) {
  clearTimeout(autosave);
  box.dropDraft(id);
  if (pane?.row.id === id) pane.isTouched = false;
}

/** A segment as the server has it now. */
function become(row, fresh) {
  if (!row) return;
  progress = moved(progress, row.state, fresh.state, row.words);
  Object.assign(row, { target: fresh.target, state: fresh.state, revision: fresh.revision });
  list.redraw(row);
  if (pane?.row === row) pane.draw();
  drawProgress();
}

/** Save the open segment in a state. Nothing to save is nothing to do. */
function save(state, { force = false } = {}) {
  if (!pane || !pane.site.may) return false;
  const { row, text } = pane;
  clearTimeout(autosave);
  if (!force && state === row.state && text === (row.target ?? "")) return true;
  if (!text.trim() && state !== "draft" && row.source.trim()) {
    announce(say("editor.empty"));
    showNotice(say("editor.empty"));
    return false;
  }
  recorder.record({ draft: "drafted" }[state] ?? state, row.id);
  box.put({ key: newKey(), segment: row.id, revision: row.revision, target: text, state, origin: pane.origin });
  box.dropDraft(row.id);
  pane.isTouched = false;
  pane.message.replaceChildren();
  become(row, { target: text, state, revision: row.revision });
  sender.kick();
  return true;
}

/** The person has written something: it is kept here at once, and sent as a draft when they pause. */
function edited(from) {
  box.keepDraft(from.row.id, { text: from.text, revision: from.row.revision, origin: from.origin });
  clearTimeout(autosave);
  if (!from.message.hasChildNodes()) autosave = setTimeout(() => pane === from && save("draft"), AUTOSAVE);
}

function drawProgress() {
  const { done, total } = doneOf(progress);
  byId("progress").value = done;
  byId("progress").max = Math.max(1, total);
  byId("progress-text").textContent = say("cat.done", { done, total });
}

/* --- opening --- */

async function open(id, { push = true } = {}) {
  if (pane?.row.id === id) return pane.field.area.focus();
  const mine = (turn += 1);
  leave();
  let row = list.find(id);
  if (!row) {
    row = await insist(() => api.segment(id));
    if (mine !== turn) return undefined;
    list.filter = {};
    byId("filters").reset();
    await insist(() => list.start(row.place));
    if (mine !== turn) return undefined;
    row = list.find(id) ?? row;
  }
  mount(row);
  if (push && location.hash !== `#${id}`) history.pushState({}, "", `#${id}`);
  return undefined;
}

function mount(row) {
  const draft = box.draft(row.id);
  const unsent = box.unsent(String(row.id));
  const isOlder = draft && draft.revision < row.revision && !unsent && draft.text !== (row.target ?? "");
  pane = new Pane(row, draft?.text ?? unsent ?? row.target ?? "", site(row));
  pane.origin = draft?.origin ?? null;
  const item = list.item(row.id);
  const fresh = el("li", { class: "row active", "data-segment": String(row.id), "data-place": String(row.place), "data-state": row.state }, pane.element);
  item.replaceWith(fresh);
  fresh.scrollIntoView({ block: "nearest" });
  pane.field.area.focus({ preventScroll: true });
  pane.begin();
  drawExtras(pane, { api, project, restore, user });
  if (isOlder) conflict(draft.text, row);
  else if (draft) {
    pane.isTouched = true;
    edited(pane);
  }
  lock();
  announce(say("editor.segment", { n: row.place }));
  drawLocks();
}

/** What a pane shares with the page. */
function site(row) {
  return { project, api, socket, settings: settings.values, may: mayEdit(row), mayReview: mayReview(row), edited, act: keys.act, keysOf: keys.keysOf,
    record: (kind, segment, data) => recorder.record(kind, segment, data) };
}

function leave() {
  if (!pane) return;
  if (pane.isTouched && !pane.message.hasChildNodes()) save("draft");
  pane.close();
  const { row } = pane;
  pane = null;
  list.item(row.id)?.classList.remove("active");
  list.redraw(row);
}

/** Try until the connection is back; a refusal is final and is shown. */
async function insist(attempt, n = 0) {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof Denied) {
      showDenial(error);
      throw error;
    }
    showNotice(say("editor.no_connection"));
    byId("notice").dataset.kind = "offline";
    await new Promise((resolve) => { setTimeout(resolve, delay(n + 1)); addEventListener("online", resolve, { once: true }); });
    return insist(attempt, n + 1);
  }
}

async function go(by) {
  if (!pane) return list.rows.length ? open(list.rows[0].id) : undefined;
  if (by > 0 && !list.beside(pane.row.id, 1) && list.hasMore) await insist(() => list.later());
  const beside = list.beside(pane.row.id, by);
  return beside ? open(beside.id) : undefined;
}

/** The next segment that is not done; the first ones again behind the last. */
async function goOpen() {
  const place = pane?.row.place ?? 0;
  const near = list.rows.find((row) => row.place > place && OPEN_STATES.includes(row.state) && mayEdit(row));
  if (near) return open(near.id);
  for (const first of [place + 1, 1]) {
    const found = await Promise.all(OPEN_STATES.map((state) => insist(() => api.segments({ state, first, limit: 1 }))));
    const rows = found.flatMap((each) => each.segments).filter((row) => row.id !== pane?.row.id).sort((a, b) => a.place - b.place);
    if (rows.length) return open(rows[0].id);
  }
  return announce(say("editor.all_done"));
}

async function restore(version) {
  const { row } = pane;
  const answer = await api.restore(row.id, { key: newKey(), number: version.number, revision: row.revision });
  const [outcome] = answer.outcomes;
  if (!outcome.saved) return showNotice(outcome.message);
  drop(row.id);
  become(row, outcome);
  pane.field.load(outcome.target ?? "");
  recorder.record("segmentOpened", row.id, { text: pane.text });
  pane.field.area.focus();
  return announce(say("editor.restored"));
}

/* --- together --- */

function greet() {
  byId("live").dataset.state = "here";
  byId("live").textContent = "";
  lock();
  pane?.predictor.start();
  refresh();
}

async function lock() {
  if (!pane || !pane.site.may) return;
  const { id } = pane.row;
  const answer = await socket.call("open", { segment: id }).catch(() => null);
  if (!answer || pane?.row.id !== id) return;
  byId("live").textContent = answer.locked ? "" : say("editor.held", { name: answer.holder ?? "—" });
}

/** What was missed while the socket was away. */
async function refresh() {
  const found = await api.segments({ ...list.filter, offset: list.offset, limit: Math.max(1, Math.min(1000, list.rows.length)) }).catch(() => null);
  for (const fresh of found?.segments ?? []) {
    const row = list.find(fresh.id);
    if (row && fresh.revision > row.revision && !box.waiting(row.id).length) hearLive("changed", { ...fresh, segment: fresh.id, user: fresh.changed_by, kind: "saved" });
  }
}

function hearLive(name, data) {
  if (name === "presence") {
    list.people = new Map(data.people.filter((each) => each.user !== user && each.segment).map((each) => [each.segment, each.user]));
    byId("people").replaceChildren(...data.people.filter((each) => each.user !== user).map((each) => el("span", { class: "badge" }, el("bdi", {}, each.user))));
    drawLocks();
  } else if (name === "changed") hearChange(data);
}

let held = [];
function drawLocks() {
  const now = [...list.people.keys()];
  for (const id of new Set([...held, ...now])) {
    const row = list.find(id);
    if (row) list.redraw(row);
  }
  held = now;
}

function hearChange(data) {
  if (["split", "merged"].includes(data.kind)) {
    list.start(pane?.row.place).then(() => { const id = pane?.row.id; pane = null; if (id && list.find(id)) open(id, { push: false }); });
    return;
  }
  const row = list.find(data.segment);
  if (["comment", "issue"].includes(data.kind)) {
    if (pane?.row.id === data.segment) drawExtras(pane, { api, project, restore, user });
    return;
  }
  if (!row || data.revision === undefined || data.revision <= row.revision || box.waiting(row.id).length) return;
  const isOpen = pane?.row === row;
  const isChanged = isOpen && pane.text !== (row.target ?? "");
  become(row, data);
  if (!isOpen) return;
  if (isChanged && pane.isTouched && pane.text !== data.target) conflict(pane.text, data);
  else {
    pane.field.load(data.target ?? "");
    byId("live").textContent = say("editor.changed_by", { name: data.user ?? "—" });
  }
}

/* --- the start --- */

const keys = listenToKeys({
  settings, project, pane: () => pane,
  confirm: () => save("translated") && go(1),
  confirmOpen: () => save("translated") && goOpen(),
  draft: () => save("draft"),
  approve: () => pane?.site.mayReview && save("approved") && go(1),
  reject: () => pane?.site.mayReview && save("rejected") && go(1),
  up: () => go(-1), down: () => go(1), nextOpen: goOpen,
});
listenToReplace({ api, say, project, reload: () => list.start(pane?.row.place), leave });

async function filter() {
  leave();
  list.filter = Object.fromEntries(new FormData(byId("filters")));
  await insist(() => list.start());
  byId("count").textContent = say("cat.n_segments", { n: list.total });
}

/** Whether the record of the work is kept from now on. */
function agreed(given) {
  recorder.consented = given;
  if (pane) {
    recorder.record("segmentOpened", pane.row.id, { text: pane.text });
    pane.field.area.focus();
  }
}

async function begin() {
  drawProgress();
  askConsent({ api, store, project, user, insist }, agreed);
  recorder.start();
  recorder.record("startSession", null, { scheme: settings.values.scheme });
  sender.kick();
  socket.connect();
  const wished = Number(location.hash.slice(1));
  if (wished > 0) {
    await open(wished, { push: false }).catch(() => insist(() => list.start()));
    byId("count").textContent = say("cat.n_segments", { n: list.total });
    return;
  }
  const first = project.jobs.length ? Math.min(...project.jobs.map((job) => job.first)) : 1;
  await insist(() => list.start(first));
  byId("count").textContent = say("cat.n_segments", { n: list.total });
  const row = list.rows.find((each) => OPEN_STATES.includes(each.state) && mayEdit(each)) ?? list.rows.find(mayEdit) ?? list.rows[0];
  if (row) await open(row.id, { push: false });
  else byId("segments").replaceChildren(el("li", { class: "card empty" }, say("cat.no_files")));
}

new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting) && list.hasMore) list.later().catch(() => {}); }).observe(byId("below"));
new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting) && list.offset > 0) list.earlier().catch(() => {}); }).observe(byId("above"));
setInterval(lock, LOCK);
byId("filters").addEventListener("change", () => filter().catch(() => {}));
byId("filters").addEventListener("submit", (event) => { event.preventDefault(); filter().catch(() => {}); });
addEventListener("online", () => { sender.kick(); socket.connect(); });
addEventListener("popstate", () => { const id = Number(location.hash.slice(1)); if (id > 0) open(id, { push: false }); });
for (const kind of ["focus", "blur"]) addEventListener(kind, () => recorder.record(kind, pane?.row.id ?? null));
byId("segments").addEventListener("mousedown", (event) => recorder.record("mouseDown", pane?.row.id ?? null, { x: event.clientX, y: event.clientY }));
document.addEventListener("visibilitychange", () => { if (!document.hidden) sender.kick(); });
addEventListener("pagehide", () => {
  if (pane?.isTouched && !pane.message.hasChildNodes()) save("draft");
  recorder.record("stopSession", null);
  recorder.keep();
  // A change goes behind the record of how it came about; with one it waits here until the page is opened again.
  const last = box.events().map((event) => event.change);
  if (last.length && !recorder.waiting.length) api.changes(last, { last: true }).catch(() => {});
});
addEventListener("beforeunload", (event) => { if (!box.safe) event.preventDefault(); });
begin().catch((error) => { if (!(error instanceof Denied)) showNotice(say("editor.broken", { message: error.message })); });
