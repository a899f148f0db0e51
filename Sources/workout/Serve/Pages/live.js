// The live page of one session.

import { Chart } from "./chart.js";
import { showConnection } from "./connection.js";
import { Controls } from "./controls.js";
import { Course } from "./course.js";
import { activityName, byID, make, reconcile, setAttribute, setText, tr } from "./dom.js";
import { follow } from "./follow.js";
import { showPanels } from "./panels.js";
import { Summaries } from "./summaries.js";
import { makeZoneBar, updateZoneBar, zoneText } from "./zonebar.js";

const fixedID = location.pathname.split("/")[2] || null;
const course = new Course();
const chart = new Chart(byID("course"), course);
const controls = new Controls();
const summaries = new Summaries(byID("announcement"));
const zoneBar = makeZoneBar();
byID("zone-bar").append(zoneBar);
byID("latest").hidden = !fixedID;

const standings = { within: tr("✓ within"), below: tr("▼ below"), above: tr("▲ above") };

function showFigures(figures) {
  byID("empty").hidden = true;
  byID("session").hidden = false;
  const { heartRate, zone, zones } = figures;
  const name = activityName(figures.name);
  setText(byID("name"), name);
  setText(byID("athlete"), [figures.athlete, figures.isMirrored ? tr("mirrored") : null].filter(Boolean).join(" · "));
  setText(byID("time-of-day"), figures.timeOfDay);
  byID("phase").hidden = false;
  byID("phase").dataset.phase = figures.phase;
  setText(byID("phase"), tr(figures.phaseName));
  document.title = `${name} — ${tr(figures.phaseName)}`;

  byID("state").hidden = !figures.isOutOfReach;
  setText(byID("state"), figures.isOutOfReach ? tr("Out of reach; showing the last values.") : "");
  byID("session").classList.toggle("stale", figures.isOutOfReach || figures.isOver);
  byID("session").classList.toggle("out-of-reach", figures.isOutOfReach);

  setAttribute(byID("heart"), "data-zone", heartRate === null ? null : zone);
  setText(byID("heart-rate"), heartRate ?? "—");
  setText(byID("zone"), heartRate === null ? tr("no heart rate") : zoneText(figures));
  updateZoneBar(zoneBar, figures);
  setText(byID("average"), whole(figures.averageHeartRate));
  setText(byID("maximum"), whole(figures.maximumHeartRate));
  byID("target").hidden = !figures.target;
  if (figures.target) {
    const { text, standing } = figures.target;
    setText(byID("target-text"), `${text} ${standings[standing] ?? standing}`);
  }

  setText(byID("time"), figures.time);
  setText(byID("lap-title"), `${tr("Lap")} ${figures.lap.number}`);
  setText(byID("lap"), figures.lap.time);
  showPanels(figures);
  controls.update(figures.session, figures.controls);
  showOver(figures);

  chart.zones = zones;
  chart.draw();
  summaries.take(figures);
}

const whole = (number) => (number === null ? "—" : Math.round(number));

// The report is there once the workout is stored, which may be a moment after its end.
let askedFor = null;
async function showOver({ session, isOver }) {
  byID("over").hidden = !isOver;
  if (!isOver || askedFor === session) return;
  askedFor = session;
  const address = `/workouts/${encodeURIComponent(session)}`;
  for (const pause of [0, 3, 10]) {
    await new Promise((resolve) => setTimeout(resolve, pause * 1000));
    if (askedFor !== session) return;
    const response = await fetch(address).catch(() => null);
    await response?.body?.cancel();
    if (!response?.ok) continue;
    byID("report").href = address;
    setText(byID("report"), tr("Report"));
    return;
  }
}

function showSessions(sessions, currentID) {
  byID("empty").hidden = sessions.length > 0 || fixedID !== null;
  byID("sessions").hidden = sessions.length < 2;
  setText(byID("sessions-title"), tr("Sessions: %1", sessions.length));
  const create = (session) => {
    const link = make("a", "", make("span"), " ", make("span", "soft"));
    link.href = `/sessions/${encodeURIComponent(session.id)}`;
    return make("li", "", link);
  };
  reconcile(byID("session-list"), sessions, (session) => session.id, create, (item, session) => {
    const [name, phase] = item.firstChild.children;
    setText(name, session.athlete ? `${session.athlete} · ${activityName(session.name)}` : activityName(session.name));
    setText(phase, session.isOver ? tr("over") : session.phase === "paused" ? tr("paused") : "");
    setAttribute(item.firstChild, "aria-current", session.id === currentID ? "page" : null);
  });
}

byID("span").addEventListener("click", (event) => {
  const isShort = chart.lastSeconds === null;
  chart.lastSeconds = isShort ? 600 : null;
  event.currentTarget.setAttribute("aria-pressed", isShort);
  chart.draw();
});

follow(fixedID, {
  onSession(id) {
    askedFor = null;
    byID("session").hidden = true;
    byID("report").href = "/history";
    setText(byID("report"), tr("History"));
    for (const link of byID("session-list").querySelectorAll("a")) {
      setAttribute(link, "aria-current", id && link.pathname === `/sessions/${encodeURIComponent(id)}` ? "page" : null);
    }
    if (!id) {
      setText(byID("name"), tr("Workout"));
      setText(byID("athlete"), "");
      byID("phase").hidden = true;
      document.title = tr("Workout");
    }
    course.clear();
    summaries.clear();
    chart.draw();
  },
  onSessions: showSessions,
  onFigures: showFigures,
  onCourse(part) {
    course.take(part);
    chart.draw();
  },
  onConnection: showConnection,
});
