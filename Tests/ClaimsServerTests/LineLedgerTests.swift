// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import Testing

@testable import ClaimsServer

@Suite struct LineLedgerTests {
    private static let share = BufferBudget.share
    private static let maxBytes = 40 * share

    /// Users with connections that send half lines and whole ones, end them, and yield when told to, at once or later.
    private struct World {
        struct Line {
            let user: UInt32
            var holding: LineLedger.Holding
            /// The step in which it began.
            var begin: Int
        }

        private var ledger = LineLedger(maxBytes: maxBytes)
        private var random: SeededGenerator
        private var lines: [UInt64: Line] = [:]
        /// Those that have been told to yield, and still hold what they held.
        private var told: [UInt64] = []
        private var step = 0
        private let users: UInt32

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            users = 1 + UInt32(seed % 5)
        }

        /// The bytes of half lines that need not yield, of a user or of all.
        private func half(of user: UInt32? = nil) -> Int {
            lines.filter { $0.value.holding.isHalfLine && (user ?? $0.value.user) == $0.value.user }
                .filter { !told.contains($0.key) }.reduce(0) { $0 + $1.value.holding.bytes }
        }

        private var used: Int {
            lines.filter { !told.contains($0.key) }.reduce(0) { $0 + $1.value.holding.bytes }
        }

        mutating func act() {
            step += 1
            if !told.isEmpty, random.oneIn(2) { return giveUp() }
            let connection = UInt64.random(in: 1...60, using: &random)
            let user = UInt32(connection) % users
            let before = lines[connection]?.holding.bytes ?? 0
            switch Int.random(in: 0..<10, using: &random) {
            case 0: note(.nothing, of: connection, user)
            case 1: note(.init(bytes: before + 100, isHalfLine: false), of: connection, user)
            case 2: note(.init(bytes: Int.random(in: 1...100, using: &random), isHalfLine: true), of: connection, user)
            default:
                let more = Int.random(in: 1...4 * share, using: &random)
                note(.init(bytes: min(before + more, 16 * share), isHalfLine: true), of: connection, user)
            }
        }

        private mutating func giveUp() {
            let connection = told.removeFirst()
            let user = lines[connection]?.user ?? 0
            note(.nothing, of: connection, user)
        }

        /// Short half lines of the user who holds most do not pay for whole lines.
        private var mayStayShort: Bool {
            let most = (0..<users).map { half(of: $0) }.max() ?? 0
            return half() < maxBytes
                && (0..<users).contains { user in
                    half(of: user) == most
                        && lines.allSatisfy { connection, line in
                            line.user != user || !line.holding.isHalfLine || told.contains(connection)
                                || line.holding.bytes <= share
                        }
                }
        }

        private mutating func note(_ holding: LineLedger.Holding, of connection: UInt64, _ user: UInt32) {
            var line = lines[connection] ?? Line(user: user, holding: .nothing, begin: step)
            if holding.bytes < line.holding.bytes {
                line.begin = step
                told.removeAll { $0 == connection }
            }
            if !holding.isHalfLine { told.removeAll { $0 == connection } }
            line.holding = holding
            lines[connection] = holding.bytes > 0 ? line : nil
            for victim in ledger.record(holding, of: connection, user: user) { expect(victim) }
            #expect(used < maxBytes || mayStayShort, "memory stays short")
            for (connection, line) in lines {
                #expect(ledger.isYielding(connection) == told.contains(connection), "\(line)")
            }
        }

        private mutating func expect(_ victim: UInt64) {
            #expect(lines[victim] != nil, "it holds nothing")
            guard let line = lines[victim] else { return }
            #expect(line.holding.isHalfLine && !told.contains(victim) && used >= maxBytes)
            for user in 0..<users { #expect(half(of: line.user) >= half(of: user), "somebody else holds more") }
            let siblings = lines.filter {
                $0.value.user == line.user && $0.value.holding.isHalfLine && !told.contains($0.key)
            }
            for (_, other) in siblings where other.begin < line.begin {
                #expect(other.holding.bytes <= share && line.holding.bytes > share, "an older one should yield")
            }
            if line.holding.bytes <= share {
                #expect(siblings.allSatisfy { $0.value.holding.bytes <= share }, "a longer one should yield")
                #expect(half() >= maxBytes, "a short one yields for whole lines")
            }
            told.append(victim)
        }
    }

    @Test(arguments: UInt64(0)..<40)
    func `whoever sends what, memory lasts, and the oldest half line of the user who holds most yields`(seed: UInt64) {
        var world = World(seed: seed)
        for _ in 0..<RandomRounds.count(400) { world.act() }
    }

    @Test func `a user who holds less than another gets a line through, however many the other begins`() {
        var ledger = LineLedger(maxBytes: Self.maxBytes)
        var yielding: Set<UInt64> = []
        var attackers: UInt64 = 100
        for part in 1...16 {
            for _ in 0..<8 {
                attackers += 1
                let holding = LineLedger.Holding(bytes: 16 * Self.share, isHalfLine: true)
                yielding.formUnion(ledger.record(holding, of: attackers, user: 1))
            }
            let holding = LineLedger.Holding(bytes: part * Self.share, isHalfLine: true)
            yielding.formUnion(ledger.record(holding, of: 1, user: 2))
        }
        #expect(!yielding.contains(1) && yielding.count > 100)
    }

    @Test func `of a single user the oldest half lines yield to a new one`() {
        var ledger = LineLedger(maxBytes: Self.maxBytes)
        let long = LineLedger.Holding(bytes: 16 * Self.share, isHalfLine: true)
        let first = ledger.record(.init(bytes: 10, isHalfLine: true), of: 1, user: 7)
        let second = ledger.record(long, of: 2, user: 7) + ledger.record(long, of: 3, user: 7)
        #expect(first.isEmpty && second.isEmpty)
        let third = ledger.record(long, of: 4, user: 7)
        #expect(third == [2], "what is longer than a share yields first")
        let whole = ledger.record(.init(bytes: 16 * Self.share, isHalfLine: false), of: 3, user: 7)
        let fourth = ledger.record(.init(bytes: 9 * Self.share, isHalfLine: true), of: 5, user: 7)
        #expect(whole.isEmpty && fourth == [4], "a whole line is read, and does not yield")
        #expect(ledger.isYielding(4) && !ledger.isYielding(3))
        let ended = ledger.record(.init(bytes: 17 * Self.share, isHalfLine: false), of: 4, user: 7)
        #expect(ended.contains(5) && !ledger.isYielding(4), "it came whole before it could yield, and counts again")
        let gone = ledger.record(.nothing, of: 2, user: 7) + ledger.record(.nothing, of: 4, user: 7)
        #expect(gone.isEmpty)
    }

    @Test func `whole lines of others cost nobody a short half line`() {
        var ledger = LineLedger(maxBytes: Self.maxBytes)
        let first = ledger.record(.init(bytes: 10, isHalfLine: true), of: 1, user: 7)
        let whole = LineLedger.Holding(bytes: 16 * Self.share, isHalfLine: false)
        let yielding = (2...9).flatMap { ledger.record(whole, of: $0, user: 8) }
        #expect(first.isEmpty && yielding.isEmpty)
    }
}
