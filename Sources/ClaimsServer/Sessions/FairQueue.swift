// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What waits to be served, by the process that asks and by its connections: who has had much lately waits for those
/// who have had little, however many connections there are, and nobody waits for ever.
///
/// Pure: times are given to it, in nanoseconds of the monotonic clock.
struct FairQueue<Item> {
    /// The time somebody has been served for, halved again and again.
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
        /// Of `items`, how many are served already.
        var served = 0

        var head: UInt64? { served < items.count ? items[served].since : nil }

        /// There must be something.
        mutating func take() -> Item {
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
        /// Those of whom something waits, by how long it does.
        var waiting: [UInt64] = []

        /// Since when something waits.
        var head: UInt64? { waiting.first.flatMap { members[$0]?.head } }
    }

    private var groups: [Int32: Group] = [:]
    private(set) var count = 0
    private var charges = 0

    var isEmpty: Bool { count == 0 }

    mutating func add(_ item: Item, of asker: Asker, at now: UInt64) {
        var group = groups.removeValue(forKey: asker.process) ?? Group()
        var member = group.members.removeValue(forKey: asker.connection) ?? Member()
        if member.head == nil { group.waiting.append(asker.connection) }
        member.items.append((item, now))
        group.members[asker.connection] = member
        groups[asker.process] = group
        count += 1
    }

    /// Takes out whose turn it is.
    ///
    /// - Parameter isEligible: whether something of a process may be taken now.
    mutating func next(
        at now: UInt64, where isEligible: (_ process: Int32) -> Bool = { _ in true }
    ) -> (item: Item, asker: Asker)? {
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
        let item = member.take()
        if member.head != nil { group.waiting.append(connection) }
        group.members[connection] = member
        count -= 1
        return (item, Asker(process: process, connection: connection))
    }

    /// Notes how long somebody has been served.
    mutating func charge(_ time: UInt64, to asker: Asker, at now: UInt64) {
        groups[asker.process, default: Group()].account.charge(time, at: now)
        groups[asker.process]?.members[asker.connection, default: Member()].account.charge(time, at: now)
        charges += 1
        if charges >= Self.chargesKept { tidy(at: now) }
    }

    /// Drops what waits of a connection that is gone.
    mutating func forget(_ asker: Asker) {
        guard let member = groups[asker.process]?.members.removeValue(forKey: asker.connection) else { return }
        guard member.head != nil else { return }
        count -= member.items.count - member.served
        groups[asker.process]?.waiting.removeAll { $0 == asker.connection }
    }

    /// Drops accounts that count for nothing any more.
    private mutating func tidy(at now: UInt64) {
        charges = 0
        for (process, group) in groups {
            let members = group.members.filter { $1.head != nil || $1.account.current(at: now) > 0 }
            groups[process]?.members = members
            if members.isEmpty, group.account.current(at: now) == 0 { groups[process] = nil }
        }
    }

    /// Of how many connections of a process the one is chosen that has had least.
    private static var window: Int { 128 }
    private static var chargesKept: Int { 4096 }
    /// After so long, what somebody has had counts half.
    private static var halfLife: UInt64 { 50_000_000 }
    /// For how long one waits for each nanosecond that one has had lately.
    private static var weight: UInt64 { 8 }
}
