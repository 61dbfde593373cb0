// Semantic frames (HMEANT): who did what to whom in the reference and in the output, and what corresponds.

import { changed, el, newId, TO } from "../dom.js";
import { answerFrames, joined, relinked, tokensOf, withoutReferenceFrame, withoutReferenceRole } from "../frames.js";
import { Marker } from "../marker.js";
import { cell, surround, withLanguage } from "./parts.js";

const SIDES = ["reference", "output"];
const plain = (type) => type.toLowerCase().replaceAll("-", "_");

const nameOf = (family, type, say) =>
  say.has(`frames.${family}_${plain(type)}`) ? say(`frames.${family}_${plain(type)}`) : type;

export function mount(root, { shown, ask, languages, answer, say }) {
  const frames = Object.fromEntries(
    SIDES.map((side) => [
      side,
      (answer?.[side] ?? []).map((frame) => ({
        head: frame.head,
        link: frame.link ?? null,
        roles: (frame.roles ?? []).map((role) => ({ link: null, ...role })),
      })),
    ]),
  );
  let active = { side: "reference", frame: 0 };
  const heard = el("p", { class: "unseen", "aria-live": "polite" });
  const hint = newId("hint");
  const titles = {
    reference: withLanguage(say("judge.reference"), languages.target),
    output: withLanguage(say("judge.translation"), languages.target),
  };
  const lines = Object.fromEntries(SIDES.map((side) => [side, joined(shown[side])]));
  const markers = Object.fromEntries(
    SIDES.map((side) => [
      side,
      new Marker({
        text: lines[side].text,
        units: lines[side].units,
        wholeUnits: true,
        lang: languages.target,
        label: titles[side],
        describedby: hint,
        empty: say("judge.empty"),
        onSelect: () => drawTools(side),
        announce: (words) => {
          heard.textContent = words;
        },
      }),
    ]),
  );
  const roleName = (type) => nameOf("role", type, say);
  const linkName = (type) => nameOf("link", type, say);
  const words = (side, start, end) => shown[side].slice(start, end).join(" ");
  const confirmed = el("input", {
    type: "checkbox",
    checked: Boolean(answer?.none || (answer && !answer.draft && !answer.reference?.length && !answer.output?.length)),
    onchange: () => changed(root),
  });
  const none = el("label", { class: "choice" }, confirmed, say("frames.none"));

  const panels = Object.fromEntries(
    SIDES.map((side) => {
      const make = el(
        "button",
        { type: "button", class: "primary", onclick: () => addFrame(side) },
        el("kbd", { "aria-hidden": "true" }, "f"),
        say("frames.new_frame"),
      );
      const roles = el(
        "select",
        {
          "aria-label": say("frames.role"),
          onchange: (event) => {
            addRole(side, event.target.value);
            event.target.value = "";
          },
        },
        el("option", { value: "" }, say("frames.add_role")),
        ask.roles.map((type) => el("option", { value: type }, roleName(type))),
      );
      const list = el("ol", { class: "frames" });
      return [
        side,
        {
          make,
          roles,
          list,
          element: el(
            "div",
            { class: `cell ${side}`, role: "group", "aria-label": titles[side] },
            el("h3", {}, titles[side]),
            markers[side].element,
            el("div", { class: "row controls" }, make, roles),
            list,
          ),
        },
      ];
    }),
  );
  if (typeof shown.source === "string")
    root.append(
      cell("source", withLanguage(say("judge.source"), languages.source), shown.source, languages.source, say),
    );
  // Neighbours are of the source where it is shown, else of the reference.
  const judged = root.querySelector(".cell.source .text");
  surround(judged ?? markers.reference.element, shown, judged ? languages.source : languages.target, say);
  if (shown.neighbours) surround(markers.output.element, shown.neighbours, languages.target, say);
  root.append(
    el("p", { class: "question" }, ask.question || say("frames.question")),
    el("p", { class: "hint", id: hint }, say("frames.how")),
    el(
      "div",
      { class: "cells" },
      SIDES.map((side) => panels[side].element),
    ),
    none,
    heard,
  );

  function drawTools(side) {
    const range = markers[side].range;
    panels[side].make.disabled = !range;
    panels[side].roles.disabled = !range || active.side !== side || !frames[side][active.frame];
  }

  function addFrame(side) {
    const range = markers[side].range;
    if (!range) return;
    frames[side].push({ head: tokensOf(lines[side].units, range).start, link: null, roles: [] });
    active = { side, frame: frames[side].length - 1 };
    markers[side].clear();
    settle();
    heard.textContent = say("frames.made", { n: frames[side].length });
    markers[side].focus();
  }

  function addRole(side, type) {
    const range = markers[side].range;
    const frame = frames[side][active.frame];
    if (!range || !frame || !type) return;
    frame.roles.push({ type, ...tokensOf(lines[side].units, range), link: null });
    markers[side].clear();
    settle();
    heard.textContent = say("frames.role_made", { role: roleName(type) });
    markers[side].focus();
  }

  function removeFrame(side, number) {
    frames[side].splice(number, 1);
    if (side === "reference") frames.output = withoutReferenceFrame(frames.output, number);
    active = { side, frame: Math.max(0, Math.min(active.frame, frames[side].length - 1)) };
    settle();
    markers[side].focus();
  }

  function removeRole(side, number, role) {
    frames[side][number].roles.splice(role, 1);
    if (side === "reference") frames.output = withoutReferenceRole(frames.output, number, role);
    settle();
    markers[side].focus();
  }

  function settle() {
    if (frames.reference.length || frames.output.length) confirmed.checked = false;
    draw();
    changed(root);
  }

  /** The list is drawn anew after every change; whoever was in a field of it stays there. */
  function refocus(label) {
    [...panels.output.list.querySelectorAll("select")]
      .find((field) => field.getAttribute("aria-label") === label)
      ?.focus();
  }

  /** A field for what something corresponds to: nothing, or each candidate in each way. */
  function linkField(label, candidates, value, onChange) {
    const key = (link) => (link ? JSON.stringify(link) : "");
    return el(
      "label",
      { class: "link" },
      el("span", { class: "label" }, say("frames.corresponds")),
      el(
        "select",
        {
          "aria-label": label,
          onchange: (event) => {
            onChange(event.target.value ? JSON.parse(event.target.value) : null);
            settle();
            refocus(label);
          },
        },
        el("option", { value: "" }, say("frames.nothing")),
        candidates.flatMap(({ link, name }) =>
          ask.links.map((type) =>
            el(
              "option",
              { value: key([...link, type]), selected: key([...link, type]) === key(value) },
              `${name} · ${linkName(type)}`,
            ),
          ),
        ),
      ),
    );
  }

  function draw() {
    none.hidden = frames.reference.length + frames.output.length > 0;
    for (const side of SIDES) {
      const { list } = panels[side];
      const here = active.side === side ? frames[side][active.frame] : null;
      markers[side].setMarks(
        here
          ? [
              { ...lines[side].units[here.head], kind: "head" },
              ...here.roles.map((role) => ({
                start: lines[side].units[role.start].start,
                end: lines[side].units[role.end - 1].end,
                kind: "role",
              })),
            ]
          : [],
      );
      list.replaceChildren(...frames[side].map((frame, number) => frameEntry(side, frame, number)));
      drawTools(side);
    }
  }

  function frameEntry(side, frame, number) {
    const isActive = active.side === side && active.frame === number;
    const taken = (i) => frames.output.some((other) => other !== frame && other.link?.[0] === i); // one to one
    const referenceFrames = frames.reference
      .map((one, i) => ({ link: [i], name: `${i + 1} ${words("reference", one.head, one.head + 1)}` }))
      .filter(({ link }) => !taken(link[0]));
    const remove = (label, run) =>
      el("button", { type: "button", class: "danger", "aria-label": label, onclick: run }, "✕");
    return el(
      "li",
      { class: isActive ? "active" : undefined },
      el(
        "div",
        { class: "row controls" },
        el(
          "button",
          {
            type: "button",
            "aria-pressed": String(isActive),
            onclick: () => {
              active = { side, frame: number };
              draw();
            },
          },
          el("bdi", { lang: languages.target }, words(side, frame.head, frame.head + 1)),
        ),
        side === "output"
          ? linkField(say("frames.link_of", { n: number + 1 }), referenceFrames, frame.link, (link) => {
              frames.output[number] = relinked(frame, link);
            })
          : null,
        remove(say("frames.remove", { n: number + 1 }), () => removeFrame(side, number)),
      ),
      el(
        "ul",
        { class: "roles" },
        frame.roles.map((role, i) =>
          el(
            "li",
            {},
            el("span", { class: "badge" }, roleName(role.type)),
            " ",
            el("bdi", { lang: languages.target }, words(side, role.start, role.end)),
            side === "output" && frame.link
              ? linkField(
                  say("frames.link_of_role", { role: roleName(role.type), n: number + 1 }),
                  (frames.reference[frame.link[0]]?.roles ?? [])
                    .map((one, r) => ({
                      link: [frame.link[0], r],
                      name: `${roleName(one.type)}: ${words("reference", one.start, one.end)}`,
                    }))
                    .filter(({ link }) => !frame.roles.some((other) => other !== role && other.link?.[1] === link[1])),
                  role.link,
                  (link) => {
                    role.link = link;
                  },
                )
              : null,
            remove(say("frames.remove_role", { role: roleName(role.type), n: number + 1 }), () =>
              removeRole(side, number, i),
            ),
          ),
        ),
      ),
    );
  }

  draw();
  const result = () => ({
    reference: answerFrames(
      frames.reference.map(({ head, roles }) => ({
        head,
        roles: roles.map(({ type, start, end }) => ({ type, start, end })),
      })),
    ),
    output: answerFrames(frames.output),
  });
  const deliberate = () => frames.reference.length + frames.output.length > 0 || confirmed.checked;
  const sideOfFocus = () => SIDES.find((side) => panels[side].element.contains(document.activeElement)) ?? active.side;
  return {
    answer: () => (deliberate() ? result() : null),
    state: () => ({ ...result(), draft: true, none: confirmed.checked }),
    clean: (saved) => ({ reference: saved.reference, output: saved.output }),
    missing: () => say("frames.missing"),
    firstOpen: () => markers.reference.element,
    shortcuts: [
      { keys: ["r"], text: say("frames.key_reference"), run: () => markers.reference.focus() },
      { keys: ["t"], text: say("frames.key_output"), run: () => markers.output.focus() },
      { keys: [], show: ["ArrowLeft", "ArrowRight"], text: say("judge.key_word"), run: () => {} },
      { keys: [], show: ["Shift+ArrowRight", "[", "]"], text: say("judge.key_extend"), run: () => {} },
      { keys: ["f"], text: say("frames.key_frame"), run: () => addFrame(sideOfFocus()) },
      {
        keys: ask.roles.slice(0, 9).map((_, i) => String(i + 1)),
        show: ["1", TO, String(Math.min(9, ask.roles.length))],
        text: say("frames.key_role"),
        run: (_, name) => addRole(sideOfFocus(), ask.roles[Number(name) - 1]),
      },
    ],
    destroy: () => root.replaceChildren(),
  };
}

