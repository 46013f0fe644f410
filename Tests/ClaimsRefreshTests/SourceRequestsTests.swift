// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

@testable import ClaimsRefresh

@Suite struct SourceRequestsTests {
    private func requests(_ change: (inout Source) throws -> Void = { _ in }) throws -> SourceRequests? {
        var source = Source(ReadRequest(url: "https://example.org/a", root: try JSONPointer("")))
        source.join = Join(
            ReadRequest(url: "https://example.org/b", root: try JSONPointer("")),
            on: .init(field: 1, pointer: try JSONPointer("/k")),
            take: [.init(field: 2, pointer: try JSONPointer("/l"))])
        try change(&source)
        let fields = try ["id", "owner", "name"].enumerated().map { index, name in
            Field(name: name, type: index == 0 ? .id : .text, from: [try JSONPointer("/\(name)")])
        }
        return SourceRequests(Definition(name: "things", source: source, fields: fields), limits: TransferLimits())
    }

    @Test func `the key changes with all that is asked for`() throws {
        let header = [Header(name: "X-A", value: "b")]
        let keys = [
            try requests(), try requests { $0.request.url = "https://example.org/c" },
            try requests { $0.request.headers = header },
            try requests { $0.request.auth = .bearer("token") },
            try requests { $0.request.root = try JSONPointer("/data") },
            try requests { $0.join?.request.headers = header },
            try requests { $0.join?.request.auth = .bearer("token") },
            try requests { $0.join?.request.url = nil }, try requests { $0.join = nil },
        ].map { $0?.key }
        #expect(Set(keys).count == keys.count && !keys.contains(nil) && !keys.contains(0))
    }

    @Test func `the key does not change with when it is asked for`() throws {
        let key = try requests()?.key
        #expect(try requests { $0.interval = .seconds(7) }?.key == key)
        #expect(try requests { ($0.ttl, $0.expires) = (.seconds(1), .seconds(2)) }?.key == key)
    }

    @Test func `without an address there is nothing to ask for`() throws {
        let none = try requests { $0.request.url = nil }
        #expect(none == nil)
    }

    @Test func `people see the address without what may be a secret`() throws {
        let target = try requests { $0.request.url = "https://user:pass@example.org/a?key=secret#part" }?.records
        #expect(target?.origin == "https://example.org/a")
    }
}
