// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
import ClaimsModel

/// A filter as it was parsed, before its names and values are checked against a definition.
///
/// Text and tree are read into the same nodes, and both can be written from them; reading what was written gives an
/// equal node. Nodes are canonical: `and` and `or` have at least two operands, none of which is of the same kind.
///
/// ```swift
/// let node = try FilterParser.parse("status=ok title~water")
/// let predicate = try node.typed(in: context)     // names, codes and dates resolved
/// ```
public indirect enum FilterNode: Sendable, Equatable {
    case and([FilterNode])
    case or([FilterNode])
    case not(FilterNode)
    case term(FilterTerm)

    /// A filter that matches the records that all of `nodes` match, with nested `and` flattened. A single node is
    /// returned as it is.
    ///
    /// `nodes` must not be empty.
    public static func all(_ nodes: [FilterNode]) -> FilterNode {
        if nodes.count == 1 { return nodes[0] }
        var operands: [FilterNode] = []
        operands.reserveCapacity(nodes.count)
        for node in nodes {
            if case .and(let inner) = node { operands += inner } else { operands.append(node) }
        }
        return .and(operands)
    }

    /// A filter that matches the records that any of `nodes` matches, with nested `or` flattened. A single node is
    /// returned as it is.
    ///
    /// `nodes` must not be empty.
    public static func any(_ nodes: [FilterNode]) -> FilterNode {
        if nodes.count == 1 { return nodes[0] }
        var operands: [FilterNode] = []
        operands.reserveCapacity(nodes.count)
        for node in nodes {
            if case .or(let inner) = node { operands += inner } else { operands.append(node) }
        }
        return .or(operands)
    }

    /// A comparison with a list that may have ranges between single values.
    static func comparison(
        _ field: FilterField, _ comparator: FilterOperator, _ values: [FilterLiteral], ranges: [FilterTerm],
        location: FilterLocation?
    ) -> FilterNode {
        let single = FilterNode.term(FilterTerm(.compare(field, comparator, values), location: location))
        if ranges.isEmpty { return single }
        let rest = ranges.map { FilterNode.term($0) }
        let operands = values.isEmpty ? [] : [single]
        return comparator == .ne ? .all(operands + rest.map { .not($0) }) : .any(operands + rest)
    }

    /// The nesting of `and`, `or` and `not`; 0 for a single term.
    public var depth: Int {
        switch self {
        case .and(let operands), .or(let operands):
            var deepest = 0
            for operand in operands { deepest = max(deepest, operand.depth) }
            return 1 + deepest
        case .not(let operand): return 1 + operand.depth
        case .term: return 0
        }
    }

    /// Whether a part of the filter matches records because something is not so: those without the field, too.
    public var hasNegation: Bool {
        switch self {
        case .and(let operands), .or(let operands): operands.contains(where: \.hasNegation)
        case .not: true
        case .term(let term):
            switch term.condition {
            case .compare(_, .ne, _), .compare(_, .lacks, _), .none: true
            default: false
            }
        }
    }

    /// All terms of the filter, from left to right.
    public var terms: [FilterTerm] {
        switch self {
        case .and(let operands), .or(let operands): operands.flatMap(\.terms)
        case .not(let operand): operand.terms
        case .term(let term): [term]
        }
    }
}

extension FilterNode {
    /// The filter as a text in its normal form, which ``FilterParser`` reads back as an equal node.
    public var text: String { FilterTextWriter.text(of: self) }

    /// The filter as a tree, which ``FilterParser`` reads back as an equal node.
    ///
    /// All values are strings, because only a definition has their types.
    public var tree: JSONValue {
        switch self {
        case .and(let operands): .array(["and"] + operands.map(\.tree))
        case .or(let operands): .array(["or"] + operands.map(\.tree))
        case .not(let operand): ["not", operand.tree]
        case .term(let term): term.tree
        }
    }
}

extension FilterTerm {
    /// The term as a text in its normal form.
    public var text: String { FilterTextWriter.text(of: self) }

    /// The term as an array: the operator, the field and the values.
    public var tree: JSONValue {
        switch condition {
        case .compare(let field, let comparator, let values):
            let list = values.map { JSONValue.string($0.text) }
            return [.string(comparator.rawValue), .string(field.text), list.count == 1 ? list[0] : .array(list)]
        case .range(let field, let low, let high):
            return [
                "range", .string(field.text), low.map { .string($0.text) } ?? nil, high.map { .string($0.text) } ?? nil,
            ]
        case .any(let field): return ["any", .string(field.text)]
        case .none(let field): return ["none", .string(field.text)]
        case .text(let value): return ["text", .string(value.text)]
        }
    }
}

