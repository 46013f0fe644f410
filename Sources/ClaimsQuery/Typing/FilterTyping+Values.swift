// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

extension FilterTyping {
    /// All keys that a value means: one, or those of a whole day.
    ///
    /// - Parameter isEquality: for `=` and `!=`, where an offset such as `-3d` means the day it falls on. Elsewhere it
    ///   is the moment so many times 24 hours from now.
    func span(
        of value: FilterLiteral, _ field: Int, isEquality: Bool, in term: FilterTerm
    ) throws(FilterError) -> KeyRange {
        switch type(of: field) {
        case .text: return .point(try folded(value, in: term))
        case .id: return .point(KeyEncoding.natural(value.text))
        case .url: return .point(Array(value.text.utf8))
        case .integer, .decimal:
            if let key = KeyEncoding.number(value.text) { return .point(key) }
        case .bool:
            if value.text == "true" { return .point(FieldKeys.bool(isTrue: true)) }
            if value.text == "false" { return .point(FieldKeys.bool(isTrue: false)) }
        case .date:
            if let date = DateValue(value.text, in: context.calendar) {
                return .point(FieldKeys.date(date.day(in: context.calendar)))
            }
        case .instant:
            if let date = DateValue(value.text, in: context.calendar) { return moments(date, isEquality: isEquality) }
        case .enum, .json: break
        }
        throw mismatch(value, field, in: term)
    }

    /// The moments that a date means for a field of moments: one, or all of a day.
    private func moments(_ date: DateValue, isEquality: Bool) -> KeyRange {
        switch time(date, isEquality: isEquality) {
        case .moment(let moment): .point(FieldKeys.instant(moment))
        case .day(let start, let end):
            KeyRange(lower: FieldKeys.instant(start), upper: FieldKeys.instant(end), upperInclusive: false)
        }
    }

    /// The time that a date means for a field of moments, in milliseconds since 1970.
    func time(_ date: DateValue, isEquality: Bool) -> FilterTime {
        switch date {
        case .day(let day): wholeDay(day)
        case .moment(let moment): .moment(moment)
        case .offset(let days) where isEquality: wholeDay(context.today + days)
        case .offset(let days): .moment(context.now + Int64(days) * Instant.msPerDay)
        }
    }

    private func wholeDay(_ day: Int) -> FilterTime {
        .day(start: context.startOfDay(day), end: context.startOfDay(day + 1))
    }

    func folded(_ values: [FilterLiteral], in term: FilterTerm) throws(FilterError) -> [[UInt8]] {
        var patterns: [[UInt8]] = []
        patterns.reserveCapacity(values.count)
        for value in values { patterns.append(try folded(value, in: term)) }
        return patterns
    }

    /// The folded form of a value, of which something must be left.
    func folded(_ value: FilterLiteral, in term: FilterTerm) throws(FilterError) -> [UInt8] {
        let pattern = Folding.fold(value.text)
        guard pattern.isEmpty else { return pattern }
        let shown = Excerpt.of(value.text)
        throw FilterError(
            ErrorText(
                en: "nothing is left to compare with of '\(shown)'",
                pl: "z „\(shown)” nie zostaje nic do porównania"),
            at: value.location,
            hint: term.field.map { FilterAdvice.absent($0.name) }
                ?? ErrorText(
                    en: "white space at the ends and marks on letters do not count",
                    pl: "odstępy na początku i końcu oraz znaki diakrytyczne nie są brane pod uwagę"))
    }
}

extension FilterTyping {
    /// A comparison of an enum: `=` by code, the rest by rank.
    func codes(
        of field: Int, _ comparator: FilterOperator, _ values: [FilterLiteral], in term: FilterTerm
    ) throws(FilterError) -> Predicate {
        guard let vocabulary = context.definition.vocabulary(of: field) else { return .constant(false) }
        var wanted: [Int] = []
        wanted.reserveCapacity(values.count)
        for value in values { wanted.append(try code(value, field, vocabulary, in: term)) }
        if comparator == .eq { return .codes(field: field, wanted) }
        let ranks = wanted.map { vocabulary.codes[$0].rank }
        // Any of them: the least demanding one decides.
        let (lowest, highest) = (ranks.min() ?? .min, ranks.max() ?? .max)
        return codes(of: field, vocabulary) { rank in
            switch comparator {
            case .lt, .before: rank < highest
            case .le: rank <= highest
            case .gt, .after: rank > lowest
            case .ge: rank >= lowest
            case .eq, .ne, .has, .lacks, .starts: false
            }
        }
    }

