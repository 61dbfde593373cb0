import assert from "node:assert/strict";
import { test } from "node:test";

import { commonTokens, nearest, omissions, runs, tokens } from "../../src/dragoman/metrics/page/diff.js";

test("tokens know their places, and unspaced scripts go by character", () => {
  assert.deepEqual(
    tokens("Ja, gut!").map((t) => t.text),
    ["Ja", ",", "gut", "!"],
  );
  assert.deepEqual(
    tokens("日本 a").map((t) => [t.text, t.start]),
    [
      ["日", 0],
      ["本", 1],
      ["a", 3],
    ],
  );
});

test("runs give the text back, whatever it is", () => {
  const texts = ["", " ", "a b c", "  x,  y ", "السلام عليكم", "👍🏽 ok", "日本語 text"];
  for (const a of texts)
    for (const b of texts)
      assert.equal(
        runs(a, b)
          .map((r) => r.text)
          .join(""),
        a,
      );
});

test("what the other lacks is marked, neighbours as one phrase", () => {
  assert.deepEqual(runs("the big red house", "the house"), [
    { text: "the ", same: true },
    { text: "big red", same: false },
    { text: " house", same: true },
  ]);
  assert.deepEqual(runs("The house", "the HOUSE"), [{ text: "The house", same: true }]);
});

test("the common tokens are a longest subsequence", () => {
  const of = (text) => tokens(text);
  assert.equal(commonTokens(of("a b c d"), of("b d c")).length, 2);
  assert.equal(commonTokens(of("a b a b"), of("b a b a")).length, 3);
  assert.equal(commonTokens(of("x"), of("y")).length, 0);
});

test("very long texts are compared without regard to order, in little time", () => {
  const long = "word ".repeat(100_000);
  const found = runs(`other ${long}`, long);
  assert.deepEqual(
    found.map((run) => run.same),
    [false, true],
  );
  assert.equal(found[0].text, "other");
  assert.equal(found.map((run) => run.text).join(""), `other ${long}`);
});

test("the nearest reference is the one with most in common, for its length", () => {
  assert.equal(nearest("a b c", ["x", "a b", "a b c d e f g h i"]), 1);
  assert.equal(nearest("a b", [null, "b a", "a b"]), 2);
  assert.equal(nearest("a", ["a", "a"]), 0);
  assert.equal(nearest("a", ["x"]), 0);
  assert.equal(nearest("a", [null]), -1);
});

test("omissions say on which side a word of the reference is missing", () => {
  assert.deepEqual(omissions("a b c d", "a d", "b d"), [
    { text: "a", lack: "R" },
    { text: " ", lack: "" },
    { text: "b", lack: "L" },
    { text: " ", lack: "" },
    { text: "c", lack: "LR" },
    { text: " d", lack: "" },
  ]);
  assert.deepEqual(omissions("a b c", "c", null), [
    { text: "a b", lack: "L" },
    { text: " c", lack: "" },
  ]);
  for (const text of ["", " a ", "日本 b"])
    assert.equal(
      omissions(text, "b", "")
        .map((run) => run.text)
        .join(""),
      text,
    );
});
