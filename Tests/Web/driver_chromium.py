"""The driver for Chromium: chromedriver by selenium, sizes and colour schemes by the DevTools protocol."""

import os
import shutil
import signal
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains

# Longer than any page takes on a busy machine, and short enough to end a hung browser.
PATIENCE = 30


class Chromium:
    name = "chromium"

    def __init__(self, folder):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        options.accept_insecure_certs = True
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        arguments = ["--headless=new", f"--user-data-dir={folder}", "--no-first-run", "--disable-dev-shm-usage",
                     "--disable-background-networking", "--disable-component-update", "--disable-gpu", "--lang=en",
                     # No proxy from the environment.
                     "--no-proxy-server"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        for argument in arguments:
            options.add_argument(argument)
        # A process group of its own, so that chromedriver's children always end with it.
        self.service = Service(shutil.which("chromedriver"), popen_kw={"start_new_session": True})
        try:
            self.browser = webdriver.Chrome(options=options, service=self.service)
            self.browser.set_page_load_timeout(PATIENCE)
            self.browser.set_script_timeout(PATIENCE)
            self.tab = self.browser.current_window_handle
        except BaseException:
            self.close()
            raise
        self.version = self.browser.capabilities["browserVersion"]

    def open(self, url):
        self.browser.get(url)

    def address(self):
        return self.browser.current_url

    def evaluate(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def evaluate_later(self, script, *arguments):
        """A script that answers by calling its last argument."""
        return self.browser.execute_async_script(script, *arguments)

    def click(self, script, *arguments):
        """A real click, by the pointer, on the element that the script returns."""
        element = self.browser.execute_script(script, *arguments)
        if element is None:
            return False
        element.click()
        return True

    def keys(self, text):
        ActionChains(self.browser, duration=0).send_keys(text).perform()

    def show(self, width, height, scheme):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def screenshot(self, path):
        self.browser.save_screenshot(str(path))

    def errors(self):
        """Errors on the console since the last call."""
        return [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]

    def away(self, seconds):
        """Shows another tab for this long."""
        self.browser.switch_to.new_window("tab")
        time.sleep(seconds)
        self.browser.close()
        self.browser.switch_to.window(self.tab)

    def freeze(self, seconds):
        """Suspends the page for this long, as in a pocket. Returns false if the browser cannot do so."""
        self.browser.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "frozen"})
        time.sleep(seconds)
        self.browser.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})
        return True

    def forget(self):
        """Removes all cookies, as in a new browser."""
        self.browser.execute_cdp_cmd("Network.clearBrowserCookies", {})

    def close(self):
        try:
            if hasattr(self, "browser"):
                self.browser.quit()
        except Exception:  # It may be gone already; its group is ended below.
            pass
        process = getattr(self.service, "process", None)
        if process is not None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
