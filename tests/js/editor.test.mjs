// The editor's parts that keep texts: nothing that was written may be lost, nothing newer overwritten.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { button, emptied, memory, part, settled } from "./page.mjs";
import { Denied, Unreachable } from "../../src/dragoman/web/static/judge/api.js";
import { ProjectApi } from "../../src/dragoman/web/static/cat/api.js";
import { ChangeBox } from "../../src/dragoman/web/static/cat/changes.js";
import { Desk } from "../../src/dragoman/web/static/cat/desk.js";
import { Filling } from "../../src/dragoman/web/static/cat/filling.js";
import { SegmentList, stateName } from "../../src/dragoman/web/static/cat/list.js";
import { Rules } from "../../src/dragoman/web/static/cat/rules.js";
import { Saving } from "../../src/dragoman/web/static/cat/saving.js";
import { Settings } from "../../src/dragoman/web/static/cat/settings.js";
import { Together } from "../../src/dragoman/web/static/cat/together.js";

const PROJECT = { source_lang: "de", target_lang: "en", source_dir: "ltr", target_dir: "ltr", settings: {} };

beforeEach(() => emptied());

const rowOf = (id, more = {}) => ({
  id,
  place: id,
  source: `Satz ${id}`,
  target: "",
  state: "new",
  revision: 0,
  words: 2,
  codes: [],
  ...more,
});

/** What the parts of the editor share, with a server that `api` answers for. */
function deskWith(rows, api = {}) {
  const drawn = [];
  const list = { rows, people: new Map(), offset: 0, filter: {}, find: (id) => rows.find((row) => row.id === id) };
  list.redraw = (row) => drawn.push(row.id);
  const desk = { api, box: new ChangeBox(memory(), "ada", 1), list, drawn, pane: null, user: "ada", project: PROJECT };
  desk.progress = { new: { segments: rows.length, words: 2 * rows.length } };
  desk.recorder = { record: () => {}, flush: async () => {} };
  desk.become = (row, fresh) =>
    Object.assign(row, { target: fresh.target, state: fresh.state, revision: fresh.revision });
  desk.recount = async () => {};
  desk.drawProgress = () => {};
  return desk;
}

/** The open segment, whose field holds a text. */
function paneOf(row, text) {
  const pane = { row, text, site: { may: true }, isTouched: true, origin: null, message: part("message") };
  const put = (now) => Object.assign(pane, { text: now });
  return Object.assign(pane, { field: { load: put, become: put } });
}

function savingOf(desk) {
  const opened = [];
  const saving = new Saving(desk, { open: (id) => opened.push(id), filling: { hear: () => {} } });
  return Object.assign(saving, { opened });
}

test("a project is asked with what was chosen, and told with the session's token", async () => {
  const asked = [];
  globalThis.fetch = async (address, options) => {
    asked.push({ address, ...options });
    return { status: 200, ok: true, json: async () => ({}) };
  };
  const api = new ProjectApi(7, "secret");
  await api.segments({ offset: 0, limit: 100, state: "", source: "Zug & Bahn", target: undefined });
  await api.changes([{ key: "a" }], { last: true });
  await api.withdraw(3);
  const [get, post, remove] = asked;
  assert.equal(get.address, "/api/v1/cat/projects/7/segments?offset=0&limit=100&source=Zug+%26+Bahn");
  assert.deepEqual([post.method, post.keepalive, post.headers["X-CSRF-Token"]], ["POST", true, "secret"]);
  assert.deepEqual(JSON.parse(post.body), { changes: [{ key: "a" }] });
  assert.deepEqual(
    [remove.address, remove.method, remove.body],
    ["/api/v1/cat/projects/7/issues/3", "DELETE", undefined],
  );
});

test("who may write follows from the jobs, a manager's rights from the role", () => {
  part("editor").dataset.user = "ada";
  const jobs = [
    { role: "translator", first: 1, last: 4 },
    { role: "reviewer", first: 3, last: 6 },
  ];
  const deskOf = (role) => {
    part("project").textContent = JSON.stringify({ id: 1, consented: false, progress: {}, role, jobs });
    return new Desk();
  };
  globalThis.window = { localStorage: memory() };
  const desk = deskOf("member");
  const may = (place) => [desk.mayEdit({ place }), desk.mayReview({ place })];
  assert.deepEqual([1, 3, 6, 7].map(may), [
    [true, false],
    [true, true],
    [true, true],
    [false, false],
  ]);
  assert.equal(deskOf("manager").mayReview({ place: 7 }), true);
});

