// A text drawn on a canvas: it can be read and heard, but not copied into a translation engine.

import { direction } from "../languages.js";

/** Lines that fit into a width, broken at blanks, or inside a word that is wider than the line. Pure. */
export function wrapLines(text, width, measure) {
  const lines = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(/(?<=\s)/)) {
      if (line && measure((line + word).trimEnd()) > width) {
        lines.push(line.trimEnd());
        line = "";
      }
      line += word;
      while (measure(line.trimEnd()) > width && [...line].length > 1) {
        const points = [...line];
        let fit = points.length - 1;
        while (fit > 1 && measure(points.slice(0, fit).join("")) > width) fit -= 1;
        lines.push(points.slice(0, fit).join(""));
        line = points.slice(fit).join("");
      }
    }
    lines.push(line.trimEnd());
  }
  return lines;
}

/** A canvas that shows the text as wide as its place, and tells it to those who listen. */
export function drawnText(text, lang) {
  const canvas = document.createElement("canvas");
  canvas.className = "drawn";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", text);
  if (lang) canvas.lang = lang;
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  let drawn = 0;
  function draw() {
    const width = canvas.parentElement?.clientWidth ?? 0;
    const style = getComputedStyle(canvas);
    const inner = width - parseFloat(getComputedStyle(canvas.parentElement).paddingInlineStart) * 2;
    if (inner <= 0 || inner === drawn) return;
    drawn = inner;
    const size = 1.1 * parseFloat(style.fontSize);
    const pen = canvas.getContext("2d");
    const font = `${size}px ${style.fontFamily}`;
    pen.font = font;
    const lines = wrapLines(text, inner, (part) => pen.measureText(part).width);
    const scale = devicePixelRatio || 1;
    canvas.width = Math.ceil(inner * scale);
    canvas.height = Math.ceil(lines.length * size * 1.6 * scale);
    canvas.style.inlineSize = `${inner}px`;
    canvas.style.blockSize = `${lines.length * size * 1.6}px`;
    pen.scale(scale, scale);
    pen.font = font;
    pen.fillStyle = style.color;
    pen.textBaseline = "middle";
    const way = direction(lang);
    pen.direction = way === "auto" ? "inherit" : way;
    pen.textAlign = "start";
    lines.forEach((line, i) => pen.fillText(line, way === "rtl" ? inner : 0, (i + 0.5) * size * 1.6));
  }
  const watcher = new ResizeObserver(draw);
  return {
    element: canvas,
    start: () => {
      watcher.observe(canvas.parentElement);
      draw();
    },
    stop: () => watcher.disconnect(),
  };
}
