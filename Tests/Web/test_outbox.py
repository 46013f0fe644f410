# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""The outbox: what is on its way, and what a person decides about it."""

from typing import Any

from chromium import Page
from fixture import WritingTest


class OutboxTests(WritingTest):
    """Operations over an upstream that takes a repeated write for another one."""

    keys = ""

    def open_operation(self, state: str, fault: dict[str, Any], path: str, **params: Any) -> Page:
        """Submits an operation to an upstream that misbehaves, and opens it once it has come to a state."""
        self.control("PUT", f"faults/{path}", [{"times": 1, **fault}])
        self.addCleanup(self.control, "DELETE", "faults")
        self.op = self.stage.ask("submit", **params)["op"]
        page = self.open(f"#/-/outbox/{self.op}")
        page.see(state, "dd .badge")
        return page

    def decide(self, page: Page, decision: str, question: str) -> None:
        """Clicks on a decision, and on the same word of the question that it asks."""
        page.click(".decisions button", decision)
        page.see(question, "dialog")
        page.click("dialog button", decision)

    def test_what_may_have_been_done_is_told_to_be_done_by_the_id_of_its_record(self) -> None:
        page = self.open_operation(
            "uncertain", {"fault": "close", "commit": 1, "method": "POST"}, "claims", collection="claims", action="create",
            fields={"title": "Twice?", "type": "dental", "amount": "1"})
        [made] = [one["id"] for one in self.control("GET", "records/claims") if one["title"] == "Twice?"]
        page.click(".decisions button", "It was done")
        page.see("Id of the new record", "dialog")
        page.type(made)
        page.press("Enter")
        page.see("Resolved.", ".notice")
        page.until("() => !document.querySelector('.decisions button')")
        self.stage.refresh("claims")
        page.see("confirmed", "dd .badge")
        self.assertEqual([one["id"] for one in self.control("GET", "records/claims") if one["title"] == "Twice?"], [made])

    def test_what_may_not_have_been_done_is_sent_once_more_after_a_question(self) -> None:
        page = self.open_operation(
            "uncertain", {"fault": "close", "commit": 0, "method": "PATCH"}, "claims/1", collection="claims", action="update", id="1",
            fields={"notes": "Once more"})
        self.decide(page, "Send once more", "It may be done twice.")
        page.see("Resolved.", ".notice")
        page.see("confirmed", "dd .badge")
        self.assertEqual(self.control("GET", "records/claims")[0]["notes"], "Once more")

    def test_a_conflict_shows_both_values_and_ones_own_count_after_a_question(self) -> None:
        page = self.open_operation(
            "in conflict", {"fault": "status", "status": 412, "method": "PATCH"}, "claims/2", collection="claims", action="update",
            id="2", fields={"title": "Mine"})
        page.see("Claim 2", "td")
        page.see("Mine", "td")
        self.decide(page, "Mine counts", "Write 'Mine' over what is there now?")
        page.see("confirmed", "dd .badge")
        self.assertEqual(self.control("GET", "records/claims")[1]["title"], "Mine")

    def test_what_needs_somebody_is_no_status_in_which_all_is_well(self) -> None:
        page = self.open_operation(
            "rejected", {"fault": "status", "status": 422, "method": "PATCH"}, "claims/3", collection="claims", action="update", id="3",
            fields={"title": "No"})
        page.click("header a", "Status")
        page.see("1 operation needs attention.", ".verdict")
        self.assertNotIn("All is well", page.text(".verdict"))
        page.media(kind="print")
        self.assertEqual(page.call("function() { return [...document.querySelectorAll('button')].filter(e => e.checkVisibility()).length; }"), 0)
        self.stage.ask("outbox", action="drop", ops=[self.op])

    def test_an_operation_is_held_back_and_given_up_after_a_question(self) -> None:
        self.control("PUT", "faults/claims/4", {"fault": "status", "status": 503, "headers": {"Retry-After": "600"}})
        self.addCleanup(self.control, "DELETE", "faults")
        operation = self.stage.ask("submit", collection="claims", action="update", id="4", fields={"notes": "Wait"})["op"]
        page = self.open(f"#/-/outbox/{operation}")
        page.click(".decisions button", "Hold back")
        page.see("held", ".badge")
        page.click(".decisions button", "Give up")
        page.see("Give up 'Claim 4'?", "dialog")
        page.click("dialog button.main")
        page.see("dropped", ".badge")
        self.assertEqual(page.count(".decisions button"), 0)
        self.assertNotIn("notes", self.stage.ask("detail", collection="claims", id="4")["record"])
