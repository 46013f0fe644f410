// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads the values of a step's members, and reports what was expected of an invalid one.
enum StepValue {
    static func number(
        _ key: String, _ value: JSONValue, _ range: ClosedRange<Int>
    ) throws(UpstreamError) -> Int {
        guard let number = value.integer.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            throw UpstreamError("\(key) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func text(_ key: String, _ value: JSONValue) throws(UpstreamError) -> String {
        guard let text = value.string else { throw UpstreamError("\(key) is a string") }
        return text
    }

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ key: String, _ value: JSONValue
    ) throws(UpstreamError) -> Choice {
        guard let choice = value.string.flatMap(Choice.init(rawValue:)) else {
            throw UpstreamError("\(key) is one of \(Choice.allCases.map(\.rawValue).joined(separator: " "))")
        }
        return choice
    }

    /// The members of an object of texts; the value is nil for any other value.
    static func headers(
        _ key: String, _ value: JSONValue
    ) throws(UpstreamError) -> [(name: String, value: String?)] {
        guard let members = value.object?.members else { throw UpstreamError("\(key) is an object") }
        return members.map { member in (member.key, member.value.string) }
    }
}
