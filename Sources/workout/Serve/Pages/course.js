// The heart rate over a session, in even slots of time.

export class Course {
  constructor() {
    this.clear();
  }

  clear() {
    this.slot = 1;
    this.heartRates = [];
  }

  // Everything from index `from` on is replaced.
  take({ slotInSeconds, from, heartRates }) {
    this.slot = slotInSeconds;
    this.heartRates.length = Math.min(from, this.heartRates.length);
    while (this.heartRates.length < from) this.heartRates.push(null);
    for (const value of heartRates) this.heartRates.push(value);
  }

  get seconds() {
    return this.heartRates.length * this.slot;
  }

  // Lowest and highest of a span of time, or null.
  range(start, end) {
    let low = Infinity;
    let high = -Infinity;
    const [first, last] = [Math.max(0, Math.floor(start / this.slot)), Math.ceil(end / this.slot)];
    for (const value of this.heartRates.slice(first, last)) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return low <= high ? { low, high } : null;
  }

  // At most `count` columns for the time from `start` to `end`: each with the values it
  // begins and ends with and its extremes, so that no peak is lost; null where nothing was measured.
  columns(start, end, count) {
    const first = Math.max(0, Math.floor(start / this.slot));
    const last = Math.min(this.heartRates.length, Math.ceil(end / this.slot));
    const perColumn = Math.max(1, Math.ceil((last - first) / Math.max(1, count)));
    const columns = [];
    // Columns begin at multiples of their width, so that they do not flicker as time goes on.
    for (let from = first - (first % perColumn); from < last; from += perColumn) {
      const begin = Math.max(from, first);
      const values = this.heartRates.slice(begin, Math.min(from + perColumn, last)).filter((value) => value !== null);
      const time = (begin + Math.min(perColumn, last - begin) / 2) * this.slot;
      columns.push(values.length === 0 ? { time, isEmpty: true } : {
        time, isEmpty: false, open: values[0], close: values.at(-1),
        low: Math.min(...values), high: Math.max(...values),
      });
    }
    return columns;
  }
}
