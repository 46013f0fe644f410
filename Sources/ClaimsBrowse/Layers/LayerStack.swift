// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// The tabs of outbox and status, all that opens over a tab, and what is done with records from there. Pure.
///
/// The model gives it each event first, and applies the outcome:
///
/// ```swift
/// let outcome = state.stack.handle(.key(key), in: .list, &context)
/// if !outcome.isHandled, let action = BrowseKeys.action(of: key, in: state.stack.area ?? .list) { … }
/// ```
struct LayerStack: Sendable {
    /// Screens, sheets and questions over the tab, the uppermost last.
    private(set) var layers: [BrowseLayer]
    private(set) var outbox: OutboxState
    private(set) var health: HealthState
    private(set) var recordTasks = RecordTasks()

    /// The maximum number of layers that are open at once.
    static let maxLayers = 16

    init(
        _ layers: [BrowseLayer] = [], outbox: OutboxState = OutboxState(), health: HealthState = HealthState()
    ) {
        self.layers = layers
        self.outbox = outbox
        self.health = health
    }

    /// The area whose keys count over the tab's; nil if the tab's own do.
    var area: BrowseArea? {
        switch layers.last {
        case .detail?, .deal?: .detail
        case .operation?: .outbox
        default: nil
        }
    }

    /// The record of the uppermost detail or deal; nil if the tab's selection counts.
    var target: RecordTarget? {
        switch layers.last {
        case .detail(let detail)?: detail.target
        case .deal(let deal)?:
            deal.record["id"].map { RecordTarget(collection: deal.collection, id: $0.text, record: deal.record) }
        default: nil
        }
    }

    /// The question, the form, the preview or the sheet in another order on top; nil if there is none.
    var prompt: LayerPrompt? {
        switch layers.last {
        case .question?: LayerPrompt(kind: .question, depth: layers.count)
        case .form(let form)?:
            if case .preview = form.phase {
                LayerPrompt(kind: .preview, depth: layers.count)
            } else {
                LayerPrompt(kind: .form, depth: layers.count)
            }
        case .sheet(let sheet)? where sheet.reorders > 0:
            LayerPrompt(kind: .reordered(sheet.reorders), depth: layers.count)
        default: nil
        }
    }

    /// The time of the monotonic clock at which `LayerEvent.woken` is wanted; nil for never.
    var wakeAt: UInt64? { (layers.map(\.wakeAt) + [outbox.wakeAt, health.wakeAt]).compactMap(\.self).min() }

    /// Handles an event: a key goes to the uppermost layer or the tab, anything else to all of them.
    ///
    /// - Parameter area: the area of the tab that is shown.
    mutating func handle(
        _ event: LayerEvent, in area: BrowseArea, _ context: inout LayerContext
    ) -> LayerOutcome {
        switch event {
        case .key, .paste, .wheel:
            guard let top = layers.indices.last else { return handleInTab(event, area, &context) }
            let outcome = layers[top].handle(event, &context)
            return apply(outcome, at: top, &context)
        case .opened: return handleInTab(event, area, &context)
        case .answered, .refused, .performed, .connected, .lost, .woken, .changed, .hidden:
            return handleEverywhere(event, &context)
        }
    }

    private mutating func handleInTab(
        _ event: LayerEvent, _ area: BrowseArea, _ context: inout LayerContext
    ) -> LayerOutcome {
        let outcome: LayerOutcome
        switch area {
        case .outbox: outcome = outbox.handle(event, &context)
        case .status: outcome = health.handle(event, &context)
        case .list, .detail: return .unhandled
        }
        return apply(outcome, at: layers.endIndex, &context)
    }

    private mutating func handleEverywhere(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        var whole = LayerOutcome.unhandled
        for index in layers.indices.reversed() where layers.indices.contains(index) {
            let outcome = layers[index].handle(event, &context)
            whole.add(apply(outcome, at: index, &context))
        }
        for outcome in [
            outbox.handle(event, &context), health.handle(event, &context), recordTasks.handle(event, &context),
        ] {
            whole.add(apply(outcome, at: layers.endIndex, &context))
        }
        return whole
    }

    /// Opens a layer.
    mutating func open(_ layer: any LayerMachine, _ context: inout LayerContext) -> LayerOutcome {
        apply(.open(layer), at: layers.endIndex, &context)
    }

    /// Does a task, such as one that a line of input named.
    mutating func perform(_ task: RecordTask, _ context: inout LayerContext) -> LayerOutcome {
        apply(LayerOutcome(tasks: [task]), at: layers.endIndex, &context)
    }

