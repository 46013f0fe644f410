// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The notice about data that is not fresh, such as `books: 12 min old; the server timed out at 08:01, next try in 40
/// s`.
///
/// It is wholly in the language of the messages that the daemon was asked for.
public struct FreshnessLine {
    private let time: LocalTime
    private let isPolish: Bool

    /// Makes the texts for one present time.
    ///
    /// - Parameter language: the language in which the daemon was asked to answer; nil for its own.
    public init(_ time: LocalTime, _ language: String?) {
        self.time = time
        isPolish = language == "pl"
    }

    /// The notice about one collection; `nil` for a collection without data, and for fresh data that has a source.
    public func text(_ meta: CollectionMeta) -> String? {
        guard meta.hasData, let freshness = meta.freshness, freshness != "fresh" || meta.isAbandoned else {
            return nil
        }
        var text = "\(meta.collection): "
        if freshness == "bundle" {
            text += choose("built-in data", "dane wbudowane")
            if meta.failure == nil {
                text += choose("; no upstream has answered yet", "; żaden serwer jeszcze nie odpowiedział")
            }
        } else {
            let age = meta.age ?? 0
            text += choose("\(Ages.span(age)) old", "dane sprzed \(PolishAges.span(age, isGenitive: true))")
            if freshness == "expired" { text += choose(" (expired)", " (przeterminowane)") }
        }
        return text + (why(meta).map { "; \($0)" } ?? "")
    }

    /// The reason for old data and the time of the next refresh, such as `the server timed out at 08:01, next try in 40
    /// s`; `nil` if the meta tells neither.
    public func why(_ meta: CollectionMeta) -> String? {
        var parts: [String] = []
        if meta.isAbandoned {
            let message = meta.failure.map { Self.clause($0.message) }
            let file = "collections.d/\(meta.collection).json5"
            return (message.map { "\($0); " } ?? "") + choose("name one in \(file)", "wpisz je w \(file)")
        }
        if let failure = meta.failure {
            let at = failure.at.map { time.clock($0) }
            parts.append(Self.clause(failure.message) + (at.map { choose(" at \($0)", " (\($0))") } ?? ""))
        }
        if let next = meta.nextRefresh {
            let word =
                meta.failure == nil
                ? choose("next refresh", "następne odświeżenie") : choose("next try", "następna próba")
            if next < time.now + 1000 {
                parts.append(word + choose(" is due", " zaraz"))
            } else {
                let span = choose(Ages.relative(next, to: time.now), "za \(PolishAges.span(next - time.now))")
                parts.append("\(word) \(span)")
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The sentence about data that is older than was asked for, with the age that was written.
    static func tooOld(_ meta: CollectionMeta, maxAge: String, _ language: String?) -> String {
        let name = meta.collection
        guard let age = meta.age else {
            return LocalizedText(
                en: "\(name): of unknown age, and --max-age is \(maxAge)",
                pl: "\(name): dane w nieznanym wieku, a --max-age to \(maxAge)"
            ).text(language ?? "en")
        }
        // A short age is told exactly, because it is compared with what may be as short.
        let exact = age < 60_000 ? "\(age) ms" : nil
        return LocalizedText(
            en: "\(name): \(exact ?? Ages.span(age)) old, and --max-age is \(maxAge)",
            pl: "\(name): dane sprzed \(exact ?? PolishAges.span(age, isGenitive: true)), a --max-age to \(maxAge)"
        ).text(language ?? "en")
    }

    private func choose(_ english: String, _ polish: @autoclosure () -> String) -> String {
        isPolish ? polish() : english
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

/// The Polish text for spans of time, rounded down to one unit.
enum PolishAges {
    /// The length of a span in its largest unit: `40 s`, `12 min`, `3 h`, `2 dni`, `5 lat`.
    ///
    /// - Parameter isGenitive: whether the text follows `sprzed`, as in `sprzed 1 dnia`.
    static func span(_ ms: Int64, isGenitive: Bool = false) -> String {
        let text = Ages.span(ms)
        let parts = text.split(separator: " ")
        guard parts.count == 2, let number = Int64(parts[0]) else { return text }
        switch parts[1] {
        case "day", "days": return number == 1 ? (isGenitive ? "1 dnia" : "1 dzień") : "\(number) dni"
        case "year", "years":
            if number == 1 { return isGenitive ? "1 roku" : "1 rok" }
            let takesLata = (2...4).contains(number % 10) && !(12...14).contains(number % 100)
            return "\(number) \(takesLata && !isGenitive ? "lata" : "lat")"
        default: return text
        }
    }
}
