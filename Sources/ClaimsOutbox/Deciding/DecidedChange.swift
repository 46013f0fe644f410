// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel

/// A person's decision about operations.
public enum OutboxVerb: Sendable, Equatable {
    /// Not to send it until further notice.
    case hold
    /// To send it, with other values where some are given: all values that the operation has from then on.
    case retry(corrected: OperationValues?)
    /// To give it up.
    case drop
    /// To send it over what is served now, whose values come with it.
    case resolveMine(before: JSONObject, isInSnapshot: Bool)
    /// To take it as done; of a create with the id that the upstream gave.
    case resolveDone(id: String?)
    /// To send it once more, although it may have been done.
    case resolveAgain
}

/// The person that decides.
public struct OutboxCaller: Sendable, Equatable {
    public var user: UInt32
    public var isAdmin: Bool

    public init(user: UInt32, isAdmin: Bool) {
        self.user = user
        self.isAdmin = isAdmin
    }

    /// Whether the caller may decide about an operation.
    public func mayChange(_ operation: Operation) -> Bool { isAdmin || operation.submittedBy == user }
}

extension OutboxVerb {
    /// The operations that the decision changes, each as it is from now on; nil where the operation's state, or its
    /// reason, does not allow it to the caller.
    ///
    /// - Parameters:
    ///   - operation: one that the caller may change.
    ///   - unsettled: all unsettled operations, for those that go with it.
    public func apply(
        to operation: Operation, by caller: OutboxCaller, among unsettled: Lanes, now: Int64
    ) -> [Operation]? {
        switch self {
        case .hold:
            guard operation.state == .queued else { return nil }
            var held = operation.with(.held, reason: .operator)
            held.delivery.nextTry = nil
            return [held]
        case .retry(let corrected): return retried(operation, corrected, by: caller).map { [$0] }
        case .drop: return dropped(operation, among: unsettled)
        case .resolveMine(let before, let isInSnapshot):
            guard operation.state == .conflict else { return nil }
            var operation = operation.with(.queued)
            operation.values.before = before
            operation.values.inherited = JSONObject()
            operation.values.seen = JSONObject()
            operation.values.wasInSnapshot = isInSnapshot
            operation.delivery.renewKey()
            return [operation]
        case .resolveDone(let id):
            guard operation.state == .unconfirmed || operation.asksForResolve else { return nil }
            return resolvedAsDone(operation, id: id, now: now).map { [$0] }
        case .resolveAgain:
            guard operation.asksForResolve, operation.state != .conflict else { return nil }
            var again = operation.with(.queued)
            if operation.state == .unconfirmed { again.delivery.sendAsWhole() }
            again.delivery.wasUncertain = true
            again.delivery.verdict = nil
            again.delivery.isAnswerMissing = false
            again.delivery.isDoubted = false
            again.delivery.uncertainSince = nil
            again.delivery.nextTry = nil
            return [again]
        }
    }

    /// Whether `resolve` is the way on with an operation that it does not change.
    func asksForResolve(of operation: Operation) -> Bool {
        guard case .retry = self else { return false }
        return operation.asksForResolve
    }

    private func retried(
        _ operation: Operation, _ corrected: OperationValues?, by caller: OutboxCaller
    ) -> Operation? {
        if corrected != nil, operation.state != .rejected, operation.delivery.attempts > 0 { return nil }
        if operation.asksForResolve { return nil }
        var retried = operation.with(.queued)
        if let corrected { retried.values = corrected }
        retried.delivery.nextTry = operation.delivery.floor
        switch (operation.state, operation.reason) {
        case (.queued, _): break
        case (.held, .guard?) where !caller.isAdmin: return nil
        case (.held, .damaged?): return nil
        case (.held, .guard?): retried.delivery.isReleased = true
        case (.held, _): break
        case (.rejected, _), (.unconfirmed, _):
            retried.delivery.renewKey()
            if operation.state == .unconfirmed { retried.delivery.sendAsWhole() }
        default: return nil
        }
        return retried
    }

    private func dropped(_ operation: Operation, among unsettled: Lanes) -> [Operation]? {
        guard operation.state == .queued || operation.state.isStuck else { return nil }
        guard operation.action == .create else { return [operation.with(.dropped)] }
        let lane = unsettled.lane(of: operation.record, in: operation.collection)
        guard lane.allSatisfy({ $0.state == .queued || $0.state.isStuck }) else { return nil }
        let message = Message(.writeReferenceDropped, operation.record)
        let waiting = unsettled.operations.filter { $0.delivery.waitsFor == operation.id && $0.state == .queued }
        return lane.map { $0.with(.dropped) }
            + waiting.filter { waiting in !lane.contains { $0.id == waiting.id } }.map {
                $0.with(.held, reason: .reference, message: message)
            }
    }

    private func resolvedAsDone(_ operation: Operation, id: String?, now: Int64) -> Operation? {
        let wasUncertain = operation.state == .uncertain || operation.delivery.wasUncertain
        var operation = operation.with(.accepted)
        operation.delivery.wasUncertain = wasUncertain
        if operation.action == .create {
            guard id != nil || operation.delivery.givenID != nil else { return nil }
            if let id { operation.delivery.givenID = id }
        } else if id != nil {
            return nil
        }
        operation.delivery.succeed()
        operation.delivery.isDoubted = false
        operation.delivery.acceptedAt = now
        return operation
    }
}

extension Operation {
    /// Whether only `resolve` goes on with it, because the upstream may have done it before it refused it.
    var asksForResolve: Bool {
        switch (state, reason) {
        case (.uncertain, _): true
        case (.rejected, _), (.conflict, _), (.unconfirmed, _), (.held, .forbidden?): delivery.wasUncertain
        default: false
        }
    }
}
