// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsSnapshot
import Synchronization

/// The snapshots that were replaced, as long as somebody reads them: a reader keeps their files until it is done.
final class RetiredSnapshots: Sendable {
    private struct Entry {
        weak var snapshot: Snapshot?
    }

    private let entries = Mutex<[String: [Entry]]>([:])

    /// Has a replaced snapshot removed once nobody reads it.
    func add(_ snapshot: Snapshot?, of collection: String) {
        guard let snapshot else { return }
        snapshot.removeWhenUnused()
        entries.withLock { entries in
            var list = entries[collection] ?? []
            list.removeAll { $0.snapshot == nil }
            list.append(Entry(snapshot: snapshot))
            entries[collection] = list
        }
    }

    /// Removes the files of all that were replaced in a collection. Readers finish undisturbed.
    func removeNow(of collection: String) {
        let list = entries.withLock { $0.removeValue(forKey: collection) } ?? []
        for entry in list { entry.snapshot?.removeNow() }
    }
}
