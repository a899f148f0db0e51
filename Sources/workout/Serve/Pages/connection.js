// Says when the page is cut off from the server, and dims what it shows.

import { byID, make, setText, tr } from "./dom.js";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });

export function showConnection({ isCutOff, since, status, isGone }) {
  document.body.classList.toggle("cut-off", isCutOff);
  const notice = byID("connection");
  if (!isCutOff) {
    notice.replaceChildren();
  } else if (status === 401) {
    // The server answers this page's own address with the form, and the form comes back here.
    const link = make("a", "", tr("Enter the key"));
    link.href = location.href;
    notice.replaceChildren(`${tr("This browser does not have the key.")} `, link);
  } else if (isGone) {
    const link = make("a", "", tr("Go to the latest session"));
    link.href = "/";
    notice.replaceChildren(`${tr("Session not found.")} `, link);
  } else {
    setText(notice, tr("not connected — since %1, trying again", clock.format(since)));
  }
}
