import assert from "node:assert/strict";
import { test } from "node:test";
import { nextOrder, sortKey, sortedPlaces } from "../../src/dragoman/report/static/sorting.js";

test("a cell is sorted by the number that it begins with", () => {
  assert.equal(sortKey("−1.5 (p < 0.001) *"), -1.5);
  assert.equal(sortKey("+2"), 2);
  assert.equal(sortKey("atlas"), "atlas");
  assert.equal(sortKey("–"), null);
});

test("numbers go by value, names by letters and the numbers in them, what is missing last", () => {
  assert.deepEqual(sortedPlaces(["10", "–", "9", "−1"], false), [3, 2, 0, 1]);
  assert.deepEqual(sortedPlaces(["10", "–", "9", "−1"], true), [0, 2, 3, 1]);
  assert.deepEqual(sortedPlaces(["doc10", "doc9", "doc1"], false), [2, 1, 0]);
});

test("equals stay as they were, either way", () => {
  assert.deepEqual(sortedPlaces(["1", "2", "1"], false), [0, 2, 1]);
  assert.deepEqual(sortedPlaces(["1", "2", "1"], true), [1, 0, 2]);
});

test("the third press is the order as written", () => {
  assert.deepEqual(
    ["none", "descending", "ascending"].map((order) => nextOrder(order, true)),
    ["descending", "ascending", "none"],
  );
  assert.equal(nextOrder(null, false), "ascending");
});
