import assert from "node:assert/strict";
import { test } from "node:test";

import { ActiveClock } from "../../src/dragoman/web/static/judge/clock.js";
import {
  answerFrames,
  joined,
  relinked,
  tokensOf,
  withoutReferenceFrame,
  withoutReferenceRole,
} from "../../src/dragoman/web/static/judge/frames.js";
import { findShortcut, isTyping, keyName } from "../../src/dragoman/web/static/judge/keys.js";
import { direction, languageName } from "../../src/dragoman/web/static/judge/languages.js";
import { Outbox, delay, newKey } from "../../src/dragoman/web/static/judge/outbox.js";
import { Plan, nextOpen } from "../../src/dragoman/web/static/judge/plan.js";
import { Denied, Unreachable } from "../../src/dragoman/web/static/judge/api.js";
import { Sender } from "../../src/dragoman/web/static/judge/sender.js";
import { wrapLines } from "../../src/dragoman/web/static/judge/screens/drawn.js";
import { fromAnswer, inOrder, toAnswer } from "../../src/dragoman/web/static/judge/screens/spans.js";
import {
  boundaries,
  nudge,
  pieces,
  pointAt,
  pointLength,
  rangeOf,
  slicePoints,
  step,
  tidy,
  unitAt,
  words,
} from "../../src/dragoman/web/static/judge/spans.js";
import { speaker } from "../../src/dragoman/web/static/judge/words.js";

/** localStorage as browsers have it; `full` makes it refuse. */
function memory() {
  const kept = new Map();
  return {
    full: false,
    get length() {
      return kept.size;
    },
    key: (i) => [...kept.keys()][i] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem(name, value) {
      if (this.full) throw new Error("quota");
      kept.set(name, value);
    },
    removeItem: (name) => kept.delete(name),
  };
}

test("idle time is cut off, hidden time does not count", () => {
  const clock = new ActiveClock(0, 30_000);
  clock.touch(10_000);
  assert.equal(clock.seconds(10_000), 10);
  assert.equal(clock.seconds(1_000_000), 40);
  clock.show(false, 1_005_000);
  clock.show(true, 1_020_000);
  assert.equal(clock.seconds(1_021_000), 46);
  assert.equal(clock.seconds(1_000_000), 46); // a clock that runs backwards takes nothing away
});

test("places are code points, not UTF-16 units", () => {
  const text = "a😀b";
  assert.equal(pointLength(text), 3);
  assert.equal(pointAt(text, 3), 2);
  assert.equal(slicePoints(text, 1, 2), "😀");
});

test("words of every script are found with their places", () => {
  const found = (text, lang) => words(text, lang).map(({ start, end }) => slicePoints(text, start, end));
  assert.deepEqual(found("Ja, 😀 gut!", "de"), ["Ja", ",", "😀", "gut", "!"]);
  assert.deepEqual(found("قطارنا إلى (Wien)", "ar"), ["قطارنا", "إلى", "(", "Wien", ")"]);
  assert.deepEqual(found("שלום עולם", "he"), ["שלום", "עולם"]);
  assert.ok(found("日本語を話します", "ja").length > 1);
  assert.deepEqual(found(" \n ", "en"), []);
  assert.deepEqual(found("x y", "no such language"), ["x", "y"]);
});

test("a range is never cut inside a letter and has no blanks at its ends", () => {
  const text = "a 👩‍👩‍👧 غدًا b";
  const family = boundaries(text, "en");
  assert.ok(!family.includes(3)); // inside the joined emoji
  assert.deepEqual(tidy(text, "en", 3, 4), { start: 2, end: 7 });
  assert.deepEqual(tidy(text, "en", 1, 7), { start: 2, end: 7 });
  assert.equal(tidy(text, "en", 1, 2), null);
  const arabic = "غدًا";
  assert.deepEqual(tidy(arabic, "ar", 1, 2), { start: 1, end: 3 }); // the mark stays with its letter
});

test("the selection moves by words and grows from its anchor", () => {
  const units = words("one two three", "en");
  let selection = step(units, null, 1, false);
  assert.deepEqual(rangeOf(selection), { start: 0, end: 3 });
  selection = step(units, selection, 1, true);
  assert.deepEqual(rangeOf(selection), { start: 0, end: 7 });
  selection = step(units, step(units, selection, 1, false), -1, true);
  assert.deepEqual(rangeOf(selection), { start: 4, end: 13 });
  assert.deepEqual(rangeOf(step(units, null, -1, false)), { start: 8, end: 13 });
  assert.equal(step([], null, 1, false), null);
  assert.deepEqual(unitAt(units, 3), { start: 4, end: 7 });
  assert.deepEqual(unitAt(units, 99), { start: 8, end: 13 });
});

