// All sessions, a tile each: a class on a wall.

import { showConnection } from "./connection.js";
import { Controls } from "./controls.js";
import { activityName, byID, make, reconcile, setAttribute, setText, tr } from "./dom.js";
import { openStream } from "./stream.js";
import { makeZoneBar, updateZoneBar, zoneText } from "./zonebar.js";

const ratio = 1.5; // how wide a tile looks best, to its height
const smallest = { width: 140, height: 90 }; // below this the board scrolls

const tiles = byID("tiles");
let sessions = []; // in the order of the tiles
let arrived = []; // in the order in which they came
let isByZone = new URLSearchParams(location.search).get("sort") === "zone";
let indices = new Map(); // the places of the tiles by session
const figuresOf = new Map();
const everybody = ["start", "pause", "resume", "lap", "end"];
const canDo = (session, name) => figuresOf.get(session.id)?.controls.includes(name) ?? false;
const controls = new Controls((name) => arrived.filter((session) => canDo(session, name)).map((session) => session.id));

// The number of columns that makes tiles the largest, and the size of their letters.
function arrange() {
  const count = sessions.length;
  if (count === 0) return;
  const width = tiles.clientWidth;
  const height = innerHeight - tiles.getBoundingClientRect().top - scrollY;
  let best = { size: 0, columns: 1 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const size = Math.min(width / columns / ratio, height / rows);
    if (size > best.size) best = { size, columns, rows, height: height / rows };
  }
  if (best.height < smallest.height || width / best.columns < smallest.width) {
    best.columns = Math.max(1, Math.floor(width / smallest.width));
    best.height = Math.max(smallest.height, height / Math.ceil(count / best.columns));
    best.size = Math.min(width / best.columns / ratio, best.height);
  }
  tiles.style.setProperty("--columns", best.columns);
  tiles.style.setProperty("--row", `${Math.floor(best.height)}px`);
  tiles.style.setProperty("--unit", `${(best.size * 0.94) / 100}px`);
}

// The hardest first, then those who have lost contact, then those who are done. Within a zone nobody moves.
function rank(session) {
  const figures = figuresOf.get(session.id);
  if (session.isOver || figures?.isOver) return 1000;
  if (!figures || figures.heartRate === null || figures.isOutOfReach || hasLostContact(figures)) return 500;
  return 100 - (figures.zone ?? 0);
}

function hasLostContact(figures) {
  return figures.sensors.length > 0 && figures.sensors.every((sensor) => sensor.presence !== "present");
}

const ranks = new Map();

function sort() {
  for (const session of arrived) ranks.set(session.id, rank(session));
  sessions = isByZone ? arrived.toSorted((one, other) => ranks.get(one.id) - ranks.get(other.id)) : arrived;
  indices = new Map(sessions.map((session, index) => [session.id, index]));
}

// Of a thousand sessions some change their zone at any time: they move together, once a frame.
let isSorting = false;
function sortSoon() {
  if (isSorting) return;
  isSorting = true;
  requestAnimationFrame(() => {
    isSorting = false;
    sort();
    show();
  });
}

function makeTile(session) {
  const bar = makeZoneBar();
  bar.setAttribute("aria-hidden", "true"); // the words below say the same
  const link = make("a", "tile",
    make("span", "who"), " ", make("span", "big"), " ", bar, make("span", "foot", make("b"), " ", make("span")));
  link.href = `/sessions/${encodeURIComponent(session.id)}`;
  return make("li", "", link);
}

// The zone's colour says what is now: a tile whose figures are old has none.
function showTile(item, session) {
  const figures = figuresOf.get(session.id);
  const tile = item.firstChild;
  const [who, rate, bar, foot] = tile.children;
  const isOver = session.isOver || (figures?.isOver ?? false);
  const isOutOfReach = !isOver && (figures?.isOutOfReach ?? false);
  const heartRate = isOver ? null : figures?.heartRate ?? null;
  setText(who, session.athlete ?? activityName(session.name));
  setText(rate, heartRate ?? "—");
  if (figures) updateZoneBar(bar, { ...figures, heartRate: isOutOfReach ? null : heartRate });
  bar.hidden ||= !figures || isOver;
  const isLost = !isOver && !isOutOfReach && figures !== undefined && hasLostContact(figures);
  setText(foot.firstChild, isOver ? tr("over") : isOutOfReach ? tr("out of reach") : isLost ? tr("no contact") : rateText(figures));
  // In a pause the time stands still: that it does is what matters.
  const showsTime = isOver || isOutOfReach || figures?.phase === "running";
  setText(foot.lastChild, showsTime ? figures?.time : figures && tr(figures.phaseName));
  setAttribute(tile, "data-zone", isOutOfReach || heartRate === null ? null : figures.zone);
  tile.classList.toggle("over", isOver);
  tile.classList.toggle("out-of-reach", isOutOfReach);
  tile.classList.toggle("lost", isLost);
}

function rateText(figures) {
  if (!figures) return "";
  return figures.heartRate === null ? tr("no heart rate") : zoneText(figures) || "bpm";
}

function show() {
  const running = sessions.filter((session) => !session.isOver).length;
  byID("empty").hidden = sessions.length > 0;
  setText(byID("count"), sessions.length === 0 ? "" : running === 1 ? tr("1 active session") : tr("%1 active sessions", running));
  reconcile(tiles, sessions, (session) => session.id, makeTile, showTile);
  byID("order").hidden = sessions.length < 2;
  setAttribute(byID("order"), "aria-pressed", isByZone);
}

// Buttons for all are of use if there are several.
function showControls() {
  const several = arrived.filter((session) => everybody.some((name) => canDo(session, name))).length > 1;
  controls.update("all", several ? everybody.filter((name) => arrived.some((session) => canDo(session, name))) : []);
}

byID("order").addEventListener("click", () => {
  isByZone = !isByZone;
  const place = new URL(location.href);
  if (isByZone) place.searchParams.set("sort", "zone");
  else place.searchParams.delete("sort");
  history.replaceState(null, "", place);
  sort();
  show();
});

openStream("/api/live", {
  onEvent(name, data) {
    if (name === "sessions") {
      arrived = data.sessions;
      const known = new Set(arrived.map((session) => session.id));
      for (const id of figuresOf.keys()) if (!known.has(id)) figuresOf.delete(id);
      sort();
      show();
      showControls();
      arrange();
    } else if (name === "figures") {
      const before = figuresOf.get(data.session);
      figuresOf.set(data.session, data);
      setText(byID("time-of-day"), data.timeOfDay);
      if (before?.controls.join() !== data.controls.join()) showControls();
      const index = indices.get(data.session);
      if (index === undefined) return;
      showTile(tiles.children[index], sessions[index]);
      if (isByZone && rank(sessions[index]) !== ranks.get(data.session)) sortSoon();
    }
  },
  onConnection: showConnection,
});

// A notice or a second line in the header takes room from the tiles.
const above = new ResizeObserver(arrange);
above.observe(document.querySelector("header"));
above.observe(byID("connection"));
addEventListener("resize", arrange);
