// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Decides when collections are refreshed so that accepted writes are seen soon. Pure.
struct ConfirmationSchedule: Sendable, Equatable {
    /// The time from an acceptance to the first refresh, in milliseconds.
    static let firstDelay: Int64 = 2000

    private struct Entry: Equatable {
        var due: Int64
        var delay: Int64
    }

    private var entries: [String: Entry] = [:]

    /// The time of the next refresh; nil where none is needed.
    var next: Int64? { entries.values.map(\.due).min() }

    /// Takes in that the upstream has accepted a write.
    mutating func accept(_ collection: String, now: Int64) {
        let due = now + Self.firstDelay
        let earlier = entries[collection].map { min($0.due, due) }
        entries[collection] = Entry(due: earlier ?? due, delay: Self.firstDelay)
    }

    /// The collections to refresh now. The next time of each comes after twice as long, until that is its own interval.
    ///
    /// - Parameters:
    ///   - interval: the interval of a collection, in milliseconds; nil where no accepted write waits there any more.
    mutating func take(now: Int64, interval: (String) -> Int64?) -> [String] {
        var due: [String] = []
        for (name, entry) in entries where entry.due <= now {
            guard let interval = interval(name) else {
                entries[name] = nil
                continue
            }
            due.append(name)
            let delay = entry.delay * 2
            entries[name] = delay < interval ? Entry(due: now + delay, delay: delay) : nil
        }
        return due.sorted()
    }
}
