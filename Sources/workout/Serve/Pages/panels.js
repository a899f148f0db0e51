// The parts of the live page below and beside the heart rate: values, laps, sensors and so on.

import { byID, local, make, place, reconcile, setText, tr, trMessage } from "./dom.js";

export function showPanels(figures) {
  pairs(byID("values"), figures.values);
  showReplay(figures.replay);
  showAlpha(figures.alpha1);
  showLaps(figures.laps);
  showSensors(figures.sensors);
  showCompanions(figures.companions);
  showTexts("messages", "message-list", figures.messages.map(trMessage));
  showTexts("warnings", "warnings", figures.warnings.map(trMessage));
}

function pairs(list, values) {
  const create = () => make("div", "", make("dt"), make("dd"));
  reconcile(list, values, place, create, (node, value) => {
    setText(node.firstChild, tr(value.label));
    setText(node.lastChild, local(value.text));
  });
}

function showReplay(replay) {
  byID("replay").hidden = !replay;
  if (!replay) return;
  setText(byID("replay-text"), replay.speed === null ? tr("replay") : tr("replay at %1×", local(String(replay.speed))));
  const bar = byID("replay-bar");
  if (replay.fraction === null) bar.removeAttribute("value");
  else bar.value = replay.fraction;
}

const alphaStandings = { waiting: tr("waiting for enough beats"), tooManyArtefacts: tr("too many artefacts") };

function showAlpha(alpha) {
  byID("alpha").hidden = !alpha;
  if (!alpha) return;
  const reason = alphaStandings[alpha.standing];
  setText(byID("alpha-text"), reason ?? local(alpha.text));
  byID("alpha-text").classList.toggle("soft", reason !== undefined);
  pairs(byID("alpha-values"), [
    { label: "artefacts", text: alpha.artefacts },
    { label: "First threshold (estimated)", text: alpha.firstThreshold },
    { label: "Second threshold (estimated)", text: alpha.secondThreshold },
  ].filter((value) => value.text !== null));
}

function showLaps(laps) {
  byID("no-laps").hidden = laps.length > 0;
  byID("laps").hidden = laps.length === 0;
  const create = () => make("tr", "", make("td"), make("td"));
  reconcile(byID("lap-rows"), [...laps].reverse(), (lap) => lap.number, create, (row, lap) => {
    setText(row.firstChild, lap.number);
    setText(row.lastChild, lap.time);
  });
}

const presences = { present: "connected", away: "away", gone: "gone" };

function showSensors(sensors) {
  byID("no-sensors").hidden = sensors.length > 0;
  const create = () => make("li", "", make("span"), make("span", "presence"), make("span", "soft"));
  reconcile(byID("sensors"), sensors, place, create, (item, sensor) => {
    const [name, presence, battery] = item.children;
    setText(name, sensor.name);
    presence.dataset.presence = sensor.presence;
    setText(presence, tr(presences[sensor.presence] ?? ""));
    setText(battery, sensor.batteryPercent === null ? "" : tr("battery %1 %", sensor.batteryPercent));
  });
}

function showCompanions(companions) {
  byID("companions").hidden = companions.length === 0;
  const create = () => make("li", "", make("span"), make("span", "presence"));
  reconcile(byID("companion-list"), companions, place, create, (item, companion) => {
    setText(item.firstChild, companion.name);
    item.lastChild.dataset.presence = companion.isConnected ? "present" : "away";
    setText(item.lastChild, tr(companion.isConnected ? "connected" : "not connected"));
  });
}

function showTexts(section, list, texts) {
  byID(section).hidden = texts.length === 0;
  reconcile(byID(list), texts, place, () => make("li"), setText);
}
