// A bar of heart rate zones with a mark where one stands.

import { make, reconcile, setAttribute, setText, tr } from "./dom.js";

// How far along the bar a heart rate is, from 0 to 1. All zones are equally wide, and so is
// what is below the first; the last one, which has no end, is taken as wide as the one before.
export function position(heartRate, zones) {
  const first = zones[0];
  const width = 1 / (zones.length + 1);
  if (heartRate < first.from) {
    const bottom = first.from - span(zones, 0);
    return Math.max(0, (heartRate - bottom) / (first.from - bottom)) * width;
  }
  const index = zones.findLastIndex((zone) => heartRate >= zone.from);
  const part = (heartRate - zones[index].from) / span(zones, index);
  return (index + 1 + Math.min(part, 0.97)) * width;
}

function span(zones, index) {
  const zone = zones[index];
  if (zone.below !== null) return zone.below - zone.from;
  return index > 0 ? zone.from - zones[index - 1].from : 20;
}

export function makeZoneBar() {
  const bar = make("div", "zone-bar", make("div", "zone-parts"), make("div", "zone-mark"));
  bar.setAttribute("role", "img");
  return bar;
}

export function updateZoneBar(bar, figures) {
  const { heartRate, zone, zones } = figures;
  bar.hidden = zones.length === 0;
  if (bar.hidden) return;
  const [parts, mark] = bar.children;
  const all = [{ number: 0, from: null }, ...zones];
  reconcile(parts, all, (part) => part.number, () => make("span", "", make("b"), make("i")), (node, part) => {
    setAttribute(node, "data-zone", part.number);
    node.classList.toggle("current", heartRate !== null && part.number === (zone ?? 0));
    setText(node.firstChild, part.number || "");
    // Heart rates are shown in whole beats: the first one that is in the zone.
    setText(node.lastChild, part.from === null ? null : Math.ceil(part.from));
  });
  mark.hidden = heartRate === null;
  if (heartRate !== null) mark.style.left = `${position(heartRate, zones) * 100}%`;
  setAttribute(bar, "aria-label", zoneText(figures) || tr("heart rate zones"));
}

// The zone in words: colour alone says nothing to many.
export function zoneText({ heartRate, zone, zones }) {
  if (heartRate === null || zones.length === 0) return "";
  return zone === null ? tr("below zone %1", zones[0].number) : tr("zone %1", zone);
}
