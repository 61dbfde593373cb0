import assert from "node:assert/strict";
import { test } from "node:test";

import {
  delta,
  fromColumns,
  readState,
  select,
  shownNumber,
  toTsv,
  writeState,
} from "../../src/dragoman/metrics/page/segments.js";

const segment = (id, a, b, more = {}) => ({
  id,
  doc: "d1",
  domain: null,
  origlang: "de",
  src: `Quelle ${id}`,
  refs: [`reference ${id}`],
  hyps: { A: `first ${id}`, B: `second ${id}` },
  scores: { bleu: { A: a, B: b } },
  ...more,
});
const SEGMENTS = [
  segment(1, 10, 20),
  segment(2, 50, 20, { doc: "d2" }),
  segment(3, 30, 30, { hyps: { A: "x", B: "x" } }),
];
const fallback = { left: "A", right: "B", metric: "bleu" };
const at = (fragment) => readState(fragment, fallback);
const ids = (fragment) => select(SEGMENTS, at(fragment), true).map((row) => row.segment.id);

test("the state travels through the URL", () => {
  const state = at("#sort=wins&text=a%20%26%20b&doc=d2&nonsense=1");
  assert.equal(state.text, "a & b");
  assert.equal(state.nonsense, undefined);
  assert.deepEqual(at(writeState(state, fallback)), state);
  assert.equal(writeState(at(""), fallback), "");
});

test("sorting: widest gap, wins, losses, file order", () => {
  assert.deepEqual(ids("sort=delta"), [2, 1, 3]);
  assert.deepEqual(ids("sort=wins"), [1, 3, 2]);
  assert.deepEqual(ids("sort=losses"), [2, 3, 1]);
  assert.deepEqual(ids("sort=segment"), [1, 2, 3]);
});

test("filters: document, text, least difference, differing output", () => {
  assert.deepEqual(ids("doc=d2"), [2]);
  assert.deepEqual(ids("text=QUELLE%203"), [3]);
  assert.deepEqual(ids("min=15"), [2]);
  assert.deepEqual(ids("differ=1&sort=segment"), [1, 2]);
});

test("where lower is better the sign turns; a missing score is no difference", () => {
  assert.equal(delta(SEGMENTS[0], at(""), true), 10);
  assert.equal(delta(SEGMENTS[0], at(""), false), -10);
  assert.equal(delta(segment(9, null, 3), at(""), true), null);
});

test("the export holds exactly what is shown", () => {
  const rows = select(SEGMENTS, at("doc=d1&sort=segment"), true);
  const lines = toTsv(rows, at("")).trimEnd().split("\n");
  assert.equal(lines.length, 3);
  assert.equal(lines[1], "1\td1\t\tde\tQuelle 1\treference 1\tfirst 1\tsecond 1\t10\t20\t10");
  const two = [{ segment: segment(1, 1, 1, { refs: ["one", null] }), delta: 0 }];
  assert.match(toTsv(two, at(""), ["A", "B"]), /\tsource\tA\tB\t.*\n.*\tone\t\tfirst 1\t/);
  assert.ok(!toTsv([{ segment: segment(1, 1, 1, { src: "a\tb\nc" }), delta: 0 }], at("")).includes("a\tb"));
});

test("segments come out of columns as they went in", () => {
  const data = {
    systems: ["A", "B"],
    references: ["r"],
    hasSource: true,
    docs: ["d", "e"],
    domains: null,
    origlangs: null,
    metrics: [
      { name: "bleu", power: -2 },
      { name: "count", power: 1 },
    ],
    texts: ["s1", "r1", "a1", "b1", "s2", null, "a2", "b2"],
    scores: [
      [
        [150, 250],
        [350, 450],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ],
  };
  const [, second] = fromColumns(data);
  assert.deepEqual(second, {
    id: 2,
    doc: "e",
    domain: null,
    origlang: null,
    src: "s2",
    refs: [null],
    hyps: { A: "a2", B: "b2" },
    scores: { bleu: { A: 2.5, B: 4.5 }, count: { A: 20, B: 40 } },
  });
});

test("a range of gains", () => {
  assert.deepEqual(ids("from=0&sort=segment"), [1, 3]);
  assert.deepEqual(ids("from=-40&to=-1&sort=segment"), [2]);
});

test("scores and differences have the digits of their scale, and no difference reads as nought", () => {
  const bleu = -4; // scores up to 100, six digits kept
  assert.deepEqual(
    [31.94, 100, 0, -4.93, 0.04, -1e-15].map((value) => shownNumber(value, bleu)),
    ["31.9", "100.0", "0.0", "−4.9", "0.04", "0.0"],
  );
  const comet = -6; // scores below 1
  assert.deepEqual(
    [0.8412, -0.004, 0.0004, null, undefined].map((value) => shownNumber(value, comet)),
    ["0.841", "−0.004", "0.0004", "–", "–"],
  );
});
