// Which session a page shows: one for good, or the latest, going on to the next when it is over.

import { openStream } from "./stream.js";

// The latest that is not over, else the latest. A session that runs is not left for a newer one.
export function pick(sessions, currentID) {
  const current = sessions.find((session) => session.id === currentID);
  if (current && !current.isOver) return current.id;
  return (sessions.findLast((session) => !session.isOver) ?? current ?? sessions.at(-1))?.id ?? null;
}

// `page` has onSession(id | null), onSessions(list), onFigures, onCourse and onConnection(state).
// state.isGone says that the server knows no such session.
export function follow(fixedID, page) {
  let currentID = null;
  let stream = null;

  function show(id) {
    stream?.close();
    currentID = id;
    page.onSession(id);
    const address = id ? `/api/sessions/${encodeURIComponent(id)}/live` : "/api/live";
    stream = openStream(address, { onEvent, onConnection });
  }

  function onEvent(name, data) {
    if (name === "sessions") {
      page.onSessions(data.sessions, currentID);
      const wanted = fixedID ?? pick(data.sessions, currentID);
      if (wanted !== currentID) show(wanted);
    } else if (name === "figures" && data.session === currentID) {
      page.onFigures(data);
    } else if (name === "course" && data.session === currentID) {
      page.onCourse(data);
    }
  }

  function onConnection(state) {
    const isGone = state.status === 404;
    // A server that was started anew has other sessions.
    if (isGone && !fixedID && currentID) show(null);
    else page.onConnection({ ...state, isGone });
  }

  show(fixedID);
}
