// What the managers' pages do beyond their forms: copy links, and keep progress and ranking fresh.

const EVERY = 15_000; // ms

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
  });
}

/** Put the parts marked as live in place of the old ones; where somebody is just reading by keyboard, later. */
async function refresh() {
  const parts = [...document.querySelectorAll("[data-live]")];
  if (document.hidden || parts.some((part) => part.contains(document.activeElement))) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelectorAll("[data-live]");
  parts.forEach((part, place) => {
    if (fresh[place] && fresh[place].innerHTML !== part.innerHTML) part.replaceWith(document.adoptNode(fresh[place]));
  });
}

if (document.querySelector("[data-live]")) {
  setInterval(() => refresh().catch(() => {}), EVERY); // without a connection the page stays as it is
}
