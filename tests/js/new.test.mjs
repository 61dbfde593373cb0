// Engines that the form of a new project offers.

import assert from "node:assert/strict";
import test from "node:test";

import { fits, offer } from "../../src/dragoman/web/static/cat/new.js";

test("an engine fits its languages, whatever their regions", () => {
  const engine = { source: "de", target: "en-GB" };
  assert.ok(fits(engine, { source: "de-AT", target: "EN" }));
  assert.ok(!fits(engine, { source: "fr", target: "en" }));
  assert.ok(!fits(engine, { source: "de", target: "es" }));
  assert.ok(fits(engine, { source: "", target: "" })); // nothing typed yet
  assert.ok(fits(engine, { source: "deu", target: "eng" })); // the server knows these
  assert.ok(fits({ source: "", target: "" }, { source: "de", target: "en" }));
});

test("what does not fit is hidden, and chosen no more", () => {
  const options = [
    { value: "", dataset: {} },
    { value: "a", dataset: { source: "de", target: "en" }, selected: true },
    { value: "b", dataset: { source: "fr", target: "en" } },
    { value: "c", dataset: { source: "", target: "" } },
  ];
  const engine = { options, value: "a" };
  offer({ elements: { source_lang: { value: "fr" }, target_lang: { value: "en" }, engine } });
  assert.deepEqual(
    options.map((each) => each.hidden),
    [false, true, false, false],
  );
  assert.equal(engine.value, "");
});
