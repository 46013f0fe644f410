// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Decides what the database's thread does next. Pure: `StateWorker` owns the thread and the lock.
///
/// Local changes come first and share one commit. A piece of background work runs after every `localRounds` commits, so
/// that a stream of changes cannot starve refreshes.
struct StateQueue {
    /// A change that a caller waits for.
    struct LocalJob: Sendable {
        /// The approximate number of rows that it changes.
        var weight = 1
        /// Whether it has a commit of its own, because it reads the served state.
        var isAlone = false
        /// Runs in a transaction that others may share; returns the work for the time after the commit.
        let apply: @Sendable (inout StateConnection) throws(StoreError) -> @Sendable () -> Void
        let fail: @Sendable (StoreError) -> Void
    }

    /// A piece of a refresh, of some 20 ms at most.
    typealias BackgroundJob = @Sendable (inout StateConnection) -> Void

    enum Work {
        case local([LocalJob])
        case background(BackgroundJob)
        /// The write-ahead log has been copied: it is to be emptied.
        case emptyLog(LogCopy)
        /// The thread only has to show that it lives.
        case wake
        case close
    }

    /// The maximal number of local changes that share a commit.
    static let localJobsPerCommit = 64
    /// The weight at which no more join a commit.
    static let weightPerCommit = 4096
    /// The maximal number of commits of local changes before waiting background work.
    static let localRounds = 8

    private var local: [LocalJob] = []
    private var background: [BackgroundJob] = []
    private var rounds = 0
    private var isWoken = false
    private(set) var isClosing = false
    /// The write-ahead log is too long: background work waits until it has been copied into the file.
    var isLogLong = false
    /// The outcome of the last copy of the write-ahead log, until it is taken out.
    var copiedLog: LogCopy?

    /// Adds a job; returns false if the queue is closing, because the job will not run.
    mutating func add(_ job: LocalJob) -> Bool {
        guard !isClosing else { return false }
        local.append(job)
        return true
    }

    /// Adds a job; returns false if the queue is closing, because the job will not run.
    mutating func add(_ job: @escaping BackgroundJob) -> Bool {
        guard !isClosing else { return false }
        background.append(job)
        return true
    }

    /// Makes the thread show that it lives, even if there is no work.
    mutating func wake() { isWoken = true }

    /// Closes the queue. It takes no more work, but waiting work is still done.
    mutating func close() {
        isClosing = true
        isLogLong = false
    }

    /// Removes and returns the next piece of work; nil: there is nothing for now.
    mutating func next() -> Work? {
        if let outcome = copiedLog {
            copiedLog = nil
            return .emptyLog(outcome)
        }
        let canRunBackground = !background.isEmpty && (!isLogLong || isClosing)
        if !local.isEmpty && !(canRunBackground && rounds >= Self.localRounds) {
            rounds += 1
            var weight = 0
            var batch = Array(
                local.prefix(Self.localJobsPerCommit).prefix { job in
                    defer { weight += job.weight }
                    return weight < Self.weightPerCommit
                })
            if let index = batch.firstIndex(where: \.isAlone) { batch.removeLast(batch.count - max(1, index)) }
            local.removeFirst(batch.count)
            return .local(batch)
        }
        if canRunBackground {
            rounds = 0
            return .background(background.removeFirst())
        }
        if isWoken {
            isWoken = false
            return .wake
        }
        return isClosing && background.isEmpty ? .close : nil
    }
}
