import assert from "node:assert/strict";
import { test } from "node:test";

import { partners } from "../../src/dragoman/web/static/cat/align.js";
import { ChangeBox, instant, poster } from "../../src/dragoman/web/static/cat/changes.js";
import { label, nextCode, pieces, spoken, withoutCodes } from "../../src/dragoman/web/static/cat/codes.js";
import {
  advanced,
  firstWord,
  grade,
  limited,
  predictionOf,
  withOwnWords,
} from "../../src/dragoman/web/static/cat/ghost.js";
import { clock, framesOf, placeAt } from "../../src/dragoman/web/static/cat/frames.js";
import { graded } from "../../src/dragoman/web/static/cat/predictor.js";
import { placeOf, samplesOf, seenAt } from "../../src/dragoman/web/static/cat/gaze.js";
import { gapsOf, likelyGap } from "../../src/dragoman/web/static/cat/gaps.js";
import { Recorder } from "../../src/dragoman/web/static/cat/recorder.js";
import { rewritten, rewrittenWay, faultOf } from "../../src/dragoman/web/static/cat/rewriting.js";
import {
  GROUPS,
  SCHEMES,
  actionOf,
  hindrance,
  keysWith,
  pressed,
  rebound,
} from "../../src/dragoman/web/static/cat/schemes.js";
import { ProjectSocket } from "../../src/dragoman/web/static/cat/socket.js";
import {
  boxOf,
  coveredWords,
  tipOf,
  withWordMoved,
  withoutWords,
  wordAt,
} from "../../src/dragoman/web/static/cat/strokes.js";
import {
  cut,
  difference,
  doneOf,
  isFinished,
  isPartner,
  isPrefilled,
  lettersAt,
  moved,
  withEdits,
} from "../../src/dragoman/web/static/cat/texts.js";

/** localStorage as browsers have it. */
function memory() {
  const kept = new Map();
  return {
    get length() {
      return kept.size;
    },
    key: (i) => [...kept.keys()][i] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, value),
    removeItem: (name) => kept.delete(name),
  };
}

test("codes are single characters", () => {
  const codes = [
    ["<g id='1'>", "open", "1", "g1"],
    ["</g>", "close", "1", ""],
    ["<x/>", "alone", "", ""],
  ];
  assert.deepEqual(pieces("a\ue000b\ue001"), [
    { text: "a" },
    { code: 0, text: "\ue000" },
    { text: "b" },
    { code: 1, text: "\ue001" },
  ]);
  assert.equal(withoutCodes("a\ue000b\ue001"), "ab");
  assert.equal(spoken("\ue000a\ue001b\ue002c", codes), "ab c");
  assert.equal(nextCode("\ue000a\ue001\ue000", "\ue000x"), "\ue001");
  assert.equal(nextCode("\ue000a\ue001\ue000", "\ue000x\ue001"), "\ue000");
  assert.equal(nextCode("a", "b"), "");
  assert.deepEqual(
    [0, 1, 2, 3].map((k) => label(codes, k)),
    ["g1", "1", "<x/>", "4"],
  );
});

test("a person's own words are sure", () => {
  const found = {
    targetSegmentation: [
      [0, 3],
      [4, 7],
      [7, 8],
    ],
    confidences: [0.1, 0.1, 0.1],
    quality: 0.1,
  };
  const sure = withOwnWords(found, "The cat.", "The dog.");
  assert.deepEqual(sure.confidences, [0.1, 1, 0.1]);
  assert.ok(Math.abs(sure.quality - 0.4) < 1e-9);
});

test("differences count characters, and marks cut texts there", () => {
  assert.deepEqual(difference("a😀b", "a😀xb"), { position: 2, deleted: "", inserted: "x" });
  assert.deepEqual(difference("aaa", "aa"), { position: 2, deleted: "a", inserted: "" });
  assert.equal(difference("a", "a"), null);
  assert.deepEqual(
    cut("a😀bc", [{ start: 1, end: 3, kind: "k" }]).map((part) => [part.text, part.marks.length]),
    [
      ["a", 0],
      ["😀b", 1],
      ["c", 0],
    ],
  );
  assert.deepEqual(cut("", []), []);
});

