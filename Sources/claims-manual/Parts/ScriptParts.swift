// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

/// The tables of the page in the browser that are made from the tables of operations.
///
/// The page sees the state of an operation, the reason why it is held and the number of its attempts; facts that it does
/// not see count as absent, as for every client.
enum ScriptParts {
    /// - Throws: a `ManualError` for an unknown name.
    static func lines(of name: String) throws(ManualError) -> [String] {
        switch name {
        case "decisions": return decisions
        case "states":
            return [
                "const stuckStates = \(list(OperationState.allCases.filter(\.isStuck).map(\.rawValue)));",
                "const settledStates = \(list(OperationState.allCases.filter(\.isSettled).map(\.rawValue)));",
            ]
        default: throw ManualError("there is no part called '\(name)'")
        }
    }

    /// The decisions about an operation in each state, before and after its first attempt. A reason that changes them
    /// has a row of its own.
    private static var decisions: [String] {
        var lines = ["const allowed = {"]
        for state in OperationState.allCases {
            let usual = Row(state, nil)
            if !usual.isEmpty { lines.append("    \(state.rawValue): \(usual.text),") }
            for reason in OperationReason.allCases where Row(state, reason) != usual {
                lines.append("    \"\(state.rawValue), \(reason.rawValue)\": \(Row(state, reason).text),")
            }
        }
        return lines + ["};"]
    }

    private struct Row: Equatable {
        let unsent: [String]
        let sent: [String]

        init(_ state: OperationState, _ reason: OperationReason?) {
            unsent = Row.words(DecisionFacts(state, reason: reason, wasSent: false))
            sent = Row.words(DecisionFacts(state, reason: reason, wasSent: true))
        }

        var isEmpty: Bool { unsent.isEmpty && sent.isEmpty }

        var text: String {
            unsent == sent ? "{ always: \(list(sent)) }" : "{ unsent: \(list(unsent)), sent: \(list(sent)) }"
        }

        /// The decisions as the page names them, in the order in which it shows them.
        private static func words(_ facts: DecisionFacts) -> [String] {
            order.filter { facts.allows($0) }.map(word)
        }
    }

    private static let order: [OperationDecision] = [
        .retry, .correct, .hold, .resolveMine, .resolveDone, .resolveAgain, .drop,
    ]

    private static func word(_ decision: OperationDecision) -> String {
        if let way = OutboxResolution(decision) { return way.rawValue }
        return decision == .correct ? "correct" : OutboxParameters(decision, about: []).action.rawValue
    }

    private static func list(_ words: [String]) -> String {
        "[\(words.map { "\"\($0)\"" }.joined(separator: ", "))]"
    }
}
