// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A stretch of a text in one of Markdown's inline forms.
enum InlineText: Equatable {
    case plain(String)
    case code(String)
    case strong(String)
    case emphasis(String)
    case link(text: String, url: String)
    /// A page of the reference, by its name.
    case page(String)

    /// Divides a text into its parts. A mark without its partner is a plain character.
    static func parse(_ text: String) -> [InlineText] {
        var pieces: [InlineText] = []
        var plain = ""
        var rest = text[...]
        while let character = rest.first {
            if let (piece, after) = marked(rest) {
                if !plain.isEmpty { pieces.append(.plain(plain)) }
                plain = ""
                pieces.append(piece)
                rest = after
            } else {
                rest = rest.dropFirst()
                // A backslash before a mark makes it a plain character.
                if character == "\\", let next = rest.first, "*`[<|\\".contains(next) {
                    plain.append(next)
                    rest = rest.dropFirst()
                } else {
                    plain.append(character)
                }
            }
        }
        if !plain.isEmpty { pieces.append(.plain(plain)) }
        return pieces
    }

    private static func marked(_ text: Substring) -> (InlineText, Substring)? {
        for (open, close) in [("``", "``"), ("`", "`"), ("**", "**"), ("*", "*"), ("<doc:", ">"), ("[", "]")] {
            guard text.hasPrefix(open) else { continue }
            let body = text.dropFirst(open.count)
            guard let end = body.firstRange(of: close), !end.isEmpty, end.lowerBound > body.startIndex else {
                return nil
            }
            let inner = String(body[..<end.lowerBound])
            let rest = body[end.upperBound...]
            switch open {
            case "``": return (.code(inner.hasPrefix(" ") ? String(inner.dropFirst().dropLast()) : inner), rest)
            case "`": return (.code(inner), rest)
            case "**": return (.strong(inner), rest)
            case "*": return (.emphasis(inner), rest)
            case "<doc:": return (.page(inner), rest)
            default:
                guard rest.first == "(", let close = rest.firstIndex(of: ")") else { return nil }
                let url = String(rest[rest.index(after: rest.startIndex)..<close])
                return (.link(text: inner, url: url), rest[rest.index(after: close)...])
            }
        }
        return nil
    }

    /// The text without its marks.
    static func plain(_ text: String) -> String {
        parse(text).map { piece in
            switch piece {
            case .plain(let text), .code(let text), .strong(let text), .emphasis(let text), .link(let text, _),
                .page(let text):
                text
            }
        }.joined()
    }
}