test("edits are made in code points, whatever their order", () => {
  assert.equal(
    withEdits("😀 není psát .", [
      [[1, 6], ""],
      [[7, 11], "nepíše"],
    ]),
    "😀 nepíše .",
  );
  assert.equal(
    withEdits("abc", [
      [[2, 3], "z"],
      [[0, 1], "x"],
    ]),
    "xbz",
  );
  assert.equal(withEdits("abc", []), "abc");
});

test("a prediction has its words, its limit and its colours", () => {
  const row = {
    prediction: "og sleeps badly.",
    targetSegmentation: [
      [0, 3],
      [4, 5],
      [5, 7],
      [8, 14],
      [15, 20],
      [20, 21],
    ],
    confidences: [1, 1, 0.9, 0.4, 0.1, 0.9],
  };
  const way = predictionOf(row, "The d");
  assert.deepEqual(
    way.words.map((word) => way.text.slice(word.start, word.end)),
    ["og", "sleeps", "badly", "."],
  );
  const settings = { limit: true, colour: true, wrong: 0.2, doubtful: 0.5 };
  assert.equal(limited(way, settings).text, "og sleeps");
  assert.equal(limited(way, { ...settings, wrong: 0.05 }).text, way.text);
  assert.equal(limited(way, { ...settings, wrong: 0.45 }).text, "og");
  assert.equal(limited(way, { ...settings, limit: false }).text, way.text);
  assert.deepEqual(
    ["wrong", "doubtful", "sure"],
    [0.1, 0.2, 0.5].map((c) => grade(c, settings)),
  );
  assert.equal(grade(null, settings), "sure");
  assert.deepEqual(
    graded(way, settings).map((part) => part.kind),
    ["sure", "sure", "doubtful", "sure", "wrong", "sure"],
  );
  assert.deepEqual(graded(way, { ...settings, colour: false }), [{ text: way.text, kind: "sure" }]);
  assert.equal(firstWord(" og sleeps."), " og ");
  assert.equal(advanced(way, "og ").text, "sleeps badly.");
  assert.equal(advanced(way, "x"), null);
});

test("no key means two things in a scheme, and all actions are on the sheet", () => {
  for (const scheme of Object.values(SCHEMES)) {
    const keys = Object.values(scheme).flat();
    assert.equal(new Set(keys).size, keys.length);
    assert.deepEqual(Object.keys(scheme).sort(), Object.values(GROUPS).flat().sort());
  }
  const press = (key, more = {}) =>
    pressed({ key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });
  assert.equal(actionOf(SCHEMES.matecat, press("Enter", { ctrlKey: true })), "confirm");
  assert.equal(actionOf(SCHEMES.matecat, press("Enter", { ctrlKey: true, shiftKey: true })), "confirmOpen");
  assert.equal(actionOf(SCHEMES.casmacat, press("Enter")), "draft");
  assert.equal(actionOf(SCHEMES.matecat, press("Enter")), undefined);
  assert.equal(actionOf(SCHEMES.matecat, press("&", { ctrlKey: true, code: "Digit1" })), "match1"); // a French board
  assert.equal(actionOf(SCHEMES.matecat, press("†", { altKey: true, code: "KeyT" })), "code"); // a Mac
  assert.equal(actionOf(SCHEMES.matecat, press("A", { shiftKey: true, code: "KeyA" })), undefined);
  assert.equal(pressed({ key: "ArrowLeft", code: "ArrowLeft" }, "rtl"), "Forward");
});

