// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

extension SheetState {
    /// The views of a collection, and none of them.
    static func views(of collection: CollectionDescription, _ query: ListQuery, _ messages: Messages) -> SheetState {
        let entries =
            [Entry(choice: .view(nil), title: messages.noView)]
            + collection.offers.views.map { view in
                Entry(
                    choice: .view(view.name), title: Escaping.line(view.title ?? view.name),
                    note: Escaping.line(view.filter))
            }
        let selected = collection.offers.views.firstIndex { $0.name == query.view }.map { $0 + 1 } ?? 0
        return SheetState(
            .view, collection: collection.name, title: messages.viewsTitle(Escaping.line(collection.title)),
            entries: entries, selected: selected)
    }

    /// The orders of a collection: its own, the named ones, and by each listed field.
    static func orders(of collection: CollectionDescription, _ query: ListQuery, _ messages: Messages) -> SheetState {
        var entries = [
            Entry(
                choice: .order(nil, reversed: reversed(collection.offers.sort)), title: messages.defaultOrder,
                note: Escaping.line(collection.offers.sort.joined(separator: ", ")))
        ]
        for order in collection.offers.orders {
            entries.append(
                Entry(
                    choice: .order(order.name, reversed: "-\(order.name)"), title: Escaping.line(order.name),
                    note: Escaping.line(order.keys.joined(separator: ", "))))
        }
        let named = Set(collection.offers.orders.map(\.name))
        for field in collection.list.compactMap(collection.field)
        where field.type != .json && field.type != .url && !named.contains(field.name) {
            entries.append(
                Entry(
                    choice: .order(field.name, reversed: "-\(field.name)"), title: Escaping.line(field.heading),
                    note: Escaping.line(field.name)))
        }
        let selected = entries.firstIndex { entry in
            guard case .order(let order, let reversed) = entry.choice else { return false }
            return order == query.order || reversed == query.order
        }
        return SheetState(
            .order, collection: collection.name, title: messages.ordersTitle(Escaping.line(collection.title)),
            entries: entries, selected: selected ?? 0)
    }

    /// Keys in the opposite direction.
    private static func reversed(_ keys: [String]) -> String {
        keys.map { $0.hasPrefix("-") ? String($0.dropFirst()) : "-\($0)" }.joined(separator: ",")
    }

    /// The choice of what to do with a record: the actions of the definition, its deletion, and a look at each operation
    /// that is not settled. Nil if there is nothing.
    static func actions(
        on target: RecordTarget, in collection: CollectionDescription, _ context: inout LayerContext
    ) -> SheetState? {
        let messages = context.messages
        let title = context.title(of: target.record, in: target.collection) ?? Escaping.line(target.id)
        var entries: [Entry] = []
        for action in collection.writes?.actions ?? [] where action.name != "create" {
            let obstacle = messages.obstacle(to: action.name, in: collection)
            let choice: Choice =
                action.name == "delete"
                ? .layer(QuestionState.delete(target, title: title, &context))
                : .layer(FormState(action, of: collection, on: target, &context))
            entries.append(
                Entry(
                    choice: choice, title: Escaping.line(action.title), note: action.condition.map(Escaping.line),
                    obstacle: obstacle, condition: RecordCondition(of: action, id: target.id, in: collection)))
        }
        for operation in target.record?["pending"]?[PendingMark.ops] ?? [] {
            typealias Operation = PendingMark.Operation
            let name = operation[Operation.action] ?? ""
            let action = collection.writes?.action(name)?.title ?? name
            entries.append(
                Entry(
                    choice: .layer(OperationLayer(operation)),
                    title: messages.verbsTitle(Escaping.line(action)),
                    note: messages.state(operation[Operation.state] ?? "")))
        }
        guard !entries.isEmpty else { return nil }
        return SheetState(.actions, collection: collection.name, title: title, entries: entries)
    }
}

extension QuestionState {
    /// Asks before a record is deleted.
    static func delete(_ target: RecordTarget, title: String, _ context: inout LayerContext) -> QuestionState {
        var parameters = SubmitParameters()
        parameters.collection = target.collection
        parameters.action = "delete"
        parameters.id = RecordID(target.id)
        parameters.op = context.requests.operation(at: context.moment)
        return QuestionState(
            purpose: .delete(.submit(parameters, title: title)), text: context.messages.deleteQuestion(title))
    }
}

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
            .layer(QuestionState(purpose: .outboxVerb(task(decision)), text: messages.question(decision, title)))
        }
        let done: Choice =
            isCreate
            ? .layer(InputState(.recordID(op: op), collection: operation[Operation.collection] ?? ""))
            : question(.resolveDone)
        var retry = entry(.retry, .task(task(.retry)))
        if retry.obstacle == nil { retry.obstacle = messages.waiting(operation) }
        var entries = [retry]
        if let form = correction(of: operation, title: title, &context) {
            entries.append(entry(.correct, .layer(form)))
        }
        entries += [
            entry(.hold, .task(task(.hold))), entry(.drop, question(.drop)),
            entry(.resolveMine, question(.resolveMine)), entry(.resolveDone, done),
            entry(.resolveAgain, question(.resolveAgain)),
        ]
        return SheetState(
            .verbs, collection: operation[Operation.collection] ?? "", title: messages.verbsTitle(title),
            entries: entries)
    }

    /// The form of other values for an operation; nil if it has none.
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
    /// That it is no use to try an operation again, because another one goes before it; nil if none does.
    func waiting(_ operation: AnswerValue) -> String? {
        let stuck = operation[OutboxResult.Operation.stuckBehind]
        return (stuck ?? operation[OutboxResult.Operation.waitsFor]).map { waits(for: $0, isStuck: stuck != nil) }
    }
}

extension DecisionFacts {
    /// The facts that `outbox` has of an operation; nil for a state that is not known.
    init?(_ operation: AnswerValue) {
        typealias Operation = OutboxResult.Operation
        guard let state = operation[Operation.state].flatMap({ OperationState(rawValue: $0) }) else { return nil }
        self.init(state, wasSent: (operation[Operation.attempts] ?? 0) > 0)
    }
}

extension LayerOutcome {
    /// Opens the file or address of a record; of several a sheet offers the choice.
    static func opening(_ target: RecordTarget, _ context: LayerContext) -> LayerOutcome {
        let files = RecordAttachments(target.record, context.collection(target.collection))
        let entries =
            files.files.map { file in
                SheetState.Entry(
                    choice: .open(
                        .attachment(collection: target.collection, id: target.id, file: file)),
                    title: Escaping.line(file.name), note: file.note(context.messages))
            }
            + files.addresses.map { address in
                SheetState.Entry(choice: .open(.address(address)), title: Escaping.line(address))
            }
        switch entries.count {
        case 0: return .notice(context.messages.nothingToOpen, .wrong)
        case 1:
            guard case .open(let file) = entries[0].choice else { return .stay }
            return .commands(.open(file))
        default:
            return .open(
                SheetState(.files, collection: target.collection, title: context.messages.openTitle, entries: entries))
        }
    }
}
