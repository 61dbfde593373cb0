// Comprehension: hear or read a text, then answer questions about it.

import { changed, el, newId, text } from "../dom.js";
import { cell, choice, gradeOptions, gradeTold, withLanguage } from "./parts.js";

const recording = (campaign, media, shown) =>
  `/api/v1/campaigns/${encodeURIComponent(campaign)}/${media}/${encodeURIComponent(shown.audio)}`;

export function mount(root, { shown, ask, languages, answer, say, campaign, media = "media" }) {
  let plays = answer?.plays ?? 0;
  let begun = Boolean(answer?.begun ?? answer); // whoever comes back to an answer has seen the text
  const audio = ask.medium === "audio";
  const limit = ask.max_plays || Infinity;
  const form = el("div", { class: "screen" });
  const stage = el("div", { class: "cell source" });
  const given = answer?.answers ?? {};

  const fields = shown.questions.map((question) => {
    const name = String(question.question);
    if (question.type === "yes-no") {
      const picked = choice(
        question.text,
        [
          { value: "yes", label: say("questions.yes") },
          { value: "no", label: say("questions.no") },
        ],
        { value: given[name] || null, onChange: () => changed(root) },
      );
      return {
        name,
        value: picked.value,
        first: picked.first,
        element: el("div", { class: "cell ask" }, picked.element),
      };
    }
    const id = newId("answer");
    const input = el(question.type === "list" ? "textarea" : "input", {
      id,
      dir: "auto",
      autocomplete: "off",
      oninput: () => changed(root),
    });
    input.value = given[name] ?? "";
    return {
      name,
      first: input,
      value: () => input.value.trim() || null,
      element: el(
        "div",
        { class: "cell ask field" },
        el("label", { for: id, class: "question", dir: "auto" }, question.text),
        question.type === "list" ? el("p", { class: "hint" }, say("questions.list")) : null,
        input,
      ),
    };
  });
  const unknown = el("input", { type: "checkbox", checked: Boolean(answer?.unknown), onchange: () => changed(root) });
  const quality = ask.quality
    ? choice(say("questions.quality"), gradeOptions(ask.quality, "questions.quality", say).reverse(), {
        value: answer?.quality ?? null,
        column: true,
        onChange: () => changed(root),
      })
    : null;

  function listen() {
    const left = el("p", { class: "hint", role: "status" }, "");
    const player = el("audio", { src: recording(campaign, media, shown), preload: "auto" });
    const meter = el("progress", { max: 1, value: 0, "aria-label": say("questions.played") });
    const button = el("button", { type: "button", class: "primary", onclick: play }, say("questions.play"));
    const draw = () => {
      button.disabled = plays >= limit;
      left.textContent = limit === Infinity ? "" : say("questions.plays_left", { n: Math.max(0, limit - plays) });
    };
    async function play() {
      if (!player.paused || plays >= limit) return;
      player.currentTime = 0;
      try {
        await player.play();
      } catch {
        left.textContent = say("questions.no_sound");
        return;
      }
      plays += 1; // it counts once there is something to hear
      begin();
      draw();
    }
    player.addEventListener("timeupdate", () => {
      meter.value = player.duration ? player.currentTime / player.duration : 0;
    });
    stage.append(
      el("h3", {}, withLanguage(say("questions.recording"), languages.target)),
      player,
      el("p", { class: "actions" }, button),
      meter,
      left,
    );
    draw();
    return { play, stop: () => player.pause() };
  }

  function read() {
    const body = text(shown.text, languages.target, say);
    const on = el(
      "button",
      {
        type: "button",
        class: "primary",
        onclick: () => {
          begin();
          fields[0]?.first.focus();
        },
      },
      say("questions.to_questions"),
    );
    const away = el("p", { class: "hint" }, say("questions.taken_away"));
    stage.append(
      el("h3", {}, withLanguage(say("questions.text"), languages.target)),
      body,
      el("p", { class: "actions" }, on),
      away,
    );
    return {
      play: () => on.click(),
      stop: () => {},
      draw() {
        body.hidden = begun && !ask.text_stays;
        on.parentElement.hidden = begun;
        away.hidden = ask.text_stays;
      },
    };
  }

  const source = audio ? listen() : read();
  const draw = () => {
    form.hidden = !begun;
    source.draw?.();
  };
  function begin() {
    if (begun) return;
    begun = true;
    draw();
    changed(root);
  }
  form.append(
    ...fields.map((field) => field.element),
    ...(fields.length ? [el("label", { class: "choice" }, unknown, say("questions.unknown"))] : []),
    ...(quality ? [el("div", { class: "cell ask" }, quality.element)] : []),
  );
  root.append(...(ask.question ? [el("p", { class: "question" }, ask.question)] : []), stage, form);
  draw();

  const answers = () => Object.fromEntries(fields.map((field) => [field.name, field.value()]));
  const open = () => fields.find((field) => field.value() === null);
  const result = () => ({
    answers: answers(),
    ...(quality ? { quality: quality.value() } : {}),
    ...(audio ? { plays } : {}),
  });
  return {
    answer: () => (begun && (!open() || unknown.checked) && (!quality || quality.value() !== null) ? result() : null),
    state: () => ({ ...result(), begun, unknown: unknown.checked }),
    clean: (saved) => ({
      answers: saved.answers,
      ...(quality ? { quality: saved.quality } : {}),
      ...(audio ? { plays: saved.plays ?? plays } : {}),
    }),
    missing: () =>
      !begun
        ? audio
          ? say("questions.listen_first")
          : say("questions.read_first")
        : open() && !unknown.checked
          ? say("questions.missing")
          : say("questions.missing_quality"),
    firstOpen: () =>
      !begun
        ? stage.querySelector("button")
        : open() && !unknown.checked
          ? open().first
          : (quality?.first ?? fields[0]?.first),
    shortcuts: [
      { keys: ["p"], text: audio ? say("questions.play") : say("questions.to_questions"), run: () => source.play() },
    ],
    destroy: () => {
      source.stop();
      root.replaceChildren();
    },
  };
}

/** To be read: what was heard or read, and the answers to its questions. */
export function tell({ shown, ask, languages, say, campaign, media = "media" }) {
  const heading = withLanguage(
    ask.medium === "audio" ? say("questions.recording") : say("questions.text"),
    languages.target,
  );
  const reply = (value) => ({ yes: say("questions.yes"), no: say("questions.no") })[value] ?? value ?? "–";
  const said = (question, answers) => [
    el("dt", { dir: "auto" }, question.text),
    el(
      "dd",
      { dir: "auto" },
      question.type === "yes-no" ? reply(answers[question.question]) : answers[question.question] || "–",
    ),
  ];
  return {
    texts: [
      ask.medium === "audio"
        ? el(
            "div",
            { class: "cell output" },
            el("h3", {}, heading),
            el("audio", {
              src: recording(campaign, media, shown),
              controls: true,
              preload: "none",
              "aria-label": heading,
            }),
          )
        : cell("output", heading, shown.text, languages.target, say),
    ],
    said: (answer) => [
      el(
        "dl",
        {},
        shown.questions.flatMap((question) => said(question, answer.answers)),
      ),
      ask.quality ? gradeTold(answer.quality, ask.quality, "questions.quality", say) : null,
    ],
  };
}
