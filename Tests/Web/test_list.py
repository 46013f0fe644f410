# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Lists: what is asked, shown and kept in the address."""

from fixture import WebTest


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

    def test_search_goes_with_each_letter_and_into_the_address(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        page.click("input[type=search]")
        page.type("pump")
        page.until("() => document.querySelectorAll('tr.record').length < 12")
        page.until("() => location.hash === '#/units?q=pump'")
        self.assertTrue(all("pump" in row.lower() for row in page.texts("tr.record")), page.texts("tr.record"))
