// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
public import ClaimsStore
public import ClaimsUpstream
import Synchronization

/// Erases removed collections: at once if a client asks for it, otherwise when the time for which they are kept is
/// over.
///
/// The work is done on a thread of its own, in small pieces. Work that a stop or a crash has interrupted continues
/// after the next start.
final class Eraser: Sendable {
    typealias Completion = @Sendable (Result<ErasedCollection, StoreError>) -> Void

    private struct State {
        var isStopping = false
        /// Whether a job that erases the due collections is waiting or running.
        var isErasingDue = false
        /// Whether something became due while that job ran.
        var isBehind = false
        /// Whether rows may be left of a collection that is being erased: after a start, and after a failure.
        var hasLeftovers = true
        /// The time of the last failure, in monotonic nanoseconds.
        var failedAt: UInt64?
        /// The clients that wait for an erasure which has not begun.
        var waiting: [UInt64: Completion] = [:]
        var nextNumber: UInt64 = 0
    }

    /// The time until an erasure that failed is tried again.
    private static let retryInterval = Duration.seconds(30)

    private let opener: CollectionOpener
    private let state = Monitor(State())
    /// Started with the first erasure.
    private let thread = Mutex<WorkerPool?>(nil)
    /// Returns once no refresh of the collection is under way.
    private let waitForRefresh: @Sendable (_ collection: String) -> Void
    private let onErase: @Sendable (ErasedCollection) -> Void
    private let onBehind: @Sendable () -> Void

    /// - Parameters:
    ///   - waitForRefresh: returns once no refresh of the collection is under way; called on the eraser's thread.
    ///   - onErase: called after a collection was erased because its time was over.
    ///   - onBehind: called if something became due during an erasure: then ``eraseDue(removedBefore:)`` must be called
    ///     again.
    init(
        _ opener: CollectionOpener, waitForRefresh: @escaping @Sendable (String) -> Void,
        onErase: @escaping @Sendable (ErasedCollection) -> Void, onBehind: @escaping @Sendable () -> Void
    ) {
        self.opener = opener
        self.waitForRefresh = waitForRefresh
        self.onErase = onErase
        self.onBehind = onBehind
    }

    private var isStopping: Bool { state.read { $0.isStopping } }

    /// Erases a removed collection now.
    ///
    /// - Parameter completion: called once, on any thread, when nothing of the collection is left. An error other than
    ///   `.noCollection` and `.mismatch` may come after the erasure has begun; then the eraser continues by itself.
    func erase(_ name: String, completion: @escaping Completion) {
        let number = state.update { state -> UInt64? in
            if state.isStopping { return nil }
            state.nextNumber += 1
            state.waiting[state.nextNumber] = completion
            return state.nextNumber
        }
        guard let number else { return completion(.failure(Self.stopped)) }
        let isPosted = post { [self] in
            guard let completion = state.update({ $0.waiting.removeValue(forKey: number) }) else { return }
            do throws(StoreError) {
                completion(.success(try perform(name, removedBy: .max)))
            } catch {
                completion(.failure(error))
            }
        }
        if !isPosted, let completion = state.update({ $0.waiting.removeValue(forKey: number) }) {
            completion(.failure(StoreError(.io, "erase a collection", detail: "no thread is to be had")))
        }
    }

    /// Begins to erase the collections that were removed before `oldest` (milliseconds since 1970), and the rest of an
    /// earlier erasure.
    func eraseDue(removedBefore oldest: Int64) {
        let due = opener.store.catalog.current().removed.filter { !$0.isKept && $0.removedAt < oldest }
        let now = SystemClock.monotonic
        let isNeeded = state.update { state -> Bool in
            guard !due.isEmpty || state.hasLeftovers, !state.isStopping else { return false }
            if state.isErasingDue {
                state.isBehind = !due.isEmpty
                return false
            }
            if let failedAt = state.failedAt, now &- failedAt < Self.retryInterval.wholeNanoseconds { return false }
            state.isErasingDue = true
            return true
        }
        guard isNeeded else { return }
        let isPosted = post { [self] in
            do throws(StoreError) {
                try finish()
                for collection in due {
                    do throws(StoreError) {
                        onErase(try perform(collection.name, removedBy: collection.removedAt))
                    } catch {
                        // It has its definition back, or a client was faster.
                        guard error.code == .mismatch || error.code == .noCollection else { throw error }
                    }
                }
            } catch {
                state.update { $0.failedAt = SystemClock.monotonic }
            }
            let isBehind = state.update { state in
                state.isErasingDue = false
                defer { state.isBehind = false }
                return state.isBehind
            }
            if isBehind { onBehind() }
        }
        if !isPosted { state.update { $0.isErasingDue = false } }
    }

    /// Records that an erasure may have left something; it is erased a while later.
    func recordLeftovers() {
        state.update { state in
            state.hasLeftovers = true
            state.failedAt = SystemClock.monotonic
        }
    }

    /// Begins nothing more, and waits for the piece that runs. The clients that wait get the error that the store is closing.
    func stop() {
        let waiting = state.update { state in
            state.isStopping = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for completion in waiting.values { completion(.failure(Self.stopped)) }
        thread.withLock { $0.take() }?.stop()
    }

    private func perform(_ name: String, removedBy latest: Int64) throws(StoreError) -> ErasedCollection {
        waitForRefresh(name)
        let collection = try opener.store.beginErasing(name, removedBy: latest)
        state.update { $0.hasLeftovers = true }
        try opener.finishErasing(collection, while: { [self] in !isStopping })
        state.update { $0.hasLeftovers = false }
        return collection
    }

    private func finish() throws(StoreError) {
        guard state.read({ $0.hasLeftovers }) else { return }
        try opener.store.finishErasing(while: { [self] in !isStopping })
        try opener.store.database.finishForgetting(
            timeout: CollectionOpener.forgetTimeout, while: { [self] in !isStopping })
        state.update { state in
            state.hasLeftovers = false
            state.failedAt = nil
        }
    }

    private func post(_ work: @escaping @Sendable () -> Void) -> Bool {
        thread.withLock { thread in
            if thread == nil, !isStopping {
                thread = try? WorkerPool(name: "erase", threads: 1, urgency: .background)
            }
            thread?.post(work)
            return thread != nil
        }
    }

    private static let stopped = StoreError(.closed, "erase a collection")
}

extension TokenStore {
    /// Removes the refresh tokens that no definition in force names, and no collection that has rows has named.
    public func removeUnneeded(in catalog: Catalog) {
        let kept = Set(catalog.views.map(\.definition.name) + catalog.removed.map(\.name))
        removeUnneeded(definitions: catalog.views.map(\.definition)) { kept.contains($0) }
    }
}
