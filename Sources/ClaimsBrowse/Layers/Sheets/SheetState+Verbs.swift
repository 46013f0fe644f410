// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

extension SheetState {
    private typealias Operation = OutboxResult.Operation

    /// The verbs of the outbox on an operation; those that its state does not allow say so.
    static func verbs(
        _ operation: AnswerValue, title: String, _ context: inout LayerContext
    ) -> SheetState {
        let messages = context.messages
        let op = operation[Operation.op] ?? ""
        let state = operation[Operation.state].flatMap { OperationState(rawValue: $0) }
        let isCreate = operation[Operation.action] == "create"
        func entry(_ verb: OutboxVerb, _ choice: Choice) -> Entry {
            let isAllowed = state.map { verb.isAllowed($0, attempts: operation[Operation.attempts] ?? 0) } ?? true
            return Entry(
                choice: choice, title: messages.title(of: verb), note: messages.note(of: verb),
                obstacle: isAllowed ? nil : messages.notInState(messages.state(operation[Operation.state] ?? "")))
        }
        func question(_ verb: OutboxVerb, _ parameters: OutboxParameters) -> Choice {
            .ask(QuestionState(purpose: .outboxVerb(.outbox(parameters)), text: messages.question(verb, title)))
        }
        let done: Choice =
            isCreate
            ? .input(InputState(.recordID(op: op), collection: operation[Operation.collection] ?? ""))
            : question(.done, .resolved(op, as: .done))
        var retry = entry(.retry, .task(.outbox(.verb(.retry, op))))
        if retry.obstacle == nil { retry.obstacle = messages.waiting(operation) }
        var entries = [retry]
        if let form = correction(of: operation, title: title, &context) { entries.append(entry(.correct, .form(form))) }
        entries += [
            entry(.hold, .task(.outbox(.verb(.hold, op)))), entry(.drop, question(.drop, .verb(.drop, op))),
            entry(.mine, question(.mine, .resolved(op, as: .mine))), entry(.done, done),
            entry(.again, question(.again, .resolved(op, as: .again))),
        ]
        return SheetState(
            .verbs, collection: operation[Operation.collection] ?? "", title: messages.verbsTitle(title),
            entries: entries)
    }

    /// The form of other values for an operation; nil where it has none.
    private static func correction(
        of operation: AnswerValue, title: String, _ context: inout LayerContext
    ) -> FormState? {
        guard let op = operation[Operation.op], let name = operation[Operation.collection],
            let collection = context.collection(name),
            let offered = collection.writes?.action(operation[Operation.action] ?? ""), !offered.fields.isEmpty
        else { return nil }
        return FormState(correcting: op, offered, of: collection, title: title, &context)
    }
}

extension Messages {
    /// That it is no use to try an operation again, because another one goes before it; nil where none does.
    func waiting(_ operation: AnswerValue) -> String? {
        let stuck = operation[OutboxResult.Operation.stuckBehind]
        return (stuck ?? operation[OutboxResult.Operation.waitsFor]).map { waits(for: $0, isStuck: stuck != nil) }
    }
}

/// A way in which a person can treat an operation of the outbox.
enum OutboxVerb: CaseIterable, Sendable {
    case retry, hold, drop
    /// It is tried again with other values.
    case correct
    /// Of a conflict: it is made again, over what is served now.
    case mine
    /// The upstream has done it.
    case done
    /// It is sent once more.
    case again

    /// Whether an operation in that state, sent so often, can be treated so.
    func isAllowed(_ state: OperationState, attempts: Int64) -> Bool {
        switch self {
        case .correct: state == .rejected || attempts == 0 && (state == .queued || state == .held)
        case .retry: [.queued, .held, .rejected, .unconfirmed].contains(state)
        case .hold: state == .queued
        case .drop: !state.isSettled && state != .sending && state != .accepted
        case .mine: state == .conflict
        case .done: state == .uncertain || state == .unconfirmed
        case .again: state == .uncertain
        }
    }
}
