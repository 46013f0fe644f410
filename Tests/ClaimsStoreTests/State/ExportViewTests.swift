// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct ExportViewTests {
    private struct Received: ExportReceiver {
        var records: [String] = []
        var gone: [String] = []
        var hasEnded = false

        mutating func record(_ upstream: RawSpan) { records.append(text(upstream)) }
        mutating func gone(_ id: RawSpan) { gone.append(text(id)) }
        mutating func end() { hasEnded = true }

        private func text(_ bytes: RawSpan) -> String {
            var copy: [UInt8] = []
            copy.append(bytes: bytes)
            return String(decoding: copy, as: UTF8.self)
        }
    }

    private let source = SourceID("things")

    @Test("a view has all records, and what has changed since an earlier one") func changes() throws {
        let fixture = try StoreFixture()
        #expect(try fixture.store.database.exportView(of: source) == nil, "there are no records")
        try fixture.commit(["1", "2"])
        let mark = try #require(try fixture.store.database.exportView(of: source)?.mark)
        try fixture.commit(["3"])
        guard let view = try fixture.store.database.exportView(of: source) else { throw TestFailure("no view") }
        var (all, changes) = (Received(), Received())
        try view.writeAll(to: &all)
        #expect(try view.hasChanges(since: mark))
        try view.writeChanges(since: mark, to: &changes)
        #expect(all.records.count == 3 && all.gone.isEmpty && all.hasEnded)
        #expect(changes.records == [#"{"id":"3"}"#] && changes.hasEnded)
        #expect(try !view.isUnchanged(since: mark) && view.isUnchanged(since: view.mark))
        #expect(try view.quarantined() == 0 && view.forgotten(since: mark).isEmpty)
    }

    @Test("changes cannot be told after a moment of another collection, or one that the log has not any more")
    func unknown() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1"])
        let mark = try #require(try fixture.store.database.exportView(of: source)?.mark)
        for isArchiving in [true, false, true] { try fixture.archive(["1"], isArchiving) }
        try fixture.trim(changes: 1)
        guard let view = try fixture.store.database.exportView(of: source) else { throw TestFailure("no view") }
        #expect(try !view.hasChanges(since: mark))
        #expect(try view.hasChanges(since: view.mark))
        var other = view.mark
        other.number += 1
        #expect(try !view.hasChanges(since: other))
    }
}
