# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Lists stay live, and tell when they cannot."""

import json
import signal

from fixture import WebTest
from stage import ROOT
from wire import Wire

UNITS = json.loads((ROOT / "Tests/Demo/upstream/units.json").read_text())
BAND = ".bands"


class LiveTests(WebTest):
    """Changes of a list that is shown."""

    def setUp(self) -> None:
        self.units = json.loads(json.dumps(UNITS))
        self.serve()

    def serve(self) -> None:
        self.stage.publish("units", self.units)
        self.stage.refresh("units", accept=True)

    def follow(self, fragment: str = "#/units") -> None:
        """Opens a list, and waits until the daemon has its subscription."""
        self.open(fragment)
        self.page.wait_for("tr.record")
        # Changes that come before the subscription are found by the comparison: either way they are told.

    def test_a_change_is_shown_in_place_and_marked(self) -> None:
        self.follow()
        self.units[0]["name"] = "Pump of tomorrow"
        self.serve()
        self.page.see("Pump of tomorrow", "tr.record:first-of-type")
        self.page.see("changed", "tr.record.changed .badge")
        self.assertEqual(self.page.count("tr.record"), 12)

    def test_a_removed_record_stays_struck_out_with_its_reason(self) -> None:
        self.follow()
        del self.units[2]
        self.serve()
        self.page.see("gone", "tr.record.removed .badge")
        self.page.see("11 records")
        self.assertEqual(self.page.count("tr.record"), 12)

    def test_new_records_wait_behind_a_button_until_they_are_wanted(self) -> None:
        self.follow()
        for number in (101, 102):
            self.units.append({"id": str(number), "name": f"New {number}", "status": "ok"})
        self.serve()
        self.page.see("2 newer · Show", ".news")
        self.assertEqual(self.page.count("tr.record"), 12)
        self.page.click(".news button")
        self.page.see("New 102", "tr.record")
        self.page.gone("newer", ".news")
        self.assertEqual(self.page.count("tr.record"), 14)
        self.assertEqual(self.page.focused(), "Units")

    def test_a_record_that_matches_no_more_leaves_a_filtered_list_by_its_name(self) -> None:
        self.follow("#/units?v=attention")
        before = self.page.count("tr.record")
        for unit in self.units:
            unit["status"] = "ok"
        self.serve()
        self.page.see("no match any more", "tr.record.removed")
        self.page.until("n => document.querySelectorAll('tr.record.removed').length === n", before)

    def test_a_daemon_that_is_killed_leaves_the_list_and_what_came_meanwhile_is_marked(self) -> None:
        self.follow()
        self.stage.stop("claimsd", signal.SIGKILL)
        self.page.see("claimsd does not answer since", BAND)
        self.assertEqual(self.page.count("tr.record"), 12)
        self.units[1]["name"] = "Pump after the storm"
        self.stage.publish("units", self.units)
        self.stage.daemon()
        self.stage.refresh("units")
        self.page.gone("does not answer", BAND)
        self.page.see("Pump after the storm", "tr.record.changed")

    def test_a_daemon_with_a_new_state_offers_the_list_anew(self) -> None:
        self.follow()
        self.stage.stop("claimsd", signal.SIGKILL)
        self.page.see("claimsd does not answer since", BAND)
        for path in (self.stage.folder / "state").glob("*"):
            path.unlink()
        self.stage.daemon()
        self.units[0]["name"] = "Pump of a new epoch"
        self.serve()
        self.page.see("Rebuilt · Show", ".news")
        self.page.click(".news button")
        self.page.see("Pump of a new epoch", "tr.record")
        self.page.gone("Rebuilt", ".news")

    def test_a_stopped_daemon_is_told_and_the_list_goes_on_with_it(self) -> None:
        self.follow()
        daemon = self.stage.processes["claimsd"]
        daemon.send_signal(signal.SIGSTOP)
        try:
            self.page.see("claimsd does not answer since", BAND, deadline=40)
            self.assertEqual(self.page.count("tr.record"), 12)
        finally:
            daemon.send_signal(signal.SIGCONT)
        self.page.gone("does not answer", BAND)
        self.units[0]["name"] = "Pump that woke"
        self.serve()
        self.page.see("Pump that woke", "tr.record.changed")

    def test_a_view_that_a_reload_takes_away_leaves_the_query_and_is_told(self) -> None:
        url = f"http://127.0.0.1:{self.stage.port}/units.json"
        self.stage.define("units", '{ source: { url: "%s", interval: "1h" }, views: { pumps: { filter: "name~pump" } } }' % url)
        self.stage.reload()
        self.stage.wait(lambda: any(v["name"] == "pumps" for v in self.stage.ask("describe", collection="units")["collections"][0]["views"]), "the view")
        try:
            self.follow("#/units?v=pumps")
            self.assertEqual(self.page.count("tr.record"), 2)
        finally:
            self.stage.define("units")
            self.stage.reload()
        self.page.see("The view 'pumps' is gone.", ".notice")
        self.page.until("() => document.querySelectorAll('tr.record').length === 12 && location.hash === '#/units'")


