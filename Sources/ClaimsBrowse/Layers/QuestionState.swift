// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
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

    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
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

/// The table of keys.
struct HelpState: LayerMachine {
    /// The area whose keys it lists first.
    let area: BrowseArea
    private(set) var scroll = 0

    init(_ area: BrowseArea) { self.area = area }

    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .wheel(let step): scroll = context.scrolled(scroll, by: step * LayerContext.wheelLines)
        case .key(let key):
            switch BrowseKeys.action(of: key, in: .detail) {
            case .back?, .leave?, .help?, .open?: return .close
            case let action?: scroll = context.scrolled(scroll, by: action) ?? scroll
            case nil: if key == .enter { return .close }
            }
        default: break
        }
        return .stay
    }
}

/// A deal. Its frame of stars moves for a second.
struct DealState: LayerMachine {
    let collection: String
    let message: String
    let record: AnswerValue
    /// The step of the movement, from 0 to `maxStep`.
    private(set) var step = 0
    private(set) var wakeAt: UInt64?

    /// The steps of the movement, and the time of one in nanoseconds: a second in all.
    static let maxStep = 10
    static let stepTime: UInt64 = 100_000_000

    init(_ collection: String, message: String, record: AnswerValue, at moment: BrowseMoment) {
        self.collection = collection
        self.message = message
        self.record = record
        wakeAt = moment.monotonic + Self.stepTime
    }

    mutating func handle(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
        switch event {
        case .woken:
            guard let time = wakeAt, time <= context.moment.monotonic else { return .stay }
            step += 1
            wakeAt = step < Self.maxStep ? context.moment.monotonic + Self.stepTime : nil
            return .stay
        case .key(let key):
            switch BrowseKeys.action(of: key, in: .list) {
            case .open?:
                guard let id = record["id"]?.text else { return .close }
                let target = RecordTarget(collection: collection, id: id, record: record)
                return LayerOutcome(closes: 1, opens: DetailState(target))
            case .deal?: return LayerOutcome(closes: 1, tasks: [.deal(collection: collection)])
            case .back?, .leave?: return .close
            case .archive?, .copyID?, .copyRecord?, .openAddress?, .edit?, .actions?, .help?: return .unhandled
            default: return .stay
            }
        default: return .stay
        }
    }
}
