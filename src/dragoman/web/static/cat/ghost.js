// A prediction as it is shown: what comes behind the caret, how sure its words are, and how much of it. Pure.

import { pointLength } from "../judge/spans.js";

/** A row of `nbest` as text with its words: [{start, end, confidence}], places in the text. */
export function predictionOf(row, prefix) {
  const begin = pointLength(prefix);
  const end = begin + pointLength(row.prediction);
  const words = (row.targetSegmentation ?? [])
    .map(([start, stop], i) => ({ start: start - begin, end: stop - begin, confidence: row.confidences?.[i] ?? null }))
    .filter((word) => word.start >= 0 && word.start < end - begin);
  return { text: row.prediction, words, quality: row.quality ?? null };
}

/** How a word is shown: `wrong` below the first threshold, `doubtful` below the second. */
export function grade(confidence, { wrong, doubtful }) {
  if (confidence === null || confidence === undefined) return "sure";
  return confidence < wrong ? "wrong" : confidence < doubtful ? "doubtful" : "sure";
}

/** Confidences of a text that was made from a suggestion: words that it did not have are the person's, and sure. */
export function withOwnWords(found, text, suggestion) {
  const points = [...text];
  const theirs = new Set(suggestion.split(/[^\p{L}\p{M}\p{N}]+/u));
  const isOwn = ([start, end]) =>
    !theirs.has(points.slice(start, end).join("")) && /[\p{L}\p{N}]/u.test(points.slice(start, end).join(""));
  const confidences = found.confidences.map((each, i) => (isOwn(found.targetSegmentation[i]) ? 1 : each));
  return {
    ...found,
    confidences,
    quality: confidences.length ? confidences.reduce((a, b) => a + b, 0) / confidences.length : null,
  };
}

/** The prediction up to the first word that is taken for wrong; the first word is shown in any case. */
export function limited(prediction, { limit, wrong }) {
  const place = limit
    ? prediction.words.findIndex(({ confidence }, i) => i > 0 && confidence !== null && confidence < wrong)
    : -1;
  if (place < 0) return prediction;
  const text = [...prediction.text].slice(0, prediction.words[place].start).join("").trimEnd();
  return { ...prediction, text, words: prediction.words.slice(0, place) };
}

/** The part that one step takes: up to the end of the first word, with the space behind it. */
export const firstWord = (text) => text.match(/^\s*\S+\s?/u)?.[0] ?? text;

/** What is left of a prediction when its first characters were typed; null if others were. */
export function advanced(prediction, typed) {
  if (!typed || !prediction.text.startsWith(typed)) return null;
  const by = pointLength(typed);
  const words = prediction.words
    .map((word) => ({ ...word, start: Math.max(0, word.start - by), end: word.end - by }))
    .filter((word) => word.end > 0);
  return { ...prediction, text: prediction.text.slice(typed.length), words };
}