test("an end moves by letters and leaves at least one", () => {
  const cuts = boundaries("غدًا", "ar");
  assert.deepEqual(cuts, [0, 1, 3, 4]);
  assert.deepEqual(nudge(cuts, { start: 0, end: 4 }, "end", -1), { start: 0, end: 3 });
  assert.deepEqual(nudge(cuts, { start: 0, end: 4 }, "start", 1), { start: 1, end: 4 });
  assert.deepEqual(nudge(cuts, { start: 0, end: 1 }, "end", -1), { start: 0, end: 1 });
  assert.deepEqual(nudge(cuts, { start: 0, end: 4 }, "end", 1), { start: 0, end: 4 });
});

test("pieces give the text back, whatever overlaps", () => {
  const marks = [
    { start: 2, end: 6 },
    { start: 4, end: 9 },
    { start: 0, end: 10 },
  ];
  for (const selected of [null, { start: 1, end: 5 }, { start: 0, end: 10 }]) {
    const found = pieces(10, marks, selected);
    assert.equal(found[0].start, 0);
    assert.equal(found.at(-1).end, 10);
    found.slice(1).forEach((piece, i) => assert.equal(piece.start, found[i].end));
    for (const piece of found) {
      assert.deepEqual(
        piece.marks,
        marks.flatMap((mark, n) => (mark.start <= piece.start && piece.end <= mark.end ? [n] : [])),
      );
      assert.equal(piece.selected, Boolean(selected && selected.start <= piece.start && piece.end <= selected.end));
    }
  }
  assert.deepEqual(pieces(0, []), []);
});

test("spans go to the server and come back", () => {
  const spans = [
    {
      start: 4,
      end: 9,
      source_start: 0,
      source_end: 7,
      is_omission: false,
      severity: "major",
      category: "accuracy/addition",
    },
    { source_start: 1, source_end: 2, is_omission: true, severity: "minor" },
    { is_omission: true, severity: "minor" },
  ];
  assert.deepEqual(spans.map(fromAnswer).map(toAnswer), spans);
  assert.deepEqual(
    fromAnswer({ start: null, end: null, source_start: 0, source_end: 2, severity: "minor", category: null }).target,
    null,
  );
  assert.deepEqual(inOrder([...spans].reverse().map(fromAnswer)).map(toAnswer), spans);
});

test("keys have names, and fields keep theirs", () => {
  const key = (name, more = {}) =>
    keyName({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });
  assert.equal(key("Enter", { ctrlKey: true }), "Ctrl+Enter");
  assert.equal(key("Enter", { metaKey: true }), "Ctrl+Enter");
  assert.equal(key("?", { shiftKey: true }), "?");
  assert.equal(key("K"), "k");
  assert.equal(key("ArrowLeft", { shiftKey: true }), "Shift+ArrowLeft");
  assert.equal(key(" "), "Space");
  assert.ok(isTyping({ tagName: "TEXTAREA" }, "k"));
  assert.ok(!isTyping({ tagName: "TEXTAREA" }, "Ctrl+Enter"));
  assert.ok(isTyping({ tagName: "INPUT", type: "text" }, "1"));
  assert.ok(!isTyping({ tagName: "INPUT", type: "radio" }, "1"));
  assert.ok(isTyping({ tagName: "INPUT", type: "range" }, "ArrowUp"));
  const all = [
    { keys: ["k"], run: 1 },
    { keys: ["Ctrl+Enter"], run: 2 },
    { keys: ["?"], run: 3 },
  ];
  assert.equal(findShortcut(all, "k").run, 1);
  assert.equal(findShortcut(all, "k", { singles: false }), undefined);
  assert.equal(findShortcut(all, "?", { singles: false }).run, 3);
  assert.equal(findShortcut(all, "Ctrl+Enter", { singles: false }).run, 2);
});

