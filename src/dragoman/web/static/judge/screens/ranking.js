// Relative ranking: a rank for each of up to five outputs, best is 1; the segments around it stand beside.

import { changed, el, newId, text, TO } from "../dom.js";
import { choice, context, outputCells, surround } from "./parts.js";

export function mount(root, { shown, ask, languages, answer, say }) {
  const grades = Array.from({ length: ask.high - ask.low + 1 }, (_, i) => ask.low + i);
  const ends = { [ask.low]: say("ranking.best"), [ask.high]: say("ranking.worst") };
  const label = (grade) => [el("b", {}, String(grade)), grade in ends ? el("small", {}, ends[grade]) : null];
  const rows = shown.outputs.map(({ place, text: content, neighbours }) => {
    const id = newId("output");
    const ranks = choice(
      say("ranking.rank_of", { place }),
      grades.map((value) => ({ value, label: label(value) })),
      {
        value: answer?.ranks?.[place] ?? null,
        onChange: () => changed(root),
        describedby: id,
        hideLegend: true,
      },
    );
    const element = el(
      "li",
      { class: "cell output candidate" },
      el("h3", {}, say("judge.output", { place })),
      text(content, languages.target, say),
      ranks.element,
    );
    const output = element.querySelector(".text");
    output.id = id;
    if (neighbours) surround(output, neighbours, languages.target, say);
    return { place, ranks, element };
  });
  const ranks = () => Object.fromEntries(rows.map((row) => [row.place, row.ranks.value()]));
  const open = () => rows.find((row) => row.ranks.value() === null);
  const active = () => rows.find((row) => row.element.contains(document.activeElement)) ?? open() ?? rows[0];
  const tied = () =>
    new Set(Object.values(ranks()).filter((rank) => rank !== null)).size <
    Object.values(ranks()).filter((rank) => rank !== null).length;
  root.append(
    context(shown, languages, say),
    el("p", { class: "question" }, ask.question || say("ranking.question", { best: ask.low, worst: ask.high })),
    el(
      "ol",
      { class: "candidates" },
      rows.map((row) => row.element),
    ),
  );

  function give(rank) {
    const row = active();
    if (!row) return;
    row.ranks.set(rank);
    (open() ?? row).ranks.focus();
  }

  const state = () => ({ ranks: ranks() });
  return {
    answer: () =>
      (ask.blanks || !open()) && !(tied() && !ask.ties) && Object.values(ranks()).some((rank) => rank !== null)
        ? state()
        : null,
    state,
    clean: (saved) => ({ ranks: Object.fromEntries(rows.map((row) => [row.place, saved.ranks?.[row.place] ?? null])) }),
    missing: () =>
      open() && !ask.blanks
        ? say("ranking.missing", { place: open().place })
        : tied() && !ask.ties
          ? say("ranking.no_ties")
          : say("judge.incomplete"),
    firstOpen: () => (open() ?? rows[0]).ranks.first,
    shortcuts: [
      {
        keys: grades.map(String),
        show: [String(ask.low), TO, String(ask.high)],
        text: say("ranking.key_rank"),
        run: (_, name) => give(Number(name)),
      },
      {
        keys: rows.map((row) => row.place.toLowerCase()),
        text: say("ranking.key_output"),
        run: (_, name) => rows.find((row) => row.place.toLowerCase() === name).ranks.focus(),
      },
      ...(ask.blanks ? [{ keys: ["0"], text: say("ranking.key_blank"), run: () => active().ranks.set(null) }] : []),
    ],
    destroy: () => root.replaceChildren(),
  };
}

/** To be read: what was shown, and an answer to it, the best outputs first. */
export function tell({ shown, languages, say, places }) {
  const rank = (place, ranks) =>
    el("li", {}, el("b", {}, String(ranks[place] ?? "–")), " ", say("judge.output", { place }));
  return {
    texts: [context(shown, languages, say), outputCells(shown.outputs, languages, say, places)],
    said: ({ ranks }) => [
      el(
        "ul",
        { class: "ranks" },
        shown.outputs
          .map(({ place }) => place)
          .sort((a, b) => (ranks[a] ?? Infinity) - (ranks[b] ?? Infinity))
          .map((place) => rank(place, ranks)),
      ),
    ],
  };
}
