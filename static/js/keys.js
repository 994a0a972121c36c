// Single keys, on every page. What a key does is written at the element that it presses
// (`data-key`), so the sheet and the hints cannot go stale.

const region = document.querySelector("[data-keys]");
const sheet = document.querySelector("#keys");
const isOn = document.documentElement.dataset.keys !== "off";
const ACTS = {
  "?": () => sheet.showModal(),
  "/": () => searchField()?.focus(),
  j: () => move(1),
  k: () => move(-1),
  o: () => current()?.click(),
  x: () => current()?.closest("tr")?.querySelector('input[type="checkbox"]')?.click(),
};

if (region && sheet && isOn) start();

function start() {
  let awaitsPage = false;
  showHints();
  document.addEventListener("keydown", (event) => {
    if (isForOthers(event)) return;
    const key = event.key;
    const wanted = awaitsPage ? document.querySelector(`[data-go="${CSS.escape(key)}"]`) : find(key);
    const wasAwaited = awaitsPage;
    awaitsPage = !wasAwaited && key === "g";
    if (wanted) press(wanted, event);
    else if (!wasAwaited && Object.hasOwn(ACTS, key)) {
      event.preventDefault();
      ACTS[key]();
    }
  });
}

// Modified keys, fields, open dialogs and input methods keep their keys.
function isForOthers(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return true;
  if (event.isComposing || event.key === "Process") return true;
  if (document.querySelector("dialog[open]")) return true;
  const target = event.target;
  if (target.matches("select, textarea, [contenteditable]")) return true;
  if (target.matches("input") && target.type !== "checkbox") return true;
  return target !== document.body && !region.contains(target);
}

function find(key) {
  return region.querySelector(`[data-key="${CSS.escape(key)}"]`);
}

function press(element, event) {
  event.preventDefault();
  if (element.matches("select, input, textarea, summary")) element.focus();
  if (!element.matches("select, input, textarea")) element.click();
}

function searchField() {
  const fields = '.filters :is(input:not([type="hidden"]), select)';
  return region.querySelector("[data-search]") ?? region.querySelector(fields);
}

function items() {
  return [...region.querySelectorAll("[data-item]")];
}

// The item with focus: the link itself, or that of the row where the focus is.
function current() {
  const at = document.activeElement;
  return at.closest("tr")?.querySelector("[data-item]") ?? null;
}

function move(step) {
  const all = items();
  const at = all.indexOf(current());
  const next = at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + step));
  all[next]?.focus();
}

function showHints() {
  const rows = sheet.querySelector("dl");
  for (const element of region.querySelectorAll("[data-key]")) {
    const key = element.dataset.key;
    element.setAttribute("aria-keyshortcuts", key);
    const name = element.dataset.keyName ?? (element.labels?.[0] ?? element).textContent.trim();
    rows.append(cell("dt", key, true), cell("dd", name, false));
    if (element.matches("button, .button")) element.append(hint(key));
  }
  const has = {
    search: searchField(),
    items: items().length,
    picks: region.querySelector(".pick"),
  };
  for (const line of sheet.querySelectorAll("[data-for]")) line.hidden = !has[line.dataset.for];
  for (const button of document.querySelectorAll("[data-sheet]")) {
    button.hidden = false;
    button.addEventListener("click", () => sheet.showModal());
  }
}

function cell(tag, text, isKey) {
  const made = document.createElement(tag);
  const inside = isKey ? document.createElement("kbd") : made;
  inside.textContent = text;
  if (isKey) made.append(inside);
  return made;
}

function hint(key) {
  const made = document.createElement("kbd");
  made.textContent = key;
  made.setAttribute("aria-hidden", "true");
  return made;
}
