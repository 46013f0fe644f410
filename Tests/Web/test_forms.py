# SPDX-FileCopyrightText: 2026 The claimsd authors
# SPDX-License-Identifier: Apache-2.0

"""Forms and files, over an upstream that keeps what it is sent."""

import json
import os
import signal
import struct
import zlib

import test_access
import test_files
from fixture import WritingTest
from stage import SOCKET
from wire import Wire


# All texts that are shown, but for the name of the other language.
TEXTS = """function() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode.data.trim());
    return texts;
}"""


def picture(width: int = 40, height: int = 30, noise: int = 0) -> bytes:
    """A picture in PNG, with so many bytes more that nobody looks at."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes((60, 120, 200)) * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + (
        chunk(b"teXt", bytes(noise)) if noise else b"") + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class FormTests(WritingTest):
    """Documents and claims that are written to an upstream."""

    @classmethod
    def prepare(cls) -> None:
        cls.scan = cls.stage.folder / "skan\u202e paszportu.png"
        cls.scan.write_bytes(picture())
        super().prepare()

    def test_a_scan_without_a_title_is_added_while_the_upstream_is_away_and_confirmed_later(self) -> None:
        self.control("PUT", "faults/documents", {"fault": "status", "status": 503, "method": "POST", "headers": {"Retry-After": "1"}})
        self.addCleanup(self.control, "DELETE", "faults")
        page = self.open("#/documents?do=create")
        page.choose("#field-type", "identification")
        page.choose_files("#files", self.scan)
        page.see("sent", ".items")
        self.submit(page)
        page.see("1 problem to mend", ".problems")
        self.assertIn("Title: a value is missing", page.focused())
        page.click(".problems a", "Title")
        page.type("Passport")
        self.submit(page)
        page.see("Added: Passport · queued", ".notice")
        page.see("Add a document · queued", "section")
        page.until("() => document.querySelector('.picture img')?.naturalWidth === 40")
        saved = self.stage.folder / "saved"
        page.browser.send("Browser.setDownloadBehavior", behavior="allow", browserContextId=page.context, downloadPath=str(saved))
        page.click(".attachments button", "Save")
        name = self.stage.wait(lambda: next(saved.glob("*.png"), None) if saved.exists() else None, "the saved file")
        self.assertEqual((name.name, name.read_bytes()), ("skan_u202e paszportu.png", picture()))
        page.click("header a", "Outbox")
        page.see("next try", ".operations")
        self.control("DELETE", "faults")
        page.click(".operations a", "Passport")
        page.see("confirmed", ".badge")
        [record] = [one for one in self.control("GET", "records/documents") if one["title"] == "Passport"]
        self.assertEqual(len(record["imageUrls"]), 1)

    def test_files_that_the_rules_refuse_are_told_and_not_sent(self) -> None:
        text = self.stage.folder / "letter.png"
        text.write_text("This is no picture.")
        page = self.open("#/documents?do=create")
        page.wait_for("form fieldset")
        page.choose_files("#files", text, self.scan)
        page.see("files can be jpeg, png, pdf", ".items")
        page.see("sent", ".items li:nth-child(2)")
        page.choose_files("#files", self.scan)
        page.see("it is there already", ".items li:nth-child(3)")
        page.click(".items li:nth-child(2) button", "Remove")
        page.until("() => document.querySelectorAll('.items > li').length === 2")
        page.call("""function() {
            const dropped = new DataTransfer();
            dropped.items.add(new File([Uint8Array.of(0x25, 0x50, 0x44, 0x46, 0x2d)], 'letter.pdf'));
            dropped.items.add(new File(['x'], 'n'.repeat(256)));
            for (const kind of ['dragover', 'drop']) {
                document.querySelector('.drop').dispatchEvent(new DragEvent(kind, { dataTransfer: dropped, bubbles: true, cancelable: true }));
            }
        }""")
        page.see("letter.pdf\n5 B · sent", ".items")
        page.see("its name is too long", ".items")

    def test_an_edit_of_what_somebody_else_has_changed_shows_both_values(self) -> None:
        page = self.open("#/claims/1?do=update")
        page.fill("#field-title", "Mine")
        self.stage.ask("submit", collection="claims", action="update", id="1", fields={"title": "Theirs", "notes": "n"})
        self.submit(page)
        page.see("Somebody has changed the record meanwhile.", ".problems")
        page.see("Now: Theirs", ".served")
        self.assertEqual(page.call("function() { return document.querySelector('#field-title').value; }"), "Mine")
        self.submit(page)
        page.see("Changed Mine: Title", ".notice")
        page.see("Mine", "h1")
        self.assertEqual(self.stage.ask("detail", collection="claims", id="1")["record"]["notes"], "n")

    def test_a_rejected_write_is_corrected_and_sent_again(self) -> None:
        self.control("PUT", "faults/claims/2", [{"fault": "status", "status": 422, "method": "PATCH", "times": 1, "json": {"why": "too dear"}}])
        page = self.open("#/claims/2?do=update")
        page.fill("#field-amount", "9999")
        self.submit(page)
        page.see("Changed Claim 2: Amount", ".notice")
        page.see("rejected", "section")
        page.click("section a", "Edit")
        page.see("too dear", "pre")
        page.click(".decisions button", "Try again with other values")
        page.see("Other values for", "h1")
        page.fill("#field-amount", "99")
        self.submit(page)
        page.see("confirmed", ".badge")
        self.assertEqual(self.control("GET", "records/claims")[1]["amount"], 99)

    def test_a_delete_shows_what_goes_and_asks(self) -> None:
        page = self.open("#/claims/3")
        page.click("main .acts button", "Delete")
        page.see("The record goes away.", ".preview")
        self.submit(page)
        page.see("Delete 'Claim 3'?", "dialog")
        page.click("dialog button", "Cancel")
        page.gone("Delete 'Claim 3'?")
        self.submit(page)
        page.click("dialog button.main")
        page.see("Deleted: Claim 3", ".notice")
        page.gone("Claim 3", ".body")
        page.until("() => location.hash === '#/claims'")

    def test_a_claim_is_filed_by_keyboard_alone_with_a_document_that_is_found_by_searching(self) -> None:
        page = self.open("#/claims")
        page.wait_for("tr.record")
        page.focus("main .acts button")
        page.press("Enter")
        page.see("File a claim", "h1")

        def reach(name: str) -> None:
            for _ in range(40):
                if name in page.call("function() { const e = document.activeElement; return (e.labels?.[0]?.innerText ?? '') + ' ' + (e.innerText ?? '') + ' ' + (e.getAttribute('aria-label') ?? ''); }"):
                    return
                page.press("Tab")
            self.fail(f"{name} is not reached")

        reach("Title")
        page.type("Broken tooth")
        reach("Type")
        page.type("D")
        reach("Amount")
        page.type("12.50")
        reach("Documents: search")
        page.type("gym")
        page.see("Gym contract", "[role=option]")
        page.press("ArrowDown")
        page.press("Enter")
        page.see("Gym contract", ".items")
        reach("Preview")
        page.press("Enter")
        page.see("What the upstream is sent", ".preview")
        page.see("12.5", ".preview")
        reach("File a claim")
        page.press("Enter")
        page.see("Added: Broken tooth", ".notice")
        page.see("Broken tooth", "h1")
        self.assertEqual(page.focused(), "Broken tooth")

    def test_input_stays_while_claimsd_is_away(self) -> None:
        page = self.open("#/claims/4?do=update")
        page.fill("#field-title", "Typed before")
        self.stage.stop("claimsd", signal.SIGKILL)
        page.see("claimsd", ".bands .band")
        page.fill("#field-notes", "and after")
        self.submit(page)
        page.see("claimsd does not answer", "form .band")
        self.stage.daemon()
        page.gone("claimsd", ".bands")
        self.submit(page)
        page.see("Typed before", "h1")
        page.see("and after", "dl")

    def test_an_operation_whose_answer_was_lost_is_sent_again_and_done_once(self) -> None:
        wire = Wire()
        wire.wanted = {"method": "submit", "dry_run": False}
        self.addCleanup(wire.close)
        page = self.open("#/documents/1?do=update")
        page.fill("#field-notes", "Once")
        before = len(self.stage.ask("outbox")["operations"])
        self.submit(page)
        page.see("(it had arrived before)", ".notice")
        page.see("Once", "dl")
        self.assertTrue(wire.has_stolen)
        self.assertEqual(len(self.stage.ask("outbox")["operations"]), before + 1)

    def test_input_stays_over_the_loss_of_cockpit_and_is_submitted_by_the_next_login_of_the_same_person(self) -> None:
        page = self.open("#/claims/5?do=update")
        page.fill("#field-title", "Typed before")
        self.stage.stop("cockpit", signal.SIGKILL)
        page.see("The connection to this host is lost", ".bands")
        page.fill("#field-notes", "typed after")
        self.stage.cockpit_port -= 1
        self.stage.cockpit()
        page.gone("is lost", ".bands")
        self.submit(page)
        page.see("Typed before", "h1")
        page.see("typed after", "dl")

    def test_these_screens_fit_320_pixels_in_both_languages_and_have_contrast(self) -> None:
        operation = self.stage.ask("submit", collection="claims", action="update", id="5", fields={"notes": "Ł" * 300})["op"]
        screens = {
            "#/documents/1": ".log", "#/documents?do=create": "fieldset", "#/claims/5?do=update": "#field-documents", "#/claims/5?do=delete": ".preview",
            "#/-/outbox": ".detail", f"#/-/outbox/{operation}": "dl", "#/-/status": ".health", "#/-/status/claims": "caption",
        }
        table = [[text.strip() for text in pair] for pair in test_files.words().values()]
        for language, dark in (("en", False), ("pl", True)):
            own, others = ({pair[(language == "pl") ^ other] for pair in table} for other in (False, True))
            page = self.open("#/claims", language=language, dark=dark, width=320, height=640)
            start = page.call("function() { return location.href.split('#')[0]; }")
            for fragment, part in screens.items():
                page.goto(start + fragment)
                page.wait_for(part)
                if fragment.endswith("create"):
                    self.submit(page)
                    page.wait_for(".problems")
                self.assertEqual(page.call("function() { return document.documentElement.scrollWidth; }"), 320, f"{fragment} {language}")
                self.assertEqual(set(page.call(TEXTS)) & (others - own), set(), f"{fragment} {language}: words of the other language")
                self.assertEqual(page.call(test_access.SMALL_TARGETS), "[]", fragment)
                self.assertEqual(page.call(test_access.CONTRAST), "[]", f"{fragment} dark: {dark}")

    def test_an_action_that_does_not_suit_the_record_is_disabled_and_says_when_it_would(self) -> None:
        path = self.stage.folder / "config/collections.d/documents.json5"
        before = path.read_text()
        self.addCleanup(self.stage.reload)
        self.addCleanup(path.write_text, before)
        path.write_text(before.replace("attachments:", f'actions: {{ verify: {{ url: "http://127.0.0.1:{self.stage.port}/documents/{{id}}/verify" }}, resubmit: {{ url: "http://127.0.0.1:{self.stage.port}/documents/{{id}}/again" }} }}, attachments:'))
        self.stage.reload()
        self.stage.wait(lambda: "resubmit" in json.dumps(self.stage.ask("describe", collection="documents")), "the new definition")
        page = self.open("#/documents/1")
        page.see("Resubmit: only where status=rejected", ".lacks")
        page.click("main .acts button", "Verify")
        page.see("Verified", ".preview")

    def test_what_one_may_not_do_is_disabled_and_names_the_role(self) -> None:
        self.stage.user = 1
        self.addCleanup(setattr, self.stage, "user", None)
        os.chmod(SOCKET, 0o666)
        page = self.open("#/claims/5")
        page.see("Edit, Delete: Needs the role write", ".lacks")
        self.assertEqual(page.count("main .acts button:disabled"), 2)
        page.goto(page.call("function() { return location.href.split('#')[0]; }") + "#/claims/5?do=update")
        page.see("Needs the role write", "form")

    def test_a_file_begins_anew_after_the_daemon_was_killed(self) -> None:
        large = self.stage.folder / "large.png"
        large.write_bytes(picture(noise=3 << 20))
        page = self.open("#/documents?do=create")
        page.choose("#field-type", "identification")
        page.fill("#field-title", "Large")
        page.choose_files("#files", large)
        page.until("() => document.querySelector('.items progress')?.value > 0")
        self.restart_daemon()
        page.see("sent", ".items")
        self.submit(page)
        page.see("Added: Large", ".notice")

    def test_a_reload_of_the_definition_keeps_what_was_typed_and_leaving_asks(self) -> None:
        page = self.open("#/claims/5?do=update")
        page.fill("#field-title", "Kept")
        path = self.stage.folder / "config/collections.d/claims.json5"
        before = path.read_text()
        self.addCleanup(self.stage.reload)
        self.addCleanup(path.write_text, before)
        path.write_text(before.replace("writes: {", "writes: { fields: { title: { max_length: 3 }, currency: null },"))
        self.stage.reload()
        self.stage.wait(lambda: '"maxLength": 3' in json.dumps(self.stage.ask("describe", collection="claims")), "the new definition")
        page.focus("#field-notes")
        page.see("The rules of this form have changed", "form .band")
        page.see("at most 3 characters", "form")
        self.assertEqual(page.call("function() { return document.querySelector('#field-title').value; }"), "Kept")
        page.click("form .acts a", "Leave")
        page.see("Leave the form? What you typed is lost.", "dialog")
        page.click("dialog button", "Cancel")
        self.assertEqual(page.call("function() { return document.querySelector('#field-title').value; }"), "Kept")
        page.click("form .acts a", "Leave")
        page.click("dialog button", "Leave")
        page.see("Claim 5", "h1")

    def test_a_daemon_that_is_killed_at_any_moment_of_a_form_leaves_one_record_with_its_file(self) -> None:
        start = self.open("#/documents").call("function() { return location.href.split('#')[0]; }")
        page = self.page
        moments = ("opened", "chosen", "typed", "attached", "previewed", "submitted")

        def send() -> None:
            page.see("sent", ".items")
            # By key: what the preview shows meanwhile would move the button away from a click.
            page.focus("form .acts button.main")
            page.press("Enter")

        for moment in moments:
            steps = {
                "opened": lambda: page.goto(start + "#/documents?do=create"),
                "chosen": lambda: page.choose("#field-type", "identification"),
                "typed": lambda title=moment: page.fill("#field-title", title),
                "attached": lambda: page.choose_files("#files", self.scan),
                "previewed": lambda: page.click("form .acts button", "Preview"),
                "submitted": send,
            }
            for name, step in steps.items():
                step()
                if name == moment:
                    self.restart_daemon()
                    page.gone("claimsd", ".bands")
            page.see(f"Added: {moment}", ".notice")
        for name in moments:
            self.stage.wait(lambda: not self.operations(), "the end of the outbox")
            found = [one for one in self.control("GET", "records/documents") if one["title"] == name]
            self.assertEqual([len(one["imageUrls"]) for one in found], [1], name)
