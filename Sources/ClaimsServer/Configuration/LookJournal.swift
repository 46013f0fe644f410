// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Synchronization

/// Reports to the system's journal which records were shown to which users, on a thread of its own, so that no answer
/// waits for the journal.
///
/// The thread waits while an entry cannot be written, and counting continues: then the span is longer, and nothing is
/// lost.
///
/// ```swift
/// let journal = LookJournal(JournalSettings()) { entry in write(entry) }
/// try journal.start()
/// journal.record(look, on: journal.account(of: viewer))
/// journal.stop()
/// ```
/// Safe on any thread.
final class LookJournal: Sendable {
    private struct Tasks {
        var every: Duration
        /// The connections whose processes are to be looked at.
        var origins: [PeerOrigin] = []
        var isStopping = false
        var hasEnded = false
    }

    /// Holds the thread, which is joined when the box goes.
    private final class ThreadBox: Sendable {
        let thread: NamedThread

        init(_ thread: consuming NamedThread) {
            self.thread = thread
        }
    }

    private let ledger = LookLedger()
    private let tasks: Monitor<Tasks>
    private let thread = Mutex<ThreadBox?>(nil)
    /// Whether the thread runs, so that new connections are examined.
    private let isRunning = Atomic<Bool>(false)
    private let write: @Sendable (LookEntry) -> Bool
    /// The number of connections that wait for being looked at.
    private static let maxOrigins = 4096
    /// The time for the last entries of a daemon that ends.
    private static let lastGrace: Duration = .seconds(2)
    /// The threads that a hanging journal held at their end; they end with the process.
    private static let hanging = Mutex<[ThreadBox]>([])

    /// - Parameter write: writes an entry, and returns whether it was written; it may block.
    init(_ settings: JournalSettings, write: @escaping @Sendable (LookEntry) -> Bool) {
        self.write = write
        tasks = Monitor(Tasks(every: settings.every))
        ledger.set(maxIDs: settings.ids)
    }

    /// Applies other settings.
    func configure(_ settings: JournalSettings) {
        ledger.set(maxIDs: settings.ids)
        tasks.update { $0.every = settings.every }
    }

    /// Starts the thread, if it does not run; called for the first collection that is journaled.
    ///
    /// - Throws: the error of the thread that could not be started.
    func start() throws(SystemError) {
        try thread.withLock { thread throws(SystemError) in
            guard thread == nil else { return }
            tasks.update { ($0.isStopping, $0.hasEnded) = (false, false) }
            // It works shortly, and a process may end as soon as it is answered.
            thread = ThreadBox(try NamedThread("looks", urgency: .prompt) { [weak self] in self?.run() })
            isRunning.store(true, ordering: .relaxed)
        }
    }

    /// Reports the counted looks, for two seconds at most, and ends the thread.
    func stop() {
        guard let box = thread.withLock({ $0.take() }) else { return }
        isRunning.store(false, ordering: .relaxed)
        tasks.update { $0.isStopping = true }
        let hasEnded = tasks.wait(upTo: Self.lastGrace, waking: .none) { $0.hasEnded ? true : nil }
        if hasEnded == nil { Self.hanging.withLock { $0.append(box) } }
    }

    // MARK: - Looks

    /// Requests that the process of a new connection is examined, if any collection is journaled.
    func admit(_ origin: PeerOrigin) {
        if isRunning.load(ordering: .relaxed) { find(origin) }
    }

    /// Requests that a process is examined, once for each connection.
    private func find(_ origin: PeerOrigin) {
        guard origin.claim() else { return }
        tasks.update(waking: .one) { tasks in
            // No process is examined while the journal hangs; looks of further processes are reported without a unit.
            if tasks.origins.count < Self.maxOrigins { tasks.origins.append(origin) }
        }
    }

    /// The account of a viewer.
    func account(of viewer: LookViewer) -> LookAccount {
        // The collection may have been journaled only after the connection began.
        find(viewer.origin)
        return ledger.account(of: viewer)
    }

    /// Counts the records that were shown.
    ///
    /// - Returns: the account to use from now on.
    @discardableResult
    func record(_ look: Look, on account: LookAccount) -> LookAccount { ledger.add(look, to: account) }

    // MARK: - The thread

    private func run() {
        var reportedAt = SystemClock.monotonic
        while true {
            let every = tasks.read { $0.every }.wholeNanoseconds
            let due = reportedAt &+ every
            let left = Duration.nanoseconds(Int64(clamping: due - min(due, SystemClock.monotonic)))
            let isStopping =
                tasks.wait(upTo: left, waking: .none) { tasks -> Bool? in
                    tasks.isStopping || !tasks.origins.isEmpty || tasks.every.wholeNanoseconds != every
                        ? tasks.isStopping : nil
                } ?? false
            for origin in tasks.update(
                waking: .none,
                { tasks in
                    defer { tasks.origins = [] }
                    return tasks.origins
                })
            {
                origin.find()
                ledger.settle(origin)
            }
            guard isStopping || SystemClock.monotonic >= due else { continue }
            reportedAt = SystemClock.monotonic
            for entry in ledger.endSpan() where !write(entry) { ledger.recordLoss(of: entry) }
            guard isStopping else { continue }
            return tasks.update { $0.hasEnded = true }
        }
    }
}
