// The judging page's parts that draw, ask and listen.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { button, emptied, happen, memory, part } from "./page.mjs";
import { Api, Denied, Unreachable, ask } from "../../src/dragoman/web/static/judge/api.js";
import { arrow, el, keyCaps, newId, text } from "../../src/dragoman/web/static/judge/dom.js";
import { listenToKeys } from "../../src/dragoman/web/static/judge/keyboard.js";
import { Marker, markedPieces } from "../../src/dragoman/web/static/judge/marker.js";
import { showDenial } from "../../src/dragoman/web/static/judge/page.js";

beforeEach(() => emptied());

/** The server answers so from now on; what it is asked is kept. */
function serverSays({ status = 200, body = null, statusText = "", isPage = false, away = false }) {
  const asked = [];
  globalThis.fetch = async (address, options) => {
    asked.push({ address, ...options });
    if (away) throw new TypeError("no network");
    const json = async () => {
      if (isPage) throw new SyntaxError("<html>");
      return body;
    };
    return { status, statusText, ok: status < 400, json };
  };
  return asked;
}

test("what may pass is tried again, what the server decides is final", async () => {
  for (const status of [408, 429, 500, 503]) {
    serverSays({ status });
    await assert.rejects(ask("/x"), Unreachable);
  }
  serverSays({ away: true });
  await assert.rejects(ask("/x"), Unreachable);
  serverSays({ isPage: true }); // a proxy's page
  await assert.rejects(ask("/x"), Unreachable);
  serverSays({ status: 403, body: { message: "not yours" } });
  await assert.rejects(
    ask("/x"),
    (error) => error instanceof Denied && error.status === 403 && error.message === "not yours",
  );
  serverSays({ status: 404, isPage: true, statusText: "Not Found" });
  await assert.rejects(ask("/x"), (error) => error instanceof Denied && error.message === "Not Found");
});

test("answers are posted with the session's token, and outlive the page if they must", async () => {
  const asked = serverSays({ body: { saved: [] } });
  const api = new Api("wmt 26/da", "secret");
  await api.answers([{ key: "a" }], { last: true });
  await api.item("de en");
  const [post, get] = asked;
  assert.equal(post.address, "/api/v1/campaigns/wmt%2026%2Fda/answers");
  assert.deepEqual([post.method, post.headers["X-CSRF-Token"], post.keepalive], ["POST", "secret", true]);
  assert.deepEqual(JSON.parse(post.body), { events: [{ key: "a" }] });
  assert.equal(get.address, "/api/v1/campaigns/wmt%2026%2Fda/items/de%20en");
  assert.equal(get.method, undefined);
});

test("elements take properties, attributes, listeners and texts, never markup", () => {
  let clicks = 0;
  const made = el(
    "button",
    {
      type: "button",
      class: "plain",
      "aria-label": "x",
      lang: "de",
      hidden: false,
      title: null,
      onclick: () => (clicks += 1),
    },
    "<b>",
    null,
    [false, el("i", {}, "!")],
  );
  made.happen("click");
  assert.equal(clicks, 1);
  assert.deepEqual(
    [made.type, made.className, made.attributes],
    ["button", "plain", { "aria-label": "x", lang: "de" }],
  );
  assert.equal("title" in made, false);
  assert.deepEqual(
    made.childNodes.map((child) => child.textContent),
    ["<b>", "!"],
  );
  assert.notEqual(newId(), newId());
});

test("a text has its language; an empty one says so in the reader's", () => {
  const say = (key) => key;
  const arabic = text("نص", "ar", say);
  assert.deepEqual([arabic.attributes.lang, arabic.attributes.dir, arabic.textContent], ["ar", "rtl", "نص"]);
  const empty = text(" ", "ar", say, "td");
  assert.deepEqual([empty.attributes, empty.textContent, empty.className], [{}, "judge.empty", "text nothing"]);
});

