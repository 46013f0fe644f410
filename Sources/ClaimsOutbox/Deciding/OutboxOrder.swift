// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel
public import ClaimsStore

/// A person's decision about operations, as it was asked for.
public struct OutboxOrder: Sendable {
    public enum Decision: Sendable {
        case hold
        /// The values that take the place of others, as the caller gave them; nil: the operation stays as it is.
        case retry(corrected: JSONObject?)
        case drop
        case resolveMine
        /// The id that the upstream has given to a new record.
        case resolveDone(id: String?)
        case resolveAgain
    }

    public var decision: Decision
    public var operations: [OperationID]
    public var uid: UInt32
    public var isAdmin: Bool
    /// The time of the decision, and what words such as `today` mean.
    public var calendar: CivilCalendar

    public init(
        _ decision: Decision, about operations: [OperationID], uid: UInt32, isAdmin: Bool, calendar: CivilCalendar
    ) {
        self.decision = decision
        self.operations = operations
        self.uid = uid
        self.isAdmin = isAdmin
        self.calendar = calendar
    }
}

/// The operations that an order has changed, and the others.
public struct OutboxReply: Sendable {
    public struct Refused: Sendable, Equatable {
        public var operation: OperationID
        public var state: OperationState
        /// Whether it may have been done, so that it is not retried, but resolved.
        public var asksForResolve: Bool

        public init(_ operation: OperationID, _ state: OperationState, asksForResolve: Bool = false) {
            self.operation = operation
            self.state = state
            self.asksForResolve = asksForResolve
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