test("settings are kept, and hold for the page where nothing can be kept", () => {
  const control = (name, type, value) => {
    const made = document.createElement("input");
    part("settings").append(made);
    return Object.assign(made, { name, type, value });
  };
  const limit = control("limit", "checkbox");
  const wrong = control("wrong", "range", "0.2");
  const store = memory();
  store.setItem("set", '{"scheme": "omegat"}');
  const told = [];
  const settings = new Settings(store, "set", (...news) => told.push(news));
  assert.deepEqual([settings.values.scheme, settings.values.predict, limit.checked], ["omegat", true, true]);
  wrong.value = "0.35";
  wrong.happen("input");
  settings.toggle("limit");
  assert.equal(limit.checked, false);
  assert.deepEqual(told, [
    ["wrong", 0.35],
    ["limit", false],
  ]);
  assert.equal(new Settings(store, "set", () => {}).values.wrong, 0.35);
  store.setItem("set", "{");
  assert.equal(new Settings(store, "set", () => {}).values.scheme, "matecat");
  const refusing = new Settings(memory({ refuses: true }), "set", () => {});
  refusing.set("wheel", true);
  assert.equal(refusing.values.wheel, true);
});

test("filling goes on from place to place, and leaves alone what somebody writes", async () => {
  const rows = [rowOf(1), rowOf(2), rowOf(3, { revision: 9 })];
  const afters = [];
  const filled = (segment, target) => ({ segment, target, state: "draft", revision: 1 });
  const steps = [
    { filled: [filled(1, "Sentence 1"), filled(2, "Sentence 2")], after: 2 },
    { filled: [filled(3, "Sentence 3")], after: null },
  ];
  const desk = deskWith(rows, { pretranslate: async ({ after }) => (afters.push(after), steps[afters.length - 1]) });
  desk.pane = paneOf(rows[0], "my own");
  desk.box.put({ key: "a", segment: 2, revision: 0, target: "mine", state: "draft" });
  await new Filling(desk).fill();
  assert.deepEqual(afters, [0, 2]);
  assert.deepEqual(
    rows.map((row) => row.target),
    ["Sentence 1", "", ""], // of the others one waits to be saved, one is newer
  );
  assert.equal(desk.pane.text, "my own");
  assert.equal(part("announce").textContent, "filled 3");
});

test("what was filled can be taken back, a few hundred at a time", async () => {
  const rows = Array.from({ length: 501 }, (_, i) => rowOf(i + 1));
  const sizes = [];
  const changes = async (given) => {
    sizes.push(given.length);
    assert.ok(given.every((each) => each.target === "" && each.revision === 1));
    return {
      outcomes: given.map(({ segment }) => ({
        segment,
        saved: segment !== 7,
        target: "",
        state: "draft",
        revision: 2,
      })),
    };
  };
  const desk = deskWith(rows, { changes });
  const filling = new Filling(desk);
  filling.hear(rows.map(({ id }) => ({ segment: id, target: "x", state: "draft", revision: 1 })));
  assert.equal(rows[6].target, "x");
  button(part("filled"), "editor.undo_filled").happen("click");
  await settled();
  assert.deepEqual(sizes, [500, 1]);
  assert.equal(part("announce").textContent, "unfilled 500"); // somebody had changed one of them
  assert.deepEqual([rows[0].target, rows[6].target], ["", "x"]);
});

test("a second click stops the filling, a lost connection is told", async () => {
  const desk = deskWith([rowOf(1)]);
  const filling = new Filling(desk);
  let calls = 0;
  desk.api.pretranslate = async () => {
    calls += 1;
    filling.fill();
    return { filled: [], after: 1 };
  };
  await filling.fill();
  assert.deepEqual([calls, part("announce").textContent], [1, "editor.none_filled"]);
  desk.api.pretranslate = async () => {
    throw new Unreachable("away");
  };
  await filling.fill();
  assert.equal(part("announce").textContent, "editor.needs_connection");
  desk.api.pretranslate = async () => {
    throw new Denied(403, "no right to engines");
  };
  await filling.fill();
  assert.equal(part("announce").textContent, "no right to engines");
  assert.equal(filling.isFilling, false);
});

