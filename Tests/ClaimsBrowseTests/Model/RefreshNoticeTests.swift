// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

@Suite struct RefreshNoticeTests {
    private static func notice(_ outcomes: String..., messages: Messages) -> String {
        let time = LocalTime(zone: .utc, now: 1_795_334_400_000, messages: messages)
        return messages.refreshed(outcomes.map { RefreshSummary(FakeDaemon.value($0), title: "Units") }, time).text
    }

    @Test func `the outcome of a refresh is told in both languages`() {
        let updated = #"{"outcome":"updated","added":1200,"updated":1,"removed":0}"#
        #expect(Self.notice(updated, messages: .english) == "Units refreshed: 1,200 added, 1 changed.")
        #expect(Self.notice(updated, messages: .polish) == "Units, odświeżono: dodane: 1\u{A0}200, zmienione: 1.")
        let failed = #"{"outcome":"failed","meta":{"last_error":{"kind":"http","message":"The server refused."}}}"#
        #expect(Self.notice(failed, messages: .english) == "Units was not refreshed: the server refused")
        let joinless =
            #"{"outcome":"unchanged","meta":{"last_error":{"kind":"join","message":"The second request failed."}}}"#
        #expect(Self.notice(joinless, messages: .english) == "Units was refreshed, but the second request failed")
        #expect(Self.notice(joinless, messages: .polish).hasPrefix("Units: odświeżono, ale "))
        let skipped = #"{"outcome":"skipped","until":"2026-11-22T08:03:00.000Z"}"#
        #expect(Self.notice(skipped, messages: .english) == "Units cannot be refreshed now, not before 08:03.")
        // The word of a newer daemon stands for itself.
        #expect(Self.notice(#"{"outcome":"eaten"}"#, messages: .english) == "Units was not refreshed: eaten")
        #expect(Self.notice(#"{"outcome":"held"}"#, messages: .english).hasSuffix("A accepts."))
        #expect(
            Self.notice(updated, #"{"outcome":"unchanged"}"#, messages: .english)
                == "Refreshed 2 collections, 1 with changes.")
        #expect(Self.notice(updated, failed, messages: .polish) == "Nie odświeżono: Units.")
    }

    @Test func `in the status r is about the selected collection`() throws {
        var daemon = BrowseStage.units(10)
        daemon.holdsRefreshes = true
        var stage = BrowseStage.begun(daemon)
        stage.press("3")
        stage.settle()
        stage.press(.down, "r")
        #expect(stage.model.state.lists["books"]?.refresh != nil)
        #expect(stage.model.state.lists["units"]?.refresh == nil)
        #expect(stage.model.state.notice?.kind == .news)
    }

    @Test func `a refresh that runs is not asked for again, and its outcome is told`() {
        var daemon = BrowseStage.units(10)
        daemon.holdsRefreshes = true
        var stage = BrowseStage.begun(daemon)
        stage.press("r", "r")
        #expect(stage.daemon.asked.filter { $0 == "refresh" }.count == 1)
        #expect(stage.list.refresh != nil)
        // While something is asked, the seconds count.
        #expect(stage.model.wakeAt ?? .max <= stage.now.monotonic + 1_000_000_000)
        stage.lose()
        #expect(stage.list.refresh == nil)
        stage.press("r")
        #expect(stage.model.state.notice?.kind == .wrong)
    }

    @Test func `what nobody holds back cannot be accepted`() {
        var stage = BrowseStage.begun(BrowseStage.units(10))
        stage.press("A")
        #expect(stage.model.state.notice?.text == "Nothing is held back.")
        #expect(stage.model.state.layers.isEmpty)
    }
}
