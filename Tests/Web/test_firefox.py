# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Each screen once in Firefox, which takes neither the same styles nor the same numbers for granted."""

import os
import pathlib

import fixture
from firefox import Firefox
from fixture import WebTest

SCREENS = {
    "#/units": ("Pump south cellar", ".rows"), "#/packs": ("Gotowe do odbioru (15)", ".rows"), "#/units/2": ("Pump south cellar", "main"),
    "#/countries?do=deal": ("Okazja dnia", "main"), "#/-/status": ("Stan", "h1"), "#/-/outbox": ("Wysyłka", "h1"),
    "#/units?f=statsu=1": ("statsu", ".error"), "#/documents?do=create": ("Dodaj dokument", "h1"), "#/nonsense": ("Nie ma kolekcji", "main"),
}


class FirefoxTests(WebTest):
    """The screens, in Polish."""

    @classmethod
    def prepare(cls) -> None:
        cls.stage.define("documents", '{ writes: { to: "local" } }')
        super().prepare()

    def test_each_screen_is_shown_wide_and_narrow_without_an_error(self) -> None:
        address = self.stage.cockpit()
        browser = Firefox(pathlib.Path(fixture.folder))
        self.addCleanup(browser.close)
        pictures = os.environ.get("CLAIMSD_WEB_PICTURES")
        browser.goto(address + "#/units")
        browser.see("12 rekordów")
        for fragment, (text, place) in SCREENS.items():
            browser.call("f => { location.hash = f; return ''; }", fragment)
            for width in (1280, 320):
                browser.resize(width, 800)
                browser.see(text, place)
                beyond = browser.call("() => { const { scrollWidth, clientWidth } = document.documentElement; return String(scrollWidth - clientWidth); }")
                self.assertEqual(beyond, "0", f"{fragment} at {width}")
                if pictures:
                    browser.screenshot(pathlib.Path(pictures) / f"firefox-{width}-{fragment.replace('/', '_')}.png")
        self.assertEqual(browser.problems, [])
