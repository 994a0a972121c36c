// A slider for lengths of time, by their logarithm: an hour at one end, ten years at
// the other. The number beside it and its unit are what is sent; the slider follows.

const HOURS = { hours: 1, days: 24, years: 24 * 365 };
const LONGEST = 3650 * 24;
const number = document.querySelector("[data-number]");
const unit = document.querySelector("[data-unit]");
const box = document.querySelector("[data-slider]");
const slider = box?.querySelector("input");

if (number && unit && slider) {
  box.hidden = false;
  follow();
  slider.addEventListener("input", lead);
  number.addEventListener("input", follow);
  unit.addEventListener("change", follow);
}

// From the slider to the number, in the unit that reads best.
function lead() {
  const hours = LONGEST ** (Number(slider.value) / Number(slider.max));
  if (hours < HOURS.days * 2) unit.value = "hours";
  else if (hours < HOURS.years * 2) unit.value = "days";
  else unit.value = "years";
  number.value = Number((hours / HOURS[unit.value]).toPrecision(2));
  describe();
}

// From the number to the slider.
function follow() {
  const hours = Number(number.value) * HOURS[unit.value];
  if (!(hours >= 1)) return;
  slider.value = Math.round((Math.log(hours) / Math.log(LONGEST)) * Number(slider.max));
  describe();
}

function describe() {
  slider.setAttribute("aria-valuetext", `${number.value} ${unit.selectedOptions[0].text}`);
}
