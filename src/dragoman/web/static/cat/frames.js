// Moments of a record. Pure.

const UNSEEN = ["gaze", "layout"]; // many of them, and drawn over the others

/** What happened in segments or to them, in the order of time; what came at the same moment as it came in. */
export const framesOf = (frames) =>
  [...frames]
    .filter((frame) => frame.segment !== null && !UNSEEN.includes(frame.kind))
    .sort((a, b) => a.time - b.time || a.number - b.number);

/** The last moment that is not behind a time in milliseconds; the first if all are. */
export function placeAt(frames, time) {
  const behind = frames.findIndex((frame) => frame.time > time);
  return behind < 0 ? frames.length - 1 : Math.max(0, behind - 1);
}

/** Milliseconds as minutes and seconds. */
export function clock(milliseconds) {
  const tenths = Math.round(milliseconds / 100);
  return `${Math.floor(tenths / 600)}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}.${tenths % 10}`;
}
