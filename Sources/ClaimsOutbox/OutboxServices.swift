// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import ClaimsStore
public import ClaimsUpstream

/// All that the sender of the outbox needs of other parts of the daemon.
public struct OutboxServices: Sendable {
    public var store: any OutboxStore
    public var maker: any RequestMaker
    public var writer: HTTPWriter
    /// Gives the secrets of requests, and decides when requests to hosts begin, including refreshes.
    public var access: UpstreamAccess
    public var clock: WallClock
    /// Gets requests for refreshes that show accepted writes.
    public var refresher: any CollectionRefresher
    /// Receives events for people, on any thread.
    public var report: @Sendable (OutboxEvent) -> Void

    public init(
        store: any OutboxStore, maker: any RequestMaker, writer: HTTPWriter, access: UpstreamAccess,
        clock: WallClock = .system, refresher: any CollectionRefresher,
        report: @escaping @Sendable (OutboxEvent) -> Void
    ) {
        self.store = store
        self.maker = maker
        self.writer = writer
        self.access = access
        self.clock = clock
        self.refresher = refresher
        self.report = report
    }
}

/// Refreshes collections; the outbox needs it from refreshes.
public protocol CollectionRefresher: Sendable {
    /// Requests a refresh of a collection soon, because an accepted write waits to be seen. It does not wait for the
    /// refresh.
    func refreshSoon(_ collection: String)
}

/// Something that people should know.
public enum OutboxEvent: Sendable {
    /// An operation waits for a person.
    case stuck(Operation)
    /// An origin does not know us; its operations wait.
    case paused(origin: String, Message)
    /// An origin that was paused, or that failed again and again, is well again.
    case recovered(origin: String)
    /// Operations have been waiting for long; the oldest was submitted at that time.
    case waiting(count: Int, oldest: Int64)
    /// An attempt could not be recorded, so nothing was sent.
    case unrecorded(StoreError)
    /// The outcome of an attempt could not be committed; it waits in memory.
    case unsaved(StoreError)
    /// The store can record and commit again.
    case saved
}

/// The parts of the store that the outbox needs. Calls may be made on any thread, and block.
public protocol OutboxStore: Sendable {
    /// Unsettled operations as they are in state.db.
    typealias Lookup = (OperationID) -> Operation?

    /// All unsettled operations as they are published. It is quick, and may be called within ``observe(_:)``.
    var unsettledOperations: [Operation] { get }

    /// Registers an observer that is called after each commit that may have changed operations, before the commit is answered. It must be quick.
    func observe(_ observer: @escaping @Sendable () -> Void)

    /// Changes operations in one transaction, and publishes the new records.
    ///
    /// A new ``OperationDelivery/givenID`` renames the record: the operations of its lane and its archive mark get the new
    /// id, and the old one becomes an alias.
    ///
    /// - Parameter decide: returns each operation that changes, in its new state. It is called within the transaction,
    ///   so that operations do not change between the call and the commit.
    /// - Returns: the operations that `decide` returned, once they are published and observed.
    func changeOperations(
        _ decide: @escaping @Sendable (_ lookup: Lookup) -> [Operation]
    ) throws(StoreError) -> [Operation]

    /// The number of the last attempt that was recorded.
    func lastAttempt() throws(StoreError) -> Int64

    /// Records the number of an attempt outside state.db, synced, before a byte of it leaves.
    func recordAttempt(_ number: Int64) throws(StoreError)

    /// Whether another new record than this operation's has the id that an upstream gave, or a record had it before the first
    /// attempt.
    ///
    /// - Parameter operation: as it is sent.
    func isTaken(_ id: String, by operation: Operation) -> Bool

    /// Whether the record of an operation that is being sent shows other people's changes by now.
    func isContradicted(_ operation: OperationID) -> Bool
}

/// An origin that is paused, or that failed again and again.
public struct TroubledOrigin: Sendable, Equatable {
    public var origin: String
    /// Milliseconds since 1970.
    public var since: Int64
    /// The reason of a pause; nil after failures.
    public var reason: Message?
    /// The time of the next probe, in milliseconds since 1970; the present while one is due.
    public var nextTry: Int64
}

/// The progress of sending a request.
public struct SendingProgress: Sendable, Equatable {
    public var operation: OperationID
    /// The number of bytes of the body that were sent.
    public var sent: Int
    public var size: Int
    /// The index of the file that is sent; nil for the record's own request.
    public var file: Int?
    /// The number of files of the operation.
    public var files: Int

    /// The progress of sending a request of an operation.
    init(of operation: Operation, _ step: SendingStep, sent: Int, size: Int) {
        self.operation = operation.id
        self.sent = sent
        self.size = size
        if case .file(let index) = step { file = index }
        files = operation.values.files.count
    }
}
