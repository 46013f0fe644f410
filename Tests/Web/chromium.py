# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Debian's Chromium, driven by its debugging pipe: objects of JSON that end with NUL, on descriptors 3 and 4.

The page forbids strings as code. So functions are called in a world of the driver's own, and the page that is tested is
the one that people get.
"""

import base64
import itertools
import json
import os
import pathlib
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Callable
from typing import Any

DEADLINE = 30.0
KEYS = {
    "Enter": 13, "Tab": 9, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39,
    "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34, "Backspace": 8, "Delete": 46, " ": 32,
}


class DriverError(Exception):
    """The browser refused a command, or what was waited for did not come."""


class Chromium:
    """A browser. Each page has a context of its own: storage, cookies and cache."""

    def __init__(self, folder: pathlib.Path, arguments: tuple[str, ...] = ()) -> None:
        program = shutil.which("chromium")
        if program is None:
            raise DriverError("chromium is missing: make web-deps")
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()

        def arrange() -> None:
            os.dup2(to_browser, 13)
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self._log = open(folder / "chromium.log", "wb")
        self.process = subprocess.Popen(
            [
                program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={folder}/profile",
                "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
                "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--mute-audio",
                "--password-store=basic", *arguments,
            ],
            preexec_fn=arrange, close_fds=False, stdout=self._log, stderr=self._log,
            env={**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_CACHE_HOME": str(folder)})
        os.close(to_browser)
        os.close(from_browser)
        self._ids = itertools.count(1)
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._listeners: dict[str, Callable[[dict[str, Any]], None]] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def close(self) -> None:
        """Ends the browser."""
        try:
            self.send("Browser.close")
            self.process.wait(10)
        except (DriverError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self._log.close()

    def send(self, method: str, session: str | None = None, /, deadline: float = DEADLINE, **params: Any) -> dict[str, Any]:
        """Sends a command and waits for its answer."""
        number = next(self._ids)
        answer: queue.Queue[dict[str, Any]] = queue.Queue()
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        with self._lock:
            self._answers[number] = answer
            data = json.dumps(message).encode() + b"\0"
            while data:
                data = data[os.write(self._out, data):]
        try:
            found = answer.get(timeout=deadline)
        except queue.Empty:
            raise DriverError(f"no answer to {method} within {deadline} s") from None
        if "error" in found:
            raise DriverError(f"{method}: {found['error'].get('message')} {found['error'].get('data', '')}")
        result: dict[str, Any] = found["result"]
        return result

    def listen(self, session: str, listener: Callable[[dict[str, Any]], None]) -> None:
        """Calls `listener` with each event of a session, on the reader's thread."""
        self._listeners[session] = listener

    def _read(self) -> None:
        rest = b""
        while True:
            try:
                data = os.read(self._in, 1 << 20)
            except OSError:
                data = b""
            if not data:
                for answer in list(self._answers.values()):
                    answer.put({"error": {"message": "the browser is gone"}})
                return
            *messages, rest = (rest + data).split(b"\0")
            for text in messages:
                message = json.loads(text)
                if "id" in message:
                    answer_queue = self._answers.pop(message["id"], None)
                    if answer_queue is not None:
                        answer_queue.put(message)
                elif (listener := self._listeners.get(message.get("sessionId", ""))) is not None:
                    listener(message)

    def page(self, **options: Any) -> "Page":
        """A new page; see `Page` for the options."""
        return Page(self, **options)


