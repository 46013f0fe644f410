// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A queue that shares service time fairly between processes, and between the connections of each process.
///
/// A process that was served much lately waits for processes that were served little, however many connections it
/// opens. Waiting time counts too, so that every item is served in the end. Pure: the caller passes the time, in
/// nanoseconds of the monotonic clock.
///
/// ```swift
/// var queue = FairQueue<Job>()
/// queue.add(job, of: requester, at: now)
/// if let (job, requester) = queue.next(at: now) {
///     queue.charge(run(job), to: requester, at: now)
/// }
/// ```
struct FairQueue<Item> {
    /// The service time of a process or connection; it decays by half in each half-life.
    private struct Account {
        private var spent: UInt64 = 0
        private var since: UInt64 = 0

        mutating func charge(_ time: UInt64, at now: UInt64) {
            spent = current(at: now) &+ time
            since = now
        }

        func current(at now: UInt64) -> UInt64 {
            let halvings = now > since ? (now - since) / FairQueue.halfLife : 0
            return halvings < 64 ? spent >> halvings : 0
        }
    }

    private struct Member {
        var account = Account()
        var items: [(item: Item, since: UInt64)] = []
        /// The number of leading `items` that are served already.
        var served = 0

        var head: UInt64? { served < items.count ? items[served].since : nil }

        /// Removes the first item; there must be one.
        mutating func removeFirst() -> Item {
            let item = items[served].item
            served += 1
            if served == items.count {
                (items, served) = ([], 0)
            } else if served >= 64 {
                items.removeFirst(served)
                served = 0
            }
            return item
        }
    }

    private struct Group {
        var account = Account()
        var members: [UInt64: Member] = [:]
        /// The connections that have items waiting, the longest wait first.
        var waiting: [UInt64] = []

        /// The time since which the first item waits.
        var head: UInt64? { waiting.first.flatMap { members[$0]?.head } }
    }

    private var groups: [Int32: Group] = [:]
    private(set) var count = 0
    private var charges = 0

    var isEmpty: Bool { count == 0 }

    /// Adds an item that waits since `now`.
    mutating func add(_ item: Item, of requester: Requester, at now: UInt64) {
        var group = groups.removeValue(forKey: requester.process) ?? Group()
        var member = group.members.removeValue(forKey: requester.connection) ?? Member()
        if member.head == nil { group.waiting.append(requester.connection) }
        member.items.append((item, now))
        group.members[requester.connection] = member
        groups[requester.process] = group
        count += 1
    }

    /// Removes the item that is due next; nil if none may be removed.
    ///
    /// - Parameter isEligible: whether items of a process may be removed now.
    mutating func next(
        at now: UInt64, where isEligible: (_ process: Int32) -> Bool = { _ in true }
    ) -> (item: Item, requester: Requester)? {
        guard count > 0 else { return nil }
        var best: (process: Int32, time: UInt64)?
        for (process, group) in groups {
            guard let head = group.head, isEligible(process) else { continue }
            let time = head &+ group.account.current(at: now) &* Self.weight
            if time < best?.time ?? .max { best = (process, time) }
        }
        guard let process = best?.process, var group = groups.removeValue(forKey: process) else { return nil }
        defer { groups[process] = group }
        var chosen: (index: Int, time: UInt64)?
        for (index, connection) in group.waiting.prefix(Self.window).enumerated() {
            guard let member = group.members[connection], let head = member.head else { continue }
            let time = head &+ member.account.current(at: now) &* Self.weight
            if time < chosen?.time ?? .max { chosen = (index, time) }
        }
        guard let index = chosen?.index else { return nil }
        let connection = group.waiting.remove(at: index)
        guard var member = group.members.removeValue(forKey: connection) else { return nil }
        let item = member.removeFirst()
        if member.head != nil { group.waiting.append(connection) }
        group.members[connection] = member
        count -= 1
        return (item, Requester(process: process, connection: connection))
    }

    /// Adds service time, in nanoseconds, to the accounts of a requester and its process.
    mutating func charge(_ time: UInt64, to requester: Requester, at now: UInt64) {
        groups[requester.process, default: Group()].account.charge(time, at: now)
        groups[requester.process]?.members[requester.connection, default: Member()].account.charge(time, at: now)
        charges += 1
        if charges >= Self.chargesBetweenSweeps { dropDecayed(at: now) }
    }

    /// Drops the items and the account of a closed connection.
    mutating func forget(_ requester: Requester) {
        guard let member = groups[requester.process]?.members.removeValue(forKey: requester.connection) else { return }
        guard member.head != nil else { return }
        count -= member.items.count - member.served
        groups[requester.process]?.waiting.removeAll { $0 == requester.connection }
    }

    /// Drops accounts that have decayed to zero.
    private mutating func dropDecayed(at now: UInt64) {
        charges = 0
        for (process, group) in groups {
            let members = group.members.filter { $1.head != nil || $1.account.current(at: now) > 0 }
            groups[process]?.members = members
            if members.isEmpty, group.account.current(at: now) == 0 { groups[process] = nil }
        }
    }

    /// The number of waiting connections of a process among which the least served one is chosen.
    private static var window: Int { 128 }
    /// The number of charges after which decayed accounts are dropped.
    private static var chargesBetweenSweeps: Int { 4096 }
    /// The half-life of service time, in nanoseconds.
    private static var halfLife: UInt64 { 50_000_000 }
    /// The waiting time that weighs as much as one nanosecond of recent service, in nanoseconds.
    private static var weight: UInt64 { 8 }
}
