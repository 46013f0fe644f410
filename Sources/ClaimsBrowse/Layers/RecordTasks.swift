// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// The requests about records that belong to no layer: archiving and its undo, confirmed operations, verbs of the
/// outbox, copies, files to open, deals. Each outcome becomes a notice.
struct RecordTasks: Sendable {
    /// The requests under way.
    private var pending: [BrowseRequest.Tag: RecordTask] = [:]
    /// The changes whose answer was lost; they are asked for again as soon as a connection stands.
    private var unanswered: [RecordTask] = []
    /// The steps of archiving and unarchiving here.
    private(set) var undoable = ArchiveSteps()

    /// Whether a change of that record is under way.
    func isUnderWay(_ id: String, in collection: String) -> Bool {
        (Array(pending.values) + unanswered).contains { task in
            switch task {
            case .archive(let step), .undo(let step): step.collection == collection && step.ids.contains(id)
            case .submit(let parameters, _): parameters.collection == collection && parameters.id?.text == id
            case .outbox, .deal, .copy, .open: false
            }
        }
    }

    /// Takes the newest archiving or unarchiving back.
    mutating func undo(_ context: inout LayerContext) -> LayerOutcome {
        guard let step = undoable.pop() else { return .notice(context.messages.nothingToUndo) }
        return perform(.undo(step.inverse), &context)
    }

    /// Asks for what a task needs.
    mutating func perform(_ task: RecordTask, _ context: inout LayerContext) -> LayerOutcome {
        guard context.isConnected else {
            if case .undo(let step) = task { undoable.push(step.inverse) }
            return .notice(context.messages.notConnected, .wrong)
        }
        return ask(task, &context)
    }

    private mutating func ask(_ task: RecordTask, _ context: inout LayerContext) -> LayerOutcome {
        let language = context.messages.language
        let request: BrowseRequest
        switch task {
        case .archive(let step), .undo(let step):
            request = context.requests.request(step.method, step.parameters)
        case .submit(var parameters, _):
            parameters.timeZone = context.person.zoneName
            parameters.language = language
            request = context.requests.request(.submit, parameters)
        case .outbox(var parameters):
            parameters.language = language
            request = context.requests.request(.outbox, parameters)
        case .deal(let collection):
            var parameters = DealParameters()
            parameters.collection = collection
            parameters.language = language
            request = context.requests.request(.deal, parameters)
        case .copy(let target), .open(let target):
            var parameters = DetailParameters()
            parameters.collection = target.collection
            parameters.id = RecordID(target.id)
            parameters.language = language
            request = context.requests.request(.detail, parameters)
        }
        pending[request.tag] = task
        return .commands(.ask(request))
    }

    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .answered(let tag, let value):
            guard let task = pending.removeValue(forKey: tag) else { return .unhandled }
            return read(value, of: task, &context)
        case .refused(let tag, let refusal):
            guard let task = pending.removeValue(forKey: tag) else { return .unhandled }
            if case .undo(let step) = task { undoable.push(step.inverse) }
            return .notice(context.messages.refused(refusal), .wrong)
        case .performed(let outcome):
            return context.messages.notice(of: outcome).map { LayerOutcome(notice: $0) } ?? .unhandled
        case .lost:
            unanswered += pending.sorted { $0.key.number < $1.key.number }.map(\.value).filter(\.isChange)
            pending = [:]
            return .stay
        case .connected:
            let tasks = unanswered
            unanswered = []
            var outcome = LayerOutcome()
            for task in tasks { outcome.add(ask(task, &context)) }
            return outcome
        case .opened, .hidden, .key, .paste, .wheel, .woken, .changed: return .unhandled
        }
    }

    private mutating func read(
        _ value: AnswerValue, of task: RecordTask, _ context: inout LayerContext
    ) -> LayerOutcome {
        switch task {
        case .archive(let step): return finish(step, value, isUndo: false, context)
        case .undo(let step): return finish(step, value, isUndo: true, context)
        case .submit(let parameters, let title): return submitted(parameters, title: title, value, context)
        case .outbox(let parameters):
            var outcome = LayerOutcome(notice: context.messages.outcome(of: parameters.decision, value))
            outcome.reloadsOutbox = true
            return outcome
        case .deal(let collection):
            guard let record = value[DealResult.record] else { return .stay }
            let deal = DealState(
                collection, message: value[DealResult.message] ?? "", record: record, at: context.moment)
            return .open(deal)
        case .copy(let target):
            guard let record = value[DetailResult.record] else { return .notice(context.messages.isGone(target.id)) }
            return .commands(.copy(record.source))
        case .open(var target):
            target.record = value[DetailResult.record]
            target.isWhole = true
            return .opening(target, context)
        }
    }

    private mutating func finish(
        _ step: ArchiveStep, _ value: AnswerValue, isUndo: Bool, _ context: LayerContext
    ) -> LayerOutcome {
        let changed = value[ArchiveResult.changed].map(\.text)
        let unchanged = value[ArchiveResult.unchanged].map(\.text)
        var done = step
        done.ids = changed
        if !isUndo, !changed.isEmpty { undoable.push(done) }
        var outcome = LayerOutcome()
        // A list may not know yet that another person was faster.
        let ids = changed + unchanged
        if !ids.isEmpty {
            outcome.effects = [.changed(collection: step.collection, .archived(ids, isArchived: step.isArchive))]
        }
        outcome.notice =
            ids.isEmpty
            ? Notice(kind: .wrong, text: context.messages.isGone(step.ids.joined(separator: ", ")))
            : Notice(kind: .done, text: context.messages.archived(done.ids.isEmpty ? step : done, isUndo: isUndo))
        return outcome
    }

    private func submitted(
        _ parameters: SubmitParameters, title: String, _ value: AnswerValue, _ context: LayerContext
    ) -> LayerOutcome {
        var outcome = LayerOutcome(
            notice: context.messages.submitted(value, title: title, of: context.collection(parameters.collection)))
        let id = value[SubmitResult.id] ?? parameters.id?.text ?? ""
        let change: LocalChange =
            parameters.action == "delete" ? .deleted([id]) : .written(id, isNew: parameters.action == "create")
        outcome.effects = [.changed(collection: parameters.collection, change)]
        outcome.reloadsOutbox = true
        return outcome
    }
}

extension OutboxParameters {
    /// Asks for an operation with its values.
    static func get(_ op: String) -> OutboxParameters {
        var parameters = OutboxParameters()
        parameters.action = .get
        parameters.ops = NameList([op])
        return parameters
    }
}
