// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

/// A part of the screen that decides: an event changes its state and has an outcome. Pure.
protocol LayerMachine: Sendable {
    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome
    /// The time of the monotonic clock at which `LayerEvent.woken` is due; nil for never.
    var wakeAt: UInt64? { get }
}

extension LayerMachine {
    var wakeAt: UInt64? { nil }
}

/// The outcome of an event for a layer.
struct LayerOutcome: Sendable {
    /// Whether the key was the layer's; the model looks up any other in the table of keys.
    var isHandled = true
    /// The number of layers that close, the uppermost first.
    var closes = 0
    /// The layer that opens, after those that close.
    var opens: (any LayerMachine)?
    /// The commands for the loop, in their order.
    var commands: [BrowseCommand] = []
    /// The tasks for `RecordTasks`. The stack performs them, so none reaches the model.
    var tasks: [RecordTask] = []
    var notice: Notice?
    /// Whether the operations of the outbox have changed. The stack then requests them again.
    var reloadsOutbox = false
    /// The changes of the lists.
    var effects: [ListEffect] = []

    /// Nothing more is to be done.
    static let stay = LayerOutcome()
    /// The event is not the layer's.
    static let unhandled = LayerOutcome(isHandled: false)
    /// The layer closes.
    static let close = LayerOutcome(closes: 1)

    static func open(_ layer: any LayerMachine) -> LayerOutcome { LayerOutcome(opens: layer) }
    static func commands(_ commands: BrowseCommand...) -> LayerOutcome { LayerOutcome(commands: commands) }
    static func effect(_ effect: ListEffect) -> LayerOutcome { LayerOutcome(effects: [effect]) }
    static func notice(_ text: String, _ kind: Notice.Kind = .done) -> LayerOutcome {
        LayerOutcome(notice: Notice(kind: kind, text: text))
    }

    /// Adds what another outcome has; its notice and layer win.
    mutating func add(_ other: LayerOutcome) {
        isHandled = isHandled || other.isHandled
        closes += other.closes
        opens = other.opens ?? opens
        commands += other.commands
        tasks += other.tasks
        notice = other.notice ?? notice
        effects += other.effects
        reloadsOutbox = reloadsOutbox || other.reloadsOutbox
    }
}

/// A change of the lists that a layer decides. The model makes it.
enum ListEffect: Sendable {
    /// The query of the collection's list becomes another one.
    case query(collection: String, QueryChange)
    /// The input line closed without effect: its query and the rows become what they were.
    case restored(collection: String, QueryChange)
    /// The input line closed, and its query stays.
    case entered(collection: String)
    /// Records were changed here, and the daemon has done it.
    case changed(collection: String, LocalChange)
    /// The selection moves by so many records; the detail then follows: `LayerStack.follow(_:_:)`.
    case step(Int)
    /// Data that the collection holds back is to be accepted: a refresh with `accept`.
    case accept(collection: String)
    /// The tab of a collection is to be shown.
    case show(collection: String)
}

/// A request about records that no layer waits for. `RecordTasks` sends it and makes a notice of its outcome.
enum RecordTask: Sendable {
    case archive(ArchiveStep)
    /// Takes an archiving or unarchiving back.
    case undo(ArchiveStep)
    /// Submits an operation that has a UUID.
    case submit(SubmitParameters, title: String)
    case outbox(OutboxParameters)
    case deal(collection: String)
    /// Copies the whole record as JSON, which is asked for first.
    case copy(RecordTarget)
    /// Opens a file or an address of the record, which is asked for first.
    case open(RecordTarget)

    /// Whether the task changes something, so that it is repeated where its answer was lost. Each of these does nothing
    /// the second time.
    var isChange: Bool {
        switch self {
        case .archive, .undo, .submit: true
        // The state of an operation may have changed since; a person looks at it before the verb is said again.
        case .outbox, .deal, .copy, .open: false
        }
    }
}

/// Records that were archived or unarchived together.
struct ArchiveStep: Equatable, Sendable {
    let collection: String
    var ids: [String]
    /// Whether they were archived; unarchived otherwise.
    let isArchive: Bool

    /// The step that takes this one back.
    var inverse: ArchiveStep { ArchiveStep(collection: collection, ids: ids, isArchive: !isArchive) }

    /// The method that makes the step.
    var method: Method { isArchive ? .archive : .unarchive }

    /// The parameters of the step.
    var parameters: ArchiveParameters {
        var parameters = ArchiveParameters()
        parameters.collection = collection
        parameters.ids = RecordIDList(ids)
        return parameters
    }
}

/// The steps of archiving and unarchiving of a run that can be taken back.
struct ArchiveSteps: Sendable {
    /// The steps, the newest last.
    private(set) var steps: [ArchiveStep] = []

    /// The maximum number of steps that can be taken back.
    static let maxSteps = 100

    /// Records the newest step.
    mutating func push(_ step: ArchiveStep) {
        steps.append(step)
        if steps.count > Self.maxSteps { steps.removeFirst() }
    }

    /// The newest step, which is then forgotten; nil without one.
    mutating func pop() -> ArchiveStep? { steps.popLast() }
}
