// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel

/// Makes a predicate of a filter: resolves names, codes, dates and numbers against a definition.
struct FilterTyping {
    let context: FilterContext

    func predicate(_ node: FilterNode) throws(FilterError) -> Predicate {
        switch node {
        case .and(let operands): return .and(try predicates(operands))
        case .or(let operands): return .or(try predicates(operands))
        case .not(let operand): return .not(try predicate(operand))
        case .term(let term): return try predicate(term)
        }
    }

    private func predicates(_ nodes: [FilterNode]) throws(FilterError) -> [Predicate] {
        var predicates: [Predicate] = []
        predicates.reserveCapacity(nodes.count)
        for node in nodes { predicates.append(try predicate(node)) }
        return predicates
    }

    func predicate(_ term: FilterTerm) throws(FilterError) -> Predicate {
        if let name = term.field, isPending(name) { return try pending(name, in: term) }
        switch term.condition {
        case .text(let value):
            let pattern = try folded(value, in: term)
            let fields = context.definition.searchedFields
            // Without a field to search, nothing matches.
            if fields.isEmpty { return .constant(false) }
            // The index of texts has all fields, including fields that a rule hides.
            return .text(pattern, in: context.definition.hasSights ? fields : nil)
        case .any(let field): return try presence(field, in: term)
        case .none(let field): return .not(try presence(field, in: term))
        case .range(let name, let low, let high):
            let field = try resolve(name, in: term)
            guard !name.isRaw, type(of: field).hasRanges else {
                throw notApplicable(to: name, field: field, in: term)
            }
            return try range(of: field, low, high, in: term)
        case .compare(let name, let comparator, let values):
            let field = try resolve(name, in: term)
            guard let positive = comparator.complement else {
                return try comparison(of: name, field: field, comparator, values, in: term)
            }
            return .not(try comparison(of: name, field: field, positive, values, in: term))
        }
    }

    func type(of field: Int) -> FieldType { context.definition.fields[field].type }

    private func presence(_ name: FilterField, in term: FilterTerm) throws(FilterError) -> Predicate {
        let field = try resolve(name, in: term)
        if name.isRaw { return .raw(field: field, .present) }
        return field == context.definition.idField ? .constant(true) : .present(field: field)
    }

    /// A comparison that is not a complement: true if any of the values fits.
    private func comparison(
        of name: FilterField, field: Int, _ comparator: FilterOperator, _ values: [FilterLiteral], in term: FilterTerm
    ) throws(FilterError) -> Predicate {
        let type = type(of: field)
        guard name.isRaw ? FilterOperator.ofRaw.contains(comparator) : type.takes(comparator) else {
            throw notApplicable(to: name, field: field, in: term)
        }
        if name.isRaw { return .raw(field: field, rawMatch(comparator, values)) }
        switch comparator {
        case .has: return .contains(field: field, try folded(values, in: term))
        case .starts: return .prefix(field: field, try folded(values, in: term))
        default: break
        }
        if type == .enum { return try codes(of: field, comparator, values, in: term) }
        var ranges: [KeyRange] = []
        ranges.reserveCapacity(values.count)
        for value in values {
            let span = try span(of: value, field, isEquality: comparator == .eq, in: term)
            switch comparator {
            case .lt, .before: if let below = span.before { ranges.append(below) }
            case .gt, .after: if let above = span.after { ranges.append(above) }
            case .le: ranges.append(span.upToEnd)
            case .ge: ranges.append(span.fromStart)
            case .eq, .ne, .has, .lacks, .starts: ranges.append(span)
            }
        }
        return .keys(field: field, ranges)
    }

    private func range(
        of field: Int, _ low: FilterLiteral?, _ high: FilterLiteral?, in term: FilterTerm
    ) throws(FilterError) -> Predicate {
        if type(of: field) == .enum { return try codes(of: field, from: low, to: high, in: term) }
        var range = KeyRange.everything
        if let low { range = try span(of: low, field, isEquality: false, in: term).fromStart }
        if let high {
            range = range.intersection(try span(of: high, field, isEquality: false, in: term).upToEnd)
        }
        return .keys(field: field, [range])
    }

    private func rawMatch(_ comparator: FilterOperator, _ values: [FilterLiteral]) -> RawMatch {
        let bytes = values.map { Array($0.text.utf8) }
        return switch comparator {
        case .has: .contains(bytes)
        case .starts: .prefix(bytes)
        default: .equals(bytes)
        }
    }
}

extension FilterNode {
    /// Checks the filter against the context's definition and returns it as a simplified predicate.
    ///
    /// Throws `bad_filter`, with a location and if possible a hint, for an unknown field or code, for an operator that
    /// the type does not have, and for a value that is not of the type. Relative dates become fixed moments here.
    public func typed(in context: FilterContext) throws(FilterError) -> Predicate {
        try FilterTyping(context: context).predicate(self).simplified
    }
}

