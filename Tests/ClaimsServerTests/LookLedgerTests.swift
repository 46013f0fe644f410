// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTestSupport
import Glibc
import Synchronization
import Testing

@testable import ClaimsServer

/// The ledger of looks tells what a plain list of looks tells.
@Suite struct LookLedgerTests {
    /// This process, looked at or not.
    private static func origin(isFound: Bool = true) -> PeerOrigin {
        let origin = PeerOrigin(process: getpid())
        if isFound { origin.find() }
        return origin
    }

    private static func viewer(
        _ user: UInt32, _ origin: PeerOrigin, _ collection: String = "letters", rule: Int? = 1, purpose: String? = nil
    ) -> LookViewer {
        LookViewer(
            collection: collection, user: user, rule: rule, purpose: purpose.flatMap { Purpose($0) }, origin: origin)
    }

    private static func look(_ method: Method, _ ids: String..., misses: Int = 0, refused: Int = 0) -> Look {
        look(method, ids, misses: misses, refused: refused)
    }

    private static func look(_ method: Method, _ ids: [String], misses: Int = 0, refused: Int = 0) -> Look {
        var look = Look(method, misses: misses, refused: refused)
        for id in ids { look.shown.append(Array(id.utf8).rawSpan) }
        return look
    }

    @Test func `what one viewer was shown is one entry, and the next span begins with nothing`() {
        let ledger = LookLedger()
        let account = ledger.account(of: Self.viewer(1, Self.origin()))
        _ = ledger.add(Self.look(.detail, "7"), to: account)
        _ = ledger.add(Self.look(.search, "7", "8"), to: account)
        _ = ledger.add(Self.look(.detail, misses: 1), to: account)
        let entries = ledger.endSpan()
        #expect(entries.count == 1)
        #expect(entries.first?.records == 3)
        #expect(entries.first?.ids == #"["7","8"]"#)
        #expect(entries.first?.moreIDs == 0)
        #expect(entries.first?.misses == 1)
        #expect(entries.first?.methods.map(\.name) == ["detail", "search"])
        #expect(entries.first?.methods.map(\.count) == [2, 1])
        #expect(ledger.endSpan().isEmpty)
        _ = ledger.add(Self.look(.detail, "9"), to: account)
        #expect(ledger.endSpan().map(\.ids) == [#"["9"]"#])
    }

    @Test func `users, rules, purposes and collections have entries of their own`() {
        let ledger = LookLedger()
        let origin = Self.origin()
        let viewers = [
            Self.viewer(1, origin), Self.viewer(2, origin), Self.viewer(1, origin, "parcels"),
            Self.viewer(1, origin, purpose: "audit"), Self.viewer(1, origin, rule: 0),
            Self.viewer(1, origin, rule: nil),
        ]
        for viewer in viewers + viewers {
            _ = ledger.add(Self.look(.search, "1", "2", "3"), to: ledger.account(of: viewer))
        }
        let entries = ledger.endSpan()
        #expect(entries.map(\.records) == [6, 6, 6, 6, 6, 6])
        #expect(Set(entries.compactMap(\.subject)).count == 6)
    }

    @Test func `connections of one user from one place are one viewer, before and after their process was looked at`() {
        let ledger = LookLedger()
        let origins = (0..<3).map { Self.origin(isFound: $0 == 0) }
        var accounts = origins.map { ledger.account(of: Self.viewer(1, $0)) }
        for index in accounts.indices {
            accounts[index] = ledger.add(Self.look(.detail, "\(index)"), to: accounts[index])
        }
        for origin in origins.dropFirst() {
            origin.find()
            ledger.settle(origin)
        }
        for index in accounts.indices { accounts[index] = ledger.add(Self.look(.detail, "7"), to: accounts[index]) }
        #expect(accounts.allSatisfy { $0 === accounts[0] })
        let entries = ledger.endSpan()
        #expect(entries.count == 1)
        #expect(entries.first?.records == 6)
        #expect(entries.first?.ids == #"["0","1","2","7"]"#)
        #expect(entries.first?.moreIDs == 0)
    }

    @Test func `a process that has ended, or began after the connection, has no unit`() {
        let late = PeerOrigin(process: getpid(), connectedAt: 0)
        let gone = PeerOrigin(process: .max)
        for origin in [late, gone] {
            #expect(origin.facts == nil)
            origin.find()
            #expect(origin.facts == PeerOrigin.Facts())
        }
        #expect(late.claim() && !late.claim())
    }

