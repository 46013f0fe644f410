// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsRefresh
public import ClaimsStore

/// The parts of the daemon that the server calls: the catalog, archiving and refreshing.
///
/// The server calls each closure on any of its threads. A closure that blocks delays other connections.
public struct ServerServices: Sendable {
    /// Receives the outcome of an archive change after it is on disk, or the error that prevented it; called once, on
    /// any thread.
    public typealias ChangeCompletion = @Sendable (Result<ArchiveChange.Outcome, StoreError>) -> Void
    /// Receives the outcomes of refreshes, in the order of the sources in the order; called once, on any thread.
    public typealias RefreshCompletion = @Sendable ([RefreshOutcome]) -> Void
    /// Receives what was erased, or the error that prevented it; called once, on any thread.
    public typealias ForgetCompletion = @Sendable (Result<ErasedCollection, StoreError>) -> Void
    /// Receives which records were erased, or the error that prevented it; called once, on any thread.
    public typealias ForgetRecordsCompletion = @Sendable (Result<ForgetOutcome, StoreError>) -> Void

    /// The publisher of the current collections.
    public let catalogs: CatalogPublisher
    /// Archives or unarchives records, and calls its completion on any thread.
    public let change: @Sendable (ArchiveChange, @escaping ChangeCompletion) -> Void
    /// Refreshes collections. It calls its completion when all refreshes have ended, or, if the order does not wait,
    /// when they have started.
    public let refresh: @Sendable (RefreshOrder, @escaping RefreshCompletion) -> Void
    /// Erases a removed collection for the user with this id, and calls its completion when nothing of it is left.
    public let forget: @Sendable (_ collection: String, _ uid: UInt32, @escaping ForgetCompletion) -> Void
    /// Erases records, and calls its completion when nothing of them is left.
    public let forgetRecords: @Sendable (ForgetOrder, @escaping ForgetRecordsCompletion) -> Void
    /// The size of state and cache on disk, in bytes.
    public let diskBytes: @Sendable () -> Int64
    /// The size of a write-ahead log that another program keeps over its bound, in bytes; nil where none does.
    public let keptLogBytes: @Sendable () -> Int64?
    /// The hosts of upstreams that are in use, or want no requests for some time.
    public let hosts: @Sendable () -> [HostReport]
    /// Opens a connection that reads the log of changes. It belongs to one thread at a time.
    public let changeLog: @Sendable () throws(StoreError) -> ChangeLogReader
    /// The news of refreshes, which subscriptions are told.
    public let news: RefreshNews
    /// Reads, retries and drops what an upstream sent that is no record.
    public let quarantine: QuarantineServices
    /// Writes records.
    public let writing: WritingServices
    /// Keeps uploads and files; nil where there are none.
    public let attachments: AttachmentStore?
    /// Tries the definition of a collection, and calls its completion on any thread.
    public var trial: @Sendable (TrialOrder, @escaping Trials.Completion) -> Void = { order, done in
        done(.failure(.noFile(order.collection, among: [])))
    }
    /// Receives the numeric id of a user whose connection was refused because there were too many.
    public let refused: @Sendable (_ uid: UInt32) -> Void

