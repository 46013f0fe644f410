// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel
public import ClaimsStore

/// The parts of the daemon that write records.
///
/// The server calls `list` and `find` on its workers, and the others on any of its threads.
public struct WritingServices: Sendable {
    /// Receives the outcome of a submission after it is on disk, or the reason why it is refused; called once, on any
    /// thread.
    public typealias SubmitCompletion = @Sendable (Result<SubmitOutcome, SubmitRefusal>) -> Void
    /// Receives what an order has changed; called once, on any thread.
    public typealias OrderCompletion = @Sendable (Result<OutboxReply, OutboxRefusal>) -> Void

    /// Checks and commits a submission.
    public var submit: @Sendable (Submission, @escaping SubmitCompletion) -> Void
    /// Reads a page of operations, the newest first.
    public var list: @Sendable (OperationQuery) throws(StoreError) -> OperationPage
    /// Reads an operation; nil for an unknown one.
    public var find: @Sendable (OperationID) throws(StoreError) -> StoredOperation?
    /// Carries out what a person has decided about operations.
    public var decide: @Sendable (OutboxOrder, @escaping OrderCompletion) -> Void
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

/// A person's decision about operations.
public struct OutboxOrder: Sendable {
    public enum Decision: Sendable {
        case hold
        /// The values that take the place of others, as the caller gave them; nil: the operation stays as it is.
        case retry(corrected: JSONObject?)
        case drop
        case resolveMine
        /// The id that the upstream has given to a new record.
        case resolveDone(id: String?)
        case resolveAgain
    }

    public var decision: Decision
    public var operations: [OperationID]
    public var uid: UInt32
    public var isAdmin: Bool
    /// The time of the decision, and what words such as `today` mean.
    public var calendar: CivilCalendar

    public init(
        _ decision: Decision, about operations: [OperationID], uid: UInt32, isAdmin: Bool, calendar: CivilCalendar
    ) {
        self.decision = decision
        self.operations = operations
        self.uid = uid
        self.isAdmin = isAdmin
        self.calendar = calendar
    }
}

/// The operations that an order has changed, and the others.
public struct OutboxReply: Sendable {
    public struct Refused: Sendable, Equatable {
        public var operation: OperationID
        public var state: OperationState
        /// Whether it may have been done, so that it is not retried, but resolved.
        public var asksForResolve: Bool

        public init(_ operation: OperationID, _ state: OperationState, asksForResolve: Bool = false) {
            self.operation = operation
            self.state = state
            self.asksForResolve = asksForResolve
        }
    }

    public var changed: [OperationID]
    /// Those whose state does not allow it, or that are not the caller's.
    public var refused: [Refused]
    public var missing: [OperationID]

    public init(changed: [OperationID] = [], refused: [Refused] = [], missing: [OperationID] = []) {
        self.changed = changed
        self.refused = refused
        self.missing = missing
    }
}

/// The reason why an order is not carried out.
public enum OutboxRefusal: Error, Sendable {
    /// The corrected values break rules of the definition.
    case invalid([FieldProblem])
    case store(StoreError)
}

/// A request to be told when operations are neither queued nor being sent.
public struct OutboxWait: Sendable {
    public var operations: [OperationID]
    public var timeout: Duration
    /// Whether nobody wants the answer any more.
    public var isCancelled: @Sendable () -> Bool
    /// Called at most four times a second for each operation that is being sent.
    public var progress: @Sendable (OperationProgress) -> Void
    /// Called once: true in time, false after the timeout.
    public var done: @Sendable (Bool) -> Void
}

/// How much of an operation's request is sent.
public struct OperationProgress: Sendable, Equatable {
    public var operation: OperationID
    /// In bytes of the body.
    public var sent: Int64
    public var size: Int64
    /// The file that is sent, from 1; nil for the record's own request.
    public var file: Int?
    /// The number of files of the operation.
    public var files: Int

    public init(operation: OperationID, sent: Int64, size: Int64, file: Int?, files: Int) {
        self.operation = operation
        self.sent = sent
        self.size = size
        self.file = file
        self.files = files
    }
}

/// The unsettled operations of all collections, and the origins that nothing is sent to now.
public struct OutboxSummary: Sendable {
    /// An origin that is not sent to for a while.
    public struct Paused: Sendable {
        public var origin: String
        /// Milliseconds since 1970.
        public var since: Int64
        public var reason: Message
        /// Milliseconds since 1970.
        public var nextTry: Int64

        public init(origin: String, since: Int64, reason: Message, nextTry: Int64) {
            self.origin = origin
            self.since = since
            self.reason = reason
            self.nextTry = nextTry
        }
    }

    public var queued = 0
    public var accepted = 0
    public var stuck = 0
    /// The time at which the oldest was submitted, in milliseconds since 1970; nil where there are none.
    public var oldest: Int64?
    public var paused: [Paused] = []

    public init() {}
}
