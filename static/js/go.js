// Ctrl+K, or the link in the navigation, asks over the page where to go.

const dialog = document.querySelector("#go");

if (dialog) {
  const field = dialog.querySelector("input");
  document.addEventListener("keydown", (event) => {
    const isAsked = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    if (isAsked && !event.shiftKey && !event.altKey) ask(event, field);
  });
  document.querySelector("[data-ask]").addEventListener("click", (event) => ask(event, field));
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") move(1, event);
    else if (event.key === "ArrowUp") move(-1, event);
  });
}

function ask(event, field) {
  event.preventDefault();
  if (document.querySelector("dialog[open]")) return;
  dialog.showModal();
  field.select();
  field.dispatchEvent(new Event("open"));
}

// Between the field and the links under it.
function move(step, event) {
  const places = [...dialog.querySelectorAll("input, li a")];
  const next = places.indexOf(document.activeElement) + step;
  event.preventDefault();
  places[Math.min(places.length - 1, Math.max(0, next))].focus();
}
