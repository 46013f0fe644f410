// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@testable import ClaimsFleet

@Suite struct AddressStateTests {
    private let leader = FleetDefinition.Leader(
        host: "desk-a", request: ReadRequest(url: "https://desk-a.example/north/"), keys: [])
    private let failure = Failure(kind: .httpStatus, status: 404, message: Message(.httpStatus, "404 Not Found"), at: 0)

    @Test("reads come at the interval, after failures at doubled waits up to a minute") func waits() {
        var address = AddressState()
        #expect(address.wait(poll: 5_000, random: 0) == 4_500)
        #expect(address.wait(poll: 5_000, random: 0.5) == 5_000)
        var waits: [Int64] = []
        for _ in 0..<8 {
            _ = address.failed(failure, uptime: 0)
            waits.append(address.wait(poll: 5_000, random: 0.5))
        }
        #expect(waits == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
        address.succeeded(nil, date: nil, now: 0, uptime: 0)
        #expect(address.wait(poll: 5_000, random: 0.5) == 5_000)
    }

    @Test("before a request each address is looked at that was not just read, and did not just fail") func due() {
        var address = AddressState()
        #expect(address.isDueBeforeRequest(0))
        address.succeeded(nil, date: nil, now: 0, uptime: 100)
        #expect(!address.isDueBeforeRequest(5_099) && address.isDueBeforeRequest(5_100))
        _ = address.failed(failure, uptime: 10_000)
        #expect(!address.isDueBeforeRequest(69_999) && address.isDueBeforeRequest(70_000))
    }

    @Test("another clock is told after three reads in a row") func clocks() {
        var address = AddressState()
        for _ in 0..<2 { address.succeeded(nil, date: 100_000, now: 160_001, uptime: 0) }
        #expect(address.problem(leader, isOwn: false, uptime: 0) == nil)
        address.succeeded(nil, date: 100_000, now: 160_001, uptime: 0)
        #expect(address.problem(leader, isOwn: false, uptime: 0)?.contains("desk-a") == true)
        address.succeeded(nil, date: 100_000, now: 160_000, uptime: 0)
        #expect(address.problem(leader, isOwn: false, uptime: 0) == nil)
    }

    @Test("an own address that lacks the head is told after a minute") func unserved() {
        var address = AddressState()
        address.published(0, uptime: 0)
        _ = address.failed(failure, uptime: 0)
        #expect(address.problem(leader, isOwn: true, uptime: 60_000) == nil)
        #expect(address.problem(leader, isOwn: false, uptime: 60_001) == nil, "it is another host's")
        let problem = address.problem(leader, isOwn: true, uptime: 60_001)
        #expect(problem?.contains("https://desk-a.example/north/head") == true && problem?.contains("404") == true)
        address.succeeded(nil, date: nil, now: 0, uptime: 60_002)
        #expect(address.problem(leader, isOwn: true, uptime: 200_000) == nil)
    }

    @Test("an own address that serves an older head is told after a minute") func oldHead() {
        var address = AddressState()
        address.published(700, uptime: 0)
        address.succeeded(nil, issuedAt: 600, date: nil, now: 0, uptime: 60_001)
        #expect(address.problem(leader, isOwn: true, uptime: 60_001)?.contains("an older head") == true)
        address.succeeded(nil, issuedAt: 700, date: nil, now: 0, uptime: 60_002)
        #expect(address.problem(leader, isOwn: true, uptime: 60_003) == nil)
        // One that is published often is never served at once.
        for uptime in stride(from: Int64(61_000), to: 261_000, by: 1_000) {
            address.published(uptime, uptime: uptime)
            address.succeeded(nil, issuedAt: uptime - 2_000, date: nil, now: 0, uptime: uptime)
            #expect(address.problem(leader, isOwn: true, uptime: uptime) == nil)
        }
    }

    @Test("people are told once that an address is gone or refused, until it is back") func events() {
        var address = AddressState()
        #expect((0..<5).map { _ in address.failed(failure, uptime: 0) } == [nil, nil, .gone, nil, nil])
        #expect(address.isGone)
        let forged = Failure(kind: .integrity, message: Message(.httpStatus, "x"), at: 0)
        #expect((0..<3).map { _ in address.failed(forged, uptime: 0) } == [.refused, nil, nil])
        address.succeeded(nil, date: nil, now: 0, uptime: 1)
        #expect(!address.isGone)
        #expect(address.failed(forged, uptime: 0) == .refused)
    }
}
