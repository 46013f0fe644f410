// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension FilterTyping {
    /// All keys that a value means: one, or those of a whole day.
    ///
    /// - Parameter isEquality: for `=` and `!=`, where an offset such as `-3d` means the day it falls on. Elsewhere it
    ///   is the moment so many times 24 hours from now.
    func span(
        of value: FilterValue, _ field: Int, isEquality: Bool, in term: FilterTerm
    ) throws(FilterError) -> KeyRange {
        switch type(of: field) {
        case .text: return .point(try folded(value, in: term))
        case .id: return .point(KeyEncoding.natural(value.text))
        case .url: return .point(Array(value.text.utf8))
        case .integer, .decimal:
            if let key = KeyEncoding.number(value.text) { return .point(key) }
        case .bool:
            if value.text == "true" || value.text == "false" { return .point(FieldKeys.bool(value.text == "true")) }
        case .date:
            if let date = DateValue(value.text, in: context) { return .point(FieldKeys.date(day(date))) }
        case .instant:
            if let date = DateValue(value.text, in: context) { return moments(date, isEquality: isEquality) }
        case .enum, .json: break
        }
        throw mismatch(value, field, in: term)
    }

    /// The day that a date means for a field of days.
    private func day(_ date: DateValue) -> Int {
        switch date {
        case .day(let day): day
        case .moment(let moment): context.day(of: moment)
        case .offset(let days): context.today + days
        }
    }

    /// The moments that a date means for a field of moments: one, or all of a day.
    private func moments(_ date: DateValue, isEquality: Bool) -> KeyRange {
        switch date {
        case .day(let day): wholeDay(day)
        case .moment(let moment): .point(FieldKeys.instant(moment))
        case .offset(let days) where isEquality: wholeDay(context.today + days)
        case .offset(let days): .point(FieldKeys.instant(context.now + Int64(days) * Instant.msPerDay))
        }
    }

    private func wholeDay(_ day: Int) -> KeyRange {
        KeyRange(
            lower: FieldKeys.instant(context.startOfDay(day)), upper: FieldKeys.instant(context.startOfDay(day + 1)),
            upperInclusive: false)
    }

    func folded(_ values: [FilterValue], in term: FilterTerm) throws(FilterError) -> [[UInt8]] {
        var patterns: [[UInt8]] = []
        patterns.reserveCapacity(values.count)
        for value in values { patterns.append(try folded(value, in: term)) }
        return patterns
    }

    /// The folded form of a value, of which something must be left.
    func folded(_ value: FilterValue, in term: FilterTerm) throws(FilterError) -> [UInt8] {
        let pattern = Folding.fold(value.text)
        guard pattern.isEmpty else { return pattern }
        throw FilterError(
            "nothing is left to compare with of '\(Excerpt.of(value.text))'", at: value.place,
            hint: term.field.map { "'\($0.name).none' finds records without a value" }
                ?? "white space at the ends and marks on letters do not count")
    }
}