test("direction and name follow from the language", () => {
  assert.deepEqual(["ar", "he", "fa-IR", "ur", "de", "zh-Hant", "az-Arab"].map(direction), [
    "rtl",
    "rtl",
    "rtl",
    "rtl",
    "ltr",
    "ltr",
    "rtl",
  ]);
  assert.deepEqual([null, "", "not a tag"].map(direction), ["auto", "auto", "auto"]);
  assert.equal(languageName("de", "en"), "German");
  assert.equal(languageName("not a tag", "en"), "not a tag");
  assert.equal(languageName(null, "en"), "");
});

test("words choose their plural and isolate what is put in", () => {
  const say = speaker("ar", {
    a: { zero: "0", one: "1", two: "2", few: "few {n}", many: "many {n}", other: "x" },
    b: "«{name}»",
  });
  assert.deepEqual(
    [0, 1, 2, 5, 11, 100].map((n) => say("a", { n })),
    ["0", "1", "2", "few 5", "many 11", "x"],
  );
  assert.equal(say("b", { name: "שלום" }), "«\u2068שלום\u2069»");
  assert.ok(say.has("a") && !say.has("c"));
  assert.throws(() => say("c"), /no text c/);
});

test("the outbox keeps answers of one person and one campaign, oldest first", () => {
  const storage = memory();
  const box = new Outbox(storage, "a/da", "x");
  box.add({ key: "2", item: "i", answer: { score: 2 }, ended: "2026-01-02" });
  box.add({ key: "1", item: "i", answer: { score: 1 }, ended: "2026-01-01" });
  new Outbox(storage, "ben", "x").add({ key: "3", item: "i", ended: "2026-01-01" });
  new Outbox(storage, "a/da", "y").add({ key: "4", item: "i", ended: "2026-01-01" });
  const again = new Outbox(storage, "a/da", "x");
  assert.deepEqual(
    again.events().map((event) => event.key),
    ["1", "2"],
  );
  assert.deepEqual(again.unsent("i"), { score: 2 });
  assert.equal(again.unsent("j"), null);
  again.remove("2");
  assert.deepEqual(box.unsent("i"), { score: 1 });
  box.keepDraft("i", { score: 5 });
  assert.deepEqual(again.draft("i"), { score: 5 });
  again.dropDraft("i");
  assert.equal(box.draft("i"), null);
});

test("a storage that refuses is no reason to lose an answer", () => {
  const storage = memory();
  storage.full = true;
  const box = new Outbox(storage, "ada", "x");
  assert.equal(box.add({ key: "1", item: "i", answer: {}, ended: "" }), false);
  assert.equal(box.safe, false);
  assert.equal(box.events().length, 1);
  box.remove("1");
  assert.ok(box.safe);
  assert.equal(box.events().length, 0);
});

test("waiting grows, within bounds", () => {
  assert.equal(delay(0, 0.5), 1000);
  assert.equal(delay(3, 0.5), 8000);
  assert.equal(delay(50, 0.5), 60000);
  assert.ok(delay(0, 0) < delay(0, 1));
});

test("keys of events are version 4 identifiers, with or without help", () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  assert.match(newKey(), form);
  assert.match(newKey({ getRandomValues: (bytes) => crypto.getRandomValues(bytes) }), form);
});

test("the sender tries again until the server has confirmed, and refusals leave the box", async () => {
  const box = new Outbox(memory(), "ada", "x");
  for (const key of ["1", "2", "3"]) box.add({ key, item: `i${key}`, answer: {}, ended: key });
  const states = [];
  const timers = [];
  let answer = () => {
    throw new Unreachable("gone");
  };
  const sender = new Sender(
    box,
    async (events) => answer(events),
    (news) => states.push(news.state),
    { later: (run) => timers.push(run), stop: () => {} },
  );
  await sender.kick();
  assert.deepEqual(states, ["sending", "waiting"]);
  assert.equal(timers.length, 1);
  answer = () => {
    throw new Denied(401, "logged out");
  };
  await timers.pop()();
  assert.equal(states.at(-1), "denied");
  assert.equal(box.events().length, 3);
  answer = (events) => ({
    saved: events.slice(1).map(({ key, item }) => ({ key, item })),
    refused: [{ key: events[0].key, item: "i1", message: "no" }],
  });
  await timers.pop()();
  assert.equal(states.at(-1), "saved");
  assert.equal(box.events().length, 0);
});

