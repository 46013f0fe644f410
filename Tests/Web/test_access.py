# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""The page for everybody: by keys, by ear, on small and dark screens, on paper."""

from fixture import WebTest

# The contrast of every text that is shown, with what it stands on: those under the bound.
CONTRAST = """() => {
    const channels = color => (/rgba?\\(([^)]+)\\)/.exec(color)?.[1] ?? '0 0 0').split(/[ ,/]+/).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
    const ground = element => {
        for (let e = element; e; e = e.parentElement) {
            const color = channels(getComputedStyle(e).backgroundColor);
            if (color.length < 4 || color[3] > .99) return color;
        }
        return [255, 255, 255];
    };
    const bad = [];
    for (const element of document.querySelectorAll('body *')) {
        if (!element.checkVisibility() || element.matches(':disabled, .unseen, .unseen *, option')) continue;
        if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
        const [a, b] = [light(channels(getComputedStyle(element).color)), light(ground(element))];
        const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        if (contrast < 4.5) bad.push(`${contrast.toFixed(2)} ${element.tagName}.${element.className}: ${element.textContent.slice(0, 30)}`);
    }
    return JSON.stringify(bad);
}"""
SMALL_TARGETS = """() => JSON.stringify([...document.querySelectorAll('button, input, select, header a, .button')]
    .filter(e => e.checkVisibility()).map(e => [e.innerText || e.tagName, e.getBoundingClientRect()])
    .filter(([, r]) => r.width < 24 || r.height < 24).map(([name]) => name))"""
SCREENS = ("#/units", "#/packs?a=include", "#/claims?q=zzz", "#/countries", "#/nonsense", "#/countries?do=deal")


class AccessTests(WebTest):
    """The frame and the list."""

    def test_each_screen_fits_320_pixels_in_both_languages(self) -> None:
        for language in ("en", "pl"):
            page = self.open(SCREENS[0], language=language, width=320, height=640)
            for fragment in SCREENS:
                page.goto(page.call("function() { return location.href.split('#')[0]; }") + fragment)
                page.wait_for(".record, .empty, main a, .deal")
                width = page.call("function() { return document.documentElement.scrollWidth; }")
                self.assertEqual(width, 320, f"{fragment} {language}")
                self.assertEqual(page.call(SMALL_TARGETS), "[]", fragment)

    def test_text_has_contrast_by_day_and_by_night(self) -> None:
        for dark in (False, True):
            page = self.open(SCREENS[0], dark=dark)
            for fragment in SCREENS:
                page.goto(page.call("function() { return location.href.split('#')[0]; }") + fragment)
                page.wait_for(".record, .empty, main a, .deal")
                self.assertEqual(page.call(CONTRAST), "[]", f"{fragment} dark: {dark}")

    def test_a_screen_reader_gets_names_roles_and_order(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        tree = page.tree()
        order = [
            ("link", "To the content"), ("navigation", "Collections"), ("link", "Units 12"), ("button", "Log out"), ("main", ""),
            ("heading", "Units"), ("button", "Refresh"), ("searchbox", "Search"), ("textbox", "Filter"), ("combobox", "View"),
            ("combobox", "Order"), ("table", "Units"), ("columnheader", "Name"), ("rowheader", "Pump south cellar"),
            ("link", "Pump south cellar"), ("navigation", "Pages"), ("button", "Next"), ("combobox", "Rows a page"),
        ]
        at = -1
        for wanted in order:
            found = next((i for i, node in enumerate(tree) if i > at and node == wanted), None)
            self.assertIsNotNone(found, f"{wanted} after {tree[at] if at >= 0 else 'the start'} in {tree}")
            at = found if found is not None else at
        unnamed = [node for node in tree if node[0] in ("button", "link", "textbox", "combobox", "searchbox", "img") and not node[1]]
        self.assertEqual(unnamed, [])

    def test_everything_is_reached_by_tab_with_the_focus_seen(self) -> None:
        page = self.open("#/packs")
        page.see("18 records")
        seen = []
        for _ in range(40):
            page.press("Tab")
            seen.append(page.call("""function() {
                const e = document.activeElement;
                const style = getComputedStyle(e);
                const { width, height } = e.getBoundingClientRect();
                return [e === document.body ? 'BODY' : e.labels?.[0]?.innerText || e.innerText || e.tagName, style.outlineStyle !== 'none' && width > 0 && height > 0];
            }"""))
            if seen[-1][0] == "BODY" or seen[-1] in seen[:-1]:
                break
        names = [name for name, _ in seen]
        for name in ("To the content", "Log out", "Refresh", "Search", "Filter", "Order", "Archive", "Äpfel & Birnen GmbH", "Rows a page"):
            self.assertIn(name, names)
        self.assertEqual(names.count("Zielony Sklep"), 0, "the list is one tab stop")
        self.assertEqual([name for name, isSeen in seen if not isSeen and name != "BODY"], [])

    def test_a_new_screen_gives_its_heading_the_focus_and_the_first_one_does_not(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        self.assertEqual(page.call("function() { return document.activeElement.tagName; }"), "BODY")
        page.focus("header a[href$='#/packs']")
        page.press("Enter")
        page.until("() => document.activeElement.tagName === 'H1' && document.activeElement.innerText === 'Packs'")

    def test_totals_are_told_when_the_search_rests(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        page.click("input[type=search]")
        page.type("pump")
        page.until("() => document.querySelector('[aria-live=polite]').textContent === '2 records'")

    def test_forced_colours_keep_marks_and_words(self) -> None:
        page = self.open("#/units")
        page.see("12 records")
        page.media(forced_colors="active")
        self.assertTrue(page.call("function() { return getComputedStyle(document.querySelector('.badge')).borderTopStyle === 'solid'; }"))

    def test_paper_has_the_rows_the_query_freshness_time_and_host_and_no_controls(self) -> None:
        page = self.open("#/packs?q=sklep&a=include", dark=True)
        page.wait_for("tr.record")
        page.media(dark=True, kind="print")
        page.call("function() { dispatchEvent(new Event('beforeprint')); }")
        text = page.text("body")
        for part in ("Packs", "Fresh:", "/sklep · with archived", "Zielony Sklep", "127.0.0.1, "):
            self.assertIn(part, text)
        self.assertEqual(page.call(
            "function() { return [...document.querySelectorAll('button, input, select, header')].filter(e => e.checkVisibility()).length; }"), 0)
        self.assertEqual(page.call("function() { return getComputedStyle(document.querySelector('td')).color; }"), "rgb(0, 0, 0)")

    def test_both_languages_are_unmixed_and_the_choice_stays(self) -> None:
        page = self.open("#/packs", language="de,pl;q=0.8,en;q=0.5")
        page.see("18 rekordów")
        self.assertEqual(page.call("function() { return document.documentElement.lang; }"), "pl")
        english = ("Search", "Filter", "Order", "Archive", "Refresh", "Next", "Log out", "Rows a page", "Fresh", "records")
        self.assertEqual([word for word in english if word in page.text("body").replace("Filtr", "")], [])
        page.click("header button", "English")
        page.see("18 records")
        page.reload()
        page.see("18 records")
