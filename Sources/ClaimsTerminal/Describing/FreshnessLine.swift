// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The notice about data that is not fresh, such as `books: 12 min old; the server timed out at 08:01, next try in 40
/// s`.
public enum FreshnessLine {
    /// The notice about one collection; `nil` for fresh data and for a collection without data.
    public static func text(_ meta: CollectionMeta, time: LocalTime) -> String? {
        guard meta.hasData, let freshness = meta.freshness, freshness != "fresh" else { return nil }
        var text = "\(meta.collection): "
        if freshness == "bundle" {
            text += "built-in data"
            if meta.failure == nil { text += "; no upstream has answered yet" }
        } else {
            text += "\(Ages.span(meta.age ?? 0)) old"
            if freshness == "expired" { text += " (expired)" }
        }
        return text + (why(meta, time: time).map { "; \($0)" } ?? "")
    }

    /// The reason for old data and the time of the next refresh, such as `the server timed out at 08:01, next try in 40
    /// s`; `nil` if the meta tells neither.
    public static func why(_ meta: CollectionMeta, time: LocalTime) -> String? {
        var parts: [String] = []
        if let failure = meta.failure {
            let at = failure.at.map { " at \(time.clock($0))" } ?? ""
            parts.append(clause(failure.message) + at)
        }
        if let next = meta.nextRefresh {
            let word = meta.failure == nil ? "next refresh" : "next try"
            parts.append(next < time.now + 1000 ? "\(word) is due" : "\(word) \(Ages.relative(next, to: time.now))")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// A sentence as a part of another: no large letter at its start, no full stop.
    static func clause(_ text: String) -> String {
        var text = Escaping.line(text)
        while text.hasSuffix(".") { text.removeLast() }
        let scalars = text.unicodeScalars
        guard let first = scalars.first, first.properties.isUppercase,
            let second = scalars.dropFirst().first, second.properties.isLowercase || second == " "
        else { return text }
        return first.properties.lowercaseMapping + String(scalars.dropFirst())
    }
}
