// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The notice about data that is not fresh, such as `books: 12 min old; the server timed out at 08:01, next try in 40
/// s`.
///
/// The reason in it comes from the daemon, which has to be asked for the same language.
public struct FreshnessLine {
    private let time: LocalTime
    /// The folder of the definitions of the daemon's collections.
    private let folder: String
    private var messages: Messages { time.messages }

    /// Makes the texts for one present time, in the language of its messages.
    ///
    /// - Parameter folder: the folder of the daemon's configuration.
    public init(_ time: LocalTime, configuration folder: String = "/etc/claimsd") {
        self.time = time
        self.folder = folder + "/collections.d"
    }

    /// The notice about one collection; `nil` for a collection without data that is not withheld, and for fresh data
    /// that has a source and is all there is.
    public func text(_ meta: AnswerMeta) -> String? {
        state(meta).map { "\(meta.collection): \($0)" }
    }

    private func state(_ meta: AnswerMeta) -> String? {
        let parts = [age(meta), meta.isLimited ? messages.limitedView : nil].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private func age(_ meta: AnswerMeta) -> String? {
        // A feed of it is silent until an upstream answers.
        if meta.state == "withheld" { return messages.withheldData + (why(meta).map { "; \($0)" } ?? "") }
        guard meta.hasData, let freshness = meta.freshness, freshness != "fresh" || meta.isAbandoned else {
            return nil
        }
        var text: String
        if freshness == "bundle" {
            text = meta.failure == nil ? messages.builtInUnanswered : messages.builtIn
        } else {
            text = messages.dataOf(age: meta.age ?? 0, isExpired: freshness == "expired")
            if let sites = meta.sites { text = messages.oldSites(sites.old, of: sites.total) + ", " + text }
        }
        return text + (why(meta).map { "; \($0)" } ?? "")
    }

    /// The notices about several collections; equal ones are joined: `books, films: 12 min old; …`.
    public func texts(_ metas: [AnswerMeta]) -> [String] {
        var groups: [(text: String, first: AnswerMeta, collections: [String])] = []
        for meta in metas {
            // Next refreshes differ by seconds. A joined notice has the earliest one.
            var undated = meta
            undated.nextRefresh = nil
            guard let text = state(undated) else { continue }
            if let index = groups.firstIndex(where: { $0.text == text }) {
                let times = [groups[index].first.nextRefresh, meta.nextRefresh].compactMap(\.self)
                groups[index].first.nextRefresh = times.min()
                groups[index].collections.append(meta.collection)
            } else {
                groups.append((text, meta, [meta.collection]))
            }
        }
        return groups.compactMap { group in
            state(group.first).map { "\(group.collections.joined(separator: ", ")): \($0)" }
        }
    }

    /// The reason for old data and the time of the next refresh, such as `the server timed out at 08:01, next try in 40
    /// s`; `nil` if the meta has neither.
    public func why(_ meta: AnswerMeta) -> String? {
        var parts: [String] = []
        if meta.isAbandoned {
            let message = meta.failure.map { Self.clause($0.message) }
            // The mistake in the new definition is reported by itself.
            if meta.isDefinitionPrevious { return message }
            return (message.map { "\($0); " } ?? "") + messages.nameSource(in: "\(folder)/\(meta.collection).json5")
        }
        if let failure = meta.failure {
            parts.append(
                messages.failed(failure.clause, at: failure.at.map { time.clock($0) }, isHeld: failure.kind == "held"))
        }
        if let next = meta.nextRefresh {
            let isDue = next < time.now + 1000
            parts.append(
                messages.nextRefresh(isDue ? nil : time.relative(next), isAnotherTry: meta.failure != nil))
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The message about data that is older than was asked for, with the age that was written.
    static func tooOld(_ meta: AnswerMeta, maxAge: String, _ messages: Messages) -> String {
        messages.tooOld(meta.collection, age: meta.age, maxAge: maxAge)
    }

    /// A sentence as a part of another: no large letter at its start, no full stop.
    public static func clause(_ text: String) -> String {
        var text = Escaping.line(text)
        while text.hasSuffix(".") { text.removeLast() }
        let scalars = text.unicodeScalars
        guard let first = scalars.first, first.properties.isUppercase,
            let second = scalars.dropFirst().first, second.properties.isLowercase || second == " "
        else { return text }
        return first.properties.lowercaseMapping + String(scalars.dropFirst())
    }
}

/// The notice about the collections that an answer over all of them leaves out.
enum LeftOut {
    /// The notice, such as `left out: books, films (unknown field 'shelf')`; nil if nothing is left out.
    ///
    /// Collections with the same reason stand together, so that nothing is said twice.
    static func text(_ skipped: [(collection: String, reason: String)], _ messages: Messages) -> String? {
        var groups: [(reason: String, collections: [String])] = []
        for (collection, reason) in skipped {
            if let index = groups.firstIndex(where: { $0.reason == reason }) {
                guard !groups[index].collections.contains(collection) else { continue }
                groups[index].collections.append(collection)
            } else {
                groups.append((reason, [collection]))
            }
        }
        if groups.isEmpty { return nil }
        let parts = groups.map { reason, collections in
            let names = collections.joined(separator: ", ")
            // Some reasons name the collection themselves.
            let words = reason.split { " :;,()'„”".contains($0) }
            let isNamed = collections.count == 1 && words.contains { $0 == names }
            return isNamed ? reason : "\(names) (\(FreshnessLine.clause(reason)))"
        }
        return messages.leftOut(parts.joined(separator: "; "))
    }
}
