// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import Synchronization

/// Passes the news of refreshes to the server: that one has begun, and how it has ended. Safe on any thread.
public final class RefreshNews: Sendable {
    private let observer = Mutex<(@Sendable (SourceID, RefreshOutcome.Status) -> Void)?>(nil)

    /// Makes news that nobody hears yet.
    public init() {}

    /// Tells that a refresh of a source has begun, or how it has ended.
    public func tell(_ source: SourceID, _ status: RefreshOutcome.Status) {
        observer.withLock { $0 }?(source, status)
    }

    /// Sets the observer, which is called on the thread of each refresh and must be quick; nil for none.
    func observe(_ observer: (@Sendable (SourceID, RefreshOutcome.Status) -> Void)?) {
        self.observer.withLock { $0 = observer }
    }
}