test("a change waits for the one before it, and says the revision that came of it", async () => {
  const box = new ChangeBox(memory(), "ada", 1);
  const change = (key, target, more = {}) => ({
    key,
    segment: 7,
    revision: 0,
    target,
    state: "draft",
    origin: null,
    ...more,
  });
  box.put(change("a", "one"));
  box.put(change("b", "two", { origin: { kind: "MT" } })); // the first was never sent
  assert.deepEqual(
    box.events().map((event) => event.key),
    ["b"],
  );
  const told = [];
  let answer = () => {
    throw new Error("away");
  };
  const post = poster(box, { changes: async (changes) => answer(changes) }, async (order) => told.push(order));
  await assert.rejects(post(box.batch()));
  box.put(change("c", "three", { state: "translated" })); // nobody knows whether b arrived: it stays
  assert.deepEqual(
    box.events().map((event) => event.key),
    ["b", "c"],
  );
  assert.equal(box.events()[0].change.origin.kind, "MT");
  answer = (changes) => ({ outcomes: changes.map(({ key }) => ({ key, segment: 7, saved: true, revision: 4 })) });
  const { saved } = await post(box.batch());
  assert.equal(saved[0].key, "b");
  assert.deepEqual(
    box.events().map((event) => [event.key, event.change.revision]),
    [["c", 4]],
  );
  assert.equal(told.length, 2);
  assert.equal(box.giveUp(7), "three");
  assert.deepEqual(box.events(), []);
  assert.ok(instant(5) < instant(5));
});

test("the record goes up to an unsaved change and no further", async () => {
  const sent = [];
  let now = 0;
  let oldest = Infinity;
  let isAway = false;
  const storage = memory();
  const send = async (events) => {
    if (isAway) throw new Error("away");
    sent.push(...events.map((event) => event.kind));
    return { consented: true };
  };
  const options = { consented: true, clock: () => (now += 1), oldest: () => oldest };
  const recorder = new Recorder(storage, "log", send, options);
  recorder.record("a", 1);
  oldest = 1;
  recorder.record("b", 1);
  await recorder.flush();
  assert.deepEqual(sent, ["a"]);
  isAway = true;
  oldest = Infinity;
  await assert.rejects(recorder.flush());
  recorder.keep();
  isAway = false;
  const next = new Recorder(storage, "log", send, options);
  await next.flush();
  assert.deepEqual(sent, ["a", "b"]);
  assert.equal(storage.length, 0);
  new Recorder(storage, "log", send, { consented: false }).record("c", 1);
  await next.flush();
  assert.deepEqual(sent, ["a", "b"]);
});

test("who asks a socket that is away is told so at once", async () => {
  const listeners = {};
  const fake = {
    readyState: 0,
    sent: [],
    send(text) {
      this.sent.push(JSON.parse(text));
    },
    addEventListener: (kind, run) => {
      listeners[kind] = run;
    },
  };
  const heard = [];
  const socket = new ProjectSocket("ws://x", { open: () => fake, hear: (name, data) => heard.push([name, data]) });
  socket.connect();
  await assert.rejects(socket.call("ping"), /closed/);
  fake.readyState = 1;
  const answer = socket.call("ping", { ms: 1 });
  listeners.message({ data: JSON.stringify({ name: "presence", data: 1 }) });
  listeners.message({ data: JSON.stringify({ id: fake.sent[0].id, name: "pingResult", data: { ms: 1 }, errors: [] }) });
  assert.deepEqual(await answer, { ms: 1 });
  assert.deepEqual(heard, [["presence", 1]]);
  const lost = socket.call("ping");
  listeners.close({ code: 4401 });
  await assert.rejects(lost, /closed/);
});

test("what belongs together, what is done, and what is put in", () => {
  const found = {
    alignments: [
      [1, 0],
      [0, 1],
    ],
    sourceSegmentation: [
      [0, 4],
      [5, 9],
    ],
    targetSegmentation: [[0, 3], null],
  };
  assert.deepEqual(partners(found, 1), [{ start: 5, end: 9 }]);
  assert.deepEqual(partners(found, 5), []);
  assert.ok(
    isFinished("Er geht.", "He goes.”") && !isFinished("Er geht.", "He goes") && !isFinished("Titel", "A title."),
  );
  const progress = { new: { segments: 2, words: 6 }, translated: { segments: 1, words: 2 } };
  assert.deepEqual(doneOf(moved(progress, "new", "translated", 3)), { done: 2, total: 3, words: 5, allWords: 8 });
  assert.equal(isPrefilled({ kind: "MT" }, { prefill: true }, true), false);
  assert.equal(isPrefilled({ kind: "TM" }, { prefill: true }, true), true);
  assert.equal(isPrefilled(undefined, { prefill: true }, false), false);
});