    @Test func `the ids of an entry are bounded in number and bytes`() {
        let ledger = LookLedger()
        ledger.set(maxIDs: 2)
        let viewer = Self.viewer(1, Self.origin())
        _ = ledger.add(Self.look(.search, "1", "2", "1", "3", "3"), to: ledger.account(of: viewer))
        let few = ledger.endSpan().first
        #expect(few?.ids == #"["1","2"]"#)
        #expect(few?.moreIDs == 2)
        ledger.set(maxIDs: 1_000)
        let long = (0..<10).map { String(repeating: "\"", count: 300) + String($0) }
        _ = ledger.add(Self.look(.search, long), to: ledger.account(of: viewer))
        let entry = ledger.endSpan().first
        #expect(entry?.ids.utf8.count ?? 0 <= LookCounts.maxIDBytes)
        #expect(entry?.moreIDs == 4)
        #expect(entry?.records == 10)
    }

    @Test func `viewers beyond the most of a span are summed, and no look is lost`() {
        let ledger = LookLedger()
        let most = LookLedger.maxViewers
        let origin = Self.origin()
        let accounts = (0..<UInt32(most + 44)).map { ledger.account(of: Self.viewer($0, origin)) }
        for account in accounts { _ = ledger.add(Self.look(.detail, "1", misses: 1, refused: 2), to: account) }
        let entries = ledger.endSpan()
        #expect(entries.count == most + 1)
        let rest = entries.first { $0.subject == nil }
        #expect(rest?.records == 44)
        #expect(rest?.misses == 44)
        #expect(rest?.refused == 88)
        #expect(rest?.ids == "[]")
        #expect(rest?.moreIDs == 44)
        // In the next span there is room again.
        for account in accounts.suffix(44) { _ = ledger.add(Self.look(.detail, "1"), to: account) }
        #expect(ledger.endSpan().allSatisfy { $0.subject != nil })
    }

    @Test func `connections beyond the most that wait to be looked at are summed`() {
        let ledger = LookLedger()
        for _ in 0..<LookLedger.maxViewers + 10 {
            let account = ledger.account(of: Self.viewer(1, Self.origin(isFound: false)))
            _ = ledger.add(Self.look(.detail, "1"), to: account)
        }
        let entries = ledger.endSpan()
        #expect(entries.first { $0.subject == nil }?.records == 10)
        #expect(entries.reduce(0) { $0 + $1.records } == LookLedger.maxViewers + 10)
    }

    @Test func `entries that could not be written are told by the next one`() {
        let ledger = LookLedger()
        let account = ledger.account(of: Self.viewer(1, Self.origin()))
        _ = ledger.add(Self.look(.detail), to: account)
        for entry in ledger.endSpan() { ledger.recordLoss(of: entry) }
        _ = ledger.add(Self.look(.detail), to: account)
        let entries = ledger.endSpan()
        #expect(entries.map(\.lost) == [1])
        for entry in entries { ledger.recordLoss(of: entry) }
        #expect(ledger.endSpan().isEmpty)
        _ = ledger.add(Self.look(.detail), to: account)
        #expect(ledger.endSpan().map(\.lost) == [2])
    }

