// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// A JSON value read as a field's type. Two are equal if a record of that field has the same value.
///
/// Numbers are equal by value, moments by the millisecond, and JSON without regard to the order of members.
public enum TypedValue: Sendable, Equatable {
    /// A text, an id or an address, in UTF-8.
    case text([UInt8])
    /// The index of an enum's code.
    case code(Int)
    /// The text of an enum that its vocabulary does not have.
    case raw([UInt8])
    /// The exact key of a number.
    case number([UInt8])
    /// A moment, in milliseconds since 1970.
    case moment(Int64)
    /// A day, counted from 1970-01-01.
    case day(Int)
    case bool(Bool)
    case json(JSONValue)

    /// Reads a value as the decoder of records would; nil if it is of another type, or no value.
    ///
    /// - Parameter field: The index of the field in the definition.
    public init?(_ value: JSONValue, of field: Int, in definition: Definition) {
        if Self.isBlank(value) { return nil }
        switch definition.fields[field].type {
        case .json: self = .json(value)
        case .bool:
            guard let isTrue = value.boolean else { return nil }
            self = .bool(isTrue)
        case .id:
            guard let text = value.string ?? value.number else { return nil }
            self = .text(Array(text.utf8))
        case .text, .url:
            guard let text = value.string else { return nil }
            self = .text(Array(text.utf8))
        case .enum:
            guard let vocabulary = definition.vocabulary(of: field) else { return nil }
            let text = value.string.map { Array($0.utf8) } ?? value.compactBytes
            self = vocabulary.index(matching: text.rawSpan).map { .code($0) } ?? .raw(text)
        case .integer, .decimal:
            guard let text = value.string ?? value.number, let read = Self.number(Array(text.utf8)),
                definition.fields[field].type == .decimal || read.isWhole
            else { return nil }
            self = .number(read.key)
        case .instant:
            guard let text = value.string, let instant = Self.instant(Array(text.utf8)) else { return nil }
            self = .moment(instant.ms)
        case .date:
            guard let text = value.string, let day = Self.day(Array(text.utf8)) else { return nil }
            self = .day(day)
        }
    }

    /// Whether a value counts as absent in records: null, or a text of only white space.
    public static func isBlank(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .string(let text): WhiteSpace.fills(Array(text.utf8).rawSpan)
        case .bool, .number, .array, .object: false
        }
    }

    private static func number(_ text: [UInt8]) -> (key: [UInt8], isWhole: Bool)? {
        let trimmed = WhiteSpace.trimmed(text.rawSpan)
        guard let number = NumberText(trimmed) else { return nil }
        var key: [UInt8] = []
        KeyEncoding.append(number, of: trimmed, to: &key)
        return (key, number.isWhole)
    }

    private static func instant(_ text: [UInt8]) -> Instant? { Instant.parse(WhiteSpace.trimmed(text.rawSpan)) }

    private static func day(_ text: [UInt8]) -> Int? { CivilDate.parse(WhiteSpace.trimmed(text.rawSpan)) }

    public static func == (left: TypedValue, right: TypedValue) -> Bool {
        switch (left, right) {
        case (.text(let a), .text(let b)), (.raw(let a), .raw(let b)), (.number(let a), .number(let b)): a == b
        case (.code(let a), .code(let b)): a == b
        case (.moment(let a), .moment(let b)): a == b
        case (.day(let a), .day(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        case (.json(let a), .json(let b)): a.isEquivalent(to: b)
        default: false
        }
    }
}

extension JSONValue {
    /// Whether two values mean the same: numbers by value, members in any order and of one name the last.
    public func isEquivalent(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)):
            a.utf8.elementsEqual(b.utf8) || KeyEncoding.number(a).map { $0 == KeyEncoding.number(b) } ?? false
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.isEquivalent(to: $1) }
        case (.object(let a), .object(let b)): Self.areEquivalent(a.byName, b.byName)
        default: false
        }
    }

    private static func areEquivalent(_ left: [[UInt8]: JSONValue], _ right: [[UInt8]: JSONValue]) -> Bool {
        left.count == right.count
            && left.allSatisfy { name, value in right[name].map { value.isEquivalent(to: $0) } ?? false }
    }
}

extension JSONObject {
    /// The last value of each name, by the bytes of the name.
    fileprivate var byName: [[UInt8]: JSONValue] {
        Dictionary(members.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { $1 })
    }
}

/// A date as filters and rules of writes spell it, before the type of its field is known.
public enum DateValue: Sendable, Hashable {
    /// A whole civil day, counted from 1970-01-01.
    case day(Int)
    /// A moment, in milliseconds since 1970.
    case moment(Int64)
    /// `-3d`, `+2w`: a number of days of 24 hours before or after now.
    case offset(days: Int)

    /// Ten thousand years either way: more than there are dates.
    static let maxOffset = 3_652_425

    /// The forms in which dates are written, for hints.
    public static let forms = TranslatedText(
        en: "a date is 2026-11-20, 2026-11-20T08:01:02Z, now, today, yesterday, tomorrow, or an offset in days or "
            + "weeks: -3d, +2w",
        pl: "data to 2026-11-20, 2026-11-20T08:01:02Z, now, today, yesterday, tomorrow albo przesunięcie w dniach lub "
            + "tygodniach: -3d, +2w")

    /// Reads a date; nil if the text is not one.
    public init?(_ text: String, in calendar: CivilCalendar) {
        switch text {
        case "now": self = .moment(calendar.now)
        case "today": self = .day(calendar.today)
        case "yesterday": self = .day(calendar.today - 1)
        case "tomorrow": self = .day(calendar.today + 1)
        default:
            guard let date = DateValue(unnamed: text) else { return nil }
            self = date
        }
    }

    /// Reads a date that is not named by a word such as `now`; nil if the text is not one.
    public init?(unnamed text: String) {
        if let offset = Self.offset(text.utf8) {
            self = .offset(days: offset)
        } else if let day = CivilDate.parse(text) {
            self = .day(day)
        } else if let moment = Instant.parse(text)?.ms {
            self = .moment(moment)
        } else {
            return nil
        }
    }

    /// The day that the date means for a field of days, counted from 1970-01-01.
    public func day(in calendar: CivilCalendar) -> Int {
        switch self {
        case .day(let day): day
        case .moment(let moment): calendar.day(of: moment)
        case .offset(let days): calendar.today + days
        }
    }

    /// `+` or `-`, digits, `d` or `w`; in days.
    private static func offset(_ text: String.UTF8View) -> Int? {
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let unit = text.last,
            unit == UInt8(ascii: "d") || unit == UInt8(ascii: "w"), text.count > 2
        else { return nil }
        var count = 0
        for byte in text.dropFirst().dropLast() {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            count = count * 10 + Int(byte - UInt8(ascii: "0"))
            guard count <= maxOffset else { return nil }
        }
        let days = unit == UInt8(ascii: "w") ? count * 7 : count
        return days > maxOffset ? nil : sign == UInt8(ascii: "-") ? -days : days
    }
}
