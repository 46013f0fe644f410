# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Real logins: PAM, cookies, two people after one another in one browser, and the idle timeout."""

import json
import os
import subprocess

from chromium import Page
import fixture
from fixture import WebTest
from stage import SOCKET

PEOPLE = ("clerk", "deputy")
ADVANCED_CLOCK = """
    const now = Date.now;
    Date.now = () => now() + Number(document.documentElement?.dataset.advance ?? 0);
"""


class LoginTests(WebTest):
    """A Cockpit that asks for a password, in an /etc of the test's own."""

    @classmethod
    def prepare(cls) -> None:
        if os.getuid() != 0 or os.environ.get("CLAIMSD_WEB_USER_NAMESPACE"):
            raise cls.skipTest(cls, "needs root: accounts are made")  # type: ignore[arg-type]
        super().prepare()
        etc = cls.stage.folder / "etc"
        subprocess.run(
            f"cp -a /etc {etc} && mount --bind {etc} /etc && groupadd -f claims && chgrp claims /run/claimsd/claimsd.sock", shell=True, check=True)
        cls.addClassCleanup(subprocess.run, ["umount", "-l", "/etc"], check=False)
        for name in PEOPLE:
            subprocess.run(["useradd", "--no-create-home", "--home-dir=/tmp", "--shell=/bin/sh", "--groups=claims", name], check=True)
            subprocess.run(["chpasswd"], input=f"{name}:secret of {name}", text=True, check=True)

    def log_in(self, page: Page, name: str) -> None:
        page.wait_for("#login-user-input")
        page.focus("#login-user-input")
        page.type(name)
        page.focus("#login-password-input")
        page.type(f"secret of {name}")
        page.press("Enter")

    def begin(self, name: str = "clerk", settings: str = "") -> Page:
        """Logs in to the page."""
        self.address = self.stage.cockpit_with_logins(settings)
        page = fixture.browser.page()
        self.page = page
        self.addCleanup(self._finish, page)
        page.send("Page.addScriptToEvaluateOnNewDocument", source=ADVANCED_CLOCK)
        page.goto(self.address + "#/units")
        self.log_in(page, name)
        page.see("12 records")
        return page

    def test_the_person_who_logged_in_is_named_and_asks_as_that_account(self) -> None:
        page = self.begin()
        page.see("clerk", ".who")
        self.assertNotIn("root", page.text(".who"))

    def test_after_logging_out_the_address_asks_for_a_login_and_leads_to_the_same_list(self) -> None:
        page = self.begin()
        page.click("header button", "Log out")
        page.see("You are logged out.")
        page.click("a", "Log in again")
        self.log_in(page, "clerk")
        page.see("12 records")

    def test_a_login_that_ends_is_told_and_another_one_of_the_same_person_goes_on(self) -> None:
        page = self.begin()
        page.click("input[type=search]")
        page.type("pump")
        page.until("() => document.querySelectorAll('tr.record').length === 2")
        other = fixture.browser.page(context=page.context)
        other.goto(self.address)
        other.see("12 records")
        other.click("header button", "Log out")
        other.see("You are logged out.")
        page.see("You are logged out.", ".bands")
        self.assertEqual(page.count("tr.record"), 2, "the list stays")
        other.click("a", "Log in again")
        self.log_in(other, "clerk")
        other.see("12 records")
        page.gone("logged out", ".bands")
        self.assertEqual(page.call("function() { return document.querySelector('input[type=search]').value; }"), "pump")
        other.close()

    def test_another_persons_login_empties_the_page_and_loads_it_anew(self) -> None:
        page = self.begin()
        page.call("function() { document.documentElement.dataset.mark = 'old'; }")
        other = fixture.browser.page(context=page.context)
        other.goto(self.address)
        other.see("12 records")
        other.click("header button", "Log out")
        page.see("You are logged out.", ".bands")
        other.click("a", "Log in again")
        self.log_in(other, "deputy")
        other.see("deputy", ".who")
        page.until("() => !document.documentElement.dataset.mark && document.querySelector('.who')?.innerText === 'deputy'")
        other.close()

    def test_an_upgrade_within_a_login_leads_by_a_new_one_to_the_new_page(self) -> None:
        page = self.begin()
        folder = self.stage.folder / "installed/usr/share/cockpit/claims"
        described = json.loads((folder / "version.json").read_text())
        (folder / described["version"]).rename(folder / "9.9.9")
        (folder / "version.json").write_text(json.dumps({**described, "version": "9.9.9"}))
        try:
            page.reload()
            page.see("claimsd was updated. The new page comes with your next login.")
            page.problems.clear()
            page.click("button", "Log in again")
            self.log_in(page, "clerk")
            page.see("12 records")
            page.see("claimsd was updated", ".bands")
        finally:
            (folder / "9.9.9").rename(folder / described["version"])
            (folder / "version.json").write_text(json.dumps(described))
        page.problems.clear()

    def test_a_group_that_was_taken_away_is_missed_from_the_next_login_on(self) -> None:
        page = self.begin("deputy")
        subprocess.run(["gpasswd", "--delete", "deputy", "claims"], check=True, stdout=subprocess.DEVNULL)
        self.addCleanup(subprocess.run, ["gpasswd", "--add", "deputy", "claims"], check=True, stdout=subprocess.DEVNULL)
        page.reload()
        page.see("12 records")
        self.addCleanup(os.chmod, SOCKET, os.stat(SOCKET).st_mode)
        os.chmod(SOCKET, 0o660)
        page.click("header button", "Log out")
        page.click("a", "Log in again")
        self.log_in(page, "deputy")
        page.see("it is not in the group claims", ".bands")
        self.assertNotIn("Pump", page.text("body"))

    def test_an_idle_page_warns_and_logs_out_and_a_key_keeps_it(self) -> None:
        page = self.begin(settings="[Session]\nIdleTimeout = 2\n")
        page.see("clerk", ".who")
        page.call("function() { document.documentElement.dataset.advance = 100000; }")
        page.see("You will be logged out in", "dialog")
        page.press("Enter")
        page.until("() => !document.querySelector('dialog')")
        page.call("function() { document.documentElement.dataset.advance = 210000; }")
        page.see("You will be logged out in", "dialog")
        page.call("function() { document.documentElement.dataset.advance = 240000; }")
        page.see("You are logged out.")
        self.assertNotIn("Pump", page.call("function() { return document.documentElement.outerHTML; }"))
