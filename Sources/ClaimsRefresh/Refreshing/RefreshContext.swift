// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsPlatform
public import ClaimsStore
import ClaimsUpstream

/// The dependencies of refreshes: the stores, the network, the wall clock and the random numbers.
///
///     let context = RefreshContext(opener: opener, fetcher: fetcher, machine: machine)
public struct RefreshContext: Sendable {
    public var opener: CollectionOpener
    public var fetcher: SourceFetcher
    public var clock: WallClock
    /// A number from 0 to below 1.
    public var random: @Sendable () -> Double
    /// The sources that several hosts share; nil if there are none.
    public var shared: (any SharedSources)?
    /// An identifier of this machine, from which the offset of its requests is computed.
    public var machine: String

    public init(
        opener: CollectionOpener, fetcher: SourceFetcher, machine: String, clock: WallClock = .system,
        random: @escaping @Sendable () -> Double = { Double(RandomBytes.integer() >> 11) / Double(1 << 53) }
    ) {
        self.opener = opener
        self.fetcher = fetcher
        self.machine = machine
        self.clock = clock
        self.random = random
    }

    var store: StateStore { opener.store }

    /// The plan of a source that supports requests for changes; nil for others.
    func incrementalPlan(_ id: SourceID, _ definition: Definition) -> IncrementalPlan? {
        IncrementalPlan(definition, share: offset(id, definition))
    }

    /// The schedule of one of a collection's sources.
    func schedule(_ id: SourceID, _ definition: Definition) -> RefreshSchedule {
        RefreshSchedule(interval: definition.source.interval, offset: offset(id, definition))
    }

    /// The same context for a refresh, with the urgency of its source.
    func pressing(_ source: SourceID, _ options: RefreshOptions) -> RefreshContext {
        let known = store.catalog.current()[source.collection]?.condition.source(of: source)
        var context = self
        context.fetcher = fetcher.pressing(
            HostUrgency(isForced: options.force, due: min(known?.due ?? 0, clock.now())))
        return context
    }

    /// The time at which this host asks an upstream that another host asks now; nil if this host uses its own schedule.
    ///
    /// - Returns: milliseconds since 1970; the largest number for never.
    func sharedDue(
        _ source: SourceID, of definition: Definition, known: SourceRow, by requests: SourceRequests, now: Int64
    ) -> Int64? {
        guard let shared, shared.shares(source) else { return nil }
        switch shared.permission(toAsk: source, now: now) {
        case .bySchedule: return nil
        case .never: return .max
        // The wait after its own last request binds a host that begins to ask.
        case .from(let start):
            guard known.triedKey == requests.key else { return start }
            return max(start, schedule(source, definition).due(known.schedule(for: requests), now: now))
        }
    }

    /// Erases records, and informs other hosts.
    func forget(
        _ order: ForgetOrder, while isWanted: @Sendable () -> Bool
    ) throws(StoreError) -> ForgetOutcome {
        defer { if !order.isDryRun { shared?.forgot(in: order.collection) } }
        return try opener.forget(order, while: isWanted)
    }

    /// Deletes the rows that a refresh or other commits have superseded; no request waits for it.
    ///
    /// - Returns: false if the store could not; the rest is deleted with the next commit.
    @discardableResult
    func tidy(_ collection: String, hasUpdated: Bool) -> Bool {
        defer { if hasUpdated { ProcessMemory.trim() } }
        do throws(StoreError) {
            try opener.tidy(collection)
            return true
        } catch { return false }
    }

    /// Whether another host asks the upstream of a source.
    func isAskedElsewhere(_ source: SourceID, now: Int64) -> Bool {
        guard let shared, shared.shares(source) else { return false }
        return shared.permission(toAsk: source, now: now) != .bySchedule
    }

    /// Shows in the catalog whether a collection is being refreshed.
    func show(_ collection: String, isRefreshing: Bool) {
        store.catalog.showRefresh(of: collection, isUnderWay: isRefreshing)
    }

    private func offset(_ id: SourceID, _ definition: Definition) -> Double {
        let request = definition.source.request(of: id.site)
        let name = id.site.map { "\(definition.name):\($0)" } ?? definition.name
        let source = "\(name) \(request?.url ?? "")"
        return RefreshSchedule.offset(machine: machine, source: source)
    }
}
