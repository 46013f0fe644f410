# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""The link to the daemon: who may ask, what ends it, and what of the page stays."""

import json
import os
import socket
import threading

from fixture import WebTest
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

    def test_a_page_for_another_host_says_so_and_asks_nothing(self) -> None:
        page = self.open()
        address = page.call("function() { return location.href.split('#')[0]; }")
        page.goto(address.replace("@localhost", "@elsewhere"))
        # Without a login there Cockpit has nothing to give either: no page may show this host's records under that name.
        page.until("() => !document.body.innerText.includes('12 records')")


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
