// What pages need beyond htmx. Every page works without it.

// Focus goes where the server says: the element marked `data-focus` in what came in.
document.addEventListener("htmx:afterSettle", (event) => {
  const target = event.detail.elt.querySelector?.("[data-focus]");
  target?.focus();
});

// A control marked `data-submit` sends its form when it changes.
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
});
