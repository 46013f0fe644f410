// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel
public import ClaimsStore

/// A person's decision about operations, as it was asked for.
public struct OutboxOrder: Sendable {
    public var decision: OperationDecision
    public var operations: [OperationID]
    /// The values with which ``OperationDecision/correct`` replaces others, by field, as the caller gave them.
    public var fields = JSONObject()
    /// The id that the upstream has given to a new record, for ``OperationDecision/resolveDone``.
    public var givenID: String?
    public var caller: OutboxCaller
    /// Decides which records of a collection the caller sees. A caller that does not see all of them decides about its own
    /// operations only.
    public var sight: RecordSight.Judge = { _ in .all }
    /// Whether the rules in force let the caller do an action of a collection.
    public var isAllowed: @Sendable (OperationAction, Definition) -> Bool = { _, _ in true }
    /// The time of the decision, and the meaning of words such as `today`.
    public var calendar: CivilCalendar

    public init(
        _ decision: OperationDecision, about operations: [OperationID], by caller: OutboxCaller,
        calendar: CivilCalendar
    ) {
        self.decision = decision
        self.operations = operations
        self.caller = caller
        self.calendar = calendar
    }
}

/// The operations that an order has changed, and the ones that it has not changed.
public struct OutboxReply: Sendable {
    public struct Refused: Sendable, Equatable {
        public var operation: OperationID
        public var state: OperationState
        /// The decisions that are possible instead of a retry, because the operation may have been done; empty
        /// otherwise.
        public var resolutions: [OperationDecision]

        public init(_ operation: OperationID, _ state: OperationState, resolutions: [OperationDecision] = []) {
            self.operation = operation
            self.state = state
            self.resolutions = resolutions
        }
    }

    public var changed: [OperationID]
    /// The operations whose state does not allow it, or that belong to other users.
    public var refused: [Refused]
    public var missing: [OperationID]

    public init(changed: [OperationID] = [], refused: [Refused] = [], missing: [OperationID] = []) {
        self.changed = changed
        self.refused = refused
        self.missing = missing
    }
}

/// The reason why an order is not carried out.
public enum OutboxRefusal: Error, Sendable {
    /// The corrected values break rules of the definition.
    case invalid([FieldProblem])
    /// The caller does not see all records of the collection, so that it can neither correct values nor name a record.
    case limited(collection: String)
    case store(StoreError)
}

/// The change that a person's decision makes to an operation, and to the operations that depend on it. Pure.
///
///     let change = DecidedChange(.retry)
///     let changed = change.apply(to: operation, by: caller, among: lanes, now: now)
public struct DecidedChange: Sendable, Equatable {
    public let decision: OperationDecision
    /// All values that the operation has from then on; nil if it keeps its own.
    private var values: OperationValues?
    /// The values that are served now, over which it is sent.
    private var basis: Basis?
    /// The id that the upstream has given to a new record.
    private var givenID: String?

    private struct Basis: Equatable {
        let before: JSONObject
        let isInSnapshot: Bool
    }

    /// A decision that needs nothing else.
    public init(_ decision: OperationDecision) { self.decision = decision }

    /// To send an operation with these values, which replace all of its values.
    public static func correct(_ values: OperationValues) -> Self {
        var change = Self(.correct)
        change.values = values
        return change
    }

    /// To send an operation over the values that are served now.
    ///
    /// - Parameters:
    ///   - before: the values that its fields have now.
    ///   - isInSnapshot: whether the snapshot has its record now.
    public static func resolveMine(over before: JSONObject, isInSnapshot: Bool) -> Self {
        var change = Self(.resolveMine)
        change.basis = Basis(before: before, isInSnapshot: isInSnapshot)
        return change
    }

    /// To consider an operation done.
    ///
    /// - Parameter id: the id that the upstream has given to a new record.
    public static func resolveDone(id: String?) -> Self {
        var change = Self(.resolveDone)
        change.givenID = id
        return change
    }
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

extension DecidedChange {
    /// The operations that the decision changes, each in its new state; nil if the operation does not allow it to the
    /// caller.
    ///
    /// - Parameters:
    ///   - operation: the operation that the caller may change.
    ///   - unsettled: all unsettled operations, to find the dependent ones.
    public func apply(
        to operation: Operation, by caller: OutboxCaller, among unsettled: Lanes, now: Int64
    ) -> [Operation]? {
        guard DecisionFacts(operation, isAdmin: caller.isAdmin).allows(decision) else { return nil }
        switch decision {
        case .hold:
            var held = operation.with(.held, reason: .operator)
            held.delivery.nextTry = nil
            return [held]
        case .retry, .correct: return [retried(operation)]
        case .drop: return dropped(operation, among: unsettled)
        case .resolveMine:
            var mine = operation.with(.queued)
            mine.values.before = basis?.before ?? mine.values.before
            mine.values.wasInSnapshot = basis?.isInSnapshot ?? mine.values.wasInSnapshot
            mine.values.inherited = JSONObject()
            mine.values.seen = JSONObject()
            mine.delivery.renewKey()
            return [mine]
        case .resolveDone: return resolvedAsDone(operation, now: now).map { [$0] }
        case .resolveAgain:
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

    private func retried(_ operation: Operation) -> Operation {
        var retried = operation.with(.queued)
        if let values { retried.values = values }
        retried.delivery.nextTry = operation.delivery.floor
        switch operation.state {
        case .held: if operation.reason == .guard { retried.delivery.isReleased = true }
        case .rejected: retried.delivery.renewKey()
        case .unconfirmed:
            retried.delivery.renewKey()
            retried.delivery.sendAsWhole()
        default: break
        }
        return retried
    }

    private func dropped(_ operation: Operation, among unsettled: Lanes) -> [Operation]? {
        guard operation.action == .create else { return [operation.with(.dropped)] }
        let lane = unsettled.lane(of: operation.record, in: operation.collection)
        guard lane.allSatisfy({ DecisionFacts($0).allows(.drop) }) else { return nil }
        let message = Message(.writeReferenceDropped, operation.record)
        let waiting = unsettled.operations.filter { $0.delivery.waitsFor == operation.id && $0.state == .queued }
        return lane.map { $0.with(.dropped) }
            + waiting.filter { waiting in !lane.contains { $0.id == waiting.id } }.map {
                $0.with(.held, reason: .reference, message: message)
            }
    }

    /// The operation as accepted; nil if the id of a new record is missing, or one is given of another.
    private func resolvedAsDone(_ operation: Operation, now: Int64) -> Operation? {
        let wasUncertain = operation.state == .uncertain || operation.delivery.wasUncertain
        var operation = operation.with(.accepted)
        operation.delivery.wasUncertain = wasUncertain
        if operation.action == .create {
            guard givenID != nil || operation.delivery.givenID != nil else { return nil }
            if let givenID { operation.delivery.givenID = givenID }
        } else if givenID != nil {
            return nil
        }
        operation.delivery.succeed()
        operation.delivery.isDoubted = false
        operation.delivery.acceptedAt = now
        return operation
    }
}
