// Where somebody looked: samples of an eye tracker, in pixels of the window as the page was laid out then. Pure.

/**
 * All samples of a record in the order of time: [{time, segment, user, x, y, layout}]; `layout` is the page's at that
 * time.
 */
export function samplesOf(frames) {
  const layouts = new Map(); // by segment
  const found = [];
  for (const frame of [...frames].sort((a, b) => a.time - b.time || a.number - b.number)) {
    if (frame.kind === "layout") layouts.set(frame.segment, frame.data);
    if (frame.kind !== "gaze") continue;
    const points = frame.data.samples ?? [[0, frame.data.x, frame.data.y]];
    for (const [ms, x, y] of points) {
      if ([ms, x, y].every(Number.isFinite))
        found.push({
          time: frame.time + ms,
          segment: frame.segment,
          user: frame.user,
          x,
          y,
          layout: layouts.get(frame.segment) ?? null,
        });
    }
  }
  return found.sort((a, b) => a.time - b.time);
}

/** On which side a sample lies, and where in it, as parts of its width and height; null if it lies on neither. */
export function placeOf({ x, y, layout }) {
  for (const side of ["source", "target"]) {
    const [left, top, width, height] = layout?.[side] ?? [0, 0, 0, 0];
    if (width && left <= x && x <= left + width && top <= y && y <= top + height)
      return { side, x: (x - left) / width, y: (y - top) / height };
  }
  return null;
}

/**
 * The samples of a segment that are seen at a moment: those of the last `span` milliseconds, or all before and behind.
 */
export function seenAt(samples, { time, segment, user }, span) {
  return samples.filter(
    (each) =>
      each.segment === segment &&
      each.user === user &&
      (span === Infinity || (time - span < each.time && each.time <= time)),
  );
}
