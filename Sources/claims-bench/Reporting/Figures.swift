// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Formats numbers for people.
enum Figures {
    static func duration(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1000: "\(three(nanoseconds)) ns"
        case ..<1e6: "\(three(nanoseconds / 1e3)) µs"
        case ..<1e9: "\(three(nanoseconds / 1e6)) ms"
        default: "\(three(nanoseconds / 1e9)) s"
        }
    }

    static func bytes(_ count: Double) -> String {
        count < 10_240 ? "\(Int(count.rounded()).grouped()) B" : "\(three(count / 1_048_576)) MiB"
    }

    static func rate(_ perSecond: Double) -> String { Int(perSecond.rounded()).grouped() }

    static func value(_ value: Double, _ unit: Unit) -> String {
        switch unit {
        case .nanoseconds: duration(value)
        case .bytes: bytes(value)
        case .perSecond: rate(value)
        case .count: fixed(value, 2)
        }
    }

    /// At least three significant digits.
    static func three(_ value: Double) -> String {
        let digits = value.magnitude < 10 ? 2 : value.magnitude < 100 ? 1 : 0
        return fixed(value, digits)
    }

    static func fixed(_ value: Double, _ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let rounded = Int((value.magnitude * scale).rounded())
        let sign = value < 0 && rounded > 0 ? "-" : ""
        guard digits > 0 else { return sign + rounded.grouped() }
        let fraction = String(rounded % Int(scale))
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return "\(sign)\((rounded / Int(scale)).grouped()).\(zeros)\(fraction)"
    }
}