/// The context in which a filter is typed: a definition, the present moment, and the calendar of a time zone.
public struct FilterContext: Sendable {
    /// The definition that names, codes and types come from.
    public let definition: Definition
    /// The moment that `now` means, and the calendar of the time zone. All pages of one query share them.
    public let calendar: CivilCalendar

    /// A context at the moment `now`, in milliseconds since 1970 (UTC); by default with the calendar of UTC.
    ///
    /// - Parameter startOfDay: As in ``CivilCalendar``.
    public init(
        definition: Definition, now: Int64,
        startOfDay: @escaping @Sendable (Int) -> Int64 = { Int64($0) * Instant.msPerDay }
    ) {
        self.definition = definition
        calendar = CivilCalendar(now: now, startOfDay: startOfDay)
    }

    /// The moment that `now` means, in milliseconds since 1970 (UTC).
    public var now: Int64 { calendar.now }
    /// Returns the start of a civil day in the time zone, in milliseconds since 1970 (UTC).
    public var startOfDay: @Sendable (Int) -> Int64 { calendar.startOfDay }
    /// The civil day that `today` means, counted from 1970-01-01.
    public var today: Int { calendar.today }
}

extension FilterTyping {
    /// The field of that name.
    func resolve(_ name: FilterField, in term: FilterTerm) throws(FilterError) -> Int {
        guard let field = context.definition.fieldIndex(name.name) else { throw unknown(name, in: term) }
        guard context.definition.sight(of: field) == .whole else {
            throw FilterError(
                TranslatedText(
                    en: "the rules mask '\(name.name)', so that records cannot be compared by it",
                    pl: "reguły maskują pole „\(name.name)”, więc nie można po nim porównywać rekordów"),
                at: name.location)
        }
        guard !name.isRaw || type(of: field) == .enum else {
            throw FilterError(
                TranslatedText(
                    en: "'\(name.name)' has no raw value",
                    pl: "pole „\(name.name)” nie ma wartości w postaci otrzymanej"),
                at: name.location,
                hint: TranslatedText(
                    en: "only an enum has one, where its value is none of the codes; write '\(name.name)'",
                    pl: "ma ją tylko pole typu enum, którego wartość nie jest żadnym z kodów; napisz „\(name.name)”"))
        }
        return field
    }

    private func unknown(_ name: FilterField, in term: FilterTerm) -> FilterError {
        var names = context.definition.wholeFields.map { context.definition.fields[$0].name }
        if context.definition.hasPendingField { names.append(PendingState.fieldName) }
        let isText = if case .text? = name.location { true } else { false }
        let list = names.joined(separator: ", ")
        let fields = TranslatedText(en: "the fields are \(list)", pl: "pola to \(list)")
        let shown = Excerpt.of(name.name)
        return FilterError(
            TranslatedText(en: "unknown field '\(shown)'", pl: "nieznane pole „\(shown)”"), at: name.location,
            hint: Suggestion.question(name.name, among: names)
                ?? (isText ? fields.joined("; ", FilterAdvice.quote(term.text)) : fields))
    }

    /// An operator, or a range, that the field's type does not have.
    func notApplicable(to name: FilterField, field: Int, in term: FilterTerm) -> FilterError {
        let type = type(of: field)
        let operators = name.isRaw ? FilterOperator.ofRaw : type.operators
        var symbols = operators.map(\.symbol)
        if !name.isRaw, type.hasRanges { symbols.append("lo..hi") }
        symbols += [".any", ".none"]
        var comparator = TranslatedText(en: "a range", pl: "zakres")
        if case .compare(_, let used, _) = term.condition {
            comparator = TranslatedText(en: "'\(used.symbol)'", pl: "„\(used.symbol)”")
        }
        let phrase =
            name.isRaw ? TranslatedText(en: "", pl: "") : TranslatedText(en: ", ", pl: " ").joined("", type.phrase)
        let list = symbols.joined(separator: " ")
        return FilterError(
            TranslatedText(
                en: "\(comparator.english) does not apply to '\(name.text)'\(phrase.english)",
                pl: "\(comparator.polish) nie ma zastosowania do pola „\(name.text)”\(phrase.polish)"),
            at: term.location, hint: TranslatedText(en: "it takes \(list)", pl: "można użyć: \(list)"))
    }

    /// A value that is not of the field's type.
    func mismatch(_ value: FilterLiteral, _ field: Int, in term: FilterTerm) -> FilterError {
        let type = type(of: field)
        let name = context.definition.fields[field].name
        let form: TranslatedText? =
            switch type {
            case .integer: TranslatedText(en: "a number such as \(name)=12", pl: "liczba, na przykład \(name)=12")
            case .decimal: TranslatedText(en: "a number such as \(name)=12.50", pl: "liczba, na przykład \(name)=12.50")
            case .bool: TranslatedText(en: "true or false", pl: "true lub false")
            case .instant, .date: DateValue.forms
            case .id, .text, .enum, .url, .json: nil
            }
        let shown = Excerpt.of(value.text)
        return FilterError(
            TranslatedText(
                en: "'\(shown)' is not a value for '\(name)', \(type.phrase.english)",
                pl: "„\(shown)” nie jest wartością pola „\(name)” \(type.phrase.polish)"),
            at: value.location,
            hint: operatorHint(value, in: term) ?? form)
    }

