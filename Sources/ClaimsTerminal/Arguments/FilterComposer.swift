// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Makes one filter of a command line's arguments.
///
/// An argument with an operator, a parenthesis, `.any` or `.none` is a filter. Where it begins `FIELD OP` and has no
/// `and`, `or` or parenthesis, all after the operator is the value, spaces and all. Every other argument is one
/// phrase. Lone `and`, `or` and `not` join arguments, what stands side by side must all hold.
public enum FilterComposer {
    /// The text of the filter that the terms make together; nil for terms that select every record.
    public static func compose(_ terms: [Term]) -> String? {
        var parts: [String] = []
        let count = terms.count
        for term in terms {
            switch term {
            case .literal(let text):
                parts.append(quoted(text))
            case .argument(let text):
                if let part = part(text, isAlone: count == 1) { parts.append(part) }
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// The filter of what both texts select; one of them is there as it is where the other is nil or blank.
    ///
    /// A text whose parentheses do not match cannot stand beside another one. It stands alone, so that the daemon
    /// refuses it.
    public static func conjunction(_ left: String?, _ right: String?) -> String? {
        let parts = [left, right].compactMap(\.self).filter { !$0.trimmingSpaces().isEmpty }
        if parts.count < 2 { return parts.first }
        if let open = parts.first(where: { !isBalanced($0) }) { return open }
        return parts.map(asOneTerm).joined(separator: " ")
    }

    /// The text in parentheses, where it has several terms.
    private static func asOneTerm(_ text: String) -> String {
        let shape = ArgumentShape(Array(text.utf8))
        return shape.hasSeveralTerms || shape.hasJoiningWord ? "(\(text))" : text
    }

    /// The terms that are neither filters nor `and`, `or` and `not`: phrases to search for, as they were typed.
    public static func words(_ terms: [Term]) -> [String] {
        terms.compactMap { term in
            guard case .argument(let text) = term, !isJoiner(text), !ArgumentShape(Array(text.utf8)).isFilter else {
                return nil
            }
            return text
        }
    }

    /// The text for `--filter` that means what an argument means; the argument as it is where its value has conditions.
    static func expression(_ argument: String) -> String {
        innerConditions(argument).isEmpty ? compose([.argument(argument)]) ?? argument : argument
    }

    /// Whether the argument is a filter expression, and not a phrase or a name.
    public static func isFilter(_ argument: String) -> Bool {
        ArgumentShape(Array(argument.utf8)).isFilter
    }

    /// Whether every parenthesis outside quotes has its counterpart, so that the text can stand inside another pair.
    public static func isBalanced(_ text: String) -> Bool {
        ArgumentShape(Array(text.utf8)).areParenthesesBalanced
    }

    /// Whether the argument begins with a field's name and an operator, and has a value after it.
    static func isCondition(_ argument: String) -> Bool {
        let bytes = Array(argument.utf8)
        let shape = ArgumentShape(bytes)
        if shape.testsPresence { return true }
        guard let end = shape.operatorEnd, end < bytes.count, bytes[end] != UInt8(ascii: "=") else { return false }
        return isFieldAndOperator(bytes[..<end])
    }

    private static func isJoiner(_ text: String) -> Bool {
        text == "and" || text == "or" || text == "not"
    }

    private static func part(_ text: String, isAlone: Bool) -> String? {
        if isJoiner(text) { return text }
        let bytes = Array(text.utf8)
        let shape = ArgumentShape(bytes)
        guard shape.isFilter else {
            let phrase = text.trimmingSpaces()
            return phrase.isEmpty ? nil : isBare(phrase) ? phrase : quoted(phrase)
        }
        if let end = valueStart(bytes, shape) {
            return String(decoding: bytes[..<end], as: UTF8.self) + value(bytes, from: end)
        }
        // One argument is one condition, whatever stands beside it.
        if !isAlone, shape.hasSeveralTerms, shape.areParenthesesBalanced { return "(\(text))" }
        return text
    }

    /// The offset of the value in an argument that is one condition, whatever its value holds; nil in any other.
    private static func valueStart(_ bytes: [UInt8], _ shape: ArgumentShape) -> Int? {
        guard !shape.hasParenthesis, !shape.hasJoiningWord, let end = shape.operatorEnd,
            isFieldAndOperator(bytes[..<end])
        else { return nil }
        return end
    }

    private static func isFieldAndOperator(_ bytes: ArraySlice<UInt8>) -> Bool {
        let signs: [UInt8] = Array("=~<>!^".utf8)
        guard let nameEnd = bytes.firstIndex(where: { !ArgumentShape.isNameByte($0) }) else { return false }
        return nameEnd > 0 && bytes[nameEnd...].allSatisfy(signs.contains)
    }
}

extension FilterComposer {
    /// The values after an operator, each quoted where it has white space.
    private static func value(_ bytes: [UInt8], from start: Int) -> String {
        let all = String(decoding: bytes[start...], as: UTF8.self)
        let text = all.trimmingSpaces()
        guard text.hasSpaces else { return text }
        let value = Array(text.utf8)
        // A quote at the beginning shows that the author knows the grammar.
        if ArgumentShape.quotedEnd(value, from: 0) != nil { return text }
        let takesRanges = start >= 1 && bytes[start - 1] == UInt8(ascii: "=")
        return split(value, ",").map { element in
            guard takesRanges, let dots = rangeDots(element) else { return piece(element) }
            return piece(element[..<dots]) + ".." + piece(element[(dots + 2)...])
        }.joined(separator: ",")
    }

    /// One value or one end of a range, without white space around it; empty ends stay empty.
    private static func piece(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self).trimmingSpaces()
        if text.isEmpty { return "" }
        let isQuoted = ArgumentShape.quotedEnd(Array(text.utf8), from: 0) == text.utf8.count
        return isQuoted || !text.hasSpaces ? text : quoted(text)
    }

    /// Splits at commas outside quotes.
    private static func split(_ bytes: [UInt8], _ separator: Character) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        var isAtStart = true
        while index < bytes.count {
            if isAtStart, let end = ArgumentShape.quotedEnd(bytes, from: index) {
                index = end
                isAtStart = false
            } else if bytes[index] == separator.asciiValue {
                parts.append(bytes[start..<index])
                index += 1
                start = index
                isAtStart = true
            } else {
                if bytes[index] != UInt8(ascii: " ") { isAtStart = false }
                index += 1
            }
        }
        parts.append(bytes[start...])
        return parts
    }

    /// Where exactly two dots stand together: an ellipsis makes no range.
    private static func rangeDots(_ bytes: ArraySlice<UInt8>) -> Int? {
        let dot = UInt8(ascii: ".")
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == dot else {
                index += 1
                continue
            }
            let run = bytes[index...].prefix { $0 == dot }.count
            if run == 2 { return index }
            index += run
        }
        return nil
    }

