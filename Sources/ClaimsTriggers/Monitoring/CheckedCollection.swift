// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// A collection in the answer of `status`, as `check` judges it.
struct CheckedCollection {
    let meta: AnswerMeta
    let condition: Condition
    /// The ages at which data is stale, and expired, in milliseconds; nil without an upstream.
    private let ttl: Int64?
    private let expires: Int64?

    /// The kinds of failures that a person must see at once, however fresh the data is.
    private static let grave: Set = ["integrity", "clock"]

    /// Reads an element of `collections`; nil if it has no `meta`.
    init?(_ entry: AnswerValue) {
        guard var meta = AnswerMeta(entry[StatusResult.Collection.meta]) else { return nil }
        meta.collection = entry[StatusResult.Collection.name] ?? meta.collection
        self.meta = meta
        condition = Condition(meta)
        ttl = entry[StatusResult.Collection.ttl]
        expires = entry[StatusResult.Collection.expires]
    }

    var name: String { meta.collection }

    /// The status; nil for a collection that is left out.
    ///
    /// - Parameter isNamed: whether the command line names the collection.
    func status(isNamed: Bool) -> PluginStatus? {
        if let kind = meta.failure?.kind, Self.grave.contains(kind) { return .critical }
        return switch condition {
        case .unconfigured: isNamed ? .unknown : nil
        case .loading, .stale, .held, .abandoned: .warning
        case .failed, .expired, .withheld: .critical
        case .ok: .ok
        }
    }

    /// The collection in a few words: `books: stale, 12 min old`.
    func text(_ messages: Messages) -> String {
        var text = "\(name): \(messages.word(condition.rawValue))"
        if meta.freshness != nil, let age = meta.age { text += ", " + messages.dataOf(age: age, isExpired: false) }
        return text
    }

    /// The collection in a line, with the reason for a problem.
    func line(_ freshness: FreshnessLine, _ messages: Messages) -> String {
        guard condition != .ok || meta.failure != nil, let why = freshness.why(meta) else { return text(messages) }
        return "\(text(messages)); \(why)"
    }

    /// The age of its data; nil if it is not known.
    var age: PluginValue? {
        guard meta.freshness != nil, let age = meta.age else { return nil }
        return PluginValue(
            "\(name).age", max(0, age / 1000), unit: "s", warning: Self.seconds(ttl), critical: Self.seconds(expires))
    }

    /// A span in whole seconds; empty for none, and for one without an end.
    private static func seconds(_ ms: Int64?) -> String {
        guard let ms, ms < TimeSpan.infinity.wholeMilliseconds else { return "" }
        return String(ms / 1000)
    }
}
