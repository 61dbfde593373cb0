// The judging page: loads items, mounts the screen of the protocol, keeps and sends answers, counts active time.

import { Api, Denied, Unreachable } from "./api.js";
import { ActiveClock } from "./clock.js";
import { arrow, el } from "./dom.js";
import { drawEnding } from "./ending.js";
import { listenToKeys } from "./keyboard.js";
import { languageName } from "./languages.js";
import { Outbox, browserStorage, delay, newKey } from "./outbox.js";
import { announce, byId, say, showDenial, showNotice } from "./page.js";
import { drawPast } from "./past.js";
import { nextOpen, Plan } from "./plan.js";
import { Sender } from "./sender.js";

const AHEAD = 4; // items fetched before they are needed, so that work goes on without a connection

const { campaign, user } = byId("judge").dataset;
const csrf = document.querySelector('meta[name="csrf-token"]')?.content ?? "";

const store = browserStorage();
const api = new Api(campaign, csrf);
const outbox = new Outbox(store, user, campaign);
const sender = new Sender(outbox, (events) => api.answers(events), hear);
const plan = new Plan();
const cache = new Map(); // item id → what the server told of it
const coming = new Map(); // item id → the request for it that is under way
let work = null;
let mountScreen = null;
let screen = null; // the mounted screen
let current = null; // the item on it
let clock = null;
let started = null;
let retries = 0;
let turn = 0; // counts showings, so that a late answer does not overwrite a newer page

/* --- what the sender says --- */

function hear(news) {
  for (const event of news.saved ?? []) plan.markDone(event.item);
  for (const event of news.refused ?? []) refuse(event, news.sent);
  if (news.progress) plan.progress = news.progress;
  const status = byId("save-state");
  status.dataset.state = news.state;
  if (news.state === "denied") {
    status.textContent = say("judge.waiting", { n: news.waiting });
    showDenial(news.error);
  } else if (news.state === "saved" && !news.waiting) status.textContent = say("judge.saved");
  else if (news.state === "sending") status.textContent = say("judge.saving");
  else status.textContent = say("judge.waiting", { n: news.waiting });
  if (news.state === "waiting" && !outbox.safe) showNotice(say("judge.unsafe"));
  drawProgress();
}

/** An answer that the server will not take becomes a draft again, and its item open. */
function refuse(event, sent) {
  const lost = sent.find((one) => one.key === event.key);
  if (lost) outbox.keepDraft(event.item, lost.answer);
  plan.markOpen(event.item);
  cache.delete(event.item); // what the server has of it is not what we thought
  if (current?.item === event.item)
    Object.assign(current, { answer: current.history?.at(-1)?.answer ?? null, history: current.history?.slice(0, -1) });
  const go = el("button", { type: "button", onclick: () => show(event.item) }, say("judge.go_to_item"));
  showNotice(say("judge.refused", { message: event.message }), go);
}

function drawProgress() {
  if (!work) return;
  const unsent = new Set(outbox.events().map((event) => event.item));
  const own = plan.countTask(current?.item ?? plan.last(), unsent);
  const { done, total } = own ?? plan.count(unsent);
  byId("progress").value = done;
  byId("progress").max = Math.max(1, total);
  byId("progress-text").textContent = own ? say("judge.progress_task", own) : say("judge.progress", { done, total });
}

/* --- items --- */

/** Two requests for one item would be two objects of it, of which only one learns of the answer. */
async function fetchItem(id) {
  if (cache.has(id)) return cache.get(id);
  if (!coming.has(id))
    coming.set(
      id,
      api.item(id).finally(() => coming.delete(id)),
    );
  const item = await coming.get(id);
  if (!cache.has(id)) cache.set(id, item);
  return cache.get(id);
}

/** Fetch what comes next while the person is reading. */
function fetchAhead() {
  for (const id of plan.after(current?.item, AHEAD)) if (!cache.has(id)) fetchItem(id).catch(() => {});
}

