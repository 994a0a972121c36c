// Some minutes before the session ends a dialog says so and offers to stay. Nothing on
// the page is loaded anew, so what was typed is kept, even past the end.

const dialog = document.querySelector("#session");
const LONGEST_WARNING = 300; // seconds
const tabs = new BroadcastChannel("session");
let end = 0;
let timer;

if (dialog) {
  extended();
  tabs.addEventListener("message", (event) => {
    adopt(event.data);
    restart();
  });
  document.addEventListener("htmx:configRequest", (event) => {
    if (isUnattended(event.detail)) event.detail.headers["X-Unattended"] = "1";
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!isUnattended(event.detail.requestConfig)) extended();
  });
  document.addEventListener("visibilitychange", look);
  dialog.querySelector("[data-stay]").addEventListener("click", stay);
}

// What a page asks by itself was set off by no event, or by a part that came into view.
function isUnattended(request) {
  return !request.triggeringEvent || request.triggeringEvent.type === "revealed";
}

// The answer to what a person does begins the session's time anew, in all tabs.
function extended() {
  tabs.postMessage(token());
  restart();
}

function restart() {
  end = Date.now() + seconds() * 1000;
  dialog.close();
  look();
}

function seconds() {
  return Number(dialog.dataset.seconds);
}

// A timer does not run while the machine sleeps: what counts is the clock.
function look() {
  clearTimeout(timer);
  const left = end - Date.now();
  const warning = Math.min(LONGEST_WARNING, seconds() / 2) * 1000;
  if (left <= 0) show("ended");
  else if (left <= warning) show("ending");
  if (left > 0) timer = setTimeout(look, left > warning ? left - warning : left);
}

function show(state) {
  for (const part of dialog.querySelectorAll("[data-state]")) {
    part.hidden = part.dataset.state !== state;
  }
  const time = new Date(end).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  dialog.querySelector("[data-end]").textContent = time;
  if (!dialog.open) dialog.showModal();
}

async function stay() {
  const headers = { "X-CSRFToken": token() };
  const answer = await fetch(dialog.dataset.address, { method: "POST", headers, redirect: "manual" });
  if (answer.ok) extended();
  else show("ended");
}

function token() {
  return JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
}

// Whoever signs in again gets another token: forms that stand here send it from now on.
function adopt(value) {
  document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": value }));
  for (const field of document.querySelectorAll('[name="csrfmiddlewaretoken"]')) field.value = value;
}
