// The buttons that ask the session for something. They need the key: without it the form
// comes up in the page, and then what was asked is done.

import { byID, setText, tr } from "./dom.js";
import { errorText, setUpKeyForm } from "./keyform.js";

const bounce = 400; // a double press is not an answer to "really?"
const timeToConfirm = 10_000;

export class Controls {
  // `targetsOf`: the sessions that a button is for; without it, the one session that is shown.
  constructor(targetsOf = () => [this.sessionID]) {
    this.targetsOf = targetsOf;
    this.sessionID = null;
    this.wanted = null;
    this.isSending = false;
    this.armedAt = null;
    this.buttons = [...byID("controls").querySelectorAll("button")];
    for (const button of this.buttons) {
      button.addEventListener("click", () => this.press(button.value));
    }
    this.end = this.buttons.find((button) => button.value === "end");
    this.endText = this.end.textContent;
    this.end.addEventListener("blur", () => this.disarm());
    this.end.addEventListener("keydown", (event) => event.key === "Escape" && this.disarm());

    this.dialog = byID("key-dialog");
    this.dialog.addEventListener("close", () => this.dialog.returnValue === "shown" || (this.wanted = null));
    byID("key-cancel").addEventListener("click", () => this.dialog.close("cancelled"));
    setUpKeyForm(byID("key-form"), () => {
      this.dialog.close("shown");
      this.ask(this.wanted);
    });
  }

  // Shows what makes sense now; a button that goes away hands its focus on.
  update(sessionID, names) {
    if (sessionID !== this.sessionID) this.reset(sessionID);
    byID("controls").hidden = names.length === 0;
    const focused = this.buttons.find((button) => button === document.activeElement);
    for (const button of this.buttons) button.hidden = !names.includes(button.value);
    if (focused?.hidden) this.buttons.find((button) => !button.hidden)?.focus();
    if (this.end.hidden) this.disarm();
    if (names.length === 0) setText(byID("control-error"), "");
  }

  reset(sessionID) {
    this.sessionID = sessionID;
    this.wanted = null;
    this.disarm();
    if (this.dialog.open) this.dialog.close("cancelled");
    setText(byID("control-error"), "");
  }

  press(name) {
    if (name !== "end") return this.ask(name);
    if (this.armedAt === null) return this.arm();
    if (performance.now() - this.armedAt < bounce) return;
    this.disarm();
    this.ask("end");
  }

  arm() {
    this.armedAt = performance.now();
    setText(this.end, tr("End? Press again"));
    this.end.classList.add("armed");
    setText(byID("announcement"), tr("Press again to end it"));
    this.timer = setTimeout(() => this.disarm(), timeToConfirm);
  }

  disarm() {
    clearTimeout(this.timer);
    this.armedAt = null;
    this.end.classList.remove("armed");
    setText(this.end, this.endText);
  }

  async ask(name) {
    if (this.isSending || !name) return;
    this.isSending = true;
    this.wanted = name;
    const sessionID = this.sessionID;
    const fail = (text) => sessionID === this.sessionID && setText(byID("control-error"), text);
    fail("");
    try {
      for (const id of this.targetsOf(name)) {
        const response = await fetch(`/api/sessions/${encodeURIComponent(id)}/${name}`, { method: "POST" });
        if (response.status === 401) return this.dialog.showModal();
        if (!response.ok) fail(await errorText(response));
      }
    } catch {
      fail(tr("The server cannot be reached."));
    } finally {
      this.isSending = false;
    }
  }
}
