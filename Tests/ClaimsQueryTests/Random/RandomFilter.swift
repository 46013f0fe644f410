// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import ClaimsTestSupport

/// Random filters on `Library`.
struct RandomFilter {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A filter that types without an error, of at most `depth` levels above its terms.
    mutating func node(depth: Int = 4) -> FilterNode {
        switch depth == 0 ? 0 : Int.random(in: 0..<6, using: &random) {
        case 0, 1, 2: return .term(FilterTerm(condition()))
        case 3: return .all(nodes(depth: depth - 1))
        case 4: return .any(nodes(depth: depth - 1))
        default: return .not(node(depth: depth - 1))
        }
    }

    private mutating func nodes(depth: Int) -> [FilterNode] {
        (0..<Int.random(in: 2...4, using: &random)).map { _ in node(depth: depth) }
    }

    private mutating func condition() -> FilterTerm.Condition {
        if random.oneIn(8) { return .text(FilterLiteral(random.pick(Self.words))) }
        let field = random.pick(Library.definition.fields)
        if field.type == .enum, random.oneIn(4) { return rawCondition(FilterField(field.name, isRaw: true)) }
        let name = FilterField(field.name)
        switch Int.random(in: 0..<8, using: &random) {
        case _ where field.type == .json, 0: return random.oneIn(2) ? .any(name) : .none(name)
        case 1, 2:
            guard field.type.hasRanges else { break }
            let ends = (value(of: field.type, name.name), value(of: field.type, name.name))
            let open = Int.random(in: 0..<4, using: &random)
            return .range(name, open == 0 ? nil : ends.0, open == 1 ? nil : ends.1)
        default: break
        }
        let comparator = random.pick(field.type.operators)
        let count = random.oneIn(3) ? Int.random(in: 2...4, using: &random) : 1
        return .compare(name, comparator, (0..<count).map { _ in value(of: field.type, name.name) })
    }

    private mutating func rawCondition(_ field: FilterField) -> FilterTerm.Condition {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: random.oneIn(2) ? .any(field) : .none(field)
        default: .compare(field, random.pick(FilterOperator.ofRaw), [FilterLiteral(random.pick(Self.rawValues))])
        }
    }

    private mutating func value(of type: FieldType, _ name: String) -> FilterLiteral {
        switch type {
        case .text: FilterLiteral(random.pick(Self.words))
        case .id: FilterLiteral(random.pick(Self.ids))
        case .url: FilterLiteral(random.pick(Self.urls))
        case .enum:
            FilterLiteral(
                random.pick(
                    name == "state"
                        ? ["lost", "Torn", "ON SHELF", "on-loan", "other", "damaged"] : ["book", "FILM", "other"]))
        case .integer, .decimal: FilterLiteral(random.pick(Self.numbers))
        case .instant, .date: FilterLiteral(random.pick(Self.dates))
        case .bool: FilterLiteral(random.oneIn(2) ? "true" : "false")
        case .json: FilterLiteral("null")
        }
    }

    static let words = [
        "water", "WATER", "Water Damage", "damage", "a", "e", "an", "a..b", "a=b", "c++", "d'Iv", "and", "or", "not",
        "ss", "ß",
        "Łódź", "łodz", "réunion", "re\u{301}union", "paczka", " ui  es ", "(draft)", "draft),", "\"jug\"", "'", "\"'",
        #"pack\slash"#,
        #"\"#, #"\\"#, #"a\"b"#, "one", "x.any", "x.none", ".", "..", "a.", ".b", "<5", "=x", "~", "!", "^=", "s", "zz",
        "Å", "\u{3000}ii\u{A0}", "a,b", ",", "-", "1..2", "é",
    ]
    static let ids = [
        "1", "2", "02", "002", "10", "9", "7", "007", "A1", "a1", "a", "x-3", "x-20", "x-", "9999999999999999999999999",
        "é", "0",
    ]
    static let urls = ["https://a.example/Q?x=1", "example", "HTTP", "http://b.example/ä", "/", "b.example/a", ":"]
    static let numbers = [
        "0", "-0", "0.0", "1", "2", "2.0", "3", "10", "1e1", "1E+1", "100", "1e2", "-3", "-7", "-7.5", "0.1", "0.10",
        "12.5", "12.50",
        "1250e-2", "1234567890123456789012345", "1234567890123456789012344.9", "1e30", "-1e30", "1e-30",
    ]
    static let dates = [
        "2026-11-20", "2026-11-19", "2026-11-21", "2026-10-21", "2026-12-20", "2024-02-29", "2026-11-20T08:01:02Z",
        "2026-11-20T00:00:00Z",
        "2026-11-20T12:00:00Z", "2026-11-20T09:01:02+01:00", "2026-11-19T23:30:00-05:30", "now", "today", "yesterday",
        "tomorrow", "-1d",
        "+1d", "-30d", "+30d", "+4w", "-2w", "+0d",
    ]
    static let rawValues = ["BROKEN_STATUS", "broken_status", "Vinyl", "BROKEN", "_", "V", "lost", " "]
}