/// The smallest part of a filter that is true or false for a record: a comparison, a test of presence or free text.
public struct FilterTerm: Sendable, Equatable {
    /// The test that a term makes.
    public enum Condition: Sendable, Equatable {
        /// The field compares to any of these values; with `ne` and `lacks`, to none of them. There is at least one
        /// value.
        case compare(FilterField, FilterOperator, [FilterLiteral])
        /// The field is between these two values, both included. An end that is nil is open; at most one is.
        case range(FilterField, FilterLiteral?, FilterLiteral?)
        case any(FilterField)
        case none(FilterField)
        /// A searched field contains this word or phrase.
        case text(FilterLiteral)
    }

    /// The test that the term makes.
    public let condition: Condition
    /// The location of the term in the written filter, for errors; nil if it was not parsed.
    public let location: FilterLocation?

    public init(_ condition: Condition, location: FilterLocation? = nil) {
        self.condition = condition
        self.location = location
    }

    /// The field that the term tests; nil for free text.
    public var field: FilterField? {
        switch condition {
        case .compare(let field, _, _), .range(let field, _, _), .any(let field), .none(let field): field
        case .text: nil
        }
    }

    /// Compares the conditions of two terms; their locations are ignored.
    public static func == (left: FilterTerm, right: FilterTerm) -> Bool {
        left.condition == right.condition
    }
}

/// A value as a filter writes it, without quotes. The type of the field gives it its meaning.
public struct FilterLiteral: Sendable, Equatable {
    /// The text of the value, with escapes resolved.
    public let text: String
    /// The location of the value in the written filter, for errors; nil if it was not parsed.
    public let location: FilterLocation?

    public init(_ text: String, location: FilterLocation? = nil) {
        self.text = text
        self.location = location
    }

    /// Compares the bytes of two values, without Unicode normalisation; their locations are ignored.
    public static func == (left: FilterLiteral, right: FilterLiteral) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }
}

/// A field as a filter names it, which a definition may or may not have.
public struct FilterField: Sendable, Equatable {
    /// The name of the field, without `.raw`.
    public let name: String
    /// Whether the filter has `.raw`, which tests the value as received and not its code.
    public let isRaw: Bool
    /// The location of the name in the written filter, for errors; nil if it was not parsed.
    public let location: FilterLocation?

    public init(_ name: String, isRaw: Bool = false, location: FilterLocation? = nil) {
        self.name = name
        self.isRaw = isRaw
        self.location = location
    }

    /// The name as filters write it, with `.raw` if ``isRaw`` is true.
    public var text: String { isRaw ? name + ".raw" : name }

    /// Compares the names and `.raw` of two fields; their locations are ignored.
    public static func == (left: FilterField, right: FilterField) -> Bool {
        left.isRaw == right.isRaw && left.name.utf8.elementsEqual(right.name.utf8)
    }
}

extension FilterField {
    /// Reads `name` or `name.raw`.
    ///
    /// - Parameters:
    ///   - suffix: the operator or the test of presence behind it.
    ///   - term: the word of a text it is part of; nil in a tree.
    init(
        parsing text: String, at location: FilterLocation?, before suffix: @autoclosure () -> String = "",
        of term: @autoclosure () -> String? = nil
    ) throws(FilterError) {
        let dot = text.utf8.firstIndex(of: FilterCharacters.dot)
        let name = dot.map { String(text[..<$0]) } ?? text
        if Self.isWritable(name) {
            let rest = dot.map { text[text.utf8.index(after: $0)...] }
            guard rest == nil || rest == "raw" else {
                throw Self.complaint(about: String(rest ?? ""), of: text, at: location, before: suffix())
            }
            self.init(name, isRaw: rest != nil, location: location)
            return
        }
        let shown = Excerpt.of(text)
        let quoting = term().map { FilterAdvice.quote($0) }
        guard !name.isEmpty else {
            let before = suffix()
            throw FilterError(
                text.isEmpty
                    ? TranslatedText(en: "an empty name of a field", pl: "pusta nazwa pola")
                    : FilterAdvice.missingField(before: shown + before),
                at: location, hint: quoting)
        }
        let isNegated = quoting != nil && name.utf8.first == UInt8(ascii: "!")
        throw FilterError(
            TranslatedText(en: "'\(shown)' is not a field", pl: "„\(shown)” nie jest polem"), at: location,
            hint: isNegated
                ? TranslatedText(
                    en: "write 'not' before a term; to look for this text, quote it",
                    pl: "przed warunkiem napisz „not”; żeby szukać tego tekstu, ujmij go w cudzysłów")
                : quoting)
    }

