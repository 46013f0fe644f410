// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// Who is connected, on whatever loop: it decides who gets in and who makes room.
///
/// Safe on any thread.
public final class ConnectionRegistry: Sendable {
    private struct Entry {
        let session: Session
        let uid: UInt32
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var perUser: [UInt32: Int] = [:]
        var perProcess: [Int32: Int] = [:]
        var nextToken: UInt64 = 1
        var most: Int
        var mostPerUser: Int
        var onEmpty: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    /// What waits to be taken by peers, and what waits to be read from them, over all connections.
    let unsent = BufferBudget(BufferBudget.unsent)
    let unread = BufferBudget(BufferBudget.unread)

    /// - Parameters:
    ///   - most: how many connections there may be in all.
    ///   - mostPerUser: how many of them one user may have.
    init(most: Int, mostPerUser: Int) {
        state = Mutex(State(most: most, mostPerUser: mostPerUser))
    }

    /// Changes the bounds for whoever comes from now on.
    func setBounds(most: Int, mostPerUser: Int) {
        state.withLock { state in
            state.most = most
            state.mostPerUser = mostPerUser
        }
    }

    /// Calls `action` once there are no connections, at once where there are none now.
    func whenEmpty(_ action: @escaping @Sendable () -> Void) {
        let isEmpty = state.withLock { state in
            if !state.entries.isEmpty { state.onEmpty = action }
            return state.entries.isEmpty
        }
        if isEmpty { action() }
    }

    /// How many connections there are.
    public var count: Int {
        state.withLock { $0.entries.count }
    }

    /// Takes a connection in.
    ///
    /// Where a bound is reached, the user's connection that has been idle for longest makes room, one that has never
    /// asked before one that has; of those that have never asked, it is one of the process that has the most
    /// connections, so that whoever opens many pushes out its own. Half a line, and answers that nobody reads, are no
    /// work: they lock no one out. A request in flight is.
    ///
    /// - Returns: false where there is none and the newcomer must go.
    func admit(_ session: Session) -> Bool {
        let uid = session.peer.uid
        let (isAdmitted, evicted) = state.withLock { state -> (Bool, Session?) in
            var evicted: Session?
            if state.entries.count >= state.most || state.perUser[uid, default: 0] >= state.mostPerUser {
                guard let oldest = Self.oldestIdle(of: uid, in: state) else { return (false, nil) }
                evicted = state.entries[oldest]?.session
                Self.remove(oldest, from: &state)
            }
            let token = state.nextToken
            state.nextToken += 1
            session.token.store(token, ordering: .relaxed)
            state.entries[token] = Entry(session: session, uid: uid)
            state.perUser[uid, default: 0] += 1
            state.perProcess[session.peer.pid, default: 0] += 1
            return (true, evicted)
        }
        evicted?.makeRoom()
        return isAdmitted
    }

    /// Forgets a connection; forgetting one that made room already does nothing.
    func forget(_ session: Session) {
        let token = session.token.load(ordering: .relaxed)
        let onEmpty = state.withLock { state -> (@Sendable () -> Void)? in
            Self.remove(token, from: &state)
            guard state.entries.isEmpty else { return nil }
            defer { state.onEmpty = nil }
            return state.onEmpty
        }
        onEmpty?()
    }

    /// Closes connections whose peers have taken nothing for long, those that hold back most first, until the budget
    /// of unsent answers is kept.
    ///
    /// - Parameter now: in nanoseconds of the monotonic clock.
    func relieve(now: UInt64) {
        var stalled: [(session: Session, bytes: Int)] = []
        for session in all() {
            let since = session.idleSince.load(ordering: .relaxed)
            let bytes = session.heldBack.load(ordering: .relaxed)
            if since != 0, bytes > 0, now > since, now - since > Self.patience { stalled.append((session, bytes)) }
        }
        var excess = unsent.excess
        for (session, bytes) in stalled.sorted(by: { $0.bytes > $1.bytes }) where excess >= 0 {
            session.makeRoom()
            excess -= bytes
        }
    }

    /// How long a peer may take nothing while the budget of unsent answers is used up, in nanoseconds.
    private static let patience: UInt64 = 10_000_000_000

    /// All connections at this moment.
    func all() -> [Session] {
        state.withLock { $0.entries.values.map(\.session) }
    }

    private static func oldestIdle(of uid: UInt32, in state: State) -> UInt64? {
        var asking: (token: UInt64, since: UInt64)?
        var silent: (token: UInt64, since: UInt64, siblings: Int)?
        for (token, entry) in state.entries where entry.uid == uid {
            let since = entry.session.idleSince.load(ordering: .relaxed)
            guard since != 0 else { continue }
            if entry.session.hasAsked.load(ordering: .relaxed) {
                // What one turn of a loop has served counts as idle since the same moment: the first to come goes.
                if let other = asking, (other.since, other.token) <= (since, token) { continue }
                asking = (token, since)
            } else {
                let siblings = state.perProcess[entry.session.peer.pid, default: 1]
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
        let pid = entry.session.peer.pid
        let siblings = state.perProcess[pid, default: 1] - 1
        state.perProcess[pid] = siblings == 0 ? nil : siblings
    }
}
