// Two pictures of the segments that are shown: a histogram of the gains of the right system, and both systems' scores
// as points. Pure functions from numbers to SVG; the only text in it are numbers.

const [WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM, TOP] = [480, 280, 50, 22, 36, 12];
const BINS = 20;

/** A round step that cuts a range into about `n` parts. */
export function niceStep(range, n) {
  const rough = range / n;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= rough * 0.999);
}

const round = (value) => Number(value.toPrecision(12));
const shown = (value) => String(Number(value.toPrecision(6))).replace("-", "−");

/** Bins of equal width, one of their bounds being zero: [{low, high, count}]. The last one includes its upper bound. */
export function histogram(values) {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  if (values.length === 0 || most === least) return [{ low: 0, high: 0, count: values.length }];
  const step = niceStep(most - least, BINS);
  const first = Math.floor(least / step);
  const n = Math.max(1, Math.ceil(round(most / step)) - first);
  const bins = Array.from({ length: n }, (_, k) => ({
    low: round((first + k) * step),
    high: round((first + k + 1) * step),
    count: 0,
  }));
  for (const value of values) bins[Math.min(n - 1, Math.max(0, Math.floor(round(value / step)) - first))].count++;
  return bins;
}

function axis(low, high, place, line, label) {
  const step = niceStep(high - low || 1, 5);
  const ticks = [];
  for (let k = Math.ceil(round(low / step)); k * step <= high + 1e-9; k++) ticks.push(round(k * step));
  return ticks.map((tick) => line(place(tick)) + label(place(tick), shown(tick))).join("");
}

const line = (x1, y1, x2, y2, kind) =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" class="${kind}"/>`;
const text = (x, y, words, anchor = "middle") =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
const upwards = (low, high) => (value) =>
  HEIGHT - BOTTOM - ((value - low) / (high - low || 1)) * (HEIGHT - BOTTOM - TOP);
const rightwards = (low, high) => (value) => LEFT + ((value - low) / (high - low || 1)) * (WIDTH - LEFT - RIGHT);

const scale = (low, high, along, up) =>
  axis(
    low[0],
    high[0],
    along,
    (x) => line(x, TOP, x, HEIGHT - BOTTOM, "grid"),
    (x, words) => text(x, HEIGHT - BOTTOM + 20, words),
  ) +
  axis(
    low[1],
    high[1],
    up,
    (y) => line(LEFT, y, WIDTH - RIGHT, y, "grid"),
    (y, words) => text(LEFT - 6, y + 5, words, "end"),
  );

/** Attributes of a shape, to a tenth of a unit. */
const measures = (sizes) =>
  Object.entries(sizes)
    .map(([name, value]) => `${name}="${value.toFixed(1)}"`)
    .join(" ");

/** Bars of the gains, those of the left system in another colour; a bar knows its range. */
export function drawHistogram(bins) {
  const most = Math.max(1, ...bins.map((bin) => bin.count));
  const [low, high] = [bins[0].low, bins.at(-1).high];
  const [along, up] = [rightwards(low, high), upwards(0, most)];
  const bars = bins
    .filter((bin) => bin.count > 0)
    .map((bin) => {
      const [x, width] =
        high === low ? [LEFT, WIDTH - LEFT - RIGHT] : [along(bin.low), along(bin.high) - along(bin.low)];
      const side = bin.high <= 0 && high > low ? "c1" : "c0";
      const size = { x: x + 1, y: up(bin.count), width: Math.max(1, width - 2), height: up(0) - up(bin.count) };
      const about = `class="${side}" data-low="${bin.low}" data-high="${bin.high}"`;
      const title = `${shown(bin.low)} … ${shown(bin.high)}: ${bin.count}`;
      return `<rect ${measures(size)} ${about}><title>${title}</title></rect>`;
    });
  return (
    scale([low, 0], [high, most], along, up) +
    bars.join("") +
    (low < 0 && high > 0 ? line(along(0), TOP, along(0), HEIGHT - BOTTOM, "axis") : "")
  );
}

/** A point for each segment, left score to the right and right score upwards; a point knows its segment. */
export function drawScatter(points) {
  const values = points.flatMap(({ x, y }) => [x, y]);
  const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const [along, up] = [rightwards(low, high), upwards(low, high)];
  const dots = points.map(
    ({ id, x, y }) =>
      `<circle ${measures({ cx: along(x), cy: up(y), r: 3.5 })} class="c0" data-id="${id}">` +
      `<title>${id}: ${shown(x)}, ${shown(y)}</title></circle>`,
  );
  return (
    scale([low, low], [high, high], along, up) +
    line(along(low), up(low), along(high), up(high), "axis") +
    dots.join("")
  );
}

export const VIEW = `0 0 ${WIDTH} ${HEIGHT}`;
