# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Lists: what is asked, shown and kept in the address."""

import json

from fixture import WebTest

NAMES = "[...document.querySelectorAll('a.open')].map(e => e.innerText)"


class ListTests(WebTest):
    """A list of a few records."""

    def test_a_list_shows_its_records_and_the_header_all_collections(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        self.assertEqual(page.text("h1"), "Units")
        self.assertEqual(page.count("tr.record"), 12)
        page.see("Packs 18", "header")
        page.see("Fresh:", ".freshness")
        page.see("Faulty", ".badge")

    def test_an_address_without_a_collection_goes_to_the_first_one_with_data(self) -> None:
        page = self.open()
        page.until("() => location.hash === '#/claims'")
        page.see("12 records")

    def test_search_goes_with_each_letter_and_into_the_address(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        entries = page.call("function() { return history.length; }")
        page.click("input[type=search]")
        page.type("pump")
        page.until("() => document.querySelectorAll('tr.record').length === 2 && location.hash === '#/units?q=pump'")
        self.assertTrue(all("pump" in row.lower() for row in page.texts("tr.record")), page.texts("tr.record"))
        self.assertEqual(page.call("function() { return history.length; }"), entries, "typing makes no entries")
        page.press("Escape")
        page.see("12 records")

    def test_a_filter_waits_for_a_whole_term_and_its_error_stands_under_it_with_the_place_marked(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        page.click("input[type=text]")
        page.type("stat")
        page.type("us!=ok")
        page.until("() => document.querySelectorAll('tr.record').length === 5")
        page.type(" and statsu=ok")
        page.see("unknown field 'statsu'", ".error")
        page.see("did you mean 'status'?", ".error")
        # The error of an earlier letter may be shown until the last one is answered.
        page.until("() => document.querySelector('.error code')?.textContent === 'status!=ok and statsu=ok'")
        self.assertEqual(page.text(".error mark"), "statsu")
        self.assertEqual(page.count("tr.record"), 5, "the rows stay")

    def test_view_order_and_archive_are_new_entries_and_back_takes_them_back(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        page.choose("select:has(option[value=attention])", "attention")
        page.until("() => location.hash === '#/units?v=attention' && document.querySelectorAll('tr.record').length === 5")
        page.choose("select:has(option[value=status])", "-status")
        page.until("() => location.hash === '#/units?v=attention&s=-status'")
        page.until("() => document.querySelector('tr.record').innerText.includes('Not reachable')")
        page.call("function() { history.back(); }")
        page.until("() => location.hash === '#/units?v=attention' && document.querySelector('tr.record').innerText.includes('Faulty')")
        page.call("function() { history.back(); }")
        page.see("12 records")
        page.call("function() { history.forward(); }")
        page.until("() => document.querySelectorAll('tr.record').length === 5")

    def test_a_search_without_a_match_says_so_and_offers_to_clear_it(self) -> None:
        page = self.open("#/units?q=pmup&v=attention")
        page.see("No units match /pmup (view Needs attention).")
        page.click("button", "Clear the search")
        page.until("() => location.hash === '#/units?v=attention' && document.querySelectorAll('tr.record').length === 5")

    def test_an_id_that_no_text_has_is_found_all_the_same(self) -> None:
        page = self.open("#/packs?q=6300000016790123473779")
        page.see("'6300000016790123473779' is the id of a record:")
        self.assertTrue(page.call("function() { return document.querySelector('.body a').hash; }").endswith("/packs/6300000016790123473779"))

    def test_groups_have_headings_with_totals_in_the_default_order_only(self) -> None:
        page = self.open("#/packs", language="pl")
        page.see("Gotowe do odbioru (15)", "tr.group")
        page.choose("select:has(option[value='-sender'])", "sender")
        page.until("() => document.querySelectorAll('tr.group').length === 0")

    def test_an_unknown_collection_and_an_unknown_address_are_told_with_a_way_on(self) -> None:
        page = self.open("#/nonsense")
        page.see("There is no collection nonsense.")
        for fragment in ("#/-/nonsense", "#nonsense", "#/units/1/2", "#/%E0%A4%A"):
            page.goto(page.call("function() { return location.href.split('#')[0]; }") + fragment)
            page.see("There is nothing at this address.")
        page.click("main a", "To the first list")
        page.until("() => location.hash === '#/claims'")

    def test_an_archived_record_leaves_with_the_answer_and_comes_back_by_undo(self) -> None:
        page = self.open("#/packs")
        page.see("18 records")
        page.focus("a.open")
        first = page.text("tr.record td.id, tr.record th.id")
        page.press("ArrowDown")
        page.press("a")
        page.see("Archived", ".notice")
        page.see("17 records")
        self.assertEqual(page.count("tr.record"), 17)
        self.assertTrue(page.call("function() { return document.activeElement.matches('a.open'); }"), "the next row has the focus")
        self.assertEqual(page.text("tr.record td.id, tr.record th.id"), first)
        page.press("u")
        page.see("Unarchived", ".notice")
        page.see("18 records")
        page.until("() => document.querySelectorAll('tr.record').length === 18")
        self.assertEqual(self.stage.ask("count", collection="packs")["total"], 18)

    def test_refreshing_tells_its_outcome(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        page.click("button", "Refresh")
        page.see("Units: nothing has changed.", ".notice")


class PageTests(WebTest):
    """A list of many pages."""

    @classmethod
    def prepare(cls) -> None:
        cls.stage.upstream()
        cls.units = [{"id": str(n), "name": f"Unit {n}", "status": "ok" if n % 3 else "faulty"} for n in range(1, 508)]
        cls.stage.publish("units", cls.units)
        cls.stage.define("units")
        cls.stage.daemon()
        cls.stage.refresh("units")

    def test_pages_are_turned_from_end_to_end_under_changes_with_nobody_skipped_or_seen_twice(self) -> None:
        page = self.open("#/units")
        page.see("1–50 of 507", ".range")
        seen: list[str] = []
        for number in range(11):
            names = page.call("function() { return %s; }" % NAMES)
            seen += names
            units = json.loads(json.dumps(self.units))
            units[number * 40]["name"] = f"Unit {number * 40 + 1} changed {number}"
            self.stage.publish("units", units)
            self.stage.refresh("units")
            if number < 10:
                page.click(".turns button", "Next")
                page.until("n => %s.every(name => !n.includes(name))" % NAMES, names)
        numbers = [int(name.split()[1]) for name in seen]
        self.assertEqual(numbers, list(range(1, 508)))
        page.see("501–507 of 507", ".range")
        self.stage.publish("units", self.units)
        self.stage.refresh("units")

    def test_a_page_is_an_address_and_back_returns_to_the_row_and_place(self) -> None:
        page = self.open("#/units")
        page.see("1–50 of 507", ".range")
        page.click(".turns button", "Last")
        page.see("458–507 of 507", ".range")
        page.until("() => location.hash === '#/units?at=458'")
        page.click(".turns button", "Previous")
        page.see("408–457 of 507", ".range")
        page.call("function() { history.back(); }")
        page.see("458–507 of 507", ".range")
        page.focus("tr[data-id='500'] a.open")
        page.call("function() { document.querySelector(\"tr[data-id='500']\").scrollIntoView(); }")
        where = page.call("function() { return scrollY; }")
        page.press("Enter")
        page.until("() => location.hash === '#/units/500'")
        page.call("function() { history.back(); }")
        page.until("() => document.activeElement.closest('tr')?.dataset.id === '500'")
        page.until("y => Math.abs(scrollY - y) < 3", where)

    def test_arrows_cross_the_border_of_pages_and_the_list_is_one_tab_stop(self) -> None:
        page = self.open("#/units")
        page.see("1–50 of 507", ".range")
        self.assertEqual(page.count("a.open[tabindex='0']"), 1)
        page.focus("a.open[tabindex='0']")
        page.press("End")
        page.press("ArrowDown")
        page.until("() => document.activeElement.closest('tr')?.dataset.id === '51'")
        page.press("ArrowUp")
        page.until("() => document.activeElement.closest('tr')?.dataset.id === '50'")
        page.press("PageDown")
        page.until("() => document.activeElement.closest('tr')?.dataset.id === '51'")
        page.press("/")
        self.assertEqual(page.call("function() { return document.activeElement.type; }"), "search")

    def test_the_number_of_rows_is_the_persons_choice_and_stays(self) -> None:
        page = self.open("#/units")
        page.see("1–50 of 507", ".range")
        page.choose(".sizes select", "200")
        page.see("1–200 of 507", ".range")
        self.assertEqual(page.count("tr.record"), 200)
        page.send("HeapProfiler.collectGarbage")
        nodes = page.send("Performance.getMetrics")["metrics"]
        self.assertLess(next(m["value"] for m in nodes if m["name"] == "Nodes"), 5000)
        self.assertEqual(page.call("function() { return JSON.stringify({ ...localStorage }); }"), '{"claimsd":"{\\"pageSize\\":200}"}')
