# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Text from records is shown, and never done."""

import json
import urllib.parse

from fixture import WebTest

MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>&lt;b&gt;'
TITLES = {
    "markup": MARKUP,
    "bidi": "invoice \u202egpj.exe\u2069 \u200f",
    "control": "bell \u0007 escape \u001b[31m null \u0000 delete \u007f c1 \u009b tag \U000e0041",
    "lines": "first\nsecond\r\nthird\tfourth",
    "arabic": "مرحبا (1) abc",
    "long": "A" * 1_000_000,
    "flag": "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f Cymru",
    "zalgo": "Z" + "\u0301" * 200 + "!",
    "template": "{title} {0} ${alert(1)} %s",
}


class HostileTests(WebTest):
    """A collection whose records would harm a page that takes them for more than text."""

    @classmethod
    def prepare(cls) -> None:
        cls.stage.upstream()
        records = [{"id": name, "title": title, "status": "pending", "type": "dental"} for name, title in TITLES.items()]
        records.append({"id": "__proto__", "title": "prototype", "status": "constructor", "type": "__proto__"})
        records.append({"id": "a/b?c=d#e&f %2F", "title": "an id like an address", "status": "toString"})
        records.append({"id": "12345678901234567890", "title": "big", "amount": 1234567890123456789012345})
        body = json.dumps(records)
        body = body[:-1] + ', {"id": "cents", "title": "cents", "amount": 12.50}]'
        cls.stage.publish("claims", body)
        cls.stage.define("claims", """{ source: { url: "http://127.0.0.1:PORT/claims.json", interval: "1h" },
            title: { en: "<b>Claims</b>" }, list: ["id", "title", "amount", "status", "documents"] }""")
        cls.stage.daemon()
        cls.stage.refresh("claims")

    def title(self, name: str) -> str:
        found: str = self.page.call(
            "function(id) { return [...document.querySelectorAll('[data-id]')].find(e => e.dataset.id === id).querySelector('a.open').textContent; }",
            name)
        return found

    def test_markup_stays_text_and_everything_unseen_is_spelled(self) -> None:
        page = self.open("#/claims")
        page.wait_for("tr.record")
        self.assertEqual(self.title("markup"), MARKUP)
        self.assertEqual(page.count("main img, main script, main b"), 0)
        self.assertEqual(page.text("h1"), "<b>Claims</b>")
        self.assertEqual(page.call("function() { return document.title; }"), "<b>Claims</b> – claimsd")
        self.assertEqual(self.title("bidi"), "invoice \\u202egpj.exe\\u2069 \\u200f")
        self.assertEqual(
            self.title("control"), "bell \\x07 escape \\x1b[31m null \\x00 delete \\x7f c1 \\x9b tag \\u{e0041}")
        self.assertEqual(self.title("lines"), "first second third fourth")
        self.assertEqual(self.title("flag"), TITLES["flag"])
        self.assertEqual(self.title("template"), TITLES["template"])
        self.assertEqual(self.title("zalgo"), "Z" + "\u0301" * 7 + "!")
        self.assertEqual(len(self.title("long")), 4097)
        self.assertTrue(page.call(
            "function() { return [...document.querySelectorAll('.record .open, .record td')].every(e => !e.innerText.trim() || e.querySelector('bdi, time')); }"))

    def test_numbers_keep_their_digits(self) -> None:
        page = self.open("#/claims")
        page.wait_for("tr.record")
        page.see("1234567890123456789012345", "td.decimal")
        page.see("12.50", "td.decimal")

    def test_names_of_javascript_are_ids_and_codes_like_others(self) -> None:
        page = self.open("#/claims")
        page.wait_for("tr.record")
        self.assertEqual(self.title("__proto__"), "prototype")
        page.click("[data-id='__proto__'] a.open")
        page.until("() => location.hash === '#/claims/__proto__'")
        page.call("function() { history.back(); }")
        page.wait_for("tr.record")
        page.click("tr[data-id^='a/b'] a.open")
        page.until("() => location.hash === '#/claims/a%2Fb%3Fc%3Dd%23e%26f%20%252F'")

    def test_nothing_of_it_widens_a_narrow_page(self) -> None:
        for width in (320, 1280):
            page = self.open("#/claims", width=width)
            page.wait_for(".record")
            self.assertEqual(page.call("function() { return document.documentElement.scrollWidth; }"), width)

    def test_a_hostile_search_is_literal(self) -> None:
        page = self.open("#/claims")
        page.wait_for("tr.record")
        page.click("input[type=search]")
        for text in ("(", "\\", "status=", "'", "a and", "\"", "<script>"):
            page.type(text)
            page.until("q => location.hash === '#/claims?q=' + q", urllib.parse.quote(text, safe="!'()*~-._"))
            page.until("() => document.querySelector('.empty, tr.record') && !document.querySelector('.error:not([hidden])')")
            page.press("Escape")
            page.until("() => location.hash === '#/claims'")
