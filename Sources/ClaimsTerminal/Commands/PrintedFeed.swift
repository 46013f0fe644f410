// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsProtocol

/// The lines that `watch` prints of a feed. It takes events and returns lines; it touches nothing else.
///
/// A commit comes in one or more lines of the protocol. Its entries are kept until the last of them, so that a commit
/// that is cut off comes anew, and each entry is printed once. Sets, and commits of more than ``maxKept`` bytes, are
/// printed as they come; where one is cut off, the feed begins again as a set.
struct PrintedFeed {
    /// The position of the feed.
    var feed: FollowedFeed
    /// The name of the collection, for the lines where a set begins.
    var collection: String
    /// The lines of the commit that is not complete yet.
    private var kept: [UInt8] = []
    /// Whether entries are printed as they come: those of a set.
    private var isPassing = false
    /// Whether entries of a commit were printed before its end.
    private var isPartShown = false

    /// The maximum size of a commit that is kept until it is complete, in bytes.
    static let maxKept = 8 * 1024 * 1024

    init(_ start: FollowedFeed.Start, collection: String) {
        feed = FollowedFeed(start, restart: .initial)
        self.collection = collection
    }

    /// The lines to print after an event, each with its newline; empty if there is nothing to print yet.
    mutating func handle(_ event: FeedEvent) -> [UInt8] {
        guard feed.accept(event) else { return [] }
        switch event.kind {
        case .freshInstance(let reason):
            // It takes the place of whatever was under way.
            kept = []
            isPassing = true
            isPartShown = false
            return Self.beginning(of: collection, reason: reason)
        case .changes(let entries, let isComplete): return handle(entries, completing: isComplete)
        case .synced:
            isPassing = false
            return settle()
        case .heartbeat, .state, .lagged, .ended, .unknown: return []
        }
    }

    private mutating func handle(_ entries: [AnswerValue], completing isComplete: Bool) -> [UInt8] {
        for entry in entries {
            entry.appendSource(to: &kept)
            kept.append(UInt8(ascii: "\n"))
        }
        if isComplete, !isPassing { return settle() }
        guard isPassing || kept.count > Self.maxKept else { return [] }
        isPartShown = true
        defer { kept = [] }
        return kept
    }

    /// The lines that were kept, now that a clock stands for them.
    private mutating func settle() -> [UInt8] {
        isPartShown = false
        defer { kept = [] }
        return kept
    }

    /// Records that the connection is lost: what was kept will come again.
    mutating func lost() {
        feed.lost(isPartShown: isPartShown)
        kept = []
        isPassing = false
        isPartShown = false
    }

    /// The line with which a set begins.
    static func beginning(of collection: String, reason: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("op", "fresh_instance")
        writer.member("collection", collection)
        writer.member("reason", reason ?? "")
        writer.endObject()
        writer.newline()
        return writer.bytes
    }
}
