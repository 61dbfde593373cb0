import assert from "node:assert/strict";
import { test } from "node:test";

import { countClasses, filterSegments } from "../../src/dragoman/metrics/page/filters.js";

const SEGMENTS = [
  { hyp: ["the", ["cat", 1]], ref: ["the", ["dog", 1], ["here", 0]] },
  { hyp: ["all", "right"], ref: ["all", "right"] },
  { hyp: [["Dog", 1]], ref: [] },
];
const ALL = { kind: "", text: "", least: "0", order: "file" };
const numbers = (choice) => filterSegments(SEGMENTS, { ...ALL, ...choice }, 2).map((row) => row.number);

test("classes are counted on both sides", () => assert.deepEqual(countClasses(SEGMENTS[0], 2), [1, 2]));

test("filters: class, text, least errors, order", () => {
  assert.deepEqual(numbers({}), [1, 2, 3]);
  assert.deepEqual(numbers({ kind: "0" }), [1]);
  assert.deepEqual(numbers({ text: "DOG" }), [1, 3]);
  assert.deepEqual(numbers({ text: "the cat" }), [1]);
  assert.deepEqual(numbers({ least: "2" }), [1]);
  assert.deepEqual(numbers({ order: "errors" }), [1, 3, 2]);
});
