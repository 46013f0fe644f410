# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""The link to the daemon: who may ask, what ends it, and what of the page stays."""

import http.server
import json
import os
import pathlib
import shutil
import socket
import threading
import time
from typing import Any

import fixture
from chromium import Page
from fixture import WebTest, WritingTest
from stage import SOCKET

BAND = ".bands"


class LinkTests(WebTest):
    """A daemon behind a Cockpit that goes away, or is another one."""

    def test_a_lost_cockpit_is_told_and_the_list_stays(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        self.stage.stop("cockpit", 9)
        page.see("The connection to this host is lost since", BAND)
        self.assertEqual(page.count("tr.record"), 12)

    def test_a_cockpit_that_comes_back_is_taken_by_a_new_frame(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        self.stage.stop("cockpit", 9)
        page.see("The connection to this host is lost since", BAND)
        self.stage.cockpit_port -= 1
        self.stage.cockpit()
        page.gone("is lost", BAND)
        self.stage.ask("archive", collection="packs", ids=["6300000004938271609935"])
        self.addCleanup(self.stage.ask, "unarchive", collection="packs", ids=["6300000004938271609935"])
        page.see("Packs 17", "header")

    def test_another_version_offers_to_reload(self) -> None:
        folder = self.stage.folder / "installed/usr/share/cockpit/claims"
        described = json.loads((folder / "version.json").read_text())
        (folder / described["version"]).rename(folder / "0.0.1")
        (folder / "version.json").write_text(json.dumps({**described, "version": "0.0.1"}))
        # A bridge serves what was there when it began.
        self.close_tab()
        self.addCleanup(self.close_tab)
        try:
            page = self.open("#/units")
            page.see("12 records")
            page.see("claimsd was updated", BAND)
            page.see("Reload", BAND + " button")
        finally:
            (folder / "0.0.1").rename(folder / described["version"])
            (folder / "version.json").write_text(json.dumps(described))

    def test_an_upgrade_with_the_page_open_leaves_it_whole(self) -> None:
        folder = self.stage.folder / "installed/usr/share/cockpit/claims"
        described = json.loads((folder / "version.json").read_text())
        page = self.open("#/units")
        page.see("12 records")
        (folder / described["version"]).rename(folder / "9.9.9")
        try:
            page.click("header a", "Status")
            page.until("() => location.hash === '#/-/status'")
            page.click("header a", "Packs")
            page.see("18 records")
        finally:
            (folder / "9.9.9").rename(folder / described["version"])

    def test_logging_out_leaves_no_record_in_the_document(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        page.click("header button", "Log out")
        page.see("You are logged out.")
        self.assertNotIn("Pump", page.call("function() { return document.documentElement.outerHTML; }"))
        page.until("() => document.querySelectorAll('iframe').length === 0")
        self.close_tab()


class AddressTests(WritingTest):
    """The page by other ways than its own address over http."""

    def show(self, address: str) -> Page:
        """Opens an address in a tab of its own."""
        page = self.page = fixture.browser.page()
        self.addCleanup(self._finish, page)
        page.goto(address)
        return page

    def test_over_https_a_long_request_is_answered_at_once(self) -> None:
        address = self.stage.cockpit_over_https()
        self.addCleanup(self.stage.stop, "tls", 9)
        self.addCleanup(self.stage.stop, "cockpit", 9)
        page = self.show("about:blank")
        page.send("Security.setIgnoreCertificateErrors", ignore=True)
        page.goto(address + "#/documents?do=create")
        page.wait_for("#field-type")
        scan = self.stage.folder / "scan.pdf"
        scan.write_bytes(b"%PDF-1.7\n" + bytes(1500 << 10))
        begun = time.monotonic()
        page.choose_files("#files", scan)
        page.see("sent", ".items")
        self.assertLess(time.monotonic() - begun, 3.5, "Cockpit leaves the end of a message unread for 5 s")

    def test_as_the_shell_of_cockpit_it_stands_at_the_root(self) -> None:
        address = self.stage.cockpit("[WebService]\nShell = /claims/index.html\n")
        self.addCleanup(self.stage.stop, "cockpit", 9)
        root = address.split("/cockpit/")[0] + "/"
        page = self.show(root)
        page.see("5 records")
        page.click("header a", "Documents")
        page.until("root => location.href === `${root}#/documents`", root)
        page.click("tr.record a")
        page.until("root => location.href === `${root}#/documents/1`", root)
        page.reload()
        page.see("Where it comes from")

    def test_for_another_host_it_says_so_and_asks_nothing(self) -> None:
        folder = self.stage.folder / "elsewhere"
        shutil.copytree(self.stage.folder / "installed/usr/share/cockpit/claims", folder / "cockpit/@else.where/claims")
        asked: list[str] = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            """Serves the page as Cockpit does that of another host."""

            def __init__(self, *arguments: Any) -> None:
                super().__init__(*arguments, directory=str(folder))

            def log_message(self, *_: Any) -> None:
                asked.append(self.path)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        page = self.show(f"http://127.0.0.1:{server.server_port}/cockpit/@else.where/claims/index.html#/units")
        page.see("This page shows the host that you have logged in to, not else.where. Nothing was asked there.")
        self.assertEqual(page.count("iframe, header"), 0)
        self.assertEqual([path for path in asked if "link.html" in path], [])


class ConsoleTests(WebTest):
    """The page within Cockpit's console."""

    @classmethod
    def prepare(cls) -> None:
        if not pathlib.Path("/usr/share/cockpit/shell").exists():
            raise cls.skipTest(cls, "needs cockpit-system")  # type: ignore[arg-type]
        # Without a system bus the bridge of Cockpit 337 dies of what the console asks.
        os.makedirs("/run/dbus", exist_ok=True)
        cls.stage.start("dbus", "dbus-daemon", "--system", "--nofork", "--nopidfile")
        super().prepare()

    def test_it_is_an_entry_of_the_console_in_its_language_and_shows_this_host(self) -> None:
        address = self.stage.cockpit()
        self.addCleanup(self.stage.stop, "cockpit", 9)
        page = self.page = fixture.browser.page()
        self.addCleanup(self._finish, page)
        page.goto(address.split("/cockpit/")[0] + "/claims")
        page.until("() => document.querySelector('iframe[name*=claims]')?.contentDocument?.body?.innerText.includes('12 records')")
        page.see("Records", "nav")
        inside = "document.querySelector('iframe[name*=claims]').contentDocument"
        self.assertFalse(page.call("function() { return %s.body.innerText.includes('Log out'); }" % inside))
        page.problems.clear()


class DeniedTests(WebTest):
    """A socket that the person may not open."""

    @classmethod
    def prepare(cls) -> None:
        cls.stage.upstream()
        cls.stage.daemon()

    def test_the_missing_group_is_named(self) -> None:
        if os.getuid() != 0 or os.environ.get("CLAIMSD_WEB_USER_NAMESPACE"):
            self.skipTest("needs a second user")
        os.chmod(SOCKET, 0o600)
        self.stage.user = 65534
        try:
            page = self.open("#/units", wait=BAND + " p")
            page.see("it is not in the group claims", BAND)
        finally:
            self.stage.user = None
            os.chmod(SOCKET, 0o666)


class OddAnswerTests(WebTest):
    """A peer on the socket that is no good daemon."""

    @classmethod
    def prepare(cls) -> None:
        cls.lines: list[bytes] = []

    def serve(self, answer: bytes) -> None:
        """Answers every line with the same bytes, and closes."""
        if os.path.exists(SOCKET):
            os.unlink(SOCKET)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(SOCKET)
        listener.listen()
        self.addCleanup(listener.close)
        # A thread that waits in accept keeps the socket: close alone does not end it.
        self.addCleanup(listener.shutdown, socket.SHUT_RDWR)

        def work() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                    connection.recv(65536)
                    connection.sendall(answer)
                    connection.close()
                except OSError:
                    return

        threading.Thread(target=work, daemon=True).start()

    def test_what_is_no_json_ends_the_connection_and_is_told(self) -> None:
        self.serve(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        page = self.open("#/units", wait=BAND + " p")
        page.see("claimsd does not answer since", BAND)
        page.problems.clear()

    def test_a_refused_hello_is_told(self) -> None:
        self.serve(b'{"id":1,"error":{"code":1,"message":"protocol 1 is not spoken","data":{"kind":"bad_params"}}}\n')
        page = self.open("#/units", wait=BAND + " p")
        page.see("claimsd does not answer since", BAND)
