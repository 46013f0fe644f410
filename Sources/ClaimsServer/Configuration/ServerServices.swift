// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsFleet
public import ClaimsModel
public import ClaimsOutbox
public import ClaimsPlatform
public import ClaimsRefresh
public import ClaimsStore

/// The parts of the daemon that the methods of the server ask. All of them are safe on any thread.
///
///     let services = ServerServices(
///         store: store, refresher: refresher, outbox: outbox, trials: trials, attachments: attachments, sweep: sweep,
///         reloads: reloads, accounts: accounts, timers: loop, folders: [state, cache]) { event in print(event) }
///     let server = try Server(configuration, services)
public struct ServerServices: Sendable {
    /// The truth, and the collections as they are served.
    public let store: StateStore
    public let refresher: Refresher
    public let outbox: Outbox
    public let trials: Trials
    /// The hosts that share sources; nil if no host is asked for them.
    public let fleet: Fleet?
    /// Keeps uploads and files.
    public let attachments: AttachmentStore
    /// Removes the files that no record, operation or upload has any more.
    public let sweep: FileSweep
    public let reloads: any ReloadAwaiting
    /// Finds users of the machine.
    public let accounts: any AccountFinding
    /// The folders whose sizes `status` adds up.
    public let folders: [String]
    /// The event loop that ends waits for operations, and reports their progress.
    let timers: EventLoop
    /// Receives the events for the journal, on any thread.
    public let report: @Sendable (ServerEvent) -> Void
    /// Writes an entry of who looked, on a thread that may wait; false: it was not written.
    let writeLooks: @Sendable (LookEntry) -> Bool

    /// - Parameters:
    ///   - timers: the event loop that ends waits for operations, and reports their progress.
    ///   - writeLooks: writes an entry of who looked, on a thread that may wait; false: it was not written.
    public init(
        store: StateStore, refresher: Refresher, outbox: Outbox, trials: Trials, fleet: Fleet? = nil,
        attachments: AttachmentStore,
        sweep: FileSweep, reloads: any ReloadAwaiting, accounts: any AccountFinding,
        timers: EventLoop, folders: [String], report: @escaping @Sendable (ServerEvent) -> Void,
        writeLooks: @escaping @Sendable (LookEntry) -> Bool
    ) {
        self.store = store
        self.refresher = refresher
        self.outbox = outbox
        self.trials = trials
        self.fleet = fleet
        self.attachments = attachments
        self.sweep = sweep
        self.reloads = reloads
        self.accounts = accounts
        self.folders = folders
        self.report = report
        self.writeLooks = writeLooks
        self.timers = timers
    }

    /// The publisher of the current collections, whatever a peer sees.
    var catalogs: CatalogPublisher { store.catalog }

    /// The clock of the current collections.
    var revision: Revision { catalogs.current().revision }

    /// The current collections as a peer sees them.
    func catalog(for peer: Peer) -> ScopedCatalog { ScopedCatalog(catalogs.current(), for: peer, catalogs.rowSets) }
}

/// Waits for the end of reloads; the server needs it from the daemon.
public protocol ReloadAwaiting: Sendable {
    /// Runs work once, on any thread, after the reloads that have been asked for so far.
    func afterReloads(_ work: @escaping @Sendable () -> Void)
}

/// Finds users of the machine; the server needs it from the daemon, which has a name service.
public protocol AccountFinding: Sendable {
    /// Looks a user up, given by name or number. `receive` is called once, on any thread, after a few seconds at most.
    func find(_ user: String, _ receive: @escaping @Sendable (AccountAnswer) -> Void)
}

/// The answer of a name service about a user.
public enum AccountAnswer: Sendable {
    /// A user, or a number without one.
    case found(UserAccount)
    case unknown
    /// The name service has not answered in time.
    case late
    /// Too many users are being looked up.
    case busy
}

/// A user of the machine with its groups.
public struct UserAccount: Sendable {
    /// The name; nil for a number without one.
    public let name: String?
    public let user: UInt32
    /// The user's own group.
    public let group: UInt32
    /// All groups of the user.
    public let groups: [UInt32]

    public init(name: String?, user: UInt32, group: UInt32, groups: [UInt32]) {
        self.name = name
        self.user = user
        self.group = group
        self.groups = groups
    }
}

/// An act of a client that is written to the journal.
public enum ServerEvent: Sendable {
    /// Records were archived or brought back, or could not be.
    case archived(ArchiveChange, Result<ArchiveChange.Outcome, StoreError>)
    /// A removed collection was erased, or could not be, for the user with this id.
    case erased(collection: String, user: UInt32, Result<ErasedCollection, StoreError>)
    /// Records were erased, or could not be.
    case forgotten(ForgetOrder, Result<ForgetOutcome, StoreError>)
    /// A user has dropped elements of a collection's quarantine.
    case dropped(count: Int, collection: String, user: UInt32)
    /// A user had elements of a collection's quarantine decoded again.
    case retried(collection: String, user: UInt32, Result<QuarantineOutcome, StoreError>)
    /// A connection of a user was refused because there were too many.
    case refused(user: UInt32)
}
