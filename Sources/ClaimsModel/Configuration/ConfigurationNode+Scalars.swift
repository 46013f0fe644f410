// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension ConfigurationNode {
    func string(_ expected: String = "a string") -> String? {
        guard case .string(let text) = node.value else {
            complain(expected: expected)
            return nil
        }
        return text
    }

    /// A string that is not blank.
    func name(_ expected: String) -> String? {
        guard let text = string(expected) else { return nil }
        guard !text.allSatisfy(\.isWhitespace) else {
            complain(expected: expected)
            return nil
        }
        return text
    }

    func bool() -> Bool? {
        guard case .bool(let value) = node.value else {
            complain(expected: "true or false")
            return nil
        }
        return value
    }

    func integer(_ range: ClosedRange<Int>) -> Int? {
        guard case .number(let digits) = node.value, let number = Int(digits), range.contains(number) else {
            complain(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// A share, from 0 to 1.
    func share() -> Double? {
        guard case .number(let digits) = node.value, let number = Double(digits), number >= 0, number <= 1 else {
            complain(expected: "a share from 0 to 1")
            return nil
        }
        return number
    }

    /// A span of time: text as systemd.time(7) has it, or a number of seconds.
    func span(atLeast least: Duration = .zero) -> Duration? {
        let text: String? =
            switch node.value {
            case .string(let text), .number(let text): text
            default: nil
            }
        guard let span = text.flatMap(TimeSpan.parse), span >= least else {
            let bound = least > .zero ? " of at least \(least)" : ""
            complain(expected: "a span of time\(bound), such as \"5min\" or \"1h 30min\"")
            return nil
        }
        return span
    }

    /// A size in bytes: text with K, M or G, or a number.
    func size(_ range: ClosedRange<Int> = 1...ByteSize.largest) -> Int? {
        let text: String? =
            switch node.value {
            case .string(let text), .number(let text): text
            default: nil
            }
        guard let size = text.flatMap(ByteSize.parse), range.contains(size) else {
            complain(
                expected: "a size from \(range.lowerBound) to \(range.upperBound) bytes, such as \"64M\" or 4096")
            return nil
        }
        return size
    }

    func pointer() -> JSONPointer? {
        let expected = "a JSON Pointer, such as \"/a/b\" or \"\""
        guard let text = string(expected) else { return nil }
        guard let pointer = try? JSONPointer(text) else {
            complain(expected: expected)
            return nil
        }
        return pointer
    }

    /// A text, or an object of texts by language.
    func localizedText() -> LocalizedText? {
        if case .string(let text) = node.value { return LocalizedText(text) }
        guard case .object(let members) = node.value, !members.isEmpty else {
            complain(expected: "a text, or an object of texts by language such as { en: \"…\", pl: \"…\" }")
            return nil
        }
        var wordings: [LocalizedText.Wording] = []
        for member in members {
            let value = child(member.key, member.node)
            let isTag = member.key.utf8.count >= 2 && LocalizedText.primaryLanguage(of: member.key) == member.key
            if !isTag { value.complain("'\(member.key)' is not a language; expected a tag such as en or pl") }
            if let text = value.string(), isTag { wordings.append(.init(language: member.key, text: text)) }
        }
        return wordings.isEmpty ? nil : LocalizedText(wordings)
    }

    /// Notes a reference to nothing.
    ///
    /// - Parameter kind: what should be called so: `field`.
    func complain(unknown name: String, _ kind: String, among names: some Sequence<String>) {
        let names = Array(names)
        let hint =
            Suggestion.hint(name, among: names)
            ?? (names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))")
        complain("no \(kind) is called '\(name)'; \(hint)")
    }
}
