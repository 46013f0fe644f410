// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The requests that came, each from its head on.
struct RequestLog {
    /// The number of requests that are kept; the older half goes when there are more.
    private static let maxEntries = 10_000
    /// The size of the longest body that is kept, in bytes.
    private static let maxBody = 16 << 10

    struct Entry {
        let number: Int
        /// With its body once that is read, unless it is long.
        fileprivate(set) var request: UpstreamRequest
        /// When its head was read, in microseconds of the monotonic clock.
        let begun: UInt64
        /// When its answer was sent, or given up; nil before that.
        fileprivate(set) var ended: UInt64?

        var json: JSONValue {
            let headers = request.headers.map { header in JSONObject.Member(header.name, .string(header.value)) }
            return [
                "number": .integer(number), "method": .string(request.method), "path": .string(request.path),
                "query": .string(request.query), "headers": .object(JSONObject(headers)),
                "body": .string(String(decoding: request.body, as: UTF8.self)), "begun_us": .integer(begun),
                "ended_us": ended.map { time in .integer(time) } ?? .null,
            ]
        }
    }

    private(set) var entries: [Entry] = []
    /// The number of requests for each path.
    private(set) var counts: [String: Int] = [:]
    private var total = 0

    /// Adds a request whose head was read; the result is its number.
    mutating func append(_ request: UpstreamRequest, now: UInt64) -> Int {
        total += 1
        counts[request.path, default: 0] += 1
        if entries.count == Self.maxEntries { entries.removeFirst(Self.maxEntries / 2) }
        entries.append(Entry(number: total, request: request, begun: now / 1000))
        return total
    }

    /// Records that a request is answered.
    mutating func end(_ number: Int, now: UInt64) {
        guard let index = entries.lastIndex(where: { $0.number == number }) else { return }
        entries[index].ended = now / 1000
    }

    /// Adds its body to a request, unless that was forgotten.
    mutating func receive(_ body: [UInt8], of number: Int) {
        guard body.count <= Self.maxBody, let index = entries.lastIndex(where: { $0.number == number }) else { return }
        entries[index].request.body = body
    }
}
