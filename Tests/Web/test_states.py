# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""The states of data, in both languages: each says what is wrong, since when, and what can be done."""

import json
import urllib.request

from fixture import WebTest
from stage import ROOT

UNITS = json.loads((ROOT / "Tests/Demo/upstream/units.json").read_text())


class StateTests(WebTest):
    """Collections in each state."""

    @classmethod
    def prepare(cls) -> None:
        cls.stage.upstream()
        cls.stage.publish("units", UNITS)
        cls.stage.publish("none", [])
        source = 'url: "http://127.0.0.1:PORT/units.json", interval: "1h"'
        copies = 'title: { en: "Sheets", pl: "Arkusze" }, singular: "NAME", fields: { id: { type: "id", from: ["/id"] }, name: { type: "text", from: ["/name"], search: true, bold: true } }, list: ["id", "name"]'
        cls.stage.define("claims", '{ source: { url: "http://127.0.0.1:PORT/none.json", interval: "1h" } }')
        cls.stage.define("documents", '{ source: { url: "http://127.0.0.1:1/documents", interval: "1h" } }')
        cls.stage.define("units", "{ source: { %s } }" % source)
        for name, keys in {
            "stale": 'ttl: "1s"', "expired": 'ttl: "1s", expires: "1s"', "withheld": 'ttl: "1s", expires: "1s", withhold: "1s"',
        }.items():
            cls.stage.define(name, "{ source: { %s, %s }, %s }" % (source, keys, copies.replace("NAME", name + "sheet")))
        cls.stage.daemon()
        for name in ("claims", "units", "stale", "expired", "withheld"):
            cls.stage.refresh(name)

    def control(self, method: str, path: str, body: object = None) -> None:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.stage.port}/_control{path}", data, method=method)
        urllib.request.urlopen(request, timeout=30).read()

    def test_unconfigured(self) -> None:
        self.open("#/packs").see("Packs has no upstream.")
        self.page.see("systemctl reload claimsd", ".empty")
        self.open("#/packs", language="pl").see("Paczki: brak serwera źródłowego.")

    def test_failed(self) -> None:
        self.open("#/documents").see("Unable to load documents: the server refused the connection")
        self.page.see("Next try", ".empty")
        self.page.see("!", "header [aria-label='needs attention']")
        self.page.click(".empty button", "Refresh")
        self.page.see("Documents was not refreshed: the server refused the connection", ".notice.wrong")
        self.open("#/documents", language="pl").see("Dokumenty: nie udało się wczytać: serwer odmówił połączenia")

    def test_empty(self) -> None:
        self.open("#/claims").see("No claims.")
        self.page.see("and has none.", ".empty")
        self.open("#/claims", language="pl").see("Szkody: brak rekordów.")

    def test_bundle(self) -> None:
        self.open("#/countries").see("BUILT-IN DATA · no upstream is configured", ".freshness.band")
        self.open("#/countries", language="pl").see("DANE WBUDOWANE · nie skonfigurowano serwera", ".freshness.band")

    def test_stale_and_expired(self) -> None:
        self.open("#/stale").until(
            "() => /^STALE: .* · older than its ttl of 1 s · next refresh /.test(document.querySelector('.freshness.band')?.innerText)")
        self.open("#/expired", language="pl").see("PRZETERMINOWANE: ", ".freshness.band")

    def test_withheld(self) -> None:
        self.open("#/withheld").see("Sheets is withheld: older than 1 s.")
        self.open("#/withheld", language="pl").see("Arkusze – niepokazywane:")

    def test_held_data_is_accepted_after_a_question(self) -> None:
        self.stage.publish("units", UNITS[:1])
        self.stage.refresh("units")
        self.addCleanup(self.stage.refresh, "units")
        self.addCleanup(self.stage.publish, "units", UNITS)
        page = self.open("#/units")
        page.see("HELD: 1 record instead of 12", ".freshness.band")
        page.click(".freshness button", "Accept")
        page.see("Take 1 record instead of 12?", "dialog")
        page.press("Escape")
        page.until("() => !document.querySelector('dialog')")
        self.assertEqual(self.stage.ask("count", collection="units")["total"], 12)
        page.click(".freshness button", "Accept")
        page.click("dialog button.main", "Accept")
        page.see("11 removed", ".notice")
        page.gone("HELD", ".freshness")

    def test_a_refresh_tells_how_far_it_is(self) -> None:
        self.control("PUT", "/faults/units.json", {"fault": "none", "hold": True})
        self.addCleanup(self.control, "DELETE", "/faults")
        page = self.open("#/units")
        page.see("Fresh:", ".freshness")
        page.click(".acts button", "Refresh")
        page.see("Refreshing: ", ".freshness")
        page.until("() => /connecting|receiving/.test(document.querySelector('.freshness').innerText)")
        self.control("DELETE", "/faults")
        page.see("Fresh:", ".freshness")
        page.wait_for(".notice")
