// Pages that show what others answered: what was asked, and each answer in words, as the screen of the protocol tells
// it.

import { pageWords } from "./words.js";

const say = pageWords();
const { screen, ...asked } = JSON.parse(document.getElementById("asked").textContent); // campaign, ask, languages
const { tell } = await import(`./screens/${encodeURIComponent(screen)}.js`);

for (const item of document.querySelectorAll("[data-shown]")) {
  const answers = [...item.querySelectorAll("[data-answer]")];
  const { texts, said } = tell({
    ...asked,
    shown: JSON.parse(item.dataset.shown),
    places: JSON.parse(item.dataset.places),
    say,
    answered: answers.length > 0,
  });
  item.querySelector(".shown").replaceChildren(...texts);
  for (const place of answers) place.replaceChildren(...said(JSON.parse(place.dataset.answer)).filter(Boolean));
}
document.documentElement.dataset.told = ""; // tests wait for it
