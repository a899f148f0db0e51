// The event stream of the server, read with fetch rather than EventSource: that way the
// heartbeat comments are heard too, which tells a quiet session from a dead connection,
// and a refusal shows its status.

const longestSilence = 17_500; // the server sends a heartbeat each 15 s
const patience = 3_000; // a stream that comes back within this time was never gone
const pauses = [1, 2, 4, 8, 15]; // seconds between tries

// `onEvent(name, data)` for each event. `onConnection(state)` whenever it changes:
// { isCutOff, since: Date | null, status: HTTP status of the last refusal | null }.
// Returns { close }.
export function openStream(address, { onEvent, onConnection }) {
  let lastHeard = Date.now();
  let lostAt = null;
  let status = null;
  let tries = 0;
  let isClosed = false;
  let reported = null;
  let request = null;
  let wake = () => {};

  function report() {
    const now = Date.now();
    const isLate = now - lostAt > patience || now - lastHeard > longestSilence;
    const isCutOff = lostAt !== null && (status !== null || isLate);
    const state = JSON.stringify([isCutOff, status]);
    if (state === reported || isClosed) return;
    reported = state;
    onConnection({ isCutOff, since: isCutOff ? new Date(lastHeard) : null, status });
  }

  function deliver(block) {
    let name = "message";
    const data = [];
    for (const line of block.split("\n")) {
      if (line.startsWith("event:")) name = line.slice(6).trim();
      else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
    }
    if (data.length === 0) return;
    try {
      onEvent(name, JSON.parse(data.join("\n")));
    } catch (error) {
      reportError(error); // a mistake in the page is no reason to give up the stream
    }
  }

  async function read() {
    request = new AbortController();
    lastHeard = lostAt === null ? Date.now() : lastHeard;
    const startedAt = Date.now();
    const watch = setInterval(() => {
      if (Date.now() - Math.max(lastHeard, startedAt) > longestSilence) request.abort();
    }, 1000);
    try {
      const response = await fetch(address, { signal: request.signal, cache: "no-store" });
      if (!response.ok) {
        status = response.status;
        await response.body?.cancel();
        return;
      }
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done || isClosed) return;
        lastHeard = Date.now();
        lostAt = null;
        status = null;
        tries = 0;
        report();
        const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) if (!isClosed) deliver(block);
      }
    } catch {
      status = null; // no answer at all, or silence
    } finally {
      clearInterval(watch);
    }
  }

  async function run() {
    while (!isClosed) {
      await read();
      if (isClosed) return;
      lostAt ??= Date.now();
      report();
      const pause = pauses[Math.min(tries, pauses.length - 1)] * 1000;
      tries += 1;
      await new Promise((resolve) => {
        wake = resolve;
        setTimeout(resolve, pause);
      });
    }
  }

  const clock = setInterval(report, 1000);
  const wakeUp = () => document.hidden || wake();
  addEventListener("online", wakeUp);
  document.addEventListener("visibilitychange", wakeUp);
  run();

  return {
    close() {
      isClosed = true;
      clearInterval(clock);
      removeEventListener("online", wakeUp);
      document.removeEventListener("visibilitychange", wakeUp);
      request?.abort();
      wake();
    },
  };
}
