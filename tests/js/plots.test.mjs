import assert from "node:assert/strict";
import { test } from "node:test";

import { drawHistogram, drawScatter, histogram, niceStep } from "../../src/dragoman/metrics/page/plots.js";

test("steps are round", () => {
  assert.deepEqual(
    [100, 1, 7, 0.03].map((range) => niceStep(range, 5)),
    [20, 0.2, 2, 0.01],
  );
});

test("every value is in one bin, and zero is a bound of bins", () => {
  const values = [-7, -0.1, 0, 0, 0.1, 3, 12.5];
  const bins = histogram(values);
  assert.equal(
    bins.reduce((sum, bin) => sum + bin.count, 0),
    values.length,
  );
  assert.ok(bins.some((bin) => bin.low === 0));
  for (const bin of bins)
    assert.equal(
      bin.count,
      values.filter((value) => value >= bin.low && (value < bin.high || (value === 12.5 && bin === bins.at(-1))))
        .length,
    );
});

test("no values, or only zeros, are drawn too", () => {
  assert.deepEqual(histogram([]), [{ low: 0, high: 0, count: 0 }]);
  assert.deepEqual(histogram([0, 0]), [{ low: 0, high: 0, count: 2 }]);
  for (const drawn of [
    drawHistogram(histogram([])),
    drawHistogram(histogram([0, 0])),
    drawScatter([]),
    drawScatter([{ id: 1, x: 5, y: 5 }]),
  ]) {
    assert.ok(!/NaN|Infinity|undefined/.test(drawn), drawn);
  }
});
