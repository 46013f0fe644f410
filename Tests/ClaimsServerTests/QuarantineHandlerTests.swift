// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import Testing

@Suite struct QuarantineHandlerTests {
    private let shelf: ServedShelf

    init() throws { shelf = try ServedShelf() }

    private func numbers(_ result: JSONValue, _ name: String = "entries") -> [Int64] {
        (result[name]?.array ?? []).compactMap { $0["entry"]?.integer ?? $0.integer }
    }

    @Test func `a list is paged by number, and its cursor belongs to it`() async throws {
        let first = try await shelf.ask("quarantine", #"{"collection":"shelf","limit":3}"#)
        #expect(numbers(first) == [1, 2, 3] && first["total"] == 5)
        #expect(first["entries"]?.array?[1]["id"] == "b" && first["entries"]?.array?[0]["id"] == nil)
        #expect(first["entries"]?.array?[0]["excerpt"]?.string?.count == 120)
        let cursor = try #require(first["next"]?.string)
        let second = try await shelf.ask("quarantine", #"{"collection":"shelf","limit":3,"cursor":"\#(cursor)"}"#)
        #expect(numbers(second) == [4, 5] && second["next"] == nil)
        #expect(await shelf.refusal("quarantine", #"{"collection":"notes","cursor":"\#(cursor)"}"#) == .badCursor)
        let forged = String(cursor.reversed())
        #expect(await shelf.refusal("quarantine", #"{"collection":"shelf","cursor":"\#(forged)"}"#) == .badCursor)
    }

    @Test func `get answers the bytes as text, or in base64`() async throws {
        let text = try await shelf.ask("quarantine", #"{"collection":"shelf","action":"get","entry":4}"#)
        #expect(text["bytes"]?.string?.count == 250 && text["truncated"] == true && text["entry"] == 4)
        let other = try await shelf.ask("quarantine", #"{"collection":"shelf","action":"get","entry":3}"#)
        #expect(other["base64"]?.string == "Iv8i" && other["bytes"] == nil && other["truncated"] == false)
        #expect(await shelf.refusal("quarantine", #"{"collection":"shelf","action":"get"}"#) == .badParams)
        #expect(await shelf.refusal("quarantine", #"{"collection":"shelf","action":"get","entry":9}"#) == .notFound)
    }

    @Test func `retry tells what became records, and what stays`() async throws {
        let all = try await shelf.ask("quarantine", #"{"collection":"shelf","action":"retry"}"#)
        #expect(numbers(all, "accepted") == [2, 4] && numbers(all, "refused") == [1, 3, 5])
        #expect(all["clock"]?.string?.hasSuffix(".9") == true)
        let one = try await shelf.ask("quarantine", #"{"collection":"shelf","action":"retry","entry":2}"#)
        #expect(one["accepted"]?.array?.first?["id"] == "id2" && one["refused"] == [])
        #expect(await shelf.refusal("quarantine", #"{"collection":"shelf","action":"retry","entry":7}"#) == .notFound)
        #expect(await shelf.refusal("quarantine", #"{"collection":"notes","action":"retry"}"#) == .noData)
    }

    @Test func `drop and retry need the role admin`() async throws {
        let dropped = try await shelf.ask("quarantine", #"{"collection":"shelf","action":"drop","entry":3}"#)
        #expect(dropped["dropped"] == [3] && shelf.effects.with { $0.dropped } == [3])
        for action in ["drop", "retry"] {
            let params = #"{"collection":"shelf","action":"\#(action)"}"#
            #expect(await shelf.refusal("quarantine", params, roles: [.read, .archive]) == .forbidden)
        }
        #expect(shelf.effects.with { $0.dropped } == [3])
        #expect(await shelf.refusal("quarantine", #"{"collection":"shelf","action":"drop","entry":8}"#) == .notFound)
    }
}
