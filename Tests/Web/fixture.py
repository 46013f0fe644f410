# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""What the tests share: the browser, and a class of tests with a stage."""

import os
import pathlib
import shutil
import tempfile
import unittest
from typing import Any

from chromium import Chromium, Page
from stage import ROOT, Stage

folder: pathlib.Path
browser: Chromium
COLLECTIONS = ("claims", "packs", "units")


class WebTest(unittest.TestCase):
    """Tests on one stage: an upstream with the records of `make demo`, claimsd, and a Cockpit for each page.

    A class may have a `prepare` of its own. A picture of the page is left in $CLAIMSD_WEB_PICTURES when a test fails.
    """

    stage: Stage
    page: Page

    @classmethod
    def setUpClass(cls) -> None:
        cls.stage = Stage(pathlib.Path(tempfile.mkdtemp(dir=folder)))
        cls.addClassCleanup(cls.stage.close)
        cls.prepare()

    @classmethod
    def prepare(cls) -> None:
        """Starts what the tests of the class need."""
        for name in COLLECTIONS:
            shutil.copy(ROOT / f"Tests/Demo/upstream/{name}.json", cls.stage.folder / "upstream")
        cls.stage.upstream()
        for name in COLLECTIONS:
            cls.stage.define(name)
        cls.stage.daemon()
        for name in COLLECTIONS:
            cls.stage.refresh(name)

    def open(self, fragment: str = "", settings: str = "", wait: str = "main h1, main .empty", **options: Any) -> Page:
        """Opens the page in a new context, over a new Cockpit, and waits for its list."""
        page = browser.page(**options)
        self.page = page
        self.addCleanup(self._finish, page)
        page.goto(self.stage.cockpit(settings) + fragment)
        page.wait_for(wait)
        return page

    def _finish(self, page: Page) -> None:
        outcome = self._outcome.result  # type: ignore[attr-defined]
        isBad = any(test is self for test, _ in outcome.failures + outcome.errors)
        pictures = os.environ.get("CLAIMSD_WEB_PICTURES")
        if isBad and pictures:
            page.screenshot(pathlib.Path(pictures) / f"{self.id()}.png")
        page.close()
        self.stage.stop("cockpit", 9)
        self.assertEqual(page.problems, [], "errors in the page's console")
