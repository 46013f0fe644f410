// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel
public import ClaimsStore

/// A person's decision about operations, as it was asked for.
public struct OutboxOrder: Sendable {
    public var decision: OperationDecision
    public var operations: [OperationID]
    /// The values of ``OperationDecision/correct`` in place of others, by field, as the caller gave them.
    public var fields = JSONObject()
    /// The id that the upstream has given to a new record, for ``OperationDecision/resolveDone``.
    public var givenID: String?
    public var caller: OutboxCaller
    /// The time of the decision, and what words such as `today` mean.
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

/// The operations that an order has changed, and the others.
public struct OutboxReply: Sendable {
    public struct Refused: Sendable, Equatable {
        public var operation: OperationID
        public var state: OperationState
        /// The decisions that go on with it in place of a retry, because it may have been done; empty otherwise.
        public var resolutions: [OperationDecision]

        public init(_ operation: OperationID, _ state: OperationState, resolutions: [OperationDecision] = []) {
            self.operation = operation
            self.state = state
            self.resolutions = resolutions
        }
    }

    public var changed: [OperationID]
    /// Those whose state does not allow it, or that are not the caller's.
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
    case store(StoreError)
}