/** Try until the connection is back; a refusal is final and is shown. */
async function insist(attempt, mine) {
  for (;;) {
    try {
      const found = await attempt();
      retries = 0;
      return found;
    } catch (error) {
      if (error instanceof Denied) {
        showDenial(error);
        throw error;
      }
      if (mine !== turn) return null; // the person has gone elsewhere
      byId("item-title").textContent = say("judge.no_connection");
      announce(say("judge.no_connection"));
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, delay((retries += 1)));
        addEventListener(
          "online",
          () => {
            clearTimeout(timer);
            resolve();
          },
          { once: true },
        );
      });
    }
  }
}

async function show(id, { push = true, focus = true } = {}) {
  const mine = (turn += 1);
  leave();
  const item = cache.get(id) ?? (await insist(() => fetchItem(id), mine));
  if (mine !== turn) return;
  current = item;
  plan.add(item);
  const unsent = outbox.unsent(id);
  place(outbox.draft(id) ?? unsent ?? item.answer);
  const { n, total } = plan.countTask(id, new Set()) ?? { n: plan.place(id), total: plan.size };
  byId("item-title").textContent = say("judge.item", { n, total });
  drawPast(item, restore);
  byId("back").disabled = plan.before(id) === null;
  byId("finish").hidden = true;
  byId("work-area").hidden = false;
  byId("bar").hidden = false;
  if (push && location.hash !== `#${encodeURIComponent(id)}`)
    history.pushState({ item: id }, "", `#${encodeURIComponent(id)}`);
  if (focus) {
    byId("item-title").focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }
  announce(say("judge.item", { n, total }));
  drawProgress();
  fetchAhead();
}

/** Mount the screen for the current item with an answer, whole, partial or none. */
function place(answer) {
  screen?.destroy();
  const root = el("div", { class: "screen" });
  const hint = current.shown.hint ? el("p", { class: "notice", dir: "auto" }, current.shown.hint) : "";
  byId("screen").replaceChildren(hint, root);
  screen = mountScreen(root, { shown: current.shown, ask: work.ask, languages: work.languages, answer, say, campaign });
  root.addEventListener("change", (event) => {
    if (event.target !== root) return; // a field that lost the focus has its own event of this name
    outbox.keepDraft(current.item, screen.state());
    byId("problem").textContent = "";
    drawNext();
  });
  clock = new ActiveClock(performance.now());
  started = new Date().toISOString();
  byId("problem").textContent = "";
  drawNext();
}

