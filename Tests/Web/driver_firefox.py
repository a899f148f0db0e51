"""The driver for Firefox. Debian has no geckodriver, so this uses the same protocols: Marionette, and
WebDriver BiDi for what Marionette lacks: viewports narrower than a window, and the console."""

import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import websocket
from marionette_driver.marionette import ActionSequence, Marionette

PATIENCE = 30
PREFERENCES = {
    "marionette.port": 0, "browser.shell.checkDefaultBrowser": False, "app.update.disabledForTesting": True,
    "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.reportingpolicy.firstRun": False,
    "browser.startup.page": 0, "browser.newtabpage.enabled": False, "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "app.normandy.enabled": False, "browser.safebrowsing.provider.mozilla.updateURL": "",
    "browser.safebrowsing.update.enabled": False, "services.settings.server": "data:,",
    # No proxy from the environment.
    "network.proxy.type": 0,
}


class Firefox:
    name = "firefox"

    def __init__(self, folder):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (folder / "user.js").write_text("\n".join(lines) + "\n")
        self.log = open(folder / "log", "w")
        # Colour schemes are set by a preference, which Firefox must be allowed to change.
        self.process = subprocess.Popen(
            [shutil.which("firefox-esr") or "firefox", "--headless", "--marionette", "--remote-debugging-port", "0",
             "--remote-allow-system-access", "--no-remote", "--profile", str(folder)],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            self.marionette = Marionette("127.0.0.1", port=self.port(folder), socket_timeout=2 * PATIENCE)
            told = self.marionette.start_session({"acceptInsecureCerts": True, "webSocketUrl": True})
            self.marionette.timeout.page_load = PATIENCE
            self.marionette.timeout.script = PATIENCE
            self.version = told["browserVersion"]
            self.bidi = websocket.create_connection(told["webSocketUrl"], timeout=PATIENCE, suppress_origin=True)
            self.count, self.said = 0, []
            self.tab = self.marionette.current_window_handle
            self.call("session.subscribe", events=["log.entryAdded"])
        except BaseException:
            self.close()
            raise

    def port(self, folder):
        until = time.monotonic() + 2 * PATIENCE
        path = folder / "MarionetteActivePort"
        while time.monotonic() < until and self.process.poll() is None:
            if path.exists() and path.read_text().strip():
                return int(path.read_text())
            time.sleep(0.1)
        raise RuntimeError(f"Firefox does not come up; see {self.log.name}")

    def call(self, method, **parameters):
        self.count += 1
        self.bidi.settimeout(PATIENCE)
        self.bidi.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.bidi.recv())
            if message.get("id") == self.count:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                return message["result"]
            self.said.append(message)

    def open(self, url):
        self.marionette.navigate(url)

    def address(self):
        return self.marionette.get_url()

    def evaluate(self, script, *arguments):
        # One sandbox for all scripts, as in geckodriver, so that they share their state.
        return self.marionette.execute_script(script, script_args=arguments, new_sandbox=False)

    def evaluate_later(self, script, *arguments):
        return self.marionette.execute_async_script(script, script_args=arguments, new_sandbox=False)

    def click(self, script, *arguments):
        element = self.evaluate(script, *arguments)
        if element is None:
            return False
        element.click()
        return True

    def keys(self, text):
        ActionSequence(self.marionette, "key", "keyboard").send_keys(text).perform()

    def show(self, width, height, scheme):
        self.call("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})
        with self.marionette.using_context("chrome"):
            self.marionette.execute_script(
                "Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', arguments[0])",
                script_args=[0 if scheme == "dark" else 1], sandbox="system")

    def screenshot(self, path):
        data = self.call("browsingContext.captureScreenshot", context=self.tab)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def errors(self):
        # An answer arrives after all earlier messages.
        self.call("session.status")
        found = [m["params"] for m in self.said if m.get("method") == "log.entryAdded"]
        self.said = []
        found = [str(e.get("text")) for e in found if e.get("level") == "error"]
        # Only Firefox's own console reports policy violations.
        with self.marionette.using_context("chrome"):
            return found + self.marionette.execute_script("""
                const found = Services.console.getMessageArray().filter(m => m instanceof Ci.nsIScriptError)
                    .filter(m => m.category.startsWith("CSP") || m.category.startsWith("Mixed"))
                    .map(m => m.errorMessage);
                Services.console.reset();
                return found;""", sandbox="system")

    def away(self, seconds):
        """Shows another tab for this long."""
        other = self.marionette.open(type="tab", focus=True)["handle"]
        self.marionette.switch_to_window(other)
        time.sleep(seconds)
        self.marionette.close()
        self.marionette.switch_to_window(self.tab)

    def freeze(self, _):
        return False

    def forget(self):
        with self.marionette.using_context("chrome"):
            self.marionette.execute_script("Services.cookies.removeAll()", sandbox="system")

    def close(self):
        for end in ("bidi", "marionette"):
            try:
                if end == "bidi":
                    self.bidi.close()
                else:
                    self.marionette.delete_session()
            except Exception:  # It may be gone already; its group is ended below.
                pass
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(10)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.log.close()
