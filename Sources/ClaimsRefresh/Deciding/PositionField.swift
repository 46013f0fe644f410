// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform

/// The field whose largest value names the state of an upstream's data: the order of its values, and what is sent for
/// one. Pure.
///
///     let field = PositionField(type: .instant, overlap: .span(.seconds(300)))
///     field.value(at: #""2026-11-20T08:01:02.999Z""#)  // "2026-11-20T07:56:02Z"
struct PositionField {
    let type: FieldType
    let overlap: IncrementalRules.Overlap

    /// A number that orders positions; nil for what is none.
    func order(of position: String) -> Int64? {
        guard let stored = try? JSONValue.parse(position) else { return nil }
        return switch type {
        case .instant: stored.string.flatMap { Instant.parse($0) }?.ms
        case .date: stored.string.flatMap { CivilDate.parse($0) }.map { Int64($0) }
        default: Self.integer(stored)
        }
    }

    /// The position that stands for a moment, in milliseconds since 1970; nil for integers, which are no times.
    func position(at moment: Int64) -> String? {
        let moment = min(max(moment, Instant.range.lowerBound), Instant.range.upperBound)
        switch type {
        case .instant: return "\"\(Instant(ms: moment).text)\""
        case .date:
            let remainder = (moment % Instant.msPerDay + Instant.msPerDay) % Instant.msPerDay
            return "\"\(Self.date(Int((moment - remainder) / Instant.msPerDay)))\""
        default: return nil
        }
    }

    /// The value to send for a position: less the overlap; nil where it cannot be one.
    func value(at position: String) -> JSONValue? {
        guard let stored = try? JSONValue.parse(position) else { return nil }
        switch (type, overlap) {
        case (.instant, .span(let span)):
            return stored.string.flatMap { Instant.parse($0) }.map { .string(Self.text($0.ms, less: span)) }
        case (.date, .span(let span)):
            return stored.string.flatMap { CivilDate.parse($0) }.map { .string(Self.date($0 - Self.days(span))) }
        case (.integer, .number(let number)):
            guard let value = Self.integer(stored) else { return nil }
            let (difference, overflow) = value.subtractingReportingOverflow(Int64(number))
            return .number("\(overflow ? Int64.min : difference)")
        default: return nil
        }
    }

    /// The instant in whole seconds, rounded down (RFC 3339, UTC).
    private static func text(_ ms: Int64, less span: Duration) -> String {
        let earlier = ms.subtractingReportingOverflow(span.wholeMilliseconds).partialValue
        let remainder = (earlier % 1000 + 1000) % 1000
        return String(Instant(ms: earlier - remainder).text.dropLast(".000Z".count)) + "Z"
    }

    private static func date(_ day: Int) -> String {
        var text: [UInt8] = []
        CivilDate.append(day, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Whole days: at least one, because a day goes on after its first change.
    private static func days(_ span: Duration) -> Int {
        max(1, Int(clamping: (span.wholeMilliseconds + Instant.msPerDay - 1) / Instant.msPerDay))
    }

    /// A whole number, however it is spelled.
    private static func integer(_ value: JSONValue) -> Int64? {
        guard let text = value.number ?? value.string else { return nil }
        if let number = Int64(text) { return number }
        guard let number = Double(text), number.magnitude < 9e15, number == number.rounded() else { return nil }
        return Int64(number)
    }
}
