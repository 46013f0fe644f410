# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Debian's Firefox, driven by WebDriver BiDi: objects of JSON over a WebSocket, which this reads and writes itself.

Functions run in a sandbox of the driver's own, because the page forbids strings as code.
"""

import base64
import itertools
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import time
from typing import Any

from chromium import DEADLINE, DriverError


class WebSocket:
    """The client's side of RFC 6455, as far as it is needed here: texts, whole or in parts."""

    def __init__(self, port: int, path: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), DEADLINE)
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self._file = self._socket.makefile("rb")
        if b" 101 " not in self._file.readline():
            raise DriverError("Firefox refused the WebSocket")
        while self._file.readline() != b"\r\n":
            pass

    def send(self, text: str) -> None:
        """Sends a text, masked as clients must."""
        data, mask = text.encode(), os.urandom(4)
        # Each length in the shortest form, or Firefox closes the connection.
        if len(data) < 126:
            size = struct.pack("!BB", 0x81, 0x80 | len(data))
        elif len(data) < 1 << 16:
            size = struct.pack("!BBH", 0x81, 0xFE, len(data))
        else:
            size = struct.pack("!BBQ", 0x81, 0xFF, len(data))
        self._socket.sendall(size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self) -> str:
        """The next text."""
        whole = b""
        while True:
            head = self._file.read(2)
            if len(head) < 2:
                raise DriverError("Firefox closed the WebSocket")
            first, second = head
            length = second & 0x7F
            if length >= 126:
                length = int.from_bytes(self._file.read(2 if length == 126 else 8), "big")
            data = self._file.read(length)
            if first & 0xF == 8:
                raise DriverError("Firefox closed the WebSocket")
            if first & 0xF < 3:
                whole += data
                if first & 0x80:
                    return whole.decode()

    def close(self) -> None:
        """Closes the connection."""
        self._file.close()
        self._socket.close()


class Firefox:
    """A browser with one tab."""

    def __init__(self, folder: pathlib.Path) -> None:
        program = shutil.which("firefox-esr") or shutil.which("firefox")
        if program is None:
            raise DriverError("firefox-esr is missing: make web-deps")
        profile = folder / "firefox"
        profile.mkdir()
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in {
            "intl.accept_languages": "pl, en", "browser.shell.checkDefaultBrowser": False, "app.update.enabled": False,
            "datareporting.policy.dataSubmissionEnabled": False, "network.captive-portal-service.enabled": False,
            "browser.startup.page": 0, "browser.aboutwelcome.enabled": False,
        }.items()))
        self._log = folder / "firefox.log"
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0", "about:blank"],
                stdout=log, stderr=log, env={**os.environ, "HOME": str(folder), "MOZ_HEADLESS": "1", "MOZ_CRASHREPORTER_DISABLE": "1"})
        end = time.monotonic() + 2 * DEADLINE
        while not (found := re.search(r"BiDi listening on ws://127\.0\.0\.1:(\d+)", self._log.read_text(errors="replace"))):
            if time.monotonic() > end or self._process.poll() is not None:
                self.close()
                raise DriverError("Firefox did not start:\n" + self._log.read_text(errors="replace")[-2000:])
            time.sleep(0.05)
        self._ids = itertools.count(1)
        self._connection: WebSocket | None = WebSocket(int(found.group(1)), "/session")
        self.send("session.new", capabilities={})
        self.problems: list[str] = []
        self.send("session.subscribe", events=["log.entryAdded"])
        self._tab = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def close(self) -> None:
        """Ends the browser."""
        if getattr(self, "_connection", None) is not None:
            self._connection.close()  # type: ignore[union-attr]
        self._process.kill()
        self._process.wait()

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Sends a command and waits for its answer."""
        assert self._connection is not None
        number = next(self._ids)
        self._connection.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._connection.receive())
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.problems.append(str(message["params"]["text"]))
            if message.get("id") == number:
                if message["type"] == "error":
                    raise DriverError(f"{method}: {message['error']}: {message['message']}")
                result: dict[str, Any] = message["result"]
                return result

    def goto(self, address: str) -> None:
        """Goes to an address."""
        self.send("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def resize(self, width: int, height: int) -> None:
        """Gives the window a size, in CSS pixels."""
        self.send("browsingContext.setViewport", context=self._tab, viewport={"width": width, "height": height})

    def call(self, function: str, *arguments: str) -> Any:
        """Calls a JavaScript function of texts, which gives a text."""
        answer = self.send(
            "script.callFunction", functionDeclaration=function, awaitPromise=True, target={"context": self._tab, "sandbox": "tests"},
            arguments=[{"type": "string", "value": value} for value in arguments])
        if answer["type"] != "success":
            raise DriverError(str(answer["exceptionDetails"]["text"]))
        return answer["result"].get("value")

    def see(self, text: str, selector: str = "body") -> None:
        """Waits until a text is shown in an element."""
        end = time.monotonic() + DEADLINE
        shown = "(s, t) => String([...document.querySelectorAll(s)].some(e => e.innerText.includes(t)))"
        while self.call(shown, selector, text) != "true":
            if time.monotonic() > end:
                raise DriverError(f"{text!r} was not shown in {selector}: {self.call('() => document.body.innerText')}")
            time.sleep(0.05)

    def screenshot(self, path: pathlib.Path) -> None:
        """Writes a picture of the page."""
        path.write_bytes(base64.b64decode(self.send("browsingContext.captureScreenshot", context=self._tab)["data"]))