# The page's long timers wait for the event "advance", and the document is hidden while its element says so: both as in a
# browser, but when the test says it.
CLOCK = """
    const [begin, end] = [setTimeout, clearTimeout];
    const waiting = new Map();
    let last = -1;
    window.setTimeout = (act, time, ...rest) => {
        if (!(time >= 30000)) return begin(act, time, ...rest);
        waiting.set(--last, act);
        return last;
    };
    window.clearTimeout = timer => waiting.delete(timer) || end(timer);
    addEventListener('advance', () => {
        const acts = [...waiting.values()];
        waiting.clear();
        for (const act of acts) act();
    });
    Object.defineProperty(Document.prototype, 'hidden', { get: () => document.documentElement?.dataset.hidden === 'yes' });
"""
HIDE = """function(hidden) {
    document.documentElement.dataset.hidden = hidden ? 'yes' : 'no';
    document.dispatchEvent(new Event('visibilitychange'));
}"""


class HiddenTests(WebTest):
    """A tab that nobody looks at."""

    def test_a_tab_hidden_for_a_minute_is_told_nothing_and_asks_again_when_it_is_shown(self) -> None:
        wire = Wire()
        self.addCleanup(wire.close)
        page = self.open("#/units")
        script = page.send("Page.addScriptToEvaluateOnNewDocument", source=CLOCK)["identifier"]
        self.addCleanup(page.send, "Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        page.reload()
        page.see("12 records")
        self.stage.wait(lambda: wire.count("subscribe") > 0, "the subscription")
        page.call(HIDE, True)
        page.call(HIDE, False)
        page.call("function() { dispatchEvent(new Event('advance')); }")
        page.call(HIDE, True)
        self.stage.wait(lambda: wire.count("status") > 1, "the status that showing asks for")
        self.assertEqual(wire.count("unsubscribe"), 0, "a short look away ends nothing")
        page.call("function() { dispatchEvent(new Event('advance')); }")
        self.stage.wait(lambda: wire.count("unsubscribe") == 1, "the end of the subscription")
        asked = wire.count("status")
        units = json.loads(json.dumps(UNITS))
        units[0]["name"] = "Pump of the night"
        self.stage.publish("units", units)
        self.stage.refresh("units")
        self.assertEqual((page.count("tr.record.changed"), wire.count("status")), (0, asked))
        page.call(HIDE, False)
        page.see("Pump of the night", "tr.record.changed")
        self.assertGreater(wire.count("status"), asked)


class AbsentTests(WebTest):
    """A page without a daemon behind it."""

    @classmethod
    def prepare(cls) -> None:
        cls.stage.upstream()
        for name in ("units",):
            cls.stage.publish(name, UNITS)
            cls.stage.define(name)

    def test_no_socket_is_told_and_the_list_comes_with_the_daemon(self) -> None:
        page = self.open("#/units", wait=BAND + " p")
        page.see("claimsd is not running on this host", BAND)
        self.stage.daemon()
        self.addCleanup(self.stage.stop, "claimsd")
        self.stage.refresh("units")
        page.see("12 records")
        page.gone("not running", BAND)

    def test_a_socket_without_a_daemon_is_told(self) -> None:
        self.stage.daemon()
        self.stage.stop("claimsd", signal.SIGKILL)
        page = self.open("#/units", wait=BAND + " p", language="pl")
        # Cockpit 287 tells a refused connection as one to no socket.
        page.until("s => /claimsd nie (odpowiada od|działa)/.test(document.querySelector(s).innerText)", BAND)