    /// Takes the newest archiving back.
    mutating func undo(_ context: inout LayerContext) -> LayerOutcome { recordTasks.undo(&context) }

    /// Closes all layers, as when another tab is chosen.
    mutating func closeAll() { layers = [] }

    /// Shows another record in the detail, after the selection has moved; does nothing if no detail is open.
    mutating func follow(_ target: RecordTarget, _ context: inout LayerContext) -> LayerOutcome {
        guard let index = layers.lastIndex(where: { if case .detail = $0 { true } else { false } }),
            case .detail(var detail) = layers[index]
        else { return .stay }
        let outcome = detail.follow(target, &context)
        layers[index] = .detail(detail)
        return outcome
    }

    /// Shows a mistake in the line of input.
    mutating func report(_ problem: InputProblem) {
        guard case .input(var input)? = layers.last else { return }
        input.report(problem)
        layers[layers.endIndex - 1] = .input(input)
    }

    /// Selects an entry of the sheet on top.
    mutating func select(entry index: Int) {
        guard case .sheet(var sheet)? = layers.last else { return }
        sheet.select(index)
        layers[layers.endIndex - 1] = .sheet(sheet)
    }

    /// Selects an operation of the outbox.
    ///
    /// - Returns: whether it was selected before.
    mutating func select(operation index: Int) -> Bool {
        defer { outbox.select(index) }
        return outbox.selected == index
    }

    /// Selects a collection of the tab of the status.
    ///
    /// - Returns: whether it was selected before.
    mutating func select(collection index: Int) -> Bool {
        defer { health.select(index) }
        return health.selected == index
    }

    /// Applies an outcome that comes from no layer.
    mutating func present(_ outcome: LayerOutcome, _ context: inout LayerContext) -> LayerOutcome {
        apply(outcome, at: layers.endIndex, &context)
    }

    /// Asks anew for the records of details that were changed here.
    private mutating func refreshDetails(
        after effects: [ListEffect], _ context: inout LayerContext
    ) -> LayerOutcome {
        var outcome = LayerOutcome.unhandled
        for effect in effects {
            let (collection, ids): (String, [String])
            switch effect {
            case .changed(let name, .written(let id, _)): (collection, ids) = (name, [id])
            case .changed(let name, .archived(let changed, _)): (collection, ids) = (name, changed)
            default: continue
            }
            for index in layers.indices {
                guard case .detail(let detail) = layers[index], detail.collection == collection,
                    ids.contains(detail.id)
                else { continue }
                outcome.add(layers[index].handle(.changed(collection: collection, id: detail.id), &context))
            }
        }
        return outcome
    }

    /// Applies the layers and tasks of an outcome; returns the rest for the model.
    private mutating func apply(
        _ outcome: LayerOutcome, at index: Int, _ context: inout LayerContext
    ) -> LayerOutcome {
        var outcome = outcome
        if outcome.closes > 0 {
            layers.removeSubrange(max(0, min(index + 1, layers.count) - outcome.closes)..<layers.count)
            outcome.closes = 0
        }
        let tasks = outcome.tasks
        outcome.tasks = []
        for task in tasks { outcome.add(recordTasks.perform(task, &context)) }
        for case .changed(let collection, .deleted(let ids)) in outcome.effects {
            layers.removeAll { layer in
                guard case .detail(let detail) = layer else { return false }
                return detail.collection == collection && ids.contains(detail.id)
            }
        }
        outcome.add(refreshDetails(after: outcome.effects, &context))
        if outcome.reloadsOutbox {
            outcome.reloadsOutbox = false
            outcome.add(outbox.reload(&context))
            for index in layers.indices {
                guard case .operation = layers[index] else { continue }
                outcome.add(layers[index].handle(.opened, &context))
            }
        }
        let layer = outcome.opens.flatMap { BrowseLayer($0) }
        outcome.opens = nil
        guard let layer, layers.count < Self.maxLayers else { return outcome }
        layers.append(layer)
        let top = layers.endIndex - 1
        let opened = layers[top].handle(.opened, &context)
        outcome.add(apply(opened, at: top, &context))
        return outcome
    }
}

/// A layer whose answer has consequences, so that no key answers it before it is seen.
struct LayerPrompt: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case question, form, preview
        /// A sheet whose entries have got other numbers so many times.
        case reordered(Int)
    }

    let kind: Kind
    /// The number of layers up to it.
    let depth: Int

    /// Whether it has come since another one was on top. A form that is there again behind its preview has not.
    func isNew(after old: LayerPrompt?) -> Bool {
        self != old && !(kind == .form && old == LayerPrompt(kind: .preview, depth: depth))
    }
}

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
