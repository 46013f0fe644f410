// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

@Suite struct OutboxContentTests {
    /// 2026-11-20T08:13:02Z
    private static let now: Int64 = 1_795_162_382_000

    @Test func `an age is a span, also of what was submitted just now, and a reason follows in small letters`() throws {
        let operations = try LayerScript.value(
            #"[{"op":"u","collection":"forms","id":"7","action":"update","state":"queued","#
                + #""submitted_at":"2026-11-20T08:12:50.000Z"},{"op":"v","collection":"forms","id":"8","#
                + #""action":"update","state":"queued","submitted_at":"2026-11-20T08:03:02.000Z"}]"#
        ).elements
        let paused = try LayerScript.value(
            #"[{"origin":"https://d.example","since":"2026-11-20T08:00:00.000Z","reason":"Żądania zawodzą.","#
                + #""next_try":"2026-11-20T08:14:00.000Z"}]"#
        ).elements
        let state = OutboxState(operations, paused: paused)
        let time = LocalTime(zone: .utc, now: Self.now, messages: .polish, stepsByMinute: true)
        let content = OutboxContent(state: state, collections: [], time: time)
        let text = content.rows(width: 40).rows.flatMap { $0 }.map(\.text).joined(separator: "\n")
        #expect(text.contains("wiek <1 min") && text.contains("wiek 10 min"), "\(text)")
        #expect(content.notes(width: 120).first?.text.contains("wstrzymano: żądania zawodzą;") == true)
    }
}
