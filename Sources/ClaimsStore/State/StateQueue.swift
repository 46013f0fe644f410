// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Decides what the database's thread does next. Pure: `StateWorker` owns the thread and the lock.
///
/// Local changes come first and share one commit. So that a stream of them cannot starve refreshes, a piece of
/// background work runs after every `localRounds` commits.
struct StateQueue {
    /// A change that somebody waits for.
    struct LocalJob: Sendable {
        /// How many rows it touches, about.
        var weight = 1
        /// Whether it shares its commit with no other, because it looks at what is served.
        var isAlone = false
        /// Runs in a transaction that others may share; returns what to do once that is on disk.
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
        /// Nothing but a sign of life.
        case wake
        case close
    }

    /// How many local changes share a commit at most.
    static let localJobsPerCommit = 64
    /// The weight at which no more join a commit.
    static let weightPerCommit = 4096
    /// How many commits of local changes go before waiting background work.
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

    /// False once the queue is closing: the job will not run.
    mutating func add(_ job: LocalJob) -> Bool {
        guard !isClosing else { return false }
        local.append(job)
        return true
    }

    /// False once the queue is closing: the job will not run.
    mutating func add(_ job: @escaping BackgroundJob) -> Bool {
        guard !isClosing else { return false }
        background.append(job)
        return true
    }

    /// Has the thread show that it takes work, also where there is none.
    mutating func wake() { isWoken = true }

    /// No more work is taken; what is waiting is still done.
    mutating func close() {
        isClosing = true
        isLogLong = false
    }

    /// Returns the next piece of work, and takes it out; nil: there is nothing for now.
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
