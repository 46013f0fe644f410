// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Passes the news of refreshes to the server: that one has begun, and how it has ended. Safe on any thread.
public final class RefreshNews: Sendable {
    private let observer = Mutex<(@Sendable (_ collection: String, RefreshOutcome.Status) -> Void)?>(nil)

    /// Makes news that nobody hears yet.
    public init() {}

    /// Tells that a refresh of a collection has begun, or how it has ended.
    public func tell(_ collection: String, _ status: RefreshOutcome.Status) {
        observer.withLock { $0 }?(collection, status)
    }

    /// Sets the observer, which is called on the thread of each refresh and must be quick; nil for none.
    func observe(_ observer: (@Sendable (_ collection: String, RefreshOutcome.Status) -> Void)?) {
        self.observer.withLock { $0 = observer }
    }
}
