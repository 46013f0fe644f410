// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import Testing

@testable import ClaimsTerminal

@Suite struct RefreshProgressLineTests {
    private func text(_ more: String, _ time: LocalTime = Example.time) throws -> String {
        let params = #"{"collection":"things","phase":"connect","bytes":0,"pages":0,"records":0\#(more)}"#
        return RefreshProgressLine.text(try AnswerDocument(Array(params.utf8)).root, time)
    }

    private func wait(_ reason: String) -> String {
        #","wait":{"host":"api.example","reason":"\#(reason)","until":"2026-11-20T08:14:05.000Z"}"#
    }

    @Test func `a wait is told with its host, its end and its reason, in both languages`() throws {
        #expect(try text(wait("floor")) == "waiting for api.example until 08:14:05, as it has asked for that")
        #expect(try text(wait("rate")) == "waiting for api.example until 08:14:05, as its rate limit is used up")
        #expect(try text(wait("retry")) == "waiting for api.example until 08:14:05, to ask again after a failure")
        #expect(
            try text(wait("floor"), Example.polishTime) == "czekanie na api.example do 08:14:05, bo tego zażądał")
        // A reason of a newer daemon is none that this program knows.
        #expect(try text(wait("moon")) == text(""))
    }
}
