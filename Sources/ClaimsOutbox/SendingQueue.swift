// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Decides which operations are sent now. Pure.
struct SendingQueue: Sendable {
    /// An operation whose turn it is.
    struct Start: Sendable, Equatable {
        var operation: Operation
        /// The origin that it goes to; nil if no request can be made of it.
        var origin: String?
    }

    private(set) var lanes = Lanes()
    private(set) var origins: [String: OriginState] = [:]
    /// The operations that an attempt has in hand, with their origins.
    private var inHand: [OperationID: String?] = [:]
    /// Operations whose attempt could not be recorded, with the time of the next try.
    private var postponed: [OperationID: Int64] = [:]

    /// Whether no attempt is under way.
    var isIdle: Bool { inHand.isEmpty }

    /// The origin that an operation in hand goes to.
    func origin(of operation: OperationID) -> String? { inHand[operation] ?? nil }

    /// The time before which an operation that waits is not sent; nil if it is due, or in hand.
    ///
    /// - Parameter origin: the origin that it goes to; nil if no request can be made of it.
    func nextTry(of operation: Operation, at origin: String?, now: Int64) -> Int64? {
        guard inHand[operation.id] == nil else { return nil }
        let state = origin.flatMap { origins[$0] } ?? OriginState()
        let time = max(state.earliest(operation), postponed[operation.id] ?? .min)
        return time > now ? time : nil
    }

    /// Takes operations in as they are now.
    mutating func replace(_ operations: [Operation]) {
        for operation in operations { postponed[operation.id] = nil }
        lanes.replace(operations)
    }

    /// Forgets operations that are settled, or gone with their collection.
    mutating func remove(_ operations: Set<OperationID>) { lanes.remove(operations) }

    /// Begins what may be sent now.
    ///
    /// - Parameter origin: the origin that an operation goes to; nil if no request can be made of it.
    /// - Returns: the operations to send, and the time at which the next one may be due; nil if only an event brings one.
    mutating func begin(now: Int64, origin: (Operation) -> String?) -> (starts: [Start], next: Int64?) {
        postponed = postponed.filter { lanes[$0.key] != nil }
        var starts: [Start] = []
        var next: Int64?
        func wait(until time: Int64) { next = min(next ?? time, time) }
        var waiting: [String: [Operation]] = [:]
        for operation in lanes.heads where inHand[operation.id] == nil {
            if let time = postponed[operation.id], time > now {
                wait(until: time)
            } else if let origin = origin(operation) {
                waiting[origin, default: []].append(operation)
            } else {
                inHand.updateValue(nil, forKey: operation.id)
                starts.append(Start(operation: operation, origin: nil))
            }
        }
        for (name, operations) in waiting {
            var state = origins[name] ?? OriginState()
            // While there is trouble, operations alternate, so that an operation that the upstream cannot process does
            // not block others.
            let isOrdered = state.nextBegin() != nil && state.trouble != nil
            let ordered = isOrdered ? Self.byLastAttempt(operations) : operations
            for operation in ordered {
                guard let begin = state.nextBegin() else { break }
                let due = max(begin, state.due(operation))
                guard due <= now else {
                    wait(until: due)
                    continue
                }
                state.begin()
                inHand[operation.id] = name
                starts.append(Start(operation: operation, origin: name))
            }
            origins[name] = state
        }
        return (starts, next)
    }

    /// Takes the end of an attempt in.
    mutating func end(
        _ operation: OperationID, _ signal: OriginSignal?, now: Int64, random: UInt64
    ) -> OriginState.Event? {
        guard let origin = inHand.removeValue(forKey: operation) ?? nil else { return nil }
        postponed[operation] = nil
        return origins[origin]?.end(signal, now: now, random: random)
    }

    /// Delays an operation whose attempt could not be recorded; the upstream is not the reason.
    mutating func postpone(_ operation: OperationID, until time: Int64) {
        _ = end(operation, nil, now: time, random: 0)
        postponed[operation] = time
    }

    /// Records that a refresh got an answer of that origin.
    mutating func succeed(_ origin: String, now: Int64) -> OriginState.Event? {
        origins[origin]?.succeed(now: now)
    }

    /// Lets a request probe each of these origins at once; all of them by default.
    mutating func probe(_ names: [String]? = nil, now: Int64) {
        for name in names ?? Array(origins.keys) { origins[name]?.probe(now: now) }
    }

    /// Operations in the order of their last attempts, operations without one first.
    private static func byLastAttempt(_ operations: [Operation]) -> [Operation] {
        operations.map { (time: $0.delivery.log.last?.at ?? .min, operation: $0) }
            .sorted { ($0.time, $0.operation.number) < ($1.time, $1.operation.number) }.map(\.operation)
    }
}
