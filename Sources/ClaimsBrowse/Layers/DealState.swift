// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient

/// A deal. Its frame of stars moves for a second.
struct DealState: LayerMachine {
    let collection: String
    let message: String
    let record: AnswerValue
    /// The step of the movement, from 0 to `maxStep`.
    var step = 0
    var wakeAt: UInt64?

    /// The steps of the movement, and the time of one in nanoseconds: a second in all.
    static let maxStep = 10
    static let stepTime: UInt64 = 100_000_000

    init(_ collection: String, message: String, record: AnswerValue, at moment: BrowseMoment) {
        self.collection = collection
        self.message = message
        self.record = record
        wakeAt = moment.monotonic + Self.stepTime
    }

    mutating func take(_ event: LayerEvent, _ context: inout LayerContext) -> LayerOutcome {
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
