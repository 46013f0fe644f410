// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

/// The completion of the term before the cursor of a filter: names of fields, then operators, then codes.
struct FilterCompletion: Equatable, Sendable {
    /// The characters of the text that are replaced.
    let range: Range<Int>
    /// The beginning that all candidates share.
    let replacement: String
    /// All that could stand there, at most `maxCandidates`.
    let candidates: [String]

    /// The maximum number of candidates that are offered.
    static let maxCandidates = 64

    /// Completes a text; nil if nothing fits.
    ///
    /// - Parameter cursor: the position in characters, from 0.
    init?(_ text: String, cursor: Int, _ collection: CollectionDescription) {
        let head = Array(text.prefix(cursor))
        let start = (head.lastIndex { $0.isWhitespace || $0 == "(" }).map { $0 + 1 } ?? 0
        let term = String(head[start...])
        let found: (start: Int, candidates: [String])?
        if let split = Self.split(term), let field = collection.field(split.field) {
            found = Self.values(split, of: field, collection).map { (start + split.valueStart, $0) }
        } else if let field = collection.field(term) {
            found = (start, field.operators.filter { !$0.hasPrefix(".") }.map { term + $0 } + Self.tests(of: term))
        } else {
            let names = collection.fields.map(\.name).filter { $0.hasPrefix(term) }
            // A lone name is completed with what can follow it.
            found = names.isEmpty ? nil : (start, names.sorted())
        }
        guard let found, let first = found.candidates.first else { return nil }
        candidates = Array(found.candidates.prefix(Self.maxCandidates))
        range = found.start..<cursor
        let common = candidates.dropFirst().reduce(first) { common, next in
            String(zip(common, next).prefix { $0 == $1 }.map(\.0))
        }
        // Nothing that was typed goes.
        replacement = common.count < range.count ? String(head[range]) : common
    }

    private static func tests(of name: String) -> [String] { [name + ".any", name + ".none"] }

    /// The codes of an enum field that the value behind the operator can become.
    private static func values(
        _ split: (field: String, valueStart: Int, value: String), of field: FieldDescription,
        _ collection: CollectionDescription
    ) -> [String]? {
        guard let vocabulary = field.vocabulary, let codes = collection.vocabularies[vocabulary] else { return nil }
        let value = split.value.lowercased()
        let matches = codes.keys.filter { $0.lowercased().hasPrefix(value) }.sorted()
        return matches.isEmpty ? nil : matches
    }

    /// A term with an operator: its field, and the last of its values with the position where it begins.
    private static func split(_ term: String) -> (field: String, valueStart: Int, value: String)? {
        let characters = Array(term)
        guard let start = characters.firstIndex(where: { "=!~^<>".contains($0) }) else { return nil }
        let operatorEnd = characters[start...].firstIndex { !"=!~^<>".contains($0) } ?? characters.count
        let valueStart = (characters[operatorEnd...].lastIndex(of: ",")).map { $0 + 1 } ?? operatorEnd
        return (String(characters[..<start]), valueStart, String(characters[valueStart...]))
    }
}