test("moments of a record", () => {
  const frames = framesOf([
    { number: 2, time: 100, segment: 1 },
    { number: 1, time: 0, segment: 1 },
    { number: 3, time: 50, segment: null },
  ]);
  assert.deepEqual(
    frames.map((frame) => frame.number),
    [1, 2],
  );
  assert.deepEqual(
    [-5, 0, 99, 100, 1000].map((time) => placeAt(frames, time)),
    [0, 0, 0, 1, 1],
  );
  assert.deepEqual([0, 1_240, 61_000].map(clock), ["0:00.0", "0:01.2", "1:01.0"]);
});

test("a source is cut between words, behind marks if it can be", () => {
  const codes = [
    ["<b>", "open", "1", "b"],
    ["</b>", "close", "1", "/b"],
  ];
  const parts = (text, lang, own = []) => gapsOf(text, own, lang).map((gap) => [...text].slice(gap).join(""));
  assert.deepEqual(parts("Ein 😀 Tag, e-mail!", "de"), ["Tag, e-mail!", "e-mail!"]);
  assert.deepEqual(parts("Press \ue000Start\ue001 now.", "en", codes), ["\ue000Start\ue001 now.", "now."]);
  assert.deepEqual(parts("Start.", "en"), []);
  assert.ok(parts("我住在柏林。很好。", "zh").includes("很好。"));
  const text = "It rains today, so we stay.";
  assert.equal(text.slice(gapsOf(text, [], "en")[likelyGap(text, gapsOf(text, [], "en"))]), "so we stay.");
  assert.ok(isPartner({ file: "a", unit: "1" }, { file: "a", unit: "1" }));
  assert.ok(
    !isPartner({ file: "a", unit: "1" }, { file: "a", unit: "2" }) && !isPartner({ file: "a", unit: "1" }, undefined),
  );
});

test("a key of one's own takes it from whatever had it", () => {
  assert.deepEqual(keysWith("matecat"), SCHEMES.matecat);
  assert.deepEqual(keysWith("nonsense", { gone: ["F2"] }), SCHEMES.matecat);
  const own = rebound("matecat", {}, "merge", "Alt+S"); // splits, so far
  assert.deepEqual(keysWith("matecat", own).merge, ["Alt+S"]);
  assert.deepEqual(keysWith("matecat", own).split, []);
  assert.deepEqual(keysWith("matecat", { word: ["F2"] }).word, ["F2"]);
  assert.deepEqual(keysWith("omegat", { word: ["Ctrl+R"] }).match1, ["Ctrl+1"]); // chosen in another scheme
  assert.deepEqual(["Ctrl+W", "Ctrl+C", "a", "Shift+A", "Space", "Delete", "F2", "Alt+Q", "Shift+Tab"].map(hindrance), [
    "kept",
    "kept",
    "plain",
    "plain",
    "plain",
    "plain",
    "",
    "",
    "",
  ]);
});

test("rules rewrite predictions where the source asks for it", () => {
  const rule = (target, replacement, more = {}) => ({
    source: "",
    target,
    replacement,
    match_case: false,
    is_regex: false,
    ...more,
  });
  assert.equal(rewritten([rule("dog", "hound")], "Der Hund", "The Dog."), "The hound.");
  assert.equal(rewritten([rule("dog", "hound", { match_case: true })], "Der Hund", "The Dog."), "The Dog.");
  assert.equal(rewritten([rule("dog", "$&", { source: "Katze" })], "Der Hund", "The dog."), "The dog.");
  assert.equal(rewritten([rule("a.c", "$&")], "", "abc a.c"), "abc $&");
  assert.equal(rewritten([rule("(\\d+) dogs", "dogs: $1", { is_regex: true })], "", "3 dogs"), "dogs: 3");
  assert.match(faultOf(rule("(", "", { is_regex: true })), /group/);
  assert.equal(faultOf(rule("(", "")), "");
  const way = { text: "a dog", words: [{ start: 0, end: 1 }], quality: 0.5 };
  assert.equal(rewrittenWay([], "", way), way);
  assert.deepEqual(rewrittenWay([rule("dog", "cat")], "", way), { text: "a cat", words: [], quality: null });
});