    private static func complaint(
        about rest: String, of text: String, at location: FilterLocation?, before suffix: String
    ) -> FilterError {
        let shown = Excerpt.of(text)
        if rest == "any" || rest == "none" {
            return FilterError(
                TranslatedText(en: "'.\(rest)' takes no value", pl: "po „.\(rest)” nie podaje się wartości"),
                at: location, hint: TranslatedText(en: "write '\(shown)'", pl: "napisz „\(shown)”"))
        }
        if suffix == "=", !rest.isEmpty, !rest.utf8.contains(FilterCharacters.dot) {
            let operators = FilterOperator.allCases.map(\.rawValue)
            let near = Suggestion.nearest(rest, among: operators + ["raw"])
            let list = operators.joined(separator: "= .")
            return FilterError(
                FilterAdvice.unknownOperator(".\(Excerpt.of(rest))="), at: location,
                hint: near.map { Suggestion.question(".\($0)=") }
                    ?? TranslatedText(
                        en: "there are no paths; the operators are .\(list)=",
                        pl: "ścieżki nie są obsługiwane; operatory to .\(list)="))
        }
        return FilterError(
            TranslatedText(en: "'\(shown)' is not a field", pl: "„\(shown)” nie jest polem"), at: location,
            hint: TranslatedText(
                en: "there are no paths: a field is one name, or a name and '.raw' for the value as it came",
                pl: "ścieżki nie są obsługiwane: pole to jedna nazwa albo nazwa z „.raw”, czyli wartość w postaci "
                    + "otrzymanej"))
    }

    /// Whether a text could name such a field, so that every filter can be written in both forms.
    private static func isWritable(_ name: String) -> Bool {
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                continue
            case UInt8(ascii: "="), UInt8(ascii: "~"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"),
                UInt8(ascii: "^"):
                return false
            case let byte where FilterCharacters.isQuote(byte): return false
            default: return isWritableSlowly(name)
            }
        }
        return !name.isEmpty
    }

    /// Whether it is one bare word.
    private static func isWritableSlowly(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return FilterCharacters.bareEnd(in: bytes, from: 0) == bytes.count
            && !bytes.contains { "=~<>!^'\"".utf8.contains($0) }
    }
}

/// Writes filters as texts in their normal form: symbols for operators, `and` written out, quotes and parentheses only
/// if they are needed. Reading it gives an equal node.
enum FilterTextWriter {
    static func text(of node: FilterNode) -> String {
        switch node {
        case .term(let term): text(of: term)
        case .and(let operands):
            operands.map { if case .or = $0 { "(\(text(of: $0)))" } else { text(of: $0) } }.joined(separator: " and ")
        case .or(let operands): operands.map(text(of:)).joined(separator: " or ")
        case .not(let operand):
            switch operand {
            case .and, .or: "not (\(text(of: operand)))"
            case .not, .term: "not \(text(of: operand))"
            }
        }
    }

    static func text(of term: FilterTerm) -> String {
        switch term.condition {
        case .compare(let field, let comparator, let values):
            field.text + comparator.symbol + values.map { value($0.text) }.joined(separator: ",")
        case .range(let field, let low, let high):
            field.text + "=" + (low.map { end($0.text) } ?? "") + ".." + (high.map { end($0.text) } ?? "")
        case .any(let field): field.text + ".any"
        case .none(let field): field.text + ".none"
        case .text(let value): word(value.text)
        }
    }

    /// `text` between the quotes that need fewer escapes.
    static func quoted(_ text: String) -> String {
        let quote: Character =
            text.utf8.contains(UInt8(ascii: "\"")) && !text.utf8.contains(UInt8(ascii: "'")) ? "'" : "\""
        var quoted = String(quote)
        for scalar in text.unicodeScalars {
            if scalar == "\\" || Character(scalar) == quote { quoted.append("\\") }
            quoted.unicodeScalars.append(scalar)
        }
        quoted.append(quote)
        return quoted
    }

