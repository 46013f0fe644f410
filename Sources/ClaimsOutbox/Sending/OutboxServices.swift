// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
public import ClaimsStore
public import ClaimsUpstream

/// All that the sender of the outbox needs of others.
public struct OutboxServices: Sendable {
    public var store: any OutboxStore
    public var maker: any RequestMaker
    public var writer: HTTPWriter
    /// Has the secrets of requests, and lets requests to hosts begin, those of refreshes too.
    public var access: UpstreamAccess
    public var clock: WallClock
    /// Is asked for refreshes that show what was accepted.
    public var refresher: any CollectionRefresher
    /// Tells what people should know.
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

/// Refreshes collections; what the outbox asks of refreshes.
public protocol CollectionRefresher: Sendable {
    /// Has a collection refreshed soon, because an accepted write waits to be seen. It does not wait for the refresh.
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
    /// An attempt could not be noted, so nothing was sent.
    case notNoted(StoreError)
    /// The outcome of an attempt could not be committed; it waits in memory.
    case unsaved(StoreError)
    /// The store can note and commit again.
    case saved
}
