// The heart rate over time on a canvas: zone bands behind, each piece of the line in its zone's colour.

import { tr } from "./dom.js";

const steps = [10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800];

function timeText(seconds) {
  const minutes = Math.floor(seconds / 60);
  const two = (number) => String(number).padStart(2, "0");
  if (minutes >= 60) return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

export class Chart {
  // `isBare`: the line alone, as for an overlay.
  constructor(canvas, course, { isBare = false } = {}) {
    Object.assign(this, { canvas, course, isBare, zones: [], lastSeconds: null, isAsked: false });
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  // Draws with the next frame, once, however often it is asked.
  draw() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.paint();
    });
  }

  paint() {
    const { canvas, course, isBare } = this;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0 || height === 0) return;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);

    const style = getComputedStyle(canvas);
    const size = Number.parseFloat(style.fontSize);
    context.font = `${size}px ${style.fontFamily}`;
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();

    const end = Math.max(course.seconds, this.lastSeconds ?? 60);
    const start = this.lastSeconds === null ? 0 : end - this.lastSeconds;
    const range = course.range(start, end);
    const plot = isBare ? { left: 2, top: 4, right: width - 2, bottom: height - 4 }
      : { left: size * 2.4, top: size * 0.7, right: width - size * 1.6, bottom: height - size * 1.6 };
    const low = Math.floor(((range?.low ?? 65) - 4) / 10) * 10;
    const high = Math.max(low + 30, Math.ceil(((range?.high ?? 165) + 4) / 10) * 10);
    const x = (time) => plot.left + ((time - start) / (end - start)) * (plot.right - plot.left);
    const y = (value) => plot.bottom - ((value - low) / (high - low)) * (plot.bottom - plot.top);
    const frame = { context, plot, start, end, low, high, x, y, size, colour };

    const bands = this.bands(low, high);
    if (!isBare) {
      this.paintBands(frame, bands);
      this.paintAxes(frame);
    }
    if (range) this.paintLine(frame, bands);
    else if (!isBare) this.paintNothing(frame);
  }

  // What of each zone is in sight, and what is below the first.
  bands(low, high) {
    const below = { number: 0, from: -Infinity, below: this.zones[0]?.from ?? Infinity };
    return [below, ...this.zones]
      .map((zone) => ({ number: zone.number, from: Math.max(zone.from, low), below: Math.min(zone.below ?? Infinity, high) }))
      .filter((band) => band.from < band.below);
  }

  paintBands({ context, plot, y, size, colour }, bands) {
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (const { number, from, below } of bands) {
      if (number === 0) continue;
      context.globalAlpha = 0.18;
      context.fillStyle = colour(`z${number}`);
      context.fillRect(plot.left, y(below), plot.right - plot.left, y(from) - y(below));
      context.globalAlpha = 1;
      context.fillStyle = colour("soft");
      if (y(from) - y(below) > size) context.fillText(`Z${number}`, plot.right + size * 0.25, (y(from) + y(below)) / 2);
    }
  }

  paintAxes({ context, plot, start, end, low, high, x, y, size, colour }) {
    context.fillStyle = colour("soft");
    context.strokeStyle = colour("rule");
    context.lineWidth = Math.max(1, size / 16);
    context.textAlign = "right";
    context.textBaseline = "middle";
    const rows = Math.max(2, Math.floor((plot.bottom - plot.top) / (size * 2)));
    const stepUp = [10, 20, 50].find((step) => (high - low) / step <= rows) ?? 100;
    for (let value = Math.ceil(low / stepUp) * stepUp; value <= high; value += stepUp) {
      line(context, plot.left, y(value), plot.right, y(value));
      context.fillText(value, plot.left - size * 0.4, y(value));
    }
    context.textAlign = "center";
    context.textBaseline = "top";
    const room = Math.max(2, Math.floor((plot.right - plot.left) / (size * 4.5)));
    const step = steps.find((step) => (end - start) / step <= room) ?? steps.at(-1);
    for (let time = Math.ceil(start / step) * step; time <= end; time += step) {
      line(context, x(time), plot.bottom, x(time), plot.bottom + size * 0.3);
      context.fillText(timeText(time), x(time), plot.bottom + size * 0.45);
    }
  }

  paintNothing({ context, plot, size, colour }) {
    context.font = context.font.replace(/[\d.]+px/, `${size * 1.2}px`);
    context.fillStyle = colour("ink");
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(tr("no heart rate yet"), (plot.left + plot.right) / 2, (plot.top + plot.bottom) / 2);
  }

  // The same path for each zone, seen through that zone's band.
  paintLine({ context, plot, start, end, x, y, size, colour }, bands) {
    const path = new Path2D();
    let isDrawing = false;
    for (const column of this.course.columns(start, end, Math.floor(plot.right - plot.left))) {
      if (column.isEmpty) {
        isDrawing = false;
        continue;
      }
      const at = x(column.time);
      if (isDrawing) path.lineTo(at, y(column.open));
      else path.moveTo(at - 0.5, y(column.open));
      path.lineTo(at, y(column.high));
      path.lineTo(at, y(column.low));
      path.lineTo(at, y(column.close));
      isDrawing = true;
    }
    context.lineJoin = "round";
    context.lineCap = "round";
    const width = Math.max(2, size / 6);
    if (this.isBare) {
      context.strokeStyle = colour("outline");
      context.lineWidth = width * 2.2;
      context.stroke(path);
    }
    for (const { number, from, below } of bands) {
      context.save();
      context.beginPath();
      context.rect(plot.left - width, y(below), plot.right - plot.left + 2 * width, y(from) - y(below));
      context.clip();
      context.strokeStyle = number === 0 ? colour(this.zones.length > 0 ? "other" : "heart") : colour(`z${number}`);
      context.lineWidth = width;
      context.stroke(path);
      context.restore();
    }
  }
}

function line(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
