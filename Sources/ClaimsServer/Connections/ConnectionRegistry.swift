// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// A connection as the registry sees it. Every member is safe on any thread.
protocol RegisteredConnection: AnyObject, Sendable {
    var peer: Peer { get }
    /// Its number, which ``ConnectionRegistry/makeToken()`` has made.
    var token: UInt64 { get }
    var idleSince: UInt64 { get }
    var hasAsked: Bool { get }
    var isSubscribed: Bool { get }
    var unsentBytes: Int { get }
    /// Closes the connection, because its slot is needed.
    func evict()
    /// Gives up a half line, because memory for lines is short.
    func yieldLine()
}

/// The registry of all loops' connections. It admits new ones, and chooses the one that is evicted for them.
///
/// It is safe on any thread. It uses a connection only through ``RegisteredConnection``.
final class ConnectionRegistry<Member: RegisteredConnection>: Sendable {
    private struct Entry {
        let connection: Member
        let uid: UInt32
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var perUser: [UInt32: Int] = [:]
        var perProcess: [Int32: Int] = [:]
        var maxConnections: Int
        var maxPerUser: Int
        var onEmpty: (@Sendable () -> Void)?
        var onCount: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    private let tokens = Atomic<UInt64>(1)
    /// The answers of all connections that their peers have not read.
    let unsent = BufferBudget(maxBytes: BufferBudget.unsent)
    /// The bytes of all connections that are received and not read.
    private let lines = Mutex(LineLedger(maxBytes: BufferBudget.unread))

    /// - Parameters:
    ///   - maxConnections: the number of connections in all.
    ///   - maxPerUser: the number of connections of one user.
    init(maxConnections: Int, maxPerUser: Int) {
        state = Mutex(State(maxConnections: maxConnections, maxPerUser: maxPerUser))
    }

    /// Changes the bounds; connections that exceed them stay.
    func setBounds(maxConnections: Int, maxPerUser: Int) {
        state.withLock { state in
            state.maxConnections = maxConnections
            state.maxPerUser = maxPerUser
        }
    }

    /// A number for a new connection, which no other connection has had.
    func makeToken() -> UInt64 { tokens.add(1, ordering: .relaxed).oldValue }

    /// Calls `action` once when there are no connections; at once if there are none now.
    func whenEmpty(_ action: @escaping @Sendable () -> Void) {
        let isEmpty = state.withLock { state in
            if !state.entries.isEmpty { state.onEmpty = action }
            return state.entries.isEmpty
        }
        if isEmpty { action() }
    }

    /// Sets the function that is called, on any thread, when the number of connections has changed.
    func observeCount(_ observer: @escaping @Sendable () -> Void) {
        state.withLock { $0.onCount = observer }
    }

    /// The number of open connections, at the moment of the call.
    var count: Int {
        state.withLock { $0.entries.count }
    }

    /// Admits a connection.
    ///
    /// If a bound is reached, an idle connection of the same user is evicted. Connections that have never sent a
    /// request are evicted first, beginning with those of the process with the most connections, so that a process that
    /// opens many evicts its own. Otherwise the connection that has been idle for the longest time is evicted. Half a
    /// line and unread answers do not count as activity; a request in flight does, and so does a subscription.
    ///
    /// - Returns: false if no connection can be evicted and the new one must be refused.
    func admit(_ connection: Member) -> Bool {
        let uid = connection.peer.uid
        let (isAdmitted, evicted, onCount) = state.withLock { state -> (Bool, Member?, (@Sendable () -> Void)?) in
            var evicted: Member?
            if state.entries.count >= state.maxConnections || state.perUser[uid, default: 0] >= state.maxPerUser {
                guard let oldest = Self.oldestIdle(of: uid, in: state) else { return (false, nil, nil) }
                evicted = state.entries[oldest]?.connection
                Self.remove(oldest, from: &state)
            }
            state.entries[connection.token] = Entry(connection: connection, uid: uid)
            state.perUser[uid, default: 0] += 1
            state.perProcess[connection.peer.pid, default: 0] += 1
            return (true, evicted, state.onCount)
        }
        evicted?.evict()
        onCount?()
        return isAdmitted
    }

    /// Removes a closed connection; a connection that was evicted is removed already.
    func forget(_ connection: Member) {
        let token = connection.token
        let (onCount, onEmpty) = state.withLock { state -> ((@Sendable () -> Void)?, (@Sendable () -> Void)?) in
            Self.remove(token, from: &state)
            guard state.entries.isEmpty else { return (state.onCount, nil) }
            defer { state.onEmpty = nil }
            return (state.onCount, state.onEmpty)
        }
        onCount?()
        onEmpty?()
    }

    /// Evicts connections whose peers have read nothing for a while, those with the most unsent bytes first, until the
    /// budget of unsent answers is kept.
    ///
    /// - Parameter now: in nanoseconds of the monotonic clock.
    func relieve(now: UInt64) {
        var stalled: [(connection: Member, bytes: Int)] = []
        for connection in all() {
            let since = connection.idleSince
            let bytes = connection.unsentBytes
            if since != 0, bytes > 0, now > since, now - since > Self.stallTimeout {
                stalled.append((connection, bytes))
            }
        }
        var excess = unsent.excess
        for (connection, bytes) in stalled.sorted(by: { $0.bytes > $1.bytes }) where excess >= 0 {
            connection.evict()
            excess -= bytes
        }
    }

    /// Records the bytes that a connection holds of unread lines. If they are too many, half lines yield.
    func record(_ holding: LineLedger.Holding, of connection: Member) {
        let yielding = lines.withLock { $0.record(holding, of: connection.token, user: connection.peer.uid) }
        if yielding.isEmpty { return }
        let connections = state.withLock { state in yielding.compactMap { state.entries[$0]?.connection } }
        for connection in connections { connection.yieldLine() }
    }

    /// Whether a connection is to yield the half line that it holds now. False if the half line was read since, and
    /// another one has begun.
    func isYielding(_ connection: Member) -> Bool { lines.withLock { $0.isYielding(connection.token) } }

    /// The time for which a peer may read nothing while the budget of unsent answers is used up, in nanoseconds.
    private static var stallTimeout: UInt64 { 10_000_000_000 }

    /// All connections at this moment.
    func all() -> [Member] {
        state.withLock { $0.entries.values.map(\.connection) }
    }

    private static func oldestIdle(of uid: UInt32, in state: State) -> UInt64? {
        var asking: (token: UInt64, since: UInt64)?
        var silent: (token: UInt64, since: UInt64, siblings: Int)?
        for (token, entry) in state.entries where entry.uid == uid {
            let since = entry.connection.idleSince
            guard since != 0, !entry.connection.isSubscribed else { continue }
            if entry.connection.hasAsked {
                // Connections served in the same tick are idle since the same moment: the first to come goes.
                if let other = asking, (other.since, other.token) <= (since, token) { continue }
                asking = (token, since)
            } else {
                let siblings = state.perProcess[entry.connection.peer.pid, default: 1]
                if let other = silent, (siblings, other.since) <= (other.siblings, since) { continue }
                silent = (token, since, siblings)
            }
        }
        return silent?.token ?? asking?.token
    }

    private static func remove(_ token: UInt64, from state: inout State) {
        guard let entry = state.entries.removeValue(forKey: token) else { return }
        let left = state.perUser[entry.uid, default: 1] - 1
        state.perUser[entry.uid] = left == 0 ? nil : left
        let pid = entry.connection.peer.pid
        let siblings = state.perProcess[pid, default: 1] - 1
        state.perProcess[pid] = siblings == 0 ? nil : siblings
    }
}