function savedAnswer() {
  return outbox.unsent(current.item) ?? current.answer;
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function drawNext() {
  const saved = savedAnswer();
  const answer = screen.answer();
  const key =
    saved === null
      ? "judge.save_next"
      : answer !== null && same(answer, screen.clean?.(saved) ?? saved)
        ? "judge.next"
        : "judge.save_change";
  byId("next").textContent = {
    "judge.save_next": say("judge.save_next"),
    "judge.next": say("judge.next"),
    "judge.save_change": say("judge.save_change"),
  }[key];
  byId("next").dataset.complete = String(answer !== null);
  return key;
}

function restore(answer) {
  place(answer);
  outbox.keepDraft(current.item, answer);
  announce(say("judge.restored"));
  byId("item-title").focus();
}

function leave() {
  screen?.destroy();
  screen = null;
}

/* --- going on --- */

function saveAndGoOn() {
  if (!screen) return;
  const answer = screen.answer();
  if (answer === null) {
    byId("problem").textContent = screen.missing?.() ?? say("judge.incomplete");
    (screen.firstOpen?.() ?? byId("item-title")).focus();
    return;
  }
  const id = current.item;
  const again = savedAnswer() !== null; // whoever looks back goes on item by item
  if (drawNext() !== "judge.next") save(answer);
  const [after] = plan.after(id, 1);
  const open = again && after ? after : nextOpen(plan, id, new Set(outbox.events().map((event) => event.item)));
  if (open !== null) show(open);
  else moreOrEnd();
}

function save(answer) {
  const now = new Date().toISOString();
  const event = {
    key: newKey(),
    item: current.item,
    answer,
    active_seconds: clock.seconds(performance.now()),
    started,
    ended: now,
  };
  outbox.add(event);
  outbox.dropDraft(current.item);
  const past = current.history ?? [];
  if (current.answer !== null && !past.some((entry) => entry.revision === current.revision)) {
    past.push({ revision: current.revision, answer: current.answer, received: current.ended });
  }
  Object.assign(current, { answer, history: past, revision: (current.revision ?? 0) + 1, ended: now });
  drawProgress();
  sender.kick();
}

/** Everything known is answered: what the server says is next, or the end. */
async function moreOrEnd() {
  const mine = (turn += 1);
  leave();
  byId("screen").replaceChildren();
  byId("item-title").textContent = say("judge.loading");
  const found = await insist(async () => {
    await sender.kick();
    if (outbox.events().length) throw new Unreachable("unsent"); // the server would take answered items for open ones
    return api.next();
  }, mine);
  if (mine !== turn) return;
  if (found.item !== null) {
    cache.set(found.item, found);
    plan.add(found);
    plan.markOpen(found.item);
    await show(found.item);
  } else finish(found);
}

function finish(found) {
  const last = plan.last();
  current = null;
  drawEnding(found, last ? () => show(last) : null);
  history.replaceState({}, "", location.pathname + location.search);
  drawProgress();
}

function goBack() {
  const before = current ? plan.before(current.item) : plan.last();
  if (before !== null) show(before);
}

function goForward() {
  const [after] = current ? plan.after(current.item, 1) : [];
  if (after !== undefined) show(after);
}

function toggleInstructions() {
  const box = byId("instructions");
  box.open = !box.open;
  if (box.open) box.querySelector("summary").focus();
}

/* --- the start --- */

async function begin() {
  const mine = turn;
  work = await insist(() => api.work(), mine);
  mountScreen = (await import(`./screens/${encodeURIComponent(work.screen)}.js`)).mount;
  plan.load(work);
  const names = ["source", "target"]
    .map((side) => languageName(work.languages?.[side], document.documentElement.lang))
    .filter(Boolean);
  byId("pair").textContent = names.join(` ${arrow()} `);
  const guide = byId("instructions");
  guide.hidden = !work.instructions;
  guide.open = Boolean(work.instructions) && work.progress.done === 0;
  byId("instructions-text").textContent = work.instructions ?? "";
  drawProgress();
  if (work.state && work.state !== "open") showNotice(say("judge.not_open"));
  sender.kick();
  if (outbox.events().length === 0) byId("save-state").textContent = "";
  const wished = decodeURIComponent(location.hash.slice(1));
  if (plan.has(wished)) return show(wished, { push: false, focus: false });
  const open = nextOpen(plan, null, new Set(outbox.events().map((event) => event.item)));
  return open === null ? moreOrEnd() : show(open, { focus: false });
}

for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "scroll", "input", "focusin"]) {
  addEventListener(kind, () => clock?.touch(performance.now()), { passive: true, capture: true });
}
document.addEventListener("visibilitychange", () => {
  clock?.show(!document.hidden, performance.now());
  if (!document.hidden) sender.kick();
});
document.addEventListener("timeupdate", () => clock?.touch(performance.now()), true); // listening is work, too
const openHelp = listenToKeys(store, () => screen?.shortcuts ?? [], [
  { keys: ["Ctrl+Enter", "Enter"], text: say("judge.key_next"), run: saveAndGoOn },
  { keys: ["k"], text: say("judge.key_back"), run: goBack },
  { keys: ["j"], text: say("judge.key_forward"), run: goForward },
  { keys: ["i"], text: say("judge.key_instructions"), run: toggleInstructions },
]);
addEventListener("online", () => sender.kick());
addEventListener("popstate", () => {
  const id = decodeURIComponent(location.hash.slice(1));
  if (plan.has(id) && id !== current?.item) show(id, { push: false });
});
addEventListener("pagehide", () => {
  const events = outbox.batch();
  if (events.length) api.answers(events, { last: true }).catch(() => {});
});
addEventListener("beforeunload", (event) => {
  if (!outbox.safe) event.preventDefault();
});
byId("next").addEventListener("click", saveAndGoOn);
byId("back").addEventListener("click", goBack);
byId("keys").addEventListener("click", openHelp);
begin().catch((error) => {
  byId("work-area").hidden = true;
  byId("bar").hidden = true;
  if (!(error instanceof Denied)) showNotice(say("judge.broken", { message: error.message }));
});