test("keys are shown as they are pressed, and the arrow points the way of the page", () => {
  const caps = keyCaps(["Ctrl+Enter", "1", "…", "9", "+"]);
  assert.deepEqual(
    caps.map((cap) => (typeof cap === "string" ? cap : cap.children.map((key) => key.textContent))),
    [["Ctrl", "↵"], ["1"], " – ", ["9"], ["+"]],
  );
  assert.equal(arrow(), "→");
  document.documentElement.dir = "rtl";
  assert.equal(arrow(), "←");
  document.documentElement.dir = "ltr";
});

test("marks cut a text by code points and give it back", () => {
  const shown = "a😀b c";
  const marks = [
    { start: 1, end: 3, kind: "minor", proposed: true },
    { start: 2, end: 5, kind: "major" },
  ];
  const pieces = markedPieces(shown, marks, { start: 0, end: 2 });
  assert.equal(pieces.map((piece) => piece.textContent).join(""), shown);
  assert.deepEqual(
    pieces.map((piece) => [piece.textContent, piece.className, piece.dataset?.mark]),
    [
      ["a", "selected", ""],
      ["😀", "kind-minor proposed selected", "0"],
      ["b", "kind-minor proposed kind-major", "1"],
      [" c", "kind-major", "1"],
    ],
  );
});

test("arrows choose words, Shift widens the choice, Escape ends it", () => {
  const chosen = [];
  const marker = new Marker({
    text: "Der Zug fährt ab .",
    lang: "de",
    label: "x",
    onSelect: (range) => chosen.push(range && marker.of(range)),
  });
  const press = (key, more = {}) => marker.element.happen("keydown", { key, ...more });
  press("ArrowRight");
  press("ArrowRight", { shiftKey: true });
  press("]");
  press("[");
  press("End");
  press("Home", { shiftKey: true });
  press("ArrowLeft", { shiftKey: true, altKey: true }); // the beginning cannot go further
  press("ArrowLeft", { altKey: true }); // the end moves by a letter
  assert.equal(press("Escape").defaultPrevented, true);
  assert.equal(press("Escape").defaultPrevented, false);
  assert.equal(press("x").defaultPrevented, false);
  const all = "Der Zug fährt ab .";
  assert.deepEqual(chosen, ["Der", "Der Zug", "Der Zug fährt", "Der Zug", ".", all, all, all.slice(0, -1), null]);
});

test("a key runs what it stands for, but never where somebody types", () => {
  const run = [];
  const store = memory();
  const openHelp = listenToKeys(store, () => [{ keys: ["1"], text: "good", run: () => run.push("1") }], [
    { keys: ["Ctrl+Enter"], text: "send", run: () => run.push("send") },
  ]);
  const press = (key, more = {}) => happen("keydown", { key, target: part("main"), ...more });
  assert.equal(press("1").defaultPrevented, true);
  press("1", { target: part("note", "textarea") });
  press("Enter", { ctrlKey: true, target: part("note", "textarea") });
  press("1", { isComposing: true });
  assert.deepEqual(run, ["1", "send"]);
  press("Escape", { target: part("note", "textarea") });
  assert.equal(document.activeElement, part("item-title"));
  openHelp();
  press("1");
  assert.deepEqual(run, ["1", "send"]); // the sheet is open
  const [box] = part("help").querySelectorAll("input");
  box.checked = false;
  box.happen("change");
  part("help").open = false;
  press("1");
  assert.deepEqual(run, ["1", "send"]);
  assert.equal(store.getItem("dragoman/single-keys"), "off");
});

test("who is logged out is led back to the same item, who is refused can load anew", () => {
  showDenial(new Denied(401, "no session"));
  const [link] = part("notice").querySelectorAll("a");
  assert.equal(link.href, "/login?next=%2Fjudge%2Fda%237");
  showDenial(new Denied(403, "token"));
  assert.equal(part("notice").querySelectorAll("a").length, 0);
  assert.ok(button(part("notice"), "judge.reload"));
});
