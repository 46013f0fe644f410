# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""What the tests share: the browser, and a class of tests with a stage."""

import json
import os
import pathlib
import shutil
import signal
import tempfile
import unittest
import urllib.request
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
    tab: Page | None = None
    tab_address = ""
    tab_settings: tuple[str, int | None] = ("", None)

    @classmethod
    def setUpClass(cls) -> None:
        cls.stage = Stage(pathlib.Path(tempfile.mkdtemp(dir=folder)))
        cls.addClassCleanup(cls.stage.close)
        cls.addClassCleanup(cls.close_tab)
        cls.tab = None
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
        """Opens the page, and waits for its list: a new document in the tab of the class, without what the one before kept.

        There is another tab and another Cockpit only where the last one is gone, or other settings are asked for.
        """
        cls = type(self)
        cockpit = self.stage.processes.get("cockpit")
        if cls.tab is None or cockpit is None or cockpit.poll() is not None or (settings, self.stage.user) != cls.tab_settings:
            self.close_tab()
            cls.tab_address = self.stage.cockpit(settings)
            cls.tab_settings = (settings, self.stage.user)
            cls.tab = browser.page(**options)
        page = self.page = cls.tab
        self.addCleanup(self._finish, page)
        page.goto("about:blank")
        page.send("Storage.clearDataForOrigin", origin=cls.tab_address.split("/cockpit/")[0], storageTypes="local_storage")
        page.arrange(**options)
        page.goto(cls.tab_address + fragment)
        page.wait_for(wait)
        return page

    @classmethod
    def close_tab(cls) -> None:
        """Closes the tab of the class, and ends its Cockpit."""
        if cls.tab is not None:
            cls.tab.close()
        cls.tab = None
        cls.stage.stop("cockpit", 9)

    def _finish(self, page: Page) -> None:
        outcome = self._outcome.result  # type: ignore[attr-defined]
        isBad = any(test is self for test, _ in outcome.failures + outcome.errors)
        pictures = os.environ.get("CLAIMSD_WEB_PICTURES")
        if isBad and pictures:
            page.screenshot(pathlib.Path(pictures) / f"{self.id()}.png")
        problems = page.problems[:]
        page.problems.clear()
        if isBad or page is not type(self).tab:
            page.close()
            type(self).tab = None
        self.assertEqual(problems, [], "errors in the page's console")


class WritingTest(WebTest):
    """Tests over an upstream that keeps what it is sent: documents, and claims."""

    # The reaction of the upstream to a repeated write.
    keys = 'idempotency: { header: "Idempotency-Key", life: "24h" }'

    @classmethod
    def prepare(cls) -> None:
        stage = cls.stage
        documents = [{"id": "1", "title": "Gym contract", "type": "gym_membership", "status": "pending"}]
        claims = [{"id": str(number), "title": f"Claim {number}", "type": "dental", "status": "pending", "amount": 10} for number in range(1, 6)]
        for name, records in (("documents", documents), ("claims", claims)):
            (stage.folder / f"{name}.json").write_text(json.dumps(records))
        rules = json.dumps({"id": "id", "ids": "server", "keys": "honoured", "files": "imageUrls"})
        stage.upstream(*(part for name in ("documents", "claims") for part in (
            "--store", f"/{name}={stage.folder}/{name}.json", "--rules", f"/{name}={rules}")))
        at = f"http://127.0.0.1:{stage.port}"
        keys = f"{cls.keys}," if cls.keys else ""
        stage.define("documents", f"""{{ source: {{ url: "{at}/documents", interval: "1h" }}, writes: {{ to: "upstream", {keys}
            create: {{ url: "{at}/documents", id: "/id" }}, update: {{ url: "{at}/documents/{{id}}" }},
            attachments: {{ send: {{ url: "{at}/documents/{{id}}/files" }} }} }} }}""")
        stage.define("claims", f"""{{ source: {{ url: "{at}/claims", interval: "1h" }}, writes: {{ to: "upstream", {keys}
            create: {{ url: "{at}/claims", id: "/id" }}, update: {{ url: "{at}/claims/{{id}}" }}, delete: {{ url: "{at}/claims/{{id}}" }} }} }}""")
        stage.daemon()
        for name in ("documents", "claims"):
            stage.refresh(name)

    def control(self, method: str, path: str, body: Any = None) -> Any:
        """Has the upstream misbehave, or tells what it has."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.stage.port}/_control/{path}", method=method, data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=20) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def restart_daemon(self) -> None:
        """Kills the daemon in the midst of whatever it does, and starts it again."""
        self.stage.stop("claimsd", signal.SIGKILL)
        self.stage.daemon()

    def submit(self, page: Page) -> None:
        """Clicks on the button that submits."""
        page.click("form .acts button")

    def operations(self) -> list[dict[str, Any]]:
        """The operations that are not settled."""
        found: list[dict[str, Any]] = self.stage.ask("outbox", state="unsettled")["operations"]
        return found