    /// `==` and its like: an operator that there is not leaves its end on the value.
    func operatorHint(_ value: FilterLiteral, in term: FilterTerm) -> TranslatedText? {
        guard case .compare(_, let comparator, _) = term.condition, let first = value.text.unicodeScalars.first,
            "=~<>!^".unicodeScalars.contains(first)
        else { return nil }
        let written = "\(comparator.symbol)\(first)"
        return TranslatedText(en: "there is no operator '\(written)'", pl: "nie ma operatora „\(written)”")
            .joined("; ", Suggestion.question(comparator.symbol))
    }
}

extension FilterTyping {
    /// All keys that a value means: one, or the keys of a whole day.
    ///
    /// - Parameter isEquality: for `=` and `!=`, where an offset such as `-3d` means the day it falls on. Otherwise it
    ///   is the moment a number of times 24 hours from now.
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
            TranslatedText(
                en: "nothing is left to compare with of '\(shown)'",
                pl: "z „\(shown)” nie zostaje nic do porównania"),
            at: value.location,
            hint: term.field.map { FilterAdvice.absent($0.name) }
                ?? TranslatedText(
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
            TranslatedText(en: "unknown code '\(shown)' of '\(name)'", pl: "nieznany kod „\(shown)” pola „\(name)”"),
            at: value.location,
            hint: operatorHint(value, in: term) ?? Suggestion.question(value.text, among: codes)
                ?? TranslatedText(en: "its codes are \(list)", pl: "jego kody to \(list)"))
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
    var phrase: TranslatedText { TranslatedText(en: "of type \(rawValue)", pl: "typu \(rawValue)") }
}

extension FilterOperator {
    /// The operators that filters may use on `FIELD.raw`.
    public static let ofRaw: [FilterOperator] = [.eq, .ne, .has, .lacks, .starts]
}

extension FilterTyping {
    /// Whether a name means the unsettled operations of a record.
    func isPending(_ name: FilterField) -> Bool {
        context.definition.hasPendingField && name.name == PendingState.fieldName
    }

    /// A test of the state of a record's unsettled operations.
    func pending(_ name: FilterField, in term: FilterTerm) throws(FilterError) -> Predicate {
        if name.isRaw {
            throw FilterError(
                TranslatedText(
                    en: "'pending' has no raw value", pl: "pole „pending” nie ma wartości w postaci otrzymanej"),
                at: name.location, hint: TranslatedText(en: "write 'pending'", pl: "napisz „pending”"))
        }
        switch term.condition {
        case .any: return .pending(PendingState.allCases)
        case .none: return .not(.pending(PendingState.allCases))
        case .compare(_, .eq, let values): return .pending(try states(values, in: term))
        case .compare(_, .ne, let values): return .not(.pending(try states(values, in: term)))
        case .compare(_, let comparator, _):
            let symbol = comparator.symbol
            throw notApplicable(TranslatedText(en: "'\(symbol)'", pl: "„\(symbol)”"), in: term)
        case .range, .text: throw notApplicable(TranslatedText(en: "a range", pl: "zakres"), in: term)
        }
    }

    /// The states that values name, each once, in the order of their kinds.
    private func states(_ values: [FilterLiteral], in term: FilterTerm) throws(FilterError) -> [PendingState] {
        var states: Set<PendingState> = []
        for value in values {
            guard let state = PendingState(rawValue: value.text.lowercased()) else {
                let codes = PendingState.allCases.map(\.rawValue)
                let shown = Excerpt.of(value.text)
                let list = codes.joined(separator: ", ")
                throw FilterError(
                    TranslatedText(
                        en: "unknown code '\(shown)' of 'pending'", pl: "nieznany kod „\(shown)” pola „pending”"),
                    at: value.location,
                    hint: operatorHint(value, in: term) ?? Suggestion.question(value.text, among: codes)
                        ?? TranslatedText(en: "its codes are \(list)", pl: "jego kody to \(list)"))
            }
            states.insert(state)
        }
        return PendingState.allCases.filter(states.contains)
    }

    private func notApplicable(_ comparator: TranslatedText, in term: FilterTerm) -> FilterError {
        FilterError(
            TranslatedText(
                en: "\(comparator.english) does not apply to 'pending'",
                pl: "\(comparator.polish) nie ma zastosowania do pola „pending”"),
            at: term.location, hint: TranslatedText(en: "it takes = != .any .none", pl: "można użyć: = != .any .none"))
    }
}
