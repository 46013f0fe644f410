// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The state of an operation, as state.db keeps it and `outbox` shows it.
public enum OperationState: String, Sendable, CaseIterable {
    /// It waits for its turn, for a time, or for another operation.
    case queued
    /// Bytes of its request may have left.
    case sending
    /// The upstream has said yes, and no refresh has shown it yet.
    case accepted
    /// It is not sent until a person acts; an `OperationReason` gives the reason.
    case held
    /// The upstream may have done it; it is never sent again automatically.
    case uncertain
    /// The record has changed since the operation was submitted.
    case conflict
    /// The upstream has refused it.
    case rejected
    /// No refresh has shown it in time.
    case unconfirmed
    /// Settled: a refresh has shown it, or a person has said that it was done.
    case confirmed
    /// Settled: this host is the truth, and the operation is committed.
    case done
    /// Settled: a person has given it up.
    case dropped

    /// Whether nothing more happens to it.
    public var isSettled: Bool { self == .confirmed || self == .done || self == .dropped }

    /// Whether it waits for a person.
    public var isStuck: Bool {
        switch self {
        case .held, .uncertain, .conflict, .rejected, .unconfirmed: true
        case .queued, .sending, .accepted, .confirmed, .done, .dropped: false
        }
    }

    /// The state that records show; nil for a settled operation.
    public var pending: PendingState? {
        switch self {
        case .queued, .sending: .queued
        case .accepted: .accepted
        case .held, .uncertain, .conflict, .rejected, .unconfirmed: .stuck
        case .confirmed, .done, .dropped: nil
        }
    }
}

/// The reason why an operation is held.
public enum OperationReason: String, Sendable, CaseIterable {
    /// A person has held it.
    case `operator`
    /// It is one of many deletes within a short time.
    case `guard`
    /// The upstream does not allow it at that address: a redirect, 403, 405, 428; for a new record 404 or 410.
    case forbidden
    /// The definition has changed, and does not allow it any more.
    case definition
    /// The record was written when this host was the truth.
    case adopted
    /// A record that it refers to was given up.
    case reference
    /// Its row in state.db, or one of its files, is damaged.
    case damaged
}

/// The kind of change that an operation makes.
public enum OperationAction: Sendable, Hashable {
    case create, update, delete
    /// An action of the definition.
    case named(String)

    public init(_ name: String) {
        switch name {
        case "create": self = .create
        case "update": self = .update
        case "delete": self = .delete
        default: self = .named(name)
        }
    }

    public var name: String {
        switch self {
        case .create: "create"
        case .update: "update"
        case .delete: "delete"
        case .named(let name): name
        }
    }
}

/// A person's decision about an operation that is on its way to an upstream.
///
/// ``DecisionFacts`` decides which decisions an operation allows.
public enum OperationDecision: Sendable, CaseIterable {
    /// To send it at once, as it is.
    case retry
    /// Not to send it until further notice.
    case hold
    /// To give it up.
    case drop
    /// To send it with other values.
    case correct
    /// To send it over the values that are served now, after a conflict.
    case resolveMine
    /// To consider it done: the upstream has it.
    case resolveDone
    /// To send it once more, although it may have been done.
    case resolveAgain
}

/// The facts about an operation that decide which decisions it allows: the only table of states and decisions. Pure.
///
///     DecisionFacts(operation).allows(.retry)
///     DecisionFacts(.conflict, wasSent: true).allowed  // resolveMine, drop
///
/// A client sees fewer facts than the daemon. Facts that it does not see count as absent, so that it may offer a
/// decision that the daemon refuses.
public struct DecisionFacts: Sendable, Equatable {
    public var state: OperationState
    /// The reason why it is held.
    public var reason: OperationReason?
    /// Whether a request of it was ever sent.
    public var wasSent: Bool
    /// Whether it was ever uncertain: then the upstream may have done it, whatever its later answers were.
    public var wasUncertain: Bool
    /// Whether an administrator decides.
    public var isAdmin: Bool

    public init(
        _ state: OperationState, reason: OperationReason? = nil, wasSent: Bool, wasUncertain: Bool = false,
        isAdmin: Bool = true
    ) {
        self.state = state
        self.reason = reason
        self.wasSent = wasSent
        self.wasUncertain = wasUncertain
        self.isAdmin = isAdmin
    }

    public init(_ operation: Operation, isAdmin: Bool = true) {
        self.init(
            operation.state, reason: operation.reason, wasSent: operation.delivery.attempts > 0,
            wasUncertain: operation.delivery.wasUncertain, isAdmin: isAdmin)
    }

    /// The decisions that the operation allows, with the values that they need.
    public var allowed: Set<OperationDecision> {
        switch state {
        case .queued: sendable.union([.hold, .drop])
        case .sending, .accepted: []
        case .held:
            switch reason {
            case .damaged: [.drop]
            case .guard where !isAdmin: [.drop]
            case .forbidden where wasUncertain: Self.doubtful
            default: sendable.union([.drop])
            }
        case .uncertain: Self.doubtful
        case .conflict: wasUncertain ? [.resolveMine, .resolveDone, .drop] : [.resolveMine, .drop]
        case .rejected: wasUncertain ? Self.doubtful : [.retry, .correct, .drop]
        case .unconfirmed: wasUncertain ? Self.doubtful : sendable.union([.resolveDone, .drop])
        case .confirmed, .done, .dropped: []
        }
    }

    public func allows(_ decision: OperationDecision) -> Bool { allowed.contains(decision) }

    /// The decisions that continue an operation that may have been done, if it is not retried for that reason; empty
    /// for any other operation.
    public var resolutions: [OperationDecision] {
        let allowed = allowed
        guard allowed.contains(.resolveDone), !allowed.contains(.retry) else { return [] }
        return [.resolveMine, .resolveDone, .resolveAgain].filter { allowed.contains($0) }
    }

    /// The decisions about an operation that is sent again at a person's word. Other values are for one of which the
    /// upstream has seen nothing.
    private var sendable: Set<OperationDecision> { wasSent ? [.retry] : [.retry, .correct] }

    /// The decisions about an operation that may have been done.
    private static let doubtful: Set<OperationDecision> = [.resolveDone, .resolveAgain, .drop]
}
