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

// A part that looks again by itself waits while somebody writes or chooses in it.
document.addEventListener("htmx:beforeRequest", (event) => {
  const part = event.detail.elt;
  if (!part.getAttribute("hx-trigger")?.startsWith("every ")) return;
  const controls = [...part.querySelectorAll("textarea, input, select")];
  if (controls.some(isTouched)) event.preventDefault();
});

function isTouched(control) {
  if (control.matches("select")) {
    const options = [...control.options];
    const first = options.findIndex((option) => option.defaultSelected);
    return control.selectedIndex !== Math.max(first, 0);
  }
  return control.value !== control.defaultValue || control.checked !== control.defaultChecked;
}
