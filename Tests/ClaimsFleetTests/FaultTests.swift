// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@testable import ClaimsFleet

@Suite struct FaultTests {
    private let unreachable = Failure(kind: .unreachable, message: Message(.httpStatus, "x"), at: 3)
    private let forged = Failure(kind: .integrity, message: Message(.httpStatus, "x"), at: 1)
    private let own = Failure(kind: .tooLarge, message: Message(.httpStatus, "x"), at: 2)

    private func newest(_ error: HeadEntry.Fault? = nil) -> NewestEntry {
        NewestEntry(
            issuer: Issuer(host: "desk-a", epoch: "1"), leader: 0,
            entry: headEntry(issuedAt: 1_000, next: 11_000, error: error), seenAt: 1_000, isSeenFresh: true)
    }

    private func kind(
        _ newest: NewestEntry?, _ failures: [Failure] = [], silence: Int64 = 0, age: Int64 = 0, own: Failure? = nil,
        request: Failure? = nil, now: Int64 = 2_000
    ) -> FailureKind? {
        FleetFault(newest: newest, failures: failures, silence: silence, age: age, own: own, request: request)
            .failure(now: now)?.kind
    }

    @Test("the first reason that holds is told") func order() {
        let broken = newest(.init(kind: "http_status", reason: nil, status: 503, at: 9, failures: 1))
        #expect(kind(broken, [forged, unreachable], silence: 60_001, own: own) == .integrity)
        #expect(kind(broken, [unreachable], silence: 60_001, own: own) == .tooLarge)
        #expect(kind(broken, [unreachable], silence: 60_001) == .unreachable)
        #expect(kind(broken, [unreachable], silence: 60_000) == .httpStatus)
        #expect(kind(broken, now: 131_001) == .late && kind(broken, now: 131_000) == .httpStatus)
        #expect(kind(newest()) == nil)
    }

    @Test("without any head nothing is told for two minutes, and then that there is none") func headless() {
        #expect(kind(nil, age: 120_000) == nil && kind(nil, age: 120_001) == .late)
        #expect(kind(nil, age: 120_001, request: unreachable) == .unreachable, "it asks itself")
    }

    @Test("the failure of an own request is told while the host that asks does no better") func ownRequest() {
        let broken = newest(.init(kind: "http_status", reason: nil, status: 503, at: 9, failures: 1))
        #expect(kind(broken, request: unreachable) == .unreachable)
        #expect(kind(newest(), request: unreachable) == nil)
    }
}