    /// Makes the services from their parts.
    public init(
        catalogs: CatalogPublisher,
        change: @escaping @Sendable (ArchiveChange, @escaping ChangeCompletion) -> Void,
        refresh: @escaping @Sendable (RefreshOrder, @escaping RefreshCompletion) -> Void,
        forget: @escaping @Sendable (_ collection: String, _ uid: UInt32, @escaping ForgetCompletion) -> Void,
        forgetRecords: @escaping @Sendable (ForgetOrder, @escaping ForgetRecordsCompletion) -> Void = { order, done in
            done(.failure(StoreError(.noCollection, "forget records", detail: order.collection)))
        },
        diskBytes: @escaping @Sendable () -> Int64,
        keptLogBytes: @escaping @Sendable () -> Int64? = { nil },
        hosts: @escaping @Sendable () -> [HostReport] = { [] },
        changeLog: @escaping @Sendable () throws(StoreError) -> ChangeLogReader,
        news: RefreshNews = RefreshNews(),
        quarantine: QuarantineServices = .closed,
        writing: WritingServices = WritingServices(),
        attachments: AttachmentStore? = nil,
        refused: @escaping @Sendable (_ uid: UInt32) -> Void = { _ in }
    ) {
        self.catalogs = catalogs
        self.change = change
        self.refresh = refresh
        self.forget = forget
        self.forgetRecords = forgetRecords
        self.diskBytes = diskBytes
        self.keptLogBytes = keptLogBytes
        self.hosts = hosts
        self.changeLog = changeLog
        self.news = news
        self.quarantine = quarantine
        self.writing = writing
        self.attachments = attachments
        self.refused = refused
    }
}

/// A client's order to refresh sources.
public struct RefreshOrder: Sendable {
    /// The sources, in the order of the outcomes.
    public var sources: [SourceID]
    /// Whether the completion waits until the refreshes have ended.
    public var waits: Bool
    /// Whether backoff, Retry-After (RFC 9110, section 10.2.3) and validators are ignored.
    public var isForced: Bool
    /// Whether changes are accepted that the guard holds or would hold.
    public var isAccepted: Bool
    /// Called with how far each refresh is, on any thread, before the completion; nil where nobody asks.
    public var watcher: (@Sendable (RefreshStep) -> Void)?
}

/// How far the refresh of one source is.
public struct RefreshStep: Sendable {
    /// The part of a refresh that is under way; the raw value is its name in the protocol.
    public enum Phase: String, Sendable {
        case queued, connect, receive, read, write
    }

    public var source: SourceID
    public var phase: Phase
    /// The bytes of bodies that have come, as received.
    public var bytes: Int
    /// The bytes that there will be in all; nil where nobody knows.
    public var expected: Int?
    /// The number of whole pages that have come.
    public var pages: Int
    /// The number of records that have been read.
    public var records: Int

    public init(
        _ source: SourceID, phase: Phase, bytes: Int = 0, expected: Int? = nil, pages: Int = 0, records: Int = 0
    ) {
        self.source = source
        self.phase = phase
        self.bytes = bytes
        self.expected = expected
        self.pages = pages
        self.records = records
    }
}

/// The outcome of the refresh of one source.
public struct RefreshOutcome: Sendable {
    /// The way a refresh ended; the raw value is its name in the protocol.
    public enum Status: String, Sendable {
        /// The refresh began, and nobody waits for its end.
        case started
        /// The refresh changed the collection.
        case updated
        /// The upstream had nothing new.
        case unchanged
        /// The upstream could not be read.
        case failed
        /// The guard holds the change until an administrator accepts it.
        case held
        /// No refresh began: the collection has no source, or its upstream asked for a pause.
        case skipped
    }

    public var source: SourceID
    /// The way the refresh ended.
    public var status: Status
    /// The number of records that the refresh added.
    public var added: Int
    /// The number of records that the refresh changed.
    public var updated: Int
    /// The number of records that the refresh removed.
    public var removed: Int
    /// The number of records in which only volatile members differ.
    public var volatile = 0
    /// The number of upstream elements that could not become records.
    public var quarantined: Int
    /// The time until which the upstream asked for a pause, in milliseconds since 1970; nil if it did not.
    public var until: Int64?
    public var collection: String { source.collection }
    /// Whether the collection has lost its definition, or this source, since the refresh was asked for.
    public var isGone = false

    /// Makes an outcome; an omitted number is 0.
    public init(
        _ source: SourceID, status: Status, added: Int = 0, updated: Int = 0, removed: Int = 0, quarantined: Int = 0,
        until: Int64? = nil
    ) {
        self.source = source
        self.status = status
        self.added = added
        self.updated = updated
        self.removed = removed
        self.quarantined = quarantined
        self.until = until
    }
}