    /// Whether a word can stand without quotes and still be nothing but a word.
    private static func isBare(_ word: String) -> Bool {
        if isJoiner(word) || word.hasSpaces { return false }
        let bytes = Array(word.utf8)
        let special: [UInt8] = Array("(),=~<>!^\"\\".utf8)
        if bytes.first == UInt8(ascii: "'") || bytes.contains(where: special.contains) { return false }
        for (left, right) in zip(bytes, bytes.dropFirst()) where left == UInt8(ascii: ".") && right == left {
            return false
        }
        return true
    }

    /// The text as a quoted phrase of the filter language, with quotes and backslashes inside escaped.
    public static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }
}

extension FilterComposer {
    /// A part of a value that has the form of a condition.
    struct InnerCondition: Equatable {
        /// The name before the operator, without a suffix such as `.raw`.
        let field: String
        /// The name and the operator, as they were typed.
        let text: String
    }

    /// The parts of an argument's value that have the form of a condition: `status=ok` in `name~pump status=ok`.
    ///
    /// Only an argument that is one condition has any. In every other argument the daemon reads all conditions.
    static func innerConditions(_ argument: String) -> [InnerCondition] {
        let bytes = Array(argument.utf8)
        guard let start = valueStart(bytes, ArgumentShape(bytes)) else { return [] }
        let value = Array(String(decoding: bytes[start...], as: UTF8.self).trimmingSpaces().utf8)
        // A quote at the beginning shows that the author knows the grammar.
        guard let first = value.first, ArgumentShape.quotedEnd(value, from: 0) == nil, !isSpace(first) else {
            return []
        }
        var found: [InnerCondition] = []
        var index = 1
        while index < value.count {
            let before = value[index - 1]
            if isSpace(before) || before == UInt8(ascii: ","), let end = ArgumentShape.quotedEnd(value, from: index) {
                index = end
                continue
            }
            if isSpace(before), let condition = condition(value[index...]) { found.append(condition) }
            index += 1
        }
        return found
    }

    /// The condition that bytes begin with; nil if they begin with none.
    private static func condition(_ bytes: ArraySlice<UInt8>) -> InnerCondition? {
        let name = bytes.prefix(while: ArgumentShape.isNameByte)
        let rest = bytes[name.endIndex...].drop(while: isSpace)
        let word = String(decoding: name, as: UTF8.self)
        guard let base = word.split(separator: ".", omittingEmptySubsequences: false).first, !base.isEmpty else {
            return nil
        }
        let isPresence = word.hasSuffix(".any") || word.hasSuffix(".none")
        if isPresence, bytes.endIndex == name.endIndex || rest.startIndex > name.endIndex {
            return InnerCondition(field: String(base), text: word)
        }
        let signs = rest.prefix { Array("=~<>!^".utf8).contains($0) }
        guard signs.contains(where: { Array("=~<>".utf8).contains($0) }) else { return nil }
        return InnerCondition(
            field: String(base), text: String(decoding: bytes[..<signs.endIndex], as: UTF8.self))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) }
}

extension String {
    /// The text without white space at its ends.
    public func trimmingSpaces() -> String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// Whether the text has white space anywhere.
    public var hasSpaces: Bool {
        unicodeScalars.contains { $0.properties.isWhitespace }
    }
}
