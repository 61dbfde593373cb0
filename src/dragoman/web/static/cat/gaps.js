// Where a source can be cut in two: before words, never within one and never behind a code that opens. Pure.

import { words } from "../judge/spans.js";
import { codeNumber, kindOf } from "./codes.js";

const LETTER = /[\p{L}\p{N}]/u;
const BEGINNING = /[\p{L}\p{N}\p{Ps}\p{Pi}"'¿¡]/u;
const SCRIPTS = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]; // written without spaces
const UNSPACED = new RegExp(`[${SCRIPTS.map((name) => `\\p{Script=${name}}`).join("")}]`, "u");
const ENDING = /(?![-'’‐])\p{P}/u; // but for what stands within words

/** Places in code points with words on both sides, in order. */
export function gapsOf(source, codes, lang) {
  const points = [...source];
  const opens = (char) => codeNumber(char) !== null && kindOf(codes, codeNumber(char)) === "open";
  const places = words(source, lang)
    .filter(({ start }) => BEGINNING.test(points[start]))
    .map(({ start }) => {
      let place = start;
      while (place > 0 && opens(points[place - 1])) place -= 1;
      return place;
    });
  const isBetween = (place) =>
    [points.slice(0, place), points.slice(place)].every((part) => part.some((char) => LETTER.test(char)));
  const isApart = (before) =>
    !before.trim() || ENDING.test(before) || UNSPACED.test(before) || codeNumber(before) !== null;
  return [...new Set(places)].filter((place) => isBetween(place) && isApart(points[place - 1]));
}

/** The number of the gap at which one would cut: behind a mark, else between words; the nearest to the middle. */
export function likelyGap(source, gaps) {
  const points = [...source];
  const isMarked = (place) => ENDING.test(points.slice(0, place).join("").trimEnd().at(-1) ?? "");
  const marked = gaps.filter(isMarked);
  const distance = (place) => Math.abs(place - points.length / 2);
  const best = (marked.length ? marked : gaps).reduce((a, b) => (distance(b) < distance(a) ? b : a));
  return gaps.indexOf(best);
}
