// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsOutbox
public import ClaimsStore

/// The parts of the daemon that write records.
///
/// The server calls `list` and `find` on its workers, and the others on any of its threads.
public struct WritingServices: Sendable {
    /// Receives the outcome of a submission after it is on disk, or the reason why it is refused; called once, on any
    /// thread.
    public typealias SubmitCompletion = @Sendable (Result<SubmitOutcome, SubmitRefusal>) -> Void

    /// Checks and commits a submission.
    public var submit: @Sendable (Submission, @escaping SubmitCompletion) -> Void
    /// Reads a page of operations, the newest first.
    public var list: @Sendable (OperationQuery) throws(StoreError) -> OperationPage
    /// Reads an operation; nil for an unknown one.
    public var find: @Sendable (OperationID) throws(StoreError) -> StoredOperation?
    /// Carries out what a person has decided about operations.
    public var decide: @Sendable (OutboxOrder, @escaping Outbox.OrderCompletion) -> Void
    /// Waits for operations.
    public var wait: @Sendable (OutboxWait) -> Void
    /// How the outbox fares.
    public var summary: @Sendable () -> OutboxSummary

    /// Services of a daemon without collections that are written to.
    public init() {
        submit = { _, completion in completion(.failure(.noCollection)) }
        list = { _ throws(StoreError) in throw Self.closed }
        find = { _ throws(StoreError) in throw Self.closed }
        decide = { order, completion in completion(.success(OutboxReply(missing: order.operations))) }
        wait = { $0.done(true) }
        summary = { OutboxSummary() }
    }

    private static let closed = StoreError(.closed, "read operations")
}

/// A question for operations.
public struct OperationQuery: Sendable, Equatable {
    /// The name of the collection; nil for all.
    public var collection: String?
    /// The states; empty for all.
    public var states: Set<OperationState>
    /// Only operations with a smaller number; nil for the newest.
    public var before: Int64?
    /// The number of operations on the page.
    public var limit: Int
}

/// A request to be told when operations are neither queued nor being sent.
public struct OutboxWait: Sendable {
    public var operations: [OperationID]
    public var timeout: Duration
    /// Whether nobody wants the answer any more.
    public var isCancelled: @Sendable () -> Bool
    /// Called at most four times a second for each operation that is being sent.
    public var progress: @Sendable (SendingProgress) -> Void
    /// Called once: true in time, false after the timeout.
    public var done: @Sendable (Bool) -> Void
}

/// The unsettled operations of all collections, and the origins that nothing is sent to now.
public struct OutboxSummary: Sendable {
    public var queued = 0
    public var accepted = 0
    public var stuck = 0
    /// The time at which the oldest was submitted, in milliseconds since 1970; nil where there are none.
    public var oldest: Int64?
    public var paused: [TroubledOrigin] = []

    public init() {}
}
