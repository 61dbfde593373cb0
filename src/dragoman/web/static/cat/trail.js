// The trail of somebody's gaze over the texts of a replay: dots that fade, or all of a segment as warmth.

import { placeOf, seenAt } from "./gaze.js";

const SPAN = 2_000; // ms that a dot is seen
const SVG = "http://www.w3.org/2000/svg";

const shape = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
};

/** Draw into `root`, an SVG that covers both texts; how many dots there are. `sides` are the elements of the texts. */
export function drawTrail(root, sides, samples, frame, { warmth }) {
  const area = root.getBoundingClientRect();
  const dots = seenAt(samples, frame, warmth ? Infinity : SPAN).flatMap((sample) => {
    const place = placeOf(sample);
    if (!place) return [];
    const box = sides[place.side].getBoundingClientRect();
    return [
      {
        x: box.left - area.left + place.x * box.width,
        y: box.top - area.top + place.y * box.height,
        age: (frame.time - sample.time) / SPAN,
      },
    ];
  });
  const line = shape("polyline", { class: "path", points: dots.map(({ x, y }) => `${x},${y}`).join(" ") });
  root.replaceChildren(
    ...(warmth ? [] : [line]),
    ...dots.map(({ x, y, age }) =>
      shape("circle", {
        cx: x,
        cy: y,
        r: warmth ? 16 : 7,
        class: warmth ? "warm" : "dot",
        opacity: warmth ? 0.15 : Math.max(0.15, 1 - age),
      }),
    ),
  );
  return dots.length;
}