test("the list is a window that grows at both ends without doubles", async () => {
  const queries = [];
  const segments = async (query) => {
    queries.push([query.offset, query.limit]);
    const first = query.offset + 1 - (query.offset === 175 ? 1 : 0); // a segment moved meanwhile
    return { total: 300, segments: Array.from({ length: query.limit }, (_, i) => rowOf(first + i)) };
  };
  const list = new SegmentList(part("list"), { segments }, PROJECT, { open: () => {} });
  assert.equal(await list.start(100), true);
  await list.later();
  await list.earlier();
  assert.deepEqual(queries, [
    [74, 100],
    [174, 100],
    [0, 74],
  ]);
  assert.deepEqual([list.rows.length, list.rows[0].place, list.rows.at(-1).place, list.hasMore], [274, 1, 274, true]);
  assert.equal(new Set(list.rows.map((row) => row.id)).size, 274);
  assert.deepEqual(
    part("list").children.map((item) => Number(item.dataset.place)),
    list.rows.map((row) => row.place),
  );
  assert.equal(list.beside(5, -1).id, 4);
  assert.equal(stateName("approved"), "cat.state_approved");
});

test("a late answer does not draw an older list", async () => {
  const answers = [];
  const segments = () => new Promise((resolve) => answers.push(resolve));
  const list = new SegmentList(part("list"), { segments }, PROJECT, { open: () => {} });
  const [first, second] = [list.start(1), list.start(50)];
  answers[1]({ total: 1, segments: [rowOf(50)] });
  answers[0]({ total: 1, segments: [rowOf(1)] });
  assert.deepEqual([await first, await second], [false, true]);
  assert.equal(list.rows[0].id, 50);
});

test("nothing to save is nothing to do, and an empty target is not confirmed", () => {
  const row = rowOf(1, { target: "Sentence", state: "draft" });
  const desk = deskWith([row]);
  const saving = savingOf(desk);
  desk.pane = paneOf(row, "Sentence");
  assert.equal(saving.save("draft"), true);
  desk.pane.text = "  ";
  assert.equal(saving.save("translated"), false);
  assert.equal(part("announce").textContent, "editor.empty");
  desk.pane.site.may = false;
  assert.equal(saving.save("draft"), false);
  assert.deepEqual(desk.box.events(), []);
});

test("somebody was quicker: both texts stand there, and either can be chosen", async () => {
  const row = rowOf(1, { target: "old", state: "draft", revision: 3 });
  const theirs = { saved: false, segment: 1, revision: 4, target: "theirs", state: "translated", changed_by: "bo" };
  const desk = deskWith([row], { changes: async ([change]) => ({ outcomes: [{ ...theirs, key: change.key }] }) });
  const saving = savingOf(desk);
  desk.pane = paneOf(row, "mine");
  saving.save("translated");
  await saving.sender.kick();
  assert.deepEqual([row.target, row.revision, desk.box.draft(1).text], ["theirs", 4, "mine"]);
  const choices = part("message")
    .querySelectorAll("p")
    .map((each) => each.textContent);
  assert.deepEqual(choices.slice(1), ["theirs", "mine"]);
  saving.saveTouched(); // while both stand there nothing is sent by itself
  assert.deepEqual(desk.box.events(), []);
  button(part("message"), "editor.take_theirs").happen("click");
  assert.deepEqual([desk.pane.text, desk.box.draft(1), desk.pane.isTouched], ["theirs", null, false]);
  saving.conflict("mine", theirs);
  desk.api.changes = async () => {
    throw new Unreachable("away");
  };
  desk.pane.text = "mine";
  button(part("message"), "editor.keep_mine").happen("click");
  await settled();
  const [kept] = desk.box.events();
  assert.deepEqual([kept.change.target, kept.change.revision, kept.change.state], ["mine", 4, "draft"]);
  saving.sender.stop(saving.sender.timer);
});