test("an answer that confirms nothing does not spin", async () => {
  const box = new Outbox(memory(), "ada", "x");
  box.add({ key: "1", item: "i", answer: {}, ended: "" });
  let asked = 0;
  const sender = new Sender(
    box,
    async () => {
      asked += 1;
      return { saved: [], refused: [] };
    },
    () => {},
  );
  await sender.kick();
  assert.equal(asked, 1);
});

test("the plan knows what is next and what is done", () => {
  const plan = new Plan();
  plan.load({
    items: ["a", "b", "c", "d"].map((item, i) => ({ item, done: i === 1 })),
    progress: { done: 1, total: 4 },
  });
  assert.equal(nextOpen(plan, null, new Set()), "a");
  assert.equal(nextOpen(plan, "a", new Set(["a", "c"])), "d");
  assert.equal(nextOpen(plan, "d", new Set()), "a");
  assert.equal(nextOpen(plan, "d", new Set(["a", "c", "d"])), null);
  assert.deepEqual(plan.count(new Set(["b", "c"])), { done: 2, total: 4 });
  assert.deepEqual(plan.after("b", 5), ["c", "d"]);
  assert.equal(plan.before("a"), null);
  plan.add({ item: "e" });
  assert.equal(plan.place("e"), 5);
  assert.equal(plan.size, 5);
});

test("tokens have places, and links follow what is taken away", () => {
  const { text, units } = joined(["a", "😀b", "c"]);
  assert.equal(text, "a 😀b c");
  assert.deepEqual(units, [
    { start: 0, end: 1 },
    { start: 2, end: 4 },
    { start: 5, end: 6 },
  ]);
  assert.deepEqual(tokensOf(units, { start: 2, end: 6 }), { start: 1, end: 3 });
  const frames = [
    {
      head: 0,
      link: [1, "full"],
      roles: [
        { type: "A", start: 0, end: 1, link: [1, 2, "full"] },
        { type: "B", start: 1, end: 2, link: [1, 0, "partial"] },
      ],
    },
  ];
  assert.deepEqual(withoutReferenceFrame(frames, 0)[0].link, [0, "full"]);
  assert.deepEqual(withoutReferenceFrame(frames, 0)[0].roles[0].link, [0, 2, "full"]);
  assert.equal(withoutReferenceFrame(frames, 1)[0].link, null);
  assert.equal(withoutReferenceFrame(frames, 1)[0].roles[1].link, null);
  assert.deepEqual(
    withoutReferenceRole(frames, 1, 0)[0].roles.map((role) => role.link),
    [[1, 1, "full"], null],
  );
  assert.deepEqual(
    relinked(frames[0], [0, "full"]).roles.map((role) => role.link),
    [null, null],
  );
  assert.deepEqual(relinked(frames[0], [1, "partial"]).roles[1].link, [1, 0, "partial"]);
  assert.deepEqual(answerFrames([{ head: 0, link: null, roles: [{ type: "A", start: 0, end: 1, link: null }] }]), [
    { head: 0, roles: [{ type: "A", start: 0, end: 1 }] },
  ]);
});

test("drawn lines break at blanks, and inside a word only where it is too long", () => {
  const measure = (part) => [...part].length;
  assert.deepEqual(wrapLines("one two three", 7, measure), ["one two", "three"]);
  assert.deepEqual(wrapLines("abcdefgh ij", 3, measure), ["abc", "def", "gh", "ij"]);
  assert.deepEqual(wrapLines("a\n\nb", 5, measure), ["a", "", "b"]);
});

test("what is counted is the task in hand: a further task makes no total grow", () => {
  const plan = new Plan();
  plan.load({
    items: [
      { item: "a", task: "t1", done: true },
      { item: "b", task: "t1", done: false },
    ],
    progress: { done: 1, total: 2 },
  });
  assert.equal(plan.countTask("b", new Set()), null, "one task: the whole is the task");
  plan.load({
    items: [
      { item: "a", task: "t1", done: true },
      { item: "b", task: "t1", done: true },
      { item: "c", task: "t2", done: false },
      { item: "d", task: "t2", done: false },
    ],
    progress: { done: 2, total: 4 },
  });
  assert.deepEqual(plan.countTask("c", new Set(["c"])), { task: 2, n: 1, done: 1, total: 2 });
  assert.deepEqual(
    plan.countTask("a", new Set()),
    { task: 1, n: 1, done: 2, total: 2 },
    "a finished task keeps its total",
  );
  assert.equal(plan.countTask("z", new Set()), null);
});
