// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The part of a step that concerns writes to a store.
struct WriteFault: Sendable {
    static let members = ["commit", "change", "show_after", "show_after_ms"]

    /// The number of times that the write is done; nil leaves that to the fault.
    private(set) var commits: Int?
    /// A merge patch that the store applies to the written record.
    private(set) var change: JSONValue?
    /// The number of requests for the records of the store that do not see the write yet.
    private(set) var hiddenRequests = 0
    /// The time until the write is seen, in milliseconds.
    private(set) var hiddenTime = 0

    /// Whether the write is hidden at first.
    var hides: Bool { hiddenRequests > 0 || hiddenTime > 0 }

    mutating func set(_ key: String, _ value: JSONValue) throws(UpstreamError) {
        switch key {
        case "commit": commits = try StepValue.number(key, value, 0...100)
        case "change": change = value
        case "show_after": hiddenRequests = try StepValue.number(key, value, 0...1_000_000)
        default: hiddenTime = try StepValue.number(key, value, 0...3_600_000)
        }
    }
}
