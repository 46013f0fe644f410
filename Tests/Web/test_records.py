# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""One record, the archive, refreshes and the status."""

import json

from fixture import WebTest


class RecordTests(WebTest):
    """Records that are read, archived and refreshed."""

    def test_a_record_shows_its_fields_where_it_comes_from_and_its_history(self) -> None:
        page = self.open("#/packs")
        page.click("tr.record a")
        page.see("Where it comes from")
        page.see("upstream", "dl")
        page.see("added", ".log")
        self.assertEqual(page.count("details[open]"), 0)
        page.click("summary", "As the upstream sent it")
        page.see('"sender"', "details pre")
        page.see("1 of 18", ".way")

    def test_previous_and_next_follow_the_list_that_the_record_was_opened_from(self) -> None:
        page = self.open("#/units?f=status%3Dfaulty&s=-id")
        page.wait_for("tr.record")
        titles = page.texts("tr.record .open")
        self.assertGreater(len(titles), 1)
        page.click("tr.record a")
        page.click(".way a", "Next")
        page.see(titles[1], "h1")
        page.click(".way a", "Previous")
        page.see(titles[0], "h1")
        page.click(".way a", "Units")
        page.until("() => location.hash.includes('f=status')")

    def test_archiving_is_taken_back_by_undo(self) -> None:
        page = self.open("#/packs")
        page.click("tr.record a")
        page.see("Where it comes from")
        page.click("main .acts button", "Archive")
        page.see("archived", "h1 + p")
        page.see("Take out of the archive", "main .acts")
        page.click(".notice button", "Undo")
        page.gone("archived", "h1 + p")
        self.assertEqual(self.stage.ask("count", collection="packs", archived="only")["total"], 0)

    def test_a_refresh_of_a_dead_upstream_tells_why_and_what_comes_next(self) -> None:
        page = self.open("#/claims")
        page.click("tr.record a")
        page.see("Fresh:", ".freshness")
        self.stage.stop("upstream")
        self.addCleanup(self.stage.upstream)
        page.click("main .acts button", "Refresh")
        page.see("Claims was not refreshed: the server refused the connection", ".notice")
        page.see("the server refused the connection", ".freshness")
        page.goto(page.call("function() { return location.href.split('#')[0]; }") + "#/-/status")
        page.see("Claims", ".health > li:first-child")
        page.see("the server refused the connection", ".health > li:first-child")
        page.see("next try", ".health > li:first-child")
        page.until("() => document.querySelector('.health > li:first-child .plot path') !== null")
        page.click(".health a", "Claims")
        page.see("Refreshes, the newest first", "caption")
        page.see("failed unreachable", "tbody")

    def test_a_long_history_is_shown_page_by_page_and_paper_has_no_controls(self) -> None:
        record = self.stage.ask("search", collection="packs", limit=1)["records"][0]["id"]
        for _ in range(20):
            for method in ("archive", "unarchive"):
                self.stage.ask(method, collection="packs", ids=[record])
        page = self.open(f"#/packs/{record}")
        page.until("() => document.querySelectorAll('.log > li').length === 30")
        page.click("button", "Show older ones")
        page.until("() => document.querySelectorAll('.log > li').length === 41")
        page.click("main .acts button", "Copy")
        page.see("Copied", ".notice")
        page.media(kind="print")
        self.assertEqual(page.call(
            "function() { return [...document.querySelectorAll('button, nav')].filter(e => e.checkVisibility()).length; }"), 0)

    def test_an_id_that_is_gone_is_told_with_a_way_to_the_list(self) -> None:
        page = self.open("#/units/no%2Fsuch", wait=".band")
        page.see("no/such is not there any more")
        page.click(".way a", "Units")
        page.see("12 records")


class HostileRecordTests(WebTest):
    """Records that carry markup, addresses and characters that change the direction of text."""

    @classmethod
    def prepare(cls) -> None:
        cls.stage.upstream()
        record = {
            "id": "<b>1</b>", "title": "<img src=x onerror=alert(1)>\u202egnp.exe", "description": "x" * 5000 + "END", "__proto__": {"a": 1},
            "notes": "</script><script>alert(1)</script>", "documents": ["javascript:alert(1)", "7"], "amount": "AMOUNT",
        }
        cls.stage.publish("claims", json.dumps([record]).replace('"AMOUNT"', "12345678901234567890123.50"))
        cls.stage.define("claims")
        cls.stage.daemon()
        cls.stage.refresh("claims")

    def test_text_of_a_record_is_never_markup(self) -> None:
        page = self.open("#/claims/" + "%3Cb%3E1%3C%2Fb%3E")
        page.see("<img src=x onerror=alert(1)>\\u202egnp.exe", "h1")
        page.see("</script><script>alert(1)</script>", "dl")
        page.see("<b>1</b>", "dl")
        page.see("12345678901234567890123.50", "dl")
        self.assertEqual(page.count("main img, main script, main b, main [style], a[href^='javascript']"), 0)
        page.gone("END", "dl")
        page.click("dd button", "Show more")
        page.see("END", "dl")
        page.click("summary")
        page.click("details button", "Show more")
        page.see('"__proto__"', "details pre")


class StatusTests(WebTest):
    """What is held back, and the verdict."""

    @classmethod
    def prepare(cls) -> None:
        cls.stage.upstream()
        cls.stage.publish("units", [{"id": str(number), "name": f"Unit {number}", "status": "ok"} for number in range(100)])
        cls.stage.define("units")
        cls.stage.daemon()
        cls.stage.refresh("units")
        cls.stage.publish("units", [{"id": "1", "name": "Unit 1", "status": "ok"}])
        cls.stage.refresh("units")

    def test_held_data_is_accepted_after_a_question(self) -> None:
        page = self.open("#/-/status", wait=".verdict")
        page.see("1 of 5 collections needs attention: Units.", ".verdict")
        page.see("held back: 100 records would become 1", ".concern")
        page.click("button", "Accept")
        page.see("Take 1 record instead of 100?", "dialog")
        page.click("dialog button", "Cancel")
        self.assertEqual(self.stage.ask("count", collection="units")["total"], 100)
        page.click("button", "Accept")
        page.click("dialog button", "Accept")
        page.see("All is well.", ".verdict")
        self.assertEqual(self.stage.ask("count", collection="units")["total"], 1)