    /// A range of an enum, by rank.
    func codes(
        of field: Int, from low: FilterLiteral?, to high: FilterLiteral?, in term: FilterTerm
    ) throws(FilterError) -> Predicate {
        guard let vocabulary = context.definition.vocabulary(of: field) else { return .constant(false) }
        var (lowest, highest) = (Int.min, Int.max)
        if let low { lowest = vocabulary.codes[try code(low, field, vocabulary, in: term)].rank }
        if let high { highest = vocabulary.codes[try code(high, field, vocabulary, in: term)].rank }
        return codes(of: field, vocabulary) { $0 >= lowest && $0 <= highest }
    }

    /// All codes whose rank passes.
    private func codes(of field: Int, _ vocabulary: Vocabulary, where passes: (Int) -> Bool) -> Predicate {
        let passing = vocabulary.codes.indices.filter { passes(vocabulary.codes[$0].rank) }
        return passing.count == vocabulary.codes.count ? .present(field: field) : .codes(field: field, passing)
    }

    /// The index of the code that a value names.
    private func code(
        _ value: FilterLiteral, _ field: Int, _ vocabulary: Vocabulary, in term: FilterTerm
    ) throws(FilterError) -> Int {
        if let index = vocabulary.index(matching: value.text) { return index }
        let name = context.definition.fields[field].name
        let codes = vocabulary.codes.map(\.code)
        let shown = Excerpt.of(value.text)
        let list = codes.joined(separator: ", ")
        throw FilterError(
            ErrorText(en: "unknown code '\(shown)' of '\(name)'", pl: "nieznany kod „\(shown)” pola „\(name)”"),
            at: value.location,
            hint: operatorHint(value, in: term) ?? Suggestion.question(value.text, among: codes)
                ?? ErrorText(en: "its codes are \(list)", pl: "jego kody to \(list)"))
    }
}

/// The time that a date of a filter means for a field of moments, in milliseconds since 1970.
enum FilterTime: Equatable {
    case moment(Int64)
    /// A civil day, without the moment at its end.
    case day(start: Int64, end: Int64)
}

/// The values of filters as the keys that records have.
enum FieldKeys {
    static func instant(_ ms: Int64) -> [UInt8] {
        var key: [UInt8] = []
        KeyEncoding.instant(ms, into: &key)
        return key
    }

    static func date(_ days: Int) -> [UInt8] {
        var key: [UInt8] = []
        KeyEncoding.date(days, into: &key)
        return key
    }

    static func bool(isTrue: Bool) -> [UInt8] {
        var key: [UInt8] = []
        KeyEncoding.bool(isTrue: isTrue, into: &key)
        return key
    }
}

extension FieldType {
    /// Whether filters may use the operator on fields of this type.
    public func takes(_ comparator: FilterOperator) -> Bool {
        switch comparator {
        case .eq, .ne: self != .json
        case .has, .lacks, .starts: isTextual
        case .gt, .ge, .lt, .le, .before, .after: hasRanges
        }
    }

    /// The operators that filters may use on fields of this type, in the order of their declaration.
    public var operators: [FilterOperator] { FilterOperator.allCases.filter(takes) }

    /// Whether filters may use `<`, `<=`, `>`, `>=`, `before`, `after` and `lo..hi` on fields of this type.
    public var hasRanges: Bool {
        switch self {
        case .id, .text, .enum, .integer, .decimal, .instant, .date: true
        case .bool, .url, .json: false
        }
    }

    /// The type in a text, after the field's name.
    var phrase: ErrorText { ErrorText(en: "of type \(rawValue)", pl: "typu \(rawValue)") }
}

extension FilterOperator {
    /// The operators that filters may use on `FIELD.raw`.
    public static let ofRaw: [FilterOperator] = [.eq, .ne, .has, .lacks, .starts]
}