/** To be read: what was shown, and an answer to it, action by action with its roles and what corresponds. */
export function tell({ shown, languages, say }) {
  const sides = { reference: say("judge.reference"), output: say("judge.translation") };
  const words = (side, start, end) => el("bdi", { lang: languages.target }, shown[side].slice(start, end).join(" "));
  const link = (to, kind) => [` · ${say("frames.corresponds")} `, to, ` (${nameOf("link", kind, say)})`];
  const role = (side, one, answer) =>
    el(
      "li",
      {},
      el("span", { class: "badge" }, nameOf("role", one.type, say)),
      " ",
      words(side, one.start, one.end),
      one.link ? link(linkedRole(answer, one.link), one.link[2]) : null,
    );
  const linkedRole = (answer, [frame, number]) => {
    const to = answer.reference[frame].roles[number];
    return words("reference", to.start, to.end);
  };
  const linkedHead = (answer, [frame]) =>
    words("reference", answer.reference[frame].head, answer.reference[frame].head + 1);
  const frame = (side, one, answer) =>
    el(
      "li",
      {},
      el("b", {}, words(side, one.head, one.head + 1)),
      one.link ? link(linkedHead(answer, one.link), one.link[1]) : null,
      el(
        "ul",
        { class: "roles" },
        one.roles.map((each) => role(side, each, answer)),
      ),
    );
  return {
    texts: [
      el(
        "div",
        { class: "cells" },
        typeof shown.source === "string"
          ? cell("source", withLanguage(say("judge.source"), languages.source), shown.source, languages.source, say)
          : null,
        SIDES.map((side) =>
          cell(
            side,
            withLanguage(sides[side], languages.target),
            shown[side].join(" "),
            languages.target,
            say,
            side === "output" ? shown.neighbours : null,
          ),
        ),
      ),
    ],
    said: (answer) =>
      answer.reference.length + answer.output.length === 0
        ? [el("p", {}, say("frames.none"))]
        : SIDES.flatMap((side) => [
            el("p", { class: "label" }, sides[side]),
            el(
              "ul",
              { class: "frames" },
              answer[side].map((one) => frame(side, one, answer)),
            ),
          ]),
  };
}