class Page:
    """A tab in a context of its own."""

    def __init__(
        self, browser: Chromium, language: str = "en", width: int = 1280, height: int = 800, dark: bool = False,
        zone: str = "Europe/Warsaw", context: str | None = None,
    ) -> None:
        self.browser = browser
        self.context = context or browser.send("Target.createBrowserContext")["browserContextId"]
        target = browser.send("Target.createTarget", url="about:blank", browserContextId=self.context)
        self.target = target["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.problems: list[str] = []
        self._world: int | None = None
        self._isClosed = False
        browser.listen(self.session, self._event)
        for domain in ("Page", "Runtime", "DOM", "Network", "Accessibility", "Log", "Performance"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setFocusEmulationEnabled", enabled=True)
        self.arrange(language, width, height, dark, zone)
        self.frame = self.send("Page.getFrameTree")["frameTree"]["frame"]["id"]

    def arrange(
        self, language: str = "en", width: int = 1280, height: int = 800, dark: bool = False, zone: str = "Europe/Warsaw",
    ) -> None:
        """Makes the browser that of a person: for the documents that come."""
        self.send("Emulation.setTimezoneOverride", timezoneId=zone)
        self.send("Emulation.setUserAgentOverride", userAgent="claimsd tests", acceptLanguage=language)
        self.resize(width, height)
        self.media(dark=dark)

    def send(self, method: str, /, deadline: float = DEADLINE, **params: Any) -> dict[str, Any]:
        """Sends a command to this page."""
        return self.browser.send(method, self.session, deadline=deadline, **params)

    def close(self) -> None:
        """Closes the tab, if it is not closed."""
        if not self._isClosed:
            self._isClosed = True
            self.browser.send("Target.closeTarget", targetId=self.target)

    def _event(self, message: dict[str, Any]) -> None:
        params = message.get("params", {})
        match message["method"]:
            case "Runtime.executionContextsCleared":
                self._world = None
            case "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                self.problems.append(details.get("exception", {}).get("description") or details["text"])
            case "Log.entryAdded" if params["entry"]["level"] == "error" and params["entry"]["source"] == "security":
                self.problems.append(params["entry"]["text"])
            case "Page.javascriptDialogOpening":
                threading.Thread(target=self.send, args=("Page.handleJavaScriptDialog",), kwargs={"accept": True}).start()

    # The page as a person sees it.

    def resize(self, width: int, height: int, scale: float = 1) -> None:
        """Gives the window a size, in CSS pixels."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def media(self, dark: bool = False, kind: str = "", **features: str) -> None:
        """Sets what the page asks by media queries: `forced_colors="active"`, `prefers_reduced_motion="reduce"`."""
        wanted = {"prefers-color-scheme": "dark" if dark else "light"}
        wanted |= {name.replace("_", "-"): value for name, value in features.items()}
        self.send("Emulation.setEmulatedMedia", media=kind, features=[{"name": n, "value": v} for n, v in wanted.items()])

    def goto(self, address: str) -> None:
        """Goes to an address."""
        self.send("Page.navigate", url=address)

    def reload(self) -> None:
        """Loads the document anew, and waits until the old one is gone."""
        self.call("function() { document.documentElement.dataset.old = 'yes'; }")
        self.send("Page.reload")
        self.until("() => document.documentElement && !document.documentElement.dataset.old")

    def screenshot(self, path: pathlib.Path, whole: bool = True) -> None:
        """Writes a picture of the page."""
        data = self.send("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))

    # Functions in the driver's own world.

    def call(self, function: str, *arguments: Any, deadline: float = DEADLINE) -> Any:
        """Calls a JavaScript function in the driver's world, and waits for what it promises."""
        end = time.monotonic() + deadline
        while True:
            try:
                world = self._world
                if world is None:
                    made = self.send("Page.createIsolatedWorld", frameId=self.frame, worldName="tests")
                    world = self._world = made["executionContextId"]
                answer = self.send(
                    "Runtime.callFunctionOn", deadline=max(1.0, end - time.monotonic()), functionDeclaration=function,
                    executionContextId=world, arguments=[{"value": value} for value in arguments], returnByValue=True,
                    awaitPromise=True)
                break
            except DriverError as problem:
                # The document was left in the meantime: ask the next one.
                gone = ("context", "navigated", "destroyed", "Promise was collected", "No frame")
                if not any(word in str(problem) for word in gone) or time.monotonic() > end:
                    raise
                self._world = None
                time.sleep(0.02)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise DriverError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def until(self, condition: str, *arguments: Any, deadline: float = DEADLINE) -> Any:
        """Waits until a function gives a true value, looked at after each change of the document."""
        function = """async function(deadline, ...values) {
            const condition = (%s);
            const end = performance.now() + deadline;
            for (;;) {
                const found = condition(...values);
                if (found) return found;
                const left = end - performance.now();
                if (left <= 0) return null;
                await new Promise(resolve => {
                    const observer = new MutationObserver(done);
                    const timer = setTimeout(done, Math.min(left, 250));
                    function done() { observer.disconnect(); clearTimeout(timer); resolve(); }
                    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
                });
            }
        }""" % condition
        end = time.monotonic() + deadline
        found = self.call(function, deadline * 1000, *arguments, deadline=deadline + 5)
        while not found and time.monotonic() < end:
            found = self.call(function, (end - time.monotonic()) * 1000, *arguments, deadline=deadline + 5)
        if not found:
            raise DriverError(f"did not come within {deadline} s: {condition} {arguments}\n{self.text('body')[:3000]}")
        return found

    def text(self, selector: str) -> str:
        """The text of the first element that matches, as it is shown; empty for none."""
        found: str = self.call("function(s) { return document.querySelector(s)?.innerText ?? ''; }", selector)
        return found

    def texts(self, selector: str) -> list[str]:
        """The texts of all elements that match."""
        found: list[str] = self.call(
            "function(s) { return [...document.querySelectorAll(s)].map(e => e.innerText); }", selector)
        return found

    def see(self, text: str, selector: str = "body", deadline: float = DEADLINE) -> None:
        """Waits until a text is shown in an element."""
        self.until(
            "(s, t) => [...document.querySelectorAll(s)].some(e => e.innerText.replaceAll('\\u00a0', ' ').includes(t))",
            selector, text, deadline=deadline)

    def gone(self, text: str, selector: str = "body") -> None:
        """Waits until a text is not shown in any element that matches."""
        self.until("(s, t) => ![...document.querySelectorAll(s)].some(e => e.innerText.includes(t))", selector, text)

    def count(self, selector: str) -> int:
        """The number of elements that match."""
        found: int = self.call("function(s) { return document.querySelectorAll(s).length; }", selector)
        return found

    def wait_for(self, selector: str) -> None:
        """Waits for an element that is shown."""
        self.until("s => [...document.querySelectorAll(s)].some(e => e.checkVisibility())", selector)

    def click(self, selector: str, text: str = "") -> None:
        """Clicks with the mouse on the first element that matches and has the text, once it is there."""
        point = self.until("""(s, t) => {
            const element = [...document.querySelectorAll(s)].find(
                e => e.checkVisibility() && !e.disabled && e.innerText.includes(t));
            if (!element) return null;
            element.scrollIntoView({ block: 'center', behavior: 'instant' });
            const { x, y, width, height } = element.getBoundingClientRect();
            return width && { x: x + width / 2, y: y + height / 2 };
        }""", selector, text)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=point["x"], y=point["y"], button="left", clickCount=1)

    def focus(self, selector: str) -> None:
        """Gives an element the focus, once it is there."""
        self.wait_for(selector)
        self.call("function(s) { document.querySelector(s).focus(); }", selector)

    def choose(self, selector: str, value: str) -> None:
        """Chooses a value of a select, as its own list does."""
        self.wait_for(selector)
        self.call("""function(s, v) {
            const select = document.querySelector(s);
            select.value = v;
            if (select.value !== v) throw new Error(`no choice ${v}`);
            for (const kind of ['input', 'change']) select.dispatchEvent(new Event(kind, { bubbles: true }));
        }""", selector, value)

    def choose_files(self, selector: str, *paths: pathlib.Path) -> None:
        """Chooses files, as the browser's own dialog does."""
        self.until("s => document.querySelector(s) !== null", selector)
        root = self.send("DOM.getDocument")["root"]["nodeId"]
        node = self.send("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.send("DOM.setFileInputFiles", nodeId=node, files=[str(path) for path in paths])

    def fill(self, selector: str, text: str) -> None:
        """Puts a text into a field, in the place of what is there."""
        self.focus(selector)
        self.call("function(s) { document.querySelector(s).select?.(); }", selector)
        self.send("Input.insertText", text=text)

    def type(self, text: str) -> None:
        """Types a text, key by key."""
        for character in text:
            self.press(character)

    def press(self, key: str, modifiers: int = 0) -> None:
        """Presses a key: a character, or a name such as `Enter` (modifiers: 1 Alt, 2 Control, 8 Shift)."""
        values: dict[str, Any] = {"key": key, "modifiers": modifiers}
        if key in KEYS:
            values |= {"code": key, "windowsVirtualKeyCode": KEYS[key]}
            if key in ("Enter", " "):
                values["text"] = "\r" if key == "Enter" else " "
        else:
            values["text"] = key
        self.send("Input.dispatchKeyEvent", type="keyDown", **values)
        self.send("Input.dispatchKeyEvent", type="keyUp", **{k: v for k, v in values.items() if k != "text"})

    def focused(self) -> str:
        """The text or name of the element that has the focus."""
        found: str = self.call(
            "function() { const e = document.activeElement; return e.innerText || e.getAttribute('aria-label') || e.tagName; }")
        return found

    def tree(self) -> list[tuple[str, str]]:
        """The accessibility tree in its order: roles and names, as a screen reader gets them."""
        nodes = {node["nodeId"]: node for node in self.send("Accessibility.getFullAXTree")["nodes"]}
        found = []
        waiting = [next(number for number, node in nodes.items() if "parentId" not in node)]
        while waiting:
            node = nodes[waiting.pop()]
            waiting += [number for number in reversed(node.get("childIds", [])) if number in nodes]
            if not node.get("ignored") and "role" in node:
                found.append((node["role"]["value"], node.get("name", {}).get("value", "")))
        return found
