// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension Operation {
    /// The words with which the upstream explains the state that the operation has; nil if its last answer has none, or
    /// the state does not come from it.
    public var upstreamWords: String? {
        guard let answer = delivery.answer, answer.status >= 400, delivery.log.last?.status == answer.status,
            message?.key == .httpStatus || message?.key == .writeUnanswered
        else { return nil }
        return answer.words
    }
}

extension OperationAnswer {
    /// The number of characters of a body that are taken as words.
    private static let maxWords = 200
    /// The maximal depth to which objects and arrays are searched.
    private static let maxDepth = 4
    /// The members that explain a failure, the best first: the members of RFC 9457, and usual ones.
    private static let explaining = [
        "detail", "message", "error_description", "msg", "error", "errors", "reason", "title", "description",
    ]

    /// The words of the body for people, on one line of at most 200 characters: the members of a JSON text that explain
    /// a failure, or the beginning of another text; nil for HTML, and for an empty body.
    public var words: String? {
        guard let first = body.unicodeScalars.first(where: { !$0.properties.isWhitespace }), first != "<" else {
            return nil
        }
        let isJSON = ["{", "[", "\""].contains(first)
        guard let text = isJSON ? (try? JSONValue.parse(body)).flatMap({ Self.words($0, depth: 0) }) : body else {
            return nil
        }
        let words = text.split {
            $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        .joined(separator: " ")
        guard !words.isEmpty else { return nil }
        return words.count > Self.maxWords ? words.prefix(Self.maxWords) + "…" : words
    }

    private static func words(_ value: JSONValue, depth: Int) -> String? {
        guard depth < maxDepth else { return nil }
        switch value {
        case .string(let text): return text.isEmpty ? nil : text
        case .array(let list):
            let found = list.prefix(3).compactMap { words($0, depth: depth + 1) }
            return found.isEmpty ? nil : found.joined(separator: "; ")
        case .object(let object):
            return explaining.lazy.compactMap { name in object[name].flatMap { words($0, depth: depth + 1) } }.first
        default: return nil
        }
    }
}