test("the letters before the caret are those of a word that ends there", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 5].map((place) => lettersAt("ab cd.", place)),
    ["", "", "ab", "", "cd"],
  );
  assert.equal(lettersAt("e\u0301t", 3), "e\u0301t");
});

test("strokes find the words that they are drawn over", () => {
  const rects = [
    { left: 0, top: 0, right: 30, bottom: 20 },
    { left: 40, top: 0, right: 70, bottom: 20 },
    { left: 0, top: 30, right: 30, bottom: 50 },
  ];
  assert.deepEqual(
    boxOf([
      [
        [5, 9, 0],
        [60, 11, 20],
      ],
      [[0, 10, 30]],
    ]),
    { left: 0, top: 9, right: 60, bottom: 11 },
  );
  assert.deepEqual(coveredWords(rects, { left: 0, top: 9, right: 60, bottom: 11 }), [0, 1]);
  assert.deepEqual(coveredWords(rects, { left: 0, top: 38, right: 60, bottom: 40 }), [2]);
  assert.deepEqual(coveredWords(rects, { left: 75, top: 9, right: 80, bottom: 11 }), [1]); // the nearest
  assert.deepEqual(coveredWords([], { left: 0, top: 0, right: 1, bottom: 1 }), []);
  assert.equal(wordAt(rects, [10, 45]), 2);
  assert.deepEqual(
    tipOf([
      [
        [0, 0],
        [60, 1],
      ],
      [
        [50, -9],
        [59, 0],
      ],
    ]),
    [60, 1],
  );
  const words = [
    { start: 0, end: 3 },
    { start: 4, end: 7 },
    { start: 8, end: 14 },
  ];
  assert.equal(withoutWords("The dog sleeps.", words, 1, 1), "The sleeps.");
  assert.equal(withoutWords("The dog sleeps.", words, 1, 2), "The.");
  assert.equal(withoutWords("The dog sleeps.", words, 0, 0), "dog sleeps.");
  assert.equal(withWordMoved("The dog sleeps.", words, 0, 2), "dog sleeps The.");
  assert.equal(withWordMoved("The dog sleeps.", words, 2, 0), "sleeps The dog.");
});

test("looks lie where the page was then", () => {
  const frame = (number, kind, data, more = {}) => ({
    number,
    kind,
    time: number * 10,
    segment: 1,
    user: "ada",
    data,
    ...more,
  });
  const samples = samplesOf([
    frame(1, "layout", { source: [0, 0, 100, 50], target: [100, 0, 100, 50] }),
    frame(3, "gaze", {
      samples: [
        [0, 150, 25],
        [5, 999, 0],
      ],
    }),
    frame(2, "gaze", { x: 50, y: 10 }),
    frame(4, "gaze", { x: null, y: 1 }),
    frame(5, "text", {}),
  ]);
  assert.deepEqual(
    samples.map(({ time, x }) => [time, x]),
    [
      [20, 50],
      [30, 150],
      [35, 999],
    ],
  );
  assert.deepEqual(samples.map(placeOf), [
    { side: "source", x: 0.5, y: 0.2 },
    { side: "target", x: 0.5, y: 0.5 },
    null,
  ]);
  const now = { time: 30, segment: 1, user: "ada" };
  assert.deepEqual(
    seenAt(samples, now, 5).map(({ x }) => x),
    [150],
  );
  assert.equal(seenAt(samples, now, Infinity).length, 3);
  assert.deepEqual(seenAt(samples, { ...now, user: "ben" }, Infinity), []);
  assert.equal(placeOf({ x: 1, y: 1, layout: null }), null);
});
