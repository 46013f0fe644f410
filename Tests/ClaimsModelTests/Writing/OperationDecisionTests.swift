// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@Suite struct OperationDecisionTests {
    /// The decisions that each state allows about an operation that was sent, and never uncertain.
    private static let allowed: [OperationState: Set<OperationDecision>] = [
        .queued: [.retry, .hold, .drop],
        .sending: [],
        .accepted: [],
        .held: [.retry, .drop],
        .uncertain: [.resolveDone, .resolveAgain, .drop],
        .conflict: [.resolveMine, .drop],
        .rejected: [.retry, .correct, .drop],
        .unconfirmed: [.retry, .resolveDone, .drop],
        .confirmed: [],
        .done: [],
        .dropped: [],
    ]

    private func pairs(
        of facts: (OperationState) -> DecisionFacts, allow isAllowed: (OperationState, OperationDecision) -> Bool
    ) {
        for state in OperationState.allCases {
            for decision in OperationDecision.allCases {
                #expect(facts(state).allows(decision) == isAllowed(state, decision), "\(decision) of one \(state)")
            }
        }
    }

    @Test func `Each state allows some decisions, and no other`() throws {
        #expect(Self.allowed.count == OperationState.allCases.count)
        pairs(of: { DecisionFacts($0, wasSent: true) }, allow: { Self.allowed[$0]?.contains($1) == true })
    }

    @Test func `Other values are also for what was never sent and can be sent`() {
        func isAllowed(_ state: OperationState, _ decision: OperationDecision) -> Bool {
            guard decision == .correct else { return Self.allowed[state]?.contains(decision) == true }
            return [.queued, .held, .rejected, .unconfirmed].contains(state)
        }
        pairs(of: { DecisionFacts($0, wasSent: false) }, allow: isAllowed)
    }

    @Test func `What was ever uncertain is not sent by retry, but resolved`() {
        let stuck: [OperationState] = [.uncertain, .rejected, .unconfirmed]
        func isAllowed(_ state: OperationState, _ decision: OperationDecision) -> Bool {
            switch decision {
            case .retry, .correct: [.queued, .held].contains(state) && decision == .retry
            case .resolveDone: stuck.contains(state) || state == .conflict
            case .resolveAgain: stuck.contains(state)
            default: Self.allowed[state]?.contains(decision) == true
            }
        }
        pairs(of: { DecisionFacts($0, wasSent: true, wasUncertain: true) }, allow: isAllowed)
    }

    @Test(arguments: OperationReason.allCases)
    func `The reason for which it is held may keep it from being sent`(_ reason: OperationReason) {
        func allowed(isAdmin: Bool, wasUncertain: Bool = false) -> Set<OperationDecision> {
            DecisionFacts(.held, reason: reason, wasSent: true, wasUncertain: wasUncertain, isAdmin: isAdmin).allowed
        }
        let sends: Set<OperationDecision> = [.retry, .drop]
        #expect(allowed(isAdmin: true) == (reason == .damaged ? [.drop] : sends))
        #expect(allowed(isAdmin: false) == (reason == .damaged || reason == .guard ? [.drop] : sends))
        let doubted = allowed(isAdmin: true, wasUncertain: true)
        switch reason {
        case .forbidden: #expect(doubted == [.resolveDone, .resolveAgain, .drop])
        case .damaged: #expect(doubted == [.drop])
        default: #expect(doubted == sends)
        }
    }

    @Test func `The ways on are told where retry is refused because it may have been done`() {
        func ways(_ state: OperationState, wasUncertain: Bool = false) -> [OperationDecision] {
            DecisionFacts(state, reason: .forbidden, wasSent: true, wasUncertain: wasUncertain).resolutions
        }
        for state in OperationState.allCases {
            #expect(ways(state) == (state == .uncertain ? [.resolveDone, .resolveAgain] : []))
        }
        #expect(ways(.conflict, wasUncertain: true) == [.resolveMine, .resolveDone])
        for state in [OperationState.held, .rejected, .unconfirmed] {
            #expect(ways(state, wasUncertain: true) == [.resolveDone, .resolveAgain])
        }
        #expect(ways(.queued, wasUncertain: true).isEmpty && ways(.accepted, wasUncertain: true).isEmpty)
    }

    @Test func `The facts are those of the operation`() {
        var operation = Operation(OperationID(time: 1, random: (0, 0)), .update, on: "7", of: "books", state: .held)
        operation.reason = .guard
        operation.delivery.attempts = 1
        operation.delivery.wasUncertain = true
        #expect(
            DecisionFacts(operation, isAdmin: false)
                == DecisionFacts(.held, reason: .guard, wasSent: true, wasUncertain: true, isAdmin: false))
    }
}