    @Test(arguments: 0..<20) func `sums are those of the list of all looks, whatever is looked at when`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let ledger = LookLedger()
        ledger.set(maxIDs: 5)
        let origins = (0..<20).map { _ in Self.origin(isFound: false) }
        var accounts: [UInt32: LookAccount] = [:]
        var looks: [(user: UInt32, ids: [String])] = []
        var entries: [LookEntry] = []
        for _ in 0..<1_000 {
            let user = UInt32.random(in: 0..<(seed < 10 ? 4 : 400), using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0: entries += ledger.endSpan()
            case 1:
                guard let origin = origins.randomElement(using: &random) else { continue }
                origin.find()
                ledger.settle(origin)
            case 2: accounts[user] = nil
            default:
                let ids = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    "\(Int.random(in: 0..<20, using: &random))"
                }
                let account = accounts[user] ?? ledger.account(of: Self.viewer(user, origins[Int(user) % 20]))
                looks.append((user, ids))
                accounts[user] = ledger.add(Self.look(.search, ids), to: account)
            }
        }
        entries += ledger.endSpan()
        #expect(entries.reduce(0) { $0 + $1.records } == looks.reduce(0) { $0 + $1.ids.count })
        #expect(entries.flatMap(\.methods).reduce(0) { $0 + $1.count } == looks.count)
        for user in Set(looks.map(\.user)) where seed < 10 {
            let told = entries.filter { $0.subject?.user == user }.reduce(0) { $0 + $1.records }
            #expect(told == looks.filter { $0.user == user }.reduce(0) { $0 + $1.ids.count })
        }
    }

    // MARK: - The thread

    /// Receives the entries of a journal.
    private final class Sink: Sendable {
        let entries = Monitor<[LookEntry]>([])
        let isBroken = Atomic<Bool>(false)

        func write(_ entry: LookEntry) -> Bool {
            if isBroken.load(ordering: .relaxed) { return false }
            entries.update { $0.append(entry) }
            return true
        }

        /// The entries, once there are so many.
        func wait(for count: Int) throws -> [LookEntry] {
            try #require(entries.wait(upTo: .seconds(30)) { $0.count >= count ? $0 : nil })
        }
    }

    private static func journal(every: Duration, _ sink: Sink) throws -> LookJournal {
        var settings = JournalSettings()
        settings.every = every
        let journal = LookJournal(settings) { sink.write($0) }
        try journal.start()
        return journal
    }

    @Test func `a journal tells after its span, with the unit and login of the process`() throws {
        let sink = Sink()
        let journal = try Self.journal(every: .milliseconds(20), sink)
        let origin = Self.origin(isFound: false)
        _ = journal.record(Self.look(.detail, "7"), on: journal.account(of: Self.viewer(1, origin)))
        let entry = try #require(try sink.wait(for: 1).first)
        #expect(entry.ids == #"["7"]"#)
        #expect(entry.subject?.unit == ProcessUnit.name(of: getpid()))
        #expect(entry.subject?.login == ProcessLogin.user(of: getpid()))
        #expect(origin.facts != nil)
        journal.stop()
    }

    @Test func `a stop tells what was counted, without waiting for the span`() throws {
        let sink = Sink()
        let journal = try Self.journal(every: .seconds(600), sink)
        _ = journal.record(Self.look(.detail, "7"), on: journal.account(of: Self.viewer(1, Self.origin())))
        journal.stop()
        #expect(try sink.wait(for: 1).map(\.records) == [1])
        journal.stop()
    }

    @Test func `a shorter span holds at once`() throws {
        let sink = Sink()
        let journal = try Self.journal(every: .seconds(600), sink)
        _ = journal.record(Self.look(.detail, "7"), on: journal.account(of: Self.viewer(1, Self.origin())))
        var settings = JournalSettings()
        settings.every = .milliseconds(20)
        journal.configure(settings)
        #expect(try sink.wait(for: 1).map(\.records) == [1])
        journal.stop()
    }

    @Test func `a journal that was away is told how many entries are lost`() throws {
        let sink = Sink()
        sink.isBroken.store(true, ordering: .relaxed)
        let journal = try Self.journal(every: .milliseconds(5), sink)
        let account = journal.account(of: Self.viewer(1, Self.origin()))
        _ = journal.record(Self.look(.detail, "7"), on: account)
        journal.stop()
        #expect(sink.entries.read { $0.isEmpty })
        sink.isBroken.store(false, ordering: .relaxed)
        try journal.start()
        _ = journal.record(Self.look(.detail, "8"), on: account)
        let lost = try sink.wait(for: 1).map(\.lost)
        #expect(lost == [1])
        journal.stop()
    }

    @Test func `a journal that hangs holds no stop for long, and looks are counted on`() throws {
        let gate = Monitor(false)
        let written = Monitor(0)
        var settings = JournalSettings()
        settings.every = .milliseconds(5)
        let journal = LookJournal(settings) { _ in
            _ = gate.wait(upTo: .seconds(60)) { $0 ? true : nil }
            written.update { $0 += 1 }
            return true
        }
        try journal.start()
        let account = journal.account(of: Self.viewer(1, Self.origin()))
        for _ in 0..<1_000 { _ = journal.record(Self.look(.detail, "7"), on: account) }
        journal.stop()
        #expect(written.read { $0 } == 0)
        gate.update { $0 = true }
        #expect(written.wait(upTo: .seconds(30)) { $0 >= 1 ? true : nil } == true)
    }
}