test("what cannot be confirmed is kept as a draft, with the reason", async () => {
  const row = rowOf(1, { target: "", revision: 3 });
  const sent = [];
  const changes = async ([change]) => {
    sent.push([change.state, change.target]);
    const isRefused = change.state !== "draft";
    return {
      outcomes: [
        { key: change.key, segment: 1, saved: !isRefused, revision: isRefused ? null : 4, message: "half a pair" },
      ],
    };
  };
  const desk = deskWith([row], { changes });
  const saving = savingOf(desk);
  desk.pane = paneOf(row, "<b>text");
  saving.save("translated");
  await saving.sender.kick();
  await saving.sender.kick();
  assert.deepEqual(sent, [
    ["translated", "<b>text"],
    ["draft", "<b>text"],
  ]);
  assert.deepEqual([row.state, row.target, row.revision], ["draft", "<b>text", 4]);
  assert.match(part("notice").textContent, /editor.refused/);
  button(part("notice"), "editor.look").happen("click");
  assert.deepEqual(saving.opened, [1]);
});

test("a row that was read before a change was saved is brought up to it", async () => {
  const desk = deskWith([rowOf(1)], {
    changes: async ([{ key }]) => ({
      outcomes: [{ key, segment: 1, saved: true, target: "new", state: "translated", revision: 5 }],
    }),
  });
  const saving = savingOf(desk);
  desk.pane = paneOf(desk.list.rows[0], "new");
  saving.save("translated");
  const unsent = rowOf(1, { revision: 4, target: "old", state: "draft" });
  saving.overtake(unsent);
  assert.deepEqual([unsent.target, unsent.state], ["new", "translated"]);
  await saving.sender.kick();
  const late = rowOf(1, { revision: 4, target: "old", state: "draft" });
  saving.overtake(late);
  assert.deepEqual([late.target, late.revision], ["new", 5]);
  const newer = rowOf(1, { revision: 6, target: "newest", state: "approved" });
  saving.overtake(newer);
  assert.equal(newer.target, "newest");
});

test("what others save is shown, unless the person is writing there", () => {
  const row = rowOf(1, { target: "old", revision: 1 });
  const desk = deskWith([row, rowOf(2)]);
  const conflicts = [];
  Object.assign(desk, { opening: {}, saving: { conflict: (...texts) => conflicts.push(texts[0]) } });
  const together = new Together(desk);
  const change = (revision, target) =>
    together.hear("changed", { kind: "saved", segment: 1, revision, target, state: "draft", user: "bo" });
  desk.pane = paneOf(row, "old");
  change(2, "theirs");
  assert.deepEqual([desk.pane.text, row.revision], ["theirs", 2]);
  change(1, "stale");
  assert.equal(row.target, "theirs");
  desk.pane.text = "mine";
  change(3, "again theirs");
  assert.deepEqual([desk.pane.text, conflicts], ["mine", ["mine"]]);
  together.hear("presence", { people: [{ user: "ada", segment: 1 }, { user: "bo", segment: 2 }, { user: "cy" }] });
  assert.deepEqual([...desk.list.people], [[2, "bo"]]);
  assert.equal(part("people").textContent, "bocy");
  together.hear("presence", { people: [] });
  assert.deepEqual(desk.drawn, [2, 2]); // locked, then free again
});

test("rules go to a server that knows none; regular expressions stay in the browser", async () => {
  const calls = [];
  const socket = { isOpen: true, call: async (name, data) => void calls.push([name, data?.targetRule]) };
  const store = memory();
  store.setItem(
    "rules",
    JSON.stringify([
      { source: "", target: "colour", replacement: "color", match_case: false, is_regex: false },
      { source: "", target: "(\\d),(\\d)", replacement: "$1.$2", match_case: false, is_regex: true },
    ]),
  );
  const pane = paneOf(rowOf(1), "The Colour costs 1,5");
  pane.predictor = { source: "Die Farbe", start: async () => {} };
  const site = { store, name: "rules", project: PROJECT, socket: () => socket, pane: () => pane };
  const rules = new Rules(site);
  await rules.send();
  assert.deepEqual(calls, [
    ["reset", undefined],
    ["setReplacementRule", "colour"],
  ]);
  assert.deepEqual(
    rules.own.map((rule) => rule.target),
    ["(\\d),(\\d)"],
  );
  part("rules").close = () => {};
  part("rules-apply").happen("click");
  assert.equal(pane.text, "The color costs 1.5");
  part("rules-form").elements = { target: part("target"), replacement: part("replacement") };
  part("rules-list").querySelectorAll("button")[0].happen("click");
  await settled();
  assert.equal(JSON.parse(store.getItem("rules")).length, 1);
  store.setItem("rules", "no JSON");
  assert.deepEqual(new Rules(site).rules, []);
});
