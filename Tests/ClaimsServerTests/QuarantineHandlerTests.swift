// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct QuarantineHandlerTests {
    private let fixture: FeedFixture
    /// The numbers of five entries: one without an id, one that lacks a title and is called `b`, one that is no UTF-8,
    /// one that lacks a title and is called `d`, and one of which 250 of 300 bytes are kept.
    private let entries: [Int64]

    init() throws {
        let fixture = try FeedFixture([Self.definition(isTitleRequired: true), FeedFixture.notes()])
        self.fixture = fixture
        let good = #"{"id":"a","title":"A"}"#
        try fixture.take([good])
        let nameless = #"{"title":"\#(String(repeating: "x", count: 200))"}"#
        let long = #""\#(String(repeating: "1", count: 248))""#
        try fixture.take([good, nameless, #"{"id":"b"}"#, "7", #"{"id":"d"}"#, long])
        let collection = try fixture.view("shelf").condition.row.number
        let entries = try fixture.store.database.quarantine(of: collection, limit: 10).entries.map(\.number)
        self.entries = entries
        try #require(entries.count == 5)
        try fixture.store.database.perform { connection throws(StoreError) in
            for (change, entry) in [("bytes = x'22FF22', size = 3", entries[2]), ("size = 300", entries[4])] {
                let statement = try connection.database.prepare(
                    "UPDATE quarantine SET \(change) WHERE entry = ?1", "change a quarantined element")
                try statement.bind(1, entry)
                try statement.run()
            }
        }
    }

    private static func definition(isTitleRequired: Bool) -> Definition {
        func field(_ name: String, _ type: FieldType, isRequired: Bool = false) -> Field {
            Field(
                name: name, type: type, from: [JSONPointer(tokens: [Array(name.utf8)])], isRequired: isRequired)
        }
        return Definition(
            name: "shelf", source: Source(),
            fields: [field("id", .id), field("title", .text, isRequired: isTitleRequired)])
    }

    private func numbers(_ result: JSONValue, _ name: String = "entries") -> [Int64] {
        (result[name]?.array ?? []).compactMap { $0["entry"]?.integer ?? $0.integer }
    }

    @Test func `a list is paged by number, and its cursor belongs to it`() async throws {
        let first = try await fixture.ask("quarantine", #"{"collection":"shelf","limit":3}"#)
        #expect(numbers(first) == Array(entries.prefix(3)) && first["total"] == 5)
        #expect(first["entries"]?.array?[1]["id"] == "b" && first["entries"]?.array?[0]["id"] == nil)
        #expect(first["entries"]?.array?[0]["excerpt"]?.string?.count == 120)
        let cursor = try #require(first["next"]?.string)
        let second = try await fixture.ask("quarantine", #"{"collection":"shelf","limit":3,"cursor":"\#(cursor)"}"#)
        #expect(numbers(second) == Array(entries.suffix(2)) && second["next"] == nil)
        #expect(await fixture.refusal("quarantine", #"{"collection":"notes","cursor":"\#(cursor)"}"#) == .badCursor)
        let forged = String(cursor.reversed())
        #expect(await fixture.refusal("quarantine", #"{"collection":"shelf","cursor":"\#(forged)"}"#) == .badCursor)
    }

    @Test func `get answers the bytes as text, or in base64`() async throws {
        let text = try await fixture.ask(
            "quarantine", #"{"collection":"shelf","action":"get","entry":\#(entries[4])}"#)
        #expect(
            text["bytes"]?.string?.count == 250 && text["truncated"] == true
                && text["entry"] == .number("\(entries[4])"))
        let other = try await fixture.ask(
            "quarantine", #"{"collection":"shelf","action":"get","entry":\#(entries[2])}"#)
        #expect(other["base64"]?.string == "Iv8i" && other["bytes"] == nil && other["truncated"] == false)
        #expect(await fixture.refusal("quarantine", #"{"collection":"shelf","action":"get"}"#) == .badParams)
        let unknown = #"{"collection":"shelf","action":"get","entry":\#(entries[4] + 9)}"#
        #expect(await fixture.refusal("quarantine", unknown) == .notFound)
    }

    @Test func `retry tells what became records, and what stays`() async throws {
        fixture.reload([Self.definition(isTitleRequired: false), FeedFixture.notes()])
        let one = try await fixture.ask(
            "quarantine", #"{"collection":"shelf","action":"retry","entry":\#(entries[1])}"#)
        #expect(one["accepted"]?.array?.first?["id"] == "b" && one["refused"] == [])
        let all = try await fixture.ask("quarantine", #"{"collection":"shelf","action":"retry"}"#)
        #expect(numbers(all, "accepted") == [entries[3]])
        #expect(numbers(all, "refused") == [entries[0], entries[2], entries[4]])
        #expect(all["clock"]?.string == fixture.store.catalog.current().revision.text)
        let unknown = #"{"collection":"shelf","action":"retry","entry":\#(entries[4] + 9)}"#
        #expect(await fixture.refusal("quarantine", unknown) == .notFound)
        #expect(await fixture.refusal("quarantine", #"{"collection":"notes","action":"retry"}"#) == .noData)
    }

    @Test func `drop and retry need the role admin`() async throws {
        for action in ["drop", "retry"] {
            let params = #"{"collection":"shelf","action":"\#(action)"}"#
            #expect(await fixture.refusal("quarantine", params, roles: [.read, .archive]) == .forbidden)
        }
        let dropped = try await fixture.ask(
            "quarantine", #"{"collection":"shelf","action":"drop","entry":\#(entries[2])}"#)
        #expect(numbers(dropped, "dropped") == [entries[2]])
        let left = try await fixture.ask("quarantine", #"{"collection":"shelf"}"#)
        #expect(numbers(left) == entries.filter { $0 != entries[2] })
        let unknown = #"{"collection":"shelf","action":"drop","entry":\#(entries[4] + 9)}"#
        #expect(await fixture.refusal("quarantine", unknown) == .notFound)
    }
}
