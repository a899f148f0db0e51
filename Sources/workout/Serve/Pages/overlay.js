// The figures over a picture, as in OBS; what is shown and how is said in the address.

import { Chart } from "./chart.js";
import { Course } from "./course.js";
import { byID, local, make, place, reconcile, setAttribute, setText, tr } from "./dom.js";
import { follow } from "./follow.js";
import { zoneText } from "./zonebar.js";

const asked = new URLSearchParams(location.search);
const oneOf = (name, choices) => (choices.includes(asked.get(name)) ? asked.get(name) : choices[0]);
const shown = (asked.get("show") ?? "heartRate,zone,time").split(",").map((name) => name.trim());
const hidesWhenCutOff = oneOf("cutoff", ["dim", "hide"]) === "hide";

const root = document.documentElement;
root.dataset.theme = oneOf("theme", ["dark", "light", "contrast"]);
root.dataset.align = oneOf("align", ["left", "center", "right"]);
const scale = Number(asked.get("scale"));
if (scale > 0) root.style.setProperty("--scale", Math.min(scale, 20));

const choices = {
  time: (figures) => [{ label: "time", text: figures.time }],
  lap: (figures) => [{ label: `${tr("lap")} ${figures.lap.number}`, text: figures.lap.time }],
  values: (figures) => figures.values,
};

const overlay = byID("overlay");
const course = new Course();
const parts = shown.map(makePart).filter(Boolean);
overlay.append(...parts.map((part) => part.node));

// Each part: its node, and what it does with new figures.
function makePart(name) {
  if (name === "heartRate") {
    const rate = make("span", "big");
    const node = make("p", "heart-rate", rate, " ", make("span", "label", "bpm"));
    return { node, take: ({ heartRate }) => setText(rate, heartRate ?? "—") };
  }
  if (name === "zone") {
    const node = make("p", "zone");
    return {
      node,
      take(figures) {
        setText(node, zoneText(figures));
        node.hidden = node.textContent === "";
      },
    };
  }
  if (name === "curve") {
    const node = make("canvas", "curve");
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", tr("Heart rate over the last ten minutes"));
    const chart = new Chart(node, course, { isBare: true });
    chart.lastSeconds = 600;
    return {
      node,
      take({ zones }) {
        chart.zones = zones;
        chart.draw();
      },
    };
  }
  const choose = choices[name] ?? ((figures) => figures.values.filter((value) => value.label === name));
  const node = make("div", "values");
  return {
    node,
    take(figures) {
      const values = choose(figures);
      node.hidden = values.length === 0;
      reconcile(node, values, place, () => make("p", "", make("span", "label"), " ", make("span", "value")), (item, value) => {
        setText(item.firstChild, tr(value.label));
        setText(item.lastChild, local(value.text));
      });
    },
  };
}

follow(asked.get("session") || null, {
  onSession() {
    course.clear();
    overlay.hidden = true;
  },
  onSessions() {},
  onFigures(figures) {
    overlay.hidden = false;
    setAttribute(overlay, "data-zone", figures.heartRate === null ? null : figures.zone);
    overlay.classList.toggle("stale", figures.isOutOfReach || figures.isOver);
    for (const part of parts) part.take(figures);
  },
  onCourse(part) {
    course.take(part);
  },
  onConnection({ isCutOff }) {
    overlay.classList.toggle("cut-off", isCutOff);
    overlay.classList.toggle("away", isCutOff && hidesWhenCutOff);
  },
});
