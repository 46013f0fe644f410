// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension TermTyping {
    /// All keys that a value means: one, or those of a whole day.
    ///
    /// - Parameter isEquality: for `=` and `!=`, where an offset such as `-3d` means the day it falls on. Elsewhere it
    ///   is the moment so many times 24 hours from now.
    func span(of value: FilterValue, _ field: Int, isEquality: Bool) throws(FilterError) -> KeyRange {
        switch definition.fields[field].type {
        case .text: return .point(try folded(value))
        case .id: return .point(KeyEncoding.natural(value.text))
        case .url: return .point(Array(value.text.utf8))
        case .integer, .decimal:
            guard let key = KeyEncoding.number(value.text) else { throw mismatch(value, field) }
            return .point(key)
        case .bool:
            guard value.text == "true" || value.text == "false" else { throw mismatch(value, field) }
            return .point(FieldKeys.bool(value.text == "true"))
        case .date: return .point(FieldKeys.date(try day(value, field)))
        case .instant: return try moments(value, field, isEquality: isEquality)
        case .enum, .json: throw mismatch(value, field)
        }
    }

    /// The day that a value means for a field of days.
    private func day(_ value: FilterValue, _ field: Int) throws(FilterError) -> Int {
        switch DateValue(value.text, in: context) {
        case .day(let day)?: return day
        case .moment(let moment)?: return context.day(of: moment)
        case .offset(let days)?: return context.today + days
        case nil: throw mismatch(value, field)
        }
    }

    /// The moments that a value means for a field of moments: one, or all of a day.
    private func moments(
        _ value: FilterValue, _ field: Int, isEquality: Bool
    ) throws(FilterError) -> KeyRange {
        switch DateValue(value.text, in: context) {
        case .day(let day)?: return wholeDay(day)
        case .moment(let moment)?: return .point(FieldKeys.instant(moment))
        case .offset(let days)? where isEquality: return wholeDay(context.today + days)
        case .offset(let days)?:
            return .point(FieldKeys.instant(context.now + Int64(days) * Instant.msPerDay))
        case nil: throw mismatch(value, field)
        }
    }

    private func wholeDay(_ day: Int) -> KeyRange {
        KeyRange(
            lower: FieldKeys.instant(context.startOfDay(day)), upper: FieldKeys.instant(context.startOfDay(day + 1)),
            upperInclusive: false)
    }

    func folded(_ values: [FilterValue]) throws(FilterError) -> [[UInt8]] {
        var patterns: [[UInt8]] = []
        for value in values { patterns.append(try folded(value)) }
        return patterns
    }

    /// The folded form of a value, of which something must be left.
    func folded(_ value: FilterValue) throws(FilterError) -> [UInt8] {
        let pattern = Folding.fold(value.text)
        guard pattern.isEmpty else { return pattern }
        throw FilterError(
            "nothing is left to compare with of '\(Excerpt.of(value.text))'", at: value.place,
            hint: term.field.map { "'\($0.name).none' finds records without a value" }
                ?? "white space at the ends and marks on letters do not count")
    }
}
