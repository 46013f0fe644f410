// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

extension SheetState {
    private typealias Operation = OutboxResult.Operation

    /// The decisions about an operation of the outbox; those that its state does not allow say so.
    static func verbs(
        _ operation: AnswerValue, title: String, _ context: inout LayerContext
    ) -> SheetState {
        let messages = context.messages
        let op = operation[Operation.op] ?? ""
        let facts = DecisionFacts(operation)
        let isCreate = operation[Operation.action] == "create"
        func entry(_ decision: OperationDecision, _ choice: Choice) -> Entry {
            let isAllowed = facts?.allows(decision) ?? true
            return Entry(
                choice: choice, title: messages.title(of: decision), note: messages.note(of: decision),
                obstacle: isAllowed ? nil : messages.notInState(messages.state(operation[Operation.state] ?? "")))
        }
        func task(_ decision: OperationDecision) -> RecordTask { .outbox(OutboxParameters(decision, about: [op])) }
        func question(_ decision: OperationDecision) -> Choice {
            .ask(QuestionState(purpose: .outboxVerb(task(decision)), text: messages.question(decision, title)))
        }
        let done: Choice =
            isCreate
            ? .input(InputState(.recordID(op: op), collection: operation[Operation.collection] ?? ""))
            : question(.resolveDone)
        var retry = entry(.retry, .task(task(.retry)))
        if retry.obstacle == nil { retry.obstacle = messages.waiting(operation) }
        var entries = [retry]
        if let form = correction(of: operation, title: title, &context) { entries.append(entry(.correct, .form(form))) }
        entries += [
            entry(.hold, .task(task(.hold))), entry(.drop, question(.drop)),
            entry(.resolveMine, question(.resolveMine)), entry(.resolveDone, done),
            entry(.resolveAgain, question(.resolveAgain)),
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

extension DecisionFacts {
    /// The facts that `outbox` tells of an operation; nil for a state that is not known.
    init?(_ operation: AnswerValue) {
        typealias Operation = OutboxResult.Operation
        guard let state = operation[Operation.state].flatMap({ OperationState(rawValue: $0) }) else { return nil }
        self.init(state, wasSent: (operation[Operation.attempts] ?? 0) > 0)
    }
}