    private static func word(_ text: String) -> String {
        let mayBeTerm = text.utf8.contains { "=~<>".utf8.contains($0) }
        let mayBeTest =
            text.utf8.suffix(4).elementsEqual(".any".utf8) || text.utf8.suffix(5).elementsEqual(".none".utf8)
        return mayBeTerm || mayBeTest || FilterCharacters.isKeyword(text.utf8) || !isBare(text) ? quoted(text) : text
    }

    private static func value(_ text: String) -> String {
        // A value that begins like an operator could change the meaning of the text before it.
        let isAmbiguous = text.utf8.first.map { "=~<>!^".utf8.contains($0) } ?? true
        return isAmbiguous || hasRange(text) || !isBare(text) ? quoted(text) : text
    }

    private static func end(_ text: String) -> String {
        let touchesDots = text.utf8.first == FilterCharacters.dot || text.utf8.last == FilterCharacters.dot
        return touchesDots ? quoted(text) : value(text)
    }

    private static func hasRange(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.contains { FilterCharacters.isRange(in: bytes, at: $0) }
    }

    private static func isBare(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, !FilterCharacters.isQuote(first) else { return false }
        return FilterCharacters.bareEnd(in: bytes, from: 0) == bytes.count
    }
}

/// The texts that several errors of filters share.
enum FilterAdvice {
    /// The advice to quote a text that was taken for something else.
    static func quote(_ text: String) -> TranslatedText {
        let quoted = FilterTextWriter.quoted(Excerpt.of(text))
        return TranslatedText(
            en: "to look for this text, quote it: \(quoted)",
            pl: "żeby szukać tego tekstu, ujmij go w cudzysłów: \(quoted)")
    }

    static let quoteParenthesis = TranslatedText(
        en: "to look for a parenthesis, quote the text",
        pl: "żeby szukać nawiasu, ujmij tekst w cudzysłów")

    static let leaveOut = TranslatedText(
        en: "leave it out to find every record", pl: "pomiń go, żeby znaleźć wszystkie rekordy")

    static let unopened = TranslatedText(en: "')' without a '(' before it", pl: "„)” bez poprzedzającego „(”")
    static let unclosed = TranslatedText(en: "'(' without a ')' after it", pl: "„(” bez zamykającego „)”")

    static let rangeWithoutEnds = TranslatedText(en: "a range without ends", pl: "zakres bez początku i końca")

    static func missingField(before text: String) -> TranslatedText {
        TranslatedText(en: "a field is missing before '\(text)'", pl: "przed „\(text)” brakuje pola")
    }

    static func unknownOperator(_ name: String) -> TranslatedText {
        TranslatedText(en: "unknown operator '\(name)'", pl: "nieznany operator „\(name)”")
    }

    static func tooLong(_ count: Int, _ limit: Int) -> TranslatedText {
        TranslatedText(
            en: "the filter has \(count) bytes, of at most \(limit)",
            pl: "filtr jest za długi: liczba bajtów to \(count), a limit \(limit)")
    }

    /// The test that finds records with a value of that field.
    static func present(_ field: String) -> TranslatedText {
        TranslatedText(
            en: "'\(field).any' finds records with a value", pl: "„\(field).any” znajduje rekordy z wartością")
    }

    /// The test that finds records without a value of that field.
    static func absent(_ field: String) -> TranslatedText {
        TranslatedText(
            en: "'\(field).none' finds records without a value", pl: "„\(field).none” znajduje rekordy bez wartości")
    }

    /// The same in a tree.
    static func presentInTree(_ field: String) -> TranslatedText {
        TranslatedText(
            en: "[\"any\",\"\(field)\"] finds records with a value",
            pl: "[\"any\",\"\(field)\"] znajduje rekordy z wartością")
    }

    /// The same in a tree.
    static let absentInTree = TranslatedText(
        en: "[\"none\",\"field\"] finds records without a value",
        pl: "[\"none\",\"pole\"] znajduje rekordy bez wartości")

    /// The use of the states of unsettled operations, which are no field of the definition.
    static let filterPending = TranslatedText(
        en: "it filters: pending=stuck, pending.any", pl: "służy do filtrowania: pending=stuck, pending.any")

    /// Names to choose from.
    static func oneOf(_ names: [String]) -> TranslatedText {
        let list = names.joined(separator: ", ")
        return TranslatedText(en: "one of \(list)", pl: "do wyboru: \(list)")
    }
}
