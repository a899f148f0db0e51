// What a screen reader is told, politely: changes that matter, never each heart beat.

import { setText, tr, trMessage } from "./dom.js";
import { zoneText } from "./zonebar.js";

const rest = 5000; // a heart rate on the edge of two zones shall not chatter

export class Summaries {
  constructor(node) {
    this.node = node;
    this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    this.last = null;
    this.saidZone = null;
  }

  take(figures) {
    const { last } = this;
    this.last = figures;
    const zone = zoneText(figures);
    if (last === null) {
      this.saidZone = zone;
      return;
    }
    const news = [];
    if (figures.phaseName !== last.phaseName) news.push(tr(figures.phaseName));
    if (figures.isOutOfReach && !last.isOutOfReach) news.push(tr("out of reach"));
    if (figures.laps.length > last.laps.length) {
      const lap = figures.laps.at(-1);
      news.push(`${tr("Lap")} ${lap.number}: ${lap.time}`);
    }
    news.push(...figures.warnings.filter((warning) => !last.warnings.includes(warning)).map(trMessage));
    if (news.length > 0) setText(this.node, news.join(", "));
    if (zone !== zoneText(last)) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.sayZone(zone), rest);
    }
  }

  sayZone(zone) {
    if (zone === this.saidZone) return;
    this.saidZone = zone;
    setText(this.node, zone ? `${zone}, ${this.last.heartRate ?? tr("no heart rate")}` : tr("no heart rate"));
  }
}
