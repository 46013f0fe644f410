// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// The part of the screen that an action is about.
struct ActionSubject: Sendable {
    /// The selected record, or that of the uppermost layer; nil for none.
    var target: RecordTarget?
    /// The collection that is shown; nil in the tabs of outbox and status.
    var collection: CollectionDescription?
    /// The query of its list.
    var query = ListQuery()
    var area = BrowseArea.list
}

extension LayerStack {
    /// Does what a key of the table means, as far as a layer or a record is concerned.
    ///
    /// - Returns: `unhandled` for actions that are the model's own, such as moves in the list and refreshes.
    mutating func perform(
        _ action: BrowseAction, on subject: ActionSubject, _ context: inout LayerContext
    ) -> LayerOutcome {
        let collection = subject.target.flatMap { context.collection($0.collection) } ?? subject.collection
        if let obstacle = context.messages.obstacle(to: action, in: collection, roles: context.roles) {
            return .notice(obstacle, .wrong)
        }
        switch action {
        case .help: return open(HelpState(subject.area), &context)
        case .undo: return undo(&context)
        case .search, .filter, .view, .sort:
            guard let collection else { return .unhandled }
            return openQuery(action, of: collection, subject.query, &context)
        case .deal:
            guard let collection else { return .unhandled }
            return perform(.deal(collection: collection.name), &context)
        case .add:
            guard let collection, let offered = collection.writes?.action("create") else { return .unhandled }
            return open(FormState(offered, of: collection, on: nil, &context), &context)
        case .open, .archive, .copyID, .copyRecord, .openAddress, .edit, .actions:
            guard let target = subject.target, let collection else {
                return .notice(context.messages.nothingSelected, .wrong)
            }
            return perform(action, on: target, in: collection, &context)
        default: return .unhandled
        }
    }

    private mutating func perform(
        _ action: BrowseAction, on target: RecordTarget, in collection: CollectionDescription,
        _ context: inout LayerContext
    ) -> LayerOutcome {
        switch action {
        case .open: return open(DetailState(target), &context)
        case .archive:
            // A key that is held down must not archive and unarchive the same record.
            guard !recordTasks.isUnderWay(target.id, in: target.collection) else {
                return .notice(context.messages.isUnderWay)
            }
            let step = ArchiveStep(
                collection: target.collection, ids: [target.id], isArchive: !target.isArchived)
            return perform(.archive(step), &context)
        case .copyID: return .commands(.copy(target.id))
        case .copyRecord:
            guard target.isWhole, let record = target.record else { return perform(.copy(target), &context) }
            return .commands(.copy(record.source))
        case .openAddress:
            guard target.isWhole else { return perform(.open(target), &context) }
            return present(.opening(target, context), &context)
        case .edit:
            guard let offered = collection.writes?.action("update") else { return .unhandled }
            return open(FormState(offered, of: collection, on: target, &context), &context)
        case .actions:
            guard let sheet = SheetState.actions(on: target, in: collection, &context) else {
                return .notice(context.messages.notOffered("actions", of: collection), .wrong)
            }
            return open(sheet, &context)
        default: return .unhandled
        }
    }

    private mutating func openQuery(
        _ action: BrowseAction, of collection: CollectionDescription, _ query: ListQuery,
        _ context: inout LayerContext
    ) -> LayerOutcome {
        switch action {
        case .search:
            return open(InputState(.search, collection: collection.name, text: query.search), &context)
        case .filter:
            return open(InputState(.filter, collection: collection.name, text: query.filter), &context)
        case .view: return open(SheetState.views(of: collection, query, context.messages), &context)
        default: return open(SheetState.orders(of: collection, query, context.messages), &context)
        }
    }

    /// Asks whether what a collection holds back is to be accepted.
    mutating func askToAccept(
        _ collection: String, records: Int64, insteadOf old: Int64, _ context: inout LayerContext
    ) -> LayerOutcome {
        let messages = context.messages
        if let obstacle = messages.obstacle(to: .accept, in: nil, roles: context.roles) {
            return .notice(obstacle, .wrong)
        }
        let question = QuestionState(
            purpose: .acceptHeld(collection: collection), text: messages.acceptQuestion(records, insteadOf: old))
        return open(question, &context)
    }
}
