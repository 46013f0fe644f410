// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol

/// A question that y answers; any other key is no.
struct QuestionState: LayerMachine {
    enum Purpose: Sendable {
        case acceptHeld(collection: String)
        case delete(RecordTask)
        /// Leaves the form below it, and what was typed there.
        case leaveForm
        case outboxVerb(RecordTask)
    }

    let purpose: Purpose
    /// The question without the `y/N` behind it.
    let text: String

    mutating func take(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        guard case .key(let key) = event else { return .stay }
        guard context.messages.isYes(key) else { return .close }
        switch purpose {
        case .acceptHeld(let collection):
            return LayerOutcome(closes: 1, effects: [.accept(collection: collection)])
        case .delete(let task), .outboxVerb(let task): return LayerOutcome(closes: 1, tasks: [task])
        case .leaveForm: return LayerOutcome(closes: 2)
        }
    }
}
