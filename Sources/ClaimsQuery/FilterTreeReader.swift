// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// Reads the tree form of a filter: arrays that begin with the name of their kind.
struct FilterTreeReader {
    let limits: FilterLimits
    private var weight = 0

    init(limits: FilterLimits) { self.limits = limits }

    mutating func readFilter(_ tree: JSONValue) throws(FilterError) -> FilterNode {
        let node = try read(tree, path: "", nesting: 0)
        try limits.check(node, at: .tree(""))
        let count = FilterTextWriter.text(of: node).utf8.count
        guard count <= limits.bytes else {
            throw FilterError(FilterAdvice.tooLong(count, limits.bytes), at: .tree(""))
        }
        return node
    }

    private mutating func read(
        _ tree: JSONValue, path: String, nesting: Int
    ) throws(FilterError) -> FilterNode {
        guard case .array(let parts) = tree, let head = parts.first else {
            throw FilterError(
                TranslatedText(
                    en: "a filter's part is an array that is not empty", pl: "część filtra to niepusta tablica"),
                at: .tree(path),
                hint: TranslatedText(en: "[\"eq\",\"field\",\"value\"]", pl: "[\"eq\",\"pole\",\"wartość\"]"))
        }
        guard case .string(let name) = head else {
            throw FilterError(
                TranslatedText(en: "the name of an operator is a string", pl: "nazwa operatora musi być tekstem"),
                at: .tree(path + "/0"))
        }
        switch name {
        case "and", "or", "not":
            try limits.check(nesting: nesting + 1, at: .tree(path))
            var operands: [FilterNode] = []
            for (index, part) in parts.enumerated().dropFirst() {
                operands.append(try read(part, path: "\(path)/\(index)", nesting: nesting + 1))
            }
            return try combine(name, operands, path: path)
        case "text":
            try expect(1, "[\"text\",\"words\"]", parts, path: path)
            guard case .string(let words) = parts[1], !words.isEmpty else {
                throw FilterError(
                    TranslatedText(
                        en: "free text is a string that is not empty", pl: "szukany tekst musi być niepustym tekstem"),
                    at: .tree(path + "/1"))
            }
            try count(path)
            return .term(FilterTerm(.text(FilterLiteral(words, location: .tree(path + "/1"))), location: .tree(path)))
        case "any", "none":
            try expect(1, "[\"\(name)\",\"field\"]", parts, path: path)
            try count(path)
            let field = try field(parts[1], path: path)
            return .term(FilterTerm(name == "any" ? .any(field) : .none(field), location: .tree(path)))
        case "range": return .term(try range(parts, path: path))
        default:
            guard let comparator = FilterOperator(rawValue: name) else { throw unknown(name, path: path) }
            try expect(2, "[\"\(name)\",\"field\",\"value\"]", parts, path: path)
            let field = try field(parts[1], path: path)
            let values = try values(parts[2], path: path + "/2")
            return .term(FilterTerm(.compare(field, comparator, values), location: .tree(path)))
        }
    }

    private func combine(
        _ name: String, _ operands: [FilterNode], path: String
    ) throws(FilterError) -> FilterNode {
        guard let first = operands.first, name != "not" || operands.count == 1 else {
            throw FilterError(
                name == "not"
                    ? TranslatedText(en: "'not' takes one filter", pl: "„not” wymaga jednego filtra")
                    : TranslatedText(
                        en: "'\(name)' takes one filter or more", pl: "„\(name)” wymaga co najmniej jednego filtra"),
                at: .tree(path))
        }
        return name == "not" ? .not(first) : name == "and" ? .all(operands) : .any(operands)
    }

    private mutating func range(_ parts: [JSONValue], path: String) throws(FilterError) -> FilterTerm {
        try expect(3, "[\"range\",\"field\",lo,hi]", parts, path: path)
        let field = try field(parts[1], path: path)
        try count(path)
        let low = parts[2].isNull ? nil : try scalar(parts[2], path: path + "/2")
        let high = parts[3].isNull ? nil : try scalar(parts[3], path: path + "/3")
        guard low != nil || high != nil else {
            throw FilterError(
                FilterAdvice.rangeWithoutEnds, at: .tree(path),
                hint: FilterAdvice.presentInTree(field.text))
        }
        return FilterTerm(.range(field, low, high), location: .tree(path))
    }

    private func field(_ part: JSONValue, path: String) throws(FilterError) -> FilterField {
        guard case .string(let name) = part else {
            throw FilterError(
                TranslatedText(en: "the name of a field is a string", pl: "nazwa pola musi być tekstem"),
                at: .tree(path + "/1"))
        }
        return try FilterField(parsing: name, at: .tree(path + "/1"))
    }

    private mutating func values(_ part: JSONValue, path: String) throws(FilterError) -> [FilterLiteral] {
        guard case .array(let elements) = part else { return [try value(part, path: path)] }
        guard !elements.isEmpty else {
            throw FilterError(
                TranslatedText(en: "an empty list of values", pl: "pusta lista wartości"), at: .tree(path))
        }
        var values: [FilterLiteral] = []
        for (index, element) in elements.enumerated() {
            values.append(try value(element, path: "\(path)/\(index)"))
        }
        return values
    }

    private mutating func value(_ part: JSONValue, path: String) throws(FilterError) -> FilterLiteral {
        try count(path)
        return try scalar(part, path: path)
    }

    /// A value as a text: the field's type decides its meaning.
    private func scalar(_ part: JSONValue, path: String) throws(FilterError) -> FilterLiteral {
        let text: String
        switch part {
        case .string(let string): text = string
        case .number(let digits): text = digits
        case .bool(let flag): text = flag ? "true" : "false"
        case .null:
            throw FilterError(
                TranslatedText(en: "null is not a value", pl: "null nie jest wartością"), at: .tree(path),
                hint: FilterAdvice.absentInTree)
        case .array, .object:
            throw FilterError(
                TranslatedText(
                    en: "a value is a string, a number, true or false",
                    pl: "wartość musi być tekstem, liczbą, true lub false"),
                at: .tree(path))
        }
        guard !text.isEmpty else {
            throw FilterError(
                TranslatedText(en: "an empty value", pl: "pusta wartość"), at: .tree(path),
                hint: FilterAdvice.absentInTree)
        }
        return FilterLiteral(text, location: .tree(path))
    }

    private mutating func count(_ path: String) throws(FilterError) {
        weight += 1
        try limits.check(weight: weight, at: .tree(path))
    }

    private func expect(
        _ count: Int, _ form: String, _ parts: [JSONValue], path: String
    ) throws(FilterError) {
        guard parts.count != count + 1 else { return }
        let name = parts.first?.string ?? ""
        throw FilterError(
            TranslatedText(
                en: "'\(name)' takes \(Self.operands.text(count).english), not \(parts.count - 1)",
                pl: "liczba argumentów „\(name)” to \(count), a nie \(parts.count - 1)"),
            at: .tree(path), hint: TranslatedText(en: "write it as \(form)", pl: "napisz to tak: \(form)"))
    }

    private static let operands = Plural(
        en: ("operand", "operands"), pl: ("argument", "argumenty", "argumentów", "argumentu"))

    private func unknown(_ name: String, path: String) -> FilterError {
        let names = ["and", "or", "not", "range", "any", "none", "text"] + FilterOperator.allCases.map(\.rawValue)
        return FilterError(
            FilterAdvice.unknownOperator(Excerpt.of(name)), at: .tree(path + "/0"),
            hint: Suggestion.question(name, among: names) ?? FilterAdvice.oneOf(names))
    }
}
